"""Friends and those one does not want to hear."""

from __future__ import annotations

import asyncio

import pytest
from tests.club.conftest import Member

from tablee.club import Account, Club, Refused, TooMany


async def _names(club: Club, who: Account) -> tuple[set[int], set[int], set[int]]:
    circle = await club.friends.circle(who.id)
    return tuple({tie.account_id for tie in ties} for ties in (circle.friends, circle.received, circle.sent))  # type: ignore[return-value]


async def _refused(asking: object, code: str) -> None:
    with pytest.raises(Refused) as refused:
        await asking  # type: ignore[misc]
    assert refused.value.code == code


async def test_a_request_is_seen_by_both_and_accepted_by_one(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    assert await club.friends.ask(lea, max_) == "asked"
    assert await _names(club, lea) == (set(), set(), {max_.id})
    assert await _names(club, max_) == (set(), {lea.id}, set())
    await _refused(club.friends.ask(lea, max_), "friend_asked_already")
    await _refused(club.friends.accept(lea, max_), "friend_request_none")
    await club.friends.accept(max_, lea)
    for who, other in ((lea, max_), (max_, lea)):
        assert await _names(club, who) == ({other.id}, set(), set())
        assert await club.friends.are_friends(who.id, other.id)
        await _refused(club.friends.ask(who, other), "friends_already")
    assert [notice.kind for notice in await club.notices.list(max_.id)] == ["friend_request"]
    assert [notice.kind for notice in await club.notices.list(lea.id)] == ["friend_accepted"]


async def test_a_request_is_refused_called_off_and_a_friend_removed(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    await club.friends.ask(lea, max_)
    await _refused(club.friends.cancel(max_, lea), "friend_request_none")
    await club.friends.refuse(max_, lea)
    await _refused(club.friends.accept(max_, lea), "friend_request_none")
    await club.friends.ask(lea, max_)
    await club.friends.cancel(lea, max_)
    await _refused(club.friends.remove(lea, max_), "friend_none")
    await club.friends.ask(lea, max_)
    assert await club.friends.ask(max_, lea) == "friends"
    await club.friends.remove(lea, max_)
    assert await _names(club, max_) == (set(), set(), set())


async def test_every_change_is_told_to_both(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    heard: list[tuple[int | str, int | str]] = []
    leave = club.store.bus.subscribe("friend", lambda key, value: heard.append((key, value)))
    await club.friends.ask(lea, max_)
    assert heard == [(lea.id, f"+sent:{max_.id}"), (max_.id, f"+request:{lea.id}")]
    heard.clear()
    await club.friends.accept(max_, lea)
    assert heard[:2] == [(max_.id, f"+friend:{lea.id}"), (lea.id, f"+friend:{max_.id}")]
    leave()


async def test_two_who_ask_each_other_at_once_are_friends(
    club: Club, other_club: Club, member: Member
) -> None:
    for n in range(5):
        one, other = await member(f"Un{n}"), await member(f"Deux{n}")
        answers = await asyncio.gather(club.friends.ask(one, other), other_club.friends.ask(other, one))
        assert sorted(answers) == ["asked", "friends"]
        assert await club.friends.are_friends(one.id, other.id)
        assert await _names(club, one) == ({other.id}, set(), set())


async def test_friends_are_members_and_not_oneself(club: Club, member: Member) -> None:
    lea, visitor = await member("Lea"), await club.accounts.create_visitor()
    robot = await club.accounts.robot("mines", "fort")
    await _refused(club.friends.ask(lea, lea), "not_yourself")
    for other in (visitor, robot):
        await _refused(club.friends.ask(lea, other), "members_only")
        await _refused(club.friends.ask(other, lea), "members_only")


async def test_who_is_blocked_is_no_friend_and_cannot_ask(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    await club.friends.ask(lea, max_)
    await club.friends.accept(max_, lea)
    await club.blocks.block(max_, lea)
    await club.blocks.block(max_, lea)
    assert await club.blocks.list(max_.id) == [lea.id]
    assert not await club.friends.are_friends(lea.id, max_.id)
    await _refused(club.friends.ask(lea, max_), "blocked")
    await _refused(club.friends.ask(max_, lea), "blocked_by_you")
    await _refused(club.blocks.block(lea, lea), "not_yourself")
    await club.blocks.unblock(max_, lea)
    assert await club.friends.ask(lea, max_) == "asked"


async def test_nobody_asks_the_whole_club_at_once(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    for _ in range(40):
        await club.friends.ask(lea, max_)
        await club.friends.cancel(lea, max_)
    with pytest.raises(TooMany):
        await club.friends.ask(lea, max_)
