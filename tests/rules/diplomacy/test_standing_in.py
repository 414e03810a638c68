"""Who is late twice in a row may be replaced; where the table wants it the robot plays until he is back."""

from __future__ import annotations

from random import Random

from tests.rules.diplomacy.test_deadlines import RULES, Table

from tablee.rules.contract import CLOCK, MASTER, SPECTATOR, Alarm, Back, Replace
from tablee.rules.diplomacy.game import Adjudicated, Overdue, Returned, Save, Sealed, StoodIn, Submit
from tablee.rules.diplomacy.model import Act, Order
from tablee.rules.diplomacy.views import ToldStoodIn


def hold(table: Table) -> tuple[Order, ...]:
    """Some unit of role 7 holds."""
    zone = next(unit.zone for unit in table.state.situation.units if unit.role == 7)
    return (Order(7, Act.HOLD, zone),)


def miss(table: Table, *late: int) -> None:
    """A phase that these roles let pass."""
    phase = table.state.advancement
    while table.state.advancement == phase:
        table.submit(*(role for role in owing(table) if role not in late))
        table.ring()


def owing(table: Table) -> list[int]:
    shown = RULES.view(table.state, MASTER)
    return [role for role, each in shown.roles.items() if each.owes and not shown.orders.get(role)]


def test_who_is_late_twice_in_a_row_may_be_replaced_and_his_successor_begins_anew() -> None:
    table = Table()
    miss(table, 7)
    assert RULES.absentees(table.state) == frozenset()
    miss(table, 7)
    assert RULES.absentees(table.state) == {7}
    table.play(7, Replace("Zoé"))
    assert RULES.absentees(table.state) == frozenset()


def test_who_is_in_time_again_is_trusted_again() -> None:
    table = Table()
    miss(table, 7)
    miss(table)
    miss(table, 7)
    assert RULES.absentees(table.state) == frozenset()


def test_the_robot_plays_after_the_grace_and_at_once_in_the_phases_after_it() -> None:
    table = Table(robots_stand_in=True)
    table.submit(1, 2, 3, 4, 5, 6)
    assert isinstance(table.ring()[0], Overdue)
    facts = table.ring()
    stood_in = facts[0]
    assert isinstance(stood_in, StoodIn)
    assert (stood_in.role, len(stood_in.orders)) == (7, 3)
    assert any(isinstance(fact, Adjudicated) for fact in facts)
    assert RULES.view(table.state, SPECTATOR).stood_in == (7,)
    assert RULES.tell(table.state, stood_in, table.state, 1) == ToldStoodIn(7)
    assert RULES.waiting(table.state) == frozenset(range(1, 7))
    for role in range(1, 7):
        table.play(role, Submit(role, (), final=True))
    assert table.state.advancement > 2
    counted = RULES.punctual(table.state, next(fact for fact in facts if isinstance(fact, Adjudicated)))
    assert 7 not in counted


def test_who_is_back_has_his_role_from_the_next_phase_on_or_at_once_by_an_order() -> None:
    for by_order in (False, True):
        table = Table(robots_stand_in=True)
        table.submit(1, 2, 3, 4, 5, 6)
        table.ring()
        table.ring()
        assert table.play(1, Back()) == []
        if by_order:
            assert RULES.legal(table.state, 7).allows(Save(7, hold(table)))
            assert table.play(7, Save(7, hold(table)))[0] == Returned(7, at_once=True)
            assert (table.state.stood_in, table.state.final) == ((), ())
            assert table.state.sealed[7] == hold(table)
            continue
        assert table.play(7, Back()) == [Returned(7, at_once=False)]
        assert table.play(7, Back()) == []
        assert table.state.stood_in == (7,)
        for role in range(1, 7):
            table.play(role, Submit(role, (), final=True))
        assert table.state.stood_in == ()
        assert 7 in RULES.waiting(table.state)


def test_final_orders_of_who_is_back_replace_the_robot_s() -> None:
    table = Table(robots_stand_in=True)
    table.submit(1, 2, 3, 4, 5, 6)
    table.ring()
    table.ring()
    facts = table.play(7, Submit(7, hold(table), final=True))
    assert [type(fact) for fact in facts][:2] == [Returned, Sealed]
    assert table.state.final == (7,)


def test_robots_among_themselves_take_the_time_of_the_table() -> None:
    table = Table(robots_stand_in=True)
    table.ring()
    table.ring()
    assert table.state.stood_in == tuple(range(1, 8))
    phase = table.state.advancement
    assert phase < 5
    table.ring()
    assert phase < table.state.advancement < phase + 5


def test_the_robot_decides_by_the_chance_that_is_passed_in() -> None:
    chosen = set()
    for seed in (1, 1, 2, 3, 4, 5):
        table = Table(robots_stand_in=True)
        table.submit(1, 2, 3, 4, 5, 6)
        table.ring()
        ((name, when),) = RULES.alarms(table.state).items()
        facts = RULES.decide(table.state, CLOCK, Alarm(name), when, Random(seed))
        stood_in = facts[0]
        assert isinstance(stood_in, StoodIn)
        chosen.add((seed, stood_in.orders))
    assert len({seed for seed, _ in chosen}) == len(chosen)
