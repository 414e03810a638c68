"""While the database is away a click waits for it; after five seconds it is answered, never swallowed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.doors.minehive.test_match import hidden_safe
from tests.kit.minehive import Client, House, Opener
from tests.kit.servers import PostgresServer

from tablee.clock import WallClock
from tablee.store import Unavailable, Unit

Settled = Callable[[Exception | None], None]


@pytest.mark.parametrize("hosts", ["inline", "process"])
async def test_a_click_that_the_database_did_not_take_in_five_seconds_is_late(
    own_postgres: PostgresServer, open_house: Opener, hosts: str
) -> None:
    house = await open_house(own_postgres.create_database(), hosts=hosts, clock=WallClock())
    address = await house.match("Adil")
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    for client in (adil, aylin):
        client.answers_pings = True
    assert await adil.line() == "CONN#Aylin#0#0#0#0"
    x, y = hidden_safe((await house.live()).state)[0]
    heard = asyncio.create_task(aylin.line())  # who does not read answers no ping, and is sent away
    await asyncio.to_thread(own_postgres.stop)
    begun = asyncio.get_running_loop().time()
    await adil.ask(f"CLIC#{x}#{y}", "LATE")
    assert asyncio.get_running_loop().time() - begun > 4.5
    await asyncio.to_thread(own_postgres.start)
    while (line := await adil.ask(f"CLIC#{x}#{y}")) == "LATE":
        continue
    assert line.startswith(f"SQRD#{x}#{y}#")
    assert await heard == line


@pytest.mark.parametrize("is_kept", [False, True])
async def test_a_click_is_played_once_when_the_database_was_away_for_a_moment(
    house: House, monkeypatch: pytest.MonkeyPatch, is_kept: bool
) -> None:
    adil = await house.player("Adil", await house.match("Adil"))
    live = await house.live()
    x, y = hidden_safe(live.state)[0]
    submit, troubles = house.store.submit, ["the line is cut"] * 2

    def away(unit: Unit, done: Settled) -> None:
        if not troubles or not unit.appends:
            submit(unit, done)
            return
        trouble = Unavailable(troubles.pop())
        if is_kept:  # and nobody hears of it
            troubles.clear()
            submit(unit, lambda error: done(error or trouble))
        else:
            done(trouble)

    monkeypatch.setattr(house.store, "submit", away)
    adil.send(f"CLIC#{x}#{y}")
    assert (await adil.line()).startswith(f"SQRD#{x}#{y}#")
    await _answered(adil)
    assert not troubles
    assert live.state.player(1).safe == 1


async def _answered(client: Client) -> None:
    """Everything that was sent before has its answer: nothing but this comes."""
    await client.ask("CLIC#77#77", "OORG#77#77")
