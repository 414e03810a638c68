"""Tokens: short-lived, rotating, revocable, and useless to a thief."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select
from tests.club.conftest import Member
from tests.kit.waiting import until_it_works

from tablee.clock import HandClock
from tablee.club import Banned, Club, InvalidToken, NotFound, Refused, Tokens
from tablee.club.sessions import ACCESS_LIVES, REFRESH_LIVES
from tablee.store import Query, Store
from tablee.store.schema import session


async def test_a_token_says_who_somebody_is(club: Club, other_club: Club, member: Member) -> None:
    lea = await member("Lea")
    tokens = await club.sessions.open(lea, label="Firefox", address="192.0.2.1")
    for at in (club, other_club, club):
        identity = await at.sessions.who(tokens.access)
        assert identity.account == lea
        assert (identity.session.label, identity.acting) == ("Firefox", None)


async def test_the_database_knows_no_token(club: Club, store: Store, member: Member) -> None:
    tokens = await club.sessions.open(await member("Lea"))
    assert tokens.refresh is not None
    assert len(tokens.access) >= 43
    row = await store.one(Query(select(session)))
    for part in (tokens.access, *tokens.refresh.split(".")):
        assert part not in repr(row)


@pytest.mark.parametrize(
    "token", ["", "x", "\x00", "é" * 50, "a.b", ".", "a.", ".b", "x" * 100_000, "\ud800"]
)
async def test_what_is_no_token_opens_nothing(club: Club, member: Member, token: str) -> None:
    await club.sessions.open(await member("Lea"))
    with pytest.raises(InvalidToken):
        await club.sessions.who(token)
    with pytest.raises(InvalidToken):
        await club.sessions.refresh(token)


async def test_an_access_token_is_good_for_a_quarter_of_an_hour(
    club: Club, member: Member, clock: HandClock
) -> None:
    tokens = await club.sessions.open(await member("Lea"))
    await clock.advance(ACCESS_LIVES - 1)
    await club.sessions.who(tokens.access)
    await clock.advance(1)
    with pytest.raises(InvalidToken):
        await club.sessions.who(tokens.access)


async def test_a_refreshed_session_has_new_tokens_and_the_old_are_void(
    club: Club, member: Member, clock: HandClock
) -> None:
    lea = await member("Lea")
    tokens = await club.sessions.open(lea)
    await club.sessions.who(tokens.access)
    fresh = tokens
    for _ in range(3):
        await clock.advance(ACCESS_LIVES)
        assert fresh.refresh is not None
        fresh = await club.sessions.refresh(fresh.refresh)
    assert (await club.sessions.who(fresh.access)).session.id == tokens.session_id
    with pytest.raises(InvalidToken):
        await club.sessions.who(tokens.access)
    assert len(await club.sessions.list(lea.id)) == 1


async def test_a_session_that_is_not_used_for_sixty_days_is_over(
    club: Club, member: Member, clock: HandClock
) -> None:
    tokens = await club.sessions.open(await member("Lea"))
    assert tokens.refresh is not None
    await clock.advance(REFRESH_LIVES)
    with pytest.raises(InvalidToken):
        await club.sessions.refresh(tokens.refresh)


async def test_a_refresh_token_used_twice_closes_the_session_for_thief_and_owner(
    club: Club, member: Member
) -> None:
    lea = await member("Lea")
    tokens = await club.sessions.open(lea, label="Firefox")
    assert tokens.refresh is not None
    stolen = await club.sessions.refresh(tokens.refresh, address="203.0.113.9")
    assert stolen.refresh is not None
    with pytest.raises(InvalidToken) as refused:
        await club.sessions.refresh(tokens.refresh)
    assert refused.value.code == "token_reused"
    with pytest.raises(InvalidToken):
        await club.sessions.who(stolen.access)
    with pytest.raises(InvalidToken):
        await club.sessions.refresh(stolen.refresh)
    assert [notice.kind for notice in await club.notices.list(lea.id)] == ["session_stolen"]
    assert "session_stolen" in [deed.what for deed in await club.deeds.list(account=lea.id)]


async def test_a_token_of_many_turns_ago_is_still_recognised(club: Club, member: Member) -> None:
    first = await club.sessions.open(await member("Lea"))
    fresh = first
    for _ in range(5):
        assert fresh.refresh is not None
        fresh = await club.sessions.refresh(fresh.refresh)
    assert first.refresh is not None
    with pytest.raises(InvalidToken) as refused:
        await club.sessions.refresh(first.refresh)
    assert refused.value.code == "token_reused"


async def test_a_stranger_cannot_close_a_session_with_a_token_of_his_own_making(
    club: Club, member: Member
) -> None:
    tokens = await club.sessions.open(await member("Lea"))
    assert tokens.refresh is not None
    family, turn = tokens.refresh.split(".")
    for forged in (f"{turn}.{family}", f"{tokens.session_id}.{turn}", f"{family[:-1]}.{turn}", turn):
        with pytest.raises(InvalidToken):
            await club.sessions.refresh(forged)
    await club.sessions.who(tokens.access)


async def test_of_two_refreshes_at_once_at_most_one_succeeds(
    club: Club, other_club: Club, member: Member
) -> None:
    tokens = await club.sessions.open(await member("Lea"))
    assert tokens.refresh is not None
    tries = (c.sessions.refresh(tokens.refresh) for c in [club, other_club] * 3)
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(result, Tokens) for result in results) <= 1
    assert all(isinstance(result, Tokens | InvalidToken) for result in results)
    assert not await club.sessions.is_alive(tokens.session_id)


async def test_a_revoked_session_is_over_at_once_on_every_node(
    club: Club, other_club: Club, member: Member
) -> None:
    lea = await member("Lea")
    kept, gone = await club.sessions.open(lea), await club.sessions.open(lea)
    for at in (club, other_club):
        await at.sessions.who(gone.access)
    await club.sessions.revoke(lea.id, gone.session_id)
    with pytest.raises(InvalidToken):
        await club.sessions.who(gone.access)

    await until_it_works(lambda: _is_over(other_club, gone.access), AssertionError)
    await club.sessions.who(kept.access)


async def test_a_revocation_that_the_bus_lost_is_seen_within_a_minute(
    club: Club, store: Store, member: Member, clock: HandClock
) -> None:
    lea = await member("Lea")
    tokens = await club.sessions.open(lea)
    await club.sessions.who(tokens.access)
    club.sessions.close()  # deaf from here on
    await club.sessions.revoke(lea.id, tokens.session_id)
    await club.sessions.who(tokens.access)
    await clock.advance(60_000)
    with pytest.raises(InvalidToken):
        await club.sessions.who(tokens.access)


async def test_nobody_revokes_the_session_of_another(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    tokens = await club.sessions.open(lea)
    with pytest.raises(NotFound):
        await club.sessions.revoke(max_.id, tokens.session_id)
    await club.sessions.who(tokens.access)


async def test_a_bot_has_one_long_lived_token_with_its_label(
    club: Club, member: Member, clock: HandClock
) -> None:
    lea = await member("Lea")
    tokens = await club.sessions.open(lea, "bot", "mon robot")
    assert tokens.refresh is None
    await clock.advance(100 * 86_400_000)
    identity = await club.sessions.who(tokens.access)
    assert (identity.session.kind, identity.session.label) == ("bot", "mon robot")
    await club.sessions.revoke(lea.id, tokens.session_id)
    with pytest.raises(InvalidToken):
        await club.sessions.who(tokens.access)
    with pytest.raises(Refused):
        await club.sessions.open(await club.accounts.create_visitor(), "bot", "x")


async def test_who_is_changed_is_seen_as_he_is_now(club: Club, member: Member) -> None:
    lea = await member("Lea")
    tokens = await club.sessions.open(lea)
    await club.sessions.who(tokens.access)
    await club.accounts.change(lea, pseudo="Léa")
    assert (await club.sessions.who(tokens.access)).account.pseudo == "Léa"


async def test_an_administrator_acts_as_a_member_who_is_told(club: Club, member: Member) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    lea, max_ = await member("Lea"), await member("Max")
    lea = await club.roles.name_administrator(chief, lea)
    tokens = await club.sessions.act_as(lea, max_, "192.0.2.1")
    identity = await club.sessions.who(tokens.access)
    assert (identity.account.id, identity.session.kind) == (max_.id, "acting")
    assert identity.acting is not None
    assert identity.acting.id == lea.id
    notices = await club.notices.list(max_.id)
    assert (notices[0].kind, notices[0].about) == ("acting", {"by": "Lea"})
    deed = (await club.deeds.list(account=max_.id))[0]
    assert (deed.what, deed.actor_id, deed.address) == ("acting", lea.id, "192.0.2.1")
    await club.roles.dismiss(chief, lea)
    with pytest.raises(InvalidToken):
        await club.sessions.who(tokens.access)


async def test_nobody_acts_as_his_better(club: Club, member: Member) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    lea, max_ = await member("Lea"), await member("Max")
    lea = await club.roles.name_administrator(chief, lea)
    visitor = await club.accounts.create_visitor()
    for who, whom in ((max_, lea), (max_, max_), (lea, chief), (lea, lea), (lea, visitor)):
        with pytest.raises(Refused):
            await club.sessions.act_as(who, whom)
    await club.sessions.act_as(chief, lea)


async def test_who_is_banned_is_out_and_stays_out(club: Club, member: Member, clock: HandClock) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    max_ = await member("Max")
    tokens = await club.sessions.open(max_)
    await club.sessions.who(tokens.access)
    await club.roles.ban(chief, max_, until=clock.now() + 1000, reason="insultes")
    with pytest.raises(InvalidToken):
        await club.sessions.who(tokens.access)
    with pytest.raises(Banned):
        await club.accounts.verify("Max", "motdepasse")
    with pytest.raises(Banned):
        await club.sessions.open(await club.accounts.by_id(max_.id))
    await clock.advance(1000)
    await club.sessions.open(await club.accounts.verify("Max", "motdepasse"))


async def _is_over(club: Club, access: str) -> None:
    try:
        await club.sessions.who(access)
    except InvalidToken:
        return
    raise AssertionError("the token still opens the door")
