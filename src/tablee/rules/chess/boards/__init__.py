"""The boards of the four variants, each a small subclass of the library's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import chess

from tablee.rules.chess.boards.alice import AliceBoard
from tablee.rules.chess.boards.classic import ClassicBoard, key_of
from tablee.rules.chess.boards.dark import DarkBoard
from tablee.rules.chess.boards.horde import HordeBoard

BOARDS: Mapping[str, type[ClassicBoard]] = MappingProxyType(
    {"classic": ClassicBoard, "alice": AliceBoard, "dark": DarkBoard, "horde": HordeBoard}
)
"""By name of the variant."""

VARIANTS = tuple(BOARDS)


class BadMove(ValueError):
    """A move that cannot be read or played; its text is a sentence."""


def read_move(text: str) -> chess.Move:
    """A move as `e2e4` or `E7E8q`; a knight is `n` or `h`. Raises BadMove."""
    given = text.strip().lower()
    if len(given) == 5 and given[4] == "h":
        given = given[:4] + "n"
    try:
        move = chess.Move.from_uci(given)
    except ValueError:
        raise BadMove(f"“{text}” is not a move: write e2e4, or e7e8q for a promotion.") from None
    if not move or move.drop is not None or move.promotion in (chess.PAWN, chess.KING):
        raise BadMove(f"“{text}” is not a move: write e2e4, or e7e8q for a promotion.")
    return move


__all__ = [
    "BOARDS",
    "VARIANTS",
    "AliceBoard",
    "BadMove",
    "ClassicBoard",
    "DarkBoard",
    "HordeBoard",
    "key_of",
    "read_move",
]
