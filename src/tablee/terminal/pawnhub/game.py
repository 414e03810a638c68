"""A game as its messages tell it (document, chapter 6.5): what comes next, and whose turn it is."""

from __future__ import annotations

from enum import Enum

from tablee.terminal.pawnhub.board import read_board


class Stage(Enum):
    """What the next message of the game is."""

    COLOR = "colour"
    BOARD = "board"
    TURN = "turn"
    MOVE = "move"  # an answer to a move, or the board after one
    STATE = "state"
    RESULT = "result"
    OVER = "over"


class Heard(Enum):
    """What a message of the game meant."""

    NOTHING = "nothing"
    TURN = "turn"  # the boards and the turn are new
    ACCEPTED = "accepted"
    REFUSED = "refused"
    OVER = "over"


class OutOfOrder(ValueError):
    """The server said something that does not belong here."""


class Game:
    """One game, from its GAME line on."""

    def __init__(self, number: str, variant: str, opponent: str) -> None:
        self.number = number
        self.variant = variant
        self.opponent = opponent
        self.is_white = True
        self.boards: list[dict[str, str]] = []
        self.turn = 0
        self.result = ""
        self.stage = Stage.COLOR
        self._new: list[dict[str, str]] = []
        self._begun = False

    @property
    def is_my_turn(self) -> bool:
        return self.stage is Stage.MOVE and (self.turn % 2 == 1) == self.is_white

    def hear(self, line: str) -> Heard:
        """Take the next message; raises OutOfOrder, BadBoard."""
        if self.stage is Stage.MOVE and line == "False":
            return Heard.REFUSED
        if self.stage is Stage.MOVE and line == "True":
            self.stage = Stage.BOARD
            return Heard.ACCEPTED
        if line.endswith("#") and self.stage in (Stage.BOARD, Stage.MOVE):
            return self._board(line)
        if self.stage is Stage.COLOR and line in ("0", "1"):
            self.is_white = line == "1"
            self.stage = Stage.BOARD
            return Heard.NOTHING
        if self.stage is Stage.TURN and line.isdecimal():
            self.turn = int(line)
            self.stage = Stage.MOVE
            self._begun = True
            return Heard.TURN
        if self.stage is Stage.STATE and line in ("True", "False"):
            self.stage = Stage.RESULT if line == "True" else Stage.TURN
            return Heard.NOTHING
        if self.stage is Stage.RESULT:
            self.result = line
            self.stage = Stage.OVER
            return Heard.OVER
        raise OutOfOrder(line)

    def _board(self, line: str) -> Heard:
        self._new.append(read_board(line))
        if len(self._new) < (2 if self.variant == "alice" else 1):
            self.stage = Stage.BOARD
        else:
            self.boards, self._new = self._new, []
            self.stage = Stage.STATE if self._begun else Stage.TURN
        return Heard.NOTHING
