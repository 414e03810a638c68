"""Boards in the document's form and compiled."""

from __future__ import annotations

import msgspec
import pytest

from tablee.rules.robots.board import (
    ActiveTile,
    Beam,
    Board,
    BoardDocument,
    compile_board,
    number_of,
    place_of,
)
from tablee.rules.robots.directions import AZIMUTHS

DOCUMENT = b"""{
  "boardIdx": 2, "boardWidth": 12, "boardHeight": 12,
  "boardActiveTiles": [
    {"tileType": "0x0214, murLaser_NS", "tileLocX": 2, "tileLocY": 3},
    {"tileType": "0x8010, loi_r2", "tileLocX": 5, "tileLocY": 7},
    {"tileType": "loi_r1", "tileLocX": 11, "tileLocY": 8},
    {"tileType": "0x8100", "tileLocX": 8, "tileLocY": 9}
  ]
}"""


def test_tiles_are_numbered_row_after_row() -> None:
    assert number_of(1, 1) == 0
    assert number_of(10, 5) == 57
    assert number_of(12, 12) == 143
    assert [place_of(number_of(x, y)) for x, y in [(1, 12), (12, 1), (4, 9)]] == [(1, 12), (12, 1), (4, 9)]


def test_a_board_is_read_from_the_document_s_form() -> None:
    document = msgspec.json.decode(DOCUMENT, type=BoardDocument)
    board = compile_board(document)
    assert board.tile(2, 3) == "murLaser_NS"
    assert board.tile(3, 2) == "neutre"
    assert board.laws == ((11, 8), (5, 7), (8, 9))
    assert board.beams == (Beam(number_of(2, 3), 2, tuple(number_of(2, y) for y in range(3, 13))),)


def test_a_board_is_written_in_the_document_s_form_with_whole_codes_in_order() -> None:
    board = compile_board(msgspec.json.decode(DOCUMENT, type=BoardDocument))
    assert msgspec.json.decode(msgspec.json.encode(board.document(1))) == {
        "boardIdx": 1,
        "boardWidth": 12,
        "boardHeight": 12,
        "boardActiveTiles": [
            {"tileType": "0x0214, murLaser_NS", "tileLocX": 2, "tileLocY": 3},
            {"tileType": "0x8010, loi_r2", "tileLocX": 5, "tileLocY": 7},
            {"tileType": "0x8001, loi_r1", "tileLocX": 11, "tileLocY": 8},
            {"tileType": "0x8100, loi_r3", "tileLocX": 8, "tileLocY": 9},
        ],
    }


def test_a_board_is_compiled_once() -> None:
    one, two = (msgspec.json.decode(DOCUMENT, type=BoardDocument) for _ in range(2))
    assert compile_board(one) is compile_board(two)


@pytest.mark.parametrize(
    "tile",
    [
        ActiveTile("neutre", 0, 5),
        ActiveTile("neutre", 5, 0),
        ActiveTile("neutre", 13, 5),
        ActiveTile("neutre", 5, 13),
        ActiveTile("trou", 5, 5),
    ],
)
def test_a_tile_that_is_unknown_or_not_on_the_board_is_not_compiled(tile: ActiveTile) -> None:
    with pytest.raises(ValueError, match=r"not on the board|none of the document's"):
        compile_board(BoardDocument(boardIdx=0, boardActiveTiles=(tile,)))


def test_a_way_is_open_from_both_sides_or_from_none() -> None:
    names = ["neutre"] * 144
    names[number_of(4, 4)], names[number_of(7, 7)] = "mur_NESO", "murLaser_EO"
    board = Board(tuple(names))
    open_ways = 0
    for number in range(144):
        for direction in range(len(AZIMUTHS)):
            target = board.way[number * 4 + direction]
            if target >= 0:
                assert board.way[target * 4 + (direction + 2) % 4] == number
                open_ways += 1
    assert open_ways == 2 * (2 * 11 * 12 - 4 - 1)
