"""What programs see of a game of the arena is documented: its view, its actions, its facts, its effects."""

from __future__ import annotations

import typing
from pathlib import Path

import msgspec
import pytest
from tests.rules.arena.arenas import Arena

from tablee.rules.arena.effects import EFFECTS
from tablee.rules.arena.heroes import HEROES
from tablee.rules.arena.model import ArenaAction, ArenaFact, ArenaOptions
from tablee.rules.contract import TableAction

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "arena-jeu.md").read_text()
VIEW = msgspec.to_builtins(Arena(3, heroes=True).view(1), str_keys=True)
ACTIONS = set(typing.get_args(ArenaAction)) - set(typing.get_args(TableAction))
NAMES = {
    *VIEW,
    *VIEW["players"]["1"],
    *(str(action.__struct_config__.tag) for action in ACTIONS),
    *(str(fact.__struct_config__.tag) for fact in typing.get_args(ArenaFact)),
    *ArenaOptions.__struct_fields__,
    *EFFECTS,
}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_what_programs_see_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("hero", HEROES)
def test_every_hero_is_in_the_rules_for_players(hero: str) -> None:
    assert f"| {hero} |" in (DOCS / "jouer-arena.md").read_text()
