"""Who may do more, who is shut out, who left, and what is written down about it."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select
from tests.club.conftest import Member

from tablee.clock import HandClock
from tablee.club import Banned, Club, InvalidToken, NotFound, PseudoTaken, Refused, UnknownAccount
from tablee.club.messages import private_channel
from tablee.club.sweeping import sweep
from tablee.store import Query, Store
from tablee.store.schema import account, metadata, session


async def test_the_super_administrator_is_named_once_with_a_password_of_his_own(
    club: Club, other_club: Club
) -> None:
    assert await club.roles.super_administrator() is None
    named = await asyncio.gather(*(c.roles.name_super("Présidente") for c in (club, other_club)))
    assert len({chief.id for chief, _ in named}) == 1
    (password,) = [invented for _, invented in named if invented]
    chief = await club.accounts.verify("présidente", password)
    assert chief.role == "super"
    again, invented = await club.roles.name_super("Autre", "motdepasse")
    assert (again.id, invented) == (chief.id, None)


async def test_a_name_that_a_player_has_is_not_made_super(club: Club, member: Member) -> None:
    await member("Lea")
    with pytest.raises(PseudoTaken):
        await club.roles.name_super("lea", "autre-mot")
    assert await club.roles.super_administrator() is None


async def test_only_the_super_administrator_names_and_dismisses(club: Club, member: Member) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    lea, max_ = await member("Lea"), await member("Max")
    lea = await club.roles.name_administrator(chief, lea)
    assert lea.role == "administrator"
    assert [each.pseudo for each in await club.roles.administrators()] == ["Chef", "Lea"]
    for by in (lea, max_):
        with pytest.raises(Refused) as refused:
            await club.roles.name_administrator(by, max_)
        assert refused.value.parts == {"role": "super"}
        with pytest.raises(Refused):
            await club.roles.dismiss(by, lea)
    assert (await club.roles.dismiss(chief, lea)).role == "player"
    with pytest.raises(Refused):
        await club.roles.dismiss(chief, chief)
    with pytest.raises(Refused):
        await club.roles.name_administrator(chief, await club.accounts.create_visitor())


async def test_the_super_administrator_hands_over(club: Club, member: Member) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    lea = await club.roles.hand_over(chief, await member("Lea"))
    assert lea.role == "super"
    assert (await club.accounts.by_id(chief.id)).role == "administrator"
    with pytest.raises(Refused):
        await club.roles.hand_over(await club.accounts.by_id(chief.id), chief)


async def test_a_ban_is_set_and_lifted_by_who_may(club: Club, member: Member, clock: HandClock) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    lea = await club.roles.name_administrator(chief, await member("Lea"))
    max_ = await member("Max")
    for by, whom in ((max_, lea), (max_, max_), (lea, chief), (lea, lea), (chief, chief)):
        with pytest.raises(Refused):
            await club.roles.ban(by, whom)
    await club.roles.ban(lea, max_, reason="tricherie")
    await clock.advance(10 * 365 * 86_400_000)
    with pytest.raises(Banned):
        await club.accounts.verify("Max", "motdepasse")
    await club.roles.lift_ban(lea, await club.accounts.by_id(max_.id))
    await club.accounts.verify("Max", "motdepasse")
    deeds = [deed for deed in await club.deeds.list(account=max_.id) if "ban" in deed.what]
    assert [(deed.what, deed.actor_id) for deed in deeds] == [("lift_ban", lea.id), ("ban", lea.id)]
    assert deeds[1].about["reason"] == "tricherie"


async def test_who_leaves_is_erased_and_his_row_stays(club: Club, store: Store, member: Member) -> None:
    lea = await club.accounts.create(
        "Léa-la-Belle", "motdepasse", email="lea@exemple.fr", first_name="Léanore", family_name="Dupontel",
        telephone="0123456789", country="FRA", time_zone="UTC + 1", address="192.0.2.77",
    )  # fmt: skip
    max_ = await member("Max")
    tokens = await club.sessions.open(lea, address="192.0.2.77")
    await club.friends.ask(lea, max_)
    await club.messages.say(lea, "global", "mon secret")
    await club.messages.say(lea, private_channel(lea.id, max_.id), "mon secret")
    await club.leaving.delete(lea)
    with pytest.raises(InvalidToken):
        await club.sessions.who(tokens.access)
    with pytest.raises(UnknownAccount):
        await club.accounts.verify("Léa-la-Belle", "motdepasse")
    gone = await club.accounts.by_id(lea.id)
    assert gone.deleted_at is not None
    assert (gone.pseudo, gone.email, gone.first_name, gone.country) == (f"Parti-{lea.id}", None, "", "")
    with pytest.raises(UnknownAccount):
        await club.accounts.by_pseudo(gone.pseudo)
    assert (await club.friends.circle(max_.id)).received == []
    everything = ""
    for table in metadata.sorted_tables:
        everything += repr(await store.rows(Query(select(table))))
    for trace in ("Belle", "exemple.fr", "Léanore", "Dupontel", "0123456789", "mon secret", "192.0.2.77"):
        assert trace not in everything
    with pytest.raises(Refused):
        await club.leaving.delete(lea)
    for change in (club.accounts.change(lea, country="BEL"), club.accounts.change_password(lea, "x")):
        with pytest.raises(Refused):
            await change
    again = await club.accounts.create("Léa-la-Belle", "motdepasse", email="lea@exemple.fr")
    assert again.id != lea.id


async def test_nobody_deletes_another_but_an_administrator(club: Club, member: Member) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    lea = await club.roles.name_administrator(chief, await member("Lea"))
    max_, zoe = await member("Max"), await member("Zoe")
    ali = await club.roles.name_administrator(chief, await member("Ali"))
    for who, by in ((zoe, max_), (ali, lea), (chief, chief), (chief, lea)):
        with pytest.raises(Refused):
            await club.leaving.delete(who, by=by)
    with pytest.raises(Refused):
        await club.leaving.delete(await club.accounts.robot("mines", "fort"), by=chief)
    await club.leaving.delete(zoe, by=lea)
    await club.leaving.delete(ali, by=chief)
    assert (await club.deeds.list(account=zoe.id))[0].actor_id == lea.id


async def test_the_log_of_deeds_refuses_to_hold_a_secret(club: Club) -> None:
    for key in ("password", "new_password", "access_token", "code"):
        with pytest.raises(ValueError, match="must not hold"):
            await club.deeds.write("x", actor=None, about={key: "1234"})


async def test_deeds_are_read_page_by_page_newest_first(club: Club, member: Member, clock: HandClock) -> None:
    lea = await member("Lea")
    for country in ("FRA", "BEL", "CHE"):
        await clock.advance(1)
        await club.accounts.change(lea, country=country)
    first = await club.deeds.list(limit=2)
    rest = await club.deeds.list(limit=10, before=first[-1].id)
    assert [deed.what for deed in first + rest] == ["change", "change", "change", "sign_up"]
    assert first[0].about == {"fields": ["country"]}
    assert await club.deeds.list(before=10**12) == []


async def test_notices_are_counted_listed_and_read(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    heard: list[int | str] = []
    club.store.bus.subscribe("account", lambda key, value: heard.append(key) if value == "notice" else None)
    for n in range(3):
        await club.notices.add(lea.id, "turn", {"table": n})
    await club.notices.add(lea.id, "over", {"table": 9})
    assert heard == [lea.id] * 4
    assert await club.notices.unread(lea.id) == {"turn": 3, "over": 1}
    newest = await club.notices.list(lea.id, limit=2)
    older = await club.notices.list(lea.id, before=newest[-1].id)
    assert [notice.about["table"] for notice in newest + older] == [9, 2, 1, 0]
    await club.notices.read(max_.id, newest[0].id)  # not his
    assert await club.notices.unread(lea.id) == {"turn": 3, "over": 1}
    await club.notices.read(lea.id, newest[0].id)
    assert await club.notices.unread(lea.id) == {"turn": 3}
    await club.notices.read_all(lea.id)
    assert await club.notices.unread(lea.id) == {}


async def test_what_is_long_over_is_swept_out_and_nothing_else(
    club: Club, store: Store, member: Member, clock: HandClock
) -> None:
    lea, visitor = await member("Lea"), await club.accounts.create_visitor()
    talker = await club.accounts.create_visitor()
    await club.messages.say(talker, "table:1", "bonjour")
    await club.sessions.open(lea)
    bot = await club.sessions.open(lea, "bot", "robot")
    await clock.advance(95 * 86_400_000)
    await sweep(store, clock)
    assert {each.id for each in (await club.accounts.many([lea.id, visitor.id, talker.id])).values()} == {
        lea.id,
        talker.id,
    }
    rows = await store.rows(Query(select(session.c.id)))
    assert [row.id for row in rows] == [bot.session_id]
    counted = await store.one(Query(select(func.count().label("number")).select_from(account)))
    assert counted is not None
    assert counted.number == 2
    with pytest.raises(NotFound):
        await club.sessions.revoke(visitor.id, 1)


async def test_where_a_visitor_came_from_is_listed_with_him_alone_and_swept_out_in_time(
    club: Club, store: Store, member: Member, clock: HandClock
) -> None:
    lea = await member("Lea")
    visitor = await club.accounts.create_visitor(address="192.0.2.7")
    assert [deed.account_id for deed in await club.deeds.list()] == [lea.id]
    [visit] = await club.deeds.list(account=visitor.id)
    assert (visit.what, visit.address) == ("visit", "192.0.2.7")
    await clock.advance(95 * 86_400_000)
    await sweep(store, clock)
    assert await club.deeds.list(account=visitor.id) == []
    assert [deed.what for deed in await club.deeds.list()] == ["sign_up"]
