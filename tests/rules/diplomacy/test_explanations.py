"""Why an order came out as it did, in parts."""

from __future__ import annotations

from random import Random

import pytest
from tests.rules.diplomacy.cases import CASES, STANDARD, ZONES, order, situation
from tests.rules.diplomacy.positions import random_orders, random_situation

from tablee.rules.diplomacy.explanation import explain
from tablee.rules.diplomacy.model import Act, Explanation, Order
from tablee.rules.diplomacy.movement import resolve_moves
from tablee.rules.diplomacy.variant import load_variant, variant_names

BY_NAME = {case["case"]: case for case in CASES}


def of(case: str, unit: str) -> Explanation:
    found = BY_NAME[case]
    orders = [order(text) for text in found["orders"]]
    for each in explain(STANDARD, situation(found), orders):
        if STANDARD.region_of[each.verdict.order.zone] == ZONES[unit]:
            return each
    raise AssertionError(f"{unit} has no verdict")


@pytest.mark.parametrize(
    ("case", "unit", "code", "numbers"),
    [
        ("6.A.11", "VIE", "bounced-prevent", {"attack": 1, "prevent": 1}),
        ("6.D.1", "TRI", "bounced-hold", {"attack": 2, "hold": 2}),
        ("6.D.2", "TRI", "dislodged-other", {"attack": 2}),
        ("6.D.2", "VEN", "beaten", {"hold": 1, "attack": 2}),
        ("6.D.2", "TYR", "cut", {}),
        ("6.D.10", "KIE", "own-unit", {"attack": 0}),
        ("6.D.17", "CON", "cut-by-dislodging", {}),
        ("6.E.1", "PRU", "bounced-defend", {"attack": 1, "defend": 2}),
        ("6.D.7", "PRU", "void-other-order", {}),
        ("6.B.9", "POR", "void-coast", {}),
        ("6.F.7", "LON", "chain-broken", {}),
        ("6.F.7", "NTH", "disrupted", {}),
        ("6.F.14", "BRE", "paradox", {}),
        ("6.F.16", "ENG", "disrupted-paradox", {}),
        ("6.G.8", "BEL", "no-chain", {}),
        ("6.G.1", "NWY", "swapped", {"attack": 1}),
        ("6.G.1", "SKA", "carried", {}),
        ("6.G.2", "SKA", "carried-nobody", {}),
        ("6.D.27", "BAL", "void-convoy", {}),
        ("6.D.1", "VEN", "held", {"hold": 2}),
        ("6.A.1", "NTH", "illegal", {}),
        ("6.C.1", "ANK", "moved", {"attack": 1}),
        ("6.D.4", "KIE", "given", {}),
    ],
)
def test_a_verdict_says_why(case: str, unit: str, code: str, numbers: dict[str, int]) -> None:
    found = of(case, unit)
    assert (found.code, found.numbers) == (code, numbers)


def test_a_cut_support_names_who_cut_it() -> None:
    (cutter,) = of("6.D.2", "TYR").orders["by"]
    assert (cutter.act, cutter.zone) == (Act.MOVE, ZONES["VIE"])


def test_an_illegal_order_keeps_its_reason() -> None:
    reason = of("6.A.1", "NTH").verdict.reason
    assert reason is not None
    assert reason.code == "not-adjacent"


def test_a_unit_without_an_order_is_explained_too() -> None:
    found = BY_NAME["6.D.1"]
    texts = [text for text in found["orders"] if not text.endswith(" H")]
    each = explain(STANDARD, situation(found), [order(text) for text in texts])[-1]
    assert each.verdict.by_default
    assert each.verdict.order == Order(4, Act.HOLD, ZONES["VEN"])
    assert each.code == "held"


@pytest.mark.parametrize("name", variant_names())
def test_every_verdict_has_an_explanation_that_fits_it(name: str) -> None:
    variant = load_variant(name)
    failures = {"bounced-hold": "hold", "bounced-defend": "defend", "bounced-prevent": "prevent"}
    for seed in range(300):
        rng = Random(seed)
        before = random_situation(variant, rng)
        orders = random_orders(variant, before, rng)
        found = explain(variant, before, orders)
        assert tuple(each.verdict for each in found) == resolve_moves(variant, before, orders).verdicts
        for each in found:
            if each.code in failures:
                assert each.numbers["attack"] <= each.numbers[failures[each.code]], (seed, each)
            if each.verdict.dislodged:
                assert each.orders["dislodged_by"]
            if each.code in ("moved", "swapped", "dislodged-other"):
                assert each.numbers["attack"] >= 1
