"""How the robot plays: it values places, sends units where they are worth most, and makes them help."""

from __future__ import annotations

from collections import Counter
from random import Random

from tablee.rules.diplomacy.adjustments import balance, free_homes, removal_order
from tablee.rules.diplomacy.model import Act, Order, Season, Situation, Unit
from tablee.rules.diplomacy.retreats import retreat_options
from tablee.rules.diplomacy.variant import ARMY, COAST, FLEET, Variant, members

SPREAD = 0.13
"""How much of a place's worth its neighbours feel at each step; a place has about six."""
STEPS = 12
TAKE_NOW, TAKE_LATER = 40.0, 15.0
"""What it is worth to stand in a foreign centre when centres are counted, and half a year before."""


def orders_of(
    variant: Variant, advancement: int, situation: Situation, role: int, rng: Random
) -> list[Order]:
    """What the robot orders for a role in any phase."""
    season = advancement % 5
    worth = _Worth(variant, situation, role, is_autumn=season == Season.AUTUMN_MOVES)
    if season == Season.ADJUSTMENTS:
        return _adjust(variant, situation, role, worth)
    if season in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS):
        return _retreat(variant, situation, role, worth)
    return _Plan(variant, situation, role, worth, rng).orders()


class _Worth:
    """What it is worth to this role to have a unit of a kind in a zone."""

    def __init__(self, variant: Variant, situation: Situation, role: int, is_autumn: bool) -> None:
        self.variant, self.role = variant, role
        self.threats = [0] * (variant.regions + 1)
        """How many foreign units can go to a region."""
        self.friends = [0] * (variant.regions + 1)
        for unit in situation.units:
            counted = self.friends if unit.role == role else self.threats
            for region in members(variant.region_reach[unit.kind][unit.zone]):
                counted[region] += 1
        self.sizes = Counter(situation.ownerships.values())
        self.here = [0.0] * (variant.regions + 1)
        """What being there is worth at once."""
        base = [0.0] * (variant.regions + 1)
        for centre in range(1, len(variant.centres)):
            region = variant.centres[centre]
            owner = situation.ownerships.get(centre, 0)
            if owner == role:
                home = 2.0 if centre in variant.home[role] else 1.0
                base[region] = 3.0 * self.threats[region] * home
                self.here[region] = 6.0 * min(self.threats[region], 2) * home
            else:
                base[region] = 14.0 if not owner else 10.0 + self.sizes[owner]
                self.here[region] = TAKE_NOW if is_autumn else TAKE_LATER
        self.heat: dict[int, list[float]] = {
            ARMY: self._spread(base, variant.army_next),
            FLEET: self._spread(base, variant.fleet_next),
        }

    def _spread(self, base: list[float], beside: tuple[tuple[int, ...], ...]) -> list[float]:
        region_of = self.variant.region_of
        start = [base[region_of[zone]] if ways else 0.0 for zone, ways in enumerate(beside)]
        heat = start
        for _ in range(STEPS):
            heat = [
                start[zone] + SPREAD * sum(heat[other] for other in ways) for zone, ways in enumerate(beside)
            ]
        return heat

    def of(self, kind: int, zone: int) -> float:
        region = self.variant.region_of[zone]
        return self.heat[kind][zone] + self.here[region]


