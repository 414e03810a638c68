"""Two nodes of one house over one PostgreSQL, with hints by PostgreSQL itself and by Redis."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.kit.playing import play
from tests.kit.waiting import PATIENCE, as_time_passes, until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Take

from tablee.clock import HandClock
from tablee.rules.contract import Illegal, Result
from tablee.rules.mines.board import EMPTY, HIDDEN, MINE
from tablee.rules.mines.model import Click, MinesState
from tablee.rules.mines.rules import CustomMinesRules
from tablee.rules.mines.views import ToldOpened
from tablee.store import EventRow, Unavailable
from tablee.store.nodes import DEAD_AFTER
from tablee.tables import LoadedTable, Outcome, TablePlan, Way
from tablee.tables.submission import Ending
from tablee.tables.sweeping import Sweeping

Pair = tuple[Node, Node]


@pytest.fixture(params=["postgresql", "redis"])
async def pair(request: pytest.FixtureRequest, postgres_url: str, open_node: Opener) -> Pair:
    redis = request.getfixturevalue("redis_url") if request.param == "redis" else None
    return (
        await open_node(url=postgres_url, redis=redis),
        await open_node(url=postgres_url, redis=redis),
    )


@pytest.fixture
def database_url() -> str:
    return "postgresql only: each node says where"


def listen(live: LoadedTable) -> list[tuple[int, str]]:
    heard: list[tuple[int, str]] = []
    live.subscribe(lambda news: heard.extend((h.seq, str(h.facts)) for h in news))
    return heard


async def test_what_is_played_on_one_node_is_told_on_the_other(pair: Pair) -> None:
    one, two = pair
    info = await one.nim(*await one.people(2))
    here, there = listen(await one.tables.open(info.id)), listen(await two.tables.open(info.id))
    await play(one.tables, info.id, 1, Take(1))
    await until(lambda: len(there) == 1)
    await play(two.tables, info.id, 2, Take(2))
    await until(lambda: len(here) == 2)
    assert here == there


async def test_a_move_told_of_while_the_log_is_read_is_not_overlooked(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    info = await one.nim(*await one.people(2))
    far = await two.tables.open(info.id)
    heard, begun = listen(far), far.seq
    hints: list[int] = []
    two.store.bus.subscribe("table", lambda _, seq: hints.append(int(seq)))
    events, has_read, goes_on = two.store.events, asyncio.Event(), asyncio.Event()

    async def slow(*about: Any, **more: Any) -> list[EventRow]:
        found = await events(*about, **more)
        has_read.set()
        await goes_on.wait()
        return found

    monkeypatch.setattr(two.store, "events", slow)
    await play(one.tables, info.id, 1, Take(1))
    await asyncio.wait_for(has_read.wait(), PATIENCE)
    await play(one.tables, info.id, 2, Take(2))
    await until(lambda: begun + 2 in hints)
    goes_on.set()
    await until(lambda: len(heard) == 2)


async def test_players_on_both_nodes_see_the_same_facts_in_the_same_order(pair: Pair) -> None:
    one, two = pair
    people = await one.people(4)
    info = (await one.mines(*people)).info
    tables = [await one.tables.open(info.id), await two.tables.open(info.id)]
    heard = [listen(table) for table in tables]
    rng = Random(5)
    answers: list[tuple[str, Outcome]] = []

    def note(name: str) -> Callable[[Outcome], None]:
        return lambda outcome: answers.append((name, outcome))

    sent = 0
    squares = [(x, y) for x in range(30) for y in range(16)]
    rng.shuffle(squares)
    for x, y in squares[:250]:
        node = rng.randrange(2)
        # Each player is at both nodes, as one who reconnects: the same request may come to either.
        for request in range(1 + (rng.random() < 0.1)):
            tables[(node + request) % 2].submit(1 + sent % 4, Click(x, y), f"r{x}.{y}", note(f"r{x}.{y}"))
            sent += 1 if request == 0 else 0
        if rng.random() < 0.2:
            await asyncio.sleep(rng.random() * 0.01)
    asked = sent
    await until(lambda: len({name for name, _ in answers}) == asked)
    await until(
        lambda: all(table.seq == max(t.seq for t in tables) and not table.is_busy for table in tables)
    )
    await until(lambda: all(each and each[-1][0] == tables[0].seq for each in heard))
    # Somebody's coming in may be told at the one node before, at the other after one began to listen there.
    begun = max(each[0][0] for each in heard)
    heard = [[told for told in each if told[0] >= begun] for each in heard]
    assert heard[0] == heard[1]
    assert [seq for seq, _ in heard[0]] == list(range(heard[0][0][0], heard[0][0][0] + len(heard[0])))
    assert tables[0].state == tables[1].state
    log = await one.store.events(info.id)
    requests = [event.request_id for event in log if event.request_id is not None]
    assert len(requests) == len(set(requests)), "no click was played twice"
    accepted = {name for name, outcome in answers if outcome.error is None}
    assert accepted == set(requests), "every click that was acknowledged is in the log"
    refused = [outcome.error for _, outcome in answers if outcome.error is not None]
    assert all(isinstance(error, Illegal) for error in refused)


async def test_a_seat_taken_on_one_node_is_known_on_the_other(pair: Pair) -> None:
    one, two = pair
    live = await one.mines()
    far = await two.tables.open(live.info.id)
    listen(far)
    account = (await one.people(1))[0]
    await one.tables.sitting.join(live.info.id, account)
    await until(lambda: far.info.seat_of(account) is not None)


async def test_the_end_on_one_node_is_the_end_on_the_other(pair: Pair) -> None:
    one, two = pair
    info = await one.nim(*await one.people(2), options={"matches": 1})
    far = await two.tables.open(info.id)
    heard = listen(far)
    await play(one.tables, info.id, 1, Take(1))
    await until(lambda: heard)
    assert far.is_over
    assert far.info.status == "over"
    assert far.info.result is not None


async def test_an_end_that_another_node_has_changed_is_not_reckoned_as_it_was_before(
    postgres_url: str, open_node: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = {("mines", "custom"): CustomMinesRules()}
    one, two = [await open_node(url=postgres_url, games=games) for _ in range(2)]
    people = await one.people(2)
    info = await one.tables.creating.create(
        TablePlan("mines", "custom", {"width": 5, "height": 5, "mines": 8}, people[0])
    )
    await one.tables.sitting.join(info.id, people[1], Way(invitation=info.invitation))
    near, far = await one.tables.open(info.id), await two.tables.open(info.id)
    listen(far)

    def board() -> MinesState:
        assert isinstance(near.state, MinesState)
        return near.state

    truth = board().truth
    numbers = [place for place, letter in enumerate(truth) if letter not in (MINE, EMPTY)]
    for place, letter in enumerate(truth):
        if letter == EMPTY and board().shown[place] == HIDDEN:
            await play(one.tables, info.id, 1, Click(place % 5, place // 5))
    hidden = [place for place in numbers if board().shown[place] == HIDDEN]
    for place in hidden[1:]:
        await play(one.tables, info.id, 1, Click(place % 5, place // 5))
    await until(lambda: far.seq == near.seq)
    reckoned: list[asyncio.Event] = []
    end_of = two.tables.end_of

    async def held(*about: Any) -> Ending:
        ending = await end_of(*about)
        reckoned.append(asyncio.Event())
        await reckoned[-1].wait()
        return ending

    monkeypatch.setattr(two.tables, "end_of", held)
    last = asyncio.create_task(play(two.tables, info.id, 1, Click(hidden[0] % 5, hidden[0] // 5)))
    await until(lambda: len(reckoned) == 1)
    mine = truth.index(MINE)
    await play(one.tables, info.id, 2, Click(mine % 5, mine // 5))
    await until(lambda: len(reckoned) == 2)
    reckoned[0].set()
    for _ in range(50):
        await asyncio.sleep(0.001)
    assert not last.done(), "the end of before the mine is nobody's"
    reckoned[1].set()
    await last
    result = (await one.tables.read_info(info.id)).result
    assert result is not None
    points = [(await one.club.ratings.standing(who, "mines", "custom")).points for who in people]
    assert points == [result.scores[1], result.scores[2]]
    assert result.scores[2] < 0


async def test_a_robot_known_to_two_nodes_plays_each_of_its_moves_once(pair: Pair, clock: HandClock) -> None:
    one, two = pair
    first = (await one.people(1))[0]
    info = await one.nim(first, seats=2, options={"matches": 60}, robots=["one"])
    near, far = await one.tables.open(info.id), await two.tables.open(info.id)
    listen(far)
    for _ in range(10):
        await play(one.tables, info.id, 1, Take(1))
        await until(lambda: far.seq == near.seq)
        await as_time_passes(clock, lambda: near.view(1).turn == 1 and far.seq == near.seq, step=25)
    taken = [e for e in await one.store.events(info.id) if e.seat == 2]
    assert len(taken) == 10


async def test_seats_of_a_dead_node_are_away_and_the_match_goes_on_at_the_other(
    pair: Pair, clock: HandClock
) -> None:
    one, two = pair
    for node in pair:
        await node.nodes.register()
    first, second = await one.people(2)
    live = await one.mines(first, second)
    far = await two.tables.open(live.info.id)
    listen(far)
    await one.tables.presence.arrive(live.info.id, 1, first)
    await two.tables.presence.arrive(live.info.id, 2, second)
    await play(one.tables, live.info.id, 1, Click(0, 0))
    await until(lambda: far.seq == live.seq)
    seen = far.view(2)
    await one.crash()
    await clock.advance(DEAD_AFTER + 1_000)
    await two.nodes.beat()
    assert await two.nodes.reap(two.tables.reaped) >= 1
    assert far.view(2).players["1"].present is False
    assert far.view(2).players["2"].present is True
    assert far.view(2).rows == seen.rows
    await play(two.tables, live.info.id, 2, Click(29, 15))
    await two.tables.presence.arrive(live.info.id, 1, first)
    assert far.view(2).players["1"].present is True


async def test_a_seat_with_connections_on_both_nodes_is_away_only_when_the_last_is_gone(pair: Pair) -> None:
    one, two = pair
    account = (await one.people(1))[0]
    live = await one.mines(account)
    far = await two.tables.open(live.info.id)
    listen(far)

    def present() -> Any:
        return live.view(1).players["1"].present

    await one.tables.presence.arrive(live.info.id, 1, account)
    await two.tables.presence.arrive(live.info.id, 1, account)
    await one.tables.presence.depart(live.info.id, 1, account)
    assert present() is True
    await two.tables.presence.depart(live.info.id, 1, account)
    await until(lambda: present() is False)
    await asyncio.gather(*(node.tables.presence.arrive(live.info.id, 1, account) for node in pair))
    await until(lambda: present() is True)
    await asyncio.gather(*(node.tables.presence.depart(live.info.id, 1, account) for node in pair))
    await until(lambda: present() is False)
    assert await one.tables.presence.present(live.info.id) == {}


# --- a node that is a moment behind ---------------------------------------------------------------------


def deafen(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hints of other nodes do not reach this one: it knows what it has read, and no more."""
    monkeypatch.setattr(node.store.bus, "_hear", lambda payload: None)


