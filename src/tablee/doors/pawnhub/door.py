"""The door as a whole: its two ports, the sessions of this node, and what the house tells them."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

import structlog

from tablee.clock import Clock
from tablee.club import Club
from tablee.club.limits import network
from tablee.club.online import HINT as PRESENCE
from tablee.doors.pawnhub.connection import Connection
from tablee.doors.pawnhub.framed import FramedConnection
from tablee.doors.pawnhub.news import News
from tablee.doors.pawnhub.plain import PlainConnection
from tablee.doors.pawnhub.present import Present
from tablee.doors.pawnhub.session import Session
from tablee.doors.pawnhub.settings import PawnhubSettings
from tablee.store import Hint, Store, StoreError, Unsubscribe
from tablee.tables import Tables
from tablee.tasks import Tasks
from tablee.wire.gate import Gate, Listener
from tablee.wire.wheel import Wheel

log = structlog.get_logger("tablee.pawnhub")

TIMED_OUT = "pawnhub_timeout"
"""The topic of hints about tables: who resigns there just now says that his time is up."""


class PawnhubDoor:
    """From `start` on the house is open to Pawn Hub; after `stop` everybody has been sent away."""

    def __init__(
        self,
        store: Store,
        club: Club,
        tables: Tables,
        clock: Clock,
        settings: PawnhubSettings,
        gate: Gate | None = None,
    ) -> None:
        self.store = store
        self.club = club
        self.tables = tables
        self.clock = clock
        self.settings = settings
        self.gate = gate or Gate(network_of=network)
        self.wheel = Wheel(clock)
        self.present = Present(club.online)
        self.news = News(self)
        self.connections: set[Connection] = set()
        self.timed_out: deque[int] = deque(maxlen=1_000)
        """Tables where somebody has given up because his own clock says so."""
        self.address: tuple[str, int] | None = None
        self.plain_address: tuple[str, int] | None = None
        self.stopping = False
        self._leaving: dict[int, asyncio.Task[None]] = {}
        self._listeners: list[Listener] = []
        self.tasks = Tasks("tablee.pawnhub", StoreError)
        self.spawn = self.tasks.spawn
        self._unsubscribe: list[Unsubscribe] = []

    # --- life -------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the ports that are not switched off."""
        bus = self.store.bus
        self._unsubscribe = [
            bus.subscribe("matched", self._matched),
            bus.subscribe("chat", self.news.said),
            bus.subscribe("friend", self.news.friend),
            bus.subscribe(PRESENCE, self.news.presence),
            bus.subscribe("challenge", self.news.challenge),
            bus.subscribe("account", self._account_hinted),
            bus.subscribe(TIMED_OUT, lambda key, _: self.timed_out.append(int(key))),
            bus.on_lost(lambda: self.spawn(self._check())),
            self.store.on_restored(self._send_all_away),
        ]
        settings = self.settings
        if settings.port is not None:
            self.address = await self._listen(lambda: FramedConnection(self), settings.port)
        if settings.plain_port is not None:
            self.plain_address = await self._listen(lambda: PlainConnection(self), settings.plain_port)

    async def stop(self) -> None:
        """Send everybody away and let go of the ports; running games wait for their players."""
        self.stopping = True
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        for listener in self._listeners:
            listener.close()
        self._send_all_away()
        await asyncio.gather(*self._leaving.values(), return_exceptions=True)
        await self.tasks.end()
        await asyncio.sleep(0.02)  # the last lines are on their way
        for connection in tuple(self.connections):
            connection.cut()
        self.wheel.stop()

    async def _listen(self, connection: Any, port: int) -> tuple[str, int]:
        listener = await self.gate.listen(connection, self.settings.host, port)
        self._listeners.append(listener)
        return listener.address

    def _send_all_away(self) -> None:
        for connection in tuple(self.connections):
            connection.send_away("closed", "the house closes this connection; come again")

    # --- coming and going -------------------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        return len(self.connections) > self.settings.connections

    def left(self, session: Session) -> None:
        """A connection is gone: its session ends, and nobody comes back before that is written."""
        if session.account is None:
            session.closed = True
            return
        account_id = session.account.id
        task = self.spawn(session.end())
        self._leaving[account_id] = task

        def over(done: asyncio.Task[None]) -> None:
            if self._leaving.get(account_id) is done:
                del self._leaving[account_id]

        task.add_done_callback(over)

    async def has_left(self, account_id: int) -> None:
        """Wait for the end of a session of this account that is being written just now."""
        leaving = self._leaving.get(account_id)
        if leaving is not None:
            await asyncio.wait([leaving])

    def say_timed_out(self, table_id: int) -> None:
        """Who resigns at this table does so because his own clock has run out."""
        self.store.bus.publish([Hint(TIMED_OUT, table_id, 0)])

    # --- hints ------------------------------------------------------------------------------------------

    def _matched(self, key: int | str, value: int | str) -> None:
        session = self.present.here.get(int(key))
        if session is not None:
            self.spawn(session.matched(int(value)))

    def _account_hinted(self, key: int | str, value: int | str) -> None:
        session = self.present.here.get(int(key))
        if session is None:
            return
        if value == "sessions":
            self.spawn(self._shut_out(session))
        elif value == "blocks":
            self.spawn(self._read_blocks(session))
        elif value == "changed":
            self.spawn(self._read_account(session))

    async def _shut_out(self, session: Session) -> None:
        account = session.account
        if account is not None and await self.club.accounts.is_shut_out(account.id):
            session.voice.send_away("banned", "you may not play here any more")

    async def _read_blocks(self, session: Session) -> None:
        if session.account is not None:
            session.talk.blocked = frozenset(await self.club.blocks.list(session.account.id))

    async def _read_account(self, session: Session) -> None:
        if session.account is not None:
            session.account = await self.club.accounts.by_id(session.account.id)

    async def _check(self) -> None:
        """After hints were lost: who was matched, shut out or made a friend meanwhile?"""
        for session in tuple(self.present.here.values()):
            await self._shut_out(session)
            if session.is_member:
                await session.friends.look()
            await session.look_for_match()
