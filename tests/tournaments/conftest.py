"""A node of the house with its tournaments, and members who play in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.kit.playing import play
from tests.kit.rooms import PASSWORD
from tests.tables.conftest import Node, Opener
from tests.tables.conftest import open_node as open_node
from tests.tables.nim import NimRules, Take

from tablee.club.people import Account
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardRow, standing
from tablee.tournaments.office import Tournaments
from tablee.tournaments.plan import Plan

GAMES = {("nim", "plain"): NimRules(), ("diplomacy", "standard"): DiplomacyRules()}


class Club:
    """Tournaments on a node, and the people in them."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.office = Tournaments(node.tables)

    async def member(self, name: str) -> Account:
        return await self.node.club.accounts.create(name, PASSWORD, counted=False)

    async def members(self, count: int, prefix: str = "Joueur") -> list[Account]:
        return [await self.member(f"{prefix}{number}") for number in range(1, count + 1)]

    async def announced(self, who: Account, **plan: Any) -> int:
        """The number of a tournament that is announced."""
        wanted = {"name": "Coupe", "game": "nim", "variant": "plain", "format": "swiss", "rounds": 3}
        wanted |= {"options": {"matches": 1}} if plan.get("game", "nim") == "nim" else {}
        number = await self.office.create(who, Plan(**{**wanted, **plan}))
        await self.office.announce(who, number)
        return number

    async def running(self, who: Account, players: list[Account], **plan: Any) -> int:
        """The same with entrants, begun."""
        number = await self.announced(who, **plan)
        for player in players:
            await self.office.enter(player, number)
        await self.office.begin(who, number)
        return number

    async def next_round(self, who: Account, number: int) -> TournamentState:
        state = await self.office.pair(who, number)
        return await self.office.publish(who, number, state.draft_version)

    async def boards(self, number: int) -> list[BoardRow]:
        """Those of the last round, as it is now."""
        state = await self.office.state(number)
        found = standing(state, await self.office.boards(number))
        return [board for board in found if board.round == len(state.published)]

    async def played(self, number: int) -> None:
        """The first seat of every table takes the last match."""
        for board in await self.boards(number):
            if board.table_id is not None and board.result is None:
                await play(self.node.tables, board.table_id, 1, Take(1))


OpenClub = Callable[..., Awaitable[Club]]


@pytest.fixture
def open_club(open_node: Opener) -> OpenClub:
    async def open_one(**choices: Any) -> Club:
        return Club(await open_node(games=GAMES, **choices))

    return open_one


@pytest.fixture
async def club(open_club: OpenClub) -> Club:
    return await open_club()
