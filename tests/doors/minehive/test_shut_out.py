"""Whoever is banned or gone from the club is out of this door at once, wherever he is."""

from __future__ import annotations

import pytest
from tests.doors.minehive.test_hosts import logged_in
from tests.doors.minehive.test_match import hidden_safe
from tests.kit.minehive import PASSWORD, House, Opener
from tests.kit.waiting import until

from tablee.clock import WallClock
from tablee.club import Account


async def chief_of(house: House) -> Account:
    return (await house.club.roles.name_super("intendance", PASSWORD))[0]


@pytest.fixture(params=["inline", "process"])
async def any_house(request: pytest.FixtureRequest, open_house: Opener) -> House:
    """A house whose hosts are in its process, or processes of their own."""
    return await open_house(hosts=request.param, clock=WallClock())


@pytest.mark.parametrize("deed", ["ban", "delete"])
async def test_a_player_who_is_shut_out_clicks_no_more(any_house: House, deed: str) -> None:
    house = any_house
    chief = await chief_of(house)
    address = await house.match("Adil")
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    for client in (adil, aylin):
        client.answers_pings = True
    live = await house.live()
    whom = await house.club.accounts.by_pseudo("Aylin")
    if deed == "ban":
        await house.club.roles.ban(chief, whom)
    else:
        await house.club.leaving.delete(whom, by=chief)
    squares = hidden_safe(live.state)
    aylin.send(*(f"CLIC#{x}#{y}" for x, y in squares[:20]))
    await aylin.closed()
    assert await adil.lines_until("DECO") == ["CONN#Aylin#0#0#0#0", "DECO#Aylin"]
    assert (live.state.opened, live.state.player(2).points) == (0, 0)
    x, y = squares[0]
    adil.send(f"CLIC#{x}#{y}")
    assert (await adil.line()).startswith(f"SQRD#{x}#{y}#")
    again = await house._connected(address)
    await again.ask(f"JOIN#Aylin#{PASSWORD}", "JNNO")


async def test_who_is_banned_in_the_lobby_is_sent_away_and_comes_back_when_it_is_lifted(house: House) -> None:
    chief = await chief_of(house)
    adil, aylin = await house.available("Adil"), await house.available("Aylin")
    whom = await house.club.accounts.by_pseudo("Adil")
    await house.club.roles.ban(chief, whom)
    assert await adil.line() == "KICK"
    await adil.closed()
    await aylin.ask("LSAV", "LANB#1")
    assert await aylin.line() == "AVAI#Aylin#0"
    await house.club.roles.lift_ban(chief, whom)
    await house.available("Adil")


async def test_who_logs_out_of_the_page_plays_on_here(house: House) -> None:
    address = await house.match("Adil")
    adil = await house.player("Adil", address)
    account = await house.club.accounts.by_pseudo("Adil")
    await house.club.sessions.revoke_all(account.id)
    live = await house.live()
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}")
    assert (await adil.line()).startswith(f"SQRD#{x}#{y}#")


async def test_when_hints_were_lost_those_shut_out_meanwhile_are_found(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    chief = await chief_of(house)
    address = await house.match("Adil")
    aylin, kevin = await house.player("Aylin", address), await house.available("Kévin")
    monkeypatch.setattr(house.door, "_shut_out", _deaf)
    for name in ("Aylin", "Kévin"):
        await house.club.roles.ban(chief, await house.club.accounts.by_pseudo(name))
    monkeypatch.undo()
    house.store.bus.tell_lost()  # type: ignore[attr-defined]
    await aylin.closed()
    assert await kevin.line() == "KICK"


async def _deaf(account_id: int) -> None:
    """As a node to which no hint comes."""


async def test_points_won_with_a_strange_host_after_a_ban_do_not_count(house: House) -> None:
    chief = await chief_of(house)
    await house.club.accounts.create("Adil", PASSWORD)
    whom = await house.club.accounts.by_pseudo("Adil")
    host = await logged_in(house)
    host.send("SDDT#server#10.0.0.9#4242#Invités#0")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    await house.club.roles.ban(chief, whom)
    await until(lambda: not any(one._players for one in house.door.hosts.foreign.values()))
    host.send("SCPS#Adil#500", "ENDS#Invités")
    await host.closed()
    assert await house.door.present.points(whom.id) == 0
