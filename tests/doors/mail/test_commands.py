"""The words of a letter that are no orders."""

from __future__ import annotations

import pytest

from tablee.doors.mail.commands import (
    ITEMS_MOST,
    Absent,
    Finish,
    Help,
    Item,
    Line,
    Said,
    Status,
    items_of,
)

ROLES = {"italie": 4, "italy": 4, "autriche": 5, "france": 2}


def read(text: str) -> list[Item]:
    return items_of(text.split("\n"), lambda name: ROLES.get(name.strip().lower()))


@pytest.mark.parametrize("text", ["définitif", "Définitif.", "DEFINITIF !", "final", "Final"])
def test_final_is_said_in_both_languages(text: str) -> None:
    assert read(text) == [Finish(1, text, final=True)]


@pytest.mark.parametrize("text", ["brouillon", "not final", "pas définitif"])
def test_and_so_is_not_final(text: str) -> None:
    assert read(text) == [Finish(1, text, final=False)]


def test_status_and_help() -> None:
    assert read("état\nstatus\naide\nHelp!") == [
        Status(1, "état"),
        Status(2, "status"),
        Help(3, "aide"),
        Help(4, "Help!"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "absent jusqu'au 12 mars",
        "Absente jusqu’au 12 mars.",
        "away until 12 mars",
        "je suis absent jusqu'au 12 mars",
    ],
)
def test_an_absence_has_its_day(text: str) -> None:
    (found,) = read(text)
    assert isinstance(found, Absent)
    assert found.until == "12 mars"


def test_press_goes_on_until_an_empty_line() -> None:
    first, second, third = read("presse :\nUn.\nA PAR - PIC\n\nA PAR - BUR\npress: two")
    assert first == Said(1, "presse :", (), "Un.\nA PAR - PIC")
    assert second == Line(5, "A PAR - BUR")
    assert third == Said(6, "press: two", (), "two")


@pytest.mark.parametrize(
    ("text", "to"),
    [
        ("à Italie: oui", (4,)),
        ("À l’Italie : oui", (4,)),
        ("a italie: oui", (4,)),
        ("to Italy: oui", (4,)),
        ("à Italie et Autriche: oui", (4, 5)),
        ("à l'Italie, l'Autriche: oui", None),
        ("à Atlantide: oui", None),
    ],
)
def test_a_letter_names_who_gets_it(text: str, to: tuple[int, ...] | None) -> None:
    assert read(text) == [Line(1, text) if to is None else Said(1, text, to, "oui")]


def test_orders_with_a_colon_stay_orders() -> None:
    assert read("France: A PAR - BUR\nA Paris: tient") == [
        Line(1, "France: A PAR - BUR"),
        Line(2, "A Paris: tient"),
    ]


def test_greetings_are_no_orders_and_orders_below_them_are() -> None:
    assert read("Bonjour,\n\nA PAR - BUR\nMerci,\nJean Dupont\nF BRE - MID") == [
        Line(3, "A PAR - BUR"),
        Line(5, "Jean Dupont", is_farewell=True),
        Line(6, "F BRE - MID", is_farewell=True),
    ]


def test_no_letter_is_read_for_ever() -> None:
    assert len(read("A PAR - BUR\n" * 10_000)) == ITEMS_MOST
