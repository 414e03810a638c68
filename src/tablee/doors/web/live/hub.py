"""Everyone who is connected to this door now, and what the bus says that concerns them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import structlog

from tablee.clock import Instant
from tablee.club.limits import network
from tablee.club.online import HINT as PRESENCE
from tablee.rules.contract import SPECTATOR
from tablee.store import StoreError
from tablee.tables import NoSuchTable
from tablee.tasks import Tasks
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardRow

from ..shapes import OwnGames
from ..tables.own import own_games
from ..talk.chatter import Chatter
from .feeds import Feed
from .gathering import Gathering
from .lobby_board import LobbyBoard
from .watches import Watches

if TYPE_CHECKING:
    from ..house import House
    from .connection import Connection

log = structlog.get_logger("tablee.web")

LOOK_EVERY = 60_000
SAID_LATELY = 10 * 60_000
"""Sessions that expire are not told by the bus: every connection is looked at so often."""

BACK_WITHIN = 10_000
"""A page that is loaded anew is back so soon: who stays away longer waits for no opponent."""

DOOR = "web"


class Closing(Protocol):
    """Something that can be ended."""

    def close(self) -> None: ...


@dataclass(eq=False, frozen=True)
class HttpTurns:
    """A bot's turns over plain HTTP: they end with the house, and with the session of the bot's token."""

    turns: Closing
    account_id: int
    session_id: int
    address: str


class Hub:
    """The connections of this node. `start` before the first one, `stop` after the goodbye."""

    def __init__(self, house: House) -> None:
        self.stopping = False
        self.tasks = Tasks("tablee.web", StoreError)
        self.spawn = self.tasks.spawn
        self.watches = Watches(self.spawn)
        self.chatter = Chatter(house)
        self.lobby = LobbyBoard(house)
        self._house = house
        self.own_games = Gathering[tuple[int, str], OwnGames](
            self.spawn, lambda whose: own_games(house, *whose)
        )
        self.tournaments = Gathering[int, tuple[TournamentState, list[BoardRow]]](
            self.spawn, self._tournament
        )
        self._connections: set[Connection] = set()
        self._by_network: Counter[str] = Counter()
        self._by_account: dict[int, set[Connection]] = {}
        self._feeds: dict[int, Feed] = {}
        self._http_turns: dict[int, set[HttpTurns]] = {}
        self._leave: list[Callable[[], None]] = []

    def start(self) -> None:
        bus = self._house.store.bus
        self._leave = [
            bus.subscribe("account", self._account_hint),
            bus.subscribe("friend", lambda key, _: self.watches.poke("friends", int(key))),
            bus.subscribe("challenge", self._challenge_hint),
            bus.subscribe("table", lambda key, _: self.watches.poke_interested(("table", int(key)))),
            bus.subscribe(PRESENCE, lambda key, _: self.watches.poke_interested(("account", int(key)))),
            bus.subscribe("chat", self.chatter.hint),
            bus.subscribe("chat", self._spoken_hint),
            bus.subscribe("chat_deleted", self.chatter.deleted),
            bus.subscribe("lobby", self._lobby_hint),
            bus.subscribe("matched", self._matched_hint),
            bus.subscribe("tournament", lambda key, _: self.watches.poke("tournament", int(key))),
            bus.subscribe("seated", lambda key, _: self._read_info(int(key))),
            bus.on_lost(self._lost),
        ]
        self._look_later()

    async def stop(self, reason: str, back_in: int) -> None:
        """Tell everybody goodbye; returns once all are gone, or after a few seconds."""
        self.stopping = True
        for leave in self._leave:
            leave()
        for connection in list(self._connections):
            connection.say_goodbye(reason, 1012, back_in)
        for stream in [stream for there in self._http_turns.values() for stream in there]:
            stream.turns.close()
        for _ in range(100):
            if not self._connections:
                break
            await asyncio.sleep(0.02)
        await self.tasks.end()

    # --- connections ------------------------------------------------------------------------------------

    def has_room_for(self, address: str) -> bool:
        """Whether one address may have one more connection, WebSocket or stream."""
        return self._by_network[network(address)] < self._house.settings.most_connections

    def add(self, connection: Connection) -> None:
        self._connections.add(connection)
        self._by_network[network(connection.address)] += 1
        self.identified(connection)

    def identified(self, connection: Connection) -> None:
        """It is known now whose connection this is."""
        if connection.identity is None:
            return
        account_id = connection.identity.account.id
        there = self._by_account.setdefault(account_id, set())
        if not there:
            self._house.club.online.arrive(DOOR, account_id)
        there.add(connection)

    def remove(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self._make_room(connection.address)
        if connection.identity is None:
            return
        account_id = connection.identity.account.id
        there = self._by_account.get(account_id)
        if there is None:
            return
        there.discard(connection)
        if not there:
            del self._by_account[account_id]
            self._house.club.online.depart(DOOR, account_id)
            gone_at = self._house.clock.now()
            self._house.clock.call_at(gone_at + BACK_WITHIN, lambda: self._stays_away(account_id, gone_at))

    def _stays_away(self, account_id: int, gone_at: Instant) -> None:
        if not self.stopping and account_id not in self._connected():
            self.spawn(self._leave_queue(account_id, gone_at))

    async def _leave_queue(self, account_id: int, gone_at: Instant) -> None:
        """Nobody shall meet somebody who has closed the page while he waited."""
        try:
            queue = self._house.tables.matchmaking
            waiting = await queue.waiting(account_id)
            if waiting is None or waiting.since > gone_at:
                return
            elsewhere = await self._house.club.online.is_elsewhere(DOOR, account_id)
            if not elsewhere and account_id not in self._connected():
                await queue.leave(account_id)
        except StoreError as error:
            log.warning("queue_not_left", account=account_id, error=str(error))

    def add_turns(self, stream: HttpTurns) -> None:
        self._by_network[network(stream.address)] += 1
        self._http_turns.setdefault(stream.account_id, set()).add(stream)

    def remove_turns(self, stream: HttpTurns) -> None:
        self._make_room(stream.address)
        there = self._http_turns[stream.account_id]
        there.discard(stream)
        if not there:
            del self._http_turns[stream.account_id]

    def _make_room(self, address: str) -> None:
        place = network(address)
        self._by_network[place] -= 1
        if not self._by_network[place]:
            del self._by_network[place]

    def count(self) -> int:
        return len(self._connections)

    # --- tables -----------------------------------------------------------------------------------------

    async def feed(self, table_id: int) -> Feed:
        """The feed of a table, shared by all who listen to it here; raises NoSuchTable."""
        chair = await self._house.tables.chair(table_id, SPECTATOR)
        feed = self._feeds.get(table_id)
        if feed is None:
            feed = Feed(self._house, chair, lambda: self._feed_gone(table_id))
            self._feeds[table_id] = feed
            await feed.read_info()
        return feed

    def feed_if_any(self, table_id: int) -> Feed | None:
        return self._feeds.get(table_id)

    def _feed_gone(self, table_id: int) -> None:
        feed = self._feeds.get(table_id)
        if feed is not None and not feed.listenings:
            del self._feeds[table_id]

    # --- hints ------------------------------------------------------------------------------------------

    def _account_hint(self, key: int | str, value: int | str) -> None:
        account_id = int(key)
        if value == "notice":
            self.watches.poke("notices", account_id)
            self.watches.poke("own_games", account_id)
        elif value == "blocks":
            self.chatter.forget_blocks(account_id)
        elif value in ("sessions", "changed") and (
            account_id in self._by_account or account_id in self._http_turns
        ):
            self.spawn(self._look(account_id))

    def _challenge_hint(self, key: int | str, value: int | str) -> None:
        self.watches.poke("challenges", int(key))
        self.watches.poke("own_games", int(key))

    def _matched_hint(self, key: int | str, value: int | str) -> None:
        self.watches.poke("queue", int(key))

    def _lobby_hint(self, key: int | str, value: int | str) -> None:
        table_id = int(key)
        self.lobby.hint(table_id)
        self.watches.poke_interested(("table", table_id))
        if self.watches.anybody("turns") or self.watches.anybody("own_games"):
            self.spawn(self._poke_seated(table_id))
        self._read_info(table_id)
        if value == "link":
            self.spawn(self._link_renewed(table_id))

    async def _poke_seated(self, table_id: int) -> None:
        try:
            info = await self._house.tables.read_info(table_id)
        except NoSuchTable:
            return  # erased meanwhile
        for taken in info.seats:
            self.watches.poke("turns", taken.account_id)
            self.watches.poke("own_games", taken.account_id)
        if info.master_id is not None:
            self.watches.poke("own_games", info.master_id)

    def _spoken_hint(self, key: int | str, value: int | str) -> None:
        kind, _, number = str(key).partition(":")
        if kind not in ("press", "letters"):
            return
        self.watches.poke_interested(("table", int(number)))
        if int(number) in self._feeds:
            self.spawn(self._spoken(int(number), int(value)))

    async def _spoken(self, table_id: int, message_id: int) -> None:
        spoken = await self._house.tables.press.get(message_id)
        feed = self._feeds.get(table_id)
        if spoken is not None and feed is not None:
            feed.tell_spoken(spoken)

    async def _tournament(self, number: int) -> tuple[TournamentState, list[BoardRow]]:
        office = self._house.tournaments
        return await office.state(number), await office.boards(number)

    async def _speak_again(self, feed: Feed) -> None:
        """Hints were lost: what was said lately is told (perhaps again; its number tells which it is)."""
        now = self._house.clock.now()
        for spoken in await self._house.tables.press.since(feed.table_id, 0, now, now - SAID_LATELY):
            feed.tell_spoken(spoken)

    def _read_info(self, table_id: int) -> None:
        feed = self._feeds.get(table_id)
        if feed is not None:
            self.spawn(feed.read_info())

    async def _link_renewed(self, table_id: int) -> None:
        await self.chatter.link_renewed(table_id)
        feed = self._feeds.get(table_id)
        if feed is not None:
            await feed.read_link()

    def _lost(self) -> None:
        """Hints of other nodes may be missing: look at everything again."""
        self.watches.poke_all()
        self.lobby.read_again()
        self.chatter.catch_up()
        for feed in list(self._feeds.values()):
            self.spawn(self._speak_again(feed))
        for account_id in self._connected():
            self.spawn(self._look(account_id))

    # --- sessions that end ------------------------------------------------------------------------------

    def _look_later(self) -> None:
        def look() -> None:
            if not self.stopping:
                for account_id in self._connected():
                    self.spawn(self._look(account_id))
                self._look_later()

        self._house.clock.call_at(self._house.clock.now() + LOOK_EVERY, look)

    def _connected(self) -> set[int]:
        return {*self._by_account, *self._http_turns}

    async def _look(self, account_id: int) -> None:
        """Close the connections whose session has ended or whose owner is banned or gone."""
        club = self._house.club
        try:
            account = await club.accounts.by_id(account_id)
            alive = {session.id for session in await club.sessions.list(account_id)}
        except StoreError:
            return  # the next look will tell
        shut = account.is_shut_out(self._house.clock.now())
        for connection in list(self._by_account.get(account_id, ())):
            assert connection.identity is not None
            if shut or connection.identity.session.id not in alive:
                connection.say_goodbye("session_ended", 4001, 0)
            else:
                connection.is_now(account)
        for stream in list(self._http_turns.get(account_id, ())):
            if shut or stream.session_id not in alive:
                stream.turns.close()
