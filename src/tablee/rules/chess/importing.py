"""Games and positions from elsewhere: PGN with the tags that the house writes itself, or a FEN."""

from __future__ import annotations

import re

import msgspec

from tablee.rules.chess.boards import BOARDS, BadMove
from tablee.rules.chess.model import Variant
from tablee.rules.chess.pgn import NAMES

PLIES_MOST = 1_000
_TAG = re.compile(r'^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$', re.MULTILINE)
_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+")
_NUMBER = re.compile(r"^\d+\.+")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class Imported(msgspec.Struct, frozen=True):
    """A game as it was read: where it begins, its moves as `e2e4` and in letters, and its tags."""

    variant: Variant
    start: str
    moves: list[str]
    sans: list[str]
    tags: dict[str, str]


def read_game(text: str, variant: Variant = "classic") -> Imported:
    """A PGN, or a FEN of this variant; raises BadMove with a sentence on what cannot be read."""
    tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in _TAG.findall(text)}
    if "Variant" in tags:
        known = {name.casefold(): each for each, name in NAMES.items()} | {"chess": "classic"}
        try:
            variant = known[tags["Variant"].casefold()]  # type: ignore[assignment]
        except KeyError:
            raise BadMove(f"The house does not play the variant {tags['Variant'][:40]!r}.") from None
    movetext = _without_variations(_COMMENT.sub(" ", _TAG.sub(" ", text)))
    start = tags.get("FEN", "")
    if not tags and "/" in text and len(text.strip().splitlines()) == 1:
        start, movetext = text.strip(), ""
    board = BOARDS[variant]()
    if start:
        try:
            board = BOARDS[variant](start)
        except ValueError as error:
            raise BadMove(f"This is no position: {str(error)[:120]}") from None
        if faults := board.faults():
            raise BadMove(faults[0])
    begun = board.fen()
    moves: list[str] = []
    sans: list[str] = []
    for word in movetext.split():
        san = _NUMBER.sub("", word)
        if not san or san in _RESULTS:
            continue
        if len(moves) >= PLIES_MOST:
            raise BadMove(f"A game may have {PLIES_MOST} half-moves at most.")
        try:
            move = board.parse_san(san.rstrip("!?"))
        except ValueError:
            raise BadMove(f"“{san[:12]}” is not a move after {len(moves)} half-moves.") from None
        moves.append(move.uci())
        sans.append(board.san_and_push(move))
    if not moves and not start:
        raise BadMove("There is neither a move nor a position in it.")
    return Imported(variant, begun, moves, sans, tags)


def _without_variations(text: str) -> str:
    depth, kept = 0, []
    for letter in text:
        depth += letter == "("
        if depth == 0:
            kept.append(letter)
        depth -= letter == ")" and depth > 0
    return "".join(kept)
