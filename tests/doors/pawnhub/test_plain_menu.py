"""The menu of the plain dialect, word by word."""

from __future__ import annotations

import pytest
from tests.kit.pawnhub import PASSWORD, House
from tests.kit.waiting import until

from tablee.rules.contract import Result
from tablee.store import Unit

# --- who one is -----------------------------------------------------------------------------------------


async def test_signing_up_logs_in(house: House) -> None:
    ada = await house.plain()
    await ada.ask("SIGNUP Ada secret", "OK")
    assert await ada.listing("FRIENDS") == []
    assert (await house.club.accounts.sign_in("ada", "secret")).pseudo == "Ada"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("SIGNUP", "syntax"),
        ("SIGNUP Ada", "syntax"),
        ("SIGNUP Ada two words", "syntax"),
        ("SIGNUP ../evil secret", "pseudo_characters"),
        ("SIGNUP .. secret", "pseudo_reserved"),
        ("SIGNUP all secret", "pseudo_reserved"),
        ("SIGNUP server secret", "pseudo_reserved"),
        ("SIGNUP Ad|a secret", "pseudo_characters"),
        ("SIGNUP " + "a" * 31 + " secret", "pseudo_too_long"),
        ("SIGNUP Ada " + "x" * 129, "password_too_long"),
        ("SIGNUP taken secret", "pseudo_taken"),
        ("LOGIN", "syntax"),
        ("LOGIN nobody secret", "account_unknown"),
        ("LOGIN ../evil secret", "account_unknown"),
        ("LOGIN Taken wrong", "password"),
        ("LOGOUT", "login"),
        ("PLAY classic", "login"),
        ("FRIENDS", "login"),
        ("CHAT ALL hello", "login"),
        ("RULES checkers", "variant"),
        ("RANKING", "variant"),
        ("QUIET maybe", "syntax"),
        ("RESIGN", "nogame"),
        ("DRAW", "nogame"),
        ("E2E4", "unknown"),
        ("\x00", "unknown"),
    ],
)
async def test_what_cannot_be_is_an_error_with_its_code(house: House, line: str, code: str) -> None:
    await house.member("taken")
    client = await house.plain()
    assert (await client.ask(line)).split()[:2] == ["ERR", code]
    await client.ask("SIGNUP Somebody secret", "OK")


async def test_a_second_login_of_one_account_is_refused(house: House) -> None:
    first = await house.plain_member("Ada")
    second = await house.plain()
    assert await second.ask(f"LOGIN ada {PASSWORD}") == "ERR connected Ada is connected already"
    third = await house.framed()
    await third.ask(f"2~Ada~{PASSWORD}", "2~3")
    await first.ask("LOGOUT", "OK")
    await second.ask(f"LOGIN Ada {PASSWORD}", "OK")
    assert (await second.ask(f"LOGIN Ada {PASSWORD}")).startswith("ERR connected ")


async def test_who_has_gone_may_come_again_at_once(house: House) -> None:
    for _ in range(5):
        client = await house.plain_member("Ada")
        client.close()
        await until(lambda: not house.door.present.here)


async def test_a_visitor_who_signs_up_keeps_his_account(house: House) -> None:
    client = await house.plain()
    name = (await client.ask("GUEST")).removeprefix("OK ")
    visitor = await house.club.accounts.by_pseudo(name)
    assert await client.ask("GUEST") == f"OK {name}"
    await client.ask("SIGNUP Ada secret", "OK")
    assert (await house.club.accounts.by_pseudo("Ada")).id == visitor.id
    assert len(await client.listing("STATS")) == 4
    assert (await client.ask("GUEST")).startswith("ERR already ")


@pytest.mark.parametrize(
    "line",
    ["CHAT ALL hello", "CHAT @Ada hello", "FRIENDS", "REQUESTS", "ADD Ada", "REMOVE Ada", "STATS"],
)
async def test_what_visitors_may_not_do(house: House, line: str) -> None:
    await house.member("Ada")
    client = await house.plain()
    await client.ask("GUEST")
    assert (await client.ask(line)).startswith("ERR visitor ")


