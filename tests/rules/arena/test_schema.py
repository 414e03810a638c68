"""The published JSON Schema stays true to the loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.arena.spoiling import GONE, OLD, SMALL, paths, spoiled
from tests.rules.arena.strategies import descriptions
from tests.rules.arena.test_loading import ONE_FAULT

from tablee.rules.arena.description import Description
from tablee.rules.arena.exporting import export
from tablee.rules.arena.faults import Faults
from tablee.rules.arena.loading import description_names, load, load_ours
from tablee.rules.arena.schema import schema

PUBLISHED = Path(__file__).parents[3] / "docs" / "arena.schema.json"
VALIDATOR = jsonschema_rs.Draft202012Validator(schema())
BEYOND = {
    "divides", "squares", "color", "color_or_all", "unique", "rows", "cells", "deck", "deck_most", "trump",
    "removed", "most", "a_color", "path_data",
}  # fmt: skip
"""What a schema cannot say: numbers against numbers, names against names."""


ODD = st.sampled_from(
    [None, True, False, 0, 1, 2, -1, 1.5, 2.0, 10**7, "", "RED", "red", "1,2", "2", [], {}, ["RED"], ["ALL"],
     [1, 2], ["line"], "line", [{"name": "ASSASSINATION"}], {"RED": "RED"}, {"type": "RemoveColor"},
     "M0 0", "rect", GONE]
)  # fmt: skip


def test_the_published_schema_is_the_loaders() -> None:
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == schema()


@pytest.mark.parametrize("name", description_names())
def test_our_descriptions_are_valid(name: str) -> None:
    described = export(load_ours(name))
    assert VALIDATOR.is_valid({name: described})
    assert VALIDATOR.is_valid(described)


def test_both_spellings_are_valid() -> None:
    assert VALIDATOR.is_valid({"small": SMALL, "old": OLD})


@given(descriptions())
def test_whatever_is_exported_is_valid(description: Description) -> None:
    assert VALIDATOR.is_valid({"mine": export(description)})


@given(
    st.sampled_from([SMALL, OLD]).flatmap(lambda of: st.tuples(st.just(of), st.sampled_from(paths(of)))), ODD
)
def test_whatever_loads_is_valid(where: tuple[dict[str, Any], str], value: object) -> None:
    made = spoiled((where[1], value), of=where[0])
    try:
        load(made, "mine")
    except Faults as error:
        if not {fault.wanted for fault in error.faults} & BEYOND and value != 2.0:
            assert not VALIDATOR.is_valid(made)
    else:
        assert VALIDATOR.is_valid(made)


@pytest.mark.parametrize(
    "changes",
    [changes for changes, _, _, wanted in ONE_FAULT if wanted not in BEYOND],
    ids=[f"{path}-{wanted}" for _, path, _, wanted in ONE_FAULT if wanted not in BEYOND],
)
def test_what_a_schema_can_refuse_it_refuses(changes: list[tuple[str, object]]) -> None:
    # To JSON Schema 2.0 is an integer, 1e999 a number, and half a surrogate pair a text.
    blind = any(value in (2.0, "1,1e999", "\ud800") for _, value in changes)
    assert VALIDATOR.is_valid(spoiled(*changes)) == blind
