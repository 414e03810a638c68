"""A description from its JSON, in either spelling; everything that is wrong with it is told at once."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from tablee.rules.arena.coloring import read_colors
from tablee.rules.arena.description import Card, Description, Plan, Trump
from tablee.rules.arena.exporting import export
from tablee.rules.arena.faults import MOST_SQUARES, Fault, Findings, Spot, Squares
from tablee.rules.arena.parts import read_board, read_cards, read_trumps
from tablee.rules.arena.shapes import MOST_NAME, entries, is_name, read_integer, read_keys, read_object
from tablee.rules.arena.spelling import GAME

MOST_TEXT = 4_000_000
"""Characters of a file; the largest board has 100,000 squares."""
STRANGERS, MEMBERS = Squares(5_000, "squares_of_strangers"), Squares(MOST_SQUARES, "squares_together")
"""What a house works out at once for anybody, and for its members; the largest board of ours has 330."""


class Loaded(NamedTuple):
    """The games of a file, by name, and what in it is left aside."""

    games: dict[str, Description]
    warnings: list[Fault]


def load(source: str | dict[str, Any], stem: str = "arena") -> dict[str, Description]:
    """The games of a file, by name; raises Faults with everything that is wrong."""
    return read(source, stem).games


def read(source: str | dict[str, Any], stem: str = "arena", squares: Squares | None = None) -> Loaded:
    """The games of a file, with warnings; a file of one description without a name has the file's stem.

    `squares` bounds all its boards together. Raises Faults with everything that is wrong.
    """
    found = Findings(squares)
    top = Spot(_decoded(source, found) if isinstance(source, str) else source, "$", found)
    found.refuse()
    games: dict[str, Description | None] = {}
    if isinstance(top.value, dict) and "board" in top.value:
        if not is_name(stem):
            top.beside(stem).fault("name", most=MOST_NAME)
        games[stem] = read_description(top)
    elif top.value == {}:
        top.fault("games")
    elif isinstance(top.value, dict) and isinstance(top.value.get("squares"), list):
        top.key("squares").fault("no_squares")
    else:
        for name in read_keys(top) or ():
            if not is_name(name):
                top.beside(name).fault("name", most=MOST_NAME)
            games[name] = read_description(top.key(name))
    found.refuse()
    return Loaded({name: game for name, game in games.items() if game is not None}, found.warnings)


def load_kept(text: str, squares: Squares | None = None) -> Description | None:
    """The description of a text in the form that a game keeps; None where it is no such text.

    It is checked like a file. Raises Faults with everything that is wrong, its paths as in a file.
    """
    try:
        told = export(msgspec.json.decode(text, type=Description))
    except (msgspec.MsgspecError, ValueError, LookupError, TypeError, ArithmeticError, RecursionError):
        return None
    return read(told, squares=squares).games["arena"]


@cache
def load_ours(name: str) -> Description:
    """A description that comes with Tablée. Raises KeyError where there is none of this name."""
    if name not in description_names():
        raise KeyError(name)
    source = files("tablee.rules.arena").joinpath("descriptions", f"{name}.json")
    return load(source.read_text(encoding="utf-8"), name)[name]


@cache
def description_names() -> tuple[str, ...]:
    """The descriptions that come with Tablée, the standard one first."""
    folder = files("tablee.rules.arena").joinpath("descriptions")
    names = [each.name.removesuffix(".json") for each in folder.iterdir() if each.name.endswith(".json")]
    return tuple(sorted(names, key=lambda name: (name != "standard", name)))


def read_description(spot: Spot) -> Description | None:
    """One description; None where it has faults, which the spot has kept."""
    before = len(spot.faults)
    keys = read_object(spot, GAME)
    if keys is None:
        return None
    colors = read_colors(keys["colors"]) if "colors" in keys else None
    board: Plan | None = read_board(keys["board"], colors) if "board" in keys else None
    cards: tuple[int, tuple[Card, ...]] | None = None
    if "movements_cards" in keys:
        cards = read_cards(keys["movements_cards"], colors)
    trumps: tuple[Trump, ...] | None = ()
    if "trumps" in keys:
        trumps = read_trumps(keys["trumps"], colors)
    else:
        spot.lacks("trumps")  # the first files have none yet
    players = board.number_arms if board else None
    if "number_players" in keys:
        players = read_integer(keys["number_players"], 2, board.number_arms if board else None)
    if (
        len(spot.faults) > before
        or players is None
        or not (colors and board and cards and trumps is not None)
    ):
        return None
    return Description(
        number_players=players,
        colors=colors,
        board=board,
        number_cards_per_color=cards[0],
        cards=cards[1],
        trumps=trumps,
    )


def _decoded(text: str, found: Findings) -> Any:
    """What the text says."""
    top = Spot(text, "$", found)
    if len(text) > MOST_TEXT:
        top.fault("size", most=MOST_TEXT)
        return None
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=entries, parse_int=_integer)
    except json.JSONDecodeError as error:
        top.fault("json", problem=error.msg, line=error.lineno, column=error.colno)
    except RecursionError:
        top.fault("depth")
    return None


def _integer(digits: str) -> int | float:
    """No integer of a description is as long as Python would refuse to read."""
    return int(digits) if len(digits) < 100 else float(digits)
