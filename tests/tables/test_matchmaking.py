import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from tests.kit.waiting import as_time_passes, until
from tests.tables.conftest import Node, Opener

from tablee.clock import HandClock
from tablee.club.points import known_write
from tablee.rules.contract import SPECTATOR
from tablee.skill import Strength, rate, shown
from tablee.store import Unit
from tablee.store.nodes import Arrival
from tablee.store.nodes import Presence as LeftBehind
from tablee.tables import BadOptions, NoSuchGame, Wish
from tablee.tables.clocks import Budget
from tablee.tables.matchmaking import parties

PLAIN = Wish()


def waiting(account_id: int, rating: int, since: int, wish: Wish = PLAIN) -> Any:
    return SimpleNamespace(account_id=account_id, rating=rating, since=since, wish=wish)


def names(found: list[list[Any]]) -> list[list[int]]:
    return [[row.account_id for row in party] for party in found]


def test_people_of_like_strength_are_put_together_at_once() -> None:
    queue = [waiting(1, 1500, 0), waiting(2, 1700, 1), waiting(3, 1540, 2), waiting(4, 1660, 3)]
    assert names(parties(queue, 2, 10)) == [[1, 3], [2, 4]]


def test_the_range_grows_by_fifty_every_five_seconds_for_both() -> None:
    far = waiting(9, 3000, 0)
    queue = [waiting(1, 1500, 0), waiting(2, 1650, 0), far]
    assert parties(queue, 2, 9_999) == []
    assert names(parties(queue, 2, 10_000)) == [[1, 2]]
    newcomer = [waiting(1, 1500, 0), waiting(2, 1650, 9_000), far]
    assert parties(newcomer, 2, 12_000) == []


def test_two_who_are_alone_meet_within_ten_seconds_after_their_first_game() -> None:
    changed = rate({1: Strength(), 2: Strength()}, {1: 1, 2: 2})
    queue = [waiting(who, shown(strength.mu), 0) for who, strength in changed.items()]
    assert parties(queue, 2, 0) == []
    assert names(parties(queue, 2, 10_000)) == [[1, 2]]


def test_who_wants_a_side_is_put_together_with_who_wants_another_or_any() -> None:
    white, black, lot = (Wish(side=side) for side in ("white", "black", "lot"))
    for wishes, meet in (
        ((white, white), False),
        ((white, black), True),
        ((white, lot), True),
        ((PLAIN, black), True),
        ((lot, lot), True),
    ):
        queue = [waiting(number, 1500, number, wish) for number, wish in enumerate(wishes)]
        assert bool(parties(queue, 2, 10)) is meet


def test_what_is_at_stake_must_suit_both() -> None:
    for one, other, meet in ((True, True, 1), (True, False, 0), (False, None, 1), (None, True, 1)):
        queue = [waiting(1, 1500, 0, Wish(rated=one)), waiting(2, 1500, 0, Wish(rated=other))]
        assert len(parties(queue, 2, 10)) == meet


def test_who_waits_longest_sits_first() -> None:
    assert names(parties([waiting(7, 1500, 5), waiting(3, 1500, 2)], 2, 10)) == [[3, 7]]


def test_a_party_of_three_suits_everybody_in_it() -> None:
    queue = [waiting(1, 1500, 0), waiting(2, 1545, 0), waiting(3, 1455, 0), waiting(4, 1520, 0)]
    assert names(parties(queue, 3, 0)) == [[1, 2, 4]]


async def test_two_who_wait_find_themselves_at_a_running_table(node: Node) -> None:
    first, second = await node.people(2)
    matched: dict[int, int] = {}
    node.store.bus.subscribe("matched", lambda who, table: matched.update({int(who): int(table)}))
    await node.tables.matchmaking.enter(first, "nim", "plain", PLAIN)
    waiting = await node.tables.matchmaking.waiting(first)
    assert waiting is not None
    assert (waiting.rating, waiting.game) == (1500, "nim")
    await node.tables.matchmaking.enter(second, "nim", "plain", PLAIN)
    await until(lambda: len(matched) == 2)
    assert matched[first] == matched[second]
    info = await node.tables.info(matched[first])
    assert (info.status, info.door) == ("running", "queue")
    assert [taken.account_id for taken in info.seats] == [first, second]
    assert await node.tables.matchmaking.waiting(first) is None


async def test_who_has_blocked_somebody_is_not_put_together_with_him(node: Node) -> None:
    first, second, third = await node.people(3)
    people = await node.club.accounts.many([first, second])
    await node.club.blocks.block(people[second], people[first])
    for account in (first, second):
        await node.tables.matchmaking.enter(account, "nim", "plain", PLAIN)
    assert await node.tables.matchmaking.match() == 0
    assert await node.tables.lobby.of_account(first) == []
    await node.tables.matchmaking.enter(third, "nim", "plain", PLAIN)
    [info] = await node.tables.lobby.of_account(third)
    assert [taken.account_id for taken in info.seats] == [first, third]
    assert await node.tables.matchmaking.waiting(second) is not None
    fourth, *_ = await node.people(1)
    await node.tables.matchmaking.enter(fourth, "nim", "plain", PLAIN)
    assert len(await node.tables.lobby.of_account(second)) == 1


async def test_a_game_that_is_joined_while_it_runs_can_be_waited_for_too(node: Node) -> None:
    people = await node.people(3)
    for account in people:
        await node.tables.matchmaking.enter(account, "mines", "classic", Wish(players=3))
    tables = await node.tables.lobby.of_account(people[0])
    assert [sorted(taken.account_id for taken in info.seats) for info in tables] == [sorted(people)]


