"""A chair sees by its seat, keeps its person present, and does not give an action up at the first trouble."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from tests.kit.playing import play
from tests.kit.servers import PostgresServer
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import NimRules, Note, Noted, Take

from tablee.rules.contract import MASTER, SPECTATOR, Illegal
from tablee.store import Unavailable
from tablee.tables import BadAction, Chair, Listener, NoSuchTable, NotStarted, Restored, Told


class Ear(Listener):
    """Writes down what its chair says."""

    def __init__(self, chair: Chair) -> None:
        self.heard: list[Any] = []
        chair.listen(self)

    def told(self, news: Sequence[Told]) -> None:
        self.heard += [
            (event.version, [fact.__struct_config__.tag for fact in event.facts]) for event in news
        ]

    def void(self, reason: str) -> None:
        self.heard.append(reason)

    def anew(self) -> None:
        self.heard.append("anew")

    def gone(self) -> None:
        self.heard.append("gone")


async def test_everybody_sits_where_he_belongs(node: Node) -> None:
    ada, bob, eve = await node.people(3)
    info = await node.nim(ada, bob)
    seats = [(await node.tables.chair_of(info.id, who)).seat for who in (ada, bob, eve, None)]
    assert seats == [1, 2, SPECTATOR, SPECTATOR]
    with pytest.raises(NoSuchTable):
        await node.tables.chair_of(4711, ada)


async def test_a_chair_is_told_what_its_seat_is_told_and_nothing_else(node: Node) -> None:
    ada, bob = await node.people(2)
    info = await node.nim(ada, bob)
    chairs = [await node.tables.chair_of(info.id, who) for who in (ada, bob, None)]
    ears = [Ear(chair) for chair in chairs]
    before = [chair.version for chair in chairs]
    played: Any = await chairs[0].play(Note("a secret"))
    assert played.told == [Noted(1, "a secret")]
    assert [ear.heard for ear in ears] == [[(before[0] + 1, ["noted"])], [], []]
    await chairs[0].play(Take(1))
    versions = [chair.version for chair in chairs]
    assert versions == [before[0] + 2, before[1] + 1, before[2] + 1]
    assert [ear.heard[-1][0] for ear in ears] == versions
    assert chairs[0].view() != chairs[2].view()


async def test_a_refusal_is_said_in_the_words_of_its_own_game(node: Node) -> None:
    ada, bob = await node.people(2)
    chair = await node.tables.chair_of((await node.nim(ada, bob)).id, bob)
    with pytest.raises(Illegal) as refusal:
        await chair.play(Take(1))
    assert refusal.value.rules is not None
    assert refusal.value.rules.name == "nim"
    assert refusal.value.sentence("en") == NimRules().words("en")["illegal.not_your_turn"]


async def test_what_is_no_action_of_the_game_is_not_played(node: Node) -> None:
    ada, bob = await node.people(2)
    chair = await node.tables.chair_of((await node.nim(ada, bob)).id, ada)
    for text in (b'{"do":"sing"}', b'{"do":"take"', b"[]", b'{"do":"leave"}', b'{"do":"take","matches":"x"}'):
        with pytest.raises(BadAction) as refusal:
            chair.read(text)
        assert len(refusal.value.parts["reason"]) <= 300
    assert chair.read(b'{"do":"take","matches":2}') == Take(2)


async def test_before_the_beginning_there_is_nothing_to_see(node: Node) -> None:
    [ada] = await node.people(1)
    chair = await node.tables.chair_of((await node.nim(ada, seats=2)).id, ada)
    assert not chair.has_begun
    assert chair.legal_json() is None
    assert chair.since(0) is None
    with pytest.raises(NotStarted):
        chair.view()


async def test_who_stays_is_present_until_he_gets_up(node: Node) -> None:
    ada, bob = await node.people(2)
    info = await node.nim(ada, bob)
    chair = await node.tables.chair_of(info.id, ada)
    chair.stay()
    await until(lambda: node.tables.presence.is_here(info.id, 1))
    chair.close()
    await chair.closed()
    assert not node.tables.presence.is_here(info.id, 1)
    assert await node.tables.presence.present(info.id) == {}


async def test_a_table_that_was_put_away_is_found_again_and_the_action_played_once(node: Node) -> None:
    ada, bob = await node.people(2)
    info = await node.nim(ada, bob)
    chair = await node.tables.chair_of(info.id, ada)
    node.tables.drop_erased(info.id)  # as if it had been put away this very moment
    assert info.id not in node.tables.loaded
    await chair.play(Take(1), "once")
    assert (await chair.play(Take(1), "once")).duplicate
    assert len(await node.store.events(info.id)) == 2


async def test_who_listens_to_a_table_that_is_opened_again_goes_on_hearing(
    node: Node,
) -> None:
    ada, bob = await node.people(2)
    info = await node.nim(ada, bob)
    chair = await node.tables.chair_of(info.id, bob)
    ear = Ear(chair)
    node.tables.drop_erased(info.id)
    await until(lambda: ear.heard == ["anew"])
    await play(node.tables, info.id, 1, Take(1))
    await until(lambda: len(ear.heard) == 2)
    assert ear.heard[1][1] == ["taken"]
    await node.tables.mastering.erase(info.id)
    await until(lambda: ear.heard[-1] == "gone")


async def test_an_action_on_what_was_seen_before_a_restore_is_refused(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await node.people(2)
    info = await node.nim(ada, bob)
    chair = await node.tables.chair_of(info.id, ada)
    monkeypatch.setattr(chair, "epoch", node.store.epoch - 1)
    with pytest.raises(Restored):
        await chair.play(Take(1))
    assert len(await node.store.events(info.id)) == 1
    assert (await node.tables.chair_of(info.id, ada)).epoch == node.store.epoch


async def test_while_the_database_is_away_the_same_action_is_sent_again(
    own_postgres: PostgresServer, open_node: Opener
) -> None:
    node = await open_node(url=own_postgres.create_database())
    ada, bob = await node.people(2)
    info = await node.nim(ada, bob)
    chair, other = [await node.tables.chair_of(info.id, who) for who in (ada, bob)]
    await asyncio.to_thread(own_postgres.stop)
    playing = asyncio.create_task(chair.play(Take(1), "through", patience=120_000))
    with pytest.raises(Unavailable):
        await other.play(Note("lost"), patience=300)
    assert not playing.done()
    await asyncio.to_thread(own_postgres.start)
    assert (await playing).error is None
    events = await node.store.events(info.id)
    assert [event.request_id for event in events] == [None, "through"]


async def test_a_master_has_a_chair_like_everybody(node: Node) -> None:
    ada, bob = await node.people(2)
    info = await node.nim(ada, bob)
    chair = await node.tables.chair(info.id, MASTER)
    assert chair.view() is not None
    with pytest.raises(Illegal):
        await chair.play(Take(1))
