"""Logs of released rules are read by today's code to the state that they led to then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablee.rules import rules_of
from tablee.rules.contract import Result

LOGS = sorted((Path(__file__).parent / "golden").glob("*.json"))


class GoldenLog(msgspec.Struct, frozen=True):
    """A log as it was written, with the state and the result at its end."""

    game: str
    variant: str
    version: int
    facts: list[dict[str, Any]]
    state: msgspec.Raw
    result: Result


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_todays_code_reads_the_log_to_the_same_end(path: Path) -> None:
    log = msgspec.json.decode(path.read_bytes(), type=GoldenLog)
    rules = rules_of(log.game, log.variant)
    state: Any = None
    for form in log.facts:
        state = rules.evolve(state, msgspec.convert(rules.upgrade(form), rules.fact_type, str_keys=True))
    assert rules.result(state) == log.result
    if rules.version == log.version:
        assert state == msgspec.json.decode(log.state, type=rules.state_type)


def test_the_logs_hold_every_fact_of_the_first_release() -> None:
    logs = [msgspec.json.decode(path.read_bytes(), type=GoldenLog) for path in LOGS]
    first = {
        "laid", "joined", "went_away", "left", "came_back", "fell_asleep", "returned", "mine_moved",
        "opened", "missed", "flagged", "unflagged", "clock_moved", "finished", "abandoned",
    }  # fmt: skip
    assert {form["is"] for log in logs if log.version == 1 for form in log.facts} == first
