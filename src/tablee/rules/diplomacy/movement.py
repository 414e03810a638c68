"""A movement phase: from a situation and its orders to verdicts and the situation after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablee.rules.diplomacy.adjudication import settle
from tablee.rules.diplomacy.field import Field
from tablee.rules.diplomacy.model import (
    DATC,
    Choices,
    Dislodged,
    Order,
    Outcome,
    Reason,
    Resolution,
    Situation,
    Unit,
    Verdict,
)
from tablee.rules.diplomacy.validation import CONVOY, HOLD, MOVE
from tablee.rules.diplomacy.variant import Variant, bits

_new = tuple.__new__
"""Named tuples made by the thousand are made without their own constructor, which is three times slower."""

SUCCEEDS, BOUNCES, CUT, VOID = Outcome.SUCCEEDS, Outcome.BOUNCES, Outcome.CUT, Outcome.VOID
DISRUPTED, NO_CONVOY, ILLEGAL = Outcome.DISRUPTED, Outcome.NO_CONVOY, Outcome.ILLEGAL


def resolve_moves(
    variant: Variant, situation: Situation, orders: Sequence[Order], choices: Choices = DATC
) -> Resolution:
    """Adjudicate the orders of all roles. Illegal and missing orders hold; nothing is refused."""
    field = Field(variant, situation, orders, choices)
    settle(field)
    return conclude(field, situation, orders)


def conclude(field: Field, situation: Situation, orders: Sequence[Order]) -> Resolution:
    """Verdicts and the situation after, of a field that is settled."""
    won, dest, path, landing = field.won, field.dest, field.path, field.landing
    role_at, by_convoy = field.ground.role_at, field.by_convoy
    region_of = field.variant.region_of
    beaten: dict[int, int] = {}
    """Whence a dislodged unit was attacked, by where it stands."""
    taken: set[int] = set()
    """Where a move went."""
    lost: list[int] = []
    """Moves that failed though they had a way."""
    for region in field.movers:
        if won[region]:
            goal = dest[region]
            taken.add(goal)
            if role_at[goal] and not won[goal]:
                beaten[goal] = region
        elif path[region]:
            lost.append(region)

    units = [
        _new(Unit, (unit[0], unit[1], landing[region])) if won[region] else unit
        for unit in situation.units
        if won[region := region_of[unit[2]]] or region not in beaten
    ]

    closed: set[int] = set()
    """Empty after a stand-off."""
    for region in lost:
        goal = dest[region]
        if goal not in taken and (not role_at[goal] or won[goal]):
            # The loser of a head-to-head battle leaves no mark on where it wanted to go (DATC 6.H.9).
            if won[goal] and dest[goal] == region and not (by_convoy[region] or by_convoy[goal]):
                continue
            closed.add(goal)

    dislodged: tuple[Dislodged, ...] = ()
    destroyed: tuple[Unit, ...] = ()
    disbanded: set[int] = set()
    if beaten:
        full = bits(closed)
        for unit in units:
            full |= 1 << region_of[unit[2]]
        dislodged, destroyed, disbanded = _retreating(field, situation, beaten, full)
    after = Situation(situation.ownerships, tuple(units), dislodged, (), tuple(sorted(closed)))
    return Resolution(after, tuple(_verdicts(field, orders, beaten, disbanded)), destroyed)


def _retreating(
    field: Field, situation: Situation, beaten: dict[int, int], full: int
) -> tuple[tuple[Dislodged, ...], tuple[Unit, ...], set[int]]:
    """Who must retreat, and who has nowhere to go and is destroyed at once."""
    dislodged, destroyed, disbanded = [], [], set()
    is_open = field.choices.convoyed_origin == "open"
    region_of, region_reach = field.variant.region_of, field.variant.region_reach
    for unit in situation.units:
        region = region_of[unit[2]]
        if region not in beaten:
            continue
        attacker = beaten[region]
        origin = 0 if is_open and field.by_convoy[attacker] else attacker
        if region_reach[unit[1]][unit[2]] & ~full & ~(1 << origin):
            dislodged.append(_new(Dislodged, (*unit, origin)))
        else:
            destroyed.append(unit)
            disbanded.add(region)
    return tuple(dislodged), tuple(destroyed), disbanded


def _verdicts(
    field: Field, orders: Sequence[Order], beaten: dict[int, int], disbanded: set[int]
) -> list[Verdict]:
    acts, won, given, path, target = field.act, field.won, field.given, field.path, field.target
    region_of, rejected, paradox = field.variant.region_of, field.rejected, field.paradox
    new, verdict = _new, Verdict
    verdicts: list[Verdict] = []
    add = verdicts.append
    for number, order in enumerate(orders):
        if number in rejected:
            add(_rejected(field, order, Reason(*rejected[number]), beaten, disbanded))
            continue
        region = region_of[order[2]]
        act = acts[region]
        is_beaten = region in beaten
        if act == MOVE:
            outcome = SUCCEEDS if won[region] else BOUNCES if path[region] else NO_CONVOY
        elif act == HOLD:
            outcome = SUCCEEDS
        elif act == CONVOY:
            outcome = _convoy_outcome(field, order, region, is_beaten)
        else:
            outcome = VOID if not target[region] else SUCCEEDS if given[region] else CUT
        if is_beaten or paradox:
            marks = (order, outcome, is_beaten, region in paradox, False, region in disbanded, None)
            add(new(verdict, marks))
        else:
            add(new(verdict, (order, outcome, False, False, False, False, None)))
    verdicts += _by_default(field, orders, beaten, disbanded)
    return verdicts


def _rejected(
    field: Field, order: Order, reason: Reason, beaten: dict[int, int], disbanded: set[int]
) -> Verdict:
    """What is said of an order that is not followed, and of its unit where it has no other."""
    region = field.addressed(order)
    if not region or field.act[region]:
        return Verdict(order, ILLEGAL, reason=reason)
    return Verdict(order, ILLEGAL, region in beaten, disbanded=region in disbanded, reason=reason)


def _by_default(
    field: Field, orders: Sequence[Order], beaten: dict[int, int], disbanded: set[int]
) -> Iterator[Verdict]:
    """The holds of units that nobody gave an order."""
    if len(field.order) - field.order.count(None) == field.ground.count:
        return
    addressed = {field.addressed(orders[number]) for number in field.rejected}
    for region, role in enumerate(field.ground.role_at):
        if role and not field.act[region] and region not in addressed:
            order = Order(role, HOLD, field.ground.zone_at[region])
            yield Verdict(order, SUCCEEDS, region in beaten, False, True, region in disbanded)


def _convoy_outcome(field: Field, order: Order, region: int, lost: bool) -> Outcome:
    if region not in field.convoying:
        return VOID
    # Szykman's rule breaks a convoy even if its fleet stays (DATC 6.F.16).
    return DISRUPTED if lost or field.variant.region_of[order.passive] in field.paradox else SUCCEEDS
