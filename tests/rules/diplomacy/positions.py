"""Random positions and orders, rich in conflicts, on any variant."""

from __future__ import annotations

from random import Random

from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import Act, Dislodged, Order, Situation, Unit
from tablee.rules.diplomacy.variant import ARMY, FLEET, LAND, SEA, Board, Variant


def random_situation(variant: Variant, rng: Random, least: int = 2, most: int = 34) -> Situation:
    """Units in regions that lie together, so that they meet, and all centres owned by somebody or nobody."""
    count = min(rng.randint(least, most), variant.regions - 2)
    near = [rng.randint(1, variant.regions)]
    chosen: set[int] = set()
    while len(chosen) < count:
        if not near or rng.random() < 0.05:
            near.append(rng.randint(1, variant.regions))
        region = near.pop(rng.randrange(len(near)))
        if region not in chosen:
            chosen.add(region)
            near.extend(zone for zone in range(1, variant.regions + 1) if variant.near[region] >> zone & 1)
    units = []
    for region in sorted(chosen):
        terrain = variant.terrain[region]
        kind = FLEET if terrain == SEA else ARMY if terrain == LAND else rng.choice((ARMY, ARMY, FLEET))
        coasts = variant.coasts_of[region]
        zone = rng.choice(coasts) if kind == FLEET and coasts else region
        units.append(Unit(rng.randint(1, variant.roles), kind, zone))
    owners = {centre: rng.randint(0, variant.roles) for centre in range(1, len(variant.centres))}
    return Situation({centre: role for centre, role in owners.items() if role}, tuple(units))


def random_orders(variant: Variant, situation: Situation, rng: Random, advancement: int = 0) -> list[Order]:
    """A legal order for most units: many moves, and supports and convoys of what others really do."""
    found: list[Order] = []
    choices = legal_orders(variant, advancement, situation)
    moves: dict[int, int] = {}
    for zone, legal in choices.items():
        ways = [order for order in legal if order.act == Act.MOVE]
        if ways and rng.random() < 0.5:
            by_sea = [order for order in ways if not variant.reach[ARMY][zone] >> order.destination & 1]
            order = rng.choice(by_sea if by_sea and rng.random() < 0.5 else ways)
            moves[zone] = variant.region_of[order.destination]
            found.append(order)
    for zone, legal in choices.items():
        if zone in moves or rng.random() < 0.03:
            continue
        helpful = [
            order
            for order in legal
            if order.passive and moves.get(order.passive, 0) == variant.region_of[order.destination]
        ]
        found.append(rng.choice(helpful if helpful and rng.random() < 0.85 else legal))
    rng.shuffle(found)
    return found


def random_nonsense(variant: Variant, rng: Random) -> Order:
    """An order of any numbers, some of them out of all bounds."""

    def zone() -> int:
        wild = rng.random() < 0.05
        return rng.choice((-3, 0, variant.zones + 1)) if wild else rng.randint(1, variant.zones)

    return Order(
        role=rng.randint(1, variant.roles),
        act=rng.randint(0, 10),
        zone=zone(),
        passive=zone(),
        destination=zone(),
        via_convoy=rng.random() < 0.2,
        kind=rng.choice((0, 0, 0, 1, 2)),
    )


class Mirror:
    """Another numbering of the same board, and what becomes of situations and orders under it."""

    def __init__(self, variant: Variant, regions: list[int]) -> None:
        """`regions` are the old regions in their new order."""
        self.variant = variant
        board = variant.board
        places = {region: place for place, region in enumerate(regions)}
        shores = sorted(
            range(variant.regions + 1, variant.zones + 1), key=lambda zone: places[variant.region_of[zone]]
        )
        old = [*regions, *shores]
        self.zone = {zone: number for number, zone in enumerate(old, 1)} | {0: 0}
        self.centre = {
            centre: number
            for number, centre in enumerate(sorted(range(1, len(variant.centres)), key=self.place), 1)
        }
        self.twin = Variant(
            Board(
                board.name,
                board.names,
                board.year_zero,
                board.coast_codes,
                tuple(board.codes[region - 1] for region in regions),
                tuple(board.names_fr[region - 1] for region in regions),
                tuple(board.names_en[region - 1] for region in regions),
                tuple(board.terrain[region - 1] for region in regions),
                tuple(sorted(self.zone[region] for region in board.centres)),
                tuple((self.zone[variant.region_of[zone]], variant.coast_type[zone]) for zone in shores),
                tuple(tuple(sorted(self.zone[to] for to in variant.army_next[zone])) for zone in old),
                tuple(tuple(sorted(self.zone[to] for to in variant.fleet_next[zone])) for zone in old),
                board.powers,
                tuple(tuple(self.centre[centre] for centre in home) for home in board.home),
                tuple(self.unit(unit) for unit in board.start_units),
            )
        )

    def place(self, centre: int) -> int:
        return self.zone[self.variant.centres[centre]]

    def unit(self, unit: Unit) -> Unit:
        return unit._replace(zone=self.zone[unit.zone])

    def dislodged(self, unit: Dislodged) -> Dislodged:
        return unit._replace(zone=self.zone[unit.zone], origin=self.zone[unit.origin])

    def order(self, order: Order) -> Order:
        return order._replace(
            zone=self.zone[order.zone],
            passive=self.zone[order.passive],
            destination=self.zone[order.destination],
        )

    def situation(self, situation: Situation) -> Situation:
        return Situation(
            {self.centre[centre]: role for centre, role in situation.ownerships.items()},
            tuple(self.unit(unit) for unit in situation.units),
            tuple(self.dislodged(unit) for unit in situation.dislodged),
            (),
            tuple(sorted(self.zone[region] for region in situation.forbiddens)),
        )
