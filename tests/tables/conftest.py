"""A node of the house on a real store: tables, club and members, on a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.kit.rooms import Rooms
from tests.tables.nim import NimRules

from tablee.clock import Clock, HandClock
from tablee.rules.contract import Rules
from tablee.rules.mines.rules import MinesRules
from tablee.store import Store
from tablee.store.nodes import Arrival, Nodes
from tablee.tables import HouseTable, LoadedTable, Pace, TablePlan, Way

GAMES: dict[tuple[str, str], Rules[Any]] = {("mines", "classic"): MinesRules(), ("nim", "plain"): NimRules()}
QUICK = Pace(10, 20)


_numbers = count(1)


class Node(Rooms):
    """One server process of the house, as far as tables are concerned."""

    def __init__(self, store: Store, clock: Clock, data: Path | None = None, **choices: Any) -> None:
        super().__init__(store, clock, data, limits={}, pace=QUICK, **choices)
        self.nodes = Nodes(store, clock)

    async def people(self, number: int) -> list[int]:
        return [(await self.club.accounts.create_visitor()).id for _ in range(number)]

    async def members(self, number: int) -> list[int]:
        """People who are rated."""
        return [
            (await self.club.accounts.create(f"Membre{next(_numbers)}", "motdepasse")).id
            for _ in range(number)
        ]

    async def nim(self, *accounts: int, seats: int | None = None, **choices: Any) -> HouseTable:
        """A table of nim at which these people sit; it has begun if they fill it."""
        options = choices.pop("options", {})
        info = await self.tables.creating.create(
            TablePlan("nim", "plain", options, accounts[0], seats=seats or max(2, len(accounts)), **choices)
        )
        for account in accounts[1:]:
            await self.tables.sitting.join(info.id, account, Way(invitation=info.invitation))
        return await self.tables.read_info(info.id)

    async def mines(self, *accounts: int, **choices: Any) -> LoadedTable:
        info = await self.tables.creating.create(TablePlan("mines", "classic", {}, **choices))
        for account in accounts:
            await self.tables.sitting.join(info.id, account, Way(invitation=info.invitation))
        return await self.tables.open(info.id)

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
        **choices: Any,
    ) -> Node:
        seed = len(opened) + 1
        node = await Node.open(
            url, clock, seed=seed, games=games or GAMES, redis=redis, arrival=arrival, **choices
        )
        opened.append(node)
        return node

    yield open_one
    for node in opened:
        await node.close()


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node()
