"""Consoles that mean no good: what they do costs them their own connection at most."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from tests.kit.dr2d import Console, House, Opener
from tests.kit.waiting import until
from websockets.exceptions import ConnectionClosed

from tablee.clock import HandClock
from tablee.wire.http import server
from tablee.wire.http.server import WebServer


async def plays_on(house: House, other: Console) -> None:
    """The other console of a race plays its round as if nothing had happened."""
    await other.program(["Move_90Left"])
    await until(lambda: bool(house.view(house.table_id).robots[2].ready))


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("not JSON", "BadJson"),
        ('{"stgyReply": ', "BadJson"),
        ('{"ShortMessageService": ' + "[" * 20_000, "BadJson"),
        ('{"stgyReply": {"seq": "\\ud800", "token": "x"}}', "BadJson"),
        ("[]", "BadFrame"),
        ('{"ShortMessageService": [' + "[]," * 20_000 + "[]]}", "BadJson"),
        ('{"stgyReply": 7}', "BadFrame"),
        ('{"stgyCall": {"seq": "QuestStart"}}', "BadFrame"),
        ('{"stgyReply": {"seq": 1, "token": "x"}}', "BadFrame"),
        ('{"stgyReply": {"seq": "RoundRequireCartouche", "token": "123456789012"}}', "BadToken"),
        ('{"stgyReply": {"seq": "RoundRequireCartouche", "token": ""}}', "BadToken"),
    ],
)
async def test_a_frame_that_cannot_be_taken_is_told_so_and_changes_nothing(
    house: House, frame: str, code: str
) -> None:
    first, second = await house.racing()
    await first.socket.send(frame)
    assert await first.service() == code
    said = first.frames[-1]["ShortMessageService"]
    assert said["msgDesc"]
    assert said["msgArgs"] == {"seq": "RoundRequireCartouche", "token": first.asked["token"]}
    await plays_on(house, second)
    await first.program()
    await first.until("RoundRequireCartouche")


@pytest.mark.parametrize(
    "args",
    [
        None,
        [],
        7,
        {},
        {"cartouche": None},
        {"cartouche": {}},
        {"cartouche": ["Move_Ahead"]},
        {"cartouche": [{"code": 1}]},
        {"cartouche": [[["Move_Ahead"]]]},
        {"cartouche": [[1.5]]},
        {"cartouche": [[10**400]]},
    ],
)
async def test_arguments_of_the_wrong_type_leave_the_call_waiting(house: House, args: Any) -> None:
    first, _ = await house.racing()
    await first.reply(argsRef=args)
    assert await first.service() in ("BadArguments", "BadCartouche")
    if first.frames[-1]["ShortMessageService"]["msgCode"] == "BadCartouche":
        assert args == {"cartouche": [[10**400]]}
        await first.call()
    await first.program(["Move_90Left"])
    await until(lambda: bool(house.view(house.table_id).robots[1].ready))


async def test_an_old_token_and_a_reply_to_nothing_change_nothing(house: House) -> None:
    first, second = await house.racing()
    await first.program(["Move_90Left"])
    await until(lambda: bool(house.view(house.table_id).robots[1].ready))
    await first.program(["Move_180Left"])
    assert await first.service() == "OldToken"
    await first.reply(token="never-was-there")
    assert await first.service() == "NoCall"
    await second.program()
    assert await first.call() == "RoundRobotMovement"
    assert first.asked["argsIn"]["mcnd01"] == ["0x245C, Move_90Left"]


async def test_nobody_answers_with_the_token_of_somebody_else(house: House) -> None:
    first, second = await house.racing()
    await first.reply(token=second.asked["token"])
    assert await first.service() == "BadToken"
    assert not house.view(house.table_id).robots[2].ready


async def test_a_huge_frame_closes_the_connection(house: House) -> None:
    first, second = await house.racing()
    await first.socket.send('"' + "x" * (64 * 1024) + '"')
    assert (await first.closed())[0] == 1009
    await plays_on(house, second)


async def test_a_frame_of_64_kib_is_read(house: House) -> None:
    first, _ = await house.racing()
    await first.socket.send('"' + "x" * (64 * 1024 - 2) + '"')
    assert await first.service() == "BadFrame"


async def test_a_huge_frame_in_pieces_closes_the_connection_too(house: House) -> None:
    first, second = await house.racing()
    with suppress(ConnectionClosed):
        await first.socket.send("x" * 8_000 for _ in range(9))
    assert (await first.closed())[0] == 1009
    await plays_on(house, second)


async def test_a_binary_frame_closes_the_connection(house: House) -> None:
    first, second = await house.racing()
    await first.socket.send(b"{}")
    assert await first.closed() == (1003, "frames are text")
    await plays_on(house, second)


async def test_flooding_closes_the_connection(house: House) -> None:
    first, second = await house.racing()
    for _ in range(50):
        await first.socket.send("{}")
    for _ in range(50):
        assert await first.service() == "BadFrame"
    await first.say({"ShortMessageService": {"msgCode": 0, "msgDesc": "Bonjour", "msgArgs": None}})
    assert await first.closed() == (1008, "too many frames that answer no call")
    await plays_on(house, second)


CONT, TEXT, PING, PONG = 0x0, 0x81, 0x89, 0x8A


def raw(opcode: int, data: bytes = b"") -> bytes:
    """A frame as it goes over the wire, with a mask of zeros."""
    return bytes([opcode, 0x80 | len(data)]) + bytes(4) + data


@pytest.mark.parametrize(
    "flood",
    [raw(PING, b"x") * 21, raw(PONG) * 21, raw(TEXT & 0x0F) + raw(CONT) * 21],
    ids=["pings", "pongs", "pieces"],
)
async def test_a_flood_of_what_is_no_message_closes_the_connection(
    house: House, monkeypatch: pytest.MonkeyPatch, flood: bytes
) -> None:
    monkeypatch.setattr(server, "PIECES_LIMIT", 20)
    first, second = await house.racing()
    first.socket.transport.write(flood)
    assert await first.closed() == (1008, "too many frames that are no message")
    await plays_on(house, second)


async def test_a_message_in_too_many_pieces_closes_the_connection_however_slowly_they_come(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PIECES_LIMIT", 20)
    monkeypatch.setattr(server, "PIECES_SECONDS", -1.0)  # every piece is the first of its second
    first, second = await house.racing()
    first.socket.transport.write(raw(PING, b"x") * 40)
    await first.socket.send(["{}"] + [""] * 18)
    assert await first.service() == "BadFrame"
    first.socket.transport.write(raw(TEXT & 0x0F) + raw(CONT) * 20)
    assert await first.closed() == (1008, "too many frames that are no message")
    await plays_on(house, second)


async def test_who_goes_on_after_it_was_closed_is_cut_off(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PIECES_LIMIT", 20)
    monkeypatch.setattr(server, "PIECES_SECONDS", 60.0)
    cuts: list[int] = []
    cut = server._LiveConnection.cut

    def recorded(self: Any, code: int, reason: str) -> None:
        cuts.append(code)
        cut(self, code, reason)

    monkeypatch.setattr(server._LiveConnection, "cut", recorded)
    first, second = await house.racing()
    line = first.socket.transport
    line.pause_reading()  # it never hears that it is closed, and does not close its side
    line.write(raw(0x82, b"{}"))
    await until(lambda: bool(house.view(house.table_id).robots[1].away))

    def goes_on_until_cut() -> bool:
        line.write(raw(TEXT, b"{}") * 50)
        return cuts == [1008]

    await until(goes_on_until_cut)
    await plays_on(house, second)


async def test_a_reply_in_pieces_is_taken_with_a_ping_between_them(house: House) -> None:
    first, _ = await house.racing()
    text = json.dumps({"stgyReply": {**first.asked, "argsRef": {"cartouche": [["Move_90Left"]]}}}).encode()
    pieces = [text[at : at + 50] for at in range(0, len(text), 50)]
    line = first.socket.transport
    line.write(raw(TEXT & 0x0F, pieces[0]) + raw(PING, b"are you there?"))
    for piece in pieces[1:]:
        line.write(raw(CONT, piece))
    line.write(raw(CONT | 0x80))
    await until(lambda: bool(house.view(house.table_id).robots[1].ready))


async def test_text_that_is_none_closes_the_connection_and_is_no_error_of_the_house(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await house.racing()
    first.socket.transport.write(raw(TEXT, b"\xff\xfe"))
    assert (await first.closed())[0] == 1007
    await plays_on(house, second)
    assert "Traceback" not in caplog.text


async def test_a_console_whose_line_is_dead_gives_its_seat_up(open_house: Opener) -> None:
    house = await open_house(serve=partial(WebServer, ping_seconds=0.2))
    first = await house.console()
    assert await first.service() == "PlayersDiscovery"
    first.socket.transport.pause_reading()  # nothing comes back from it, and no end either
    await until(lambda: not house.door.races)


async def test_a_flood_that_nobody_reads_the_answers_of_ends_all_the_same(house: House) -> None:
    first, second = await house.racing()
    with suppress(ConnectionClosed):
        for _ in range(5_000):
            await first.socket.send(json.dumps({"stgyReply": {"seq": "x" * 5_000, "token": "y"}}))
    assert (await first.closed())[0] == 1008
    await plays_on(house, second)


async def test_messages_of_a_console_are_taken_without_an_answer(house: House) -> None:
    first, _ = await house.racing()
    for args in (None, {"any": ["thing"]}, 7):
        await first.say({"ShortMessageService": {"msgCode": "0", "msgDesc": "Bonjour", "msgArgs": args}})
    await first.program()
    await until(lambda: bool(house.view(house.table_id).robots[1].ready))
    assert all("ShortMessageService" not in frame for frame in first.frames[1:])


async def test_a_console_that_breaks_off_gives_its_seat_up_before_the_game_and_keeps_it_after(
    house: House,
) -> None:
    first = await house.console()
    assert await first.service() == "PlayersDiscovery"
    table_id = house.table_id
    first.reset()
    await until(lambda: not house.door.races)

    async def is_closed() -> bool:
        return (await house.tables.info(table_id)).status == "closed"

    await until(is_closed)
    second, third = await house.racing()
    second.reset()
    await until(lambda: bool(house.view(house.table_id).robots[1].away))
    await third.program()
    await until(lambda: bool(house.view(house.table_id).robots[2].ready))


async def test_a_console_that_says_nothing_from_the_first_call_on_does_not_keep_the_other(
    house: House, clock: HandClock
) -> None:
    first, second = await house.pair()
    await first.until("InitPlayerLocalization")
    await first.echo()
    for _ in range(3):
        await second.frame()
        await clock.advance(10_050)
    await until(lambda: bool(house.view(house.table_id).phase == "programming"))
    await first.until("RoundRequireCartouche")
    await first.program()
    await until(lambda: bool(house.view(house.table_id).round == 2))


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("?playerUID=", "UnknownPlayer"),
        ("?playerUID=1-1-1-AAAAAAAAAAAAAAAAAAAAAA", "UnknownPlayer"),
        ("?playerUID=%00%ff", "UnknownPlayer"),
        ("?playerUID=" + "9" * 3_000, "UnknownPlayer"),
        ("?table=999999", "Refused"),
        ("?table=0", "Refused"),
        ("?table=-1", "Refused"),
        ("?table=" + "9" * 40, "Refused"),
        ("?table=un", "Refused"),
        ("?table=%D9%A1", "Refused"),
    ],
)
async def test_a_way_that_leads_nowhere_is_told_so_and_closed(house: House, query: str, code: str) -> None:
    console = await house.console(query)
    assert await console.service() == code
    assert await console.closed() == (1008, code)


async def test_the_seats_of_a_full_table_are_not_given_twice(house: House) -> None:
    await house.racing()
    console = await house.console(f"?table={house.table_id}")
    assert await console.service() == "Refused"
    assert (await console.closed())[0] == 1008


async def test_a_token_of_nobody_is_refused(house: House) -> None:
    console = await house.console(additional_headers={"Authorization": "Bearer nobody"})
    assert await console.service() == "Refused"


async def test_more_consoles_than_the_house_takes_are_turned_away(open_house: Opener) -> None:
    house = await open_house(connections=1)
    await (await house.console()).frame()
    console = await house.console()
    assert await console.service() == "Full"
    assert await console.closed() == (1008, "Full")


async def test_one_network_brings_no_more_consoles_than_it_may(open_house: Opener, clock: HandClock) -> None:
    house = await open_house(arrivals=2)
    for _ in range(2):
        assert await (await house.console()).service() == "PlayersDiscovery"
    assert await (await house.console()).service() == "TooMany"
    await clock.advance(3_600_000)
    assert await (await house.console()).service() == "PlayersDiscovery"


async def test_a_console_that_does_not_read_is_cut_off(open_house: Opener) -> None:
    house = await open_house()
    _, second = await house.racing()
    console = house.door.races[house.table_id].consoles[1]
    for _ in range(400):
        console.say("Test", "x" * 100_000)
    await until(lambda: not console.sequencer.is_connected)
    await plays_on(house, second)
