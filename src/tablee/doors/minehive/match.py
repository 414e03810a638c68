"""A match and its players: their connections at the match's own port, and what they are told.

Nothing is said here that was not committed before: a click goes to the desk of the server, and only what
comes back from there, as SPECTATOR is told of it and in the order of the log, becomes lines.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Iterable
from typing import Protocol

from tablee.doors.minehive import messages
from tablee.doors.minehive.lines import Lines
from tablee.doors.minehive.messages import BEST_MINESWEEPER, MOST_BLOWN_UP, BadMessage
from tablee.doors.minehive.picture import Picture, Player
from tablee.doors.minehive.settings import MinehiveSettings
from tablee.rules.contract import Fact, Seat
from tablee.rules.mines.model import Abandoned, Finished
from tablee.rules.mines.views import (
    MinesView,
    ToldCameBack,
    ToldFellAsleep,
    ToldJoined,
    ToldLeft,
    ToldOpened,
    ToldReturned,
    ToldWentAway,
)
from tablee.wire.wheel import Wheel

OUT_OF_RANGE = "out_of_range"
PATIENCE = 2_000
"""Milliseconds that clicks in flight have to be finished when the match is put down here."""
LATE = b"LATE\n"
JNNO = "JNNO\n"
IDNO = "IDNO\n"
_NUMBERS = {str(n): n for n in range(100)}
_NOWHERE = -1
"""What a coordinate that is no number is played as: a miss like any other."""


class Desk(Protocol):
    """Where a match asks the server. Each question is answered once under its n: by `Match.entered`,
    `Match.played` or `Match.refused`, after `Match.told` was called with what it changed."""

    def join(self, n: int, user: str, password: str, address: str) -> None: ...

    def click(self, n: int, player: str, x: int, y: int) -> None: ...

    def leave(self, player: str) -> None: ...


class Match:
    """The players of one match who are connected here."""

    def __init__(
        self,
        name: str,
        view: MinesView,
        settings: MinehiveSettings,
        wheel: Wheel,
        ended: Callable[[], None],
    ) -> None:
        self.name = name
        self.picture = Picture(view)
        self.settings = settings
        self.wheel = wheel
        self.desk: Desk = _NOBODY
        self.connected: dict[Seat, PlayerConnection] = {}
        self.others: set[PlayerConnection] = set()
        """Connections that have not joined."""
        self.over = False
        self.is_void = False
        """Whether the house has ended it, which no fact says."""
        self._ended = ended
        self._number = 0
        self._joining: dict[int, PlayerConnection] = {}
        self._clicks: dict[int, tuple[PlayerConnection, str, str]] = {}

    def connection(self) -> PlayerConnection:
        """For the listening socket: a new client."""
        return PlayerConnection(self)

    # --- from the clients -------------------------------------------------------------------------------

    def join(self, connection: PlayerConnection, user: str, password: str) -> None:
        self._number += 1
        self._joining[self._number] = connection
        self.desk.join(self._number, user, password, connection.address)

    def click(self, connection: PlayerConnection, x: str, y: str) -> None:
        self._number = n = self._number + 1
        self._clicks[n] = (connection, x, y)
        self.desk.click(n, connection.name, _coordinate(x), _coordinate(y))

    def lost(self, connection: PlayerConnection) -> None:
        self.others.discard(connection)
        if connection.seat and self.connected.get(connection.seat) is connection:
            del self.connected[connection.seat]
            self.desk.leave(connection.name)

    # --- from the server --------------------------------------------------------------------------------

    def told(self, facts: Iterable[Fact]) -> None:
        """Tell everybody what was committed, in this order, in as few writes as can be."""
        out: list[str] = []
        picture = self.picture
        players = picture.players
        for fact in facts:
            if type(fact) is ToldOpened:
                picture.opens(fact)
                name = players[fact.seat].name
                out += [f"SQRD#{x}#{y}#{c}#{points}#{name}\n" for x, y, c, points in fact.squares]
                continue
            picture.take(fact)
            if isinstance(fact, ToldJoined | ToldCameBack):
                self._tell(out)
                self._came(fact.seat)
            elif type(fact) is ToldWentAway:
                out.append(f"DECO#{players[fact.seat].name}\n")
            elif type(fact) is ToldFellAsleep:
                out.append(f"AFKP#{players[fact.seat].name}\n")
            elif type(fact) is ToldReturned:
                out.append(f"BACK#{players[fact.seat].name}\n")
            elif type(fact) is ToldLeft:
                out.append(f"DECO#{players[fact.seat].name}\n")
                self._tell(out)
                self._left(fact.seat)
            elif isinstance(fact, Finished | Abandoned):
                self._ended()
                out += [f"{line}\n" for line in self.scores()]
        self._tell(out)
        if picture.ended:
            self.end()

    def entered(self, n: int, seat: Seat) -> None:
        """The JOIN of this number is committed: its connection gets everything, an older one is closed."""
        connection = self._joining.pop(n, None)
        player = self.picture.players.get(seat)
        if connection is None or player is None:
            return
        if connection.lost:
            if seat not in self.connected:
                self.desk.leave(player.name)
            return
        older = self.connected.pop(seat, None)
        if older is not None and older is not connection:
            older.seat = 0
            older.close()
        self.connected[seat] = connection
        connection.accepted(seat, player.name, self._welcome())

    def put_out(self, seat: Seat) -> None:
        """He was AFK here and has joined at another node, or may not play any more."""
        connection = self.connected.get(seat)
        if connection is not None:
            connection.close()

    def voided(self) -> None:
        """The house has ended the match: everybody hears how it stood, and that this was all."""
        self.is_void = True
        self._ended()
        self._tell([f"{line}\n" for line in self.scores()])
        self.end()

    def played(self, n: int) -> None:
        """The click of this number is committed, and what it opened was told."""
        click = self._clicks.pop(n, None)
        if click is not None:
            click[0].clicked()

    def refused(self, n: int, code: str) -> None:
        """Nothing came of what was asked under this number."""
        joining = self._joining.pop(n, None)
        if joining is not None:
            joining.refused()
            return
        click = self._clicks.pop(n, None)
        if click is not None:
            connection, x, y = click
            connection.missed(code, x, y)
            connection.clicked()

    async def finish_clicks(self) -> None:
        """Take no more from anybody, and wait for what is on its way to be committed and told."""
        for connection in self.connected.values():
            connection.stop_reading()
        for _ in range(PATIENCE // 5):
            if not self._clicks:
                break
            await asyncio.sleep(0.005)

    def end(self) -> None:
        """Close every connection, after its last lines."""
        if self.over:
            return
        self.over = True
        connections = [*self.connected.values(), *self.others, *self._joining.values()]
        self.connected.clear()
        self.others.clear()
        for connection in connections:
            connection.close()

    # --- what is said -----------------------------------------------------------------------------------

    def scores(self) -> list[str]:
        """The end as it is told to all: SCPC for each, then ENDC."""
        players = self.picture.players
        lines = [str(messages.Scpc(*_profile(p), self._marks(seat))) for seat, p in players.items()]
        return [*lines, str(messages.Endc(len(players)))]

    def data(self) -> tuple[int, tuple[tuple[str, int], ...]]:
        """For the list of matches: completion, and everybody who joined with his points."""
        return self.picture.completion, tuple((p.name, p.points) for p in self.picture.players.values())

    def _marks(self, seat: Seat) -> tuple[str, ...]:
        best = (BEST_MINESWEEPER,) if seat in self.picture.best else ()
        worst = (MOST_BLOWN_UP,) if seat in self.picture.worst else ()
        return best + worst

    def _welcome(self) -> str:
        rows, players = self.picture.rows, self.picture.players
        lines = [str(messages.Jnok(len(rows)))]
        lines += ["#".join(("BDIT", str(y), *row)) for y, row in enumerate(rows)]
        lines.append(str(messages.Ignb(len(players))))
        lines += [str(messages.Igpl(*_profile(player))) for player in players.values()]
        return "".join(f"{line}\n" for line in lines)

    def _came(self, seat: Seat) -> None:
        """Somebody is in: the others get his profile."""
        self._tell([f"{messages.Conn(*_profile(self.picture.players[seat]))}\n"], besides=seat)

    def _left(self, seat: Seat) -> None:
        """Gone for good, by the page: he no longer plays here either."""
        connection = self.connected.pop(seat, None)
        if connection is not None:
            connection.seat = 0
            connection.close()

    def _tell(self, out: list[str], besides: Seat = 0) -> None:
        """One bytes object for all who are connected, but for those who read Latin-1."""
        if not out:
            return
        text = "".join(out)
        data = text.encode()
        out.clear()
        for seat, connection in list(self.connected.items()):
            if seat != besides:
                connection.write(connection.encoded(text) if connection.is_latin else data)


class PlayerConnection(Lines):
    """A client at the match's port: outside, joining, or in (with a seat)."""

    __slots__ = ("_full", "_waiting", "match", "name", "ping", "seat", "silence")
    not_understood = b"IDKH\n"

    def __init__(self, match: Match) -> None:
        super().__init__(match.wheel, match.settings.bounds)
        self.match = match
        self.ping = match.settings.ping
        self.silence = match.settings.silence
        self.seat: Seat = 0
        self.name = ""
        self._waiting = 0
        self._full = False
        """Whether he waits because too many of his clicks do."""

    def began(self) -> None:
        self.match.others.add(self)

    def gone(self) -> None:
        self.match.lost(self)

    def is_identified(self) -> bool:
        return bool(self.seat)

    def has_work(self) -> bool:
        return self._held or self._waiting > 0

    def line(self, line: str) -> None:
        fields = line.split("#", 3)
        kind = fields[0]
        if kind == "CLIC" and self.seat:
            self._click(fields)
        elif kind == "JOIN":
            self._join(line)
        elif kind not in ("IMOK", "IDKC"):
            self.misread()

    def _click(self, fields: list[str]) -> None:
        self.understood()
        self._waiting += 1
        if self._waiting >= self.bounds.clicks:
            self._full = True
            self.pause()
        x = fields[1] if len(fields) > 1 else ""
        self.match.click(self, x, fields[2] if len(fields) > 2 else "")

    def missed(self, code: str, x: str, y: str) -> None:
        """His click has opened nothing; for whatever other reason, LATE is the line that there is for it."""
        if code == OUT_OF_RANGE:
            self.tell(f"OORG#{x}#{y}\n")
        else:
            self.write(LATE)

    def clicked(self) -> None:
        """One of the clicks has its answer."""
        self._waiting -= 1
        if self._full and self._waiting <= self.bounds.clicks // 2:
            self._full = False
            self.go_on()
        elif self._ended:
            self.settle()

    def stop_reading(self) -> None:
        """Whatever else he sends is not looked at any more."""
        self._full = False
        self.pause()

    def _join(self, line: str) -> None:
        self.understood()
        try:
            message = messages.parse(messages.Join, messages.fields_of(line))
        except BadMessage:
            self.answer(IDNO)
            return
        if self.seat and _key(message.user) != _key(self.name):
            self.answer(JNNO)
            return
        self.pause()
        self.match.join(self, message.user, message.password)

    def accepted(self, seat: Seat, name: str, welcome: str) -> None:
        self.match.others.discard(self)
        self.seat = seat
        self.name = name
        self.tell(welcome)
        self.go_on()

    def refused(self) -> None:
        self.answer(JNNO)
        self.go_on()


def _profile(player: Player) -> tuple[str, int, int, int, int]:
    return player.name, player.points, player.total, player.safe, player.mines


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _coordinate(text: str) -> int:
    known = _NUMBERS.get(text)
    if known is not None:
        return known
    try:
        return max(_NOWHERE, min(messages.number(text), 2**31 - 1))
    except BadMessage:
        return _NOWHERE


class _NoDesk:
    """Before the server has answered LOGI there is nobody to ask."""

    def join(self, n: int, user: str, password: str, address: str) -> None: ...

    def click(self, n: int, player: str, x: int, y: int) -> None: ...

    def leave(self, player: str) -> None: ...


_NOBODY = _NoDesk()
