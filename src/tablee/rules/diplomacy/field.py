"""The orders of a movement phase laid out on the board: which are legal, and which belong together.

Everything is a list by region, since a region has one unit and a unit one order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablee.rules.diplomacy.convoys import joined
from tablee.rules.diplomacy.model import DATC, Choices, Order, Situation
from tablee.rules.diplomacy.validation import (
    HOLD,
    MOVE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    Ground,
    landing,
    movement_fault,
    possession_fault,
)
from tablee.rules.diplomacy.variant import ARMY, Variant

UNKNOWN = -1
Fault = tuple[str, Mapping[str, int]]


class Field:
    """Orders laid out. `won`, `given` and `path` are filled by the adjudication."""

    __slots__ = (
        "act",
        "by_convoy",
        "choices",
        "convoying",
        "convoys",
        "dest",
        "given",
        "ground",
        "into",
        "landing",
        "movers",
        "order",
        "paradox",
        "path",
        "rejected",
        "supporting",
        "supports",
        "target",
        "variant",
        "won",
    )

    def __init__(
        self, variant: Variant, situation: Situation, orders: Sequence[Order], choices: Choices = DATC
    ) -> None:
        size = variant.regions + 1
        self.variant = variant
        self.choices = choices
        self.ground = ground = Ground(variant, situation.units)
        region_of, count, zones = variant.region_of, variant.regions, variant.zones
        role_at, kind_at, zone_at = ground.role_at, ground.kind_at, ground.zone_at
        goes_at, near_at = ground.goes_at, ground.near_at

        self.order: list[Order | None] = [None] * size
        """The legal order that a unit follows."""
        self.act = acts = [0] * size
        """Of that order; 0 where there is none, and the unit holds."""
        self.rejected: dict[int, Fault] = {}
        """Why an order is not followed, by its number among the orders given."""
        self.dest = dest = [0] * size
        """The region a unit moves to."""
        self.landing = landings = [0] * size
        """The zone a unit moves to."""
        self.into: list[list[int] | None] = [None] * size
        """Whence units move here."""
        self.path = [1] * size
        """Whether a moving unit has its way: 1 yes, 0 no, −1 not known yet."""
        self.by_convoy = by_convoy = [False] * size
        self.supports: list[list[int] | None] = [None] * size
        """Where the units stand that support the unit here in what it does."""
        self.target = target = [0] * size
        """The region a support is given into: an attack from there cuts it only by dislodging."""
        self.convoys: dict[int, int] = {}
        """The fleets that convoy an army, by where it stands."""
        self.given = [0] * size
        """Whether a support counts: 1 yes, 0 no, −1 not known yet."""
        self.won = [0] * size
        """Whether a move succeeds: 1 yes, 0 no, −1 not known yet."""
        self.paradox: set[int] = set()
        """Armies whose convoy Szykman's rule stopped."""
        self.movers: list[int] = []
        movers = self.movers
        self.supporting: list[int] = []
        """Where the units stand whose support matches what the other does."""
        self.convoying: list[int] = []
        """Where the fleets stand whose convoy matches what the army does."""
        sailing: list[int] = []
        supporting: list[tuple[int, int, int, int, int]] = []
        convoying: list[int] = []
        into, rejected, by_region = self.into, self.rejected, self.order
        torn: set[int] = set()

        for number, order in enumerate(orders):
            role, act, zone, passive, destination, via_convoy, kind = order
            if not 0 < zone <= zones:
                rejected[number] = "no-such-zone", {"number": zone}
                continue
            region = region_of[zone]
            if role_at[region] != role or not role or (kind and kind_at[region] != kind):
                fault = possession_fault(variant, ground, order)
                assert fault is not None
                rejected[number] = fault
                continue
            if acts[region]:
                fault = movement_fault(variant, ground, order, choices)
                if fault:
                    rejected[number] = fault
                elif order[:6] != by_region[region][:6]:  # type: ignore[index]
                    torn.add(region)
                continue
            # What most orders are is accepted here at a glance; `movement_fault` is asked about the rest.
            if act == MOVE:
                if via_convoy or destination not in goes_at[region]:
                    fault = movement_fault(variant, ground, order, choices)
                    if fault:
                        rejected[number] = fault
                        continue
                    if kind_at[region] == ARMY:
                        by_convoy[region] = True
                        sailing.append(region)
                    else:
                        destination = landing(variant, zone_at[region], destination)
                acts[region] = MOVE
                by_region[region] = order
                landings[region] = destination
                dest[region] = destination = region_of[destination]
                movers.append(region)
                attackers = into[destination]
                if attackers is None:
                    into[destination] = [region]
                else:
                    attackers.append(region)
                continue
            if act == SUPPORT_MOVE:
                helped = region_of[passive] if 0 < passive <= zones else 0
                if (
                    destination not in near_at[region]
                    or destination not in near_at[helped]
                    or helped == region
                ):
                    fault = movement_fault(variant, ground, order, choices)
                    if fault:
                        rejected[number] = fault
                        continue
                supporting.append((region, helped, region_of[destination], passive, destination))
            elif act == SUPPORT_HOLD:
                helped = region_of[passive] if 0 < passive <= zones else 0
                if helped not in near_at[region] or not role_at[helped]:
                    fault = movement_fault(variant, ground, order, choices)
                    if fault:
                        rejected[number] = fault
                        continue
                supporting.append((region, helped, 0, passive, 0))
            elif act != HOLD:
                fault = movement_fault(variant, ground, order, choices)
                if fault:
                    rejected[number] = fault
                    continue
                convoying.append(region)
            acts[region] = act
            by_region[region] = order

        if torn:
            for region in torn:
                self._forget(region)
            sailing = [region for region in sailing if region not in torn]
            convoying = [region for region in convoying if region not in torn]
            supporting = [each for each in supporting if each[0] not in torn]
            for number, order in enumerate(orders):
                if number not in rejected and region_of[order.zone] in torn:
                    rejected[number] = "several-orders", {}

        supports, matching = self.supports, self.supporting
        careful = choices.wrong_coast == "void"
        for region, helped, goal, passive, destination in supporting:
            # A support matches the move it names, or any unit that does not move.
            if dest[helped] != goal:
                continue
            if careful and (passive > count or destination > count):
                if passive > count and passive != zone_at[helped]:
                    continue
                if destination > count and destination != landings[helped]:
                    continue
            target[region] = goal or helped
            matching.append(region)
            helpers = supports[helped]
            if helpers is None:
                supports[helped] = [region]
            else:
                helpers.append(region)
        if convoying or sailing:
            self._join_convoys(convoying, sailing)

    def addressed(self, order: Order) -> int:
        """The region of the unit that an order speaks to, where it stands and is of its giver's; else 0."""
        if not 0 < order.zone <= self.variant.zones or not order.role:
            return 0
        region: int = self.variant.region_of[order.zone]
        own = self.ground.role_at[region] == order.role
        return region if own and order.kind in (0, self.ground.kind_at[region]) else 0

    def _forget(self, region: int) -> None:
        """A unit with several legal orders that differ follows none of them (DATC 4.D.3 c)."""
        goal = self.dest[region]
        if goal:
            self.movers.remove(region)
            self.into[goal] = [each for each in self.into[goal] or () if each != region] or None
        self.order[region] = None
        self.act[region] = self.dest[region] = self.landing[region] = 0
        self.by_convoy[region] = False

    def _join_convoys(self, convoying: list[int], sailing: list[int]) -> None:
        """Which armies go by convoy (DATC 4.A.3), and whether a chain was ordered for them."""
        variant, role_at, by_convoy = self.variant, self.ground.role_at, self.by_convoy
        willing: list[int] = []
        for region in convoying:
            order = self.order[region]
            assert order is not None
            army = variant.region_of[order.passive]
            if self.dest[army] == order.destination:
                self.convoying.append(region)
                self.convoys[army] = self.convoys.get(army, 0) | 1 << region
                if not by_convoy[army] and role_at[region] == role_at[army]:
                    willing.append(army)
        for army in sailing:
            if not joined(variant, self.convoys.get(army, 0), army, self.dest[army]):
                self.path[army] = 0
        for army in willing:
            if joined(variant, self.convoys[army], army, self.dest[army]):
                by_convoy[army] = True
