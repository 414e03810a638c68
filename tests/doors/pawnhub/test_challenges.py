"""Challenges between friends, from any door to any other."""

from __future__ import annotations

import pytest
from tests.kit.pawnhub import House, Plain
from tests.kit.playing import play
from tests.kit.waiting import until

from tablee.clock import HandClock


async def friends(house: House) -> tuple[Plain, Plain]:
    """Two friends who are logged in."""
    await house.befriend("Ada", "Bob")
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    assert await ada.line() == "FRIEND Bob +online"
    return ada, bob


async def test_a_challenge_that_is_accepted_is_a_game_with_the_challenger_as_white(house: House) -> None:
    ada, bob = await friends(house)
    await bob.ask("CHALLENGE ada dark", "OK")
    assert await ada.line() == "OFFER GAME dark Bob"
    await ada.ask("ACCEPT bob", "OK")
    assert (await ada.lines(2))[1] == "0"
    game = await bob.lines(2)
    assert game[0].split()[2:] == ["dark", "Ada"]
    assert game[1] == "1"


async def test_a_challenge_that_is_refused_is_told_to_the_challenger(house: House) -> None:
    ada, bob = await friends(house)
    await ada.ask("CHALLENGE Bob classic", "OK")
    assert await bob.line() == "OFFER GAME classic Ada"
    await bob.ask("REFUSE Ada", "OK")
    assert await ada.line() == "OFFER REFUSED Bob"
    assert (await bob.ask("REFUSE Ada")).startswith("ERR nooffer ")
    assert (await bob.ask("ACCEPT Ada")).startswith("ERR nooffer ")


async def test_a_challenge_that_nobody_answers_counts_as_refused(house: House, clock: HandClock) -> None:
    ada, bob = await friends(house)
    await ada.ask("CHALLENGE Bob classic", "OK")
    assert await bob.line() == "OFFER GAME classic Ada"
    await clock.advance(310_000)
    assert await ada.line() == "OFFER REFUSED Bob"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("CHALLENGE", "syntax"),
        ("CHALLENGE Bob", "syntax"),
        ("CHALLENGE Bob checkers", "variant"),
        ("CHALLENGE nobody classic", "account_unknown"),
        ("CHALLENGE Eve classic", "challenge_not_friends"),
        ("CHALLENGE Ada classic", "not_yourself"),
        ("ACCEPT", "syntax"),
        ("ACCEPT Bob", "nooffer"),
        ("REFUSE ../evil", "account_unknown"),
    ],
)
async def test_what_cannot_be_challenged(house: House, line: str, code: str) -> None:
    await house.member("Eve")
    await house.befriend("Ada", "Bob")
    ada = await house.plain_member("Ada")
    assert (await ada.ask(line)).split()[:2] == ["ERR", code]


async def test_visitors_challenge_nobody(house: House) -> None:
    client = await house.plain()
    await client.ask("GUEST")
    for line in ("CHALLENGE Ada classic", "ACCEPT Ada", "REFUSE Ada"):
        assert (await client.ask(line)).startswith("ERR visitor ")


async def test_who_is_in_a_game_goes_on_to_the_next_when_it_is_over(house: House) -> None:
    await house.befriend("Ada", "Bob")
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    assert await ada.line() == "FRIEND Bob +online"
    await ada.ask("CHALLENGE Bob horde", "OK")
    assert await bob.line() == "OFFER GAME horde Ada"
    guest = await house.plain()
    await guest.ask("GUEST")
    await guest.ask("PLAY classic", "OK")
    await ada.ask("PLAY classic", "OK")
    await ada.skip(4)
    await bob.ask("ACCEPT Ada", "OK")
    await bob.skip(4)
    ada.send("RESIGN")
    assert (await ada.lines(3))[2].endswith("resigned")
    assert (await ada.line()).split()[2:] == ["horde", "Bob"]
    assert await ada.line() == "1"


async def test_a_challenge_of_somebody_in_the_page_is_accepted_here(house: House) -> None:
    await house.befriend("Ada", "Bob")
    ada = await house.plain_member("Ada")
    page, other = await house.member("Bob"), await house.member("Ada")
    await house.tables.challenges.challenge(page, other, "chess", "classic")
    assert await ada.line() == "OFFER GAME classic Bob"
    await ada.ask("ACCEPT Bob", "OK")
    assert (await ada.lines(2))[1] == "0"


async def test_a_challenge_is_accepted_in_the_page(house: House) -> None:
    await house.befriend("Ada", "Bob")
    ada = await house.plain_member("Ada")
    await ada.ask("CHALLENGE Bob classic", "OK")
    bob = await house.member("Bob")
    (offer,) = await house.tables.challenges.of(bob.id)
    table = await house.tables.challenges.accept(bob, offer.id)
    assert await ada.line() == f"GAME {table.id} classic Bob"
    await ada.skip(3)
    await play(house.tables, table.id, 1, {"do": "move", "move": "e2e4"})
    assert (await ada.lines(3))[1:] == ["False", "2"]
    await play(house.tables, table.id, 2, {"do": "move", "move": "e7e5"})
    assert (await ada.lines(3))[1:] == ["False", "3"]


async def test_a_takeback_that_is_asked_for_in_the_page_is_declined(house: House) -> None:
    ada, bob = await house.plain_pair()
    await ada.move("E2E4", bob)
    bob_account = await house.member("Bob")
    (info,) = await house.tables.lobby.of_account(bob_account.id)
    await bob.move("E7E5", ada)
    await play(house.tables, info.id, 2, {"do": "ask_takeback"})
    live = await house.tables.open(info.id)
    await until(lambda: live.view(2).takeback is None)
    await ada.move("D2D4", bob)


async def test_in_frames_a_challenge_is_a_word_of_the_server(house: House) -> None:
    await house.befriend("Ada", "Bob")
    bob, ada = await house.framed_member("Bob"), await house.plain_member("Ada")
    await ada.ask("CHALLENGE Bob alice", "OK")
    assert await bob.line() == "3~[Server]~Ada~Ada offers a game of Alice"
