"""Random movement phases, rich in conflicts, and how the engine and the plain adjudicator compare on them."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from tests.rules.diplomacy import plain
from tests.rules.diplomacy.cases import CASES, STANDARD, order, situation

from tablee.rules.diplomacy.convoys import flood
from tablee.rules.diplomacy.model import Act, Kind, Order, Outcome, Resolution, Situation, Terrain, Unit
from tablee.rules.diplomacy.retreats import retreat_options
from tablee.rules.diplomacy.variant import Variant, bits, members

Phase = tuple[Situation, list[Order]]

_MOVES = [case for case in CASES if case["phase"] == "movement"]
_HARD = [case for case in _MOVES if case["case"].startswith(("6.C", "6.F", "6.G"))]


def random_phase(variant: Variant, rng: Random, least: int = 22, most: int = 34) -> Phase:
    """So many units close together, and orders that mostly belong together."""
    size = min(rng.randint(least, most), variant.regions * 2 // 3)
    units = _units(variant, rng, size)
    situation = Situation(units=tuple(units))
    return situation, random_orders(variant, units, rng)


def _units(variant: Variant, rng: Random, size: int) -> list[Unit]:
    seed = rng.randrange(1, variant.regions + 1)
    far = variant.distances([seed])
    crowd = rng.choice([0.5, 1.5, 4.0])
    regions = sorted(range(1, variant.regions + 1), key=lambda r: far[r] + crowd * rng.random())
    fleets = rng.choice([0.4, 0.5, 0.8])
    found = []
    for region in regions[:size]:
        kind = Kind.ARMY if rng.random() > fleets else Kind.FLEET
        if variant.terrain[region] == Terrain.SEA:
            kind = Kind.FLEET
        elif variant.terrain[region] == Terrain.LAND or not (
            variant.fleet_next[region] or variant.coasts_of[region]
        ):
            kind = Kind.ARMY
        coasts = variant.coasts_of[region]
        zone = rng.choice(coasts) if kind == Kind.FLEET and coasts else region
        found.append(Unit(rng.randint(1, variant.roles), int(kind), zone))
    return found


def random_orders(variant: Variant, units: list[Unit], rng: Random) -> list[Order]:
    """First what moves where, then who helps it; a few orders that cannot be."""
    region_of = variant.region_of
    orders: dict[Unit, Order] = {}
    loose = list(units)
    rng.shuffle(loose)
    fleets = bits(unit.zone for unit in units if variant.terrain[unit.zone] == Terrain.SEA)
    focus = {rng.randrange(1, variant.regions + 1) for _ in range(5)}
    for unit in loose[: rng.randint(0, 3)]:
        goals = _overseas(variant, unit, fleets)
        if goals:
            to = rng.choice(goals)
            orders[unit] = Order(unit.role, Act.MOVE, unit.zone, 0, to, rng.random() < 0.2)
            chain = flood(variant.sea_next, variant.seas_of[unit.zone], fleets)
            focus |= {to, *members(chain)}
            for sailor in units:
                if chain >> sailor.zone & 1 and sailor not in orders and rng.random() < 0.8:
                    orders[sailor] = Order(sailor.role, Act.CONVOY, sailor.zone, unit.zone, to)
    for unit in loose[: int(len(loose) * rng.uniform(0.35, 0.8))]:
        beside = (variant.army_next if unit.kind == Kind.ARMY else variant.fleet_next)[unit.zone]
        if unit in orders or not beside:
            continue
        to = rng.choice([zone for zone in beside if region_of[zone] in focus] or beside)
        if rng.random() < 0.02:
            to = rng.randint(1, variant.regions)
        if rng.random() < 0.05:
            to = region_of[to]
        orders[unit] = Order(unit.role, Act.MOVE, unit.zone, 0, to)
    for unit in units:
        if unit not in orders:
            orders[unit] = _helping(variant, unit, units, orders, rng)
    given = list(orders.values())
    rng.shuffle(given)
    return given


def mixed_cases(rng: Random) -> Phase:
    """Some of the DATC's cases on one board, a few orders and owners changed: paradoxes and their kin."""
    units: dict[int, Unit] = {}
    orders: dict[int, Order] = {}
    for case in rng.sample(_HARD if rng.random() < 0.7 else _MOVES, rng.randint(1, 3)):
        given = {STANDARD.region_of[each.zone]: each for each in map(order, case["orders"])}
        for unit in situation(case).units:
            region = STANDARD.region_of[unit.zone]
            if region not in units:
                units[region] = unit
                meant = given.get(region, Order(unit.role, Act.HOLD, unit.zone))
                orders[region] = meant._replace(role=unit.role, zone=unit.zone, kind=0)
    for region in rng.sample(list(units), min(len(units), rng.randint(0, 3))):
        unit = units[region]
        kind = rng.random()
        if kind < 0.3:
            units[region] = unit._replace(role=rng.randint(1, 7))
            orders[region] = orders[region]._replace(role=units[region].role)
        elif kind < 0.8:
            others = dict(zip(units.values(), orders.values(), strict=True))
            orders[region] = _helping(STANDARD, unit, list(units.values()), others, rng)
        else:
            beside = (STANDARD.army_next if unit.kind == Kind.ARMY else STANDARD.fleet_next)[unit.zone]
            orders[region] = Order(unit.role, Act.MOVE, unit.zone, 0, rng.choice(beside))
    return Situation(units=tuple(units.values())), list(orders.values())


