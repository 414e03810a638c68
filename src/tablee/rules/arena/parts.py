"""The parts of a description from their JSON: board, drawing, cards, trumps."""

from __future__ import annotations

from msgspec.structs import replace

from tablee.rules.arena.coloring import Colors, in_order, read_color_set, read_row
from tablee.rules.arena.description import (
    ALL,
    HAND,
    MOVEMENTS,
    SPECIAL_ACTIONS,
    Card,
    Effect,
    Fill,
    ModifyNumberMoves,
    ModifyTrumpDurations,
    Plan,
    RemoveColor,
    RemoveEffects,
    Svg,
    Trump,
)
from tablee.rules.arena.faults import Spot
from tablee.rules.arena.outline import is_path
from tablee.rules.arena.shapes import (
    MOST,
    read_boolean,
    read_choices,
    read_integer,
    read_keys,
    read_list,
    read_name,
    read_number,
    read_object,
    read_point,
    read_text,
)
from tablee.rules.arena.spelling import (
    BOARD,
    CARD,
    CARDS,
    EFFECT_ALSO,
    EFFECTS,
    ELEMENT,
    FILL,
    FILL_TAG,
    LINE_TAG,
    MOVEMENT_ALSO,
    SPECIAL_ACTION,
    SVG,
    TRUMP,
)

MOST_DECK = 10_000
MOST_TRUMPS = 1_000
MOST_PATH = 2_000
"""Characters of a square's path; an arm's are drawn again for every other."""


def _is_drawn_by_squares(board: object) -> bool:
    """Whether a board is what the last published ones are: squares with terrain, and nothing of ours."""
    if not isinstance(board, dict) or not isinstance(board.get("squares"), list):
        return False
    return BOARD.ours.keys().isdisjoint(board)


def read_board(spot: Spot, colors: Colors | None) -> Plan | None:
    """The board, with its rows as the file has them and its drawing if there is one."""
    faults = len(spot.faults)
    if _is_drawn_by_squares(spot.value):
        spot.key("squares").fault("arms")
        return None
    keys = read_object(spot, BOARD) or {}
    arms = read_integer(keys["number_arms"], 2) if "number_arms" in keys else None
    wide = read_integer(keys["arms_width"], 1) if "arms_width" in keys else None
    width = arms * wide if arms and wide else None
    circle = _rows(keys.get("inner_circle_colors"), colors, width)
    arm = _rows(keys.get("arms_colors"), colors, width)
    if arm == ():
        keys["arms_colors"].fault("filled")
    straight = None
    if "arms_length" in keys:
        straight = read_integer(keys["arms_length"], 0, len(arm) if arm else None)
    rows = None if circle is None or arm is None else len(circle) + len(arm)
    broken = spot.findings.too_large(width * rows) if width and rows else None
    if width and rows and broken:
        spot.fault_of(str(width * rows), broken.wanted, most=broken.most)
    svg = None
    if "svg" in keys:
        curved = None if rows is None or straight is None else rows - straight
        svg = _svg(keys["svg"], wide, curved)
    if len(spot.faults) > faults or not (arms and wide and arm) or circle is None or straight is None:
        return None
    return Plan(
        number_arms=arms,
        arms_width=wide,
        arms_length=straight,
        circle_rows=circle,
        arm_rows=arm,
        svg=svg,
    )


def _rows(spot: Spot | None, colors: Colors | None, width: int | None) -> tuple[Colors, ...] | None:
    """Rows of colours; the list has its length even where a row has a fault."""
    items = read_list(spot) if spot else None
    if items is None:
        return None
    rows = []
    for item in items:
        row = read_row(item, colors)
        if row == ():
            item.fault("a_color")
        elif row and width and width % len(row):
            item.fault("divides", width=width)
        rows.append(row or ())
    return tuple(rows)


def _svg(spot: Spot, wide: int | None, curved: int | None) -> Svg | None:
    keys = read_object(spot, SVG) or {}
    center = read_point(keys["rotation_center"]) if "rotation_center" in keys else None
    origin = read_point(keys["fill_origin"]) if "fill_origin" in keys else None
    fill = _fill(keys["fill"]) if "fill" in keys else None
    lines = _lines(keys["lines"], wide, curved) if "lines" in keys else None
    if center is None or origin is None or fill is None or lines is None:
        return None
    return Svg(rotation_center=center, fill_origin=origin, fill=fill, lines=lines)


def _fill(spot: Spot) -> Fill | None:
    keys = read_object(spot, FILL) or {}
    if "tag" in keys and keys["tag"].value != FILL_TAG:
        keys["tag"].fault("tag", tag=FILL_TAG)
    width = read_number(keys["width"]) if "width" in keys else None
    height = read_number(keys["height"]) if "height" in keys else None
    return Fill(width=width, height=height) if width and height else None


