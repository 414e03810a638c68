"""The framed dialect, code by code and letter by letter."""

from __future__ import annotations

import asyncio
import socket

import pytest
from tests.doors.pawnhub.test_plain_game import START
from tests.doors.pawnhub.test_plain_menu import won_again
from tests.kit.pawnhub import PASSWORD, House, Opener, queued
from tests.kit.waiting import PATIENCE, until

from tablee.clock import HandClock
from tablee.doors.pawnhub.messages import framed
from tablee.doors.pawnhub.settings import Bounds
from tablee.rules.contract import CLOCK
from tablee.tables.codec import Void

AFTER_E4 = START.replace("pE2", "pE4")


# --- frames ---------------------------------------------------------------------------------------------


async def test_a_frame_has_150_bytes_padded(house: House) -> None:
    client = await house.framed()
    client.send("20~x")
    assert await client.frame() == b"20~stopChat".ljust(150, b"|")


async def test_a_payload_that_fills_its_frame_is_followed_by_padding(house: House) -> None:
    ada, bob = await house.framed_member("Ada"), await house.framed_member("Bob")
    ada.send("4~2")
    await until(lambda: queued(house, "Ada"))
    bob.send("4~2")
    frames = [await ada.frame() for _ in range(7)]
    assert frames[5].startswith(b"30~BrA1")
    assert len(frames[5].rstrip(b"|")) == 150
    assert frames[6] == b"|" * 150


@pytest.mark.parametrize(("mode", "frames"), [(0, 11), (1, 11), (2, 12), (3, 14)])
async def test_a_game_begins_in_segments_of_nine_frames_on_the_wire(
    open_house: Opener, mode: int, frames: int
) -> None:
    house = await open_house(bounds=Bounds(apart=1_000))
    assert house.door.address is not None
    await house.member("Ada")
    ada = socket.create_connection(house.door.address)
    with ada:
        ada.sendall(framed([f"2~Ada~{PASSWORD}"]))
        received = asyncio.create_task(asyncio.to_thread(_pieces, ada, frames + 1))
        await until(lambda: _is_here(house, "Ada"))
        ada.sendall(framed([f"4~{mode}"]))
        await until(lambda: queued(house, "Ada"))
        (await house.framed_member("Bob")).send(f"4~{mode}")
        signed_in, first, *rest = await received
    assert signed_in == 150
    assert first == 9 * 150
    assert sum(rest) == (frames - 9) * 150


def _pieces(sock: socket.socket, frames: int) -> list[int]:
    """How many bytes each `recv` of a client gets that reads all there is, until so many frames have come."""
    sock.settimeout(PATIENCE)
    sizes: list[int] = []
    while sum(sizes) < frames * 150:
        sizes.append(len(sock.recv(65_536)))
    return sizes


async def _is_here(house: House, name: str) -> bool:
    return (await house.club.accounts.by_pseudo(name)).id in house.door.present.here


async def test_what_is_said_between_two_segments_comes_after_them(open_house: Opener) -> None:
    house = await open_house(bounds=Bounds(apart=600_000))
    ada, bob = await house.framed_member("Ada"), await house.framed_member("Bob")
    ada.send("4~0")
    await until(lambda: queued(house, "Ada"))
    bob.send("4~0")
    assert (await ada.lines(9))[0] == "4"
    ada.send("20~x", "0~Quit")  # the end does not wait for the moment, nor overtake what waits for it
    assert (await ada.closed())[-3:] == ["30~Agimme", "20~stopChat", "0~Quit"]


async def test_who_queues_in_a_game_is_answered_with_nothing(house: House) -> None:
    ada, _ = await house.framed_pair()
    for mode in (0, 3, 7, 99):
        ada.send(f"4~{mode}")
    await ada.ask("20~x", "20~stopChat")


async def test_a_client_that_pads_to_150_letters_instead_of_bytes_is_understood(house: House) -> None:
    client = await house.framed()
    for number in range(20):
        client.send_raw(f"1~Éloïse-élève-{number}~sésame".ljust(150, "|").encode())
        client.send_raw(f"20~{'é' * number}".ljust(150, "|").encode())
    client.send_raw(b"|" * 300)
    assert await client.lines(40) == ["1~1", "20~stopChat"] * 20


