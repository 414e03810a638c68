"""A whole finished game judged move by move: how it went, where it was lost, how well each side played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp
from random import Random
from typing import Literal, Protocol

import chess
import msgspec

from tablee.rules.chess.boards import BOARDS, ClassicBoard, read_move
from tablee.rules.chess.model import Side
from tablee.rules.chess.search import WON, Search

DEPTH, NODES = 3, 500
"""How far the house's own search looks at each position of a game: not far."""
LINE_MOST = 8
"""Half-moves of a better line."""
Fault = Literal["inaccuracy", "mistake", "blunder"]
FAULTS: tuple[tuple[float, Fault], ...] = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))
"""By how much of one's chances a move costs at least."""

Tell = Callable[[int], None]
"""Called with how many positions are judged."""


class Verdict(msgspec.Struct, frozen=True):
    """What a position is worth for White, and the line that is best in it."""

    score: int
    """Hundredths of a pawn."""
    wins_in: int | None
    """Moves until a forced end; negative where White loses."""
    line: tuple[str, ...] = ()
    """Moves as `e2e4`, the best one first."""
    is_weak: bool = False
    """Whether it is only what the house's own search thinks."""


class Judge(Protocol):
    """Somebody who judges positions: an engine of the machine, or the house's own search."""

    @property
    def name(self) -> str: ...
    @property
    def is_weak(self) -> bool: ...
    def verdicts(self, boards: Sequence[ClassicBoard]) -> Iterator[Verdict]:
        """One for each position, in their order."""


class HouseJudge(msgspec.Struct, frozen=True):
    """The house's own search, which sees a few half-moves ahead and says so."""

    name: str = "Tablée"
    is_weak: bool = True

    def verdicts(self, boards: Sequence[ClassicBoard]) -> Iterator[Verdict]:
        for board in boards:
            yield looked_at(board)


def looked_at(board: ClassicBoard) -> Verdict:
    """A position as the house's own search judges it."""
    judged = None if board.ending() else Search(NODES).judged(board, DEPTH, frozenset(), Random(0))
    if judged is None:
        return ended(board)
    move, score = judged
    sign = 1 if board.turn == chess.WHITE else -1
    far = (WON - abs(score) + 1) // 2 if abs(score) > WON // 2 else None
    return Verdict(
        sign * max(-WON, min(score, WON)),
        None if far is None else sign * (far if score > 0 else -far),
        (move.uci(),),
        is_weak=True,
    )


def ended(board: ClassicBoard) -> Verdict:
    """A position in which nothing more is played."""
    winner = board.winner()
    return Verdict(0, None) if winner is None else Verdict(WON if winner else -WON, 0)


class Point(msgspec.Struct, frozen=True):
    """One position on the curve."""

    score: int
    wins_in: int | None


class Slip(msgspec.Struct, frozen=True):
    """A move that cost something, and what would have been better."""

    ply: int
    """The half-move, from 1 on."""
    san: str
    kind: Fault
    lost: int
    """Of a hundred parts of one's chances."""
    better: list[str]
    """In letters."""


class Review(msgspec.Struct, frozen=True):
    """A game looked through."""

    judge: str
    is_weak: bool
    """Whether the house's own search has judged all of it."""
    unaided: int
    """Positions that it has judged in the place of an engine, which could not."""
    curve: list[Point]
    """The position before the first move, then after each."""
    slips: list[Slip]
    accuracy: dict[Side, int]
    """From 0 to 100: how much of its chances a side kept, move by move."""


def review(variant: str, start: str, played: Sequence[str], judge: Judge, tell: Tell) -> Review:
    """Judge every position of a game."""
    board = BOARDS[variant](start)
    boards = [board.copy(stack=False)]
    sans = []
    for text in played:
        sans.append(board.san_and_push(read_move(text)))
        boards.append(board.copy(stack=False))
    verdicts: list[Verdict] = []
    for verdict in judge.verdicts(boards):
        verdicts.append(verdict)
        tell(len(verdicts))
    kept: dict[Side, list[float]] = {"white": [], "black": []}
    slips = []
    for number, san in enumerate(sans):
        white = boards[number].turn == chess.WHITE
        before, after = verdicts[number], verdicts[number + 1]
        loss = max(0.0, chances(before, white) - chances(after, white))
        if before.line[:1] == (read_move(played[number]).uci(),):
            loss = 0.0  # nothing better was found
        kept["white" if white else "black"].append(exp(-6 * loss))
        kind = next((name for least, name in FAULTS if loss >= least), None)
        if kind is not None and before.line:
            slips.append(
                Slip(number + 1, san, kind, round(100 * loss), _in_letters(boards[number], before.line))
            )
    # Where the engine could not judge a single position, it is not its review.
    unaided = sum(each.is_weak for each in verdicts)
    is_weak = judge.is_weak or (unaided > 0 and all(each.is_weak or not each.line for each in verdicts))
    return Review(
        judge=HouseJudge().name if is_weak else judge.name,
        is_weak=is_weak,
        unaided=0 if is_weak else unaided,
        curve=[Point(each.score, each.wins_in) for each in verdicts],
        slips=slips,
        accuracy={side: round(100 * sum(each) / len(each)) for side, each in kept.items() if each},
    )


def chances(verdict: Verdict, white: bool) -> float:
    """How likely a side is to win, from 0 to 1, as ratings reckon it: 400 points of a pawn's hundredths."""
    if verdict.wins_in is not None:
        share = 1.0 if verdict.score > 0 else 0.0
    else:
        share = 1 / (1 + 10 ** (-max(-2_000, min(verdict.score, 2_000)) / 400))
    return share if white else 1 - share


def _in_letters(board: ClassicBoard, line: Sequence[str]) -> list[str]:
    board = board.copy(stack=False)
    letters = []
    for text in line[:LINE_MOST]:
        move = read_move(text)
        if not board.may_play(move):
            break
        letters.append(board.san_and_push(move))
    return letters
