"""Orders that are no good: given twice, for nobody, by nobody, by another."""

from __future__ import annotations

import pytest
from tests.rules.diplomacy.cases import STANDARD, ZONES, situation

from tablee.rules.diplomacy.explanation import explain
from tablee.rules.diplomacy.model import Act, Dislodged, Order, Outcome, Situation, Unit, Verdict
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.validation import check

FRANCE, GERMANY = 2, 3
PAR, BUR, PIC, LON, MUN = (ZONES[code] for code in ("PAR", "BUR", "PIC", "LON", "MUN"))
ALONE = Situation(units=(Unit(FRANCE, 1, PAR),))


def move(zone: int, to: int, role: int = FRANCE) -> Order:
    return Order(role, Act.MOVE, zone, 0, to)


def verdicts(before: Situation, *orders: Order, phase: int = 0) -> list[tuple[str, str]]:
    """Outcome and reason of each."""
    found = resolve(STANDARD, phase, before, orders).verdicts
    return [(verdict.outcome.value, verdict.reason.code if verdict.reason else "") for verdict in found]


@pytest.mark.parametrize("role", [0, -1, 8, 99])
def test_an_order_of_nobody_moves_nothing(role: int) -> None:
    order = move(PIC, BUR, role)
    found = resolve(STANDARD, 0, ALONE, [order])
    assert found.situation.units == ALONE.units
    assert found.verdicts[0].outcome == Outcome.ILLEGAL
    reason = check(STANDARD, 0, ALONE, order)
    assert reason is not None
    assert reason == found.verdicts[0].reason
    assert reason.code == "no-such-role"


def test_an_order_for_an_empty_region_moves_nothing() -> None:
    assert verdicts(ALONE, move(PIC, BUR)) == [("illegal", "nobody-there"), ("succeeds", "")]


def test_an_illegal_order_does_not_stand_in_the_way_of_a_legal_one() -> None:
    for orders in ((move(PAR, LON), move(PAR, BUR)), (move(PAR, BUR), move(PAR, LON))):
        found = resolve(STANDARD, 0, ALONE, orders)
        assert found.situation.units == (Unit(FRANCE, 1, BUR),)
        assert [(v.order.destination, v.outcome.value) for v in found.verdicts] == [
            (order.destination, "succeeds" if order.destination == BUR else "illegal") for order in orders
        ]


def test_two_different_legal_orders_make_a_unit_hold_and_it_may_be_supported_there() -> None:
    case = {"phase": "movement", "units": ["F A PAR", "F A BRE", "G A BUR", "G A PIC"]}
    orders = [
        move(PAR, BUR),
        Order(FRANCE, Act.SUPPORT_HOLD, ZONES["BRE"], PAR),
        move(BUR, PAR, GERMANY),
        Order(GERMANY, Act.SUPPORT_MOVE, PIC, BUR, PAR),
        Order(FRANCE, Act.SUPPORT_HOLD, PAR, BUR),
    ]
    found = resolve(STANDARD, 0, situation(case), orders)
    assert {verdict.order: verdict.outcome.value for verdict in found.verdicts} == {
        orders[0]: "illegal",
        orders[1]: "succeeds",
        orders[2]: "bounces",
        orders[3]: "succeeds",
        orders[4]: "illegal",
    }
    assert {verdict.reason.code for verdict in found.verdicts if verdict.reason} == {"several-orders"}


def test_a_convoy_and_a_support_are_forgotten_like_a_move() -> None:
    case = {"phase": "movement", "units": ["E A LON", "E F NTH", "E F ENG"]}
    fleets = ("NTH", "ENG")
    convoys = [Order(1, Act.CONVOY, ZONES[sea], LON, ZONES["BEL"]) for sea in fleets]
    sails = Order(1, Act.MOVE, LON, 0, ZONES["BEL"])
    torn = [Order(1, Act.HOLD, ZONES[sea]) for sea in fleets]
    assert verdicts(situation(case), sails, convoys[0], torn[0])[0] == ("no-convoy", "")
    assert verdicts(situation(case), sails, *convoys, torn[0])[0] == ("succeeds", "")
    both = [sails, Order(1, Act.HOLD, LON), *convoys]
    assert verdicts(situation(case), *both)[2:] == [("void", ""), ("void", "")]


def test_the_same_order_twice_is_followed_and_other_units_hold_by_default() -> None:
    before = Situation(units=(*ALONE.units, Unit(GERMANY, 1, MUN)))
    found = resolve(STANDARD, 0, before, [move(PAR, BUR), move(PAR, BUR)._replace(kind=1)])
    assert Unit(FRANCE, 1, BUR) in found.situation.units
    assert [(v.outcome.value, v.by_default) for v in found.verdicts] == [
        ("succeeds", False),
        ("succeeds", False),
        ("succeeds", True),
    ]


def test_a_dislodged_unit_with_an_illegal_and_a_legal_order_retreats() -> None:
    before = Situation(units=(Unit(GERMANY, 1, PAR),), dislodged=(Dislodged(FRANCE, 1, PAR, origin=BUR),))
    wrong, right, other = (Order(FRANCE, Act.RETREAT, PAR, 0, to) for to in (BUR, PIC, ZONES["GAS"]))
    for orders in ((wrong, right), (right, wrong), (right, right)):
        found = resolve(STANDARD, 1, before, orders)
        assert Unit(FRANCE, 1, PIC) in found.situation.units
        assert not found.destroyed
        assert not any(verdict.disbanded for verdict in found.verdicts)
    found = resolve(STANDARD, 1, before, (right, other))
    assert found.destroyed == (Unit(FRANCE, 1, PAR),)
    assert {verdict.reason.code for verdict in found.verdicts if verdict.reason} == {"several-orders"}


def test_whoever_is_attacked_beside_an_illegal_order_is_explained_as_holding() -> None:
    case = {"phase": "movement", "units": ["F A PAR", "G A BUR"]}
    orders = [move(PAR, LON), move(BUR, PAR, GERMANY)]
    _, bounced = explain(STANDARD, situation(case), orders)
    assert bounced.orders["against"] == (Order(FRANCE, Act.HOLD, PAR),)


def test_every_unit_without_a_legal_order_has_one_verdict_at_least() -> None:
    found = resolve(STANDARD, 0, ALONE, [move(PAR, LON), move(PAR, LON)])
    assert [verdict.outcome for verdict in found.verdicts] == [Outcome.ILLEGAL] * 2
    assert not any(verdict.by_default for verdict in found.verdicts)
    assert isinstance(found.verdicts[0], Verdict)
