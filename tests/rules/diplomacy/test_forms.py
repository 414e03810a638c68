"""Situations and orders as JSON, problems in files, and everything that is none of these."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from tests.rules.diplomacy.phases_at_random import random_phase

from tablee.rules.diplomacy.forms import (
    BadForm,
    read_order_forms,
    read_situation,
    write_order_form,
    write_situation,
)
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import Act, Dislodged, Order, Situation, Unit
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.problem import BadProblem, read_problem
from tablee.rules.diplomacy.variant import load_variant

STANDARD = load_variant("standard")
ZONE = {code: zone for zone, code in enumerate(STANDARD.codes)}

PROBLEM = """
variant standard
phase 0

[units]
France: A PAR, F SPA/SC   # la flotte est au sud
Allemagne: A MUN

[centres]
F: PAR, MAR

[orders]
France
A PAR - BUR
Germany
A MUN - BUR
"""


def test_a_situation_is_written_and_read_again() -> None:
    for seed in range(50):
        situation, _ = random_phase(STANDARD, Random(seed))
        after = resolve(STANDARD, 0, *random_phase(STANDARD, Random(seed))).situation
        for one in (situation, after, STANDARD.start()):
            again = read_situation(STANDARD, json.loads(json.dumps(write_situation(one))))
            assert sorted(again.units) == sorted(one.units)
            assert sorted(again.dislodged) == sorted(one.dislodged)
            assert (again.ownerships, again.forbiddens) == (one.ownerships, tuple(sorted(one.forbiddens)))


def test_orders_are_read_from_lists_and_from_the_document_s_dictionaries() -> None:
    par, bur = ZONE["par"], ZONE["bur"]
    listed = [[2, 1, par, 0, bur], [2, 1, par, 0, bur, 1], [2, 8, par, 0, 0]]
    situation = Situation(fake_units=(Unit(2, 1, par),))
    assert read_order_forms(STANDARD, listed, situation) == [
        Order(2, Act.MOVE, par, 0, bur),
        Order(2, Act.MOVE, par, 0, bur, via_convoy=True),
        Order(2, Act.BUILD, par, kind=1),
    ]
    said = {
        "order_type": 2,
        "active_unit": {"type_unit": 1, "role": 2, "zone": par},
        "passive_unit": {"type_unit": 1, "role": 2, "zone": ZONE["mar"]},
        "destination_zone": bur,
    }
    (order,) = read_order_forms(STANDARD, [said], situation)
    assert order == Order(2, Act.SUPPORT_MOVE, par, ZONE["mar"], bur)
    assert write_order_form(order) == [2, 2, par, ZONE["mar"], bur]


def test_every_legal_order_is_written_and_read_again() -> None:
    rich = Situation(dict.fromkeys(range(1, 35), 6), (Unit(6, 1, ZONE["mos"]),))
    for advancement, situation in ((0, STANDARD.start()), (4, rich)):
        legal = [o for each in legal_orders(STANDARD, advancement, situation).values() for o in each]
        again = json.loads(json.dumps([write_order_form(order) for order in legal]))
        assert read_order_forms(STANDARD, again[:324], situation) == legal[:324]
    assert {order.kind for order in legal} == {1, 2}


def test_a_build_and_its_fake_unit_must_agree() -> None:
    stp, coast = ZONE["stp"], ZONE["stp/nc"]
    situation = Situation(fake_units=(Unit(6, 2, coast),))
    built = Order(6, Act.BUILD, coast, kind=2)
    said = {"order_type": 8, "active_unit": {"type_unit": 2, "role": 6, "zone": coast}}
    forms = ([6, 8, coast, 0, 0], [6, 8, stp, 0, 0], [6, 8, coast, 0, 0, 0, 2], said)
    for form in forms:
        assert read_order_forms(STANDARD, [form], situation) == [built]
    said["active_unit"] = {"type_unit": 1, "role": 6, "zone": stp}
    for wrong in ([6, 8, stp, 0, 0, 0, 1], [6, 8, ZONE["stp/sc"], 0, 0], said):
        with pytest.raises(BadForm, match="fake_units"):
            read_order_forms(STANDARD, [wrong], situation)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ([], "A situation is a dictionary"),
        ({"unit": {}}, "has no “unit”"),
        ({"units": {"9": [[1, 47]]}}, "from 1 to 7"),
        ({"units": {"2": [[1, 1]]}}, "an army cannot stand in ADR"),
        ({"units": {"2": [[2, 47]]}}, "inland"),
        ({"units": {"2": [[2, 60]]}}, "one of its coasts: 78 or 79"),
        ({"units": {"2": [[1, 47]], "3": [[1, 47]]}}, "Two of “units” are in PAR"),
        ({"units": {"2": [[1]]}}, r"\[type, zone\]"),
        ({"ownerships": {"35": 1}}, "A centre is a number from 1 to 34"),
        ({"forbiddens": [76]}, "from 1 to 75"),
        ({"units": {"2": [[True, 47]]}}, "from 1 to 2"),
    ],
)
def test_what_is_no_situation_is_refused_with_a_sentence(form: Any, sentence: str) -> None:
    with pytest.raises(BadForm, match=sentence):
        read_situation(STANDARD, form)


def test_a_problem_is_read_from_text() -> None:
    problem = read_problem(PROBLEM)
    assert problem.situation.units == (
        Unit(2, 1, ZONE["par"]),
        Unit(2, 2, ZONE["spa/sc"]),
        Unit(3, 1, ZONE["mun"]),
    )
    assert problem.situation.ownerships == {20: 2, 15: 2}
    orders = problem.orders(0, 0, problem.situation)
    assert [order.role for order in orders] == [2, 3]


def test_a_problem_without_units_is_the_beginning_and_dislodged_units_name_their_attacker() -> None:
    assert read_problem("[orders]\nFrance\nA PAR - BUR").situation == STANDARD.start()
    text = "phase 1\n[dislodged]\nTurkey: F GRE < ION\n[units]\nItaly: F GRE\n[closed]\nBOH\n[orders]\n"
    problem = read_problem(text)
    assert problem.situation.dislodged == (Dislodged(7, 2, ZONE["gre"], ZONE["ion"]),)
    assert problem.situation.forbiddens == (ZONE["boh"],)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("variant moon", "There is no variant “moon”"),
        ("phase x", "A phase is a number"),
        ("[unit]", "no section"),
        ("[units]\nA PAR", "names no power"),
        ("[units]\nMoon: A PAR", "no power of this variant"),
        ("[units]\nFrance: A ADR", "cannot stand in ADR"),
        ('{"variant": ', "no JSON"),
        ("hello", "a section is expected"),
        ("[units]\nFrance: A PAR S A BUR", "is no unit"),
        ("[units]\nFrance: Germany A PAR", "is no unit"),
        ("[units]\nFrance: A PAR\n[closed]\nPAR S A BUR", "is no unit"),
        ("[units]\nFrance: A PAR\n[centres]\nFrance: PAR\nGermany: PAR", "two powers"),
        ("[centres]\nFrance: PAR", r"no \[units\]"),
        ("[dislodged]\nFrance: A PAR < BUR", "no phase of retreats"),
        ("phase 4\n[dislodged]\nFrance: A PAR < BUR", "no phase of retreats"),
        ('{"situation": {"dislodged_ones": {"2": [[1, 47, 0]]}}}', "no phase of retreats"),
        ('{"a":' * 100_000, "no JSON"),
        ('{"advancement": ' + "9" * 5000 + "}", "no JSON"),
        ('{"orders": 7}', "Orders are a list"),
        ('{"variant": []}', "There is no variant"),
    ],
)
def test_a_bad_problem_says_where(text: str, sentence: str) -> None:
    with pytest.raises(BadProblem, match=sentence):
        read_problem(text)


def spoiled(value: Any, rng: Random) -> Any:
    """A JSON value with something in it changed."""
    junk: list[Any] = [
        None,
        True,
        -1,
        0,
        76,
        10**12,
        1.5,
        "",
        "x",
        "12",
        [],
        {},
        [[]],
        {"a": 1},
        "\x00",
        "é" * 50,
    ]
    if rng.random() < 0.15:
        return rng.choice(junk)
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        changed = {**value, key: spoiled(value[key], rng)}
        return {**changed, rng.choice(["7", "x", ""]): rng.choice(junk)} if rng.random() < 0.2 else changed
    if isinstance(value, list) and value:
        index = rng.randrange(len(value))
        return [*value[:index], spoiled(value[index], rng), *value[index + 1 :]]
    return rng.choice(junk)


def fuzz_forms(count: int, seed: int = 1) -> int:
    """Spoil so many situations and lists of orders; how many could still be resolved."""
    rng = Random(seed)
    resolved = 0
    for number in range(count):
        if number % 200 == 0:
            situation, orders = random_phase(STANDARD, Random(seed + number))
            form = write_situation(situation)
            listed = [write_order_form(order) for order in orders]
        with suppress(BadForm):
            read = read_situation(STANDARD, spoiled(form, rng) if rng.random() < 0.5 else form)
            given = read_order_forms(STANDARD, spoiled(listed, rng), read)
            resolve(STANDARD, rng.randrange(5), read, given)
            resolved += 1
    return resolved


def test_a_few_thousand_spoiled_situations_and_orders_are_resolved_or_refused_with_a_sentence() -> None:
    assert fuzz_forms(3000) > 100


def test_spoiled_problems_are_read_or_refused_with_a_sentence() -> None:
    rng = Random(3)
    letters = [*"ABCFSR-+:,<[]#\n /()0123456789é", "France", "[units]", "variant ", "{", "}", '"']
    for _ in range(1500):
        at = rng.randrange(len(PROBLEM))
        text = PROBLEM[:at] + rng.choice(letters) + PROBLEM[at + rng.randint(0, 3) :]
        with suppress(BadProblem):
            problem = read_problem(text)
            orders = problem.orders(0, problem.advancement, problem.situation)
            resolve(problem.variant, problem.advancement, problem.situation, orders)


@pytest.mark.long
def test_a_hundred_thousand_spoiled_situations_and_orders_never_end_in_anything_else() -> None:
    fuzz_forms(100_000, seed=7)
