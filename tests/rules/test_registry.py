"""The games of the house by name, and their words."""

from __future__ import annotations

import pytest

from tablee.rules import GAMES, games_of, rules_of
from tablee.rules.mines import MinesRules
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