async def test_somebody_banned_is_sent_away(house: House) -> None:
    ada = await house.plain_member("Ada")
    chief = await house.club.accounts.create_super("chief", PASSWORD)
    await house.club.roles.ban(chief, await house.member("Ada"), until=house.clock.now() + 1_000_000)
    assert (await ada.closed())[0].startswith("ERR banned ")
    again = await house.plain()
    assert (await again.ask(f"LOGIN Ada {PASSWORD}")).startswith("ERR banned ")


# --- talk -----------------------------------------------------------------------------------------------


async def test_what_is_said_to_all_comes_to_every_member_the_sender_included(house: House) -> None:
    ada, bob, guest = await house.plain_member("Ada"), await house.plain_member("Bob"), await house.plain()
    await guest.ask("GUEST")
    ada.send("CHAT ALL bonjour   à tous\x07!")
    for client in (ada, bob):
        assert await client.line() == "MSG ALL Ada bonjour   à tous !"
    assert (await guest.ask("CHAT GAME hello")).startswith("ERR nogame ")


async def test_friends_talk_in_private_and_nobody_else_does(house: House) -> None:
    await house.befriend("Ada", "Bob")
    ada, bob, eve = [await house.plain_member(name) for name in ("Ada", "Bob", "Eve")]
    assert await ada.line() == "FRIEND Bob +online"
    ada.send("CHAT @bob psst")
    assert await ada.line() == "MSG @Bob Ada psst"
    assert await bob.line() == "MSG @Ada Ada psst"
    assert await eve.ask("CHAT @Ada hello") == "ERR notfriend Ada is not a friend"
    assert (await eve.ask("CHAT @nobody hello")).startswith("ERR account_unknown ")
    for line in ("CHAT", "CHAT ALL", "CHAT @ hello", "CHAT there hello"):
        assert (await eve.ask(line)).startswith("ERR syntax ")


async def test_whom_one_has_blocked_one_does_not_hear(house: House) -> None:
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    await house.club.blocks.block(await house.member("Ada"), await house.member("Bob"))
    await until(
        lambda: all(s.talk.blocked for s in house.door.present.here.values() if s.member.pseudo == "Ada")
    )
    bob.send("CHAT ALL hello")
    assert await bob.line() == "MSG ALL Bob hello"
    ada.send("CHAT ALL anybody?")
    assert await ada.line() == "MSG ALL Ada anybody?"


async def test_who_talks_too_much_is_told_to_wait(house: House) -> None:
    ada = await house.plain_member("Ada")
    ada.send(*[f"CHAT ALL {n}" for n in range(16)])
    assert [(await ada.line()).split()[0] for _ in range(16)] == ["MSG"] * 15 + ["ERR"]


# --- friends --------------------------------------------------------------------------------------------


async def test_friendship_from_the_request_to_its_end(house: House) -> None:
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    await ada.ask("ADD bob", "OK")
    assert await bob.line() == "FRIEND Ada +request"
    assert await ada.listing("REQUESTS") == ["REQUEST Bob out"]
    assert await bob.listing("REQUESTS") == ["REQUEST Ada in"]
    assert (await ada.ask("ADD Bob")).startswith("ERR friend_asked_already ")
    await bob.ask("ADD Ada", "OK")
    assert await ada.line() == "FRIEND Bob +friend"
    assert await ada.listing("FRIENDS") == ["FRIEND Bob online"]
    await bob.ask("LOGOUT", "OK")
    assert await ada.line() == "FRIEND Bob -online"
    assert await ada.listing("FRIENDS") == ["FRIEND Bob offline"]
    await bob.ask(f"LOGIN Bob {PASSWORD}", "OK")
    assert await ada.line() == "FRIEND Bob +online"
    await bob.ask("REMOVE ada", "OK")
    assert await ada.line() == "FRIEND Bob -friend"
    assert await ada.listing("FRIENDS") == []
    assert (await ada.ask("REMOVE Bob")).startswith("ERR notfriend ")


