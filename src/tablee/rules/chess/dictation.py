"""Moves as people write them in letters: `e4`, `Cf3`, `Nf3`, `0-0`, `exd5`, `e8=D`, `e2e4`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import chess

from tablee.rules.chess.model import Move, OfferDraw
from tablee.rules.chess.views import ChessView
from tablee.rules.contract import Action, Actions
from tablee.rules.dictation import not_read

LETTERS = {
    "fr": {"R": "k", "D": "q", "T": "r", "F": "b", "C": "n", "P": "p"},
    "en": {"K": "k", "Q": "q", "R": "r", "B": "b", "N": "n", "P": "p"},
}
_NUMBER = re.compile(r"^\d{1,3}\s*\.(\s*(\.\.|…))?\s*")
_SAN = re.compile(r"([A-Z]?)([a-h]?)([1-8]?)[x:×-]?([a-h][1-8])=?\(?([A-Z]?)\)?(e\.?p\.?)?")
_CASTLES = {
    **dict.fromkeys(("0-0", "o-o", "petit roque", "roque", "castles", "castle"), "g"),
    **dict.fromkeys(("0-0-0", "o-o-o", "grand roque", "castles long"), "c"),
}
_DRAWS = ("nulle", "nulle ?", "nulle?", "draw", "draw?")


def in_language(san: str, language: str) -> str:
    """`Nf3` as it is written in a language: `Cf3` in French."""
    letters = {piece.upper(): letter for letter, piece in LETTERS[language].items()}
    return "".join(letters.get(each, each) for each in san)


def read(view: ChessView, legal: Actions, text: str, language: str) -> Action | None:
    """The one legal move that is written so; None where it is no move at all. Raises NotRead for several."""
    said = _NUMBER.sub("", text.strip()).rstrip("+#!?. ").replace("–", "-")
    if said.lower() in _DRAWS:
        return OfferDraw()
    moves = list(_moves(legal))
    if said.lower().replace("-", "") in moves:
        return Move(said.lower().replace("-", ""))
    castle = _CASTLES.get(said.lower())
    found: set[str] = set()
    if castle is not None:
        found = {
            move for move in moves if move in (f"e1{castle}1", f"e8{castle}8") and _at(view, move[:2]) == "k"
        }
    else:
        # The reader's own letters first: R is a king in French and a rook in English.
        for letters in (LETTERS[language], LETTERS["en" if language == "fr" else "fr"]):
            found = _meant(view, moves, said, letters) or _meant(
                view, moves, said[:1].upper() + said[1:], letters
            )
            if found:
                break
    if len(found) > 1:
        raise not_read("ambiguous", language, sorted(found)[0], text=text)
    return Move(found.pop()) if found else None


def _meant(view: ChessView, moves: list[str], said: str, letters: dict[str, str]) -> set[str]:
    found = _SAN.fullmatch(said)
    if found is None:
        return set()
    piece, file, rank, target, becomes = (found[number] for number in range(1, 6))
    if (piece and piece not in letters) or (becomes and becomes not in letters):
        return set()
    wanted, promoted = letters.get(piece, "p"), letters.get(becomes, "")
    return {
        move
        for move in moves
        if move[2:4] == target
        and move[4:] == (promoted or ("q" if len(move) == 5 else ""))
        and (not file or move[0] == file)
        and (not rank or move[1] == rank)
        and _at(view, move[:2]) == wanted
    }


def _moves(legal: Actions) -> Iterator[str]:
    described = legal.describe()
    promotes = described.get("promotes", {})
    for origin, targets in described.get("moves", {}).items():
        for target in targets:
            letters = "qrbn" if target in promotes.get(origin, ()) else ("",)
            yield from (origin + target + letter for letter in letters)


def _at(view: ChessView, square: str) -> str:
    """The small letter of the piece on a square, on whichever board."""
    for placement in view.boards.values():
        row = placement.split("/")[8 - int(square[1])]
        column = 0
        for letter in row:
            if letter.isdigit():
                column += int(letter)
            else:
                if column == chess.FILE_NAMES.index(square[0]) and letter.isalpha():
                    return letter.lower()
                column += 1
    return ""
