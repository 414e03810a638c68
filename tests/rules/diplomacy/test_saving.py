"""What is entered counts: orders saved as they are written, the deadline, the grace, who is told of it."""

from __future__ import annotations

import msgspec
import pytest
from tests.rules.diplomacy.test_deadlines import NOON, RULES, ZONE, Table

from tablee.rules.calendar import HOUR
from tablee.rules.contract import CLOCK, MASTER, SPECTATOR, Fact
from tablee.rules.diplomacy.game import (
    Adjudicate,
    Adjudicated,
    DiplomacyState,
    Disordered,
    ImposeDisorder,
    Overdue,
    Reconsider,
    Reconsidered,
    Save,
    Saved,
    SetPosition,
    Submit,
)
from tablee.rules.diplomacy.model import Act, Order, Situation
from tablee.rules.diplomacy.variant import load_variant

PARIS = Order(2, Act.MOVE, ZONE["par"], 0, ZONE["bur"])
BREST = Order(2, Act.MOVE, ZONE["bre"], 0, ZONE["mid"])
ANKARA = Order(7, Act.MOVE, ZONE["ank"], 0, ZONE["arm"])
SMYRNA = Order(7, Act.HOLD, ZONE["smy"])


def test_one_saved_order_counts_at_the_deadline_and_the_other_units_hold() -> None:
    table = Table()
    table.submit(1, 3, 4, 5, 6, 7)
    assert table.play(2, Save(2, (PARIS,))) == [Saved(2, (PARIS,), 2)]
    found = table.ring()
    resolved = found[0]
    assert isinstance(resolved, Adjudicated)
    french = {verdict.order.zone: verdict for verdict in resolved.verdicts if verdict.order.role == 2}
    assert french[ZONE["par"]].order == PARIS
    assert french[ZONE["mar"]].by_default


def test_saved_orders_follow_each_change_and_none_is_as_if_nothing_was_written() -> None:
    table = Table()
    table.play(2, Save(2, (PARIS,)))
    assert table.play(2, Save(2, (PARIS,))) == []
    table.play(2, Save(2, (PARIS, BREST)))
    assert RULES.view(table.state, 2).orders == {2: (PARIS, BREST)}
    assert table.play(2, Save(2, ())) == [Saved(2, (), 2)]
    assert table.play(2, Save(2, ())) == []
    assert table.state.sealed == {}
    table.submit(1, 3, 4, 5, 6, 7)
    assert table.ring() == [Overdue((2,), table.at)]


def test_whoever_says_that_all_the_rest_has_its_default_is_in_without_an_order() -> None:
    table = Table()
    table.submit(*range(1, 8))
    assert table.state.sealed[2] == ()
    assert isinstance(table.ring()[0], Adjudicated)


def test_only_final_orders_resolve_a_phase_before_its_deadline() -> None:
    table = Table()
    for role in range(1, 8):
        zone = next(unit.zone for unit in table.state.situation.units if unit.role == role)
        table.play(role, Save(role, (Order(role, Act.HOLD, zone),)))
    assert table.state.advancement == 0
    for role in range(1, 7):
        table.play(role, Submit(role, table.state.sealed[role], final=True))
    assert table.refuses(2, Save(2, (PARIS,))) == "final"
    assert table.state.advancement == 0
    table.play(7, Submit(7, table.state.sealed[7], final=True))
    assert table.state.advancement == 2


def test_a_late_role_writes_in_its_grace_without_being_cut_short() -> None:
    table = Table(grace=24)
    table.submit(1, 2, 3, 4, 5, 6)
    table.ring()
    assert table.play(7, Save(7, (ANKARA,))) == [Saved(7, (ANKARA,), 7)]
    assert table.state.advancement == 0
    assert RULES.view(table.state, 7).writing == (7,)
    assert RULES.view(table.state, 1).writing == ()
    table.play(7, Save(7, (ANKARA, SMYRNA)))
    assert table.state.advancement == 0
    facts = table.play(7, Submit(7, (ANKARA, SMYRNA)))
    assert isinstance(facts[1], Adjudicated)


