"""What nobody should send: at worst that one connection closes, and the house goes on."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random

import pytest
from tests.kit.pawnhub import Client, House, Opener
from tests.kit.waiting import as_time_passes, until

from tablee.clock import HandClock
from tablee.doors.pawnhub import Bounds
from tablee.doors.pawnhub.messages import COMMANDS, framed
from tablee.doors.pawnhub.talk import Said


async def still_open(house: House) -> None:
    """Two newcomers find the house as it should be."""
    plain, frames = await house.plain(), await house.framed()
    assert (await plain.ask("GUEST")).startswith("OK ")
    await frames.ask("20~x", "20~stopChat")


# --- plain ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [4_097, 100_000])
async def test_a_line_too_long_is_an_error_and_closes(house: House, length: int) -> None:
    client = await house.plain()
    client.send_raw(b"x" * length + b"\n")
    assert await client.closed() == ["ERR toolong a line has 4096 bytes at most"]
    await still_open(house)


async def test_a_line_that_never_ends_is_an_error_and_closes(house: House) -> None:
    client = await house.plain()
    client.send_raw(b"x" * 4_098)
    assert await client.closed() == ["ERR toolong a line has 4096 bytes at most"]


async def test_a_line_of_4096_bytes_is_a_line(house: House) -> None:
    client = await house.plain()
    client.send_raw(b"x" * 4_096 + b"\r\n")
    assert (await client.line()).startswith("ERR unknown ")


async def test_bytes_that_are_no_text_are_an_error(house: House) -> None:
    client = await house.plain()
    client.send_raw(b"SIGNUP \xc9lo\xefse secret\n")
    assert await client.line() == "ERR utf8 a line is text in UTF-8"
    await client.ask("SIGNUP Éloïse secret", "OK")


async def test_twenty_lines_of_nonsense_close_the_connection(house: House) -> None:
    client = await house.plain()
    client.send(*["nonsense"] * 30)
    assert len(await client.closed()) == 20
    await still_open(house)


async def test_lines_in_pieces_and_many_at_once_are_answered_in_order(house: House) -> None:
    client = await house.plain()
    for byte in b"RULES dark\r\n":
        client.send_raw(bytes([byte]))
        await asyncio.sleep(0)
    assert (await client.until("END"))[0] == "Échecs sombres"
    client.send(*["QUIET on", "QUIET off"] * 500)
    assert set(await client.lines(1_000)) == {"OK"}


async def test_more_than_may_come_at_once_waits_for_its_turn(open_house: Opener, clock: HandClock) -> None:
    house = await open_house(bounds=Bounds(at_once=10, a_second=10))
    client = await house.framed()
    client.send(*["20~x"] * 30)
    assert await client.lines(10) == ["20~stopChat"] * 10
    answered = 0

    async def read() -> None:
        nonlocal answered
        while await client.line():
            answered += 1

    reading = asyncio.create_task(read())
    await as_time_passes(clock, lambda: answered == 20, step=100, what="the twenty that waited")
    reading.cancel()


@pytest.mark.parametrize("seed", range(3))
async def test_random_commands_never_break_the_house(house: House, seed: int) -> None:
    rng = Random(seed)
    words = [
        *COMMANDS,
        "Ada",
        "Bob",
        "classic",
        "alice",
        "dark",
        "@Ada",
        "ALL",
        "GAME",
        "E2E4",
        "\x00",
        "../evil",
    ]
    words.remove("CHALLENGE")
    clients = [await house.plain() for _ in range(4)]
    for client in clients:
        lines = [" ".join(rng.choices(words, k=rng.randint(1, 4))) for _ in range(60)]
        client.send(*lines)
    await asyncio.gather(*(_drained(client) for client in clients))
    await still_open(house)


# --- framed ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "payload",
    [
        "hello",
        "~",
        "~~~~",
        "99~x",
        "-1~x",
        "30",
        "30~",
        "30~Zfoo",
        "30~MwE2E4",
        "3",
        "3~all",
        "8~x",
        "11~Ada",
        "4",
    ],
)
async def test_frames_that_mean_nothing_cost_at_most_the_connection(house: House, payload: str) -> None:
    client = await house.framed()
    client.send(*[payload] * 25, "0~Quit")
    await client.closed()
    await still_open(house)


async def test_empty_frames_are_nothing(house: House) -> None:
    client = await house.framed()
    client.send_raw(b"|" * 150 * 100)
    await client.ask("20~x", "20~stopChat")


async def test_a_frame_in_pieces_is_a_frame(house: House) -> None:
    client = await house.framed()
    for byte in framed(["20~x"]):
        client.send_raw(bytes([byte]))
        await asyncio.sleep(0)
    assert await client.line() == "20~stopChat"


async def test_a_thousand_frames_at_once_are_answered(house: House) -> None:
    client = await house.framed()
    client.send(*["20~x"] * 1_000)
    assert await client.lines(1_000) == ["20~stopChat"] * 1_000


@pytest.mark.parametrize(
    "data",
    [
        b"x" * 150 * 21,
        b"3~all~" + b"x" * 3_000 + b"|" * 144,
        b"\xff" * 10 + b"|" * 140,
        b"20~x\xc3".ljust(150, b"|"),
    ],
)
async def test_too_long_a_payload_and_bytes_that_are_no_text_close(house: House, data: bytes) -> None:
    client = await house.framed()
    client.send_raw(data)
    assert await client.closed() == []
    await still_open(house)


async def test_a_payload_of_3000_bytes_is_read(house: House) -> None:
    ada = await house.framed_member("Ada")
    ada.send("3~all~" + "x" * 2_994)
    assert (await ada.line()).startswith("3~[Server]~all~")


async def test_half_a_frame_and_then_nothing_is_nothing(house: House) -> None:
    client = await house.framed()
    client.send_raw(b"20~x")
    client.writer.write_eof()
    assert await client.closed() == []


@pytest.mark.parametrize("seed", range(3))
async def test_random_frames_never_break_the_house(house: House, seed: int) -> None:
    rng = Random(seed)
    ada, bob = await house.framed_pair()
    parts = [
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "7",
        "8",
        "9",
        "12",
        "30",
        "MwE2E4",
        "Mb/del",
        "Pq",
        "Ada",
        "../evil",
        "",
        "é",
    ]
    for client in (ada, bob, await house.framed()):
        payloads = ["~".join(rng.choices(parts, k=rng.randint(1, 4))) for _ in range(40)]
        client.send(*[payload for payload in payloads if not payload.startswith("0~")])
        client.send_raw(rng.randbytes(1_000))
        await _drained(client)
    await still_open(house)


async def _drained(client: Client) -> None:
    """Read whatever comes for a moment, then go."""
    try:
        async with asyncio.timeout(0.3):
            while await client.reader.read(65_536):
                pass
    except (TimeoutError, ConnectionError):
        pass
    client.close()


# --- both -----------------------------------------------------------------------------------------------


async def test_who_reads_nothing_is_asked_no_more_and_cut_off_in_the_end(open_house: Opener) -> None:
    house = await open_house(bounds=Bounds(unread=70_000, at_once=10**9))
    client = await house.plain()
    client.writer.transport.pause_reading()  # type: ignore[attr-defined]
    await until(lambda: len(house.door.connections) == 1)
    (connection,) = house.door.connections
    while not connection._choked:
        client.send(*["RULES classic"] * 500)
        await asyncio.sleep(0.01)
    assert connection._transport is not None
    assert connection._transport.get_write_buffer_size() < 100_000
    for _ in range(10):
        connection.said(Said("all", "Ada", "", "x" * 1_000))
    assert not house.door.connections
    await still_open(house)


async def test_strangers_who_say_nothing_are_sent_away(house: House, clock: HandClock) -> None:
    plain, frames, ada = await house.plain(), await house.framed(), await house.plain_member("Ada")
    await until(lambda: len(house.door.connections) == 3)
    await clock.advance(601_000)
    assert (await plain.closed())[0].startswith("ERR idle ")
    assert await frames.closed() == ["0~Quit"]
    assert await ada.listing("FRIENDS") == []


async def test_who_speaks_but_does_not_say_who_he_is_is_sent_away_after_half_a_minute(
    house: House, clock: HandClock
) -> None:
    plain, ada = await house.plain(), await house.plain_member("Ada")
    for _ in range(2):
        await clock.advance(14_000)
        assert await plain.ask("RULES classic")
    await clock.advance(3_000)
    assert (await plain.closed())[-1].startswith("ERR idle ")
    await clock.advance(60_000)
    assert await ada.listing("FRIENDS") == []


async def test_one_network_cannot_fill_the_door(open_house: Opener) -> None:
    house = await open_house()
    house.door.gate.most = 3
    inside = [await house.plain() for _ in range(3)]
    await until(lambda: len(house.door.connections) == 3)
    for port in (house.door.address, house.door.plain_address):
        assert port is not None
        reader, writer = await asyncio.open_connection(*port)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        _, writer = await asyncio.open_connection(*port, local_addr=("127.0.0.9", 0))
        await until(lambda: len(house.door.connections) == 4)
        writer.close()
        await until(lambda: len(house.door.connections) == 3)
    assert inside


async def test_one_too_many_is_sent_away(open_house: Opener) -> None:
    house = await open_house(connections=2)
    first = await house.plain()
    second = await house.plain()
    assert (await first.ask("GUEST")).startswith("OK ")
    assert (await second.ask("GUEST")).startswith("OK ")
    third = await house.framed()
    assert await third.closed() == ["0~Quit"]
    second.close()
    await until(lambda: len(house.door.connections) == 1)
    assert (await (await house.plain()).ask("GUEST")).startswith("OK ")


async def test_passwords_cannot_be_guessed_without_end(house: House, clock: HandClock) -> None:
    await house.member("Ada")
    client = await house.plain()
    works = house.club.passwords.works
    for n in range(5):
        assert (await client.ask(f"LOGIN Ada wrong{n}")).startswith("ERR password ")
    others = [await house.plain() for _ in range(40)]
    for n, other in enumerate(others):
        other.send(f"LOGIN Ada again{n}")
    # The clock stands still: who would wait too long is told so, the others wait, and none is looked at.
    waiting = [asyncio.ensure_future(other.line()) for other in others]
    await until(lambda: sum(each.done() for each in waiting) >= 10)
    assert all(each.result().startswith("ERR too_many ") for each in waiting if each.done())
    assert house.club.passwords.works - works == 5
    frames = await house.framed()
    answered = ""
    while answered != "2~1":  # slowed, and not shut out
        frames.send("2~Ada~sésame")
        answer = asyncio.ensure_future(frames.line())
        while not (await asyncio.wait([answer], timeout=0.01))[0]:
            await clock.advance(10_000)
        answered = answer.result()
        assert answered in ("2~1", "2~2", "0~Quit")
        if answered == "0~Quit":  # he has not said in time who he is, and comes again
            frames = await house.framed()
        await clock.advance(10_000)  # who is told at once to come later comes later
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
