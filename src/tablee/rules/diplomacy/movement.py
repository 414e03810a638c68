"""A movement phase: from a situation and its orders to verdicts and the situation after."""

from __future__ import annotations

from collections.abc import Sequence

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
from tablee.rules.diplomacy.retreats import options
from tablee.rules.diplomacy.validation import CONVOY, HOLD, MOVE
from tablee.rules.diplomacy.variant import Variant

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
    won, dest = field.won, field.dest
    region_of = field.variant.region_of
    beaten: dict[int, int] = {}
    """Whence a dislodged unit was attacked, by where it stands."""
    for region in field.movers:
        if won[region]:
            goal = dest[region]
            if field.ground.role_at[goal] and not won[goal]:
                beaten[goal] = region

    landing = field.landing
    units: list[Unit] = []
    occupied = 0
    for unit in situation.units:
        region = region_of[unit[2]]
        if won[region]:
            occupied |= 1 << dest[region]
            units.append(_new(Unit, (unit[0], unit[1], landing[region])))
        elif region not in beaten:
            occupied |= 1 << region
            units.append(unit)

    closed = 0
    for region in field.movers:
        if not won[region]:
            goal = dest[region]
            if not occupied >> goal & 1 and field.path[region] and not closed >> goal & 1:
                # The loser of a head-to-head battle leaves no mark on where it wanted to go (DATC 6.H.9).
                head_on = dest[goal] == region and not (field.by_convoy[region] or field.by_convoy[goal])
                if not (head_on and won[goal]):
                    closed |= 1 << goal

    dislodged: tuple[Dislodged, ...] = ()
    destroyed: tuple[Unit, ...] = ()
    disbanded: set[int] = set()
    if beaten:
        dislodged, destroyed, disbanded = _retreating(field, situation, beaten, occupied, closed)
    after = Situation(
        situation.ownerships, tuple(units), dislodged, (), tuple(_regions(closed)) if closed else ()
    )
    return Resolution(
        after, tuple(_verdicts(field, orders, len(units) + len(beaten), beaten, disbanded)), destroyed
    )


def _retreating(
    field: Field, situation: Situation, beaten: dict[int, int], occupied: int, closed: int
) -> tuple[tuple[Dislodged, ...], tuple[Unit, ...], set[int]]:
    """Who must retreat, and who has nowhere to go and is destroyed at once."""
    dislodged, destroyed, disbanded = [], [], set()
    is_open = field.choices.convoyed_origin == "open"
    for unit in situation.units:
        region = field.variant.region_of[unit.zone]
        attacker = beaten.get(region)
        if attacker is None:
            continue
        origin = 0 if is_open and field.by_convoy[attacker] else attacker
        if options(field.variant, unit.kind, unit.zone, occupied | closed, origin):
            dislodged.append(Dislodged(unit.role, unit.kind, unit.zone, origin))
        else:
            destroyed.append(unit)
            disbanded.add(region)
    return tuple(dislodged), tuple(destroyed), disbanded


def _verdicts(
    field: Field, orders: Sequence[Order], unit_count: int, beaten: dict[int, int], disbanded: set[int]
) -> list[Verdict]:
    acts, by_region, won, given, path = field.act, field.order, field.won, field.given, field.path
    target, region_of, faults = field.target, field.variant.region_of, field.fault
    verdicts: list[Verdict] = []
    add = verdicts.append
    refused = iter(field.refused)
    careful = bool(field.refused)
    paradox = field.paradox
    seen: set[int] = set()
    for order in orders:
        if careful:
            region = region_of[order.zone] if 0 < order.zone <= field.variant.zones else 0
            if not region or by_region[region] is not order or region in seen:
                add(Verdict(order, ILLEGAL, reason=Reason(*next(refused)[1])))
                continue
            seen.add(region)
        else:
            region = region_of[order[2]]
        act = acts[region]
        lost = region in beaten
        if act == MOVE:
            outcome = SUCCEEDS if won[region] else BOUNCES if path[region] else NO_CONVOY
        elif act == HOLD:
            outcome = SUCCEEDS
        elif not act:
            reason = Reason(*faults[region])
            add(Verdict(order, ILLEGAL, lost, disbanded=region in disbanded, reason=reason))
            continue
        elif act == CONVOY:
            outcome = _convoy_outcome(field, order, region, lost)
        else:
            outcome = VOID if not target[region] else SUCCEEDS if given[region] else CUT
        add(_new(Verdict, (order, outcome, lost, region in paradox, False, region in disbanded, None)))
    if len(verdicts) - len(field.refused) < unit_count:
        for region, role in enumerate(field.ground.role_at):
            if role and by_region[region] is None:
                order = Order(role, HOLD, field.ground.zone_at[region])
                add(Verdict(order, SUCCEEDS, region in beaten, False, True, region in disbanded))
    return verdicts


def _convoy_outcome(field: Field, order: Order, region: int, lost: bool) -> Outcome:
    if region not in field.convoying:
        return VOID
    # Szykman's rule breaks a convoy even if its fleet stays (DATC 6.F.16).
    return DISRUPTED if lost or field.variant.region_of[order.passive] in field.paradox else SUCCEEDS


def _regions(mask: int) -> list[int]:
    return [region for region in range(1, mask.bit_length()) if mask >> region & 1]
