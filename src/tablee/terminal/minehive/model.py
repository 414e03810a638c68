"""A match and a lobby as the lines told them: pure, fed with messages, asked by the screens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from tablee.terminal.minehive.messages import (
    HEIGHT,
    WIDTH,
    Arrived,
    AvailableCount,
    AvailableLine,
    Away,
    Back,
    BoardRow,
    Ended,
    FinalScore,
    Gone,
    Joined,
    Late,
    MatchCount,
    MatchLine,
    Message,
    Opened,
    OutOfRange,
    PlayerCount,
    PlayerLine,
    Score,
    UserCount,
    UserLine,
)

MINES, MINE = 99, -1
ROWS = "ABCDEFGHIJKLMNOP"

Line = TypeVar("Line", MatchLine, AvailableLine, UserLine)


class Square(NamedTuple):
    """A place on the board: column x from 0 to 29, row y from 0 to 15."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"{ROWS[self.y]}{self.x + 1}"


def square_named(text: str) -> Square | None:
    """The square that a player calls `K4`, row then column; None when there is no such square."""
    found = re.fullmatch(r"\s*([A-Pa-p])\s*([0-9]{1,2})\s*", text, re.ASCII)
    if not found or not 1 <= int(found[2]) <= WIDTH:
        return None
    return Square(int(found[2]) - 1, ROWS.index(found[1].upper()))


class Presence(Enum):
    """Whether a player of the match counts in the multiplier, and if not, why."""

    ACTIVE = "active"
    AWAY = "away"
    GONE = "gone"


@dataclass
class Player:
    """A player of the match and what he has so far."""

    name: str
    points: int
    total: int
    safe: int
    mines: int
    presence: Presence = Presence.ACTIVE


@dataclass
class Opening:
    """Squares opened by one click, to be told in one sentence."""

    name: str
    squares: list[Square] = field(default_factory=list)
    contents: list[int] = field(default_factory=list)
    points: int = 0
    _empty: set[Square] = field(default_factory=set)

    def goes_on_to(self, square: Square, name: str) -> bool:
        """Whether a square belongs to the same click: it touches an empty one that this click opened."""
        x, y = square
        around = {Square(x - 1, y), Square(x + 1, y), Square(x, y - 1), Square(x, y + 1)}
        return name == self.name and not self._empty.isdisjoint(around)

    def add(self, square: Square, content: int, points: int) -> None:
        self.squares.append(square)
        self.contents.append(content)
        self.points += points
        if content == 0:
            self._empty.add(square)


