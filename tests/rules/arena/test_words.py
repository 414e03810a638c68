"""Everything that players read about the arena has its words, in both languages."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from tablee.rules.arena import ArenaRules, description_names
from tablee.rules.arena.heroes import HEROES
from tablee.rules.arena.loading import load_ours


def refusals() -> set[str]:
    """The codes of every refusal, as the source writes them."""
    found: set[str] = set()
    for name in ("decision.py", "rules.py"):
        text = files("tablee.rules.arena").joinpath(name).read_text(encoding="utf-8")
        for call in re.findall(r"Illegal\(([^)]*)\)", text):
            found |= set(re.findall(r'"(\w+)"', call.partition(",")[0]))
    return found


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_refusal_hero_card_colour_and_trump_has_its_words(language: str) -> None:
    words = ArenaRules().words(language)
    assert len(refusals()) > 25
    wanted = {f"illegal.{code}" for code in refusals()}
    wanted |= {f"{kind}.{hero}" for hero in HEROES for kind in ("hero", "power")}
    for name in description_names():
        description = load_ours(name)
        wanted |= {f"card.{card.name}" for card in description.cards}
        wanted |= {f"color.{color}" for color in description.colors}
        wanted |= {f"trump.{trump.base}" for trump in description.trumps}
        wanted |= {f"saying.{trump.description}" for trump in description.trumps}
    assert sorted(wanted - words.keys()) == []


def test_no_refusal_has_words_that_nothing_says() -> None:
    words = ArenaRules().words("fr")
    assert {key.removeprefix("illegal.") for key in words if key.startswith("illegal.")} == refusals()


def test_an_arena_of_a_club_is_called_by_its_name() -> None:
    rules = ArenaRules("La nôtre", load_ours("crown"))
    assert rules.words("fr")["name.La nôtre"] == "Arena of Titans\u00a0: La nôtre"
    assert rules.words("en")["about.La nôtre"] == "An arena that the club has described: La nôtre."
