"""What is exported is read again as the same, in one spelling."""

from __future__ import annotations

import json
from importlib.resources import files

import msgspec
import pytest
from hypothesis import given
from tests.rules.arena.spoiling import OLD, SMALL
from tests.rules.arena.strategies import descriptions

from tablee.rules.arena.description import Description
from tablee.rules.arena.exporting import export, export_games
from tablee.rules.arena.loading import description_names, load, load_ours


@given(descriptions())
def test_any_description_is_exported_and_read_again(description: Description) -> None:
    text = export_games({"mine": description})
    assert load(text) == {"mine": description}
    assert export(load(text)["mine"]) == export(description)


@given(descriptions())
def test_any_description_goes_through_json_as_a_fact_carries_it(description: Description) -> None:
    text = msgspec.json.encode(description)
    assert msgspec.json.decode(text, type=Description) == description


@pytest.mark.parametrize("name", description_names())
def test_our_files_are_in_the_exported_form(name: str) -> None:
    text = files("tablee.rules.arena").joinpath("descriptions", f"{name}.json").read_text(encoding="utf-8")
    assert text == export_games({name: load_ours(name)})


def test_old_spellings_are_exported_in_ours() -> None:
    assert export(load(OLD, "mine")["mine"]) == export(load(SMALL, "mine")["mine"])
    text = json.dumps(export(load(OLD, "mine")["mine"]))
    for word in ("movementsCards", 'circle_colors"', "arm_colors", "Trump", "additionnal", "rotationCenter"):
        assert word not in text.replace("inner_circle_colors", "")
    assert '"parameters": {"type": "RemoveColor", "colors": ["RED"]}' in text
