"""The plain adjudicator knows the DATC by itself, and the engine agrees with it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.rules.diplomacy import plain
from tests.rules.diplomacy.phases_at_random import (
    differences,
    mixed_cases,
    plain_board,
    random_phase,
)

from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.variant import load_variant, variant_names

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((HERE / "datc.json").read_text("utf-8"))
ORDER = re.compile(
    r"(?P<power>\w) (?P<kind>[AF]) (?P<place>\S+) (?P<what>[-SCHRBD])"
    r"(?: (?:[AF] (?P<of>\S+)(?: - (?P<to>\S+))?|(?P<goal>\S+))(?P<via> VIA)?)?"
)


def board() -> tuple[plain.Board, dict[str, set[str]]]:
    """The standard board as the plain adjudicator reads it, from a file of its own."""
    kinds, by_land, by_sea, home = {}, {}, {}, {}
    for line in (HERE / "plain_map.txt").read_text("utf-8").splitlines():
        head, colon, rest = line.partition("#")[0].partition(":")
        if not colon:
            continue
        if head.endswith(" home"):
            home[head[0]] = set(rest.split())
            continue
        place, kind = head.replace("*", "").split()
        land, _, sea = rest.partition(";")
        if "/" not in place:
            kinds[place] = kind
        by_land[place], by_sea[place] = frozenset(land.split()), frozenset(sea.split())
    return plain.Board(kinds, by_land, by_sea), home


BOARD, HOME = board()


def piece(text: str) -> plain.Piece:
    return plain.Piece(*text.split())


def order(text: str) -> plain.Order:
    found = ORDER.fullmatch(text)
    assert found, text
    to = found["to"] or found["goal"] or ""
    power, kind, place, what = found.group("power", "kind", "place", "what")
    return plain.Order(power, kind, place, what, found["of"] or "", to, bool(found["via"]))


def of_phase(*phases: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["phase"] in phases]
    return pytest.mark.parametrize("case", chosen, ids=[case["case"] for case in chosen])


def test_both_read_the_same_board() -> None:
    ours = plain_board(load_variant("standard"))
    assert (ours.kinds, ours.by_land, ours.by_sea) == (BOARD.kinds, BOARD.by_land, BOARD.by_sea)


@of_phase("movement")
def test_the_plain_adjudicator_resolves_the_datc_s_moves(case: dict[str, Any]) -> None:
    found = plain.adjudicate(
        BOARD, [piece(text) for text in case["units"]], [order(text) for text in case["orders"]]
    )
    assert found.after == {piece(text) for text in case["after"]}
    assert found.attackers == {piece(who): facts["from"] for who, facts in case["dislodged"].items()}
    assert found.retreats == {
        piece(who): sorted(facts["options"]) for who, facts in case["dislodged"].items()
    }
    assert found.contested == set(case["closed"])


@of_phase("retreat")
def test_the_plain_adjudicator_resolves_the_datc_s_retreats(case: dict[str, Any]) -> None:
    options = {piece(one["unit"]): list(one["options"]) for one in case["retreating"]}
    after, _ = plain.retreat(options, [order(text) for text in case["orders"]])
    assert after | {piece(text) for text in case["units"]} == {piece(text) for text in case["after"]}


@of_phase("adjustment")
def test_the_plain_adjudicator_resolves_the_datc_s_adjustments(case: dict[str, Any]) -> None:
    owned = {power: set(codes) for power, codes in case["centres"].items()}
    pieces = [piece(text) for text in case["units"]]
    after, _ = plain.adjust(BOARD, HOME, owned, pieces, [order(text) for text in case["orders"]])
    assert after == {piece(text) for text in case["after"]}


@pytest.mark.parametrize("variant", variant_names())
def test_engine_and_plain_adjudicator_agree_on_crowds_at_random(variant: str) -> None:
    played = load_variant(variant)
    for seed in range(150):
        phase = random_phase(played, Random(seed))
        assert differences(played, phase, resolve(played, 0, *phase)) == [], seed


def test_engine_and_plain_adjudicator_agree_on_mixtures_of_the_datc_s_cases() -> None:
    standard = load_variant("standard")
    for seed in range(400):
        phase = mixed_cases(Random(seed))
        assert differences(standard, phase, resolve(standard, 0, *phase)) == [], seed
