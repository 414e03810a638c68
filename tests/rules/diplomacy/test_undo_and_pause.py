"""What a master takes back, and the time that stands still while he has paused the game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tablee.rules.calendar import DAY, EVENING, HOUR
from tablee.rules.contract import CLOCK, MASTER, Action, Alarm, Illegal, Leave, TimeGivenBack
from tablee.rules.diplomacy.game import (
    Adjudicate,
    ChangeOptions,
    DiplomacyOptions,
    DiplomacyState,
    ImposeDisorder,
    Pause,
    Resume,
    SetDeadline,
    SetPosition,
    Stop,
    Submit,
    Undo,
)
from tablee.rules.diplomacy.model import Act, Order
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.views import ToldUndone

MINUTE = 60_000
RULES = DiplomacyRules("lagune")


class Table:
    """A game of three with a master, and the moment that it is there."""

    def __init__(self, **options: Any) -> None:
        self.at = 10 * DAY
        self.state: Any = None
        chosen = DiplomacyOptions(deal=(1, 2, 3), **options)
        self._evolve(RULES.setup(chosen, (1, 2, 3), self.at, Random(1)))

    def play(self, seat: int, action: Action, after: int = 1_000) -> list[str]:
        self.at += after
        facts = RULES.decide(self.state, seat, action, self.at, Random(1))
        self._evolve(facts)
        return [type(fact).__name__ for fact in facts]

    def refused(self, seat: int, action: Action) -> str:
        with pytest.raises(Illegal) as refusal:
            RULES.decide(self.state, seat, action, self.at, Random(1))
        return refusal.value.code

    def _evolve(self, facts: Any) -> None:
        for fact in facts:
            self.state = RULES.evolve(self.state, fact)

    def orders(self, role: int) -> tuple[Order, ...]:
        return tuple(
            Order(role, Act.HOLD, unit.zone) for unit in self.state.situation.units if unit.role == role
        )

    def legal(self, seat: int) -> Any:
        return RULES.legal(self.state, seat).describe()


def test_an_adjudication_is_taken_back_with_its_orders_and_resolved_again() -> None:
    table = Table()
    for seat in (1, 2):
        table.play(seat, Submit(seat, table.orders(seat)))
    before: DiplomacyState = table.state
    table.play(MASTER, Adjudicate(civil_disorder=True))
    assert table.state.advancement == 2, "with the retreats that nobody had"
    assert RULES.view(table.state, 1).may_undo
    assert "undo" in table.legal(MASTER)
    assert "undo" not in table.legal(1)
    assert table.play(MASTER, Undo()) == ["Undone"]
    after: DiplomacyState = table.state
    assert (after.advancement, after.situation, after.sealed) == (0, before.situation, before.sealed)
    assert (after.last, after.earlier, after.final) == (None, (), ())
    assert table.refused(MASTER, Undo()) == "nothing_to_undo"
    assert "undo" not in table.legal(MASTER)
    table.play(MASTER, Submit(3, table.orders(3)))
    table.play(MASTER, Adjudicate())
    assert table.state.advancement == 2


def test_what_final_orders_resolved_waits_again_after_it_was_taken_back() -> None:
    table = Table()
    for seat in (1, 2, 3):
        table.play(seat, Submit(seat, table.orders(seat), final=True))
    assert table.state.advancement == 2
    table.play(MASTER, Undo())
    assert (table.state.advancement, table.state.final) == (0, ())
    assert sorted(table.state.sealed) == [1, 2, 3]
    assert table.play(1, Submit(1, (), final=True)) == ["Sealed", "CameIn"]


def test_who_has_left_since_has_no_orders_left_either() -> None:
    table = Table()
    for seat in (1, 2, 3):
        table.play(seat, Submit(seat, table.orders(seat), final=True))
    table.play(3, Leave())
    table.play(MASTER, Undo())
    assert sorted(table.state.sealed) == [1, 2]


@pytest.mark.parametrize("seat", [1, CLOCK, -2])
@pytest.mark.parametrize("action", [Undo(), Pause(), Resume()])
def test_only_the_master_takes_back_and_pauses(seat: int, action: Action) -> None:
    assert Table().refused(seat, action) == "master_only"


def test_there_is_nothing_to_take_back_at_the_start_after_a_position_and_after_the_end() -> None:
    table = Table()
    assert table.refused(MASTER, Undo()) == "nothing_to_undo"
    table.play(MASTER, Adjudicate(civil_disorder=True))
    table.play(MASTER, SetPosition(table.state.situation, 2))
    assert table.refused(MASTER, Undo()) == "nothing_to_undo"
    table.play(MASTER, Adjudicate(civil_disorder=True))
    table.play(MASTER, Stop())
    assert table.refused(MASTER, Undo()) == "over"
    assert RULES.view(table.state, MASTER).may_undo is False


def test_the_phase_that_is_played_again_has_a_whole_deadline() -> None:
    table = Table(minutes=60)
    table.play(MASTER, Adjudicate(civil_disorder=True))
    table.play(MASTER, Undo(), after=50 * MINUTE)
    assert table.state.deadline == table.at + 60 * MINUTE
    dated = Table(calendar=True)
    dated.play(MASTER, Adjudicate(civil_disorder=True))
    assert dated.play(MASTER, Undo(), after=5 * DAY) == ["Undone", "DeadlineSet"]
    assert dated.state.deadline > dated.at


def test_the_others_hear_that_it_was_taken_back_and_no_secret() -> None:
    table = Table()
    table.play(1, Submit(1, table.orders(1)))
    table.play(MASTER, Adjudicate(civil_disorder=True))
    [fact] = RULES.decide(table.state, MASTER, Undo(), table.at, Random(1))
    after = RULES.evolve(table.state, fact)
    assert RULES.tell(table.state, fact, after, 2) == ToldUndone(0)
    assert RULES.view(after, 2).orders == {}
    assert list(RULES.view(after, 1).orders) == [1]


def test_no_deadline_runs_while_the_game_is_paused() -> None:
    table = Table(minutes=60)
    table.play(MASTER, Pause(), after=20 * MINUTE)
    view = RULES.view(table.state, 1)
    assert (view.paused, view.deadline, view.left) == (True, None, 40 * MINUTE)
    assert RULES.alarms(table.state) == {}
    assert RULES.waiting(table.state) == frozenset({MASTER})
    assert table.refused(CLOCK, Alarm("deadline")) == "no_such_phase"
    assert table.refused(MASTER, Pause()) == "paused"
    assert table.play(1, Submit(1, table.orders(1))) == ["Sealed"], "orders are still taken"
    assert table.play(CLOCK, TimeGivenBack(5 * MINUTE)) == [], "time that stands still is not given back"
    table.play(MASTER, Resume(), after=3 * DAY)
    assert RULES.alarms(table.state) == {"deadline": table.at + 40 * MINUTE}
    assert table.refused(MASTER, Resume()) == "not_paused"
    view = RULES.view(table.state, 1)
    assert (view.paused, view.left, view.deadline) == (False, None, table.at + 40 * MINUTE)


def test_a_phase_that_opens_in_a_pause_has_all_its_time() -> None:
    table = Table(minutes=60)
    table.play(MASTER, Pause(), after=20 * MINUTE)
    table.play(MASTER, Adjudicate(civil_disorder=True), after=DAY)
    assert table.state.paused
    assert RULES.alarms(table.state) == {}
    table.play(MASTER, Resume(), after=DAY)
    assert table.state.deadline == table.at + 60 * MINUTE
    table.play(MASTER, Pause(), after=30 * MINUTE)
    table.play(MASTER, ChangeOptions(DiplomacyOptions(deal=(1, 2, 3), minutes=10)), after=DAY)
    table.play(MASTER, Resume(), after=DAY)
    assert table.state.deadline == table.at + 10 * MINUTE


def test_what_the_master_corrected_is_known_as_his_after_an_undo_too() -> None:
    table = Table()
    table.play(1, Submit(1, table.orders(1)))
    table.play(MASTER, Submit(2, table.orders(2)))
    assert RULES.view(table.state, 2).corrected == (2,)
    assert RULES.view(table.state, 1).corrected == ()
    table.play(MASTER, Adjudicate(civil_disorder=True))
    assert RULES.view(table.state, MASTER).corrected == ()
    table.play(MASTER, Undo())
    assert RULES.view(table.state, MASTER).corrected == (2,)
    table.play(2, Leave())
    assert RULES.view(table.state, MASTER).corrected == ()


def test_a_date_comes_back_at_the_hour_of_deadlines_and_not_before_the_time_left() -> None:
    table = Table(calendar=True)
    date = table.state.deadline
    table.play(MASTER, Pause())
    assert table.refused(MASTER, SetDeadline(date + DAY)) == "paused"
    assert "set_deadline" not in table.legal(MASTER)
    table.play(MASTER, Resume(), after=3 * DAY)
    assert table.state.deadline == date + 3 * DAY
    table.play(MASTER, Pause())
    table.play(MASTER, Resume(), after=5 * HOUR)
    assert table.state.deadline == date + 4 * DAY
    assert table.state.deadline % DAY == EVENING * HOUR


def test_a_pause_of_less_than_an_hour_for_each_day_left_moves_no_date() -> None:
    table = Table(calendar=True)
    date = table.state.deadline
    left = date - table.at - 1_000
    table.play(MASTER, Pause())
    table.play(MASTER, Resume(), after=left // 24)
    assert table.state.deadline == date
    table.play(MASTER, Pause())
    table.play(MASTER, Resume(), after=left // 24)
    assert table.state.deadline == date + DAY
    # Close to the deadline hardly any pause is short.
    table.play(MASTER, Pause(), after=table.state.deadline - table.at - 10 * MINUTE)
    table.play(MASTER, Resume(), after=5 * MINUTE)
    assert table.state.deadline == date + 2 * DAY


def test_the_grace_of_late_orders_stands_still_too() -> None:
    table = Table(calendar=True)
    table.play(1, Submit(1, ()))
    assert table.play(CLOCK, Alarm("deadline"), after=table.state.deadline - table.at) == ["Overdue"]
    left = RULES.alarms(table.state)["grace"] - table.at
    table.play(MASTER, Pause(), after=0)
    table.play(MASTER, Resume(), after=10 * DAY)
    assert RULES.alarms(table.state) == {"grace": table.at + left}
    assert table.state.overdue == (2, 3)


def test_a_game_without_a_clock_is_paused_and_goes_on() -> None:
    table = Table()
    table.play(MASTER, Pause())
    assert RULES.view(table.state, 1).left is None
    table.play(MASTER, Resume(), after=DAY)
    assert table.state.deadline == 0
    assert RULES.waiting(table.state) == frozenset({1, 2, 3})


def test_what_was_meant_for_a_phase_that_is_over_is_refused() -> None:
    table = Table()
    spring = table.state.advancement
    assert "Sealed" in table.play(1, Submit(1, table.orders(1), meant_for=spring))
    assert "Disordered" in table.play(MASTER, ImposeDisorder(2, meant_for=spring))
    table.play(MASTER, Adjudicate(civil_disorder=True, meant_for=spring))
    now = table.state
    late = Submit(1, table.orders(1), final=True, meant_for=spring)
    assert table.refused(1, late) == table.refused(MASTER, late) == "phase_gone"
    for deed in (Adjudicate(True, meant_for=spring), ImposeDisorder(2, meant_for=spring), Undo(spring)):
        assert table.refused(MASTER, deed) == "phase_gone"
    # Who may not order at all learns only that.
    assert table.refused(2, late) == "not_your_role"
    assert table.state == now
    assert table.play(MASTER, Undo(now.advancement))[0] == "Undone"
    assert table.refused(MASTER, Adjudicate(True, meant_for=now.advancement)) == "phase_gone"