def test_what_a_late_role_has_written_when_its_grace_is_over_counts() -> None:
    table = Table(grace=24)
    table.submit(1, 2, 3, 4, 5)
    assert table.ring() == [Overdue((6, 7), table.at)]
    table.play(7, Save(7, (ANKARA,)))
    facts = table.ring()
    assert facts[0] == Disordered((6,), CLOCK)
    resolved = facts[1]
    assert isinstance(resolved, Adjudicated)
    assert ANKARA in [verdict.order for verdict in resolved.verdicts]


def test_where_the_game_waits_after_the_grace_a_late_role_is_waited_for_until_it_says_that_is_all() -> None:
    table = Table(disorder_moves=False)
    table.submit(1, 2, 3, 4, 5, 6)
    table.ring()
    table.ring()
    table.play(7, Save(7, (ANKARA,)))
    assert (table.state.advancement, table.state.writing) == (0, (7,))
    table.play(7, Submit(7, (ANKARA,), final=True))
    assert table.state.advancement == 2


def test_a_master_may_resolve_a_phase_in_which_all_have_saved_something() -> None:
    table = Table()
    table.submit(1, 2, 3, 4, 5, 6)
    table.ring()
    table.play(7, Save(7, (ANKARA,)))
    table.play(MASTER, Adjudicate())
    assert table.state.advancement == 2


def test_saved_orders_end_an_imposed_disorder_and_are_the_player_s_own() -> None:
    table = Table()
    table.play(MASTER, ImposeDisorder(2))
    table.play(2, Save(2, (PARIS,)))
    assert table.state.disorder == ()
    table.play(MASTER, Submit(2, (BREST,)))
    assert table.state.corrected == (2,)
    table.play(2, Save(2, (PARIS,)))
    assert table.state.corrected == ()
    assert table.refuses(MASTER, Save(2, (PARIS,))) == "not_a_player"
    assert table.refuses(1, Save(2, (PARIS,))) == "not_your_role"
    assert table.refuses(2, Save(2, (PARIS,), meant_for=3)) == "phase_gone"
    illegal = Order(2, Act.MOVE, ZONE["par"], 0, ZONE["lon"])
    assert table.refuses(2, Save(2, (illegal,))) == "order-not-adjacent"


def test_removals_may_be_saved_one_by_one() -> None:
    start = load_variant("standard").start()
    table = Table()
    owned = {centre: role for centre, role in start.ownerships.items() if role != 2}
    table.play(
        MASTER, SetPosition(Situation({**owned, **dict.fromkeys(_french(start)[:1], 2)}, start.units), 4)
    )
    one = Order(2, Act.REMOVE, ZONE["par"])
    table.play(2, Save(2, (one,)))
    assert table.state.sealed == {2: (one,)}


def _french(start: Situation) -> list[int]:
    return [centre for centre, role in start.ownerships.items() if role == 2]


@pytest.mark.parametrize("late", [False, True])
def test_of_what_is_saved_nobody_hears_but_its_seat_and_the_master(late: bool) -> None:
    table = Table()
    if late:
        table.submit(1, 3, 4, 5, 6, 7)
        table.ring()
    before = table.state
    (saved,) = table.play(2, Save(2, (PARIS,)))
    for seat in (1, *range(3, 8), SPECTATOR):
        assert RULES.tell(before, saved, table.state, seat) is None
        assert msgspec.json.encode(RULES.view(before, seat)) == msgspec.json.encode(
            RULES.view(table.state, seat)
        )
        assert RULES.legal(before, seat).describe() == RULES.legal(table.state, seat).describe()
    assert RULES.waiting(before) == RULES.waiting(table.state)
    assert RULES.alarms(before) == RULES.alarms(table.state)
    for seat in (2, MASTER):
        assert RULES.tell(before, saved, table.state, seat) == saved


def test_who_said_final_takes_it_back_while_the_phase_lasts_and_changes_his_orders() -> None:
    table = Table()
    table.submit(1, 3, 4, 5, 6, 7)
    table.play(2, Submit(2, (PARIS,), final=True))
    assert RULES.legal(table.state, 2).describe()["reconsider"] == {"2": {}}
    assert table.play(2, Reconsider(2, meant_for=0)) == [Reconsidered(2)]
    assert RULES.view(table.state, 2).roles[2].is_in is False
    assert table.state.sealed[2] == (PARIS,)
    assert "reconsider" not in RULES.legal(table.state, 2).describe()
    table.play(2, Save(2, (BREST,)))
    table.play(2, Submit(2, (BREST,), final=True))
    assert table.play(2, Reconsider(2)) == [Reconsidered(2)]
    assert isinstance(table.ring()[0], Adjudicated)
    assert table.state.reconsidered == ()


