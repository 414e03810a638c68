"""A match as everybody sees it: begun from SPECTATOR's view, kept by the facts that SPECTATOR is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from tablee.rules.contract import Fact
from tablee.rules.mines.model import Abandoned, Finished
from tablee.rules.mines.views import MinesView, ToldJoined, ToldOpened

HIDDEN = "X"
_MINE = "*"
_WORDS = {content: str(content) for content in range(-1, 9)}


class Player(Struct):
    """Somebody who ever joined, as far as lines tell of him."""

    name: str
    points: int
    total: int
    safe: int = 0
    mines: int = 0


class Picture:
    """The board and the players."""

    __slots__ = ("best", "ended", "opened", "players", "rows", "squares", "worst")

    def __init__(self, view: MinesView) -> None:
        self.rows = [["-1" if word == _MINE else word for word in row] for row in view.rows.values()]
        """The words of every square: `X` hidden, `-1` a mine, `0` to `8`."""
        self.players = {
            int(seat): Player(p.name, p.points, p.total, p.safe, p.mines) for seat, p in view.players.items()
        }
        """By seat, in the order in which they came."""
        self.squares = view.width * view.height
        self.opened = self.squares - sum(row.count(HIDDEN) for row in self.rows)
        self.ended = view.ended is not None
        self.best = view.best
        self.worst = view.worst

    @property
    def completion(self) -> int:
        """Percent of all squares that are open, mines counted, rounded down."""
        return 100 * self.opened // self.squares

    def take(self, fact: Fact) -> None:
        """The match after this fact."""
        change = _CHANGES.get(type(fact))
        if change is not None:
            change(self, fact)

    def opens(self, fact: ToldOpened) -> None:
        """The match after this fact, the one of nearly every click."""
        rows, mines = self.rows, 0
        for x, y, content, _ in fact.squares:
            rows[y][x] = _WORDS[content]
            if content < 0:
                mines += 1
        self.opened += len(fact.squares)
        player = self.players[fact.seat]
        player.points += fact.points
        player.total += fact.points
        player.mines += mines
        player.safe += len(fact.squares) - mines

    def _joined(self, fact: ToldJoined) -> None:
        self.players[fact.seat] = Player(fact.name, 0, fact.total)

    def _finished(self, fact: Finished) -> None:
        self.best, self.worst = fact.best, fact.worst
        self._scored(fact)

    def _scored(self, fact: Finished | Abandoned) -> None:
        self.ended = True
        for seat, player in self.players.items():
            player.total += fact.scores[seat] - player.points
            player.points = fact.scores[seat]


_CHANGES: dict[type[Fact], Callable[[Picture, Any], None]] = {
    ToldOpened: Picture.opens,
    ToldJoined: Picture._joined,
    Finished: Picture._finished,
    Abandoned: Picture._scored,
}
