"""A game in the plain dialect: exactly the document's chapter 6.5."""

from __future__ import annotations

import pytest
from tests.kit.pawnhub import PASSWORD, House, Plain
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.rules.contract import CLOCK
from tablee.tables.codec import Void

START = "rA1pA2hB1pB2bC1pC2qD1pD2kE1pE2bF1pF2hG1pG2rH1pH2!pA7rA8pB7hB8pC7bC8pD7qD8pE7kE8pF7bF8pG7hG8pH7rH8#"


async def test_a_game_begins_with_game_colour_board_and_turn(house: House) -> None:
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    await ada.ask("PLAY classic", "OK")
    await bob.ask("PLAY classic", "OK")
    first, second = await ada.lines(4), await bob.lines(4)
    number = first[0].split()[1]
    assert first == [f"GAME {number} classic Bob", "1", START, "1"]
    assert second == [f"GAME {number} classic Ada", "0", START, "1"]
    assert len(START) == 98


async def test_a_move_is_answered_true_then_board_state_and_turn_come_to_both(house: House) -> None:
    ada, bob = await house.plain_pair()
    after = START.replace("pE2", "pE4")
    ada.send("E2E4")
    assert await ada.lines(4) == ["True", after, "False", "2"]
    assert await bob.lines(3) == [after, "False", "2"]
    bob.send("e7e5")
    after = after.replace("pE7", "pE5")
    assert await bob.lines(4) == ["True", after, "False", "3"]
    assert await ada.lines(3) == [after, "False", "3"]


@pytest.mark.parametrize(
    "text", ["E2E5", "E7E5", "E2", "E2E4q", "E2E4E", "Z9Z9", "hello", "e2 e4", "0000", "E2E4n", "É2É4"]
)
async def test_what_is_no_legal_move_is_answered_false_until_one_is(house: House, text: str) -> None:
    ada, bob = await house.plain_pair()
    await ada.ask(text, "False")
    await ada.move("E2E4", bob)


async def test_bytes_that_are_no_text_are_false_to_the_mover_and_an_error_elsewhere(house: House) -> None:
    ada, bob = await house.plain_pair()
    ada.send_raw(b"\xff\xfe\n")
    assert await ada.line() == "False"
    bob.send_raw(b"\xff\xfe\n")
    assert (await bob.line()).startswith("ERR ")


async def test_who_is_not_to_move_is_told_so_and_empty_lines_are_ignored(house: House) -> None:
    ada, bob = await house.plain_pair()
    bob.send("", "   ")
    await bob.ask("E7E5", "ERR turn not your turn")
    ada.send("", "\r")
    await ada.move("E2E4", bob)


async def test_a_mate_ends_the_game_with_its_result(house: House) -> None:
    ada, bob = await house.plain_pair()
    await ada.move("F2F3", bob)
    await bob.move("E7E5", ada)
    await ada.move("G2G4", bob)
    bob.send("D8H4")
    assert await bob.line() == "True"
    last = await bob.lines(3)
    assert last == await ada.lines(3)
    assert last[1:] == ["True", "BLACK mate"]
    assert "qH4" in last[0]
    await ada.ask("E2E4", "ERR unknown this is no command: RULES, LOGIN, GUEST, PLAY …")
    assert await ada.listing("STATS") == [
        "STAT classic 1 0 1 0 1342",
        "STAT alice 0 0 0 0 1500",
        "STAT dark 0 0 0 0 1500",
        "STAT horde 0 0 0 0 1500",
    ]


@pytest.mark.parametrize(("sent", "piece"), [("a7b8", "q"), ("A7B8R", "r"), ("a7b8h", "h"), ("a7b8B", "b")])
async def test_a_pawn_becomes_what_is_said_and_a_queen_otherwise(house: House, sent: str, piece: str) -> None:
    ada, bob = await house.plain_pair()
    for white, black in (("A2A4", "B7B5"), ("A4B5", "A7A6"), ("B5A6", "C8B7"), ("A6A7", "B7C6")):
        await ada.move(white, bob)
        await bob.move(black, ada)
    ada.send(sent)
    assert await ada.line() == "True"
    assert f"{piece}B8" in (await ada.line()).split("!")[0]


async def test_resigning_gives_the_board_true_and_the_result_to_both(house: House) -> None:
    ada, bob = await house.plain_pair()
    bob.send("RESIGN")
    for client in (ada, bob):
        assert await client.lines(3) == [START, "True", "WHITE resigned"]
    await ada.ask("RESIGN", "ERR nogame you are in no game")
    await bob.ask("DRAW", "ERR nogame you are in no game")


