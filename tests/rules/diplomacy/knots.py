"""Phases in which very much depends on itself: circles, paradoxes in rows and rings, crowds of convoys."""

from __future__ import annotations

from random import Random

from tests.rules.diplomacy.boards import grid

from tablee.rules.diplomacy.model import Act, Order, Situation, Unit
from tablee.rules.diplomacy.variant import ARMY, COAST, FLEET, LAND, SEA, Variant, members

Phase = tuple[Situation, list[Order]]


def circle(length: int) -> tuple[Variant, Phase]:
    """So many armies, an even number, that go round; there and back along two rows."""
    half = length // 2
    board = grid([(x, y) for y in (0, 1) for x in range(half)], lambda x, y: False)
    round_trip = [*range(1, half + 1), *range(2 * half, half, -1)]
    orders = [
        Order(1 + n % 7, Act.MOVE, here, 0, round_trip[(n + 1) % length]) for n, here in enumerate(round_trip)
    ]
    return board, (Situation(units=tuple(Unit(o.role, ARMY, o.zone) for o in orders)), orders)


def column(length: int) -> tuple[Variant, Phase]:
    """So many armies in a row, each going where the one before it stands, the first into the open."""
    board = grid([(x, 0) for x in range(length + 1)], lambda x, y: False)
    orders = [Order(1 + here % 7, Act.MOVE, here, 0, here + 1) for here in range(1, length + 1)]
    return board, (Situation(units=tuple(Unit(o.role, ARMY, o.zone) for o in orders)), orders)


def convoyed_crowd(board: Variant, rng: Random) -> Phase:
    """Armies that sail at each other's shores while fleets fight over the seas, on any board."""
    units: dict[int, Unit] = {}
    for region in range(1, board.regions + 1):
        terrain, chance = board.terrain[region], rng.random()
        if terrain == SEA and chance < 0.85:
            units[region] = Unit(rng.randint(1, board.roles), FLEET, region)
        elif terrain == COAST and chance < 0.7:
            is_army = chance < 0.4 or not board.fleet_next[region]
            units[region] = Unit(rng.randint(1, board.roles), ARMY if is_army else FLEET, region)
        elif terrain == LAND and chance < 0.3:
            units[region] = Unit(rng.randint(1, board.roles), ARMY, region)
    orders: dict[int, Order] = {}
    for region, unit in units.items():
        seas = [sea for sea in members(board.seas_of[region]) if sea in units] if unit.kind == ARMY else []
        if not seas or rng.random() < 0.2:
            continue
        way = [rng.choice(seas)]
        for _ in range(rng.randint(0, 2)):
            onward = [s for s in members(board.sea_next[way[-1]]) if s in units and s not in way]
            way += [rng.choice(onward)] if onward else []
        ashore = [r for r in members(board.near[way[-1]]) if board.terrain[r] == COAST and r != region]
        if ashore and all(sea not in orders for sea in way):
            there = rng.choice([r for r in ashore if r in units] or ashore)
            orders[region] = Order(unit.role, Act.MOVE, region, 0, there, via_convoy=True)
            for sea in way:
                orders[sea] = Order(units[sea].role, Act.CONVOY, sea, region, there)
    convoying = {region for region, order in orders.items() if order.act == Act.CONVOY}
    attacks: list[Order] = []
    for region, unit in units.items():
        targets = [t for t in members(board.region_reach[unit.kind][region]) if t in convoying]
        if region not in orders and targets and rng.random() < 0.4:
            orders[region] = Order(unit.role, Act.MOVE, region, 0, rng.choice(targets))
            attacks.append(orders[region])
    for region, unit in units.items():
        reach = board.region_reach[unit.kind][region]
        helped = [o for o in attacks if reach >> o.destination & 1 and o.zone != region]
        held = [c for c in convoying if reach >> c & 1]
        if region in orders:
            continue
        if helped and rng.random() < 0.7:
            chosen = rng.choice(helped)
            orders[region] = Order(unit.role, Act.SUPPORT_MOVE, region, chosen.zone, chosen.destination)
        elif held:
            orders[region] = Order(unit.role, Act.SUPPORT_HOLD, region, rng.choice(held))
    given = list(orders.values())
    rng.shuffle(given)
    return Situation(units=tuple(units.values())), given
