"""Tiles and codes as the document's annexes list them, and how they are read and written."""

from __future__ import annotations

import pytest

from tablee.rules.robots.codes import CODES, code_text, read_code
from tablee.rules.robots.directions import AZIMUTHS, E, N, O, S, ahead, turned
from tablee.rules.robots.tiles import DEEDS, TILES, read_tile, tile_text

SIDES = {"N": N, "E": E, "S": S, "O": O}
LETTERS = "NESO"


@pytest.mark.parametrize("name", TILES)
def test_a_tile_is_written_in_full_and_read_in_every_form(name: str) -> None:
    text = tile_text(name)
    number, _, written = text.partition(", ")
    assert written == name
    assert number == f"0x{TILES[name]:04X}"
    assert len(number) == 6
    for form in (text, number, number.lower(), name, TILES[name], str(TILES[name]), f" {number} ,{name} "):
        assert read_tile(form) == name


@pytest.mark.parametrize("name", CODES)
def test_a_code_is_written_in_full_and_read_in_every_form(name: str) -> None:
    text = code_text(name)
    number, _, written = text.partition(", ")
    assert (number, written) == (f"0x{CODES[name]:04X}", name)
    for form in (text, number, number.lower(), name, CODES[name], str(CODES[name])):
        assert read_code(form) == name


def test_the_annexes_give_no_value_twice() -> None:
    assert len(set(TILES.values())) == len(TILES) == 47
    assert len(set(CODES.values())) == len(CODES) == 44


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("murLaser_NS", "0x0214, murLaser_NS"),
        ("mur_NSO", "0x01D0, mur_NSO"),
        ("neutre", "0x0000, neutre"),
        ("loi_r3", "0x8100, loi_r3"),
    ],
)
def test_some_tiles_are_written_as_the_rules_spell_them(name: str, value: str) -> None:
    assert tile_text(name) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Move_90Right", "0x245A, Move_90Right"),
        ("Hustle_McndLeft", "0x8114, Hustle_McndLeft"),
        ("Hustle_PusherLeft", "0x8143, Hustle_PusherLeft"),
        ("Damage_LaserRight", "0x8221, Damage_LaserRight"),
        ("Damage_LaserLeft", "0x8223, Damage_LaserLeft"),
        ("Conveyor_MakeMoveRear", "0x8422, Conveyor_MakeMoveRear"),
        ("Conveyor_Turn45Left", "0x8441, Conveyor_Turn45Left"),
        ("Conveyor_Turn90Left", "0x8481, Conveyor_Turn90Left"),
        ("Enrichment_Standby", "0x8822, Enrichment_Standby"),
        ("None", "0x0000, None"),
    ],
)
def test_some_codes_are_written_as_the_rules_spell_them(name: str, value: str) -> None:
    assert code_text(name) == value


def test_the_misprint_of_the_document_is_read() -> None:
    assert read_tile("mur_NS0") == "mur_NSO"
    assert read_tile("0x01D0, mur_NS0") == "mur_NSO"


@pytest.mark.parametrize(
    "value",
    [
        "", ",", "0x", "0x0214,", "0x0214, murLaser_SN", "0x16, murLaser_NS", ", murLaser_NS", "murlaser_ns",
        "0x0214 murLaser_NS", "0x0214, murLaser_NS, neutre", "-1", "1e3", "0x00000000000000000000000214",
        "9" * 5000, "٢٠", "0b11", 3, -1, 10**30, True, False, None, 2.0, 532.0, [], ["neutre"], {"neutre": 0},
        b"neutre",
    ],
)  # fmt: skip
def test_what_is_in_no_annex_is_not_read(value: object) -> None:
    with pytest.raises(ValueError, match="none of the document's values"):
        read_tile(value)
    if value != 3:
        with pytest.raises(ValueError, match="none of the document's values"):
            read_code(value)


@pytest.mark.parametrize("name", TILES)
def test_a_tile_does_what_its_name_says(name: str) -> None:
    tile = DEEDS[name]
    kind, _, rest = name.partition("_")
    walls = {"mur": rest, "murLaser": rest[:1]}.get(kind, "")
    assert tile.walls == sum(SIDES[letter] for letter in walls)
    entries, exit = rest.removeprefix("e").split("s") if kind == "conv" else ("", "")
    assert tile.entries == sum(SIDES[letter] for letter in entries)
    assert tile.exit == (LETTERS.index(exit) if exit else -1)
    assert tile.fires == (LETTERS.index(rest[1]) if kind == "murLaser" else -1)
    pushes = {"pous_proue": "N", "pous_tribord": "E", "pous_poupe": "S", "pous_babord": "O"}.get(name)
    assert tile.pushes == (LETTERS.index(pushes) if pushes else -1)
    assert tile.turn == {"pt_babord": 3, "pt_tribord": 1}.get(name, 0)


def test_azimuths_turn_to_the_right_and_step_as_the_board_is_drawn() -> None:
    assert [turned("North", quarters) for quarters in range(-1, 5)] == ["West", *AZIMUTHS, "North"]
    assert {azimuth: ahead(azimuth) for azimuth in AZIMUTHS} == {
        "North": (0, -1),
        "East": (1, 0),
        "South": (0, 1),
        "West": (-1, 0),
    }
