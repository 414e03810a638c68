"""The lobby, histories, and who is connected."""

import pytest
from tests.kit.patching import apply_patch
from tests.kit.playing import play
from tests.tables.conftest import Node
from tests.tables.nim import Note, Take

from tablee.rules.contract import SPECTATOR
from tablee.rules.mines.model import Click
from tablee.tables import Full, LobbyFilter, NoSuchTable, TablePlan
from tablee.tables.errors import words
from tablee.tables.patch import plain


async def test_the_lobby_lists_what_can_be_joined_first_and_by_what_is_asked(node: Node) -> None:
    people = await node.people(3)
    open_nim = await node.nim(people[0], seats=3, name="Chez Anne")
    full_nim = await node.nim(people[1], people[2])
    mines = (await node.mines(people[0], door="minehive")).info

    async def ids(**wanted: object) -> list[int]:
        return [info.id for info in await node.tables.lobby.listing(LobbyFilter(**wanted))]  # type: ignore[arg-type]

    assert await ids() == [mines.id, open_nim.id, full_nim.id]
    assert await ids(game="nim") == [open_nim.id, full_nim.id]
    assert await ids(variant="classic") == [mines.id]
    assert await ids(status=("open",)) == [open_nim.id]
    assert await ids(door="minehive") == [mines.id]
    assert await ids(with_free_seat=True) == [mines.id, open_nim.id]
    assert await ids(limit=1) == [mines.id]
    assert await ids(before=open_nim.id) == [full_nim.id]
    assert await ids(status=()) == []
    listed = (await node.tables.lobby.listing(LobbyFilter(status=("open",))))[0]
    assert (listed.name, listed.free) == ("Chez Anne", 2)


async def test_a_seat_that_somebody_has_left_is_not_a_free_one(node: Node) -> None:
    first, second, third = await node.people(3)
    info = await node.tables.creating.create(TablePlan("mines", "classic", {"seats": 2}, first))
    await node.tables.sitting.join(info.id, second)
    await node.tables.sitting.leave(info.id, second)
    assert (await node.tables.info(info.id)).free == 0
    assert await node.tables.lobby.listing(LobbyFilter(with_free_seat=True)) == []
    with pytest.raises(Full):
        await node.tables.sitting.join(info.id, third)
    # A game that goes on with those who began it has no free seat, however few they are.
    begun = await node.nim(first, second, seats=3)
    assert [table.id for table in await node.tables.lobby.listing(LobbyFilter(with_free_seat=True))] == [
        begun.id
    ]
    await node.tables.creating.start(begun.id, first)
    assert await node.tables.lobby.listing(LobbyFilter(with_free_seat=True)) == []


async def test_the_tables_of_an_account_are_those_where_it_sits_or_sat(node: Node) -> None:
    first, second = await node.people(2)
    over = await node.nim(first, second, options={"matches": 1})
    await play(node.tables, over.id, 1, Take(1))
    running = await node.nim(first, second)
    assert [info.id for info in await node.tables.lobby.of_account(first)] == [running.id]
    assert [info.id for info in await node.tables.lobby.of_account(first, ("over",))] == [over.id]


async def test_a_history_leads_step_by_step_to_the_present_view(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    await play(node.tables, info.id, 1, Note("a secret"))
    for i in range(5):
        await play(node.tables, info.id, 1 + i % 2, Take(1 + i % 3))
    live = await node.tables.open(info.id)
    for seat, count in ((SPECTATOR, 5), (2, 5), (1, 6)):
        page = await node.tables.history.page(info.id, seat)
        view = plain(page.view)
        for step in page.steps:
            view = apply_patch(view, plain(step.patch))
        assert view == plain(live.view(seat))
        assert [step.version for step in page.steps] == list(range(1, count + 1))
        assert ("a secret" in str(page)) == (seat == 1)


async def test_a_history_is_read_page_by_page(node: Node) -> None:
    info = await node.nim(*await node.people(2), options={"matches": 100})
    for i in range(10):
        await play(node.tables, info.id, 1 + i % 2, Take(1))
    first = await node.tables.history.page(info.id, limit=4)
    second = await node.tables.history.page(info.id, after=4, limit=4)
    third = await node.tables.history.page(info.id, after=8, limit=4)
    assert [[step.version for step in page.steps] for page in (first, second, third)] == [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [9, 10],
    ]
    assert [page.more for page in (first, second, third)] == [True, True, False]
    assert second.view.matches == 96
    past = await node.tables.history.page(info.id, after=99)
    assert (past.steps, past.view.matches) == ([], 90)
    with pytest.raises(NoSuchTable):
        await node.tables.history.page(4711)


async def test_a_table_that_has_not_begun_has_an_empty_history(node: Node) -> None:
    info = await node.nim(*await node.people(1), seats=3)
    assert await node.tables.history.page(info.id) == await node.tables.history.page(info.id, 1)
    assert (await node.tables.history.page(info.id)).steps == []


async def test_the_first_connection_brings_a_seat_back_and_the_last_takes_it_away(node: Node) -> None:
    account = (await node.people(1))[0]
    live = await node.mines(account)
    table = live.info.id
    for _ in range(2):
        await node.tables.presence.arrive(table, 1, account)
    await node.tables.presence.depart(table, 1, account)
    assert live.view(1).players["1"].present is True
    assert await node.tables.presence.present(table) == {1: account}
    await node.tables.presence.depart(table, 1, account)
    assert live.view(1).players["1"].present is False
    assert await node.tables.presence.present(table) == {}
    await node.tables.presence.depart(table, 1, account)
    await node.tables.presence.arrive(table, 1, account)
    assert live.view(1).players["1"].present is True
    await play(node.tables, table, 1, Click(0, 0))


async def test_spectators_are_present_without_touching_the_game(node: Node) -> None:
    player, watcher = await node.people(2)
    live = await node.mines(player)
    seq = live.seq
    await node.tables.presence.arrive(live.info.id, SPECTATOR, watcher)
    assert await node.tables.presence.present(live.info.id) == {SPECTATOR: watcher}
    await node.tables.presence.depart(live.info.id, SPECTATOR, watcher)
    assert live.seq == seq


async def test_a_node_that_ends_in_order_takes_its_seats_along(node: Node) -> None:
    account = (await node.people(1))[0]
    live = await node.mines(account)
    await node.tables.presence.arrive(live.info.id, 1, account)
    await node.tables.presence.close()
    assert live.view(1).players["1"].present is False


def test_every_sentence_exists_in_french_and_english() -> None:
    assert words("fr").keys() == words("en").keys()
    assert all(words("fr")[code] != words("en")[code] for code in words("fr"))


async def test_the_lobby_lists_what_can_be_joined_then_people_then_robots_among_themselves(
    node: Node,
) -> None:
    people = await node.people(4)
    robots = await node.tables.creating.create(
        TablePlan("nim", "plain", {}, None, robots=["dreamer", "dreamer"], seats=2)
    )
    waiting = await node.nim(people[0])
    played = await node.nim(people[1], people[2])
    also_waiting = await node.nim(people[3])
    against = await node.tables.creating.create(
        TablePlan("nim", "plain", {}, people[0], robots=["dreamer"], seats=2)
    )
    order = [also_waiting.id, waiting.id, against.id, played.id, robots.id]
    assert [info.id for info in await node.tables.lobby.listing()] == order
    paged: list[int] = []
    while page := await node.tables.lobby.listing(LobbyFilter(before=paged[-1] if paged else None, limit=2)):
        paged += [info.id for info in page]
    assert paged == order
