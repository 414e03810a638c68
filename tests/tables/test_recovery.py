"""What happens when others write to the same log, when a node dies, when the database is gone."""

import asyncio
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from tests.kit.playing import play
from tests.kit.servers import PostgresServer
from tests.kit.waiting import as_time_passes, until, until_it_works
from tests.tables.conftest import GAMES, Node, Opener
from tests.tables.nim import Note, Take, Taken

from tablee.clock import HandClock
from tablee.rules.contract import Illegal
from tablee.rules.mines.model import Click
from tablee.rules.mines.rules import MinesRules
from tablee.store import Append, Conflict, EventRow, Unavailable, Unit
from tablee.tables import LoadedTable, Outcome


async def write_behind(
    node: Node, live: LoadedTable, seq: int, seat: int, request_id: str | None = None
) -> None:
    """Append a move to the log as another node would, without telling this one."""
    row = EventRow(
        live.info.id,
        seq,
        live.at,
        seat,
        '{"do":"take","matches":1}',
        f'[{{"is":"taken","seat":{seat},"matches":1}}]',
        request_id,
    )
    await node.store.commit(Unit(appends=[Append(live.info.id, seq - 1, [row])]))


async def test_who_loses_the_race_tells_what_happened_and_decides_again(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    heard: list[int] = []
    live.subscribe(lambda news: heard.extend(happened.seq for happened in news))
    await write_behind(node, live, 2, 1)
    answers: list[Outcome] = []
    live.submit(1, Take(1), None, answers.append)  # was his turn here, is not in the log
    live.submit(2, Take(2), None, answers.append)  # was not, is
    await until(lambda: len(answers) == 2)
    assert isinstance(answers[0].error, Illegal)
    assert answers[1].error is None
    assert heard == [2, 3]
    assert live.view(1).matches == 18
    assert live.conflicts == 1


async def test_a_move_that_another_node_has_played_already_is_a_repeat(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    await write_behind(node, live, 2, 1, "same")
    played = await play(node.tables, info.id, 1, Take(1), "same")
    assert played.duplicate
    assert played.told == [Taken(1, 1)]
    assert len(await node.store.events(info.id)) == 2


async def test_a_missed_hint_is_healed_by_looking_at_the_heads(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    heard: list[int] = []
    live.subscribe(lambda news: heard.extend(happened.seq for happened in news))
    await write_behind(node, live, 2, 1)
    await write_behind(node, live, 3, 2)
    assert heard == []
    await node.tables.hints.check_heads()
    await until(lambda: heard == [2, 3])


async def test_the_heads_are_looked_at_again_and_again(node: Node, clock: HandClock) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    await write_behind(node, live, 2, 1)
    await as_time_passes(clock, lambda: live.seq == 2, step=1_000, what="the event that nobody told")


async def test_after_a_crash_everything_acknowledged_is_there(open_node: Opener) -> None:
    node = await open_node()
    live = await node.mines(*await node.people(3))
    answers: list[Outcome] = []
    for i in range(200):
        live.submit(1 + i % 3, Click(i % 30, i // 30), f"c{i}", answers.append)
    await until(lambda: len(answers) > 20)
    known = [outcome.happened for outcome in answers if outcome.happened is not None]
    await node.crash()
    again = await open_node()
    table = await again.tables.open(live.info.id)
    log = await again.store.events(live.info.id)
    for happened in known:
        assert log[happened.seq - 1].request_id == happened.request_id
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    state: Any = None
    for event in log:
        for fact in table.codec.facts(event.facts):
            state = table.rules.evolve(state, fact)
    assert table.state == state


async def test_a_move_sent_again_after_a_crash_is_not_played_twice(open_node: Opener) -> None:
    node = await open_node()
    info = await node.nim(*await node.people(2), options={"matches": 2000})
    for i in range(300):
        await play(node.tables, info.id, 1 + i % 2, Take(1), f"m{i}")
    await play(node.tables, info.id, 1, Note("early"), "early")
    before = (await node.tables.open(info.id)).version(1)
    await node.crash()
    again = await open_node()
    # m0 lies before the snapshot: memory does not know it, and by now it would be another player's turn.
    for request in ("m299", "m1", "m0", "early"):
        played = await play(again.tables, info.id, 1 + (request in ("m1", "m299")), Take(1), request)
        assert played.duplicate
    live = await again.tables.open(info.id)
    assert live.version(1) == before
    assert len(await again.store.events(info.id)) == 302


async def test_versions_and_views_are_the_same_after_a_restart(open_node: Opener) -> None:
    node = await open_node()
    info = await node.nim(*await node.people(2), options={"matches": 2000})
    rng = Random(7)
    for i in range(600):
        if rng.random() < 0.3:
            await play(node.tables, info.id, rng.choice((1, 2)), Note(str(i)))
        live = await node.tables.open(info.id)
        await play(node.tables, info.id, live.view(1).turn, Take(1))
    live = await node.tables.open(info.id)
    seen = [(live.version(seat), live.view(seat)) for seat in (1, 2, 0, -2)]
    await node.crash()
    again = await (await open_node()).tables.open(info.id)
    assert [(again.version(seat), again.view(seat)) for seat in (1, 2, 0, -2)] == seen


async def test_a_database_that_is_gone_fails_moves_clearly_and_comes_back_by_itself(
    own_postgres: PostgresServer, clock: HandClock
) -> None:
    url = own_postgres.create_database()
    node = await Node.open(url, clock, games=GAMES)
    info = await node.nim(*await node.people(2), options={"matches": 500})
    live = await node.tables.open(info.id)
    heard: list[int] = []
    live.subscribe(lambda news: heard.extend(happened.seq for happened in news))
    await play(node.tables, info.id, 1, Take(1), "first")
    own_postgres.stop()
    with pytest.raises(Unavailable):
        await play(node.tables, info.id, 2, Take(1), "second")
    with pytest.raises(Unavailable):
        await play(node.tables, info.id, 2, Take(1), "second")
    own_postgres.start()

    await until_it_works(lambda: play(node.tables, info.id, 2, Take(1), "second"), Unavailable)
    await play(node.tables, info.id, 1, Take(1), "third")
    log = await node.store.events(info.id)
    assert [event.request_id for event in log[1:]] == ["first", "second", "third"]
    assert heard == [2, 3, 4], "each event is told once, whatever happened between"
    await node.close()


async def test_a_game_is_played_through_against_another_who_writes_at_random(node: Node) -> None:
    """Whatever the interleaving with another writer: one order for all, nothing lost, nothing twice."""
    info = await node.nim(*await node.people(2), options={"matches": 5000})
    live = await node.tables.open(info.id)
    heard: list[int] = []
    live.subscribe(lambda news: heard.extend(happened.seq for happened in news))
    rng = Random(11)
    answers: list[Outcome] = []
    sent = 0
    for i in range(150):
        for _ in range(rng.randrange(3)):
            live.submit(rng.choice((1, 2)), Note(str(sent)), f"n{sent}", answers.append)
            sent += 1
        if rng.random() < 0.3:
            head = len(await node.store.events(info.id))
            row = EventRow(info.id, head + 1, live.at, 1, '{"do":"note","text":"x"}', NOTED, f"o{i}")
            with suppress(Conflict):
                await node.store.commit(Unit(appends=[Append(info.id, head, [row])]))
        if rng.random() < 0.3:
            await asyncio.sleep(rng.random() * 0.01)
        if rng.random() < 0.1:
            live.hint(len(await node.store.events(info.id)))
    await until(lambda: len(answers) == sent)
    await node.tables.hints.check_heads()
    log = await node.store.events(info.id)
    await until(lambda: live.seq == len(log))
    await until(lambda: len(heard) == len(log) - 1)
    assert heard == list(range(2, len(log) + 1))
    ours = [event.request_id or "" for event in log if (event.request_id or "").startswith("n")]
    assert sorted(ours, key=lambda name: int(name[1:])) == [f"n{i}" for i in range(sent)]
    assert all(outcome.error is None for outcome in answers)


NOTED = msgspec.json.encode([{"is": "noted", "seat": 1, "text": "x"}]).decode()


async def test_seats_at_a_table_that_cannot_be_read_keep_nobody_from_the_others(open_node: Opener) -> None:
    node = await open_node()
    people = await node.people(2)
    unreadable = await node.nim(*people)
    mines = await node.mines(people[0])
    for table_id, seat in ((unreadable.id, 1), (mines.info.id, 1)):
        await node.tables.presence.arrive(table_id, seat, people[0])
    await node.crash()
    again = await open_node(games={("mines", "classic"): MinesRules()})
    assert await again.nodes.reap(again.tables.reaped) == 2
    state: Any = (await again.tables.open(mines.info.id)).state
    assert not state.player(1).present
    assert await again.nodes.reap(again.tables.reaped) == 0
