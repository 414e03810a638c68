"""What people say, who hears it, and what is left of it."""

from __future__ import annotations

import asyncio

import pytest
from tests.club.conftest import Member

from tablee.clock import HandClock
from tablee.club import Club, ClubError, Invalid, NotFound, Refused, TooMany
from tablee.club.messages import private_channel
from tablee.club.sweeping import sweep


async def test_what_is_said_is_told_and_kept_in_order(club: Club, other_club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    heard: list[tuple[int | str, int | str]] = []
    club.store.bus.subscribe("chat", lambda key, value: heard.append((key, value)))
    said = [
        await club.messages.say(lea, "global", "Bonjour !"),
        await other_club.messages.say(max_, "global", "Salut Léa"),
        await club.messages.say(lea, "global", "Une partie ?"),
    ]
    history = await club.messages.history("global")
    assert history == said[::-1]
    assert await club.messages.history("global", before=said[2].id, limit=1) == [said[1]]
    assert ("global", said[0].id) in heard
    assert await other_club.messages.get(said[0].id) == said[0]
    assert await club.messages.get(10**15) is None


async def test_control_characters_become_spaces_and_odd_text_does_no_harm(club: Club, member: Member) -> None:
    lea = await member("Lea")
    for text, kept in (
        ("a\nb\tc\x00d", "a b c d"),
        (" e\u0301te\u0301 ", "été"),
        ("x\u202egnp", "x gnp"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("a\ud800b", "a b"),
        ("'; drop table message; --", "'; drop table message; --"),
        ("x" * 1000, "x" * 1000),
    ):
        said = await club.messages.say(lea, "table:1", text)
        assert said.text == kept
        assert (await club.messages.history("table:1", limit=1))[0].text == kept
    for text in ("", "  \n\x00", "x" * 1001, "x" * 10_000):
        with pytest.raises(Invalid):
            await club.messages.say(lea, "global", text)


async def test_a_private_message_keeps_its_lines_and_one_empty_line_between_two(
    club: Club, member: Member
) -> None:
    lea, tom = await member("Lea"), await member("Tom")
    for text, kept in (
        ("Bonjour,\nà ce soir ?", "Bonjour,\nà ce soir ?"),
        ("un\r\ndeux\rtrois", "un\ndeux\ntrois"),
        ("haut" + " \n" * 300 + "bas", "haut\n\nbas"),
        ("\n\n  au milieu \n\n", "au milieu"),
        ("a\tb\x00c\u202ed", "a b c d"),
    ):
        said = await club.messages.say(lea, private_channel(lea.id, tom.id), text)
        assert said.text == kept
    for text in ("\n \n", "x" * 999 + "\nx"):
        with pytest.raises(Invalid):
            await club.messages.say(lea, private_channel(lea.id, tom.id), text)


@pytest.mark.parametrize(
    "channel",
    [
        "",
        "all",
        "table:",
        "table:0",
        "table:-1",
        "table:x",
        "table:1\n",
        "private:1",
        "x" * 10_000,
        "table:" + "9" * 30,
    ],
)
async def test_a_channel_that_is_none_is_refused(club: Club, member: Member, channel: str) -> None:
    with pytest.raises(NotFound):
        await club.messages.say(await member("Lea"), channel, "x")


async def test_a_private_message_is_for_two(club: Club, member: Member) -> None:
    lea, max_, zoe = await member("Lea"), await member("Max"), await member("Zoe")
    channel = private_channel(max_.id, lea.id)
    said = await club.messages.say(lea, channel, "Entre nous")
    assert said.to_id == max_.id
    for wrong in (
        channel,
        f"private:{max_.id}:{lea.id}",
        f"private:{zoe.id}:{zoe.id}",
        f"private:{zoe.id}:999999",
    ):
        with pytest.raises(NotFound):
            await club.messages.say(zoe, wrong, "J’écoute")
    with pytest.raises(NotFound):
        await club.messages.read(zoe.id, channel, said.id)


async def test_unread_messages_are_counted_until_they_are_read(club: Club, member: Member) -> None:
    lea, max_, zoe = await member("Lea"), await member("Max"), await member("Zoe")
    channel = private_channel(lea.id, max_.id)
    first = await club.messages.say(lea, channel, "un")
    second = await club.messages.say(lea, channel, "deux")
    await club.messages.say(zoe, private_channel(zoe.id, max_.id), "trois")
    assert await club.messages.unread(max_.id) == {channel: 2, private_channel(zoe.id, max_.id): 1}
    assert await club.messages.unread(lea.id) == {}
    await club.messages.read(max_.id, channel, first.id)
    assert (await club.messages.unread(max_.id))[channel] == 1
    await club.messages.read(max_.id, channel, second.id)
    await club.messages.read(max_.id, channel, first.id)  # late, and no step back
    assert channel not in await club.messages.unread(max_.id)
    talks = await club.messages.conversations(max_.id)
    assert [(talk.account_id, talk.unread) for talk in talks] == [(zoe.id, 1), (lea.id, 0)]
    assert [(talk.last.text, talk.last.author_id) for talk in talks] == [("trois", zoe.id), ("deux", lea.id)]


async def test_the_last_message_of_a_conversation_is_one_that_its_reader_hears(
    club: Club, member: Member
) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    channel = private_channel(lea.id, max_.id)
    await club.messages.say(max_, channel, "bonjour")
    await club.messages.say(lea, channel, "va-t’en")
    await club.blocks.block(max_, lea)
    assert [talk.last.text for talk in await club.messages.conversations(max_.id)] == ["bonjour"]
    assert [talk.last.text for talk in await club.messages.conversations(lea.id)] == ["va-t’en"]


async def test_who_is_blocked_is_not_heard(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    channel = private_channel(lea.id, max_.id)
    await club.messages.say(lea, channel, "avant")
    await club.messages.say(lea, "global", "à tous")
    await club.blocks.block(max_, lea)
    for author, code in ((lea, "blocked"), (max_, "blocked_by_you")):
        with pytest.raises(Refused) as refused:
            await club.messages.say(author, channel, "après")
        assert refused.value.code == code
    assert await club.messages.history("global", reader=max_.id) == []
    assert len(await club.messages.history("global", reader=lea.id)) == 1
    assert await club.messages.unread(max_.id) == {}


async def test_a_visitor_speaks_at_tables_only(club: Club, member: Member) -> None:
    lea, visitor = await member("Lea"), await club.accounts.create_visitor()
    await club.messages.say(visitor, "table:3", "Bien joué")
    for channel in ("global", private_channel(visitor.id, lea.id)):
        with pytest.raises(Refused):
            await club.messages.say(visitor, channel, "x")
        with pytest.raises(ClubError):
            await club.messages.say(lea, private_channel(visitor.id, lea.id), "x")


async def test_a_chatterbox_has_to_wait(club: Club, member: Member, clock: HandClock) -> None:
    lea = await member("Lea")
    for n in range(15):
        await club.messages.say(lea, "global", f"{n}")
    with pytest.raises(TooMany) as refused:
        await club.messages.say(lea, "global", "encore")
    await clock.advance(refused.value.seconds * 1000)
    await club.messages.say(lea, "global", "encore")


async def test_an_administrator_takes_a_message_away_for_good(
    club: Club, other_club: Club, member: Member
) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    lea = await member("Lea")
    said = await club.messages.say(lea, "global", "gros mot")
    with pytest.raises(Refused):
        await club.messages.delete(lea, said.id)
    await other_club.messages.delete(chief, said.id)
    assert await club.messages.history("global") == []
    assert await other_club.messages.get(said.id) is None
    with pytest.raises(NotFound):
        await club.messages.delete(chief, said.id)
    deed = (await club.deeds.list(account=lea.id))[0]
    assert (deed.what, deed.actor_id) == ("delete_message", chief.id)
    assert "gros mot" not in repr(deed)


async def test_a_request_sent_again_is_answered_again_and_said_once(
    club: Club, other_club: Club, member: Member
) -> None:
    lea, tom = await member("Lea"), await member("Tom")
    first = await club.messages.say(lea, "global", "Bonjour", "r-1")
    assert await other_club.messages.say(lea, "global", "Bonjour", "r-1") == first
    together = await asyncio.gather(
        *(each.messages.say(lea, "global", "Encore", "r-2") for each in (club, other_club) * 3)
    )
    assert len({said.id for said in together}) == 1
    assert [said.text for said in await club.messages.history("global")] == ["Encore", "Bonjour"]
    # Somebody else, or elsewhere, may choose the same.
    assert (await club.messages.say(tom, "global", "Moi aussi", "r-1")).id != first.id
    assert (await club.messages.say(lea, "table:1", "Ici", "r-1")).id != first.id


async def test_a_request_is_remembered_when_the_limit_is_reached_and_when_its_message_was_taken_away(
    club: Club, clock: HandClock, member: Member
) -> None:
    lea = await member("Lea")
    await club.roles.name_super("Cheffe", "motdepasse")
    first = await club.messages.say(lea, "global", "Bonjour", "r-1")
    with pytest.raises(TooMany):
        await asyncio.gather(*(club.messages.say(lea, "global", f"et {number}") for number in range(200)))
    assert await club.messages.say(lea, "global", "Bonjour", "r-1") == first
    await club.messages.delete(await club.accounts.by_pseudo("Cheffe"), first.id)
    with pytest.raises(NotFound):
        await club.messages.say(lea, "global", "Bonjour", "r-1")
    await sweep(club.store, clock)
    with pytest.raises(NotFound):
        await club.messages.say(lea, "global", "Bonjour", "r-1")
    await clock.advance(25 * 3_600_000)
    await sweep(club.store, clock)
    assert (await club.messages.say(lea, "global", "Bonjour", "r-1")).id != first.id
