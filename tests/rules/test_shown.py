"""What seats are shown and told has the bytes that it had before views were types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablee.rules.chess import ChessRules
from tablee.rules.contract import Rules
from tablee.rules.mines.rules import CustomMinesRules, MinesRules
from tablee.tables.patch import plain

SHOWN = Path(__file__).parent / "shown"
RULES: list[Rules[Any]] = [
    MinesRules(),
    CustomMinesRules(),
    *(ChessRules(variant) for variant in ("classic", "alice", "dark", "horde")),
]


def text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.name} {rules.variant}")
def test_views_and_told_facts_are_the_same_json_as_ever(rules: Rules[Any]) -> None:
    games = msgspec.json.decode((SHOWN / f"{rules.name}.json").read_bytes())[rules.variant]
    for game in games:
        expected = {moment["after"]: moment for moment in game["shown"]}
        state: Any = None
        for number, event in enumerate(game["log"], start=1):
            facts = [msgspec.convert(form, rules.fact_type, str_keys=True) for form in event]
            begun, states = state, []
            for fact in facts:
                state = rules.evolve(state, fact)
                states.append(state)
            moment = expected.get(number, {})
            for seat, told in moment.get("told", {}).items():
                befores = [begun, *states[:-1]]
                heard = [
                    rules.tell(before, fact, after, int(seat))
                    for before, fact, after in zip(befores, facts, states, strict=True)
                ]
                assert text(heard) == told
                assert text([plain(each) for each in heard]) == told
            for seat, shown in moment.get("views", {}).items():
                view = rules.view(state, int(seat))
                assert text(view) == shown
                assert text(plain(view)) == shown
                assert msgspec.json.decode(shown, type=rules.view_type) == view
