"""Other states that a seat cannot tell apart: what stands in the dark elsewhere, other premoves."""

from __future__ import annotations

from random import Random

import chess
from msgspec.structs import replace

from tablee.rules.chess.boards import DarkBoard
from tablee.rules.chess.model import ChessState, Ply, position
from tablee.rules.chess.premoves import premoves
from tablee.rules.contract import MASTER, Seat

CHANGES = 24
"""So many changes in the dark are tried, one after the other; those that can be seen are undone."""


def shuffle_hidden(variant: str, state: ChessState, seat: Seat, rng: Random) -> ChessState:
    """Another state, as random as can be, that this seat cannot tell apart."""
    if seat == MASTER or state.ended:
        return state
    state = _with_other_premove(variant, state, seat, rng)
    return _in_the_dark(state, seat, rng) if variant == "dark" else state


def _with_other_premove(variant: str, state: ChessState, seat: Seat, rng: Random) -> ChessState:
    """The one who is not to move may have any premove, unless he is the one who looks."""
    waiting = state.opponent(state.turn)
    color = state.color_of(waiting)
    if waiting == seat or color is None:
        return state
    kept = {other: move for other, move in state.premoves.items() if other != waiting}
    if rng.random() < 0.5:
        ways = premoves(position(variant, state.position), color)
        origin = rng.choice(sorted(ways))
        targets = list(chess.scan_forward(ways[origin]))
        if targets:
            kept[waiting] = chess.Move(origin, rng.choice(targets)).uci()
    return replace(state, premoves=kept)


def _in_the_dark(state: ChessState, seat: Seat, rng: Random) -> ChessState:
    color = state.color_of(seat)
    board = position("dark", state.position).copy(stack=False)
    assert isinstance(board, DarkBoard)
    seen = board.seen(color)
    shown = board.sight(seen)
    for _ in range(CHANGES):
        changed = _changed(board, seen, color, rng)
        if changed is not None and changed.seen(color) == seen and changed.sight(seen) == shown:
            board = changed
    if color is None or rng.random() < 0.5:
        lost = chess.BB_ALL if color is None else chess.BB_RANK_8 if color else chess.BB_RANK_1
        board.castling_rights &= ~lost
    board.halfmove_clock = rng.randrange(100)
    if board.ending() is not None:
        return state
    plies = tuple(
        ply if color is not None and _is_own(state, color, number) else _another(ply, color, rng)
        for number, ply in enumerate(state.plies)
    )
    return replace(state, position=board.fen(), keys=(board.key(),), plies=plies)


def _changed(
    board: DarkBoard, seen: chess.Bitboard, color: chess.Color | None, rng: Random
) -> DarkBoard | None:
    """A piece in the dark elsewhere, or another kind of piece in its place; None where that cannot be."""
    movable = board.occupied & ~seen
    if color is not None:
        movable &= board.occupied_co[not color]
    if not movable:
        return None
    origin = rng.choice(list(chess.scan_forward(movable)))
    other = board.copy(stack=False)
    piece = other.remove_piece_at(origin)
    assert piece is not None
    square = origin
    if rng.random() < 0.3 and piece.piece_type != chess.KING:
        kinds = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
        piece = chess.Piece(rng.choice(kinds), piece.color)
    else:
        square = rng.choice(list(chess.scan_forward(~seen & chess.BB_ALL)))
        met = other.piece_at(square)
        if met is not None and (color is None or met.color != color):
            other.set_piece_at(origin, met)
    other.set_piece_at(square, piece)
    if other.pawns & (chess.BB_RANK_1 | chess.BB_RANK_8) or other.is_variant_end():
        return None
    other.castling_rights = other.clean_castling_rights()
    return other


def _is_own(state: ChessState, color: chess.Color, number: int) -> bool:
    first = state.start.split(" ", 2)[1] == "w"
    return (first == (number % 2 == 0)) == color


def _another(ply: Ply, color: chess.Color | None, rng: Random) -> Ply:
    """Some other move in the place of one that was not seen; what was captured is known to both sides."""
    squares = rng.sample(chess.SQUARE_NAMES, 2)
    took = ply.took if color is not None else rng.choice(["", f"p{squares[1]}", f"N{squares[1]}"])
    return Ply("".join(squares), f"N{squares[1]}", took)