async def test_only_equal_wishes_meet(node: Node) -> None:
    first, second, third = await node.people(3)
    await node.tables.matchmaking.enter(first, "nim", "plain", Wish(time_control=Budget(60)))
    await node.tables.matchmaking.enter(second, "nim", "plain", PLAIN)
    assert await node.tables.lobby.of_account(second) == []
    await node.tables.matchmaking.enter(third, "nim", "plain", Wish(options={"matches": 21}))
    assert len(await node.tables.lobby.of_account(second)) == 1
    assert await node.tables.matchmaking.waiting(first) is not None


async def test_who_leaves_the_queue_is_not_matched(node: Node) -> None:
    first, second = await node.people(2)
    await node.tables.matchmaking.enter(first, "nim", "plain", PLAIN)
    await node.tables.matchmaking.leave(first)
    await node.tables.matchmaking.enter(second, "nim", "plain", PLAIN)
    assert await node.tables.lobby.of_account(second) == []


async def test_the_queue_is_looked_at_again_and_again(node: Node, clock: HandClock) -> None:
    first, second = await node.people(2)
    write = known_write(first, "nim", "plain")
    write.params["mu"] = 28.0
    await node.store.change(write.query, **write.params)
    await node.tables.matchmaking.enter(first, "nim", "plain", PLAIN)
    await node.tables.matchmaking.enter(second, "nim", "plain", PLAIN)
    assert await node.tables.lobby.of_account(second) == []
    await as_time_passes(clock, lambda: node.tables.lobby.of_account(second), step=500, what="a match")


async def test_a_wish_that_cannot_be_is_refused(node: Node) -> None:
    account = (await node.people(1))[0]
    with pytest.raises(NoSuchGame):
        await node.tables.matchmaking.enter(account, "go", "plain", PLAIN)
    with pytest.raises(BadOptions):
        await node.tables.matchmaking.enter(account, "nim", "plain", Wish(players=9))
    with pytest.raises(BadOptions):
        await node.tables.matchmaking.enter(account, "nim", "plain", Wish(options={"matches": "x"}))


async def test_two_nodes_match_nobody_twice(postgres_url: str, open_node: Opener) -> None:
    one, two = await open_node(url=postgres_url), await open_node(url=postgres_url)
    people = await one.people(12)
    await asyncio.gather(
        *(
            (one if i % 2 else two).tables.matchmaking.enter(account, "nim", "plain", PLAIN)
            for i, account in enumerate(people)
        )
    )
    for _ in range(10):
        await asyncio.gather(one.tables.matchmaking.match(), two.tables.matchmaking.match())
    seats = [await one.tables.lobby.of_account(account) for account in people]
    assert [len(tables) for tables in seats] == [1] * 12
    assert len({tables[0].id for tables in seats}) == 6


async def test_who_waited_at_a_house_that_died_is_not_matched_after_its_restart(
    open_node: Opener, clock: HandClock
) -> None:
    node = await open_node()
    first, second = await node.people(2)
    await node.tables.matchmaking.enter(first, "nim", "plain", PLAIN)
    await node.crash()
    since = clock.now()
    await clock.advance(60_000)
    again = await open_node(arrival=Arrival(clock.now(), since))
    await again.tables.matchmaking.enter(second, "nim", "plain", PLAIN)
    assert await again.tables.lobby.of_account(second) == []


async def test_who_waited_at_a_node_that_died_is_not_matched(node: Node) -> None:
    first, second = await node.people(2)
    await node.tables.matchmaking.enter(first, "nim", "plain", PLAIN)
    left = LeftBehind(node.store.node_id, "web", first, 0, 0, node.clock.now())
    await node.tables.reaped(left)
    await node.tables.matchmaking.enter(second, "nim", "plain", PLAIN)
    assert await node.tables.lobby.of_account(second) == []


async def test_whoever_leaves_the_queue_of_a_game_that_begins_with_nobody_sits_at_its_table(
    node: Node,
) -> None:
    first, second = await node.people(2)
    seen: list[tuple[int, int]] = []
    written = node.store.commit

    async def looked_at(unit: Unit) -> None:
        """After every commit: who still waits, and who sits somewhere."""
        await written(unit)
        for account in (first, second):
            still = await node.tables.matchmaking.waiting(account)
            seen.append((int(still is not None), len(await node.tables.lobby.of_account(account))))

    await node.tables.matchmaking.enter(first, "mines", "classic", PLAIN)
    node.store.commit = looked_at  # type: ignore[method-assign]
    await node.tables.matchmaking.enter(second, "mines", "classic", PLAIN)
    assert seen[-2:] == [(0, 1), (0, 1)]
    assert (0, 0) not in seen
    [info] = await node.tables.lobby.of_account(first)
    view = (await node.tables.open(info.id)).view(SPECTATOR)
    assert [player.name for player in view.players.values()] == [taken.name for taken in info.seats]


async def test_a_clock_cannot_be_waited_for_in_a_game_without_clocks(node: Node) -> None:
    [somebody] = await node.people(1)
    with pytest.raises(BadOptions, match="without clocks"):
        await node.tables.matchmaking.enter(somebody, "mines", "classic", Wish(time_control=Budget(60)))
    assert await node.tables.matchmaking.waiting(somebody) is None