async def test_a_long_chat_goes_on_in_the_next_frame(house: House) -> None:
    ada = await house.framed_member("Ada")
    text = "é" * 200
    ada.send(f"3~all~{text}")
    frames = [await ada.frame() for _ in range(3)]
    assert b"".join(frames).rstrip(b"|").decode() == f"3~Ada~all~{text}"


# --- who one is -----------------------------------------------------------------------------------------


async def test_signing_up_and_in(house: House) -> None:
    client = await house.framed()
    await client.ask("1~Ada~secret", "1~1")
    await client.ask("1~ada~other", "1~0")
    await client.ask("2~Bob~secret", "2~0")
    await client.ask("2~Ada~wrong", "2~2")
    await client.ask("2~Ada~secret", "2~1")
    await client.ask("2~Ada~secret", "2~3")
    other = await house.framed()
    await other.ask("2~Ada~wrong", "2~3")
    for payload, answer in (
        ("1~../evil~x", "1~0"),
        ("2~../evil~x", "2~0"),
        ("1~Bob", "1~0"),
        ("2~Bob", "2~0"),
    ):
        await other.ask(payload, answer)


async def test_quit_is_answered_and_closes(house: House) -> None:
    client = await house.framed()
    client.send("0~Quit")
    assert await client.closed() == ["0~Quit"]


# --- talk and friends -----------------------------------------------------------------------------------


async def test_talk_to_all_and_between_friends(house: House) -> None:
    await house.befriend("Ada", "Bob")
    ada, bob, eve = [await house.framed_member(name) for name in ("Ada", "Bob", "Eve")]
    ada.send("3~all~hello there")
    for client in (ada, bob, eve):
        assert await client.line() == "3~Ada~all~hello there"
    ada.send("3~Bob~psst")
    assert await ada.line() == "3~Ada~Bob~psst"
    assert await bob.line() == "3~Ada~Ada~psst"
    await eve.ask("3~Ada~hello", "3~[Server]~Ada~Ada is not a friend")
    await eve.ask("3~nobody~hello", "3~[Server]~nobody~nobody is not a friend")
    bob.send("0~Quit")
    await bob.closed()
    await until(lambda: len(house.door.present.here) == 2)
    ada.send("3~Bob~still there?")
    assert await ada.lines(2) == ["3~Ada~Bob~still there?", "3~[Server]~Bob~Bob is offline"]


async def test_what_splits_fields_becomes_a_space_in_talk_from_elsewhere(house: House) -> None:
    ada, bob = await house.plain_member("Ada"), await house.framed_member("Bob")
    ada.send("CHAT ALL a|b~c")
    assert await ada.line() == "MSG ALL Ada a|b~c"
    assert await bob.line() == "3~Ada~all~a b c"


async def test_friends_code_by_code(house: House) -> None:
    ada, bob = await house.framed_member("Ada"), await house.framed_member("Bob")
    await ada.ask("12~nobody", "12~0")
    await ada.ask("12~Ada", "12~0")
    await ada.ask("12~Bob", "12~4")
    assert await bob.line() == "17~Ada~1"
    await ada.ask("12~Bob", "12~2")
    await ada.ask("14~", "14~Bob")
    await bob.ask("10~", "10~Ada")
    await ada.ask("15~Bob", "15~1")
    assert await bob.line() == "17~Ada~0"
    await ada.ask("15~Bob", "15~0")
    await ada.ask("12~Bob", "12~4")
    assert await bob.line() == "17~Ada~1"
    await bob.ask("11~Ada~2", "11~2~1")
    assert await ada.line() == "18~Bob~0"
    await bob.ask("11~Ada~2", "11~2~0")
    await bob.ask("11~Ada~1", "11~1~0")
    await ada.ask("12~Bob", "12~4")
    assert await bob.line() == "17~Ada~1"
    await bob.ask("11~Ada~1", "11~1~1")
    assert await ada.lines(2) == ["16~Bob~1", "18~Bob~0"]
    await ada.ask("12~Bob", "12~1")
    await ada.ask("9~", "9~Bob")
    await ada.ask("13~Bob", "13~1")
    assert await bob.line() == "16~Ada~0"
    await ada.ask("13~Bob", "13~0")
    await bob.ask("12~Ada", "12~4")
    assert await ada.line() == "17~Bob~1"
    await ada.ask("12~Bob", "12~3")
    assert await bob.lines(2) == ["16~Ada~1", "18~Ada~0"]


