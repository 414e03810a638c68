"""The form of lines, on the clients' port and on a match's own."""

from __future__ import annotations

import asyncio
import socket

import pytest
from tests.kit.minehive import PASSWORD, Client, House, Opener
from tests.kit.waiting import PATIENCE, until

from tablee.clock import HandClock
from tablee.doors.minehive.settings import Bounds
from tablee.store import Unit


async def test_two_messages_in_a_segment_are_two_messages(house: House) -> None:
    client = await house.client()
    client.send_raw(b"REGI#Adil#a\nLSAV\n")
    assert await client.lines(3) == ["IDOK", "LANB#1", "AVAI#Adil#0"]


async def test_a_message_may_come_byte_by_byte(house: House) -> None:
    client = await house.client()
    for letter in "REGI#Éloïse#mot de passe\r\n".encode():
        client.send_raw(bytes([letter]))
        await client.drain()
        await asyncio.sleep(0)
    assert await client.line() == "IDOK"
    await client.ask("LSAV")
    assert await client.line() == "AVAI#Éloïse#0"


async def test_lines_end_with_lf_or_crlf(house: House) -> None:
    client = await house.client()
    client.send_raw(b"REGI#Adil#a\r\nLSAV\n")
    assert await client.lines(2) == ["IDOK", "LANB#1"]


async def test_thirty_thousand_imok_are_not_answered(house: House) -> None:
    client = await house.client()
    client.send_raw(b"IMOK\n" * 30_000)
    await client.ask("REGI#Adil#a", "IDOK")
    client.send_raw(b"IMOK\r\nIDKC\n" * 15_000)
    await client.ask("LSAV", "LANB#1")


async def test_imok_and_idkc_are_not_answered_before_joining_either(house: House) -> None:
    client = await Client.open(await house.match())
    assert await client.line() == "RUOK"
    client.send("IMOK", "IDKC#whatever", "IMOK#x", "CLIC#1#1")
    assert await client.line() == "IDKH"


async def test_a_line_of_a_megabyte_is_not_understood_once(house: House) -> None:
    client = await house.client()
    client.send_raw(b"x" * 1_000_000)
    await client.drain()
    client.send_raw(b"\nREGI#Adil#a\n")
    assert await client.lines(2) == ["IDKS", "IDOK"]
    client.send_raw(b"LSAV#" + b"x" * 1_000_000 + b"\r\nLSAV\n")
    assert await client.lines(2) == ["IDKS", "LANB#1"]


@pytest.mark.parametrize(("length", "answer"), [(8 * 1024, "LANB#1"), (8 * 1024 + 1, "IDKS")])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
async def test_a_line_may_have_eight_kibibytes(house: House, length: int, answer: str, end: bytes) -> None:
    client = await house.available("Adil")
    client.send_raw(b"LSAV#".ljust(length, b"x"))
    await client.drain()
    await asyncio.sleep(0.01)
    client.send_raw(end)
    assert await client.line() == answer


async def test_the_bound_counts_bytes_not_letters(house: House) -> None:
    client = await house.available("Adil")
    client.send("LSAV#" + "é" * 4097)
    assert await client.line() == "IDKS"


async def test_bytes_that_are_no_text_are_not_understood_once(house: House) -> None:
    client = await house.client()
    client.send_raw(b"\xff\xfe\x00\x80junk\xc3\nREGI#Ad\x9cl#a\nREGI#Adil#a\n")
    assert await client.lines(3) == ["IDKS", "IDKS", "IDOK"]


async def test_a_name_that_is_no_text_is_not_understood_at_a_match(house: House) -> None:
    client = await Client.open(await house.match())
    client.send_raw(b"JOIN#\xc9lo\x8fse#a\n")
    assert await client.lines(2) == ["RUOK", "IDKH"]


@pytest.mark.parametrize(
    "line", ["#", "", "##", "#REGI#a#b", "regi#a#b", "REG", "REGIS#a#b", " LSAV", "PILE", "\x00"]
)
async def test_an_unknown_type_is_answered_idks(house: House, line: str) -> None:
    client = await house.available("Adil")
    await client.ask(line, "IDKS")
    await client.ask("LSAV", "LANB#1")


async def test_empty_fields_at_the_end_are_dropped_and_more_text_is_ignored(house: House) -> None:
    client = await house.client()
    await client.ask("REGI#Adil###", "IDNO")
    await client.ask("REGI#Adil#a#more#text##", "IDOK")
    await client.ask("LSAV##", "LANB#1")
    await client.line()
    await client.ask("LSAV#more", "LANB#1")
    await client.line()
    assert (await client.ask("NWMA##")).startswith("NWOK#")


async def test_twenty_idk_answers_in_a_row_close_the_connection(house: House) -> None:
    client = await house.available("Adil")
    client.send(*["WHAT"] * 19)
    await client.lines(19)
    await client.ask("LSAV", "LANB#1")  # an answer between: the row begins again
    await client.line()
    client.send_raw(b"WHAT\n\xff\n" * 5 + b"IMOK\n" + b"y" * 9000 + b"\n" + b"#\n" * 30)
    assert await client.closed() == ["IDKS"] * 20