class _Plan:
    """The orders of one movement phase, made unit by unit, the most eager first."""

    def __init__(self, variant: Variant, situation: Situation, role: int, worth: _Worth, rng: Random) -> None:
        self.variant, self.role, self.worth, self.rng = variant, role, worth, rng
        region_of = variant.region_of
        self.mine = {region_of[unit.zone]: unit for unit in situation.units if unit.role == role}
        self.foreign = {region_of[unit.zone] for unit in situation.units if unit.role != role}
        self.goal: dict[int, int] = {}
        """The zone that a unit goes to, or stays in, by its region."""
        self.taker: dict[int, int] = {}
        """The region of the unit that goes to a region, or stays there."""
        self.helps: dict[int, int] = {}
        """The region of the unit that a unit supports or convoys."""
        self.helped: Counter[int] = Counter()
        self.convoys: set[int] = set()

    def orders(self) -> list[Order]:
        wishes = {region: self.wishes(unit) for region, unit in self.mine.items()}
        for region in sorted(wishes, key=lambda each: -wishes[each][0][0]):
            if region not in self.helps:
                self.settle(region, wishes[region])
        self.undo_collisions()
        self.lend_idle_hands()
        return [self.order(region, unit) for region, unit in self.mine.items()]

    def wishes(self, unit: Unit) -> list[tuple[float, int, int]]:
        """Where the unit could go and what that is worth, best first; with the fleet that would convoy it."""
        variant, worth = self.variant, self.worth
        region = variant.region_of[unit.zone]
        beside = variant.army_next if unit.kind == ARMY else variant.fleet_next
        found = [(worth.of(unit.kind, unit.zone), unit.zone, 0)]
        found += [(self.rated(unit, zone), zone, 0) for zone in beside[unit.zone]]
        if unit.kind == ARMY:
            for sea in members(variant.seas_of[region]):
                fleet = self.mine.get(sea)
                if fleet is None or fleet.kind != FLEET:
                    continue
                for there in members(variant.near[sea] & ~variant.seas):
                    if there != region and there not in beside[region]:
                        found.append((self.rated(unit, there) - 8.0, there, sea))
        return sorted(found, reverse=True)

    def rated(self, unit: Unit, zone: int) -> float:
        region = self.variant.region_of[zone]
        against = self.worth.threats[region] + (2 if region in self.foreign else 0)
        risk = 3.0 * max(0, against - self.worth.friends[region] + 1)
        return self.worth.of(unit.kind, zone) - risk + self.rng.random() * 3.0

    def settle(self, region: int, wishes: list[tuple[float, int, int]]) -> None:
        for _, zone, fleet in wishes:
            there = self.variant.region_of[zone]
            taker = self.taker.get(there)
            if taker is None:
                if fleet and (fleet in self.helps or fleet in self.goal):
                    continue
                self.goal[region] = zone
                self.taker[there] = region
                if fleet:
                    self.helps[fleet] = region
                    self.convoys.add(fleet)
                return
            if not fleet and self.wants_help(there):
                self.helps[region] = taker
                self.helped[there] += 1
                return
        self.goal[region] = self.mine[region].zone

    def wants_help(self, region: int) -> bool:
        """Whether what is planned in a region can fail for want of one more support."""
        against = self.worth.threats[region] + (region in self.foreign)
        return self.helped[region] < min(against, 3)

    def stays(self, region: int) -> bool:
        return region in self.helps or self.variant.region_of[self.goal[region]] == region

    def undo_collisions(self) -> None:
        """Nobody moves to where a unit of one's own stays."""
        again = True
        while again:
            again = False
            for region in self.mine:
                if self.stays(region):
                    continue
                there = self.variant.region_of[self.goal[region]]
                if there in self.mine and self.stays(there):
                    self.goal[region] = self.mine[region].zone
                    again = True

    def lend_idle_hands(self) -> None:
        """Who stays where it matters little supports a neighbour who can use it."""
        variant = self.variant
        for region, unit in self.mine.items():
            if region in self.helps or not self.stays(region):
                continue
            reach = variant.region_reach[unit.kind][unit.zone]
            wanting = [
                (self.worth.here[there], there)
                for there in members(reach)
                if self.taker.get(there, region) != region and self.wants_help(there)
            ]
            if wanting:
                _, there = max(wanting)
                self.helps[region] = self.taker[there]
                self.helped[there] += 1

    def order(self, region: int, unit: Unit) -> Order:
        if region not in self.helps:
            if self.stays(region):
                return Order(self.role, Act.HOLD, unit.zone)
            return Order(self.role, Act.MOVE, unit.zone, destination=self.goal[region])
        other = self.helps[region]
        stands = self.mine[other].zone
        if self.stays(other):
            if region not in self.convoys and self.within_reach(unit, other):
                return Order(self.role, Act.SUPPORT_HOLD, unit.zone, stands)
            return Order(self.role, Act.HOLD, unit.zone)
        there = self.variant.region_of[self.goal[other]]
        if region in self.convoys:
            return Order(self.role, Act.CONVOY, unit.zone, stands, there)
        return Order(self.role, Act.SUPPORT_MOVE, unit.zone, stands, there)

    def within_reach(self, unit: Unit, region: int) -> bool:
        return bool(self.variant.region_reach[unit.kind][unit.zone] >> region & 1)


def _retreat(variant: Variant, situation: Situation, role: int, worth: _Worth) -> list[Order]:
    found: list[Order] = []
    taken: set[int] = set()
    for unit in situation.dislodged:
        if unit.role != role:
            continue
        ways = [
            zone for zone in retreat_options(variant, situation, unit) if variant.region_of[zone] not in taken
        ]
        if not ways:
            found.append(Order(role, Act.DISBAND, unit.zone))
            continue
        best = max(ways, key=lambda zone: worth.of(unit.kind, zone))
        taken.add(variant.region_of[best])
        found.append(Order(role, Act.RETREAT, unit.zone, destination=best))
    return found


def _adjust(variant: Variant, situation: Situation, role: int, worth: _Worth) -> list[Order]:
    number = balance(variant, situation)[role]
    if number < 0:
        gone = sorted(
            removal_order(variant, situation, role), key=lambda unit: worth.of(unit.kind, unit.zone)
        )
        return [Order(role, Act.REMOVE, unit.zone) for unit in gone[:-number]]
    kinds = Counter(unit.kind for unit in situation.units if unit.role == role)
    found: list[Order] = []
    homes = free_homes(variant, situation, role)
    while homes and len(found) < number:
        choices = []
        for region in homes:
            choices.append((worth.heat[ARMY][region] / (2 + kinds[ARMY]), ARMY, region))
            if variant.terrain[region] == COAST:
                choices += [
                    (worth.heat[FLEET][zone] / (2 + kinds[FLEET]), FLEET, zone)
                    for zone in variant.coasts_of[region] or (region,)
                ]
        _, kind, zone = max(choices)
        kinds[kind] += 1
        homes.remove(variant.region_of[zone])
        found.append(Order(role, Act.BUILD, zone, kind=kind))
    return found
