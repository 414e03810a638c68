"""A player's connection: to the server, from there to a match and back, mended by itself when it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from enum import Enum
from typing import Any

import msgspec

from tablee.terminal.minehive.link import Link
from tablee.terminal.minehive.messages import (
    Address,
    Ended,
    Identified,
    InMatch,
    Joined,
    JoinRefused,
    Kicked,
    MatchReady,
    Message,
    NoNewMatch,
    NotIdentified,
    Say,
    ServerFull,
)
from tablee.terminal.minehive.model import Lobby


class Stage(Enum):
    """Where a player stands with the server."""

    OUT = "out"  # not identified; somebody must give a name and a password
    SEEKING = "seeking"  # on the way to the server, or waiting before the next try
    LOBBY = "lobby"
    JOINING = "joining"
    PLAYING = "playing"
    KICKED = "kicked"  # in the lobby until the server sent him away; comes back when he says so
    CLOSED = "closed"


class Note(Message, frozen=True):
    """Something that happened to the connection; `key` names a sentence of the catalogue."""

    key: str
    parts: dict[str, Any] = msgspec.field(default_factory=dict)


class Moved(Message, frozen=True):
    """The player stands elsewhere now."""

    stage: Stage


class Invitation(Message, frozen=True):
    """Somebody made a match and wants this player in it."""

    address: Address


class Patience(msgspec.Struct, frozen=True):
    """How long the client waits for what, in seconds."""

    connect: float = 5.0
    silence: float = 12.0  # RUOK comes every 5 s: two in a row are missing
    first_retry: float = 0.5
    longest_retry: float = 5.0
    join_again: float = 1.0
    host_starts: float = 5.0  # a server may say NWOK before the host that it has started listens
    host_retry: float = 0.1
    look_again: float = 5.0  # the lists of a lobby that somebody looks at
    looks: int = 5  # lists of matches read before a lost match is taken to be over
    joins: int = 15  # a host needs up to 10 s to notice that the old connection is dead
    short_stay: float = 5.0
    short_stays: int = 3


Tell = Callable[[Sequence[Message]], None]


class Client:
    """Holds the two links of a player and tells `tell` all that happens, as messages in order."""

    def __init__(self, server: Address, tell: Tell, patience: Patience | None = None) -> None:
        self.server = server
        self.stage = Stage.OUT
        self.name = ""
        self._password = ""
        self._tell = tell
        self.patience = patience or Patience()
        self._server_link: Link | None = None
        self._match_link: Link | None = None
        self._lobby = Lobby()
        self._known = False  # the server has accepted these credentials before
        self._returning = 0  # how many more lists of matches to look through for the one that was lost
        self._creating = False
        self._retry = self.patience.first_retry
        self._joins_left = 0
        self._joining = server
        self._newest = (server, 0.0)  # the match told of last, and until when its host may refuse us
        self._arrived_at = 0.0
        self._short_stays = 0
        self._timer: asyncio.TimerHandle | None = None
        self._way: asyncio.Task[None] | None = None

    # What a player can do

    def log_in(self, name: str, password: str) -> None:
        """Identify, on the connection that is there or a new one."""
        self.name, self._password, self._known = name, password, False
        if self._server_link is None:
            self._seek()
        else:
            self._server_link.send(Say.register(name, password))

    def refresh(self) -> None:
        """Ask for the running matches and the available players."""
        self._to_server(Say.LIST_MATCHES, Say.LIST_AVAILABLE)

    def ask_users(self) -> None:
        """Ask for all users and their points."""
        self._to_server(Say.LIST_USERS)

    def create(self, guests: tuple[str, ...] = ()) -> None:
        """Ask for a new match, and join it when it is ready; the guest `ALL` is everybody available."""
        if self.stage is Stage.LOBBY and not self._creating:
            self._creating = True
            self._to_server(Say.new_match(guests))

    def join(self, address: Address) -> None:
        """Join a match from the lobby."""
        if self.stage is Stage.LOBBY:
            self._joins_left = 0
            self._join(address)

    def click(self, x: int, y: int) -> bool:
        """Open a square; False when there is no match to click in at this moment."""
        if self.stage is not Stage.PLAYING or self._match_link is None:
            return False
        self._match_link.send(Say.click(x, y))
        return True

    def come_back(self) -> None:
        """Return to the lobby after having been sent away."""
        if self.stage is Stage.KICKED:
            self._short_stays = 0
            self._seek()

    async def close(self) -> None:
        """Leave for good."""
        self._to_server(Say.LEAVE)
        self._stop_waiting()
        self._drop(server=True, match=True)
        if self._way is not None:
            self._way.cancel()
            await asyncio.gather(self._way, return_exceptions=True)
        self._move(Stage.CLOSED)

    @property
    def is_on_the_way(self) -> bool:
        """Whether the player is about to be somewhere else: on the way to the server or into a match."""
        return self._creating or self.stage in (Stage.SEEKING, Stage.JOINING)

    # The way to the server

    def _seek(self) -> None:
        self._stop_waiting()
        self._drop(server=True, match=True)
        self._move(Stage.SEEKING)
        self._set_out(self._reach_server())

    async def _reach_server(self) -> None:
        try:
            link = await self._open(self.server, self._hear_server, self._lost_server)
        except OSError:
            self._seek_later("server-unreachable")
            return
        self._server_link = link
        link.send(Say.register(self.name, self._password))

    def _seek_later(self, key: str) -> None:
        delay = self._retry
        self._retry = min(2 * delay, self.patience.longest_retry)
        self._move(Stage.SEEKING, Note(key, {"server": str(self.server), "seconds": round(delay, 1)}))
        self._wait(delay, self._seek)

    def _hear_server(self, link: Link, messages: list[Message]) -> None:
        told: list[Message] = []
        for message in messages:
            match message:
                case Identified() if self.stage in (Stage.SEEKING, Stage.OUT):
                    self._enter_lobby()
                case NotIdentified() if self.stage in (Stage.SEEKING, Stage.OUT):
                    self._refused()
                case InMatch(address=address) if self.stage in (Stage.SEEKING, Stage.OUT):
                    self._known = True
                    self._joins_left = self.patience.joins
                    self._join(address)
                case Kicked() if self.stage is Stage.LOBBY:
                    self._drop(server=True)
                    self._move(Stage.KICKED, Note("kicked"))
                case MatchReady(address=address):
                    now = asyncio.get_running_loop().time()
                    self._newest = (address, now + self.patience.host_starts)
                    if self._creating:
                        self._creating = False
                        self.join(address)
                    else:
                        told.append(Invitation(address))
                case ServerFull() | NoNewMatch():
                    self._creating = False
                    told.append(message)
                case _:
                    told.append(message)
        if "matches" in self._lobby.hear(told):
            self._go_back_to_match()
        if told:
            self._tell(told)

    def _enter_lobby(self) -> None:
        self._known, self._creating = True, False
        self._arrived_at = asyncio.get_running_loop().time()
        self._move(Stage.LOBBY)
        self.refresh()

    def _go_back_to_match(self) -> None:
        # A host that died has put its players out of the match, so REGI says IDOK and not IDIG; the match is
        # taken up again elsewhere and still names them.
        if not self._returning or self.stage is not Stage.LOBBY:
            return
        running = self._lobby.match_of(self.name)
        self._returning -= 1
        if running is not None:
            self.join(running.address)
        elif self._returning:
            self._wait(self.patience.join_again, self.refresh)
        else:
            self._tell([Note("match-over-meanwhile")])

    def _refused(self) -> None:
        if self._known:
            self._seek_later("refused-again")
        else:
            self._move(Stage.OUT, Note("refused"))

    def _lost_server(self, link: Link) -> None:
        if link is not self._server_link:
            return
        self._server_link = None
        if self.stage is Stage.LOBBY:
            self._left_lobby()
        elif self.stage is Stage.SEEKING:
            self._seek_later("server-lost")
        elif self.stage is Stage.OUT:
            self._tell([Note("server-lost-out", {"server": str(self.server)})])

    def _left_lobby(self) -> None:
        # Two clients with one name would push each other out for ever; the one that loses a few times stops.
        stay = asyncio.get_running_loop().time() - self._arrived_at
        self._short_stays = self._short_stays + 1 if stay < self.patience.short_stay else 0
        if self._short_stays >= self.patience.short_stays:
            self._move(Stage.KICKED, Note("pushed-out"))
            return
        if self._short_stays == 0:
            self._retry = self.patience.first_retry
        self._seek_later("server-lost")

    # The way to a match

    def _join(self, address: Address) -> None:
        self._move(Stage.JOINING)
        self._set_out(self._reach_match(address))

    async def _reach_match(self, address: Address) -> None:
        newest, until = self._newest
        while not await self._knock(address):
            if address != newest or asyncio.get_running_loop().time() >= until:
                self._not_joined(Note("match-unreachable", {"match": str(address)}))
                return
            await asyncio.sleep(self.patience.host_retry)

    async def _knock(self, address: Address) -> bool:
        """Join a match; False when its host cannot be reached."""
        # A server behind a router may give an address that only it can reach; its own is the next guess.
        for host in dict.fromkeys((address.host, self.server.host)):
            place = Address(host, address.port)
            try:
                link = await self._open(place, self._hear_match, self._lost_match)
            except OSError:
                continue
            self._match_link = link
            self._joining = place
            link.send(Say.join(self.name, self._password))
            return True
        return False

    def _hear_match(self, link: Link, messages: list[Message]) -> None:
        told: list[Message] = []
        for message in messages:
            match message:
                case Joined() if self.stage is Stage.JOINING:
                    self._returning = 0
                    self._retry = self.patience.first_retry
                    self._short_stays = 0
                    self._drop(server=True)
                    self._move(Stage.PLAYING)
                    told.append(message)
                case JoinRefused() | NotIdentified() if self.stage is Stage.JOINING:
                    self._join_refused(message)
                    return
                case Ended():
                    self._tell([*told, message])
                    self._seek()
                    return
                case _:
                    told.append(message)
        if told:
            self._tell(told)

    def _join_refused(self, message: Message) -> None:
        reason = message.reason if isinstance(message, JoinRefused) else ""
        place = self._joining
        self._drop(match=True)
        if self._joins_left > 0:
            self._joins_left -= 1
            self._tell([Note("join-again")])
            self._wait(self.patience.join_again, lambda: self._set_out(self._reach_match(place)))
        else:
            self._not_joined(Note("join-refused", {"reason": reason}))

    def _not_joined(self, note: Note) -> None:
        if self._server_link is not None:
            self._move(Stage.LOBBY, note)
            self.refresh()
        elif self._joins_left > 0:
            self._joins_left -= 1
            self._tell([note])
            self._seek_later("match-lost")
        else:
            self._move(Stage.OUT, note)

    def _lost_match(self, link: Link) -> None:
        if link is not self._match_link:
            return
        self._match_link = None
        if self.stage is Stage.PLAYING or self._server_link is None:
            self._returning = self.patience.looks
            self._seek_later("match-lost")
        else:
            self._not_joined(Note("match-lost-joining"))

    # Small parts

    async def _open(
        self, place: Address, hear: Callable[[Link, list[Message]], None], lost: Callable[[Link], None]
    ) -> Link:
        """A link to a place; OSError (TimeoutError is one) when there is none."""
        loop = asyncio.get_running_loop()
        silence = self.patience.silence
        async with asyncio.timeout(self.patience.connect):
            _, link = await loop.create_connection(lambda: Link(hear, lost, silence), place.host, place.port)
        return link

    def _to_server(self, *lines: str) -> None:
        if self._server_link is not None:
            self._server_link.send(*lines)

    def _drop(self, *, server: bool = False, match: bool = False) -> None:
        if server and self._server_link is not None:
            self._server_link.close()
            self._server_link = None
        if match and self._match_link is not None:
            self._match_link.close()
            self._match_link = None

    def _move(self, stage: Stage, note: Note | None = None) -> None:
        moved: list[Message] = [] if note is None else [note]
        if stage is not self.stage:
            self.stage = stage
            moved.append(Moved(stage))
        if moved:
            self._tell(moved)

    def _set_out(self, way: Coroutine[Any, Any, None]) -> None:
        # One way at a time: who sets out anew has given up the other.
        if self._way is not None:
            self._way.cancel()
        self._way = asyncio.get_running_loop().create_task(way)

    def _wait(self, delay: float, then: Callable[[], None]) -> None:
        self._stop_waiting()
        self._timer = asyncio.get_running_loop().call_later(delay, then)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
