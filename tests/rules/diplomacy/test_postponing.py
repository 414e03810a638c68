"""A deadline moves behind an absence, once a phase, and by a day for a seat, once a game; who learns why."""

from __future__ import annotations

import pytest
from tests.rules.diplomacy.test_deadlines import MONDAY, NOON, RULES, Table

from tablee.rules.calendar import DAY, HOUR
from tablee.rules.contract import CLOCK, MASTER, SPECTATOR, Postpone
from tablee.rules.diplomacy.game import Pause, Postponed, Submit
from tablee.rules.diplomacy.views import PostponedView, ToldPostponed

EVENING = 20 * HOUR


def absent(seat: int, last: int, named: bool = True) -> Postpone:
    """Gone until the end of this day of the week that begins on MONDAY."""
    return Postpone((seat,), MONDAY + (last + 1) * DAY, "absence", named)


def test_a_deadline_that_falls_into_an_absence_is_behind_it() -> None:
    table = Table()
    (moved,) = table.play(CLOCK, absent(3, 3))
    assert moved == Postponed(MONDAY + 4 * DAY + EVENING, (3,), "absence", True)
    assert RULES.alarms(table.state) == {"deadline": MONDAY + 4 * DAY + EVENING}
    assert table.refuses(CLOCK, absent(4, 5)) == "postponed_already"
    table.submit(*range(1, 8))
    table.ring()
    assert table.state.advancement == 2
    assert table.state.postponed == ()
    table.play(CLOCK, absent(3, 12))  # once a phase
    assert table.state.deadline == MONDAY + 13 * DAY + EVENING


def test_it_is_no_weekend_and_keeps_the_table_s_hour() -> None:
    table = Table(weekends=False, hour="21:30")
    table.play(CLOCK, absent(3, 4))
    assert table.state.deadline == MONDAY + 7 * DAY + 21 * HOUR + 30 * 60_000


def test_an_extension_is_a_day_once_a_game_for_each() -> None:
    table = Table()

    def extend(seat: int) -> Postpone:
        return Postpone((seat,), table.state.deadline + DAY - 1, "extension")

    table.play(CLOCK, extend(2))
    table.play(CLOCK, extend(5))
    assert table.state.deadline == MONDAY + 4 * DAY + EVENING
    assert table.refuses(CLOCK, extend(2)) == "extension_used"
    assert RULES.view(table.state, 2).extended
    assert not RULES.view(table.state, 3).extended
    table.submit(*range(1, 8))
    table.ring()
    assert table.refuses(CLOCK, extend(2)) == "extension_used"


def test_nothing_moves_for_who_owes_nothing_nor_after_the_deadline() -> None:
    table = Table()
    table.play(2, Submit(2, (), final=True))
    assert table.refuses(CLOCK, absent(2, 3)) == "no_orders_owed"
    assert table.refuses(CLOCK, Postpone((), NOON, "absence")) == "no_orders_owed"
    assert table.refuses(3, absent(3, 3)) == "clock_only"
    assert table.refuses(CLOCK, absent(3, 0)) == "postponed_already"  # it does not fall into it
    table.play(MASTER, Pause())
    assert table.refuses(CLOCK, absent(3, 3)) == "paused"
    late = Table()
    late.ring()
    assert late.refuses(CLOCK, absent(3, 9)) == "deadline_passed"
    assert Table(archive=True, seats=0).refuses(CLOCK, absent(3, 9)) == "no_orders_owed"


@pytest.mark.parametrize("named", [True, False])
def test_the_others_see_why_unless_the_game_is_anonymous(named: bool) -> None:
    table = Table()
    before = table.state
    (moved,) = table.play(CLOCK, absent(3, 3, named))
    deadline = MONDAY + 4 * DAY + EVENING
    for seat in (1, 3, MASTER, SPECTATOR):
        knows = named or seat in (3, MASTER)
        shown = PostponedView((3,), "absence") if knows else PostponedView((), None)
        assert RULES.view(table.state, seat).postponed == (shown,)
        told = RULES.tell(before, moved, table.state, seat)
        assert told == ToldPostponed(deadline, shown.seats, shown.why)
