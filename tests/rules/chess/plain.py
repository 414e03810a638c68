"""A second move generator for the four variants: plain, slow, and without a line of the first.

A piece is (colour, kind, board) on a square (file, row); a move is tried by copying the whole position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Square = tuple[int, int]
Piece = tuple[str, str, int]
Step = tuple[Square, Square, str]
"""From, to, and the letter of a promotion or nothing."""

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLANTING = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


class Plain(NamedTuple):
    """A position of one of the variants."""

    variant: str
    pieces: dict[Square, Piece]
    turn: str
    rights: str
    passed: Square | None
    fresh: frozenset[int]
    """Files of the pawns of the horde that may step twice."""


def square(name: str) -> Square:
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def name_of(where: Square) -> str:
    return "abcdefgh"[where[0]] + str(where[1] + 1)


def read(variant: str, fen: str) -> Plain:
    """The position of a FEN of this variant."""
    fields = fen.split()
    pieces: dict[Square, Piece] = {}
    for board, placement in enumerate(fields[0].split("|"), 1):
        for down, row in enumerate(placement.split("/")):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                    continue
                colour = "w" if letter.isupper() else "b"
                pieces[file, 7 - down] = (colour, letter.lower(), board)
                file += 1
    passed = None if fields[3] == "-" or variant in ("alice", "dark") else square(fields[3])
    fresh = frozenset(file for (file, row), piece in pieces.items() if row == 6 and piece[:2] == ("b", "p"))
    if len(fields) > 6:
        fresh = frozenset("abcdefgh".index(letter) for letter in fields[6] if letter != "-")
    return Plain(variant, pieces, fields[1], fields[2], passed, fresh if variant == "horde" else frozenset())


def other(colour: str) -> str:
    return "b" if colour == "w" else "w"


def on_board(file: int, row: int) -> bool:
    return 0 <= file < 8 and 0 <= row < 8


def lines(kind: str) -> list[tuple[int, int]]:
    return {"r": STRAIGHT, "b": SLANTING}.get(kind, STRAIGHT + SLANTING)


def is_attacked(pieces: dict[Square, Piece], where: Square, by: str, board: int) -> bool:
    """Whether a piece of this colour attacks a square of this board."""

    def at(file: int, row: int) -> Piece | None:
        found = pieces.get((file, row))
        return found if found is not None and found[2] == board else None

    file, row = where
    behind = -1 if by == "w" else 1
    for side in (-1, 1):
        if at(file + side, row + behind) == (by, "p", board):
            return True
    for across, up in LEAPS:
        if at(file + across, row + up) == (by, "n", board):
            return True
    for across, up in STRAIGHT + SLANTING:
        if at(file + across, row + up) == (by, "k", board):
            return True
        x, y = file + across, row + up
        while on_board(x, y) and at(x, y) is None:
            x, y = x + across, y + up
        found = at(x, y)
        if found is not None and found[0] == by and found[1] in ("q", "r" if 0 in (across, up) else "b"):
            return True
    return False


def reaches(position: Plain, start: Square) -> Iterator[Square]:
    """Where a piece could go by its own way of moving, on its own board; castling is apart."""
    pieces = position.pieces
    colour, kind, board = pieces[start]
    file, row = start

    def here(where: Square) -> Piece | None:
        found = pieces.get(where)
        return found if found is not None and found[2] == board else None

    if kind == "p":
        ahead = 1 if colour == "w" else -1
        once, twice = (file, row + ahead), (file, row + 2 * ahead)
        if on_board(*once) and here(once) is None:
            yield once
            home = row == 1 if colour == "w" else row == 6
            if position.variant == "horde" and colour == "b":
                home = home and file in position.fresh
            if home and here(twice) is None:
                yield twice
        for side in (-1, 1):
            aslant = (file + side, row + ahead)
            if not on_board(*aslant):
                continue
            met = here(aslant)
            passing = met is None and aslant == position.passed and colour == position.turn
            if passing or (met is not None and met[0] != colour):
                yield aslant
    elif kind in "nk":
        for across, up in LEAPS if kind == "n" else STRAIGHT + SLANTING:
            where = (file + across, row + up)
            met = here(where)
            if on_board(*where) and (met is None or met[0] != colour):
                yield where
    else:
        for across, up in lines(kind):
            x, y = file + across, row + up
            while on_board(x, y):
                met = here((x, y))
                if met is None or met[0] != colour:
                    yield x, y
                if met is not None:
                    break
                x, y = x + across, y + up


def castlings(position: Plain) -> Iterator[Step]:
    """Castling of the side to move, as the king's two steps."""
    colour, pieces, variant = position.turn, position.pieces, position.variant
    row = 0 if colour == "w" else 7
    for letter, corner, between, path in (("k", 7, (5, 6), (4, 5, 6)), ("q", 0, (1, 2, 3), (4, 3, 2))):
        if (letter.upper() if colour == "w" else letter) not in position.rights:
            continue
        if pieces.get((4, row)) != (colour, "k", 1) or pieces.get((corner, row)) != (colour, "r", 1):
            continue
        if any(found is not None and found[2] == 1 for found in (pieces.get((f, row)) for f in between)):
            continue
        if variant == "alice" and any((file, row) in pieces for file in path[1:]):
            continue
        if variant != "dark" and any(is_attacked(pieces, (f, row), other(colour), 1) for f in path):
            continue
        yield (4, row), (path[2], row), ""


