"""Logs of released rules are read by today's code to the state that they led to then."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rules.golden import GoldenLog, assert_read_to_the_same_end, read_log
from tests.rules.shown import assert_shown_as_ever

LOGS = sorted((Path(__file__).parent / "golden").glob("*.json"))


def of_the_first_release() -> list[GoldenLog]:
    return [log for log in map(read_log, LOGS) if log.version == 1]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_todays_code_reads_the_log_to_the_same_end(path: Path) -> None:
    assert_read_to_the_same_end(read_log(path))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_seat_is_shown_and_told_the_bytes_that_it_always_was(path: Path) -> None:
    assert_shown_as_ever(path)


def test_the_logs_hold_every_fact_of_the_first_release() -> None:
    first = {
        "began", "sealed", "came_in", "adjudicated", "passed_over", "position_set", "voted", "left",
        "taken_over", "deadline_moved", "ended",
    }  # fmt: skip
    assert {form["is"] for log in of_the_first_release() for form in log.facts} == first


def test_the_logs_hold_every_end_every_choice_and_the_master_s_acts() -> None:
    facts = [form for log in of_the_first_release() for form in log.facts]
    ends = {form["reason"] for form in facts if form["is"] == "ended"}
    assert ends == {"solo", "draw", "cycles", "stopped", "abandoned"}
    assert {form["options"]["choices"] for form in facts if form["is"] == "began"} == {"DATC", "AFJD"}
    assert any(form["is"] == "sealed" and form["by"] == 0 for form in facts)
    assert any(form["is"] == "position_set" and form["situation"]["dislodged"] for form in facts)


def test_the_logs_hold_every_kind_of_order_and_every_outcome_of_a_table() -> None:
    verdicts = [
        verdict
        for log in of_the_first_release()
        for form in log.facts
        if form["is"] == "adjudicated"
        for verdict in form["verdicts"]
    ]
    assert {order[1] for order, *_ in verdicts} == set(range(1, 10))
    outcomes = {outcome for _, outcome, *_ in verdicts}
    assert outcomes == {"succeeds", "bounces", "cut", "void", "disrupted", "no-convoy"}
    for mark in range(2, 6):
        assert any(verdict[mark] for verdict in verdicts)


def test_the_logs_of_the_second_version_hold_the_facts_of_dates_and_masters() -> None:
    found = {form["is"] for log in map(read_log, LOGS) if log.version == 2 for form in log.facts}
    assert found >= {"overdue", "disordered", "deadline_set", "options_changed", "respite"}


def test_the_logs_of_the_third_version_hold_pauses_and_what_was_taken_back() -> None:
    found = {form["is"] for log in map(read_log, LOGS) if log.version == 3 for form in log.facts}
    assert found >= {"undone", "paused", "resumed", "deadline_set"}
