"""Chess engines of the machine: where one that speaks UCI is installed, robots and reviews ask it."""

from __future__ import annotations

import atexit
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from random import Random
from tempfile import NamedTemporaryFile
from threading import Thread
from typing import Any

import chess
import msgspec
import structlog

from tablee.rules import Games, games_of
from tablee.rules.chess import ChessRules, Move
from tablee.rules.chess.boards import ClassicBoard, HordeBoard, read_move
from tablee.rules.chess.review import LINE_MOST, Verdict, ended, looked_at
from tablee.rules.chess.search import WON
from tablee.rules.chess.views import ChessView
from tablee.rules.contract import Action, Actions, Robot, Rules

log = structlog.get_logger("tablee.engines")

ENGINE, FAIRY = "stockfish", "fairy-stockfish"
REVIEW_NODES = 60_000
"""Looked at for each position of a game that is looked through: a tenth of a second or so."""
STRONGEST = "master"
SECONDS = 1.0
"""For one move; a robot thinks beside the event loop."""
PATIENCE = 5.0
"""An engine that has not answered by then is not asked again for this move."""
FAILURES_MOST = 3
"""After so many in one game an engine is not asked again for the rest of it."""


# Why: docs/decisions.md#rules-start-nothing
class UciRobot(msgspec.Struct, frozen=True):
    """Asks an engine for every move of classic chess; what the engine cannot answer, `instead` does."""

    path: str
    instead: Robot

    def choose(self, view: ChessView, legal: Actions, rng: Random) -> Action | None:
        import chess.engine  # it brings much along, and few machines have an engine

        is_turn = "moves" in legal.describe()
        if is_turn and view.draw_offer is None and view.takeback is None:
            try:
                move = self._ask(chess.Board(view.fen))
            except (chess.engine.EngineError, TimeoutError, OSError) as error:
                log.warning("engine_failed", engine=self.path, error=str(error))
            else:
                if move is not None and legal.allows(Move(move.uci())):
                    return Move(move.uci())
        return self.instead.choose(view, legal, rng)

    def _ask(self, board: chess.Board) -> chess.Move | None:
        import chess.engine

        with chess.engine.SimpleEngine.popen_uci(self.path, timeout=PATIENCE) as engine:
            return engine.play(board, chess.engine.Limit(time=SECONDS)).move