def steps(position: Plain) -> Iterator[Step]:
    """Moves, without regard to the king's safety."""
    for start, (colour, kind, _) in position.pieces.items():
        if colour != position.turn:
            continue
        for where in reaches(position, start):
            if position.variant == "alice":
                met = position.pieces.get(where)
                if met is not None and met[2] != position.pieces[start][2]:
                    continue
            if kind == "p" and where[1] in (0, 7):
                for letter in "qrbn":
                    yield start, where, letter
            else:
                yield start, where, ""
    yield from castlings(position)


def after(position: Plain, step: Step) -> Plain:
    """The position after a move."""
    start, where, promotion = step
    pieces = dict(position.pieces)
    colour, kind, board = pieces.pop(start)
    board_after = 3 - board if position.variant == "alice" else 1
    if kind == "p" and where == position.passed and where[0] != start[0] and where not in pieces:
        del pieces[where[0], start[1]]
    pieces[where] = (colour, promotion or kind, board_after)
    if kind == "k" and abs(where[0] - start[0]) == 2:
        corner, beside = (7, 5) if where[0] == 6 else (0, 3)
        del pieces[corner, start[1]]
        pieces[beside, start[1]] = (colour, "r", board_after)
    lost = {(4, 0): "KQ", (4, 7): "kq", (7, 0): "K", (0, 0): "Q", (7, 7): "k", (0, 7): "q"}
    rights = position.rights
    for touched in (start, where):
        rights = "".join(letter for letter in rights if letter not in lost.get(touched, ""))
    passed = None
    if kind == "p" and abs(where[1] - start[1]) == 2 and position.variant in ("classic", "horde"):
        passed = (start[0], (start[1] + where[1]) // 2)
    fresh = position.fresh - {file for file, row in (start, where) if row == 6}
    return Plain(position.variant, pieces, other(colour), rights, passed, fresh)


def king_of(pieces: dict[Square, Piece], colour: str) -> tuple[Square, int] | None:
    return next(((s, p[2]) for s, p in pieces.items() if p[0] == colour and p[1] == "k"), None)


def is_safe(position: Plain, step: Step) -> bool:
    """Whether the mover's king is out of danger after a move, as the variant wants it."""
    if position.variant == "dark":
        return True
    colour = position.turn
    then = after(position, step).pieces
    king = king_of(then, colour)
    if king is None:
        return True
    where, board = king
    if is_attacked(then, where, other(colour), board):
        return False
    if position.variant == "alice" and position.pieces[step[0]][1] == "k":
        # As if it had stayed on the board that it leaves.
        stayed = {**then, where: (colour, "k", 3 - board)}
        return not is_attacked(stayed, where, other(colour), 3 - board)
    return True


def legal(position: Plain) -> list[Step]:
    """All that may be played."""
    if position.variant == "dark" and not all(king_of(position.pieces, colour) for colour in "wb"):
        return []
    if position.variant == "horde" and not any(piece[0] == "b" for piece in position.pieces.values()):
        return []
    return [step for step in steps(position) if is_safe(position, step)]


def count(position: Plain, depth: int) -> int:
    """Perft."""
    if depth == 0:
        return 1
    found = legal(position)
    return len(found) if depth == 1 else sum(count(after(position, step), depth - 1) for step in found)


def seen_by(position: Plain, colour: str) -> set[Square]:
    """The squares that a side of Dark sees: its pieces, and where they could go if it were its turn."""
    mine = {where for where, piece in position.pieces.items() if piece[0] == colour}
    asked = position._replace(turn=colour)
    return mine | {where for _, where, _ in steps(asked)}
