"""The conformance kit as tests use it: a game, its options, and how many random games to examine."""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.rules.conformance import Report, check_words, examine
from tablee.rules.contract import Rules


class GameCase(msgspec.Struct, frozen=True):
    """One game that must conform. `secret` games must show states that somebody cannot tell apart."""

    rules: Rules[Any]
    options: Any = None
    games: int = 5
    secret: bool = True
    most_events: int = 5_000

    def __str__(self) -> str:
        chosen = "" if self.options is None else f"-{self.options}"
        return f"{self.rules.name}-{self.rules.variant}{chosen}"


def assert_conforms(case: GameCase) -> list[Report]:
    """Every promise of the contract holds over some random games."""
    check_words(case.rules)
    reports = [
        examine(case.rules, seed, case.options, most_events=case.most_events, robot_share=0.2)
        for seed in range(1, case.games + 1)
    ]
    assert all(report.ended for report in reports)
    if case.secret:
        assert sum(report.twins for report in reports) > 0
    if case.rules.robots:
        assert sum(report.robot_answers for report in reports) > 0
    return reports