def _lines(spot: Spot, wide: int | None, curved: int | None) -> tuple[tuple[str, ...], ...] | None:
    rows = read_list(spot)
    if rows is None:
        return None
    if curved is not None and len(rows) != curved:
        spot.fault_of(str(len(rows)), "rows", rows=curved)
    return tuple(_line(row, wide) for row in rows)


def _line(spot: Spot, wide: int | None) -> tuple[str, ...]:
    items = read_list(spot) or []
    if wide and isinstance(spot.value, list | tuple) and len(items) != wide:
        spot.fault_of(str(len(items)), "cells", width=wide)
    drawn = []
    for item in items:
        keys = read_object(item, ELEMENT) or {}
        if "tag" in keys and keys["tag"].value != LINE_TAG:
            keys["tag"].fault("tag", tag=LINE_TAG)
        if "d" in keys:
            data = keys["d"].value
            # Nothing else than numbers and commands goes into the drawing that every player's page shows.
            if isinstance(data, str) and len(data) <= MOST_PATH and is_path(data):
                drawn.append(data.strip())
            else:
                keys["d"].fault("path_data", most=MOST_PATH)
    return tuple(drawn)


def read_cards(spot: Spot, colors: Colors | None) -> tuple[int, tuple[Card, ...]] | None:
    """How often a deck has each card in each colour, and the cards."""
    faults = len(spot.faults)
    keys = read_object(spot, CARDS) or {}
    copies = None
    if "number_cards_per_color" in keys:
        copies = read_integer(keys["number_cards_per_color"], 1)
    items = read_list(keys["cards"]) if "cards" in keys else None
    deck = (copies or 1) * len(items or ()) * len(colors or ("",))
    if deck > MOST_DECK:
        spot.fault_of(str(deck), "deck_most", most=MOST_DECK)
        return None
    if copies and items is not None and colors and deck < HAND:
        spot.fault_of(str(deck), "deck", least=HAND)
    cards = [_card(item, colors) for item in items or ()]
    _names_once(items or [])
    if len(spot.faults) > faults or copies is None:
        return None
    return copies, tuple(card for card in cards if card)


def _card(spot: Spot, colors: Colors | None) -> Card | None:
    keys = read_object(spot, CARD) or {}
    name = read_name(keys["name"]) if "name" in keys else None
    steps = read_integer(keys["number_of_movements"], 1) if "number_of_movements" in keys else None
    types = _movements(keys["movements_type"]) if "movements_type" in keys else None
    if types == ():
        keys["movements_type"].fault("filled")
    more: Colors | None = ()
    if "additional_movements_colors" in keys:
        more = read_color_set(keys["additional_movements_colors"], colors)
    complementary: dict[str, Colors] | None = {}
    if "complementary_colors" in keys:
        complementary = _complementary(keys["complementary_colors"], colors)
    actions: tuple[str, ...] | None = ()
    if "special_actions" in keys:
        actions = _special_actions(keys["special_actions"])
    said = read_text(keys["description"]) if "description" in keys else ""
    if not (name and steps and types) or more is None or complementary is None:
        return None
    if actions is None or said is None:
        return None
    always = {*more, *complementary.get(ALL, ())}
    allowed = {
        own: in_order({own, *always, *complementary.get(own, ())}, colors or ()) for own in colors or ()
    }
    return Card(
        name=name, steps=steps, types=types, colors=allowed, special_actions=actions, description=said
    )


def _movements(spot: Spot) -> tuple[str, ...] | None:
    """Types of movements: a list, or in the first files one word."""
    word = spot.value
    if isinstance(word, str) and (word in MOVEMENT_ALSO or word in MOVEMENTS):
        spot = spot.beside(list(MOVEMENT_ALSO.get(word, (word,))))
    return read_choices(spot, MOVEMENTS)


def _special_actions(spot: Spot) -> tuple[str, ...] | None:
    """Special actions: a list of their names, or of objects that have them, whatever their capitals."""
    items = read_list(spot)
    if items is None:
        return None
    found: list[str] = []
    for item in items:
        named = item
        if isinstance(item.value, dict):
            keys = read_object(item, SPECIAL_ACTION) or {}
            if "name" not in keys:
                continue
            named = keys["name"]
        action = named.value.lower() if isinstance(named.value, str) else None
        if action in SPECIAL_ACTIONS:
            found.append(action)
        else:
            named.fault("choice", names=", ".join(SPECIAL_ACTIONS))
    return tuple(action for action in SPECIAL_ACTIONS if action in found)


def _complementary(spot: Spot, colors: Colors | None) -> dict[str, Colors] | None:
    keys = read_keys(spot)
    if keys is None:
        return None
    found = {}
    for key in keys:
        if colors is not None and key != ALL and key not in colors:
            spot.key(key).beside(key).fault("color_or_all", colors=", ".join(colors))
        found[key] = read_color_set(spot.key(key), colors) or ()
    return found


