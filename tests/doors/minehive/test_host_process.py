"""Hosts as real processes, which speak to the server over its hosts' port alone."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from contextlib import suppress

import pytest
from tests.doors.minehive.test_match import hidden_mine, hidden_safe
from tests.kit.minehive import PASSWORD, Client, House, Opener
from tests.kit.playing import play
from tests.kit.waiting import PATIENCE, until

from tablee.clock import WallClock
from tablee.doors.minehive.hosting import ProcessHosting
from tablee.rules.contract import CLOCK
from tablee.tables.codec import Void


@pytest.fixture
async def processes(open_house: Opener) -> House:
    """A house with real time whose hosts are processes."""
    return await open_house(hosts="process", clock=WallClock())


async def hosting_of(house: House) -> ProcessHosting:
    [(table_id, _)] = await house.door.present.matches()
    hosting = await house.door.open(table_id)
    assert isinstance(hosting, ProcessHosting)
    return hosting


async def process_of(house: House) -> int:
    hosting = await hosting_of(house)
    assert hosting._process is not None
    return hosting._process.pid


async def test_a_match_is_played_through_a_process_of_its_own(processes: House) -> None:
    address = await processes.match("Adil")
    assert await process_of(processes) != os.getpid()
    adil, aylin = await processes.player("Adil", address), await processes.player("Aylin", address)
    for client in (adil, aylin):
        client.answers_pings = True
    assert await adil.line() == "CONN#Aylin#0#0#0#0"
    live = await processes.live()
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}", f"CLIC#{x}#{y}", "CLIC#99#é")
    assert (await adil.line()).startswith(f"SQRD#{x}#{y}#")
    assert await adil.lines(2) == ["LATE", "OORG#99#é"]
    assert (await aylin.line()).startswith(f"SQRD#{x}#{y}#")
    x, y = hidden_mine(live.state)
    aylin.send(f"CLIC#{x}#{y}")
    assert await adil.line() == f"SQRD#{x}#{y}#-1#-20#Aylin"
    wrong = await Client.open(address)
    await wrong.line()
    await wrong.ask("JOIN#Adil#wrong", "JNNO")
    await wrong.ask("JOIN#Adil", "IDNO")
    await wrong.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")
    await wrong.ask("CLIC#1#1", "IDKH")
    await aylin.line()
    aylin.close()
    assert await adil.line() == "DECO#Aylin"


async def test_late_clicks_among_others_double_nothing(processes: House) -> None:
    address = await processes.match("Adil")
    adil, aylin = await processes.player("Adil", address), await processes.player("Aylin", address)
    live = await processes.live()
    some = hidden_safe(live.state)[:40]
    adil.send(*[f"CLIC#{x}#{y}" for square in some for x, y in (square, some[0])])
    await until(lambda: {(x, y) for x, y in some}.isdisjoint(hidden_safe(live.state)))
    adil.send("CLIC#99#99")
    told = await adil.lines_until("OORG")
    squares = [line.split("#")[1:3] for line in told if line.startswith("SQRD")]
    assert len(squares) == live.state.opened
    assert len({tuple(square) for square in squares}) == live.state.opened
    assert told.count("LATE") >= len(some)
    aylin.close()
    adil.close()
    await until(lambda: not live.state.player(1).present)
    again = await processes.player("Adil", address)
    points = live.state.player(1).points
    assert again.welcome[-2].startswith(f"IGPL#Adil#{points}#{points}#")


async def test_a_process_tells_what_happens_elsewhere(processes: House) -> None:
    address = await processes.match("Adil")
    adil = await processes.player("Adil", address)
    live = await processes.live()
    page = await processes.club.accounts.create("Page", PASSWORD)
    sitting = await processes.tables.sitting.join(live.info.id, page.id)
    assert await adil.line() == "CONN#Page#0#0#0#0"
    x, y = hidden_safe(live.state)[0]
    await play(processes.tables, live.info.id, sitting.seat, {"do": "click", "x": x, "y": y})
    assert (await adil.line()).endswith("#Page")


async def test_the_list_of_matches_knows_processes(processes: House) -> None:
    ip, port = await processes.match("Adil")
    client = await processes.available("Adil")
    client.send("LSMA")
    assert await client.lines(2) == ["LMNB#1", f"MATC#{ip}#{port}#Partie_1#0"]


async def test_a_match_ends_and_so_does_its_process(processes: House) -> None:
    address = await processes.match("Adil")
    pid = await process_of(processes)
    adil = await processes.player("Adil", address)
    adil.answers_pings = True
    live = await processes.live()
    while live.state.ended is None:
        left = hidden_safe(live.state)[:20]
        if not left:
            break
        opened = live.state.opened
        adil.send(*[f"CLIC#{x}#{y}" for x, y in left])
        await until(lambda opened=opened: live.state.opened > opened)  # type: ignore[misc]
    lines = await adil.closed()
    assert lines[-2].startswith("SCPC#Adil#")
    assert lines[-1] == "ENDC#1"
    points = int(lines[-2].split("#")[2])
    assert await processes.door.present.users() == [("Adil", points)]
    await until(lambda: not _is_running(pid))
    client = await processes.available("Adil")
    await client.ask("LSMA", "LMNB#0")


async def test_a_process_that_is_killed_loses_nothing(processes: House) -> None:
    address = await processes.match("Adil")
    adil, aylin = await processes.player("Adil", address), await processes.player("Aylin", address)
    live = await processes.live()
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}")
    await aylin.lines_until("SQRD")
    await until(lambda: live.state.player(1).safe == 1)
    points = live.state.player(1).points
    pid = await process_of(processes)
    os.kill(pid, signal.SIGKILL)
    assert await _end_of(adil) == ""
    # Out at once: not active, and free to be at the server.
    await until(lambda: live.state.active == 0)
    free = await processes.available("Aylin")
    new_address = await _listed(free)
    assert await process_of(processes) != pid
    again = await processes.player("Adil", new_address)
    assert again.welcome[-2] == f"IGPL#Adil#{points}#{points}#1#0"
    assert again.welcome[1 + y].split("#")[2 + x] != "X"
    back = await processes.player("Aylin", new_address)
    assert (await again.lines_until("CONN"))[-1] == "CONN#Aylin#0#0#0#0"
    back.send(f"CLIC#{x}#{y}")
    assert (await back.lines_until("LATE"))[-1] == "LATE"
    sent = await processes.client()
    assert (await sent.ask(f"REGI#Aylin#{PASSWORD}")).startswith("IDIG#")


async def test_whoever_was_put_out_and_plays_elsewhere_cannot_come_back(processes: House) -> None:
    first = await processes.match("Adil")
    second = await processes.match("Adil")
    adil = await processes.player("Adil", first)
    live = await processes.live("Partie_1")
    hosting = await processes.door.open(live.info.id)
    assert isinstance(hosting, ProcessHosting)
    assert hosting._process is not None
    os.kill(hosting._process.pid, signal.SIGKILL)
    assert await _end_of(adil) == ""
    await until(lambda: live.state.active == 0)
    again = await processes.door.open(live.info.id)
    elsewhere = await processes.player("Adil", second)
    client = await Client.open(("127.0.0.1", again.port))
    await client.line()
    await client.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")
    elsewhere.close()


async def _end_of(client: Client) -> str:
    """The last line of a connection that may break in the middle of anything."""
    try:
        while line := await client.line():
            pass
    except ConnectionError:
        return ""
    return line


async def _listed(client: Client) -> tuple[str, int]:
    client.answers_pings = True
    async with asyncio.timeout(PATIENCE):
        while True:
            first = await client.ask("LSMA")
            if first == "LMNB#1":
                _, ip, port, *_ = (await client.line()).split("#")
                return ip, int(port)
            await asyncio.sleep(0.1)


async def test_a_process_that_stands_still_is_replaced(open_house: Opener) -> None:
    house = await open_house(hosts="process", clock=WallClock(), ping=200, silence=2_000)
    address = await house.match("Adil")
    pid = await process_of(house)
    os.kill(pid, signal.SIGSTOP)
    await until(lambda: not _is_running(pid))
    client = await house.available("Adil")
    assert await _listed(client) == address
    assert await process_of(house) != pid


async def test_processes_end_with_their_server(open_house: Opener) -> None:
    house = await open_house(hosts="process", clock=WallClock())
    address = await house.match("Adil")
    pid = await process_of(house)
    adil = await house.player("Adil", address)
    await house.close()
    await until(lambda: not _is_running(pid))
    assert await _end_of(adil) == ""
    house = await open_house(hosts="process", clock=WallClock())
    client = await house.client()
    assert (await client.ask(f"REGI#Adil#{PASSWORD}")).startswith("IDIG#")


async def test_processes_take_their_ports_from_the_range(open_house: Opener) -> None:
    busy = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
    port = busy.sockets[0].getsockname()[1]
    house = await open_house(hosts="process", clock=WallClock(), match_ports=(port, port))
    client = await house.available("Adil")
    client.answers_pings = True
    await client.ask("NWMA", "NWNO")
    busy.close()
    await busy.wait_closed()
    await client.ask("NWMA", f"NWOK#127.0.0.1#{port}")


async def test_a_port_that_is_busy_is_passed_over(open_house: Opener) -> None:
    busy, port = await _busy_before_free()
    house = await open_house(hosts="process", clock=WallClock(), match_ports=(port, port + 1))
    client = await house.available("Adil")
    client.answers_pings = True
    await client.ask("NWMA", f"NWOK#127.0.0.1#{port + 1}")
    pid = await process_of(house)
    assert len(house.door.hosts.connections) == 1
    await house.player("Aylin", ("127.0.0.1", port + 1))
    assert await process_of(house) == pid
    busy.close()


async def _busy_before_free() -> tuple[asyncio.Server, int]:
    """Somebody who listens at a port whose next one is free."""
    while True:
        busy = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
        port = busy.sockets[0].getsockname()[1]
        with suppress(OSError, OverflowError), socket.create_server(("127.0.0.1", port + 1)):
            return busy, port
        busy.close()


async def test_a_join_as_long_as_a_line_can_be_is_answered(processes: House) -> None:
    address = await processes.match("Adil")
    adil = await processes.player("Adil", address)
    adil.answers_pings = True
    stranger = await Client.open(address)
    stranger.answers_pings = True
    # Another name each time: wrong passwords for one name would be slowed down.
    for number in range(20):
        await stranger.ask(f"JOIN#{number:03}{'a' * 8_097}#{'b' * 80}", "JNNO")
    await adil.ask("CLIC#99#99", "OORG#99#99")


async def test_clicks_in_flight_are_finished_when_a_process_is_put_down(processes: House) -> None:
    address = await processes.match("Adil")
    adil = await processes.player("Adil", address)
    live = await processes.live()
    adil.send(*[f"CLIC#{x}#{y}" for x, y in hidden_safe(live.state)[:200]])
    await until(lambda: live.state.opened > 3)
    await processes.close()
    told = sum(line.startswith("SQRD") for line in await adil.closed())
    assert told == live.state.opened


async def test_nobody_is_taken_for_a_process_that_is_here(processes: House) -> None:
    address = await processes.match("Adil")
    adil = await processes.player("Adil", address)
    adil.answers_pings = True
    host = await processes.host()
    await host.ask(f"LOGI#Partie_1#{processes.door.secret}", "IDNO")
    assert await host.closed() == []
    await adil.ask("CLIC#99#99", "OORG#99#99")


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_process_tells_of_the_end_that_the_house_makes_and_goes(processes: House) -> None:
    address = await processes.match("Adil")
    adil = await processes.player("Adil", address)
    adil.answers_pings = True
    hosting, pid, live = await hosting_of(processes), await process_of(processes), await processes.live()
    await processes.tables.submit(live, CLOCK, Void("unattended"))
    assert await adil.closed() == ["SCPC#Adil#0#0#0#0", "ENDC#1"]
    await until(lambda: live.info.id not in processes.door._hostings)
    await until(lambda: not _is_running(pid))
    assert hosting._closing


async def test_wrong_passwords_at_a_process_are_counted_where_the_player_is(processes: House) -> None:
    address = await processes.match("Adil")
    thief = await Client.open(address, "127.0.0.2")
    thief.answers_pings = True
    for _ in range(5):
        await thief.ask("JOIN#Adil#wrong", "JNNO")
    await thief.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")
    # The host itself and whoever comes from elsewhere are not shut out.
    adil = await processes.player("Adil", address)
    adil.answers_pings = True
    await adil.ask("CLIC#99#99", "OORG#99#99")