async def test_a_draw_is_offered_and_accepted_by_the_same_word(house: House) -> None:
    ada, bob = await house.plain_pair()
    ada.send("DRAW")
    assert await bob.line() == "OFFER DRAW"
    bob.send("draw")
    for client in (ada, bob):
        assert await client.lines(3) == [START, "True", "DRAW agreement"]


async def test_a_move_declines_a_draw(house: House) -> None:
    ada, bob = await house.plain_pair()
    await ada.move("E2E4", bob)
    ada.send("DRAW")
    assert await bob.line() == "OFFER DRAW"
    await bob.move("E7E5", ada)
    bob.send("DRAW")
    assert await ada.line() == "OFFER DRAW"
    assert (await bob.ask("DRAW")).startswith("ERR offered_already ")


async def test_alice_sends_two_boards(house: House) -> None:
    ada, bob = await house.plain_pair("alice")
    ada.send("E2E4")
    assert await ada.lines(5) == ["True", START.replace("pE2", ""), "pE4!#", "False", "2"]
    assert await bob.lines(4) == [START.replace("pE2", ""), "pE4!#", "False", "2"]


async def test_dark_sends_each_side_its_own_view(house: House) -> None:
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    await ada.ask("PLAY dark", "OK")
    await bob.ask("PLAY dark", "OK")
    own, theirs = START.rstrip("#").split("!")
    assert (await ada.lines(4))[1:] == ["1", f"{own}!#", "1"]
    assert (await bob.lines(4))[1:] == ["0", f"!{theirs}#", "1"]
    ada.send("E2E4")
    assert (await ada.lines(2))[1] == f"{own.replace('pE2', 'pE4')}!#"
    assert await bob.line() == f"!{theirs}#"


async def test_the_last_board_of_dark_is_still_ones_own_view(house: House) -> None:
    ada, bob = await house.plain_pair("dark")
    ada.send("RESIGN")
    assert (await bob.lines(3))[0].startswith("!pA7")
    assert (await ada.line()).endswith("!#")


async def test_horde_has_its_thirty_two_pawns(house: House) -> None:
    ada = await house.plain_member("Ada")
    bob = await house.plain_member("Bob")
    await ada.ask("PLAY horde", "OK")
    await bob.ask("PLAY horde", "OK")
    board = (await ada.lines(3))[2]
    assert board.split("!")[1].count("p") == 32


async def test_time_ends_the_game_for_both(house: House, clock: HandClock) -> None:
    ada, bob = await house.plain_pair()
    await clock.advance(600_000)
    for client in (ada, bob):
        assert await client.lines(3) == [START, "True", "BLACK turn_time"]


async def test_a_game_goes_on_after_a_lost_connection(house: House, clock: HandClock) -> None:
    ada, bob = await house.plain_pair()
    await ada.move("E2E4", bob)
    bob.reset()
    assert await ada.line() == "MSG GAME server Bob has lost the connection"
    await clock.advance(30_000)
    again = await house.plain()
    await again.ask(f"LOGIN Bob {PASSWORD}", "OK")
    game = await again.lines(4)
    assert game[0].split()[2:] == ["classic", "Ada"]
    assert game[1:] == ["0", START.replace("pE2", "pE4"), "2"]
    assert await ada.line() == "MSG GAME server Bob is back"
    await again.move("E7E5", ada)
    await clock.advance(90_000)
    await ada.move("D2D4", again)


async def test_who_stays_away_for_a_minute_has_lost(house: House, clock: HandClock) -> None:
    ada, bob = await house.plain_pair()
    bob.reset()
    assert await ada.line() == "MSG GAME server Bob has lost the connection"
    await clock.advance(60_000)
    assert await ada.lines(3) == [START, "True", "WHITE absent"]
    again = await house.plain()
    await again.ask(f"LOGIN Bob {PASSWORD}", "OK")
    await again.ask("LEAVE", "OK")


async def test_a_connection_lost_while_the_opponent_is_found_counts_as_lost(
    house: House, clock: HandClock
) -> None:
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    await ada.ask("PLAY classic", "OK")
    bob.send("PLAY classic")
    bob.close()
    line = await ada.line()
    if line.startswith("GAME"):  # else he had left the queue in time
        await ada.skip(3)
        assert await ada.line() == "MSG GAME server Bob has lost the connection"


