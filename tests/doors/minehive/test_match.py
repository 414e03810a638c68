"""A match's own port, message by message."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.kit.minehive import PASSWORD, Client, House, Opener
from tests.kit.playing import play
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.rules.contract import CLOCK, Leave
from tablee.rules.mines import MinesState
from tablee.rules.mines.board import MINE
from tablee.tables.codec import Void

Address = tuple[str, int]


@pytest.fixture
async def address(house: House) -> Address:
    """Where a match of `house` is joined."""
    return await house.match("Adil")


async def outside(address: Address) -> Client:
    client = await Client.open(address)
    assert await client.line() == "RUOK"
    return client


def hidden_safe(state: MinesState) -> list[tuple[int, int]]:
    """Squares that hold no mine and are not open, those with numbers first."""
    free = [s for s in range(480) if state.truth[s] != MINE and state.shown[s] == ord("X")]
    free.sort(key=lambda s: state.truth[s] == ord("0"))
    return [(s % 30, s // 30) for s in free]


def hidden_mine(state: MinesState) -> tuple[int, int]:
    square = next(s for s in range(480) if state.truth[s] == MINE and state.shown[s] == ord("X"))
    return square % 30, square // 30


def squares(lines: list[str]) -> list[list[str]]:
    return [line.split("#") for line in lines]


# --- JOIN -----------------------------------------------------------------------------------------------


async def test_join_is_answered_with_the_board_and_the_players(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    assert adil.welcome[0] == "JNOK#16"
    assert adil.welcome[1:17] == ["#".join(["BDIT", str(y), *["X"] * 30]) for y in range(16)]
    assert adil.welcome[17:] == ["IGNB#1", "IGPL#Adil#0#0#0#0"]
    aylin = await house.player("Aylin", address)
    assert aylin.welcome[17:] == ["IGNB#2", "IGPL#Adil#0#0#0#0", "IGPL#Aylin#0#0#0#0"]
    assert await adil.line() == "CONN#Aylin#0#0#0#0"


async def test_the_board_shows_what_is_open(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    live = await house.live()
    adil.send("CLIC#3#10")
    await adil.line()
    mine = hidden_mine(live.state)
    adil.send(f"CLIC#{mine[0]}#{mine[1]}")
    await adil.lines_until("SQRD")
    await until(lambda: live.state.content(*mine) == -1)
    aylin = await house.player("Aylin", address)
    for y, line in enumerate(aylin.welcome[1:17]):
        shown = [live.state.content(x, y) for x in range(30)]
        assert line.split("#") == ["BDIT", str(y), *("X" if c is None else str(c) for c in shown)]
    player = live.state.player(1)
    assert aylin.welcome[18] == f"IGPL#Adil#{player.points}#{player.points}#{player.safe}#{player.mines}"


@pytest.mark.parametrize("line", ["JOIN", "JOIN#Adil", "JOIN#Adil#", "JOIN##secret"])
async def test_join_without_a_parameter_is_refused_like_regi(address: Address, line: str) -> None:
    client = await outside(address)
    await client.ask(line, "IDNO")
    await client.ask(f"JOIN#Adil#{PASSWORD}", "JNOK#16")


async def test_unknown_names_and_wrong_passwords_do_not_join(house: House, address: Address) -> None:
    client = await outside(address)
    await client.ask("JOIN#Personne#x", "JNNO")
    await client.ask("JOIN#ALL#x", "JNNO")
    await client.ask("JOIN#deux mots#x", "JNNO")
    await client.ask("JOIN#Adil#wrong", "JNNO")
    assert await house.club.accounts.by_pseudos(["Personne"]) == {}
    await client.ask(f"JOIN#Adil#{PASSWORD}", "JNOK#16")


async def test_somebody_active_cannot_join_again(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    twin = await outside(address)
    await twin.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")
    await adil.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")
    await adil.ask("JOIN#Aylin#x", "JNNO")


async def test_join_closes_the_connection_to_the_server(house: House, address: Address) -> None:
    waiting = await house.available("Adil")
    await house.player("Adil", address)
    assert await waiting.closed() == []
    assert await house.door.present.available() == []


async def test_somebody_in_a_match_cannot_join_another(house: House, address: Address) -> None:
    other = await house.match("Aylin")
    adil = await house.player("Adil", address)
    client = await outside(other)
    await client.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")
    adil.close()
    live = await house.live()
    await until(lambda: not live.state.player(1).present)
    await client.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")


async def test_a_full_match_takes_nobody_new_but_those_who_come_back(open_house: Opener) -> None:
    house = await open_house(match_players=2)
    address = await house.match("Adil")
    adil, _aylin = await house.player("Adil", address), await house.player("Aylin", address)
    await house.club.accounts.create("Tomek", PASSWORD)
    client = await outside(address)
    await client.ask(f"JOIN#Tomek#{PASSWORD}", "JNNO")
    adil.close()
    live = await house.live()
    await until(lambda: not live.state.player(1).present)
    await client.ask(f"JOIN#Tomek#{PASSWORD}", "JNNO")
    await client.ask(f"JOIN#Adil#{PASSWORD}", "JNOK#16")


async def test_a_match_takes_as_many_as_the_settings_say(open_house: Opener) -> None:
    house = await open_house(match_players=14)
    address = await house.match("Joueur0")
    players = [await house.player(f"Joueur{n}", address) for n in range(14)]
    assert players[-1].welcome[17] == "IGNB#14"
    await house.club.accounts.create("Tomek", PASSWORD)
    await (await outside(address)).ask(f"JOIN#Tomek#{PASSWORD}", "JNNO")


async def test_ten_join_at_the_same_moment(house: House, address: Address) -> None:
    names = [f"Joueur{n}" for n in range(12)]
    for name in names:
        await house.club.accounts.create(name, PASSWORD)
    clients = [await outside(address) for _ in names]
    for client, name in zip(clients, names, strict=True):
        client.send(f"JOIN#{name}#{PASSWORD}")
    first = [await client.line() for client in clients]
    assert sorted(first) == ["JNNO"] * 2 + ["JNOK#16"] * 10
    live = await house.live()
    assert sorted(player.seat for player in live.state.players) == list(range(1, 11))
    for client, answer in zip(clients, first, strict=True):
        if answer == "JNOK#16":
            count = int((await client.lines_until("IGNB"))[-1].split("#")[1])
            await client.lines(count)
            # Everybody hears of exactly those who came after him.
            assert len({(await client.line()).split("#")[1] for _ in range(10 - count)}) == 10 - count


async def test_one_name_joining_twice_at_the_same_moment_is_in_once(house: House, address: Address) -> None:
    clients = [await outside(address) for _ in range(5)]
    for client in clients:
        client.send(f"JOIN#Adil#{PASSWORD}")
    assert sorted([await client.line() for client in clients]) == ["JNNO"] * 4 + ["JNOK#16"]


async def test_a_client_gone_before_it_was_let_in_is_not_left_in(house: House, address: Address) -> None:
    client = await outside(address)
    client.send(f"JOIN#Adil#{PASSWORD}")
    client.close()
    live = await house.live()
    await until(lambda: [player.present for player in live.state.players] == [False])
    again = await outside(address)
    await again.ask(f"JOIN#Adil#{PASSWORD}", "JNOK#16")


# --- CLIC -----------------------------------------------------------------------------------------------


async def test_clic_before_join_is_not_understood(address: Address) -> None:
    client = await outside(address)
    await client.ask("CLIC#1#1", "IDKH")
    await client.ask("LSMA", "IDKH")
    await client.ask("PILE", "IDKH")


async def test_a_click_opens_squares_for_all_in_the_same_order(house: House, address: Address) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    await adil.line()  # CONN
    live = await house.live()
    adil.send("CLIC#3#10")
    first = squares([await adil.line()])[0]
    assert first[:3] == ["SQRD", "3", "10"]
    assert first[5] == "Adil"
    await until(lambda: live.state.opened > 0)
    rest = await adil.lines(live.state.opened - 1)
    assert await aylin.lines(live.state.opened) == ["#".join(first), *rest]
    for _, x, y, content, points, name in squares(["#".join(first), *rest]):
        assert live.state.content(int(x), int(y)) == int(content)
        assert int(points) == 2 * (int(content) or 1)
        assert name == "Adil"


async def test_the_first_click_never_hits_a_mine(open_house: Opener) -> None:
    house = await open_house(matches=40)
    for n in range(30):
        address = await house.match(f"Joueur{n}")
        player = await house.player(f"Joueur{n}", address)
        state = (await house.live(f"Partie_{n + 1}")).state
        x, y = hidden_mine(state)
        player.send(f"CLIC#{x}#{y}")
        assert int((await player.line()).split("#")[3]) >= 0


async def test_a_mine_costs_ten_points_times_the_active(house: House, address: Address) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    live = await house.live()
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}")
    await aylin.line()
    x, y = hidden_mine(live.state)
    aylin.send(f"CLIC#{x}#{y}")
    assert (await aylin.lines_until("SQRD"))[-1] == f"SQRD#{x}#{y}#-1#-20#Aylin"


async def test_a_square_that_is_open_is_late(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    x, y = hidden_safe((await house.live()).state)[0]
    adil.send(f"CLIC#{x}#{y}", f"CLIC#{x}#{y}", f"CLIC#{x}#{y}#more")
    assert [(await adil.line()).split("#")[0] for _ in range(3)] == ["SQRD", "LATE", "LATE"]


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ("30", "0"),
        ("0", "16"),
        ("-1", "5"),
        ("5", "-1"),
        ("a", "5"),
        ("5", "b"),
        ("1.5", "2"),
        ("", "3"),
        ("٣", "4"),
        ("9" * 60, "1"),
        ("1_0", "1"),
        (" 1", "1"),
        ("é", "☃"),
    ],
)
async def test_outside_the_board_or_no_numbers_is_out_of_range(
    house: House, address: Address, x: str, y: str
) -> None:
    adil = await house.player("Adil", address)
    await adil.ask(f"CLIC#{x}#{y}", f"OORG#{x}#{y}")


async def test_a_click_without_coordinates_is_out_of_range(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    await adil.ask("CLIC", "OORG##")
    await adil.ask("CLIC#3", "OORG#3#")


async def test_the_corners_of_the_board_are_in_range(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    adil.answers_pings = True
    for x, y in ((0, 0), (29, 0), (0, 15), (29, 15)):
        adil.send(f"CLIC#{x}#{y}")
    adil.send("CLIC#30#16")
    lines = await adil.lines_until("OORG")
    assert {line.split("#")[0] for line in lines[:-1]} <= {"SQRD", "LATE"}
    state = (await house.live()).state
    assert None not in [state.content(x, y) for x, y in ((0, 0), (29, 0), (0, 15), (29, 15))]


async def test_thousands_of_clicks_in_a_segment_are_all_answered(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    adil.send_raw(b"CLIC#99#99\n" * 5_000)
    assert await adil.lines(5_000) == ["OORG#99#99"] * 5_000


# --- coming and going -----------------------------------------------------------------------------------


async def test_somebody_who_disconnects_is_gone_and_comes_back_by_join(
    house: House, address: Address
) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    await adil.line()  # CONN
    live = await house.live()
    x, y = hidden_safe(live.state)[0]
    aylin.send(f"CLIC#{x}#{y}")
    assert (await adil.line()).endswith("#Aylin")
    aylin.close()
    assert await adil.line() == "DECO#Aylin"
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}")
    content, points = (await adil.line()).split("#")[3:5]
    assert int(points) == (int(content) or 1)  # alone: times one
    await until(lambda: live.state.player(1).safe == 1)
    player = live.state.player(2)
    again = await house.player("Aylin", address)
    assert again.welcome[-1] == f"IGPL#Aylin#{player.points}#{player.points}#1#0"
    assert await adil.line() == f"CONN#Aylin#{player.points}#{player.points}#1#0"


async def test_a_silent_player_is_disconnected(house: House, address: Address, clock: HandClock) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    await adil.line()  # CONN
    adil.answers_pings = True
    for _ in range(4):
        await clock.advance(3_000)
        adil.send("IMOK")
        await asyncio.sleep(0.02)
    assert (await adil.lines_until("DECO"))[-1] == "DECO#Aylin"
    assert set(await aylin.closed()) == {"RUOK"}


async def _pass(clock: HandClock, clients: list[Client], milliseconds: int) -> None:
    """Let time pass for connected clients who do nothing."""
    for _ in range(milliseconds // 2_500):
        for client in clients:
            client.send("IMOK")
        await asyncio.sleep(0.02)
        await clock.advance(2_500)
    await asyncio.sleep(0.02)


async def next_line(client: Client) -> str:
    while (line := await client.line()) == "RUOK":
        continue
    return line


async def test_thirty_seconds_without_a_click_are_afk_and_any_click_ends_it(
    house: House, address: Address, clock: HandClock
) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    await adil.line()  # CONN
    live = await house.live()
    await _pass(clock, [adil, aylin], 20_000)
    adil.send("CLIC#99#0")
    assert await next_line(adil) == "OORG#99#0"
    await _pass(clock, [adil, aylin], 10_000)
    for client in (adil, aylin):
        assert await next_line(client) == "AFKP#Aylin"
    # Alone active, his points are not multiplied.
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}")
    line = (await adil.lines_until("SQRD"))[-1].split("#")
    assert int(line[4]) == (int(line[3]) or 1)
    # Any click ends the absence, and he counts in it.
    (await aylin.lines_until("SQRD"))
    x, y = hidden_safe(live.state)[0]
    aylin.send(f"CLIC#{x}#{y}")
    for client in (adil, aylin):
        assert await next_line(client) == "BACK#Aylin"
        line = (await next_line(client)).split("#")
        assert int(line[4]) == 2 * (int(line[3]) or 1)


@pytest.mark.parametrize("click", ["late", "out"])
async def test_a_click_that_misses_ends_the_absence_too(
    house: House, address: Address, clock: HandClock, click: str
) -> None:
    adil = await house.player("Adil", address)
    x, y = hidden_safe((await house.live()).state)[0]
    adil.send(f"CLIC#{x}#{y}")
    await adil.line()
    await _pass(clock, [adil], 30_000)
    assert await next_line(adil) == "AFKP#Adil"
    adil.send(f"CLIC#{x}#{y}" if click == "late" else "CLIC#x#y")
    assert await next_line(adil) == "BACK#Adil"
    assert await next_line(adil) == ("LATE" if click == "late" else "OORG#x#y")


async def test_join_while_afk_takes_over(house: House, address: Address, clock: HandClock) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    await adil.line()  # CONN
    await _pass(clock, [adil, aylin], 20_000)
    adil.send("CLIC#99#0")
    await _pass(clock, [adil, aylin], 10_000)
    live = await house.live()
    await until(lambda: live.state.player(2).afk)
    again = await house.player("Aylin", address)
    lines = await aylin.closed()
    assert [line for line in lines if line != "RUOK"] == ["AFKP#Aylin"]
    assert (await adil.lines_until("CONN"))[-1] == "CONN#Aylin#0#0#0#0"
    assert live.state.player(2).active
    again.send("CLIC#99#1")
    assert await next_line(again) == "OORG#99#1"
    # The old connection's end is no absence.
    adil.send("CLIC#99#2")
    assert await next_line(adil) == "OORG#99#2"
    assert live.state.player(2).active


async def test_join_on_the_same_connection_while_afk_comes_back(
    house: House, address: Address, clock: HandClock
) -> None:
    adil = await house.player("Adil", address)
    await _pass(clock, [adil], 30_000)
    assert await next_line(adil) == "AFKP#Adil"
    adil.send(f"JOIN#Adil#{PASSWORD}")
    assert await next_line(adil) == "JNOK#16"
    await adil.lines_until("IGPL")
    adil.send("CLIC#99#1")
    assert await next_line(adil) == "OORG#99#1"


async def test_afk_players_are_not_kicked(house: House, address: Address, clock: HandClock) -> None:
    adil = await house.player("Adil", address)
    aylin = await house.player("Aylin", address)
    for _ in range(16):
        await _pass(clock, [adil, aylin], 20_000)
        adil.send("CLIC#99#0")
    lines: list[str] = []
    aylin.send("CLIC#98#0")
    while not lines or lines[-1] != "OORG#98#0":
        lines.append(await next_line(aylin))
    assert lines == ["AFKP#Aylin", "BACK#Aylin", "OORG#98#0"]


# --- the end --------------------------------------------------------------------------------------------


async def _finish(house: House, live: Any, players: list[Client]) -> None:
    """Open all that is safe, in turns."""
    turn = 0
    while live.state.ended is None:
        squares_left = hidden_safe(live.state)
        if not squares_left:
            break
        (x, y), before = squares_left[0], live.state.opened
        players[turn % len(players)].send(f"CLIC#{x}#{y}")
        await until(lambda before=before: live.state.opened > before)  # type: ignore[misc]
        turn += 1


async def test_the_end_is_told_to_all_and_counted_once(house: House, address: Address) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    live = await house.live()
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}")
    await aylin.lines_until("SQRD")
    x, y = hidden_mine(live.state)
    aylin.send(f"CLIC#{x}#{y}")
    await aylin.lines_until("SQRD")
    await until(lambda: live.state.player(2).mines == 1)
    await _finish(house, live, [adil, aylin])
    lines = await adil.closed()
    assert [line for line in await aylin.closed() if not line.startswith(("RUOK", "CONN"))][-3:] == lines[-3:]
    assert sum(line.startswith("SQRD") for line in lines) == 382
    state = live.state
    first, second = state.players
    best = {p.seat: "#BestMinesweeper" if p.seat in state.best else "" for p in state.players}
    assert lines[-3] == f"SCPC#Adil#{first.points}#{first.points}#{first.safe}#0{best[1]}"
    assert lines[-2] == f"SCPC#Aylin#{second.points}#{second.points}#{second.safe}#1{best[2]}#MostBlownUp"
    assert lines[-1] == "ENDC#2"
    client = await house.available("Adil")
    client.send("LSUS")
    assert await client.lines(3) == ["LUNB#2", f"USER#Adil#{first.points}", f"USER#Aylin#{second.points}"]
    await client.ask("LSMA", "LMNB#0")
    # The next match begins with these totals.
    again = await house.player("Adil", await house.match("Tomek"))
    assert again.welcome[-1] == f"IGPL#Adil#0#{first.points}#0#0"


async def test_alone_there_is_no_bonus(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    live = await house.live()
    await _finish(house, live, [adil])
    lines = await adil.closed()
    points = sum(int(line.split("#")[4]) for line in lines if line.startswith("SQRD"))
    assert lines[-2:] == [f"SCPC#Adil#{points}#{points}#381#0", "ENDC#1"]


async def test_a_minute_with_nobody_active_takes_what_was_won(
    house: House, address: Address, clock: HandClock
) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    live = await house.live()
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}")
    await adil.lines_until("SQRD")
    x, y = hidden_mine(live.state)
    aylin.send(f"CLIC#{x}#{y}")
    await adil.lines_until("SQRD")
    await aylin.lines_until("SQRD")
    await _pass(clock, [adil, aylin], 95_000)
    expected = ["AFKP#Adil", "AFKP#Aylin", "SCPC#Adil#0#0#1#0", "SCPC#Aylin#-20#-20#0#1", "ENDC#2"]
    for client in (adil, aylin):
        lines = await client.closed()
        assert [line for line in lines if line.startswith(("AFKP", "SCPC", "ENDC"))] == expected
    client = await house.available("Adil")
    client.send("LSUS")
    assert await client.lines(3) == ["LUNB#2", "USER#Adil#0", "USER#Aylin#-20"]


async def test_everybody_gone_for_a_minute_ends_the_match(
    house: House, address: Address, clock: HandClock
) -> None:
    adil = await house.player("Adil", address)
    live = await house.live()
    adil.close()
    await until(lambda: not live.state.player(1).present)
    await clock.advance(60_100)
    await until(lambda: live.state.ended == "abandoned")
    client = await house.available("Adil")
    await client.ask("LSMA", "LMNB#0")


# --- other doors and other lives ------------------------------------------------------------------------


async def test_what_happens_on_the_page_is_told_here(house: House, address: Address) -> None:
    adil = await house.player("Adil", address)
    live = await house.live()
    page = await house.club.accounts.create("Page", PASSWORD)
    sitting = await house.tables.sitting.join(live.info.id, page.id)
    assert await adil.line() == "CONN#Page#0#0#0#0"
    x, y = hidden_safe(live.state)[0]
    await play(house.tables, live.info.id, sitting.seat, {"do": "click", "x": x, "y": y})
    assert (await adil.line()).endswith("#Page")
    await play(house.tables, live.info.id, sitting.seat, Leave())
    assert await adil.line() == "DECO#Page"


async def test_a_saved_match_runs_again_after_a_restart(open_house: Opener, database_url: str) -> None:
    house = await open_house(database_url)
    address = await house.match("Adil")
    adil = await house.player("Adil", address)
    live = await house.live()
    x, y = hidden_safe(live.state)[0]
    adil.send(f"CLIC#{x}#{y}")
    await adil.line()
    points = live.state.player(1).points
    await house.close()
    assert await adil.closed() == []
    house = await open_house(database_url)
    client = await house.client()
    ip, port = (await client.ask(f"REGI#Adil#{PASSWORD}")).split("#")[1:]
    again = await house.player("Adil", (ip, int(port)))
    assert again.welcome[-1] == f"IGPL#Adil#{points}#{points}#1#0"
    assert again.welcome[1 + y].split("#")[2 + x] != "X"


async def test_clicks_in_flight_are_finished_when_the_house_closes(open_house: Opener) -> None:
    house = await open_house()
    address = await house.match("Adil")
    adil = await house.player("Adil", address)
    live = await house.live()
    left = hidden_safe(live.state)[:50]
    adil.send(*[f"CLIC#{x}#{y}" for x, y in left])
    await adil.line()
    await house.close()
    told = 1 + sum(line.startswith("SQRD") for line in await adil.closed())
    assert told == live.state.opened


async def test_whoever_plays_hears_of_the_end_that_the_house_makes(house: House, address: Address) -> None:
    adil, aylin = await house.player("Adil", address), await house.player("Aylin", address)
    assert await adil.line() == "CONN#Aylin#0#0#0#0"
    live = await house.live()
    aylin.send("CLIC#3#3")
    await until(lambda: live.state.opened > 0)
    await house.tables.submit(live, CLOCK, Void("deserted"))
    for client in (adil, aylin):
        lines = [line.split("#")[:2] for line in await client.closed() if not line.startswith("SQRD")]
        assert lines == [["SCPC", "Adil"], ["SCPC", "Aylin"], ["ENDC", "2"]]
    await until(lambda: live.info.id not in house.door._hostings)
    aylin_id = (await house.club.accounts.by_pseudo("Aylin")).id
    assert await house.door.present.points(aylin_id) == 0  # nothing counts it