class Uci:
    """One engine that runs, asked in its own words: what the library cannot say of variants, these can."""

    def __init__(self, path: str, options: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self._lines: Queue[str] = Queue()
        Thread(target=self._read, name="engine", daemon=True).start()
        self._say("uci")
        self._until("uciok")
        for name, value in options.items():
            self._say(f"setoption name {name} value {value}")
        self._say("isready")
        self._until("readyok")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put("")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")

    def _until(self, word: str) -> list[str]:
        """What it says until a line that begins so, with that line; raises EngineFailed."""
        said = []
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except Empty:
                raise EngineFailed(f"no {word} within {PATIENCE:g} seconds") from None
            if not line and self._process.poll() is not None:
                raise EngineFailed("it has ended")
            said.append(line)
            if line.startswith(word):
                return said

    def judged(self, fen: str) -> tuple[int, int | None, tuple[str, ...]]:
        """Score and moves to a mate, for the side to move, and the best line; raises EngineFailed."""
        self._say(f"position fen {fen}")
        self._say(f"go nodes {REVIEW_NODES}")
        score, mate = 0, None
        line: tuple[str, ...] = ()
        for said in self._until("bestmove"):
            words = said.split()
            if words[:1] == ["info"] and "score" in words and "pv" in words and "upperbound" not in words:
                kind, value = words[words.index("score") + 1 :][:2]
                mate = int(value) if kind == "mate" else None
                score = int(value) if kind == "cp" else WON if int(value) > 0 else -WON
                line = tuple(words[words.index("pv") + 1 :][:LINE_MOST])
        return score, mate, line

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class EngineFailed(OSError):
    """An engine that does not answer, or not in time."""


class UciJudge(msgspec.Struct, frozen=True):
    """Has an engine judge the positions of a game; what it cannot be told or does not answer, we do."""

    path: str
    name: str
    is_weak: bool = False
    options: Mapping[str, str] = {}
    mirrored: bool = False
    """Whether the engine knows the variant with White and Black the other way round."""

    def verdicts(self, boards: Sequence[ClassicBoard]) -> Iterator[Verdict]:
        engine: Uci | None = None
        failures = 0
        try:
            for board in boards:
                if board.ending() is not None:
                    yield ended(board)
                    continue
                if failures >= FAILURES_MOST or (self.mirrored and not _can_be_told(board)):
                    yield looked_at(board)
                    continue
                try:
                    engine = engine or Uci(self.path, self.options)
                    yield self._judged(engine, board)
                except (OSError, ValueError) as error:
                    failures += 1
                    log.warning("engine_failed", engine=self.path, error=str(error))
                    if engine is not None:
                        engine.close()
                        engine = None
                    yield looked_at(board)
        finally:
            if engine is not None:
                engine.close()

    def _judged(self, engine: Uci, board: ClassicBoard) -> Verdict:
        shown = chess.Board(_six(board.fen()), chess960=False) if self.mirrored else board
        if self.mirrored:
            shown = shown.mirror()
        score, mate, line = engine.judged(_six(shown.fen()))
        if self.mirrored:
            line = tuple(_flipped(move) for move in line)
        if not line or not board.may_play(read_move(line[0])):
            return looked_at(board)
        sign = 1 if board.turn == chess.WHITE else -1
        return Verdict(sign * score, None if mate is None else sign * mate, line)


def _six(fen: str) -> str:
    """The six fields that every engine knows."""
    return " ".join(fen.split(" ")[:6])


def _flipped(move: str) -> str:
    """A move on the board turned upside down."""
    return "".join(str(9 - int(letter)) if letter.isdigit() else letter for letter in move)


def _can_be_told(board: ClassicBoard) -> bool:
    """Whether the rules of our Horde and those of the engine agree here: pawns on rank 7 are all fresh."""
    assert isinstance(board, HordeBoard)
    black = board.pawns & board.occupied_co[chess.BLACK] & chess.BB_RANK_7
    return black == board.fresh


@cache
def _variants_file() -> str:
    """Our Horde in the words of Fairy-Stockfish: pawns of the last row do not step twice."""
    file = NamedTemporaryFile("w", prefix="tablee-", suffix=".ini", delete=False)  # noqa: SIM115 - kept
    with file:
        file.write("[pawnhub:horde]\nfirstRankDoubleSteps = false\n")
    atexit.register(Path(file.name).unlink, missing_ok=True)
    return file.name


def found(name: str) -> str | None:
    """Where a program is; Debian puts games where services do not look."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def with_engines(games: Games, engine: str = ENGINE, fairy: str = FAIRY) -> Games:
    """These games with the engines of the machine: the strongest robot of classic chess, and the judges of
    finished games of Classic and Horde."""
    return games_of(*(_with_engine(rules, found(engine), found(fairy)) for rules in games.values()))


def _with_engine(rules: Rules[Any], engine: str | None, fairy: str | None) -> Rules[Any]:
    if not isinstance(rules, ChessRules):
        return rules
    if rules.variant == "classic" and engine is not None:
        strongest = {STRONGEST: UciRobot(engine, rules.robots[STRONGEST])}
        return rules.with_robots(strongest).with_judge(UciJudge(engine, "Stockfish"))
    if rules.variant == "horde" and fairy is not None:
        options = {"VariantPath": _variants_file(), "UCI_Variant": "pawnhub"}
        return rules.with_judge(UciJudge(fairy, "Fairy-Stockfish", options=options, mirrored=True))
    return rules