# --- figures --------------------------------------------------------------------------------------------


async def test_statistics_and_ranking(house: House) -> None:
    ada, bob = await house.framed_pair()
    bob.send("30~Mb/end")
    await ada.until("30~Usurrend")
    await bob.until("30~Lwaw")
    ada.send("7~myStat")
    mine = await ada.lines(8)
    assert mine[0].startswith("7~0~Classic~1 0 0~16")
    assert mine[0].endswith(".00")
    assert mine[1:5] == [
        "7~1~Dark~0 0 0~1500.00",
        "7~2~Horde~0 0 0~1500.00",
        "7~3~Alice~0 0 0~1500.00",
        "7~4~RealTimeClassic~0 0 0~0.00",
    ]
    stranger = await house.framed()
    stranger.send("8~0")
    ranking = await stranger.lines(10)
    assert ranking == [f"8~{n}~---~- - -~-" for n in range(10)]  # it begins with five rated games
    await won_again(house, "classic", 4)
    stranger.send("8~0")
    ranking = await stranger.lines(10)
    assert ranking[0].startswith("8~0~Ada~5 0 0~")
    assert ranking[1].startswith("8~1~Bob~0 5 0~")
    assert ranking[2:] == [f"8~{n}~---~- - -~-" for n in range(2, 10)]
    stranger.send("8~7")
    assert await stranger.lines(10) == [f"8~{n}~---~- - -~-" for n in range(10)]


# --- the game -------------------------------------------------------------------------------------------


async def test_a_start_is_as_seen(house: House) -> None:
    ada, bob = await house.framed_member("Ada"), await house.framed()
    ada.send("4~0")
    await until(lambda: queued(house, "Ada"))
    bob.send("4~0")
    common = ["30~Ustart", f"30~B{START}", "30~T0", "30~T0", "30~C2700000", "30~T1"]
    assert await ada.lines(11) == ["4", "30~Fgarbage", "30~GClassic", "30~Xwhite", *common, "30~Agimme"]
    assert await bob.lines(10) == ["4", "30~Fgarbage", "30~GClassic", "30~Xblack", *common]


async def test_a_move_and_its_answer(house: House) -> None:
    ada, bob = await house.framed_pair()
    await ada.ask("30~MwE2E5", "30~Agimme")
    ada.send("30~MwE2E4")
    assert await ada.lines(4) == ["30~Lwaw", f"30~B{AFTER_E4}", "30~T1", "30~T2"]
    assert await bob.lines(4) == [f"30~B{AFTER_E4}", "30~T1", "30~T2", "30~Agimme"]
    bob.send("30~Mbe7e5")
    assert (await bob.lines(4))[::3] == ["30~Lwaw", "30~T3"]
    assert (await ada.lines(4))[1:] == ["30~T2", "30~T3", "30~Agimme"]


async def test_a_move_of_the_other_colour_is_no_move(house: House) -> None:
    ada, bob = await house.framed_pair()
    await ada.ask("30~MbE2E4", "30~Agimme")
    await ada.ask("30~MwE2E4q", "30~Agimme")
    await ada.ask("30~Mw", "30~Agimme")
    bob.send("30~Mw/end")
    await ada.ask("30~M", "30~Agimme")


async def test_mate_is_told_to_both_by_the_colour(house: House) -> None:
    ada, bob = await house.framed_pair()
    for client, other, move in ((ada, bob, "MwF2F3"), (bob, ada, "MbE7E5"), (ada, bob, "MwG2G4")):
        client.send(f"30~{move}")
        await client.skip(4)
        await other.skip(4)
    bob.send("30~MbD8H4")
    assert (await bob.lines(4))[::2] == ["30~Lwaw", "30~T4"]
    assert (await ada.lines(3))[1:] == ["30~T4", "30~Ublack"]
    await bob.ask("20~x", "20~stopChat")


async def test_alice_has_two_boards_each_time(house: House) -> None:
    ada, bob = await house.framed_member("Ada"), await house.framed_member("Bob")
    ada.send("4~3")
    await until(lambda: queued(house, "Ada"))
    bob.send("4~3")
    start = await ada.lines(14)
    assert start[2:7] == ["30~GAlice", "30~Xwhite", "30~Ustart", "30~Ualice", f"30~B1{START}"]
    assert start[7:] == ["30~T0", "30~B2!#", "30~T0", "30~T0", "30~C2700000", "30~T1", "30~Agimme"]
    await bob.skip(13)
    ada.send("30~MwE2E4")
    after = [f"30~B1{START.replace('pE2', '')}", "30~T1", "30~B2pE4!#", "30~T1", "30~T2"]
    assert await ada.lines(6) == ["30~Lwaw", *after]
    assert await bob.lines(6) == [*after, "30~Agimme"]


