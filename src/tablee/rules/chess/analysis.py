"""A position of a finished game, looked at again: what may be tried, and what a strong player would do."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Literal

import chess
import msgspec

from tablee.rules.chess.boards import BOARDS, BadMove, ClassicBoard, read_move
from tablee.rules.chess.review import HouseJudge, Judge
from tablee.rules.chess.search import WON, Search
from tablee.rules.chess.showing import by_origin, check_of, promoting

DEPTH, NODES = 5, 3_000
"""How far the house's own search looks here: further than at each position of a whole game."""


class Advice(msgspec.Struct, frozen=True):
    """The best move that was found; what the position is worth then, for White."""

    move: str
    san: str
    score: int
    """Hundredths of a pawn."""
    wins_in: int | None
    """Moves until the end where it is forced; negative where White loses."""
    judge: str
    """Who says so: an engine of the machine, or the house's own search, which is weak."""
    is_weak: bool


class Analysis(msgspec.Struct, frozen=True):
    """A position, what may be played in it by whoever is to move, and what is best."""

    fen: str
    boards: dict[str, str]
    turn: Literal["white", "black"]
    last: str | None
    check: str | None
    line: list[str]
    """The moves that were tried, in letters."""
    moves: dict[str, list[str]]
    promotes: dict[str, list[str]]
    ended: str | None
    advice: Advice | None


def analyse(
    variant: str,
    start: str,
    played: Sequence[str],
    tried: Sequence[str],
    judge: Judge = HouseJudge(),  # noqa: B008 - frozen
) -> Analysis:
    """The position after the moves played and those tried after them. Raises BadMove."""
    board = BOARDS[variant](start)
    for text in played:
        board.push(read_move(text))
    line = []
    for text in tried:
        move = read_move(text)
        if not board.may_play(move):
            raise BadMove(f"The move {text} is not possible there.")
        line.append(board.san(move))
        board.push(move)
    fen = board.fen()
    moves = sorted(move.uci() for move in board.generate_legal_moves())
    return Analysis(
        fen=fen,
        boards={str(n): text for n, text in enumerate(fen.split(" ", 1)[0].split("|"), 1)},
        turn="white" if board.turn else "black",
        last=board.peek().uci() if board.move_stack else None,
        check=check_of(board),
        line=line,
        moves=by_origin(moves),
        promotes=promoting(moves),
        ended=board.ending(),
        advice=None if board.ending() else _advice(board, judge),
    )


def _advice(board: ClassicBoard, judge: Judge) -> Advice | None:
    if not judge.is_weak:
        [verdict] = judge.verdicts([board.copy(stack=False)])
        if verdict.line and not verdict.is_weak:
            move = read_move(verdict.line[0])
            san = board.san(move)
            return Advice(move.uci(), san, verdict.score, verdict.wins_in, judge.name, is_weak=False)
    judged = Search(NODES).judged(board, DEPTH, frozenset(), Random(0))
    if judged is None:
        return None
    move, score = judged
    sign = 1 if board.turn == chess.WHITE else -1
    far = (WON - abs(score) + 1) // 2 if abs(score) > WON // 2 else None
    wins_in = None if far is None else sign * (far if score > 0 else -far)
    return Advice(move.uci(), board.san(move), sign * score, wins_in, HouseJudge().name, is_weak=True)