async def test_twenty_idk_answers_close_a_match_connection_too(house: House) -> None:
    client = await Client.open(await house.match())
    client.send(*["CLIC#1#1"] * 40)
    assert await client.closed() == ["RUOK"] + ["IDKH"] * 20


async def test_a_client_that_only_closes_its_writing_side_gets_every_answer(house: House) -> None:
    client = await house.client()
    client.send("REGI#Adil#a", "LSAV", "LSUS", "LSMA")
    client.end_of_file()
    assert await client.closed() == ["IDOK", "LANB#1", "AVAI#Adil#0", "LUNB#1", "USER#Adil#0", "LMNB#0"]
    await until(lambda: not house.door.clients)


async def test_the_last_lines_arrive_though_the_client_goes_on_sending(house: House) -> None:
    client = await house.available("Adil")
    client.send_raw(b"LEAV\n" + b"IMOK\n" * 100_000)
    assert await client.closed() == []
    await until(lambda: not house.door.clients)


async def test_a_segment_is_not_delayed(house: House) -> None:
    await house.client()
    [connection] = house.door.clients
    transport = connection._transport
    assert transport is not None
    assert transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_ruok_is_said_at_once_and_every_five_seconds(house: House, clock: HandClock) -> None:
    client = await house.client()
    for _ in range(3):
        await clock.advance(5_000)
        assert await client.line() == "RUOK"
        client.send("IMOK")
        await until(lambda: all(one.heard == clock.now() for one in house.door.clients))


async def test_ten_seconds_without_a_line_disconnect(house: House, clock: HandClock) -> None:
    address = await house.match()
    outside = await Client.open(address)
    clients = [await house.client(), await house.available("Adil"), await house.host(), outside]
    await outside.line()
    for client in clients:
        client.send_raw(b"no end")
    await clock.advance(10_100)
    for client in clients:
        assert set(await client.closed()) <= {"RUOK"}
    await until(lambda: not house.door.clients)
    assert await house.door.present.available() == []


async def test_any_line_shows_that_somebody_is_there(house: House, clock: HandClock) -> None:
    client = await house.client()
    for _ in range(4):
        await clock.advance(4_000)
        client.send("IDKC")
        await until(lambda: all(one.heard == clock.now() for one in house.door.clients))
    assert house.door.clients


async def test_thirty_seconds_without_a_name_disconnect_at_every_port(house: House, clock: HandClock) -> None:
    outside = await Client.open(await house.match())
    strangers = [await house.client(), await house.host(), outside]
    known = await house.available("Bob")
    for client in (*strangers, known):
        client.answers_pings = True
    reading = [asyncio.ensure_future(client.closed()) for client in (*strangers, known)]
    await _passes(house, clock, 29_000)
    assert not any(one.done() for one in reading)
    await _passes(house, clock, 2_000)
    await asyncio.wait_for(asyncio.gather(*reading[:-1]), PATIENCE)
    assert not reading[-1].done()
    reading[-1].cancel()


async def test_three_hundred_seconds_with_nothing_but_imok_are_kicked(house: House, clock: HandClock) -> None:
    client = await house.available("Adil")
    client.answers_pings = True
    reading = asyncio.ensure_future(client.closed())
    await _passes(house, clock, 299_000)
    assert not reading.done()
    await _passes(house, clock, 2_000)
    assert await reading == ["KICK"]


async def test_whoever_says_something_else_is_not_kicked(house: House, clock: HandClock) -> None:
    client = await house.available("Adil")
    client.answers_pings = True
    reading = asyncio.ensure_future(client.closed())
    await _passes(house, clock, 200_000)
    client.send("LSMA")
    await until(lambda: all(one.spoke == clock.now() for one in house.door.clients))
    await _passes(house, clock, 200_000)
    assert house.door.clients
    client.send("LEAV")
    assert await reading == ["LMNB#0"]


