"""Boards: what the house's own say, and what is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.resources import files
from random import Random

import pytest
from tests.rules.diplomacy.test_forms import spoiled

from tablee.rules.diplomacy.document import from_document, to_document
from tablee.rules.diplomacy.forms import read_situation, write_situation
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.source import parse_variant
from tablee.rules.diplomacy.variant import VariantError, load_variant, variant_names

STANDARD = load_variant("standard")
TEXT = (files("tablee.rules.diplomacy") / "variants" / "detroit.txt").read_text("utf-8")


def test_there_are_boards_for_two_for_three_and_for_seven() -> None:
    assert variant_names()[0] == "standard"
    assert sorted(load_variant(name).roles for name in variant_names()) == [2, 3, 7]


def test_the_standard_board_has_the_document_s_numbers() -> None:
    assert STANDARD.zones == 81
    assert [STANDARD.codes[zone] for zone in (1, 38, 75, 76, 81)] == ["adr", "mid", "yor", "bul/ec", "stp/sc"]
    assert STANDARD.centres[1] == STANDARD.codes.index("ank")
    assert STANDARD.centres[34] == STANDARD.codes.index("war")
    assert len(STANDARD.start_units) == 22
    assert sum(map(len, STANDARD.home)) == 22


def test_the_document_s_form_has_the_document_s_keys_and_shapes() -> None:
    document = json.loads(json.dumps(to_document(STANDARD)))
    assert len(document["regions"]) == 75
    assert len(document["centers"]) == 34
    assert document["roles"] == {"number": 7}
    assert document["type_coasts"] == {"number": 3}
    assert document["coastal_zones"] == [[16, 1], [16, 3], [60, 2], [60, 3], [61, 2], [61, 3]]
    assert document["start_units"][0] == {"1": [36], "2": [22, 34]}
    assert document["year_zero"] == 1900
    assert [len(by_role) for by_role in document["distancing"]] == [7, 7]
    assert all(len(distances) == 81 for distances in document["distancing"][0])
    assert document["neighbouring"][0]["47"] == [14, 17, 26, 48]


@pytest.mark.parametrize("name", variant_names())
def test_a_board_comes_back_from_the_document_s_form(name: str) -> None:
    document = json.loads(json.dumps(to_document(load_variant(name))))
    again = from_document(document, name)
    assert to_document(again) == document
    assert again.reach == load_variant(name).reach


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ait  coast", "ait  marsh", "detroit.txt:10: a region begins with a code"),
        ("bor  coast  centre", "ait  coast  centre", "detroit.txt:11: the code “ait” is given twice"),
        ("| bor cla           | bor hul nor", "| bor cla xyz       | bor hul nor", "“xyz” is no zone"),
        ("| bor cla           | bor hul nor", "| bor               | bor hul nor", "but not back"),
        ("Bordevent ", "Aiguemarine ", "“Aiguemarine” is given twice"),
        ("year     1700", "year     soon", "“soon” is no year"),
        ("ait bor cla | F ait", "ait bor dun | F ait", "a home is no centre"),
        ("F ait, A bor", "F ait, A hul", "could never move"),
        ("F ait, A bor", "F ait, A ait", "two units begin in ait"),
        ("40 90 200", "40 90 300", "a colour is three numbers"),
        ("variant  detroit", "variant  Le Détroit", "is no name"),
        ("L | Levant", "O | Levant", "the letter O stands for two powers"),
        ("fou/nc | dun", "fou/ec | dun", "is no region and coast"),
    ],
)
def test_a_faulty_board_is_refused_with_where_and_why(old: str, new: str, said: str) -> None:
    assert old in TEXT
    with pytest.raises(VariantError) as refused:
        parse_variant(TEXT.replace(old, new, 1), "detroit.txt")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"regions": [1, 2, 9]},
        {"centers": [99]},
        {"roles": 7},
        {"neighbouring": [{}]},
        {"start_units": [{"3": [1]}]},
        {"start_centers": [[77]]},
        {"neighbouring": [{"1": [2]}, {}]},
    ],
)
def test_a_faulty_document_is_refused(broken: dict[str, object]) -> None:
    document = {**to_document(load_variant("detroit")), **broken} if broken else {}
    with pytest.raises(VariantError):
        from_document(document)


def test_spoiled_documents_are_boards_or_refused_with_a_sentence() -> None:
    rng = Random(5)
    whole = json.loads(json.dumps(to_document(load_variant("detroit"))))
    made = 0
    for _ in range(3000):
        try:
            variant = from_document(spoiled(whole, rng))
        except VariantError:
            continue
        made += 1
        start = read_situation(variant, write_situation(variant.start()))
        for advancement in range(5):
            orders = [o for each in legal_orders(variant, advancement, start).values() for o in each]
            resolve(variant, advancement, start, orders[:40])
    assert made > 20


def test_spoiled_sources_are_boards_or_refused_with_a_sentence() -> None:
    rng = Random(6)
    pieces = [
        "|",
        "/",
        ",",
        "-",
        "\n",
        " ",
        "coast",
        "sea",
        "land",
        "centre",
        "shores",
        "powers",
        "A ait",
        "é",
        "ait",
    ]
    for _ in range(3000):
        at = rng.randrange(len(TEXT))
        with suppress(VariantError):
            parse_variant(TEXT[:at] + rng.choice(pieces) + TEXT[at + rng.randint(0, 12) :], "spoiled")


def test_a_board_of_the_document_has_its_bounds() -> None:
    document = {**to_document(load_variant("detroit")), "regions": [1] * 100_000}
    with pytest.raises(VariantError, match="2000"):
        from_document(document)


def test_an_unknown_board_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load_variant("../secret")
