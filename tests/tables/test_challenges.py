"""Challenges between friends, and rematches."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Take

from tablee.clock import HandClock
from tablee.club import Account, ClubError, Refused
from tablee.rules.chess.rules import ChessRules
from tablee.tables import BadOptions, NoSuchChallenge, NoSuchGame, TablePlan, Wish
from tablee.tables.challenges import LASTS, LASTS_BY_DAYS, SHOWN_AFTER
from tablee.tables.clocks import Budget, Days

GAMES: dict[tuple[str, str], Any] = {
    ("chess", variant): ChessRules(variant) for variant in ("classic", "dark")
}


@pytest.fixture
async def node(open_node: Opener) -> Node:
    from tests.tables.conftest import GAMES as OTHERS

    return await open_node(games={**OTHERS, **GAMES})


async def member(node: Node, name: str) -> Account:
    return await node.club.accounts.create(name, "un bon mot de passe")


async def friends(node: Node, one: str = "Lea", other: str = "Max") -> tuple[Account, Account]:
    lea, max_ = await member(node, one), await member(node, other)
    await node.club.friends.ask(lea, max_)
    await node.club.friends.accept(max_, lea)
    return lea, max_


async def refused(asking: Any, code: str) -> None:
    with pytest.raises(ClubError) as refusal:
        await asking
    assert refusal.value.code == code


async def test_the_challenger_is_white_at_a_running_table(node: Node) -> None:
    lea, max_ = await friends(node)
    heard: list[tuple[Any, Any]] = []
    node.store.bus.subscribe("challenge", lambda who, what: heard.append((who, what)))
    matched: dict[int, int] = {}
    node.store.bus.subscribe("matched", lambda who, table: matched.update({int(who): int(table)}))
    asked = await node.tables.challenges.challenge(lea, max_, "chess", "classic")
    assert await node.tables.challenges.between(lea.id, max_.id) == asked
    assert asked.time_control == Budget(2700)
    info = await node.tables.challenges.accept(max_, asked.id)
    assert (info.status, info.rated, [t.account_id for t in info.seats]) == (
        "running",
        True,
        [lea.id, max_.id],
    )
    live = await node.tables.open(info.id)
    assert live.view(1).you == "white"
    assert matched == {lea.id: info.id, max_.id: info.id}
    assert heard == [
        (lea.id, f"+sent:{asked.id}"),
        (max_.id, f"+received:{asked.id}"),
        (lea.id, f"accepted:{asked.id}"),
        (max_.id, f"accepted:{asked.id}"),
    ]
    for who in (lea, max_):
        [after] = await node.tables.challenges.of(who.id)
        assert (after.status, after.table_id) == ("accepted", info.id)
    notices = [(n.kind, n.read_at is not None) for n in await node.club.notices.list(max_.id)]
    assert notices[0] == ("challenge", True)
    assert (await node.club.notices.list(lea.id))[0].kind == "challenge_accepted"


async def test_a_challenge_is_answered_once_and_by_the_right_one(node: Node) -> None:
    lea, max_ = await friends(node)
    nora = await member(node, "Nora")
    challenges = node.tables.challenges
    asked = await challenges.challenge(lea, max_, "nim", "plain")
    for who in (lea, nora):
        await refused(challenges.accept(who, asked.id), "no_such_challenge")
        await refused(challenges.refuse(who, asked.id), "no_such_challenge")
    for who in (max_, nora):
        await refused(challenges.cancel(who, asked.id), "no_such_challenge")
    await refused(challenges.challenge(lea, max_, "nim", "plain"), "challenged_already")
    await refused(challenges.challenge(max_, lea, "nim", "plain"), "challenged_by_them")
    answers = await asyncio.gather(
        *(challenges.accept(max_, asked.id) for _ in range(3)), return_exceptions=True
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["HouseTable"] + ["NoSuchChallenge"] * 2
    assert len(await node.tables.lobby.of_account(lea.id)) == 1
    await refused(challenges.refuse(max_, asked.id), "no_such_challenge")
    await refused(challenges.accept(max_, 4711), "no_such_challenge")


async def test_refused_and_called_off_ones_leave_room_for_another(node: Node) -> None:
    lea, max_ = await friends(node)
    challenges = node.tables.challenges
    first = await challenges.challenge(lea, max_, "nim", "plain")
    await challenges.refuse(max_, first.id)
    assert (await node.club.notices.list(lea.id))[0].kind == "challenge_refused"
    second = await challenges.challenge(lea, max_, "nim", "plain")
    await challenges.cancel(lea, second.id)
    await refused(challenges.accept(max_, second.id), "no_such_challenge")
    third = await challenges.challenge(max_, lea, "nim", "plain")
    assert [(c.id, c.status) for c in await challenges.of(lea.id)] == [
        (third.id, "open"),
        (second.id, "cancelled"),
        (first.id, "refused"),
    ]


async def test_one_challenges_friends_alone_and_nobody_who_blocks(node: Node) -> None:
    lea, max_ = await friends(node)
    nora, visitor = await member(node, "Nora"), await node.club.accounts.create_visitor()
    challenge = node.tables.challenges.challenge
    await refused(challenge(lea, nora, "nim", "plain"), "challenge_not_friends")
    await refused(challenge(lea, lea, "nim", "plain"), "not_yourself")
    for one, other in ((lea, visitor), (visitor, lea)):
        await refused(challenge(one, other, "nim", "plain"), "members_only")
    asked = await challenge(lea, max_, "nim", "plain")
    await node.club.friends.remove(max_, lea)
    await refused(node.tables.challenges.accept(max_, asked.id), "challenge_not_friends")
    await node.club.blocks.block(max_, lea)
    await refused(challenge(lea, max_, "nim", "plain"), "blocked")
    with pytest.raises(Refused):
        await node.tables.challenges.accept(max_, asked.id)
    assert await node.tables.lobby.of_account(max_.id) == []


async def test_a_challenge_to_what_cannot_be_played_is_refused(node: Node) -> None:
    lea, max_ = await friends(node)
    challenge = node.tables.challenges.challenge
    with pytest.raises(NoSuchGame):
        await challenge(lea, max_, "chess", "atomic")
    with pytest.raises(BadOptions):
        await challenge(lea, max_, "chess", "classic", {"sides": "both"})
    with pytest.raises(BadOptions):
        await challenge(lea, max_, "chess", "classic", {}, {"kind": "budget", "seconds": 0})
    with pytest.raises(BadOptions, match="without clocks"):
        await challenge(lea, max_, "mines", "classic", {}, {"kind": "budget", "seconds": 60})
    assert await node.tables.challenges.of(lea.id) == []


async def test_an_unanswered_challenge_expires_and_is_told_to_both(node: Node, clock: HandClock) -> None:
    lea, max_ = await friends(node)
    challenges = node.tables.challenges
    asked = await challenges.challenge(lea, max_, "nim", "plain")
    told: list[tuple[Any, Any]] = []
    node.store.bus.subscribe("challenge", lambda who, what: told.append((who, what)))
    await clock.advance(LASTS)
    await refused(challenges.accept(max_, asked.id), "no_such_challenge")
    for _ in range(40):
        await clock.advance(500)
        await asyncio.sleep(0.003)
    await until(lambda: len(told) == 2)
    assert told == [(lea.id, f"expired:{asked.id}"), (max_.id, f"expired:{asked.id}")]
    assert [c.status for c in await challenges.of(max_.id)] == ["expired"]
    again = await challenges.challenge(lea, max_, "nim", "plain")
    assert again.id != asked.id
    await clock.advance(SHOWN_AFTER)
    assert asked.id not in [c.id for c in await challenges.of(max_.id)]


async def test_a_game_by_days_may_be_answered_for_a_week_and_forfeits_nobody_for_an_absence(
    node: Node, clock: HandClock
) -> None:
    lea, max_ = await friends(node)
    asked = await node.tables.challenges.challenge(lea, max_, "chess", "classic", {}, Days(3))
    assert asked.expires_at - asked.at == LASTS_BY_DAYS
    info = await node.tables.challenges.accept(max_, asked.id)
    assert info.options["pace"] == "days"


async def test_who_accepts_waits_in_the_queue_no_longer(node: Node) -> None:
    lea, max_ = await friends(node)
    await node.tables.matchmaking.enter(lea.id, "nim", "plain", Wish(options={"matches": 5}))
    asked = await node.tables.challenges.challenge(lea, max_, "nim", "plain")
    await node.tables.challenges.accept(max_, asked.id)
    assert await node.tables.matchmaking.waiting(lea.id) is None


async def test_a_challenge_on_one_node_is_accepted_once_on_two_others(
    postgres_url: str, open_node: Opener
) -> None:
    one, two = await open_node(url=postgres_url), await open_node(url=postgres_url)
    lea, max_ = await friends(one, "Lea2", "Max2")
    heard: list[Any] = []
    two.store.bus.subscribe("challenge", lambda who, what: heard.append((who, what)))
    asked = await one.tables.challenges.challenge(lea, max_, "nim", "plain")
    await until(lambda: (max_.id, f"+received:{asked.id}") in heard)
    answers = await asyncio.gather(
        *(each.tables.challenges.accept(max_, asked.id) for each in (one, two)), return_exceptions=True
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["HouseTable", "NoSuchChallenge"]


async def _played(node: Node, *people: int, **choices: Any) -> int:
    info = await node.nim(*people, options={"matches": 1}, **choices)
    await play(node.tables, info.id, 1, Take(1))
    await until(lambda: node.tables.loaded[info.id].is_over)
    return info.id


async def _chess_over(node: Node, lea: Account, max_: Account, *, rated: bool = True, **options: Any) -> int:
    info = await node.tables.creating.create(
        TablePlan("chess", "dark", options, lea.id, time_control=Budget(300, 3), rated=rated)
    )
    await node.tables.sitting.join(info.id, max_.id)
    await node.tables.sitting.leave(info.id, max_.id)
    return info.id


async def test_a_rematch_needs_both_and_changes_the_colours(node: Node) -> None:
    lea, max_ = await friends(node)
    table = await _chess_over(node, lea, max_)
    offered = await node.tables.challenges.rematch(max_, table)
    assert (offered.status, offered.rematch_of) == ("open", table)
    assert (await node.tables.challenges.rematch(max_, table)).id == offered.id
    agreed = await node.tables.challenges.rematch(lea, table)
    assert (agreed.id, agreed.status) == (offered.id, "accepted")
    info = await node.tables.info(agreed.table_id or 0)
    assert (info.variant, info.status, info.time_control) == ("dark", "running", Budget(300, 3))
    live = await node.tables.open(info.id)
    assert {live.view(t.seat).you: t.account_id for t in info.seats} == {"white": max_.id, "black": lea.id}
    assert (await node.tables.challenges.rematch(lea, table)).table_id == info.id
    await node.tables.sitting.leave(info.id, lea.id)
    third = await node.tables.challenges.rematch(lea, info.id)
    await node.tables.challenges.accept(max_, third.id)
    live = await node.tables.open((await node.tables.challenges.get(third.id)).table_id or 0)
    assert live.view(live.info.seat_of(lea.id).seat).you == "white"  # type: ignore[union-attr]


@pytest.mark.parametrize("sides", ["first", "second", "random"])
async def test_colours_change_whatever_was_chosen(node: Node, sides: str) -> None:
    lea, max_ = await friends(node)
    table = await _chess_over(node, lea, max_, sides=sides)
    before = (await node.tables.open(table)).view(1).you
    await node.tables.challenges.rematch(lea, table)
    agreed = await node.tables.challenges.rematch(max_, table)
    assert (await node.tables.open(agreed.table_id or 0)).view(1).you != before


@pytest.mark.parametrize("rated", [True, False])
async def test_a_rematch_is_rated_where_the_game_was(node: Node, rated: bool) -> None:
    lea, max_ = await friends(node)
    table = await _chess_over(node, lea, max_, rated=rated)
    await node.tables.challenges.rematch(lea, table)
    agreed = await node.tables.challenges.rematch(max_, table)
    assert (await node.tables.info(agreed.table_id or 0)).rated is rated


async def test_two_who_ask_for_a_rematch_at_once_play_one_game(node: Node) -> None:
    lea, max_ = await friends(node)
    for _ in range(5):
        table = await _chess_over(node, lea, max_)
        answers = await asyncio.gather(
            node.tables.challenges.rematch(lea, table), node.tables.challenges.rematch(max_, table)
        )
        assert answers[0].id == answers[1].id
        assert (await node.tables.challenges.get(answers[0].id)).status == "accepted"


async def test_a_robot_agrees_to_one_rematch_at_once(node: Node) -> None:
    lea = await member(node, "Lea")
    info = await node.tables.creating.create(
        TablePlan("chess", "classic", {}, lea.id, robots=["beginner"], rated=False)
    )
    await node.tables.sitting.leave(info.id, lea.id)
    agreed = await asyncio.gather(*(node.tables.challenges.rematch(lea, info.id) for _ in range(2)))
    assert agreed[0].table_id == agreed[1].table_id is not None
    again = await node.tables.info(agreed[0].table_id or 0)
    assert [(t.account_id == lea.id, t.robot) for t in again.seats] == [(True, None), (False, "beginner")]
    assert (await node.tables.open(again.id)).view(1).you == "black"


async def test_a_rematch_is_for_the_two_who_played_to_the_end(node: Node) -> None:
    lea, max_ = await friends(node)
    nora = await member(node, "Nora")
    table = await _chess_over(node, lea, max_)
    await refused(node.tables.challenges.rematch(nora, table), "not_seated")
    await refused(node.tables.challenges.rematch(lea, 4711), "no_such_table")
    running = await node.nim(lea.id, max_.id)
    await refused(node.tables.challenges.rematch(lea, running.id), "rematch_not_over")
    three = await _played(node, lea.id, max_.id, nora.id)
    await refused(node.tables.challenges.rematch(lea, three), "rematch_not_two")
    await node.club.blocks.block(max_, lea)
    await refused(node.tables.challenges.rematch(lea, table), "blocked")
    offered = await node.tables.challenges.rematch(nora, await _played(node, nora.id, max_.id))
    await node.tables.challenges.refuse(max_, offered.id)
    await refused(node.tables.challenges.accept(max_, offered.id), "no_such_challenge")


async def test_visitors_play_again_too(node: Node) -> None:
    first, second = [await node.club.accounts.create_visitor() for _ in range(2)]
    table = await _played(node, first.id, second.id)
    await node.tables.challenges.rematch(first, table)
    assert (await node.tables.challenges.rematch(second, table)).status == "accepted"


async def test_who_leaves_the_club_takes_his_challenges_and_his_name_along(node: Node) -> None:
    lea, max_ = await friends(node)
    asked = await node.tables.challenges.challenge(lea, max_, "nim", "plain")
    assert any("Lea" in str(n.about) for n in await node.club.notices.list(max_.id))
    await node.club.leaving.delete(lea)
    with pytest.raises(NoSuchChallenge):
        await node.tables.challenges.accept(max_, asked.id)
    assert not any("Lea" in str(n.about) for n in await node.club.notices.list(max_.id))