def test_only_who_plays_a_role_takes_its_final_orders_back_and_only_what_is_final_in_this_phase() -> None:
    table = Table()
    assert table.refuses(2, Reconsider(2)) == "not_final"
    table.play(2, Submit(2, (PARIS,), final=True))
    assert table.refuses(1, Reconsider(2)) == "not_your_role"
    assert table.refuses(MASTER, Reconsider(2)) == "not_a_player"
    assert table.refuses(SPECTATOR, Reconsider(2)) == "not_a_player"
    assert table.refuses(2, Reconsider(2, meant_for=1)) == "phase_gone"
    assert table.refuses(2, Reconsider(99)) == "not_your_role"


@pytest.mark.parametrize("shown", [False, True])
def test_of_orders_taken_back_others_hear_only_where_all_see_who_is_final(shown: bool) -> None:
    table = Table(show_in=shown)
    table.play(2, Submit(2, (PARIS,), final=True))
    before = table.state
    (fact,) = table.play(2, Reconsider(2))
    for seat in (1, *range(3, 8), SPECTATOR):
        assert RULES.tell(before, fact, table.state, seat) == (fact if shown else None)
        seen = msgspec.json.encode(RULES.view(table.state, seat))
        assert (seen != msgspec.json.encode(RULES.view(before, seat))) is shown
    for seat in (2, MASTER):
        assert RULES.tell(before, fact, table.state, seat) == fact
    assert 2 in RULES.waiting(table.state)


def test_where_all_see_who_is_final_nobody_gets_a_fresh_clock_twice_in_a_phase() -> None:
    table = Table(show_in=True)
    table.play(2, Submit(2, (PARIS,), final=True))
    table.play(2, Reconsider(2))
    table.play(2, Submit(2, (PARIS,), final=True))
    assert table.refuses(2, Reconsider(2)) == "reconsidered_already"
    assert "reconsider" not in RULES.legal(table.state, 2).describe()


def test_a_late_role_that_takes_its_orders_back_is_waited_for_until_its_grace_is_over() -> None:
    table = Table(grace=24)
    table.submit(1, 2, 3, 4, 5)
    table.ring()
    table.play(7, Submit(7, (ANKARA,), final=True))
    table.play(7, Reconsider(7))
    assert table.state.writing == (7,)
    table.submit(6)
    assert table.state.advancement == 0
    assert any(isinstance(fact, Adjudicated) for fact in table.ring())


def test_after_the_grace_nobody_waits_for_who_takes_his_orders_back() -> None:
    table = Table(disorder_moves=False)
    table.submit(1, 2, 3, 4, 5)
    table.ring()
    table.play(7, Submit(7, (ANKARA,), final=True))
    table.ring()
    table.play(7, Reconsider(7))
    assert table.state.writing == ()
    table.submit(6)
    assert table.state.advancement == 2


def test_what_the_robot_gave_for_somebody_is_not_his_to_take_back() -> None:
    table = Table(robots_stand_in=True)
    table.submit(1, 2, 3, 4, 5, 6)
    table.ring()
    table.ring()
    assert table.state.stood_in == (7,)
    assert table.refuses(7, Reconsider(7)) == "not_final"


def test_a_reminder_goes_to_roles_that_are_not_in() -> None:
    table = Table(at=NOON)
    table.submit(1, 3, 4, 5, 6)
    table.play(2, Save(2, (PARIS,)))
    owed = RULES.owed(table.state)
    assert owed is not None
    assert owed.roles == (7,)
    assert owed.by == table.state.deadline > NOON + HOUR


def test_saved_orders_are_in_the_log_and_read_back() -> None:
    table = Table()
    (saved,) = table.play(2, Save(2, (PARIS,)))
    again: Fact = msgspec.json.decode(msgspec.json.encode(saved), type=RULES.fact_type)
    assert again == saved
    kept = msgspec.json.decode(msgspec.json.encode(table.state), type=DiplomacyState)
    assert kept == table.state
