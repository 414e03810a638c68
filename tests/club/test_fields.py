"""The form of names, passwords, addresses and places."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.club import Invalid, fields
from tablee.club.places import countries, time_zone_code, time_zones


@pytest.mark.parametrize(
    "name", ["a", "Léa", "Œdipe", "J.-P._3", "x" * 30, "été", "Łukasz", "Straße", "Ζωή", "Юрий"]
)
def test_a_good_name_is_kept_as_it_is(name: str) -> None:
    assert fields.pseudo(name) == name


def test_a_name_is_kept_composed() -> None:
    assert fields.pseudo(unicodedata.normalize("NFD", "Éloïse")) == unicodedata.normalize("NFC", "Éloïse")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "pseudo_empty"),
        ("x" * 31, "pseudo_too_long"),
        ("x" * 10_000, "pseudo_too_long"),
        ("e\u0301" * 31, "pseudo_too_long"),
        ("Lé a", "pseudo_characters"),
        ("a#b", "pseudo_characters"),
        ("a~b", "pseudo_characters"),
        ("a|b", "pseudo_characters"),
        ("a\x00", "pseudo_characters"),
        ("a\n", "pseudo_characters"),
        ("a\u200b", "pseudo_characters"),  # zero width space
        ("\u202eael", "pseudo_characters"),  # turns the direction of the text
        ("l\u0430", "pseudo_characters"),  # a Cyrillic а after a Latin l
        ("\u0430l", "pseudo_characters"),
        ("\u043b\u043ea", "pseudo_characters"),
        ("\uff4c\uff45\uff41", "pseudo_characters"),  # full width
        ("\U0001d41a", "pseudo_characters"),  # a mathematical bold a
        ("\u3164", "pseudo_characters"),  # Hangul's filler looks like nothing at all
        ("\u1160", "pseudo_characters"),
        ("\u0661", "pseudo_characters"),  # an Arabic digit
        ("\ud800", "pseudo_characters"),
        ("a\u0301\u0301", "pseudo_characters"),  # a second accent that cannot be composed
        ("ALL", "pseudo_reserved"),
        ("Guest", "pseudo_reserved"),
        ("visiteur", "pseudo_reserved"),
        ("Visiteur-abc", "pseudo_reserved"),
        ("sErVeR", "pseudo_reserved"),
        ("admin", "pseudo_reserved"),
        ("..", "pseudo_reserved"),
        (7, "field_type"),
    ],
)
def test_a_bad_name_is_refused_with_its_reason(name: Any, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        fields.pseudo(name)
    assert refused.value.code == code
    for language in ("fr", "en"):
        assert refused.value.sentence(language).replace("\u00a0", " ").isprintable()


def test_a_door_may_want_shorter_names() -> None:
    with pytest.raises(Invalid, match="12"):
        fields.pseudo("treizelettres", most=12)


@pytest.mark.parametrize(("one", "other"), [("Léa", "LÉA"), ("Straße", "STRASSE"), ("Ζωής", "ζωήΣ")])
def test_names_that_differ_in_case_alone_are_the_same(one: str, other: str) -> None:
    assert fields.pseudo_key(one) == fields.pseudo_key(other)
    assert fields.pseudo_key(unicodedata.normalize("NFD", one)) == fields.pseudo_key(other)


@given(st.text(max_size=40))
def test_whatever_is_taken_for_a_name_is_short_plain_and_stable(text: str) -> None:
    try:
        name = fields.pseudo(text)
    except Invalid:
        return
    assert 1 <= len(name) <= 30
    assert all(c.isalnum() or c in "_-." for c in name)
    assert fields.pseudo(name) == name
    assert fields.pseudo_key(name) == fields.pseudo_key(fields.pseudo_key(name))


@pytest.mark.parametrize(
    ("password", "least", "code"),
    [
        ("", 1, "password_too_short"),
        ("1234567", 8, "password_too_short"),
        ("x" * 129, 1, "password_too_long"),
        ("x" * 10_000, 1, "password_too_long"),
        ("a\x00b", 1, "password_characters"),
        ("a\tb", 1, "password_characters"),
        ("a\x85b", 1, "password_characters"),
        ("\udfff", 1, "password_characters"),
    ],
)
def test_a_bad_password_is_refused_with_its_reason(password: str, least: int, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        fields.password(password, least)
    assert refused.value.code == code


@pytest.mark.parametrize("password", ["x", "x" * 128, "mot de passe", "clé🗝️", "#~|"])
def test_any_other_password_is_good(password: str) -> None:
    assert fields.password(password) == password


@pytest.mark.parametrize("address", ["a@b.fr", "lea+jeux@Exemple.ORG", "o'neil@club.example", "x@localhost"])
def test_an_address_is_kept_with_its_domain_in_small_letters(address: str) -> None:
    local, _, domain = address.partition("@")
    assert fields.email(address) == f"{local}@{domain.lower()}"


def test_an_address_with_accents_in_its_domain_is_kept_as_mail_wants_it() -> None:
    assert fields.email("lea@château.example") == "lea@xn--chteau-xta.example"


@pytest.mark.parametrize(
    "address",
    [
        *(
            "",
            "lea",
            "@b.fr",
            "lea@",
            "a b@c.fr",
            "lea@b..fr",
            ".lea@b.fr",
            "lea@-b.fr",
            "a@b@c.fr",
            "a,b@c.fr",
        ),
        *("lea@b.fr\nBcc: x@y.fr", "lea\x00@b.fr", "lea@b.fr\r", "x" * 300 + "@b.fr", "é@b.fr", "<a@b.fr>"),
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(Invalid) as refused:
        fields.email(address)
    assert refused.value.field == "email"


def test_every_country_has_its_code_and_both_names() -> None:
    assert len(countries()) == 249 + len(("ANT", "SCG"))
    assert countries()["FRA"].fr == "France"
    assert countries()["CHE"].en == "Switzerland"
    for place in countries().values():
        assert len(place.code) == 3
        assert place.code.isupper()
        assert place.fr.strip()
        assert place.en.strip()
    names = [place.fr for place in countries().values()]
    assert len(set(names)) == len(names)


def test_the_time_zones_run_from_west_to_east_and_are_written_as_the_document_writes_them() -> None:
    assert time_zones()["UTC - 3:30"].fr == "Saint-Jean de Terre-Neuve"
    assert "Paris" in time_zones()["UTC + 1"].fr
    offsets = []
    for place in time_zones().values():
        assert time_zone_code(place.code) == place.code
        sign, _, size = place.code.removeprefix("UTC").strip().partition(" ")
        hours, _, minutes = (size or "0").partition(":")
        offsets.append((-1 if sign == "-" else 1) * (int(hours) * 60 + int(minutes or 0)))
    assert offsets == sorted(offsets)


@pytest.mark.parametrize(
    ("given", "kept"),
    [("UTC+1", "UTC + 1"), ("utc - 3:30", "UTC - 3:30"), ("UTC + 0", "UTC"), ("UTC +05:30", "UTC + 5:30")],
)
def test_a_time_zone_may_be_written_carelessly(given: str, kept: str) -> None:
    assert fields.time_zone(given) == kept


FOREIGN: list[tuple[Any, list[Any]]] = [
    (fields.country, ["XXX", "FR", "France", "\x00", 3, "F" * 10_000]),
    (fields.time_zone, ["Europe/Paris", "UTC + 1:17", "UTC + 99", 1, "U" * 10_000]),
    (fields.language, ["de", "", None, "FR", {}]),
    (fields.settings, [[], "x", {"a": "x" * 20_000}, {"a": object()}]),
]


@pytest.mark.parametrize(
    ("check", "value"), [(check, value) for check, values in FOREIGN for value in values]
)
def test_places_languages_and_settings_that_are_not_ours_are_refused(check: Any, value: Any) -> None:
    with pytest.raises(Invalid) as refused:
        check(value)
    assert refused.value.sentence("fr").replace("\u00a0", " ").isprintable()


@pytest.mark.parametrize("value", ["x" * 31, "a\x00b", "a\u202eb", "x" * 10_000, 3, "\ud800"])
def test_a_family_name_has_its_limits(value: Any) -> None:
    with pytest.raises(Invalid) as refused:
        fields.text("family_name", value)
    assert refused.value.field == "family_name"


def test_accents_in_names_are_kept() -> None:
    assert fields.text("family_name", "  D’Arc-Müller ") == "D’Arc-Müller"
