"""The games of the house by name, and their words."""

from __future__ import annotations

import typing
from typing import Any

import pytest

from tablee.rules import GAMES, games_of, rules_of
from tablee.rules.arena.model import Reason as ArenaReason
from tablee.rules.chess.model import Reason
from tablee.rules.conformance import check_words
from tablee.rules.contract import Rules
from tablee.rules.diplomacy.game import Ended
from tablee.rules.mines import MinesRules, MinesState
from tablee.rules.robots.model import Reason as RobotsReason
from tablee.rules.words import load_words, parse_words


def test_mines_are_in_the_house_in_two_variants() -> None:
    assert {("mines", "classic"), ("mines", "custom")} <= set(GAMES)
    assert rules_of("mines", "classic").variant == "classic"


def test_a_game_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(KeyError, match=r"no game “whist”.*mines \(classic\)"):
        rules_of("whist", "plain")


def test_tests_make_a_house_of_their_own() -> None:
    house = games_of(MinesRules())
    assert list(house) == [("mines", "classic")]


def test_words_are_flattened_by_kind() -> None:
    words = parse_words('[fr.fact]\nopened = "ouvert"\n[en.fact]\nopened = "open"\n', "here")
    assert words["fr"] == {"fact.opened": "ouvert"}


def test_a_language_without_a_word_that_another_has_is_refused() -> None:
    with pytest.raises(ValueError, match=r"here has no “en” words for: fact\.opened\."):
        parse_words('[fr.fact]\nopened = "ouvert"\n', "here")


def test_mines_have_the_same_keys_in_both_languages() -> None:
    words = load_words("tablee.rules.mines")
    assert words["fr"].keys() == words["en"].keys()
    assert words["fr"]["illegal.late"] == "Cette case est déjà ouverte."


@pytest.mark.parametrize("rules", GAMES.values(), ids=lambda rules: f"{rules.name}-{rules.variant}")
def test_everything_that_a_table_may_choose_is_explained_in_both_languages(rules: Rules[Any]) -> None:
    check_words(rules)
    for language in ("fr", "en"):
        words = rules.words(language)
        assert words[f"about.{rules.variant}"].endswith(".")
        helps = [text for key, text in words.items() if key.startswith("option.") and key.endswith(".help")]
        assert all(text.endswith(".") for text in helps)


@pytest.mark.parametrize(
    ("game", "reasons"),
    [
        ("mines", typing.get_type_hints(MinesState)["ended"]),
        ("diplomacy", typing.get_type_hints(Ended)["reason"]),
        ("chess", Reason),
        ("robots", RobotsReason),
        ("arena", ArenaReason),
    ],
)
def test_every_way_in_which_a_game_ends_has_its_words(game: str, reasons: Any) -> None:
    literal = next((part for part in typing.get_args(reasons) if typing.get_args(part)), reasons)
    assert len(typing.get_args(literal)) >= 2
    for rules in (rules for rules in GAMES.values() if rules.name == game):
        for language in ("fr", "en"):
            assert {f"result.{reason}" for reason in typing.get_args(literal)} <= rules.words(language).keys()


def test_every_game_of_the_house_is_asked_how_it_ends() -> None:
    assert {game for game, _ in GAMES} == {"mines", "diplomacy", "chess", "robots", "arena"}
