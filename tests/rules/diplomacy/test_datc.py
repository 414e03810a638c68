"""The Diplomacy Adjudicator Test Cases, all 173 records of them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.diplomacy.cases import ADVANCEMENT, CASES, ROLES, STANDARD, ZONES, order, situation, write

from tablee.rules.diplomacy.adjustments import balance
from tablee.rules.diplomacy.model import AFJD, DATC, Act, Dislodged, Outcome, Verdict
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.retreats import retreat_options

every_case = pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])


def test_there_are_173_records() -> None:
    assert len(CASES) == 173


@every_case
def test_the_datc_s_case_comes_out_as_it_says(case: dict[str, Any]) -> None:
    before = situation(case)
    orders = [order(text) for text in case["orders"]]
    found = resolve(STANDARD, ADVANCEMENT[case["phase"]], before, orders, DATC)
    assert sorted(write(unit) for unit in found.situation.units) == case["after"]
    said = {name(case, verdict): said_of(verdict) for verdict in reversed(found.verdicts)}
    for who, expected in case["verdicts"].items():
        assert said[who] in allowed(case, expected), who


@every_case
def test_the_datc_s_dislodged_units_have_the_retreats_it_says(case: dict[str, Any]) -> None:
    if case["phase"] != "movement":
        return
    before, orders = situation(case), [order(text) for text in case["orders"]]
    for choices in (DATC, AFJD):
        found = resolve(STANDARD, 0, before, orders, choices)
        after = found.situation
        retreats = {write(unit): retreat_options(STANDARD, after, unit) for unit in after.dislodged}
        origins = {write(unit): unit.origin for unit in after.dislodged}
        if choices is AFJD and case["case"] == "6.B.9":
            continue  # the coast in a support is ignored: another outcome
        assert retreats.keys() | {write(unit) for unit in found.destroyed} == case["dislodged"].keys()
        assert sorted(after.forbiddens) == sorted(ZONES[code] for code in case["closed"])
        for who, facts in case["dislodged"].items():
            origin = origins.get(who, 0)
            assert origin in (0, ZONES[facts["from"]])
            options = {ZONES[code] for code in facts["options"]}
            if choices is AFJD:
                options.discard(ZONES[facts["from"]])
            assert set(retreats.get(who, ())) == options, who


@every_case
def test_the_datc_s_numbers_of_builds_removals_and_steps_are_ours(case: dict[str, Any]) -> None:
    if case["phase"] != "adjustment":
        return
    before = situation(case)
    counted = balance(STANDARD, before)
    assert {letter: counted[ROLES[letter]] for letter in case["balance"]} == case["balance"]
    found = resolve(STANDARD, 4, before, [order(text) for text in case["orders"]], DATC)
    assert sorted(write(unit).split(" ", 1)[1] for unit in found.destroyed) == case.get("removed", [])
    for who, distance in case.get("distances", {}).items():
        (letter,) = case["balance"]
        owned = [ZONES[code] for code in case["centres"][letter]]
        region = STANDARD.region_of[ZONES[who.split()[1]]]
        assert STANDARD.distances(owned)[region] == distance


@every_case
def test_the_options_of_units_that_retreat_are_the_datc_s(case: dict[str, Any]) -> None:
    before = situation(case)
    for unit, facts in zip(before.dislodged, case.get("retreating", ()), strict=True):
        assert isinstance(unit, Dislodged)
        assert retreat_options(STANDARD, before, unit) == tuple(sorted(ZONES[c] for c in facts["options"]))


def name(case: dict[str, Any], verdict: Verdict) -> str:
    """How the case calls the order: by the unit where it stands, or as it was written in adjustments."""
    given = verdict.order
    zone = given.zone
    kind = given.kind
    for unit in situation(case).units:
        if STANDARD.region_of[unit.zone] == STANDARD.region_of[zone] and case["phase"] == "movement":
            zone, kind = unit.zone, unit.kind
    ending = {Act.BUILD: " B", Act.REMOVE: " D"}.get(Act(given.act), "")
    return f"{' AF'[kind]} {STANDARD.codes[zone].upper()}{ending}"


def said_of(verdict: Verdict) -> str:
    words = [verdict.outcome.value]
    if verdict.dislodged:
        words.append("dislodged")
    elif verdict.disbanded and verdict.order.act != Act.REMOVE:
        words.append("disbanded")
    return " ".join(words)


def allowed(case: dict[str, Any], expected: str) -> set[str]:
    """An adjustment that cannot be is `illegal` with us and `void` in the DATC; 6.A.6 speaks of the unit."""
    if case["phase"] == "adjustment" and expected == "void":
        return {Outcome.VOID, Outcome.ILLEGAL}
    if case["case"] == "6.A.6":
        return {Outcome.ILLEGAL}
    return {expected}
