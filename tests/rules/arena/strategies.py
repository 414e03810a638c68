"""Descriptions of any kind, for properties that hold for all of them."""

from __future__ import annotations

from hypothesis import strategies as st

from tablee.rules.arena.coloring import in_order
from tablee.rules.arena.description import (
    MOVEMENTS,
    SPECIAL_ACTIONS,
    Card,
    Description,
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

NAMES = ("Pawn", "Évêque", "King of kings", "Knight", "Queen")
TRUMPS = ("Tower", "Fort", "Ram", "Wind")
COLORS = ("RED", "DARK_BLUE", "VERT D’EAU", "YELLOW")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
LENGTHS = st.floats(0.01, 9_999, allow_nan=False).map(lambda number: round(number, 2))


@st.composite
def plans(draw: st.DrawFn, colors: tuple[str, ...] = COLORS, drawn: bool = False) -> Plan:
    """A board of up to seven arms."""
    arms, wide = draw(st.integers(2, 7)), draw(st.integers(1, 5))
    width = arms * wide
    lengths = st.sampled_from([length for length in range(1, width + 1) if width % length == 0])
    row = lengths.flatmap(
        lambda length: st.lists(st.sampled_from(colors), min_size=length, max_size=length).map(tuple)
    )
    circle = draw(st.lists(row, max_size=4).map(tuple))
    arm = draw(st.lists(row, min_size=1, max_size=5).map(tuple))
    straight = draw(st.integers(0, len(arm)))
    svg = None
    if drawn and draw(st.booleans()):
        curved = len(circle) + len(arm) - straight
        svg = Svg(
            rotation_center=draw(st.tuples(LENGTHS, LENGTHS)),
            fill_origin=draw(st.tuples(LENGTHS, LENGTHS)),
            fill=Fill(width=draw(LENGTHS), height=draw(LENGTHS)),
            lines=(("M1 2h3v-.5a1 1 0 01.5 2z",) * wide,) * curved,
        )
    return Plan(arms, wide, straight, circle, arm, svg)


@st.composite
def descriptions(draw: st.DrawFn) -> Description:
    """A whole game of any kind that the loader allows."""
    colors = COLORS[: draw(st.integers(1, len(COLORS)))]
    plan = draw(plans(colors, drawn=True))
    some = st.sets(st.sampled_from(colors))
    cards = tuple(
        Card(
            name=name,
            steps=draw(st.integers(1, 4)),
            types=_some(draw, MOVEMENTS, 1),
            colors={own: in_order({own, *draw(some)}, colors) for own in colors},
            special_actions=_some(draw, SPECIAL_ACTIONS, 0),
            description=draw(TEXTS),
        )
        for name in NAMES[: draw(st.integers(1, len(NAMES)))]
    )
    names = TRUMPS[: draw(st.integers(0, len(TRUMPS)))]
    trumps: list[Trump] = []
    for name in names:
        trumps += draw(_trumps(name, names, colors))
    return Description(
        number_players=draw(st.integers(2, plan.number_arms)),
        colors=colors,
        board=plan,
        number_cards_per_color=draw(st.integers(5, 7)),
        cards=cards,
        trumps=tuple(trumps),
    )


@st.composite
def _trumps(draw: st.DrawFn, name: str, names: tuple[str, ...], colors: tuple[str, ...]) -> list[Trump]:
    listed = draw(st.sets(st.sampled_from(colors), min_size=1))
    effect: Effect = draw(
        st.one_of(
            st.integers(-3, 3).map(ModifyNumberMoves),
            st.just(RemoveColor(in_order(listed, colors))),
            st.lists(st.sampled_from(names), min_size=1, unique=True).map(tuple).map(RemoveEffects),
            st.builds(
                ModifyTrumpDurations,
                st.integers(-3, 3),
                st.lists(st.sampled_from(names), unique=True).map(tuple),
            ),
        )
    )
    trump = Trump(
        name=name,
        base=name,
        description=draw(TEXTS),
        cost=draw(st.integers(0, 50)),
        effect=effect,
        duration=draw(st.integers(1, 4)),
        must_target_player=draw(st.booleans()),
        weight=draw(st.integers(1, 5)),
    )
    if not draw(st.booleans()):
        return [trump]
    return [
        Trump(
            name=f"{name} {color.capitalize().replace('_', ' ')}",
            base=name,
            description=trump.description,
            cost=trump.cost,
            effect=RemoveColor(in_order({color, *listed}, colors))
            if isinstance(effect, RemoveColor)
            else effect,
            duration=trump.duration,
            must_target_player=trump.must_target_player,
            weight=trump.weight,
        )
        for color in colors
    ]


def _some(draw: st.DrawFn, words: tuple[str, ...], least: int) -> tuple[str, ...]:
    chosen = draw(st.sets(st.sampled_from(words), min_size=least))
    return tuple(word for word in words if word in chosen)