async def _passes(house: House, clock: HandClock, milliseconds: int) -> None:
    """Let time pass while every client answers RUOK."""
    for _ in range(milliseconds // 1_000):
        await clock.advance(1_000)
        await until(lambda: all(clock.now() - one.heard <= 5_200 for one in house.door.clients))


async def _with_users(house: House, count: int) -> None:
    for n in range(count):
        account = await house.club.accounts.create(f"joueur-{n:04d}-avec-un-long-nom", PASSWORD)
        await house.store.commit(Unit(writes=[house.door.present.known(account.id)]))


async def test_a_reader_that_does_not_read_is_cut_off(open_house: Opener) -> None:
    house = await open_house(bounds=Bounds(unread=200_000))
    await _with_users(house, 300)
    quick = await house.available("Vite")
    with socket.socket() as deaf:
        deaf.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(deaf, house.door.address)
        await loop.sock_sendall(deaf, b"REGI#Lent#a\n" + b"LSUS\n" * 10_000)
        await until(lambda: any(one._choked for one in house.door.clients))
        # His requests are no longer read; what is sent to him unasked is bounded.
        [slow] = [one for one in house.door.clients if one._choked]
        sent = 0
        while not slow.lost:
            slow.invite("NWOK#127.0.0.1#1")
            sent += 1
        assert sent < 200_000
        await quick.ask("LSAV", "LANB#1")


async def test_a_reader_that_does_not_read_is_disconnected_in_time(house: House, clock: HandClock) -> None:
    await _with_users(house, 300)
    with socket.socket() as deaf:
        deaf.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(deaf, house.door.address)
        await loop.sock_sendall(deaf, b"REGI#Lent#a\n" + b"LSUS\n" * 10_000)
        await until(lambda: any(one._choked for one in house.door.clients))
        await clock.advance(15_000)
        await until(lambda: not house.door.clients)


async def test_a_long_answer_is_read_by_a_reader_who_reads(open_house: Opener) -> None:
    house = await open_house(bounds=Bounds(unread=50_000))
    await _with_users(house, 200)
    client = await house.available("Adil")
    client.send(*["LSUS"] * 50)
    for _ in range(50):
        assert await client.line() == "LUNB#201"
        await client.lines(201)


# --- Latin-1 --------------------------------------------------------------------------------------------


def latin(line: str) -> bytes:
    """A line as an old Windows Java writes it."""
    return line.encode("latin-1") + b"\r\n"


async def raw_line(client: Client) -> bytes:
    async with asyncio.timeout(PATIENCE):
        return await client.reader.readline()


async def test_a_name_in_latin_1_is_read_and_answered_in_latin_1(house: House) -> None:
    await house.club.accounts.create("Łukasz", PASSWORD)
    lukasz = await house.available("Łukasz")
    kevin = await house.client()
    kevin.send_raw(b"REGI#K\xe9vin#s\xe9same\r\n")
    assert await raw_line(kevin) == b"IDOK\n"
    kevin.send_raw(b"LSAV\r\n")
    assert await raw_line(kevin) == b"LANB#2\n"
    assert sorted([await raw_line(kevin), await raw_line(kevin)]) == [
        b"AVAI#?ukasz#0\n",
        b"AVAI#K\xe9vin#0\n",
    ]
    await lukasz.ask("LSAV", "LANB#2")
    assert sorted(await lukasz.lines(2)) == ["AVAI#Kévin#0", "AVAI#Łukasz#0"]
    again = await house.client()
    await again.ask("REGI#Kévin#sésame", "IDOK")  # the same account and password in UTF-8


async def test_a_player_of_latin_1_joins_a_match_and_is_told_everything_in_it(house: House) -> None:
    address = await house.match("Adil")
    await house.club.accounts.create("Kévin", "sésame")
    lukasz = await house.player("Łukasz", address)
    kevin = await Client.open(address)
    kevin.send_raw(latin("JOIN#Kévin#sésame"))
    told = [await raw_line(kevin) for _ in range(1 + 1 + 16 + 1 + 2)]
    assert told[0] == b"RUOK\n"
    assert told[1] == b"JNOK#16\n"
    assert told[-2:] == [b"IGPL#?ukasz#0#0#0#0\n", b"IGPL#K\xe9vin#0#0#0#0\n"]
    assert await lukasz.line() == "CONN#Kévin#0#0#0#0"
    kevin.send_raw(latin("CLIC#é#2"))
    assert await raw_line(kevin) == b"OORG#\xe9#2\n"
    lukasz.reset()
    assert await raw_line(kevin) == b"DECO#?ukasz\n"


@pytest.mark.parametrize(
    "line", [b"REGI#K\x85vin#secret", b"REGI#K\xe9vin#\x00", b"REGI#K\xe9\x7fvin#secret"]
)
async def test_bytes_that_are_neither_utf_8_nor_printable_latin_1_are_not_understood(
    house: House, line: bytes
) -> None:
    client = await house.client()
    client.send_raw(line + b"\n")
    assert await client.line() == "IDKS"
    await client.ask("REGI#Adil#secret", "IDOK")


async def test_a_line_of_latin_1_may_be_as_long_as_any_other(open_house: Opener) -> None:
    house = await open_house(bounds=Bounds(line=100))
    client = await house.client()
    client.send_raw(b"REGI#" + b"\xe9" * 95 + b"\r\n")
    assert await client.line() == "IDNO"  # read: a password is missing
    client.send_raw(b"REGI#" + b"\xe9" * 96 + b"\r\n")
    assert await client.line() == "IDKS"


async def test_a_host_of_latin_1_is_asked_and_answers_about_everybody(house: House) -> None:
    """Its answer to RQDT names a player whose name it could not read."""
    host = await house.host()
    host.send_raw(latin(f"LOGI#Invités#{house.door.secret}"))
    assert [await raw_line(host), await raw_line(host)] == [b"IDOK\n", b"RQDT#server\n"]
    host.send_raw(latin("SDDT#server#192.0.2.7#4242#Invités#0"))
    lukasz = await house.available("Łukasz")
    lukasz.send("LSMA")
    assert await raw_line(host) == b"RQDT#?ukasz\n"
    host.send_raw(latin("SDDT#?ukasz#192.0.2.7#4242#Invités#12#Kévin#30"))
    assert await lukasz.lines(2) == ["LMNB#1", "MATC#192.0.2.7#4242#Invités#12#Kévin#30"]
