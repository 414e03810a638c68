"""Why each verdict of a movement phase is so, in parts that a sentence of either language is made of.

Nothing here is computed when a phase is adjudicated: it is adjudicated once more, for whoever asks.

Codes: moved, dislodged-other, swapped; bounced-hold, bounced-defend, bounced-prevent, own-unit; no-chain,
chain-broken, paradox; given, cut, cut-by-dislodging, void-other-order, void-coast; carried, carried-nobody,
disrupted, disrupted-paradox, void-convoy; held, beaten; illegal.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablee.rules.diplomacy.adjudication import settle
from tablee.rules.diplomacy.field import Field
from tablee.rules.diplomacy.model import DATC, Choices, Explanation, Order, Outcome, Situation, Verdict
from tablee.rules.diplomacy.movement import conclude
from tablee.rules.diplomacy.validation import CONVOY, HOLD, MOVE
from tablee.rules.diplomacy.variant import Variant, members

Parts = tuple[str, dict[str, int], dict[str, tuple[Order, ...]]]


def explain(
    variant: Variant, situation: Situation, orders: Sequence[Order], choices: Choices = DATC
) -> tuple[Explanation, ...]:
    """An explanation for each verdict of a movement phase, in their order, implicit holds included."""
    field = Field(variant, situation, orders, choices)
    settle(field)
    verdicts = conclude(field, situation, orders).verdicts
    return tuple(_Reasons(field).explanation(verdict) for verdict in verdicts)


class _Reasons:
    """Strengths on a field where everything is decided."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.role_at = field.ground.role_at

    def explanation(self, verdict: Verdict) -> Explanation:
        if verdict.outcome == Outcome.ILLEGAL:
            # The verdict's own reason says why.
            found: Parts = ("illegal", {}, {})
        else:
            region = self.field.variant.region_of[verdict.order.zone]
            act = self.field.act[region]
            if act == MOVE:
                found = self.move(region)
            elif act == CONVOY:
                found = self.convoy(region, verdict)
            elif act in (0, HOLD):
                found = self.hold(region)
            else:
                found = self.support(region, verdict)
        code, numbers, orders = found
        if verdict.dislodged:
            attacker = self.dislodger(self.field.variant.region_of[verdict.order.zone])
            if attacker:
                orders = {**orders, "dislodged_by": (self.order(attacker),)}
        return Explanation(verdict, code, numbers, orders)

    # --- orders and strengths ---------------------------------------------------------------------------

    def order(self, region: int) -> Order:
        """The order of the unit here; to hold where it has none."""
        given = self.field.order[region]
        return given or Order(self.role_at[region], HOLD, self.field.ground.zone_at[region])

    def helpers(self, region: int, without: int = 0) -> list[int]:
        """Who gives support to the unit here, but for those of one role."""
        field = self.field
        return [
            helper
            for helper in field.supports[region] or ()
            if field.given[helper] and self.role_at[helper] != without
        ]

    def head_on(self, region: int) -> bool:
        """Whether the unit here and the one where it goes move against each other over land or sea."""
        field, goal = self.field, self.field.dest[region]
        return field.dest[goal] == region and not field.by_convoy[region] and not field.by_convoy[goal]

    def attack(self, region: int) -> int:
        field, goal = self.field, self.field.dest[region]
        if not field.path[region]:
            return 0
        victim = self.role_at[goal]
        if not victim or (field.won[goal] and not self.head_on(region)):
            return 1 + len(self.helpers(region))
        return 0 if victim == self.role_at[region] else 1 + len(self.helpers(region, without=victim))

    def prevent(self, region: int) -> int:
        field = self.field
        if not field.path[region] or (self.head_on(region) and field.won[field.dest[region]]):
            return 0
        return 1 + len(self.helpers(region))

    def resistance(self, region: int) -> int:
        """The strength that a unit holds its place with."""
        field = self.field
        if field.act[region] == MOVE:
            return 0 if field.won[region] else 1
        return 1 + len(self.helpers(region))

    def dislodger(self, region: int) -> int:
        field = self.field
        return next((attacker for attacker in field.into[region] or () if field.won[attacker]), 0)

    # --- what is said of each kind of order -------------------------------------------------------------

    def move(self, region: int) -> Parts:
        field, goal = self.field, self.field.dest[region]
        if not field.path[region]:
            return self.unmoved(region)
        attack = self.attack(region)
        supports = tuple(self.order(helper) for helper in self.helpers(region))
        numbers, orders = {"attack": attack}, {"supports": supports}
        if field.won[region]:
            if self.role_at[goal] and not field.won[goal]:
                return "dislodged-other", numbers, {**orders, "against": (self.order(goal),)}
            swapped = self.role_at[goal] and field.dest[goal] == region
            return ("swapped" if swapped else "moved"), numbers, orders
        rivals = [other for other in field.into[goal] or () if other != region]
        strongest = max(rivals, key=self.prevent, default=0)
        prevent = self.prevent(strongest) if strongest else 0
        if self.role_at[goal] and not (field.won[goal] and not self.head_on(region)):
            against = {**orders, "against": (self.order(goal),)}
            if self.head_on(region):
                defend = 1 + len(self.helpers(goal))
                if self.role_at[goal] != self.role_at[region] and attack <= defend >= prevent:
                    return "bounced-defend", {**numbers, "defend": defend}, against
            hold = self.resistance(goal)
            if self.role_at[goal] == self.role_at[region] and not prevent:
                return "own-unit", numbers, against
            if not self.head_on(region) and attack <= hold >= prevent:
                return "bounced-hold", {**numbers, "hold": hold}, against
            if not prevent:
                return "bounced-hold", {**numbers, "hold": hold}, against
        return (
            "bounced-prevent",
            {**numbers, "prevent": prevent},
            {**orders, "against": (self.order(strongest),)},
        )

    def unmoved(self, region: int) -> Parts:
        field = self.field
        fleets = members(field.convoys.get(region, 0))
        if region in field.paradox:
            return "paradox", {}, {"by": tuple(self.order(fleet) for fleet in fleets)}
        sunk = tuple(self.order(fleet) for fleet in fleets if self.dislodger(fleet))
        return ("chain-broken", {}, {"by": sunk}) if sunk else ("no-chain", {}, {})

    def support(self, region: int, verdict: Verdict) -> Parts:
        field = self.field
        helped = field.variant.region_of[verdict.order.passive]
        if verdict.outcome == Outcome.VOID:
            wants = field.variant.region_of[verdict.order.destination]
            coast = field.dest[helped] == wants
            return ("void-coast" if coast else "void-other-order"), {}, {"against": (self.order(helped),)}
        if verdict.outcome == Outcome.SUCCEEDS:
            return "given", {}, {"supports": (self.order(helped),)}
        cutters = [
            attacker
            for attacker in field.into[region] or ()
            if self.role_at[attacker] != self.role_at[region]
            and field.path[attacker]
            and attacker != field.target[region]
        ]
        if cutters:
            return "cut", {}, {"by": tuple(self.order(attacker) for attacker in cutters)}
        return "cut-by-dislodging", {}, {"by": (self.order(self.dislodger(region)),)}

    def convoy(self, region: int, verdict: Verdict) -> Parts:
        field = self.field
        army = field.variant.region_of[verdict.order.passive]
        if verdict.outcome == Outcome.VOID:
            return "void-convoy", {}, {"against": (self.order(army),)}
        if verdict.outcome == Outcome.DISRUPTED:
            attacker = self.dislodger(region)
            if attacker:
                return "disrupted", {}, {"by": (self.order(attacker),)}
            return "disrupted-paradox", {}, {"against": (self.order(army),)}
        carried = field.by_convoy[army] and field.path[army]
        return ("carried" if carried else "carried-nobody"), {}, {"against": (self.order(army),)}

    def hold(self, region: int) -> Parts:
        field = self.field
        supports = tuple(self.order(helper) for helper in self.helpers(region))
        numbers = {"hold": self.resistance(region)}
        attacker = self.dislodger(region)
        if attacker:
            numbers["attack"] = self.attack(attacker)
            return "beaten", numbers, {"supports": supports, "by": (self.order(attacker),)}
        attackers = tuple(self.order(each) for each in field.into[region] or () if field.path[each])
        return "held", numbers, {"supports": supports, "against": attackers}
