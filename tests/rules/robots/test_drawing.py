"""A board drawn shows every tile of it, as a picture and as text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from tests.rules.robots.plain import board

from tablee.rules.robots.board import compile_board
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.checking import read_board
from tablee.rules.robots.drawing import draw_picture, draw_text
from tablee.rules.robots.starts import starting_tiles
from tablee.rules.robots.tiles import DEEDS, TILES

SVG = "{http://www.w3.org/2000/svg}"


def tile_drawings(name: str) -> str:
    """What a picture draws in and around the tile [6,6], if it is of this kind."""
    return draw_picture(compile_board(read_board(board((name, 6, 6)))), "essai")


@pytest.mark.parametrize("name", shipped_boards())
def test_a_picture_is_one_well_formed_svg_with_every_tile_and_its_title(name: str) -> None:
    ground = compile_board(shipped_boards()[name].document)
    root = ElementTree.fromstring(draw_picture(ground, "L’usine & <co>", starting_tiles(ground)))
    assert root.findtext(f"{SVG}title") == "L’usine & <co>"
    tiles = root.findall(f"{SVG}g")
    assert len(tiles) == 144
    tinted = [number for number, tile in enumerate(tiles) if tile[0].get("fill") == "#dbe9fb"]
    assert tinted == list(starting_tiles(ground))
    for tile, kind in zip(tiles, ground.names, strict=True):
        has_walls_only = kind.startswith("mur_") and kind != "mur_NESO"
        assert (len(tile) > 1) == (kind != "neutre" and not has_walls_only)


def test_every_kind_of_tile_has_a_picture_of_its_own() -> None:
    kinds = [name for name in TILES if name not in ("neutre", "presse") and not name.startswith("loi")]
    pictures = {tile_drawings(name) for name in kinds}
    assert len(pictures) == len(kinds)


def test_the_text_has_a_wall_wherever_nobody_passes() -> None:
    text = draw_text(compile_board(read_board(board(("mur_ESO", 2, 2)))))
    rows = text.splitlines()
    assert rows[4].startswith("  2 │ · │ · │ ·")
    assert rows[5].startswith("    +   +───+   +")
    assert rows[3].startswith("    +   +   +")


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("conv_eOsE", " → "),
        ("conv_eSsE", "s→ "),
        ("conv_eNOsE", "nw→"),
        ("pt_babord", " ↶ "),
        ("pt_tribord", " ↷ "),
        ("pous_poupe", " ⇓ "),
        ("murLaser_EO", "*← "),
        ("nid2poule", " o "),
        ("action", " A "),
        ("clef_2rep", "+2 "),
        ("mur_NESO", "███"),
    ],
)
def test_the_text_has_a_sign_for_each_tile(name: str, sign: str) -> None:
    row = draw_text(compile_board(read_board(board((name, 6, 6))))).splitlines()[12]
    assert row[5 + 4 * 5 : 5 + 4 * 5 + 3] == sign


def test_the_text_shows_beams_and_starts() -> None:
    ground = compile_board(read_board(board(("murLaser_OE", 1, 6), ("murLaser_NS", 6, 1))))
    text = draw_text(ground, starting_tiles(ground))
    assert text.splitlines()[12][5 + 4 * 5 :].startswith("┄:┄ ┄┄┄")
    assert text.partition("\n\n")[0].count("'") == len(starting_tiles(ground))


def test_the_legend_is_in_both_languages() -> None:
    ground = compile_board(read_board(board()))
    assert "nid-de-poule" in draw_text(ground)
    assert "pothole" in draw_text(ground, language="en")


def test_every_wall_side_of_every_wall_tile_is_drawn_once() -> None:
    for name, tile in DEEDS.items():
        if name.startswith("mur_"):
            text = tile_drawings(name)
            bare = tile_drawings("nid2poule")
            walls = len(re.findall('stroke-width="5"', text)) - len(re.findall('stroke-width="5"', bare))
            assert walls == tile.walls.bit_count()