class Match:
    """One match: the board, the players, the end."""

    def __init__(self) -> None:
        self.squares: list[list[int | None]] = [[None] * WIDTH for _ in range(HEIGHT)]
        self.players: dict[str, Player] = {}
        self.marks: set[Square] = set()
        self.waiting: list[Square] = []
        self.latest: set[Square] = set()
        self.results: list[FinalScore] = []
        self.over = False
        self.is_complete = False
        """Whether all who play here have been named since one has joined."""
        self._unnamed = 0
        self._uncounted = 0

    def content(self, square: Square) -> int | None:
        """What is on a square, None while it is hidden."""
        return self.squares[square.y][square.x]

    def hear(self, messages: Sequence[Message]) -> list[Opening]:
        """Take in what the host said, and give back the openings grouped by who clicked."""
        openings: list[Opening] = []
        for message in messages:
            if isinstance(message, Opened):
                self._open(message)
                square = Square(message.x, message.y)
                if not (openings and openings[-1].goes_on_to(square, message.name)):
                    openings.append(Opening(message.name))
                openings[-1].add(square, message.content, message.points)
            else:
                self._hear_other(message)
        if openings:
            self.latest = {square for opening in openings for square in opening.squares}
        return openings

    def _open(self, told: Opened) -> None:
        square = Square(told.x, told.y)
        self.squares[told.y][told.x] = told.content
        self.marks.discard(square)
        if square in self.waiting:
            self.waiting.remove(square)
        player = self.players.setdefault(told.name, Player(told.name, 0, 0, 0, 0))
        player.points += told.points
        player.total += told.points
        if told.content == MINE:
            player.mines += 1
        else:
            player.safe += 1
        # IGPL does not say who is away, but the points of a square do: whoever is not in its multiplier.
        worth = -10 if told.content == MINE else max(told.content, 1)
        self._uncounted = self._active() - told.points // worth

    def _hear_other(self, message: Message) -> None:
        match message:
            case Joined():
                self.players.clear()
                self.waiting.clear()
                self.latest = set()
                self.is_complete = False
                self._uncounted = 0
            case BoardRow(y=y, squares=squares):
                self.squares[y] = list(squares)
                self.marks = {m for m in self.marks if self.content(m) is None}
            case PlayerCount(count=count):
                self._unnamed = count
                self.is_complete = count <= 0
            case PlayerLine(score=score):
                self.players[score.name] = _player(score)
                self._unnamed -= 1
                self.is_complete = self._unnamed <= 0
            case Arrived(score=score):
                self.players[score.name] = _player(score)
            case Gone(name=name):
                self._presence(name, Presence.GONE)
            case Away(name=name):
                self._presence(name, Presence.AWAY)
            case Back(name=name):
                self._presence(name, Presence.ACTIVE)
            case Late() | OutOfRange():
                # Answers come in the order of the clicks: the refused one is the oldest that is open already.
                opened = (s for s in self.waiting if self.content(s) is not None)
                refused = next(opened, self.waiting[0] if self.waiting else None)
                if refused is not None:
                    self.waiting.remove(refused)
            case FinalScore(score=score):
                self.players[score.name] = _player(score)
                self.results.append(message)
            case Ended():
                self.over = True
                self.waiting.clear()

    def _presence(self, name: str, presence: Presence) -> None:
        if name in self.players:
            self.players[name].presence = presence

    def clicked(self, square: Square) -> None:
        """Note a click that was sent and is not answered yet."""
        if square not in self.waiting:
            self.waiting.append(square)

    def cut_off(self) -> None:
        """Forget the clicks that nobody will answer any more, because the connection is gone."""
        self.waiting.clear()

    def mark(self, square: Square) -> None:
        """Put a mark of one's own on a hidden square, or take it away."""
        if square in self.marks:
            self.marks.remove(square)
        elif self.content(square) is None:
            self.marks.add(square)

    @property
    def multiplier(self) -> int:
        """How many players are active, as far as told, which is what each click is multiplied by."""
        return max(1, self._active() - self._uncounted)

    def _active(self) -> int:
        return sum(p.presence is Presence.ACTIVE for p in self.players.values())

    @property
    def mines_left(self) -> int:
        """How many mines are neither blown up nor marked."""
        return MINES - sum(row.count(MINE) for row in self.squares) - len(self.marks)

    @property
    def completion(self) -> int:
        """How much of the board is open, in percent as the protocol counts it."""
        hidden = sum(row.count(None) for row in self.squares)
        return 100 * (WIDTH * HEIGHT - hidden) // (WIDTH * HEIGHT)

    def ranking(self) -> list[Player]:
        """The players, best first."""
        return sorted(self.players.values(), key=lambda p: (-p.points, p.name.casefold()))


def _player(score: Score) -> Player:
    return Player(score.name, score.points, score.total, score.safe, score.mines)


@dataclass
class Listing(Generic[Line]):
    """A list that comes as a count and then its lines; `lines` changes only when all have come."""

    lines: list[Line] = field(default_factory=list)
    _coming: list[Line] = field(default_factory=list)
    _left: int = 0

    def begin(self, count: int) -> bool:
        self._coming, self._left = [], count
        return self._finished()

    def add(self, line: Line) -> bool:
        if self._left == 0:
            return False
        self._coming.append(line)
        self._left -= 1
        return self._finished()

    def _finished(self) -> bool:
        if self._left == 0:
            self.lines = self._coming
        return self._left == 0


class Lobby:
    """The lists of the server: running matches, available players, all users."""

    def __init__(self) -> None:
        self.matches: Listing[MatchLine] = Listing()
        self.available: Listing[AvailableLine] = Listing()
        self.users: Listing[UserLine] = Listing()

    def hear(self, messages: Sequence[Message]) -> set[str]:
        """Take in what the server said, and give back the names of the lists that are new."""
        fresh: set[str] = set()
        for message in messages:
            match message:
                case MatchCount(count=n) if self.matches.begin(n):
                    fresh.add("matches")
                case MatchLine() if self.matches.add(message):
                    fresh.add("matches")
                case AvailableCount(count=n) if self.available.begin(n):
                    fresh.add("available")
                case AvailableLine() if self.available.add(message):
                    fresh.add("available")
                case UserCount(count=n) if self.users.begin(n):
                    fresh.add("users")
                case UserLine() if self.users.add(message):
                    fresh.add("users")
        return fresh

    def match_of(self, name: str) -> MatchLine | None:
        """The match that names a player, if the list has one."""
        return next((m for m in self.matches.lines if any(n == name for n, _ in m.players)), None)
