"""Orders by letter: a line is an order that joins those that are saved, in the place of its unit's."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches

from tablee.rules.contract import Action
from tablee.rules.dictation import NotRead, Written
from tablee.rules.diplomacy.adjustments import owed
from tablee.rules.diplomacy.game import Reconsider, Save, Submit
from tablee.rules.diplomacy.legal import legal_orders, spelled
from tablee.rules.diplomacy.lexicon import lexicon_of, tokens
from tablee.rules.diplomacy.model import Order, Reason, Season
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.notation import NotUnderstood, Standing
from tablee.rules.diplomacy.report import WORDS, phase_name, say_reason
from tablee.rules.diplomacy.submission import unordered
from tablee.rules.diplomacy.variant import Variant, load_variant
from tablee.rules.diplomacy.views import DiplomacyView
from tablee.rules.diplomacy.writing import write_standing

GUESSED_MOST = 80
"""Characters of a line for which somebody looks for what was meant."""
ALIKE = 0.6


def read(view: DiplomacyView, role: int, text: str, language: str) -> Action | None:
    """All orders of a role with the one of this line; None where it only says who speaks. Raises NotRead."""
    variant, situation = load_variant(view.variant), view.unwritten.situation
    own = _own(view, role)
    said = text.partition("#")[0].strip()
    if not said or lexicon_of(variant).powers.get(tuple(tokens(said.rstrip(":"))[0])) in own:
        return None
    try:
        order = Standing.of(variant, situation, view.advancement).read(said, own[0] if len(own) == 1 else 0)
    except NotUnderstood as fault:
        raise NotRead(fault.sentence(WORDS[language]), _guess(view, own, said, language)) from None
    order = spelled(variant, situation, order)
    if order.role not in own:
        reason = say_reason(
            names_of(variant, language), Reason("not-your-role", {"role": order.role}), language
        )
        raise NotRead(f"{said} : {reason}." if language == "fr" else f"{said}: {reason}.")
    return saving(view, order.role, _joined(view, variant, order))


def finishing(view: DiplomacyView, role: int, final: bool) -> list[Action]:
    """The orders that are saved made final, for each role that owes some; or final ones no longer so."""
    owing = [each for each in _own(view, role) if view.roles[each].owes]
    if final:
        unsaid = [each for each in owing if not view.roles[each].is_in]
        return [saving(view, each, view.orders.get(each, ()), final=True) for each in unsaid]
    return [Reconsider(each, view.advancement) for each in owing if view.roles[each].is_in]


def saving(view: DiplomacyView, role: int, orders: tuple[Order, ...], *, final: bool = False) -> Action:
    """The one action by which a letter changes what is saved."""
    if final:
        return Submit(role, orders, final, meant_for=view.advancement)
    return Save(role, orders, meant_for=view.advancement)


def written(view: DiplomacyView, role: int, language: str) -> Written:
    """The orders that are saved, the units that have none, and when that is resolved."""
    variant, situation = load_variant(view.variant), view.unwritten.situation
    names = names_of(variant, language)
    standing = Standing.of(variant, situation, view.advancement)
    owing = [each for each in _own(view, role) if view.roles[each].owes]
    given: list[str] = []
    missing: list[str] = []
    for each in owing:
        orders = view.orders.get(each, ())
        given += [write_standing(names, order, standing, language) for order in orders]
        missing += [_unit(standing, names.zones[zone], zone) for zone in _unordered(view, each, orders)]
        missing += _adjustments(view, variant, each, len(orders), language)
    finals = [bool(view.roles[each].is_in) for each in owing]
    return Written(
        phase=phase_name(variant, view.advancement, "en" if language == "en" else "fr"),
        given=tuple(given),
        missing=tuple(missing),
        is_final=all(finals) if finals else None,
        by=view.waits_until or view.deadline,
    )


def _own(view: DiplomacyView, role: int) -> tuple[int, ...]:
    own = view.roles_of(view.you) if view.you is not None else ()
    return tuple(each for each in own if role in (0, each))


def _unordered(view: DiplomacyView, role: int, orders: tuple[Order, ...]) -> list[int]:
    variant = load_variant(view.variant)
    return unordered(variant, view.advancement, view.unwritten.situation, role, orders)


def _adjustments(view: DiplomacyView, variant: Variant, role: int, given: int, language: str) -> list[str]:
    """How many builds or removals are still open, in one line."""
    if view.advancement % 5 != Season.ADJUSTMENTS:
        return []
    due = owed(variant, view.unwritten.situation).get(role, 0)
    left = abs(due) - given
    if left <= 0:
        return []
    return [WORDS[language]["letter.builds" if due > 0 else "letter.removals"].format(number=left)]


def _unit(standing: Standing, name: str, zone: int) -> str:
    unit = standing.units.get(standing.variant.region_of[zone])
    return f"{'F' if unit is not None and unit[1] == 2 else 'A'} {name}"


def _joined(view: DiplomacyView, variant: Variant, order: Order) -> tuple[Order, ...]:
    """Saved orders with a new one; where no more are due, the oldest adjustment gives way to it."""
    region = variant.region_of[order.zone]
    kept = [each for each in view.orders.get(order.role, ()) if variant.region_of[each.zone] != region]
    if view.advancement % 5 == Season.ADJUSTMENTS:
        most = abs(owed(variant, view.unwritten.situation).get(order.role, 0))
        kept = kept[max(0, len(kept) + 1 - most) :] if most else kept
    return (*kept, order)


# --- what may have been meant ---------------------------------------------------------------------------


def _guess(view: DiplomacyView, own: tuple[int, ...], text: str, language: str) -> str:
    """The legal order that is most like this text; empty where none is."""
    if len(text) > GUESSED_MOST or not own:
        return ""
    variant, situation = load_variant(view.variant), view.unwritten.situation
    names = names_of(variant, language)
    standing = Standing.of(variant, situation, view.advancement)
    said = list(_in_codes(variant, text))
    if not any(len(word) == 3 for word in said):
        return ""
    best, score = "", ALIKE
    matcher = SequenceMatcher(None, "", " ".join(said))
    for role in own:
        found = legal_orders(variant, view.advancement, situation, role)
        named = {zone: orders for zone, orders in found.items() if names.zones[zone][:3] in said}
        for orders in (named or found).values():
            for order in orders:
                shown = write_standing(names, order, standing, language)
                matcher.set_seq1(" ".join(word for word in tokens(shown)[0] if word != "/"))
                if matcher.real_quick_ratio() > score and matcher.quick_ratio() > score:
                    ratio = matcher.ratio()
                    best, score = (shown, ratio) if ratio > score else (best, score)
    return best


def _in_codes(variant: Variant, text: str) -> Iterator[str]:
    """The words of a text, those that are or nearly are names of regions as the codes of these."""
    places = {said[0]: zone for said, zone in lexicon_of(variant).places.items() if len(said) == 1}
    for word in tokens(text)[0]:
        near = [word]
        if word not in places and len(word) >= 3:
            swapped = [each for each in places if sorted(each) == sorted(word)]
            near = swapped or get_close_matches(word, places, n=1, cutoff=0.65)
        zone = places.get(near[0]) if near else None
        yield word if zone is None else variant.codes[variant.region_of[zone]].upper()