async def test_a_request_is_refused_or_called_off_by_remove(house: House) -> None:
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    for client in (bob, ada):
        await ada.ask("ADD Bob", "OK")
        assert await bob.line() == "FRIEND Ada +request"
        await client.ask("REMOVE Ada" if client is bob else "REMOVE Bob", "OK")
        assert await ada.listing("REQUESTS") == []
    assert (await ada.ask("ADD Ada")).startswith("ERR not_yourself ")


async def test_a_friend_in_the_page_is_online(house: House) -> None:
    await house.befriend("Ada", "Bob")
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    assert await ada.line() == "FRIEND Bob +online"
    assert await bob.listing("FRIENDS") == ["FRIEND Ada online"]


async def test_a_friend_who_hides_his_visits_is_offline_to_all(house: House) -> None:
    await house.befriend("Ada", "Bob")
    bob = await house.club.accounts.by_pseudo("Bob")
    await house.club.accounts.change(bob, settings={"hide_seen": True})
    ada, other = await house.plain_member("Ada"), await house.plain_member("Bob")
    assert await other.listing("FRIENDS") == ["FRIEND Ada online"]
    assert await ada.listing("FRIENDS") == ["FRIEND Bob offline"]  # and no line came before it


# --- figures --------------------------------------------------------------------------------------------


async def won_again(house: House, variant: str, times: int) -> None:
    """Ada has beaten Bob so many times more."""
    ids = [(await house.club.accounts.by_pseudo(name)).id for name in ("Ada", "Bob")]
    result = Result(ranks={1: 1, 2: 2}, reason="mate")
    for _ in range(times):
        seats = dict(enumerate(ids, 1))
        writes = await house.club.ratings.after_game(result, seats, "chess", variant)
        await house.club.store.commit(Unit(writes=writes))


async def test_the_ranking_begins_with_five_rated_games(house: House) -> None:
    ada, bob = await house.plain_pair("horde")
    assert await ada.listing("RANKING horde") == []
    await won_again(house, "horde", 4)
    assert await ada.listing("RANKING horde") == []
    bob.send("RESIGN")
    await ada.skip(3)
    await bob.skip(3)
    ranking = await ada.listing("RANKING horde")
    assert [line.split()[:3] for line in ranking] == [["RANK", "1", "Ada"], ["RANK", "2", "Bob"]]
    assert await ada.listing("RANKING ALL") == ranking
    assert await ada.listing("RANKING classic") == []


@pytest.mark.parametrize("variant", ["classic", "alice", "dark", "horde"])
async def test_the_rules_of_a_variant_are_lines_of_text(house: House, variant: str) -> None:
    client = await house.plain()
    french = await client.listing(f"RULES {variant}")
    assert len(french) >= 5
    assert all(line and line != "END" for line in french)
    ada = await house.plain_member("Ada")
    await house.club.accounts.change(await house.member("Ada"), language="en")
    await until(lambda: all(s.member.language == "en" for s in house.door.present.here.values()))
    english = await ada.listing(f"RULES {variant}")
    assert len(english) == len(french)
    assert english != french


# --- robots and details ---------------------------------------------------------------------------------


async def test_a_robot_is_played_and_moves_are_told_in_letters(house: House) -> None:
    ada = await house.plain_member("Ada")
    await ada.ask("DETAILS perhaps", "ERR syntax DETAILS on or DETAILS off")
    await ada.ask("DETAILS on", "OK")
    assert (await ada.ask("ROBOT classic titan")).startswith("ERR robot")
    await ada.ask("ROBOT classic beginner", "OK")
    assert (await ada.line()).startswith("GAME ")
    is_white = await ada.line() == "1"
    await ada.skip(1)
    assert await ada.line() == "1"
    if is_white:
        ada.send("E2E4")
        assert await ada.lines(2) == ["True", "SAN 1 e4"]
    else:
        assert (await ada.line()).startswith("SAN 1 ")


async def test_who_asked_for_details_is_told_the_clocks(house: House) -> None:
    ada, bob = await house.plain_member("Ada"), await house.plain_member("Bob")
    await ada.ask("DETAILS on", "OK")
    for client in (ada, bob):
        await client.ask("PLAY classic", "OK")
    await ada.skip(4)
    assert await ada.line() == "CLOCK 2700000 2700000"
