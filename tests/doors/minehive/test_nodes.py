"""Two nodes over one PostgreSQL: the same accounts, the same matches, ports of their own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.doors.minehive.test_match import hidden_safe
from tests.kit.minehive import PASSWORD, Client, House, Opener
from tests.kit.process import House as Process
from tests.kit.waiting import PATIENCE, until

from tablee.clock import HandClock, WallClock

Two = tuple[House, House]


@pytest.fixture
async def two(open_house: Opener, postgres_url: str) -> Two:
    """Two nodes that hear of each other through PostgreSQL."""
    first = await open_house(postgres_url, clock=WallClock())
    second = await open_house(postgres_url, clock=WallClock(), seed=2)
    return first, second


async def listed(client: Client) -> list[tuple[str, int]]:
    count = int((await client.ask("LSMA")).split("#")[1])
    matches = [(await client.line()).split("#") for _ in range(count)]
    return [(match[1], int(match[2])) for match in matches]


async def test_a_name_registered_at_one_node_is_available_at_the_other(two: Two) -> None:
    adil, aylin = await two[0].available("Adil"), await two[1].available("Aylin")
    for client in (adil, aylin):
        client.send("LSAV")
        assert await client.lines(3) == ["LANB#2", "AVAI#Adil#0", "AVAI#Aylin#0"]


async def test_the_same_name_at_the_other_node_closes_the_first_connection(two: Two) -> None:
    first = await two[0].available("Adil")
    second = await two[1].available("Adil")
    assert await first.closed() == []
    second.send("LSAV")
    assert await second.lines(2) == ["LANB#1", "AVAI#Adil#0"]


async def test_players_of_both_nodes_count(open_house: Opener, postgres_url: str) -> None:
    houses = [await open_house(postgres_url, clock=WallClock(), players=2, matches=1) for _ in range(2)]
    await houses[0].available("Adil")
    aylin = await houses[1].available("Aylin")
    for house in houses:
        await (await house.client()).ask("REGI#Tomek#x", "IDNO")
    assert (await aylin.ask("NWMA")).startswith("NWOK")
    again = await houses[0].available("Adil")
    await again.ask("NWMA", "FULL")


async def test_guests_at_the_other_node_are_invited_to_a_port_of_theirs(two: Two) -> None:
    adil, aylin = await two[0].available("Adil"), await two[1].available("Aylin")
    _, _, port = (await adil.ask("NWMA#Aylin")).split("#")
    _, ip, other_port = (await aylin.line()).split("#")
    assert other_port != port
    await two[1].player("Aylin", (ip, int(other_port)))


async def test_players_of_both_nodes_see_the_same_in_the_same_order(two: Two) -> None:
    address = await two[0].match("Adil")
    looker = await two[1].available("Regard")
    [other] = await listed(looker)
    assert other != address
    players = [await two[0].player("Adil", address), await two[1].player("Aylin", other)]
    assert await players[0].line() == "CONN#Aylin#0#0#0#0"
    assert [line.split("#")[1] for line in players[1].welcome[-2:]] == ["Adil", "Aylin"]
    live = await two[0].live()
    left = hidden_safe(live.state)
    for place, player in enumerate(players):
        player.answers_pings = True
        player.send(*[f"CLIC#{x}#{y}" for x, y in left[place::2]])
    seen = await asyncio.gather(*(player.closed() for player in players))
    told = [[line for line in lines if line.startswith(("SQRD", "SCPC", "ENDC"))] for lines in seen]
    assert told[0] == told[1]
    assert len(told[0]) == 381 + 3


async def test_somebody_playing_at_one_node_is_in_a_match_at_the_other(two: Two) -> None:
    address = await two[0].match("Adil")
    adil = await two[0].player("Adil", address)
    client = await two[1].client()
    answer = (await client.ask(f"REGI#Adil#{PASSWORD}")).split("#")
    assert answer[0] == "IDIG"
    other = (answer[1], int(answer[2]))
    assert other != address
    twin = await Client.open(other)
    await twin.line()
    await twin.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")
    adil.close()
    live = await two[1].live()
    await until(lambda: not live.state.player(1).present)
    await twin.ask(f"JOIN#Adil#{PASSWORD}", "JNOK#16")


@pytest.mark.parametrize("hosts", ["inline", "process"])
async def test_a_join_at_the_other_node_while_afk_closes_the_old_connection(
    postgres_url: str, open_house: Opener, clock: HandClock, hosts: str
) -> None:
    patient = {"clock": clock, "hosts": hosts, "ping": 3_600_000, "silence": 3_600_000}
    houses = [await open_house(postgres_url, seed=seed, **patient) for seed in (1, 2)]
    old = await houses[0].player("Adil", await houses[0].match("Aylin"))
    live = [await house.live() for house in houses]
    await clock.advance(30_000)
    assert await old.line() == "AFKP#Adil"
    await until(lambda: live[1].state.player(1).afk)
    hosting = await houses[1].door.open(live[1].info.id)
    new = await houses[1].player("Adil", ("127.0.0.1", hosting.port))
    assert await old.closed() == []
    await new.ask("CLIC#99#99", "OORG#99#99")
    new.close()
    await until(lambda: not live[0].state.player(1).present)


async def test_joining_at_one_node_closes_the_server_connection_at_the_other(two: Two) -> None:
    waiting = await two[1].available("Adil")
    await two[0].player("Adil", await two[0].match("Aylin"))
    assert await waiting.closed() == []


async def test_after_the_death_of_a_node_its_players_go_on_at_another(
    tmp_path: Path, postgres_url: str
) -> None:
    nodes = [
        Process(tmp_path / name, "--database", postgres_url, "--no-demo") for name in ("first", "second")
    ]
    try:
        for node in nodes:
            await asyncio.to_thread(node.start)
        client = await _regi(nodes[0], "IDOK")
        _, ip, port = (await client.ask("NWMA")).split("#")
        adil = await _joined((ip, int(port)))
        adil.send("CLIC#0#0")
        _, x, y, content, *_ = (await adil.line()).split("#")
        await asyncio.to_thread(nodes[0].kill)
        client = await _regi(nodes[1], "IDIG")
        again = await _joined((client.welcome[1], int(client.welcome[2])))
        assert again.welcome[1 + int(y)].split("#")[2 + int(x)] == content
    finally:
        for node in nodes:
            await asyncio.to_thread(node.close)


async def _regi(node: Process, expected: str) -> Client:
    client = await Client.open(node.address("minehive"))
    client.answers_pings = True
    client.welcome = (await client.ask(f"REGI#Adil#{PASSWORD}")).split("#")
    assert client.welcome[0] == expected
    return client


async def _joined(address: tuple[str, int]) -> Client:
    """Adil in the match: whoever was connected to a dead node is away as soon as it is known to be dead."""
    async with asyncio.timeout(PATIENCE):
        while True:
            client = await Client.open(address)
            client.answers_pings = True
            if await client.ask(f"JOIN#Adil#{PASSWORD}") == "JNOK#16":
                client.welcome = ["JNOK#16", *await client.lines_until("IGPL")]
                return client
            client.close()
            await asyncio.sleep(0.5)
