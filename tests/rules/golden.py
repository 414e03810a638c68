"""Logs of released rules, kept as they were written: today's code must read them to the same end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from tablee.rules import rules_of
from tablee.rules.contract import Result


class GoldenLog(msgspec.Struct, frozen=True):
    """A log as it was written, with the state and the result at its end."""

    game: str
    variant: str
    version: int
    facts: list[dict[str, Any]]
    state: msgspec.Raw
    result: Result


def read_log(path: Path) -> GoldenLog:
    return msgspec.json.decode(path.read_bytes(), type=GoldenLog)


def assert_read_to_the_same_end(log: GoldenLog) -> None:
    """Each fact brought up to date and evolved; the state is compared where the version is the same."""
    rules = rules_of(log.game, log.variant)
    state: Any = None
    for form in log.facts:
        state = rules.evolve(state, msgspec.convert(rules.upgrade(form), rules.fact_type, str_keys=True))
    result = rules.result(state)
    assert result is not None
    if log.result.tally is msgspec.UNSET:  # released before results had one
        result = replace(result, tally=msgspec.UNSET)
    assert result == log.result
    if rules.version == log.version:
        assert state == msgspec.json.decode(log.state, type=rules.state_type)
