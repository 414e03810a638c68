"""docs/robots.md tells the truth about our boards and about what a board is refused for."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from tablee.rules.robots.board import compile_board
from tablee.rules.robots.boards import Shipped, shipped_boards
from tablee.rules.robots.drawing import draw_picture
from tablee.rules.robots.figures import figures_of
from tablee.rules.robots.starts import starting_tiles

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "robots.md").read_text("utf-8")
TROUBLES = tomllib.loads(files("tablee.rules.robots").joinpath("troubles.toml").read_text("utf-8"))
BOARDS = list(shipped_boards().values())


def row(board: Shipped) -> str:
    """The line of the documentation's table of figures for a board."""
    figures = figures_of(compile_board(board.document))
    legs = " + ".join(map(str, figures.legs))
    numbers = [
        figures.starts,
        figures.active,
        figures.conveyors,
        figures.lasers,
        figures.potholes,
        figures.repairs,
        figures.actions,
    ]
    cells = [f"{board.title['fr']} (`{board.name}`)", str(figures.way), legs, *map(str, numbers)]
    return "| " + " | ".join(cells) + " |"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_the_figures_of_every_board_are_as_printed(board: Shipped) -> None:
    assert row(board) in PAGE, f"write this line into docs/robots.md:\n{row(board)}"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_the_picture_of_every_board_is_new(board: Shipped) -> None:
    """`tablee robots draw NAME --starts --out docs/pictures/robots-NAME.svg` draws it again."""
    ground = compile_board(board.document)
    drawn = draw_picture(ground, board.title["fr"], starting_tiles(ground))
    assert (DOCS / "pictures" / f"robots-{board.name}.svg").read_text("utf-8") == drawn


@pytest.mark.parametrize("code", [code for kind in TROUBLES.values() for code in kind])
def test_every_trouble_of_a_board_is_documented(code: str) -> None:
    assert f"`{code}`" in PAGE