def _overseas(variant: Variant, unit: Unit, fleets: int) -> list[int]:
    """The coasts that the fleets at sea could bring an army to."""
    if unit.kind != Kind.ARMY:
        return []
    seas = flood(variant.sea_next, variant.seas_of[unit.zone], fleets)
    return [r for r in range(1, variant.regions + 1) if r != unit.zone and variant.seas_of[r] & seas]


def _helping(
    variant: Variant, unit: Unit, units: list[Unit], orders: dict[Unit, Order], rng: Random
) -> Order:
    region_of = variant.region_of
    moves = [order for order in orders.values() if order.act == Act.MOVE]
    reach = variant.region_reach[unit.kind][unit.zone]
    sails = [o for o in moves if o.destination <= variant.regions and variant.seas_of[o.destination]]
    if variant.terrain[unit.zone] == Terrain.SEA and sails and rng.random() < 0.15:
        chosen = rng.choice(sails)
        return Order(unit.role, Act.CONVOY, unit.zone, chosen.zone, chosen.destination)
    helpful = [o for o in moves if reach >> region_of[o.destination] & 1 and o.zone != unit.zone]
    if helpful and rng.random() < 0.7:
        chosen = rng.choice(helpful)
        to = chosen.destination if rng.random() < 0.7 else region_of[chosen.destination]
        return Order(unit.role, Act.SUPPORT_MOVE, unit.zone, chosen.zone, to)
    beside = [other for other in units if reach >> region_of[other.zone] & 1]
    if beside and rng.random() < 0.8:
        return Order(unit.role, Act.SUPPORT_HOLD, unit.zone, rng.choice(beside).zone)
    return Order(unit.role, Act.HOLD, unit.zone)


# --- The same for the plain adjudicator -----------------------------------------------------------------


@cache
def plain_board(variant: Variant) -> plain.Board:
    """The board of a variant in the plain adjudicator's words."""
    code = [each.upper() for each in variant.codes]
    kinds = {1: "coast", 2: "land", 3: "sea"}
    zones = range(1, variant.zones + 1)
    return plain.Board(
        {code[region]: kinds[variant.terrain[region]] for region in range(1, variant.regions + 1)},
        {code[zone]: frozenset(code[other] for other in variant.army_next[zone]) for zone in zones},
        {code[zone]: frozenset(code[other] for other in variant.fleet_next[zone]) for zone in zones},
    )


def plain_phase(variant: Variant, phase: Phase) -> tuple[list[plain.Piece], list[plain.Order]]:
    """A phase in the plain adjudicator's words."""
    situation, orders = phase
    code = [each.upper() for each in variant.codes]
    kind_at = {unit.zone: " AF"[unit.kind] for unit in situation.units}
    what = {1: "-", 2: "S", 3: "S", 4: "H", 5: "C"}
    pieces = [plain.Piece(str(unit.role), " AF"[unit.kind], code[unit.zone]) for unit in situation.units]
    said = [
        plain.Order(
            str(order.role),
            kind_at[order.zone],
            code[order.zone],
            what[order.act],
            code[order.passive],
            code[order.destination],
            bool(order.via_convoy),
        )
        for order in orders
    ]
    return pieces, said


_WORDS = {
    Outcome.SUCCEEDS: "success",
    Outcome.BOUNCES: "bounce",
    Outcome.CUT: "cut",
    Outcome.VOID: "void",
    Outcome.DISRUPTED: "disrupted",
    Outcome.NO_CONVOY: "no-convoy",
    Outcome.ILLEGAL: "illegal-holds",
}


def differences(variant: Variant, phase: Phase, found: Resolution) -> list[tuple[str, Any, Any]]:
    """Where the engine's resolution and the plain adjudicator's differ: what, engine, plain."""
    pieces, said = plain_phase(variant, phase)
    outcome = plain.adjudicate(plain_board(variant), pieces, said)
    code = [each.upper() for each in variant.codes]
    after = found.situation
    stand = {plain.Piece(str(u.role), " AF"[u.kind], code[u.zone]) for u in after.units}
    gone: dict[plain.Piece, list[str]] = {
        plain.Piece(str(u.role), " AF"[u.kind], code[u.zone]): [] for u in found.destroyed
    }
    retreats = {**gone}
    for unit in after.dislodged:
        piece = plain.Piece(str(unit.role), " AF"[unit.kind], code[unit.zone])
        retreats[piece] = sorted(code[zone] for zone in retreat_options(variant, after, unit))
    verdicts = {}
    for verdict in found.verdicts:
        word = _WORDS[verdict.outcome]
        if verdict.order.act == Act.HOLD and word == "success":
            word = "dislodged" if verdict.dislodged else "hold"
        elif verdict.dislodged:
            word += "+dislodged"
        verdicts[plain.region(code[verdict.order.zone])] = word
    return [
        (what, engine, other)
        for what, engine, other in (
            ("after", stand, outcome.after),
            ("retreats", retreats, outcome.retreats),
            ("contested", {code[region] for region in after.forbiddens}, outcome.contested),
            ("verdicts", verdicts, outcome.verdicts),
        )
        if engine != other
    ]