async def test_dark_shows_each_side_its_own(house: House) -> None:
    ada, bob = await house.framed_pair(1)
    ada.send("30~MwE2E4")
    own, theirs = AFTER_E4.rstrip("#").split("!")
    assert (await ada.lines(4))[1] == f"30~B{own}!#"
    assert (await bob.lines(4))[0] == f"30~B!{theirs}#"


async def test_a_promotion_asks_what_the_pawn_becomes(house: House) -> None:
    ada, bob = await house.framed_pair()
    for white, black in (("A2A4", "B7B5"), ("A4B5", "A7A6"), ("B5A6", "C8B7"), ("A6A7", "B7C6")):
        for client, other, move in ((ada, bob, f"Mw{white}"), (bob, ada, f"Mb{black}")):
            client.send(f"30~{move}")
            await client.skip(4)
            await other.skip(4)
    await ada.ask("30~MwA7B8", "30~Pplease")
    await ada.ask("30~Pk", "30~Pplease")
    ada.send("30~Ph")
    told = await ada.lines(4)
    assert told[0] == "30~Lwaw"
    assert "hB8" in told[1].split("!")[0]
    assert await bob.lines(3) == told[1:]


async def test_a_premove_is_silent_until_its_turn(house: House, clock: HandClock) -> None:
    ada, bob = await house.framed_pair()
    bob.send("30~MbE7E5", "20~x")
    assert await bob.line() == "20~stopChat"
    ada.send("30~MwE2E4")
    both = AFTER_E4.replace("pE7", "pE5")
    assert await bob.lines(3) == [f"30~B{AFTER_E4}", "30~T1", "30~T2"]
    await clock.advance(1)
    assert await bob.lines(5) == ["30~Dwaw", "30~Lwaw", f"30~B{both}", "30~T2", "30~T3"]
    assert (await ada.lines(8))[4:] == [f"30~B{both}", "30~T2", "30~T3", "30~Agimme"]


async def test_a_premove_that_cannot_be_played_or_was_cleared_leaves_the_turn(
    house: House, clock: HandClock
) -> None:
    ada, bob = await house.framed_pair()
    bob.send("30~MbD8D5")
    bob.send("20~x")
    assert await bob.line() == "20~stopChat"
    ada.send("30~MwE2E4")
    assert (await bob.lines(3))[2] == "30~T2"
    await clock.advance(1)
    assert await bob.line() == "30~Agimme"
    bob.send("30~MbE7E5")
    await bob.skip(4)
    await ada.skip(8)
    bob.send("30~MbD7D5", "30~Mb/del", "20~x")
    assert await bob.line() == "20~stopChat"
    ada.send("30~MwG1F3")
    assert (await bob.lines(4))[3] == "30~Agimme"


@pytest.mark.parametrize(("said", "told"), [("/end", "30~Usurrend"), ("/tim", "30~Utimeout")])
async def test_giving_up_is_told_to_the_winner_only(house: House, said: str, told: str) -> None:
    ada, bob = await house.framed_pair()
    await ada.ask(f"30~Mw{said}", "30~Lwaw")
    assert await bob.line() == told


async def test_ones_own_time_out_counts_in_ones_turn(house: House) -> None:
    ada, bob = await house.framed_pair()
    bob.send("30~Mb/tim", "20~x")
    assert await bob.line() == "20~stopChat"
    await ada.ask("30~MwE2E5", "30~Agimme")


async def test_the_clock_of_the_house_ends_the_game(house: House, clock: HandClock) -> None:
    ada, bob = await house.framed_pair()
    await clock.advance(600_000)
    assert await bob.line() == "30~Utimeout"
    assert await ada.line() == "30~Lwaw"


async def test_a_lost_connection_is_a_resignation_at_once(house: House) -> None:
    ada, bob = await house.framed_pair()
    ada.reset()
    assert await bob.line() == "30~Usurrend"
    again = await house.framed()
    await again.ask(f"2~Ada~{PASSWORD}", "2~1")
    await again.ask("20~x", "20~stopChat")


