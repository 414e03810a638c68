"""Logs of released rules are read by today's code to the state that they led to then."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rules.golden import assert_read_to_the_same_end, read_log

LOGS = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_todays_code_reads_the_log_to_the_same_end(path: Path) -> None:
    assert_read_to_the_same_end(read_log(path))


def test_the_logs_hold_every_fact_of_the_first_release() -> None:
    first = {
        "laid", "joined", "went_away", "left", "came_back", "fell_asleep", "returned", "mine_moved",
        "opened", "missed", "flagged", "unflagged", "clock_moved", "finished", "abandoned",
    }  # fmt: skip
    logs = map(read_log, LOGS)
    assert {form["is"] for log in logs if log.version == 1 for form in log.facts} == first
