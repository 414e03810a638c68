"""The door as a whole: its two ports, the matches of this node, and what the other nodes say."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog

from tablee.clock import Clock
from tablee.club import Account, Club
from tablee.club.errors import ClubError
from tablee.club.limits import network
from tablee.doors.minehive import messages
from tablee.doors.minehive.hosting import (
    Hosting,
    InlineHosting,
    ProcessHosting,
    TooManyMatches,
    TooManyOfOne,
)
from tablee.doors.minehive.hosts import Hosts
from tablee.doors.minehive.lines import Lines
from tablee.doors.minehive.messages import Matc
from tablee.doors.minehive.ports import NoPort, Ports
from tablee.doors.minehive.present import DOOR, GAME, TOPIC, VARIANT, Present, Whereabouts
from tablee.doors.minehive.secret import read_secret
from tablee.doors.minehive.server import ClientConnection
from tablee.doors.minehive.settings import MinehiveSettings
from tablee.doors.minehive.tries import Tries
from tablee.rules.contract import SPECTATOR
from tablee.rules.mines.views import MinesView
from tablee.store import Store, StoreError, Unsubscribe
from tablee.tables import TablePlan, Tables
from tablee.tasks import Tasks
from tablee.wire.gate import Gate, Listener
from tablee.wire.wheel import Wheel

log = structlog.get_logger("tablee.minehive")


class MinehiveDoor:
    """From `start` on the house is open to Minehive; after `stop` everybody has been sent away."""

    def __init__(
        self,
        store: Store,
        club: Club,
        tables: Tables,
        clock: Clock,
        data: Path,
        settings: MinehiveSettings,
        gate: Gate | None = None,
    ) -> None:
        self.store = store
        self.club = club
        self.tables = tables
        self.settings = settings
        self.gate = gate or Gate(network_of=network)
        self.wheel = Wheel(clock)
        self.present = Present(store, clock, club.online)
        self.tries = Tries(clock, settings.bounds.tries, settings.bounds.tries_within)
        self.hosts = Hosts(self)
        self.ports = Ports(settings.match_ports)
        self.clients: set[ClientConnection] = set()
        self.admitting = asyncio.Lock()
        """Held while somebody is counted and let in, so that nobody else is counted meanwhile."""
        self.entering: set[int] = set()
        """Accounts that are about to be in a match."""
        self.secret = ""
        self._data = data
        self._creating = asyncio.Lock()
        self._hostings: dict[int, asyncio.Task[Hosting]] = {}
        self._listeners: list[Listener] = []
        self.tasks = Tasks("tablee.minehive", StoreError)
        self.spawn = self.tasks.spawn
        self._unsubscribe: list[Unsubscribe] = []

    # --- life -------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open both ports, with every saved match running again before anybody can ask for it."""
        self.secret = read_secret(self._data)
        bus = self.store.bus
        self._unsubscribe = [
            bus.subscribe(TOPIC, self._hinted),
            bus.subscribe("account", self._account_hinted),
            bus.subscribe("lobby", self._lobby_hinted),
            bus.on_lost(lambda: self.spawn(self._check())),
            self.store.on_restored(lambda: self.spawn(self._begin_again())),
        ]
        settings = self.settings
        if settings.host_port is not None:
            self.hosts.address = await self._listen(self.hosts.connection, settings.host_port)
        await self._resume()
        self.address = await self._listen(lambda: ClientConnection(self), settings.port)

    async def stop(self) -> None:
        """Send everybody away and let go of the ports."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        for listener in self._listeners:
            listener.close()
        for client in list(self.clients):
            client.kick()
        await self._close_matches()
        for host in list(self.hosts.connections):
            host.close()
        await self.tasks.end()
        await self._let_lines_arrive()
        self.wheel.stop()

    async def _listen(self, connection: Any, port: int) -> tuple[str, int]:
        listener = await self.gate.listen(connection, self.settings.host, port)
        self._listeners.append(listener)
        return listener.address

    async def _resume(self) -> None:
        saved = await self.present.matches()
        opened = await asyncio.gather(*(self.open(table) for table, _ in saved), return_exceptions=True)
        for (_, name), result in zip(saved, opened, strict=True):
            if isinstance(result, BaseException):
                log.error("minehive_match_not_resumed", match=name, error=str(result))

    async def _begin_again(self) -> None:
        """The database was replaced: nobody is where he was."""
        for client in list(self.clients):
            client.kick()
        await self._close_matches()
        await self._resume()

    async def _close_matches(self) -> None:
        hostings, self._hostings = self._hostings, {}
        opened = await asyncio.gather(*hostings.values(), return_exceptions=True)
        closing = [hosting.close() for hosting in opened if not isinstance(hosting, BaseException)]
        await asyncio.gather(*closing)

    async def _let_lines_arrive(self) -> None:
        """Give closed connections a moment to flush."""
        for _ in range(20):
            await asyncio.sleep(0.005)

    # --- matches ----------------------------------------------------------------------------------------

    async def open(self, table_id: int) -> Hosting:
        """This node's own host of a match, when clients can join there; raises NoPort, StoreError."""
        task = self._hostings.get(table_id)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._host(table_id))
            self._hostings[table_id] = task
            task.add_done_callback(lambda done: self._opened(table_id, done))
        hosting = await asyncio.shield(task)
        await hosting.ready()
        return hosting

    def _opened(self, table_id: int, task: asyncio.Task[Hosting]) -> None:
        if (task.cancelled() or task.exception() is not None) and self._hostings.get(table_id) is task:
            del self._hostings[table_id]

    async def _host(self, table_id: int) -> Hosting:
        chair = await self.tables.chair(table_id, SPECTATOR)
        kind = InlineHosting if self.settings.hosts == "inline" else ProcessHosting
        hosting: Hosting = kind(self, chair, lambda: self._match_over(table_id))
        await hosting.open()
        return hosting

    def _match_over(self, table_id: int) -> None:
        task = self._hostings.pop(table_id, None)
        if task is not None:
            self.spawn(self._close(task))
        self.present.out = {(table, who) for table, who in self.present.out if table != table_id}

    async def _close(self, task: asyncio.Task[Hosting]) -> None:
        hosting = await task
        await hosting.close()

    async def new_match(self, creator: Account) -> Hosting:
        """A new table, hosted here; raises TooManyMatches, TooManyOfOne, NoPort, StoreError, ClubError."""
        async with self._creating:
            running = await self.present.matches()
            if len(running) + len(self.hosts.foreign) >= self.settings.matches:
                raise TooManyMatches
            if await self.present.made_by(creator.id) >= self.settings.matches_each:
                raise TooManyOfOne
            number = await self.store.new_id("minehive_match", block=1)
            table = await self.tables.creating.create(
                TablePlan(
                    GAME,
                    VARIANT,
                    {"seats": self.settings.match_players, "flags": False, "chording": False},
                    creator.id,
                    door=DOOR,
                    name=f"Partie_{number}",
                    people=(),
                )
            )
        return await self.open(table.id)

    async def list_matches(self, asking: ClientConnection) -> list[Matc]:
        """Every match as it is now, hosts asked first, those that do not answer in time left out."""
        assert asking.account is not None
        own = asyncio.gather(
            *[self._describe(table_id, asking) for table_id, _ in await self.present.matches()]
        )
        described, foreign = await asyncio.gather(own, self.hosts.ask(asking.account.pseudo))
        return [match for match in described if match is not None] + foreign

    async def _describe(self, table_id: int, asking: ClientConnection) -> Matc | None:
        try:
            hosting = await asyncio.wait_for(self.open(table_id), self.settings.gather / 1000)
        except (NoPort, StoreError, ClubError, TimeoutError):
            return None
        view: MinesView = hosting.chair.view()
        if view.ended is not None:
            return None
        players = tuple((player.name, player.points) for player in view.players.values())
        return Matc(self.ip_for(asking), hosting.port, hosting.name, view.completion, players)

    async def is_full(self) -> bool:
        return await self.present.count() >= self.settings.players

    # --- addresses --------------------------------------------------------------------------------------

    def ip_for(self, connection: Lines) -> str:
        """Where this client reaches the matches of this node."""
        return self.settings.public_host or connection.local_address()

    async def address_of(self, found: Whereabouts, asking: ClientConnection) -> tuple[str, int]:
        """Where somebody goes on with his match; raises NoPort, StoreError."""
        if not found.table_id:
            return found.ip, found.port
        hosting = await self.open(found.table_id)
        return self.ip_for(asking), hosting.port

    # --- invitations and hints --------------------------------------------------------------------------

    def invite(self, accounts: Iterable[int], hosting: Hosting) -> None:
        """Tell those who are available here; those elsewhere are told by their own node."""
        elsewhere = []
        for account_id in accounts:
            if account_id in self.present.here:
                self._tell_invited(account_id, hosting)
            else:
                elsewhere.append(account_id)
        if elsewhere:
            self.present.invite(elsewhere, hosting.chair.info.id)

    def _tell_invited(self, account_id: int, hosting: Hosting) -> None:
        guest = self.present.here.get(account_id)
        if isinstance(guest, ClientConnection):
            guest.invite(str(messages.Nwok(self.ip_for(guest), hosting.port)))

    def _hinted(self, key: int | str, value: int | str) -> None:
        account_id = int(key)
        if account_id not in self.present.here:
            return
        what, _, which = str(value).partition(" ")
        if what == "playing" or (what == "here" and which != self.store.node_id):
            self.present.supersede(account_id)
        elif what == "invited":
            self.spawn(self._invited(account_id, int(which)))

    def _lobby_hinted(self, key: int | str, value: int | str) -> None:
        if value == "over" and int(key) in self._hostings:
            self.spawn(self._void(int(key)))

    async def _void(self, table_id: int) -> None:
        """A host that hears nothing of its table just now is let go when the house has ended the match."""
        info = await self.tables.read_info(table_id)
        if info.is_void and not any(h.chair.info.id == table_id and h.hears for h in self._hosted()):
            self._match_over(table_id)

    # --- who is shut out --------------------------------------------------------------------------------

    def _account_hinted(self, key: int | str, value: int | str) -> None:
        if value == "sessions":
            self.spawn(self._shut_out(int(key)))

    async def _shut_out(self, account_id: int) -> None:
        """Close every connection of somebody whose sessions ended because he is banned or gone."""
        if not await self.club.accounts.is_shut_out(account_id):
            return
        guest = self.present.here.get(account_id)
        if isinstance(guest, ClientConnection):
            guest.kick()
        for hosting in self._hosted():
            hosting.shut_out(account_id)
        for host in tuple(self.hosts.foreign.values()):
            host.shut_out(account_id)

    async def _check(self) -> None:
        """After hints were lost: who has gone elsewhere, and who was shut out meanwhile?"""
        await self.present.check()
        playing = {account_id for hosting in self._hosted() for account_id in hosting.accounts()}
        for account_id in {*self.present.here, *playing}:
            await self._shut_out(account_id)

    def _hosted(self) -> list[Hosting]:
        """The matches that are open here now."""
        opened = [task for task in self._hostings.values() if task.done() and not task.cancelled()]
        return [task.result() for task in opened if task.exception() is None]

    async def _invited(self, account_id: int, table_id: int) -> None:
        with suppress(NoPort, StoreError, ClubError):
            self._tell_invited(account_id, await self.open(table_id))
