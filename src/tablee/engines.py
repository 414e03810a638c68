"""Chess engines of the machine: where one that speaks UCI is installed, the strongest robot asks it."""

from __future__ import annotations

import shutil
from random import Random

import chess
import msgspec
import structlog

from tablee.rules import Games, games_of
from tablee.rules.chess import ChessRules, Move
from tablee.rules.chess.views import ChessView
from tablee.rules.contract import Action, Actions, Robot

log = structlog.get_logger("tablee.engines")

ENGINE = "stockfish"
STRONGEST = "master"
SECONDS = 1.0
"""For one move; a robot thinks beside the event loop."""
PATIENCE = 5.0
"""An engine that has not answered by then is not asked again for this move."""


# Why: docs/decisions.md#rules-start-nothing
class UciRobot(msgspec.Struct, frozen=True):
    """Asks an engine for every move of classic chess; what the engine cannot answer, `instead` does."""

    path: str
    instead: Robot

    def choose(self, view: ChessView, legal: Actions, rng: Random) -> Action | None:
        import chess.engine  # it brings much along, and few machines have an engine

        if "moves" not in legal.describe():
            return None
        if view.draw_offer is None and view.takeback is None:
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


def with_engines(games: Games, engine: str = ENGINE) -> Games:
    """These games, with the engine as the strongest robot of classic chess where it is installed."""
    path = shutil.which(engine)
    if path is None:
        return games
    return games_of(
        *(
            rules.with_robots({STRONGEST: UciRobot(path, rules.robots[STRONGEST])})
            if isinstance(rules, ChessRules) and rules.variant == "classic"
            else rules
            for rules in games.values()
        )
    )
