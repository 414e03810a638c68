"""Robot players of chess: they see the view of their seat, like anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

import chess
import msgspec

from tablee.rules.chess.boards import BOARDS, ClassicBoard, DarkBoard
from tablee.rules.chess.boards.dark import HIDDEN
from tablee.rules.chess.model import AskTakeback, DeclineDraw, Move, OfferDraw
from tablee.rules.chess.search import WON, Search, worth
from tablee.rules.chess.views import ChessView
from tablee.rules.contract import Action, Actions, Robot

_ARMY = Counter({"p": 8, "n": 2, "b": 2, "r": 2, "q": 1, "k": 1})


class ChessRobot(msgspec.Struct, frozen=True):
    """Looks `depth` half-moves ahead at `nodes` positions at most; `slips` of its moves are any."""

    depth: int
    nodes: int
    guesses: int
    """Positions that it imagines behind what it sees of Dark."""
    slips: float = 0.0

    def choose(self, view: ChessView, legal: Actions, rng: Random) -> Action | None:
        described = legal.describe()
        is_turn = "moves" in described
        answer = _answer(view, described["can"], is_turn)
        if answer is not None or not is_turn:
            return answer
        board = imagined(view, rng) if view.fen is None else BOARDS[view.variant](view.fen)
        moves = list(board.generate_legal_moves())
        if rng.random() < self.slips:
            return Move(rng.choice(sorted(move.uci() for move in moves)))
        if isinstance(board, DarkBoard):
            move = self._in_the_dark(view, legal, rng)
        else:
            move = Search(self.nodes).best(board, self.depth, _positions(view), rng)
        return None if move is None else Move(move.uci())

    def _in_the_dark(self, view: ChessView, legal: Actions, rng: Random) -> chess.Move | None:
        """The move that is best on average over what may stand in the dark."""
        scores: Counter[chess.Move] = Counter()
        board: ClassicBoard | None = None
        for _ in range(self.guesses):
            board = imagined(view, rng)
            found = Search(self.nodes // self.guesses).every(board, self.depth)
            for move, score in found.items():
                if legal.allows(Move(move.uci())):
                    # A king that is lost in one of the guesses is not lost for certain.
                    scores[move] += max(-4_000, min(score, 4_000)) if abs(score) > WON // 2 else score
        if board is None or not scores:
            return None
        for move in scores:
            scores[move] += self.guesses * _curiosity(board, move)
        top = max(scores.values())
        return rng.choice(sorted((m for m, s in scores.items() if s == top), key=lambda move: move.uci()))


def _answer(view: ChessView, can: list[str], is_turn: bool) -> Action | None:
    """What it says to an offer: a takeback is granted, a draw accepted where it stands worse.

    In its own turn it declines by moving, in the other's it says so.
    """
    if view.takeback not in (None, view.you) and "ask_takeback" in can:
        return AskTakeback()
    if view.draw_offer in (None, view.you):
        return None
    if view.fen is not None:
        standing = worth(BOARDS[view.variant](view.fen))
        if (standing if is_turn else -standing) < -50:
            return OfferDraw()
    return None if is_turn else DeclineDraw()


def _positions(view: ChessView) -> frozenset[str]:
    """Keys of all positions of this game so far."""
    board = BOARDS[view.variant](view.start)
    keys = {board.key()}
    for number in range(view.ply):
        board.push(chess.Move.from_uci(view.moves[str(number)][0]))
        keys.add(board.key())
    return frozenset(keys)


def _curiosity(board: ClassicBoard, move: chess.Move) -> int:
    """A little for every square that one would see after a move."""
    assert isinstance(board, DarkBoard)
    color = board.turn
    board.push(move)
    seen = board.visible(color).bit_count() if board.king(color) is not None else 0
    board.pop()
    return 2 * seen


def imagined(view: ChessView, rng: Random) -> DarkBoard:
    """A position that agrees with what a side of Dark sees, and with what it has captured."""
    color = view.you == "white"
    board = DarkBoard(None)
    dark = _read_sight(board, view.boards["1"])
    board.turn = color
    _place_hidden(board, dark, color, _missing(board, view, color), rng)
    board.set_castling_fen(view.castling)
    return board


def _read_sight(board: DarkBoard, sight: str) -> list[chess.Square]:
    """Set the pieces that are seen; answers the squares that are not."""
    dark = []
    for down, row in enumerate(sight.split("/")):
        square = 8 * (7 - down)
        for letter in row:
            if letter.isdigit():
                square += int(letter)
                continue
            if letter == HIDDEN:
                dark.append(square)
            else:
                board.set_piece_at(square, chess.Piece.from_symbol(letter))
            square += 1
    return dark


def _missing(board: DarkBoard, view: ChessView, color: chess.Color) -> list[str]:
    """The enemy's pieces that are neither seen nor captured, the king first; promoted ones were pawns."""
    left = Counter(_ARMY)
    gone = Counter(view.captured.black if color else view.captured.white)
    for square in chess.scan_forward(board.occupied_co[not color]):
        gone[chess.piece_symbol(board.piece_type_at(square) or chess.PAWN)] += 1
    for letter, count in gone.items():
        extra = max(0, count - left[letter])
        left[letter] -= count - extra
        left["p"] -= extra
    return [letter for letter in "kqrbnp" for _ in range(max(0, left[letter]))]


def _place_hidden(
    board: DarkBoard, dark: list[chess.Square], color: chess.Color, letters: list[str], rng: Random
) -> None:
    """Each piece on some square in the dark, rather near to its home; where a pawn would see it, none."""
    pawns = board.pawns & board.occupied_co[color]
    seen_if_there = chess.BB_EMPTY
    for pawn in chess.scan_forward(pawns):
        seen_if_there |= chess.BB_PAWN_ATTACKS[color][pawn]
    free = [square for square in dark if not chess.BB_SQUARES[square] & seen_if_there] or list(dark)
    for letter in letters:
        kind = chess.PIECE_SYMBOLS.index(letter)
        fit = [s for s in free if kind != chess.PAWN or 0 < chess.square_rank(s) < 7]
        if not fit:
            if kind != chess.KING:
                continue
            fit = free or dark
        weights = [_at_home(kind, square, not color) for square in fit]
        square = rng.choices(fit, weights)[0]
        board.set_piece_at(square, chess.Piece(kind, not color))
        if square in free:
            free.remove(square)


def _at_home(kind: chess.PieceType, square: chess.Square, color: chess.Color) -> float:
    row = chess.square_rank(square) if color else 7 - chess.square_rank(square)
    steps = abs(row - 1) if kind == chess.PAWN else row
    return 1.0 / (1 + (3 if kind == chess.KING else 1) * steps)


STRENGTHS: Mapping[str, Robot] = MappingProxyType(
    {
        "beginner": ChessRobot(depth=1, nodes=400, guesses=1, slips=0.1),
        "player": ChessRobot(depth=2, nodes=3_000, guesses=2),
        "master": ChessRobot(depth=5, nodes=8_000, guesses=4),
    }
)
