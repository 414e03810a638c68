"""The dates of somebody and what happened at his tables, as other programs follow them."""

from __future__ import annotations

import msgspec
import pytest
from tests.kit.playing import play
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Note, Take

from tablee.clock import HandClock
from tablee.rules.diplomacy.game import Adjudicate, SetDeadline
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.tables import HouseTable, TablePlan, Terms, Way
from tablee.tables.clocks import Days

DAY = 86_400_000
LAGUNE = {("diplomacy", "lagune"): DiplomacyRules("lagune")}


async def members(node: Node, *names: str) -> list[int]:
    return [(await node.club.accounts.create(name, "mot de passe")).id for name in names]


@pytest.fixture
async def lagoon(open_node: Opener) -> Node:
    return await open_node(games=LAGUNE)


async def begun(node: Node, master: int, *players: int, anonymous: bool = False) -> HouseTable:
    """A game of Diplomacy by dates with a master."""
    info = await node.tables.creating.create(
        TablePlan(
            "diplomacy", "lagune", {"calendar": True}, master, name="Lagune",
            terms=Terms(mastered=True, anonymous=anonymous),
        )
    )  # fmt: skip
    for who in players:
        await node.tables.sitting.join(info.id, who, Way(by=master))
    await node.tables.creating.start(info.id, master)
    return info


async def test_a_date_that_moves_is_a_later_revision_whichever_way_it_moves(
    lagoon: Node, clock: HandClock
) -> None:
    node = lagoon
    master, lea, tom = await members(node, "arbitre", "lea", "tom")
    info = await begun(node, master, lea, tom)
    account = await node.club.accounts.by_id(lea)
    [first] = await node.tables.following.deadlines(account)
    assert first.title == "Date limite\u00a0: Lagune (Diplomatie, La Lagune)"
    clock._now += 60_000
    await play(node.tables, info.id, 0, SetDeadline(first.by + 2 * DAY), "later")
    [later] = await node.tables.following.deadlines(account)
    assert (later.by, later.set_at) == (first.by + 2 * DAY, clock.now())
    assert later.revision == first.revision + 60
    clock._now += 60_000
    await play(node.tables, info.id, 0, SetDeadline(first.by - DAY), "sooner")
    [sooner] = await node.tables.following.deadlines(account)
    assert (sooner.table_id, sooner.by) == (info.id, first.by - DAY)
    assert sooner.revision > later.revision
    [masters] = await node.tables.following.deadlines(await node.club.accounts.by_id(master))
    assert masters.by == sooner.by


async def test_the_next_phase_is_the_next_date_of_the_same_table(lagoon: Node, clock: HandClock) -> None:
    node = lagoon
    master, lea, tom = await members(node, "arbitre", "lea", "tom")
    info = await begun(node, master, lea, tom)
    account = await node.club.accounts.by_id(lea)
    [first] = await node.tables.following.deadlines(account)
    clock._now += DAY
    await play(node.tables, info.id, 0, Adjudicate(civil_disorder=True), "a")
    found = await node.tables.following.deadlines(account)
    assert [(each.table_id, each.revision > first.revision) for each in found] == [(info.id, True)]


async def test_a_feed_of_an_anonymous_game_names_nobody(lagoon: Node, clock: HandClock) -> None:
    node = lagoon
    master, lea, tom = await members(node, "arbitre", "Mystère-un", "Mystère-deux")
    info = await begun(node, master, lea, tom, anonymous=True)
    clock._now += 1_000
    await play(node.tables, info.id, 0, Adjudicate(civil_disorder=True), "a")
    account = await node.club.accounts.by_id(lea)
    following = node.tables.following
    happened = await following.happenings(account, await following.recent(account))
    assert happened[0].title == "Lagune – La partie a avancé"
    assert "Mystère" not in str(happened)


async def test_a_feed_has_what_ones_own_seat_was_told_and_no_more(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4), options={"matches": 2}, name="Chez Léa")
    account = await node.club.accounts.by_id(tom)
    following = node.tables.following
    clock._now += 1_000
    await play(node.tables, info.id, 1, Note("un secret"), "a")
    clock._now += 1_000
    await play(node.tables, info.id, 1, Take(1), "b")
    clock._now += 1_000
    await play(node.tables, info.id, 2, Take(1), "c")
    recent = await following.recent(account)
    happened = await following.happenings(account, recent)
    assert [each.title for each in happened] == [
        "Chez Léa – La partie est terminée",
        "Chez Léa – La partie a avancé",
        "Chez Léa – La partie a commencé\u00a0: Nim",
    ]
    assert happened[1].lines == ["lea prend 1."]
    assert "secret" not in str(happened)
    await node.club.notices.read_all(tom)
    again = await following.happenings(account, await following.recent(account))
    assert again == happened, "what was read is told there all the same, under the same names"


async def test_what_is_long_ago_is_in_no_feed_and_an_erased_table_neither(
    node: Node, clock: HandClock
) -> None:
    lea, tom = await members(node, "lea", "tom")
    account = await node.club.accounts.by_id(tom)
    following = node.tables.following
    info = await node.nim(lea, tom)
    recent = await following.recent(account)
    assert len(recent) == 1
    clock._now += 31 * DAY
    assert await following.recent(account) == []
    await node.tables.mastering.erase(info.id)
    assert await following.happenings(account, recent) == []


async def test_deadlines_from_before_this_release_have_a_first_revision(node: Node) -> None:
    lea, tom = await members(node, "lea", "tom")
    await node.nim(lea, tom, time_control=Days(4))
    account = await node.club.accounts.by_id(lea)
    calls = node.club.caller.calls
    told_of = calls.told_of

    async def without(*of: object, **how: object) -> list[object]:
        found = await told_of(*of, **how)  # type: ignore[arg-type]
        return [msgspec.structs.replace(each, about={"by": each.about["by"]}) for each in found]

    calls.told_of = without  # type: ignore[method-assign, assignment]
    [date] = await node.tables.following.deadlines(account)
    assert date.revision == 0
