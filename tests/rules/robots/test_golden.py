"""Logs of released rules are read by today's code to the state that they led to then."""

from __future__ import annotations

import typing
from pathlib import Path

import pytest
from tests.rules.golden import assert_read_to_the_same_end, read_log
from tests.rules.shown import assert_shown_as_ever

from tablee.rules.robots.model import RobotsFact

LOGS = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_todays_code_reads_the_log_to_the_same_end(path: Path) -> None:
    assert_read_to_the_same_end(read_log(path))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_seat_is_shown_and_told_the_bytes_that_it_always_was(path: Path) -> None:
    assert_shown_as_ever(path)


def test_the_logs_hold_both_variants_every_ending_and_every_fact() -> None:
    logs = [read_log(path) for path in LOGS]
    assert {log.variant for log in logs} == {"race", "practice"}
    assert {log.result.reason for log in logs} == {"quest", "rounds", "left"}
    tags = {str(fact.__struct_config__.tag) for fact in typing.get_args(RobotsFact)}
    assert {form["is"] for log in logs for form in log.facts} == tags