async def test_quiet_holds_back_what_is_not_the_game(house: House) -> None:
    ada, bob = await house.plain_pair()
    await ada.ask("QUIET on", "OK")
    bob.send("CHAT GAME hello", "DRAW", "CHAT ALL everybody")
    assert await bob.lines(2) == ["MSG GAME Bob hello", "MSG ALL Bob everybody"]
    ada.send("CHAT GAME ssh", "FRIENDS")
    assert await ada.line() == "END"
    await ada.move("E2E4", _but_messages(bob))
    await bob.ask("nonsense", "False")
    ada.send("E2E4")
    bob.send("RESIGN")
    board = START.replace("pE2", "pE4")
    assert await ada.lines(3) == [board, "True", "WHITE resigned"]
    assert await ada.lines(5) == [
        "MSG GAME Bob hello",
        "OFFER DRAW",
        "MSG ALL Bob everybody",
        "MSG GAME Ada ssh",
        "ERR turn not your turn",
    ]


async def test_quiet_off_lets_go_of_what_was_held_back(house: House) -> None:
    ada, bob = await house.plain_pair()
    await ada.ask("quiet ON", "OK")
    bob.send("CHAT GAME hello")
    assert await bob.line() == "MSG GAME Bob hello"
    await ada.ask("QUIET off", "OK")
    assert await ada.line() == "MSG GAME Bob hello"
    await ada.move("E2E4", bob)


async def test_the_kings_capture_in_the_dark_is_a_result_like_any_other(house: House) -> None:
    ada, bob = await house.plain_pair("dark")
    for white, black in (("E2E4", "F7F6"), ("D1H5", "A7A6")):
        await ada.move(white, bob)
        await bob.move(black, ada)
    ada.send("H5E8")
    assert await ada.line() == "True"
    seen = await ada.lines(3)
    assert seen[1:] == ["True", "WHITE king_taken"]
    lost = await bob.lines(3)
    assert lost[1:] == ["True", "WHITE king_taken"]
    assert "qE8" in seen[0].split("!")[0]
    assert "kE8" not in lost[0]
    assert "rA1" not in lost[0], "the last board of Dark is still one's own view"


def _but_messages(client: Plain) -> Plain:
    """The same client, whose chat lines are skipped."""

    class Deaf(Plain):
        async def _next(self) -> str:
            while True:
                line = await super()._next()
                if not line.startswith("MSG "):
                    return line

    return Deaf(client.reader, client.writer)


async def test_commands_work_in_a_game_and_those_of_the_menu_are_refused(house: House) -> None:
    ada, bob = await house.plain_pair()
    assert (await ada.listing("RULES dark"))[0] == "Échecs sombres"
    for line in ("PLAY classic", "LOGOUT", "LEAVE", "LOGIN Ada x"):
        assert (await ada.ask(line)).startswith("ERR playing ")
    await ada.move("E2E4", bob)


async def test_a_visitor_plays_and_talks_in_the_game(house: House) -> None:
    one, other = await house.plain(), await house.plain()
    names = [(await client.ask("GUEST")).removeprefix("OK ") for client in (one, other)]
    assert all(name.startswith("Visiteur-") for name in names)
    for client in (one, other):
        await client.ask("PLAY horde", "OK")
    await one.skip(4)
    await other.skip(4)
    one.send("CHAT GAME salut à\ttous")
    for client in (one, other):
        assert await client.line() == f"MSG GAME {names[0]} salut à tous"
    await one.move("E2E3", other)


async def test_one_leaves_the_queue_and_the_first_in_it_is_white(house: House, clock: HandClock) -> None:
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    await ada.ask("PLAY classic", "OK")
    await ada.ask("LEAVE", "OK")
    await bob.ask("PLAY classic", "OK")
    await clock.advance(1)
    await ada.ask("PLAY dark", "OK")
    await ada.ask("PLAY classic", "OK")
    assert (await bob.line()).endswith("classic Ada")
    assert await bob.line() == "1"


async def test_who_disconnects_waits_no_longer(house: House) -> None:
    ada = await house.plain_member("Ada")
    await ada.ask("PLAY classic", "OK")
    account = await house.member("Ada")
    ada.close()

    async def is_out() -> bool:
        return await house.tables.matchmaking.waiting(account.id) is None and house.door.present.here == {}

    await until(is_out)


async def test_a_game_that_the_house_has_ended_is_over_without_a_winner(house: House) -> None:
    ada, bob = await house.plain_pair()
    await ada.move("E2E4", bob)
    [live] = house.tables.loaded.values()
    await house.tables.submit(live, CLOCK, Void("deserted"))
    board = START.replace("pE2", "pE4")
    assert await ada.lines(3) == await bob.lines(3) == [board, "True", "DRAW deserted"]
    await ada.ask("E7E5", "ERR unknown this is no command: RULES, LOGIN, GUEST, PLAY …")
    await ada.ask("PLAY classic", "OK")
