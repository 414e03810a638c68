"""The client at a real server: a whole match, and a server that dies in the middle of one."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from tests.kit.process import House

from tablee.terminal.minehive.connection import Client, Invitation, Moved, Patience, Stage
from tablee.terminal.minehive.messages import Address, Message
from tablee.terminal.minehive.model import Lobby, Match, Square

PATIENCE = Patience(first_retry=0.05, longest_retry=0.2, join_again=0.1, joins=200)
LONG = 60.0
SQUARES = [Square(x, y) for x in range(30) for y in range(16)]


class Someone:
    """A player who keeps what he is told."""

    def __init__(self, address: Address, name: str) -> None:
        self.client = Client(address, self._hear, PATIENCE)
        self.name = name
        self.lobby = Lobby()
        self.match = Match()
        self.invitation: Address | None = None
        self._heard = asyncio.Event()
        self.client.log_in(name, "secret")

    def _hear(self, messages: Sequence[Message]) -> None:
        for message in messages:
            if isinstance(message, Invitation):
                self.invitation = message.address
            elif isinstance(message, Moved) and message.stage is Stage.SEEKING:
                self.match.cut_off()
        self.lobby.hear(messages)
        self.match.hear(messages)
        self._heard.set()

    async def until(self, condition: object) -> None:
        """Wait for a condition to hold after something was heard."""
        assert callable(condition)
        async with asyncio.timeout(LONG):
            while not condition():
                self._heard.clear()
                await self._heard.wait()

    async def reaches(self, stage: Stage) -> None:
        await self.until(lambda: self.client.stage is stage)

    def hidden(self) -> list[Square]:
        return [square for square in SQUARES if self.match.content(square) is None]

    async def opens(self, square: Square) -> None:
        """Click and wait for the answer; a click that was lost with the connection is made again."""
        while self.match.content(square) is None and not self.match.over:
            await self.until(lambda: self.client.stage is Stage.PLAYING or self.match.over)
            if self.client.click(*square):
                self.match.clicked(square)
            await self.until(lambda: square not in self.match.waiting)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    house = House(tmp_path / "data", "--minehive-port", str(port))
    house.start()
    yield house
    house.close()


@pytest.fixture
async def pair(house: House) -> AsyncIterator[tuple[Someone, Someone]]:
    """Two players in one match: one made it, the other was invited."""
    address = Address(*house.address("minehive"))
    adil, elise = Someone(address, "Adil"), Someone(address, "Élise")
    await adil.reaches(Stage.LOBBY)
    await elise.reaches(Stage.LOBBY)
    adil.client.create(("Élise",))
    await elise.until(lambda: elise.invitation)
    await adil.until(lambda: adil.match.players)
    assert elise.invitation is not None
    elise.client.join(elise.invitation)
    await elise.until(lambda: len(elise.match.players) == 2)
    await adil.until(lambda: len(adil.match.players) == 2)
    yield adil, elise
    await adil.client.close()
    await elise.client.close()


async def test_two_players_play_a_match_to_its_end(pair: tuple[Someone, Someone]) -> None:
    rng = random.Random(7)
    turn = 0
    adil, elise = pair
    while not adil.match.over:
        player = pair[turn % 2]
        turn += 1
        if hidden := player.hidden():
            await player.opens(rng.choice(hidden))
    await elise.until(lambda: elise.match.over)
    assert adil.match.squares == elise.match.squares
    assert adil.match.results == elise.match.results
    assert sum(result.score.safe for result in adil.match.results) == 381
    for player in pair:
        await player.reaches(Stage.LOBBY)
        player.client.ask_users()
        await player.until(lambda player=player: player.lobby.users.lines)
    totals = {user.name: user.points for user in adil.lobby.users.lines}
    assert {r.score.name: r.score.total for r in adil.match.results}.items() <= totals.items()


async def test_after_a_crash_the_players_find_their_match_as_they_left_it(
    house: House, pair: tuple[Someone, Someone]
) -> None:
    adil, elise = pair
    for square in (Square(3, 10), Square(20, 5), Square(29, 15)):
        await adil.opens(square)
    seen = [
        (square, adil.match.content(square)) for square in SQUARES if adil.match.content(square) is not None
    ]
    points = adil.match.players["Adil"].points
    house.kill()
    for player in pair:
        await player.until(lambda player=player: player.client.stage is not Stage.PLAYING)
    house.start()
    for player in pair:
        await player.reaches(Stage.PLAYING)
        await player.until(lambda player=player: len(player.match.players) == 2)
    assert all(elise.match.content(square) == content for square, content in seen)
    assert elise.match.players["Adil"].points == points
    await elise.opens(Square(0, 0))
    await adil.until(lambda: adil.match.content(Square(0, 0)) is not None)