async def test_what_only_the_newest_log_allows_is_not_refused_by_a_node_that_is_behind(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    first, second = await one.people(2)
    live = await one.mines(first)
    far = await two.tables.open(live.info.id)
    deafen(two, monkeypatch)
    await one.tables.sitting.join(live.info.id, second)
    assert 0 < far.seq < live.seq
    played = await play(two.tables, live.info.id, 2, Click(0, 0))
    (opened,) = played.told
    assert isinstance(opened, ToldOpened)
    assert opened.seat == 2
    assert far.view(2).you == 2


async def test_a_turn_that_came_on_another_node_may_be_taken_at_once(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    info = await one.nim(*await one.people(2), options={"matches": 9})
    heard = listen(await two.tables.open(info.id))
    deafen(two, monkeypatch)
    await play(one.tables, info.id, 1, Take(1))
    assert heard == []
    await play(two.tables, info.id, 2, Take(2))
    assert [seq for seq, _ in heard] == [2, 3]


async def test_what_the_newest_log_refuses_too_is_refused_and_changes_nothing(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    info = await one.nim(*await one.people(2), options={"matches": 9})
    far = await two.tables.open(info.id)
    deafen(two, monkeypatch)
    with pytest.raises(Illegal):
        await play(two.tables, info.id, 2, Take(1))
    await play(one.tables, info.id, 1, Take(1))
    await play(one.tables, info.id, 2, Take(1))
    with pytest.raises(Illegal):
        await play(two.tables, info.id, 2, Take(1))
    assert (far.seq, far.is_busy) == (3, False)


async def test_a_move_of_its_own_in_between_does_not_make_a_refusal_wrong(pair: Pair) -> None:
    one, _ = pair
    info = await one.nim(*await one.people(2), options={"matches": 9})
    live = await one.tables.open(info.id)
    answers: dict[str, Outcome] = {}
    for _ in range(20):
        answers.clear()
        turn = live.view(1).turn
        live.submit(3 - turn, Take(1), None, lambda outcome: answers.update(early=outcome))
        live.submit(turn, Take(1), None, lambda outcome: answers.update(right=outcome))
        await until(lambda: len(answers) == 2)
        assert answers["right"].error is None
        assert isinstance(answers["early"].error, Illegal), "it was not his turn when he played"
        if live.is_over:
            return
    pytest.fail("the matches were never taken")


async def test_a_move_of_its_own_in_between_does_not_hide_that_a_node_was_behind(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    first, second = await one.people(2)
    live = await one.mines(first)
    far = await two.tables.open(live.info.id)
    deafen(two, monkeypatch)
    await one.tables.sitting.join(live.info.id, second)
    answers: dict[str, Outcome] = {}
    far.submit(2, Click(0, 0), "a", lambda outcome: answers.update(unknown=outcome))
    far.submit(1, Click(29, 15), "b", lambda outcome: answers.update(known=outcome))
    await until(lambda: len(answers) == 2)
    assert [answers[who].error for who in ("known", "unknown")] == [None, None]
    await one.tables.hints.check_heads()
    await until(lambda: live.seq == far.seq)
    assert live.state == far.state


async def test_a_request_that_another_node_played_is_answered_though_this_one_would_refuse_it(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    first, second = await one.people(2)
    live = await one.mines(first)
    await two.tables.open(live.info.id)
    deafen(two, monkeypatch)
    await one.tables.sitting.join(live.info.id, second)
    played = await play(one.tables, live.info.id, 2, Click(0, 0), "r1")
    again = await play(two.tables, live.info.id, 2, Click(0, 0), "r1")
    assert again == played._replace(duplicate=True)


async def test_many_refusals_at_once_ask_the_log_a_few_times(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = pair
    live = await one.mines((await one.people(1))[0])
    await play(one.tables, live.info.id, 1, Click(0, 0))
    asked: list[Any] = []
    look = one.store.one

    async def counted(query: Any, **params: Any) -> Any:
        asked.append(query)
        return await look(query, **params)

    monkeypatch.setattr(one.store, "one", counted)
    answers: list[Outcome] = []
    for _ in range(100):
        live.submit(1, Click(0, 0), None, answers.append)
    await until(lambda: len(answers) == 100)
    assert all(isinstance(outcome.error, Illegal) for outcome in answers)
    assert len(asked) <= 2


async def test_while_the_log_cannot_be_asked_nobody_is_refused_by_guess(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = pair
    info = await one.nim(*await one.people(2), options={"matches": 9})
    live = await one.tables.open(info.id)
    look = one.store.one

    async def gone(query: Any, **params: Any) -> Any:
        raise Unavailable("no route")

    monkeypatch.setattr(one.store, "one", gone)
    with pytest.raises(Unavailable):
        await play(one.tables, info.id, 2, Take(1))
    monkeypatch.setattr(one.store, "one", look)
    with pytest.raises(Illegal):
        await play(one.tables, info.id, 2, Take(1))
    assert not live.is_busy


async def test_of_two_nodes_only_one_closes_a_table_to_which_nobody_comes(
    pair: Pair, clock: HandClock
) -> None:
    one, two = pair
    (visitor,) = await one.people(1)
    infos = [await one.nim(visitor, seats=2, robots=["one"]) for _ in range(4)]
    there = await two.tables.open(infos[0].id)
    over = asyncio.Event()
    there.subscribe(lambda news: over.set() if there.is_over else None)
    await clock.advance(50 * 60_000)
    # The rounds of either node sweep too: time goes on only when all are told.
    async with asyncio.timeout(PATIENCE):
        while len(await one.club.notices.list(visitor)) < len(infos):
            await asyncio.gather(one.tables.sweeping.sweep(), two.tables.sweeping.sweep())
    await clock.advance(16 * 60_000)
    await asyncio.gather(one.tables.sweeping.sweep(), two.tables.sweeping.sweep())
    await asyncio.wait_for(over.wait(), PATIENCE)
    assert there.result == there.info.result == Result({}, "unattended", rated=False)
    async with asyncio.timeout(PATIENCE):
        for info in infos:
            voids: list[EventRow] = []
            while not voids:  # a sweep of the rounds may have it in hand
                voids = [each for each in await one.store.events(info.id) if '"void"' in each.action]
            assert len(voids) == 1
    notices = await one.club.notices.list(visitor)
    assert [each.kind for each in notices] == ["closing_soon"] * 4


async def test_a_node_that_was_slow_does_not_warn_of_a_table_again(
    pair: Pair, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    (visitor,) = await pair[0].people(1)
    await pair[0].nim(visitor, seats=2, robots=["one"])
    claimed, go_on, done = asyncio.Event(), asyncio.Event(), asyncio.Event()
    warn = Sweeping._warn

    async def slowly(self: Sweeping, *about: Any) -> None:
        if claimed.is_set():
            await warn(self, *about)
            return
        claimed.set()
        await go_on.wait()
        try:
            await warn(self, *about)
        finally:
            done.set()

    async def sweep() -> None:
        await asyncio.gather(*(node.tables.sweeping.sweep() for node in pair))

    monkeypatch.setattr(Sweeping, "_warn", slowly)  # the first that comes, of whichever node
    await clock.advance(50 * 60_000)
    first = asyncio.create_task(sweep())
    await asyncio.wait_for(claimed.wait(), PATIENCE)
    await clock.advance(6 * 60_000)  # longer than a table is left to who has claimed it
    async with asyncio.timeout(PATIENCE):
        while not await pair[0].club.notices.list(visitor):
            await sweep()
        go_on.set()
        await done.wait()
        await first
    assert [each.kind for each in await pair[0].club.notices.list(visitor)] == ["closing_soon"]
