"""A person in the page, one in the plain and one in the framed dialect meet in any pairing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import permutations

import pytest
from tests.kit.pawnhub import PASSWORD, Framed, House, Opener, Plain, queued
from tests.kit.playing import play
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.rules.chess import Move
from tablee.tables import Wish
from tablee.tables.matchmaking import Waiting


class InThePage:
    """Somebody who plays through the tables, as the web door does."""

    def __init__(self, house: House, name: str) -> None:
        self.house, self.name = house, name

    async def queue(self) -> None:
        account = await self.house.member(self.name)
        await self.house.tables.matchmaking.enter(account.id, "chess", "classic", Wish())

    async def move(self, text: str, color: str) -> None:
        account = await self.house.member(self.name)
        (info,) = await self.house.tables.lobby.of_account(account.id)
        seat = info.seat_of(account.id)
        assert seat is not None
        live = await self.house.tables.open(info.id)
        await until(lambda: live.waiting() == {seat.seat})
        await play(self.house.tables, info.id, seat.seat, Move(text))

    async def over(self) -> str:
        account = await self.house.member(self.name)

        async def is_over() -> bool:
            return not await self.house.tables.lobby.of_account(account.id)

        await until(is_over)
        (info,) = await self.house.tables.lobby.of_account(account.id, status=("over",))
        assert info.result is not None
        return info.result.reason


class InPlain:
    def __init__(self, client: Plain) -> None:
        self.client = client

    async def queue(self) -> None:
        await self.client.ask("PLAY classic", "OK")

    async def move(self, text: str, color: str) -> None:
        wanted = {"w": 1, "b": 0}[color]
        while True:
            line = await self.client.line()
            if line.isdigit() and len(line) < 3 and int(line) % 2 == wanted and not self._is_color(line):
                break
        self.client.send(text)
        assert await self.client.line() == "True"

    def _is_color(self, line: str) -> bool:
        """The first digit of a game is a colour, not a turn."""
        first, self._begun = not getattr(self, "_begun", False), True
        return first

    async def over(self) -> str:
        while True:
            line = await self.client.line()
            if line.startswith("BLACK "):
                return line.removeprefix("BLACK ")


class InFrames:
    def __init__(self, client: Framed) -> None:
        self.client = client

    async def queue(self) -> None:
        self.client.send("4~0")

    async def move(self, text: str, color: str) -> None:
        await self.client.until("30~Agimme")
        self.client.send(f"30~M{color}{text}")
        assert await self.client.line() == "30~Lwaw"

    async def over(self) -> str:
        await self.client.until("30~Ublack")
        return "mate"


Somebody = InThePage | InPlain | InFrames


async def _page(house: House, name: str) -> Somebody:
    await house.member(name)
    return InThePage(house, name)


async def _plain(house: House, name: str) -> Somebody:
    return InPlain(await house.plain_member(name))


async def _framed(house: House, name: str) -> Somebody:
    return InFrames(await house.framed_member(name))


KINDS: dict[str, Callable[[House, str], Awaitable[Somebody]]] = {
    "page": _page,
    "plain": _plain,
    "framed": _framed,
}


@pytest.mark.parametrize(("white", "black"), list(permutations(KINDS, 2)))
async def test_a_game_between_two_doors(house: House, clock: HandClock, white: str, black: str) -> None:
    ada, bob = await KINDS[white](house, "Ada"), await KINDS[black](house, "Bob")
    await ada.queue()
    await until(lambda: queued(house, "Ada"))
    await clock.advance(1)
    await bob.queue()

    async def is_on() -> bool:
        return bool(await house.tables.lobby.of_account((await house.member("Bob")).id))

    await until(is_on)
    await ada.move("f2f3", "w")
    await bob.move("e7e5", "b")
    await ada.move("g2g4", "w")
    await bob.move("d8h4", "b")
    assert await ada.over() == await bob.over() == "mate"


# --- several nodes --------------------------------------------------------------------------------------


async def test_on_two_nodes_there_is_one_queue_and_one_session_an_account(
    open_house: Opener, postgres_url: str
) -> None:
    east, west = await open_house(postgres_url), await open_house(postgres_url)
    ada = await east.plain_member("Ada")
    second = await west.plain()
    assert await second.ask(f"LOGIN Ada {PASSWORD}") == "ERR connected Ada is connected already"
    frames = await west.framed()
    await frames.ask(f"2~Ada~{PASSWORD}", "2~3")
    await ada.ask("LOGOUT", "OK")
    await second.ask(f"LOGIN Ada {PASSWORD}", "OK")
    bob = await east.plain_member("Bob")
    await second.ask("PLAY horde", "OK")
    await bob.ask("PLAY horde", "OK")
    assert (await second.line()).endswith("horde Bob")
    assert (await bob.line()).endswith("horde Ada")
    await second.skip(3)
    await bob.skip(3)
    await second.move("E2E3", bob)
    second.send("CHAT ALL d'un nœud à l'autre")
    assert await bob.line() == "MSG ALL Ada d'un nœud à l'autre"
    second.reset()
    assert await bob.line() == "MSG GAME server Ada has lost the connection"
    again = await east.plain()

    async def is_in() -> bool:
        return await again.ask(f"LOGIN Ada {PASSWORD}") == "OK"

    await until(is_in)  # the other node has to write first that he is gone
    assert (await again.lines(4))[3] == "2"


# --- in the same moment, and elsewhere ------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["plain", "framed"])
async def test_who_leaves_the_queue_as_an_opponent_is_found_plays(house: House, dialect: str) -> None:
    bob = await house.member("Bob")
    queue = house.tables.matchmaking
    leave = queue.leave

    async def too_late(account_id: int) -> None:
        await queue.enter(bob.id, "chess", "classic", Wish())
        await leave(account_id)

    queue.leave = too_late  # type: ignore[method-assign]
    if dialect == "plain":
        ada = await house.plain_member("Ada")
        await ada.ask("PLAY classic", "OK")
        await ada.ask("LEAVE", "OK")
        assert (await ada.line()).endswith(" classic Bob")
        return
    framed = await house.framed_member("Ada")
    framed.send("4~0")
    await framed.ask("5~leaveQueue", "5")
    assert await framed.lines(2) == ["4", "30~Fgarbage"]


async def test_who_logs_out_as_an_opponent_is_found_is_told_that_he_plays(house: House) -> None:
    bob = await house.member("Bob")
    queue = house.tables.matchmaking
    leave = queue.leave

    async def too_late(account_id: int) -> None:
        await queue.enter(bob.id, "chess", "classic", Wish())
        await leave(account_id)

    queue.leave = too_late  # type: ignore[method-assign]
    ada = await house.plain_member("Ada")
    await ada.ask("PLAY classic", "OK")
    assert (await ada.ask("LOGOUT")).endswith(" classic Bob")
    await ada.skip(3)
    assert (await ada.line()).startswith("ERR playing ")


async def test_who_asks_for_another_variant_as_an_opponent_is_found_waits_for_it_no_longer(
    house: House,
) -> None:
    bob, account = await house.member("Bob"), await house.member("Ada")
    ada = await house.plain_member("Ada")
    await ada.ask("PLAY classic", "OK")
    queue = house.tables.matchmaking
    enter = queue.enter

    async def just_before(account_id: int, game: str, variant: str, wish: Wish) -> Waiting:
        await enter(bob.id, game, "classic", wish)
        return await enter(account_id, game, variant, wish)

    queue.enter = just_before  # type: ignore[method-assign]
    await ada.ask("PLAY dark", "OK")
    assert (await ada.line()).endswith(" classic Bob")
    assert await queue.waiting(account.id) is None


async def test_a_game_that_is_found_in_the_page_is_played_there(house: House) -> None:
    await house.befriend("Ada", "Bob")
    ada = await house.plain_member("Ada")
    me, bob = await house.member("Ada"), await house.member("Bob")
    await ada.ask("CHALLENGE Bob horde", "OK")
    (offer,) = await house.tables.challenges.of(bob.id)
    table = await house.tables.challenges.accept(bob, offer.id)
    assert await ada.line() == f"GAME {table.id} horde Bob"
    await ada.skip(3)
    ada.send("RESIGN")
    await ada.skip(3)
    for account in (me, bob):
        await house.tables.matchmaking.enter(account.id, "chess", "classic", Wish())
    assert len(await house.tables.lobby.of_account(me.id, status=("running",))) == 1
    await ada.ask("LEAVE", "OK")


async def test_another_game_that_is_found_in_the_page_is_not_shown_as_chess(house: House) -> None:
    ada = await house.plain_member("Ada")
    me, bob = await house.member("Ada"), await house.member("Bob")
    await ada.ask("PLAY classic", "OK")
    for account in (me, bob):
        await house.tables.matchmaking.enter(account.id, "mines", "classic", Wish())
    assert len(await house.tables.lobby.of_account(me.id, status=("running",))) == 1
    await ada.ask("LEAVE", "OK")
    await ada.ask("PLAY dark", "OK")
