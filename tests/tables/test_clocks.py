from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest

from tablee.tables.clocks import (
    AFTER_RESTART,
    DAY,
    Budget,
    Clocks,
    Days,
    NoClock,
    PerMove,
    after_days,
    after_event,
    faces,
    give_back,
    read_time_control,
)

T = 1_700_000_000_000
STILL = Clocks()


def paris(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Paris")).timestamp() * 1000)


def test_time_controls_are_read_from_json_and_from_their_text() -> None:
    assert read_time_control({"kind": "budget", "seconds": 300, "increment": 3}) == Budget(300, 3)
    assert read_time_control('{"kind":"days","days":2}') == Days(2)
    assert read_time_control({"kind": "move", "seconds": 60}) == PerMove(60)
    assert read_time_control(None) == NoClock()
    assert read_time_control(Budget(60)) == Budget(60)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "move", "seconds": 0},
        {"kind": "budget", "seconds": 10, "increment": -1},
        {"kind": "days", "days": 0},
        {"kind": "days", "days": 1, "zone": "Mars/Olympus"},
        {"kind": "days", "days": 1, "zone": "../../etc/passwd"},
        {"kind": "sundial"},
        {"seconds": 3},
        [],
        "{",
    ],
)
def test_an_impossible_time_control_is_refused(wrong: object) -> None:
    with pytest.raises(msgspec.MsgspecError):
        read_time_control(wrong)


def test_a_table_without_clocks_never_has_one_running() -> None:
    assert after_event(NoClock(), STILL, T, {1, 2}) is STILL
    assert faces(NoClock(), STILL, [1, 2], T) == {}


def test_a_budget_runs_in_ones_own_turn_and_grows_by_the_increment() -> None:
    control = Budget(60, 3)
    clocks = after_event(control, STILL, T, {1})
    assert clocks.due() == T + 60_000
    clocks = after_event(control, clocks, T + 10_000, {2})
    assert faces(control, clocks, [1], T + 20_000)[1].left == 53_000
    assert faces(control, clocks, [2], T + 20_000)[2].left == 50_000
    clocks = after_event(control, clocks, T + 20_000, {1})
    assert clocks.due() == T + 20_000 + 53_000
    assert clocks.overdue(T + 72_999) == []
    assert clocks.overdue(T + 73_000) == [1]


def test_a_turn_may_be_limited_within_a_budget() -> None:
    clocks = after_event(Budget(2700, 0, turn=600), STILL, T, {1})
    assert clocks.due() == T + 600_000


def test_a_clock_that_ran_out_does_not_run_out_again_in_the_same_turn() -> None:
    control = Budget(60, 3)
    clocks = after_event(control, STILL, T, {1})
    clocks = after_event(control, clocks, T + 60_000, {1}, stopped=1)
    assert clocks.due() is None
    assert faces(control, clocks, [1], T + 70_000)[1].left == 0
    clocks = after_event(control, clocks, T + 65_000, {2})
    assert clocks.left[1] == 0, "no increment for a turn that was not made in time"


def test_an_act_out_of_turn_does_not_touch_the_clock_that_runs() -> None:
    clocks = after_event(PerMove(30), STILL, T, {1})
    assert after_event(PerMove(30), clocks, T + 20_000, {1}) is clocks


def test_several_clocks_run_at_once_and_ring_in_order() -> None:
    clocks = after_event(PerMove(30), STILL, T, {1})
    clocks = after_event(PerMove(30), clocks, T + 5_000, {1, 2})
    assert clocks.overdue(T + 40_000) == [1, 2]


def test_days_step_over_the_weekend_of_their_zone() -> None:
    friday = paris("2026-11-13T18:00")
    assert after_days(friday, 1, False, "Europe/Paris") == paris("2026-11-16T18:00")
    assert after_days(friday, 1, True, "Europe/Paris") == friday + DAY
    saturday = paris("2026-11-14T12:00")
    assert after_days(saturday, 1, False, "Europe/Paris") == paris("2026-11-17T00:00")
    monday = paris("2026-11-16T09:00")
    assert after_days(monday, 2, False, "Europe/Paris") == paris("2026-11-18T09:00")


def test_a_day_is_as_long_in_the_week_when_the_clocks_change() -> None:
    friday = paris("2026-10-23T12:00")  # summer time ends in the night to Sunday
    assert after_days(friday, 1, False, "Europe/Paris") == paris("2026-10-26T12:00")


def test_the_grace_is_added_to_the_deadline() -> None:
    clocks = after_event(Days(1, grace=2), STILL, T, {1})
    assert clocks.due() == T + DAY + 2 * 3_600_000


def test_live_clocks_get_the_time_back_in_which_no_node_ran() -> None:
    control = Budget(60)
    clocks = give_back(control, after_event(control, STILL, T, {1}), T + 90_000, 80_000)
    assert clocks.due() == T + 140_000
    assert faces(control, clocks, [1], T + 90_000)[1].left == 50_000


def test_a_deadline_in_days_that_passed_meanwhile_is_played_a_little_after_the_restart() -> None:
    control = Days(1)
    clocks = after_event(control, STILL, T, {1})
    clocks = after_event(control, clocks, T + DAY // 2, {1, 2})
    back = give_back(control, clocks, T + DAY + 5_000, DAY)
    assert back.until == {1: T + DAY + 5_000 + AFTER_RESTART, 2: T + DAY // 2 + DAY}


def test_clocks_survive_json() -> None:
    clocks = after_event(Budget(60, 3), STILL, T, {1, 2})
    clocks = after_event(Budget(60, 3), clocks, T + 1_000, {2})
    assert msgspec.json.decode(msgspec.json.encode(clocks), type=Clocks) == clocks


def test_lag_is_not_counted_up_to_half_a_second_a_move() -> None:
    control = Budget(60, 2)
    running = after_event(control, STILL, 0, {1})
    assert after_event(control, running, 10_000, {2}, lag=300).left[1] == 60_000 - 9_700 + 2_000
    assert after_event(control, running, 10_000, {2}, lag=9_000).left[1] == 60_000 - 9_500 + 2_000
    assert after_event(control, running, 100, {2}, lag=300).left[1] == 62_000
    assert after_event(control, running, 10_000, {2}, lag=-5).left[1] == 52_000
