"""A node of the house on a real store: tables, club and members, on a clock that is moved by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.tables.nim import NimRules

from tablee.clock import Clock, HandClock
from tablee.club import Club
from tablee.club.passwords import Passwords
from tablee.rules.contract import Rules
from tablee.rules.mines.rules import MinesRules
from tablee.store import Store, open_store
from tablee.store.nodes import Arrival, Nodes
from tablee.tables import LiveTable, Pace, TableInfo, Tables

GAMES: dict[tuple[str, str], Rules[Any]] = {("mines", "classic"): MinesRules(), ("nim", "plain"): NimRules()}
QUICK = Pace(10, 20)


async def until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something is so; the test fails if it never is."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, "waited in vain"
        await asyncio.sleep(0.005)


class Node:
    """One server process of the house, as far as tables are concerned."""

    def __init__(self, store: Store, clock: Clock, seed: int = 1, games: Any = None) -> None:
        self.store = store
        self.clock = clock
        hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        self.club = Club(store, clock, passwords=Passwords(hasher, workers=1))
        self.tables = Tables(store, self.club, clock, Random(seed), games or GAMES, pace=QUICK)
        self.nodes = Nodes(store, clock)

    async def start(self, arrival: Arrival | None = None) -> Node:
        await self.tables.start(arrival)
        return self

    async def people(self, count: int) -> list[int]:
        return [(await self.club.accounts.create_visitor()).id for _ in range(count)]

    async def nim(self, *accounts: int, seats: int | None = None, **choices: Any) -> TableInfo:
        """A table of nim at which these people sit; it has begun if they fill it."""
        options = choices.pop("options", {})
        info = await self.tables.create(
            "nim", "plain", options, accounts[0], seats=seats or max(2, len(accounts)), **choices
        )
        for account in accounts[1:]:
            await self.tables.join(info.id, account, info.invitation)
        return await self.tables.read_info(info.id)

    async def mines(self, *accounts: int, **choices: Any) -> LiveTable:
        info = await self.tables.create("mines", "classic", {}, **choices)
        for account in accounts:
            await self.tables.join(info.id, account, info.invitation)
        return await self.tables.open(info.id)

    async def stop(self) -> None:
        await self.tables.stop()
        self.club.close()

    async def crash(self) -> None:
        """What a killed process leaves: the database as it is, and nothing else."""
        await self.tables.tasks.end()
        for repeating in self.tables._rounds:
            await repeating.stop()
        self.tables.robots.close()
        self.tables.deadlines.close()
        self.club.close()
        await self.store.close()


Opener = Callable[..., Awaitable[Node]]


@pytest.fixture
async def open_node(database_url: str, clock: HandClock) -> AsyncIterator[Opener]:
    """Opens nodes on the test's database; one after the other on SQLite, together on PostgreSQL."""
    opened: list[Node] = []

    async def open_one(
        clock: Clock = clock,
        redis: str | None = None,
        games: Any = None,
        arrival: Arrival | None = None,
        url: str = database_url,
    ) -> Node:
        store = await open_store(url, redis=redis)
        node = await Node(store, clock, seed=len(opened) + 1, games=games).start(arrival)
        opened.append(node)
        return node

    yield open_one
    for node in opened:
        await node.stop()
        await node.store.close()


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node()