async def test_quitting_in_a_game_is_a_resignation(house: House) -> None:
    ada, bob = await house.framed_pair()
    ada.send("0~Quit")
    assert (await ada.closed())[0] == "0~Quit"
    assert await bob.line() == "30~Usurrend"


async def test_a_payload_too_long_is_a_resignation_in_a_game(house: House) -> None:
    ada, bob = await house.framed_pair()
    ada.send("3~Bob~" + "x" * 3_000)
    await ada.closed()
    assert await bob.line() == "30~Usurrend"


async def test_opponents_talk_by_name_without_being_friends(house: House) -> None:
    ada, bob = await house.framed_pair()
    ada.send("3~Bob~good luck")
    assert await ada.line() == "3~Ada~Bob~good luck"
    assert await bob.line() == "3~Ada~Ada~good luck"


@pytest.mark.parametrize("mode", ["4", "5", "6", "7", "8", "-1", "x", "", "99999999999"])
async def test_modes_that_are_not_played_are_answered_5(house: House, mode: str) -> None:
    client = await house.framed()
    await client.ask(f"4~{mode}", "5")


async def test_the_queue_is_left(house: House) -> None:
    ada = await house.framed_member("Ada")
    ada.send("4~0")
    await ada.ask("5~leaveQueue", "5")
    assert not await queued(house, "Ada")


@pytest.mark.parametrize(
    "payload", ["7~myStat", "9~", "10~", "11~Ada~1", "11~Ada~2", "12~Ada", "13~Ada", "14~", "15~Ada"]
)
@pytest.mark.parametrize("waits", [False, True])
async def test_who_has_not_signed_in_gets_nothing_of_what_is_for_members(
    house: House, payload: str, waits: bool
) -> None:
    await house.member("Ada")
    client = await house.framed()
    if waits:
        client.send("4~0")
    client.send(payload)
    await client.ask("20~x", "20~stopChat")


async def test_who_has_not_signed_in_may_use_some_codes(house: House) -> None:
    client = await house.framed()
    client.send("8~0")
    assert await client.lines(10) == [f"8~{n}~---~- - -~-" for n in range(10)]
    await client.ask("3~all~hello", "3~[Server]~all~sign in first")
    client.send("4~0")
    await client.ask("5~leaveQueue", "5")
    await client.ask("1~Ada~secret", "1~1")
    await client.ask("2~Ada~secret", "2~1")
    client.send("7~myStat")
    assert (await client.lines(8))[0] == "7~0~Classic~0 0 0~1500.00"


async def test_visitors_talk_in_their_game(house: House) -> None:
    one, two = await house.framed(), await house.framed()
    one.send("4~0")
    await until(lambda: len(house.door.present.here) == 1)
    two.send("4~0")
    await one.until("30~Agimme")
    await two.until("30~T1")
    names = [session.player.pseudo for session in house.door.present.here.values()]
    one.send(f"3~{names[1]}~good luck")
    assert await one.line() == f"3~{names[0]}~{names[1]}~good luck"
    assert await two.line() == f"3~{names[0]}~{names[0]}~good luck"


async def test_a_game_that_the_house_has_ended_is_a_stalemate_to_both(house: House) -> None:
    ada, bob = await house.framed_pair()
    [live] = house.tables.loaded.values()
    await house.tables.submit(live, CLOCK, Void("unattended"))
    assert await ada.line() == await bob.line() == "30~Ustalemate"
    ada.send("20~x")
    assert await ada.line() == "20~stopChat"


async def test_a_draw_of_another_kind_is_stalemate_too(house: House) -> None:
    ada, bob = await house.framed_pair()
    moves = ["MwG1F3", "MbG8F6", "MwF3G1", "MbF6G8"] * 4
    for ply, move in enumerate(moves[:-1]):
        mover, other = (ada, bob) if ply % 2 == 0 else (bob, ada)
        mover.send(f"30~{move}")
        await mover.skip(4)
        await other.skip(4)
    bob.send(f"30~{moves[-1]}")
    assert await bob.lines(4) == ["30~Lwaw", f"30~B{START}", "30~T16", "30~Ustalemate"]
    assert await ada.lines(3) == [f"30~B{START}", "30~T16", "30~Ustalemate"]