def read_trumps(spot: Spot, colors: Colors | None) -> tuple[Trump, ...] | None:
    """The trumps, those that are repeated for each colour once for each."""
    items = read_list(spot)
    if items is None:
        return None
    faults = len(spot.faults)
    found = [item.value.get("name") for item in items if isinstance(item.value, dict)]
    names = {name for name in found if isinstance(name, str)}
    _names_once(items)
    every: list[Trump] = []
    taken: set[str] = set(names)
    bases: set[str] = set()
    for item in items:
        made = _trumps(item, colors, names)
        repeated = [trump.name for trump in made if trump.name != trump.base]
        # "Tower" for RED and a trump that is called "Tower Red" are the same name in the end.
        if repeated and made[0].base not in bases and len(set(repeated) - taken) < len(repeated):
            item.key("name").fault("unique")
        taken.update(repeated)
        bases.update(trump.base for trump in made)
        every += made
        if len(every) > MOST_TRUMPS:
            spot.fault_of(f"{len(every)}…", "trumps_most", most=MOST_TRUMPS)
            break
    return tuple(every) if len(spot.faults) == faults else None


def _trumps(spot: Spot, colors: Colors | None, names: set[str]) -> list[Trump]:
    """A trump, or as many as there are colours."""
    faults = len(spot.faults)
    keys = read_object(spot, TRUMP) or {}
    name = read_name(keys["name"]) if "name" in keys else None
    description = read_text(keys["description"]) if "description" in keys else None
    cost = read_integer(keys["cost"], 0) if "cost" in keys else None
    duration = read_integer(keys["duration"], 1) if "duration" in keys else 1
    weight = read_integer(keys["weight"], 1) if "weight" in keys else 1
    targets = read_boolean(keys["must_target_player"]) if "must_target_player" in keys else False
    repeated = read_boolean(keys["repeat_for_each_color"]) if "repeat_for_each_color" in keys else False
    effect = _effect(keys["parameters"], colors, names, bool(repeated)) if "parameters" in keys else None
    if len(spot.faults) > faults or name is None or description is None or cost is None or effect is None:
        return []
    made = Trump(
        name=name,
        base=name,
        description=description,
        cost=cost,
        effect=effect,
        duration=duration or 1,
        must_target_player=bool(targets),
        weight=weight or 1,
    )
    return [_repeat(made, color, colors or ()) for color in colors or ()] if repeated else [made]


def _repeat(trump: Trump, color: str, colors: Colors) -> Trump:
    """The trump of one colour, which takes this colour too if it takes colours."""
    effect = trump.effect
    if isinstance(effect, RemoveColor):
        effect = RemoveColor(colors=in_order({color, *effect.colors}, colors))
    return replace(trump, name=f"{trump.name} {color.replace('_', ' ').capitalize()}", effect=effect)


def _effect(spot: Spot, colors: Colors | None, names: set[str], repeated: bool) -> Effect | None:
    kinds = ", ".join(EFFECTS)
    if not isinstance(spot.value, dict):
        spot.fault("object")
        return None
    kind = spot.value.get("type")
    kind = EFFECT_ALSO.get(kind, kind) if isinstance(kind, str) else None
    if kind is None or kind not in EFFECTS:
        (spot.key("type").fault if "type" in spot.value else spot.missing)("effect", names=kinds)
        return None
    keys = read_object(spot, EFFECTS[kind]) or {}
    if kind == "ModifyNumberMoves" and "delta_moves" in keys:
        delta = read_integer(keys["delta_moves"], -MOST)
        return None if delta is None else ModifyNumberMoves(delta_moves=delta)
    if kind == "RemoveColor":
        taken = read_color_set(keys["colors"], colors) if "colors" in keys else ()
        if taken == () and colors and not repeated:
            keys.get("colors", spot).fault("removed")
        return None if taken is None else RemoveColor(colors=taken)
    if kind == "RemoveEffects" and "effects" in keys:
        struck = _struck(keys["effects"], names)
        return None if struck is None else RemoveEffects(effects=struck)
    if kind == "ModifyTrumpDurations" and "delta_duration" in keys:
        delta = read_integer(keys["delta_duration"], -MOST)
        struck = _struck(keys["trump_names"], names) if "trump_names" in keys else ()
        if delta is not None and struck is not None:
            return ModifyTrumpDurations(delta_duration=delta, trump_names=struck)
    return None


def _struck(spot: Spot, names: set[str]) -> tuple[str, ...] | None:
    """Names of trumps, as before repetition."""
    items = read_list(spot)
    if items is None:
        return None
    if not items:
        spot.fault("filled")
    for item in items:
        if not isinstance(item.value, str) or item.value not in names:
            item.fault("trump")
    return tuple(dict.fromkeys(item.value for item in items if isinstance(item.value, str)))


def _names_once(items: list[Spot]) -> None:
    seen: set[str] = set()
    for item in items:
        name = item.value.get("name") if isinstance(item.value, dict) else None
        if isinstance(name, str):
            if name in seen:
                item.key("name").fault("unique")
            seen.add(name)
