"""A long log is read in pieces, from where reading can begin, and stops nobody meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.kit.playing import play
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Note
from tests.tables.test_snapshots import GAMES, Forgetful, counted, grow

from tablee.breath import STEPS_AT_ONCE
from tablee.rules.contract import SPECTATOR

LONG = 20_000


async def _long(open_node: Opener, upto: int = LONG) -> tuple[Node, int]:
    node = await open_node(games=GAMES)
    info = await node.nim(*await node.people(2))
    await grow(node, info.id, upto)
    return node, info.id


class Evolving:
    """How many facts were evolved between two rounds of the loop, at most."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.most = self.all = 0
        evolve = Forgetful.evolve

        def counting(rules: Any, state: Any, fact: Any) -> Any:
            self.now += 1
            self.all += 1
            return evolve(rules, state, fact)

        monkeypatch.setattr(Forgetful, "evolve", counting)

    async def during(self, work: Any) -> Any:
        """What `work` gives; the loop goes round beside it."""
        done = asyncio.ensure_future(work)
        while not done.done():
            self.most, self.now = max(self.most, self.now), 0
            await asyncio.sleep(0)
        return await done


async def test_the_history_of_a_long_log_is_read_in_small_pieces(
    open_node: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, table_id = await _long(open_node)
    evolving = Evolving(monkeypatch)
    page = await evolving.during(node.tables.history.page(table_id, 1, after=LONG - 50, limit=20))
    assert [step.version for step in page.steps] == list(range(LONG - 49, LONG - 29))
    # An event of a page is evolved again to be told; what is read before it once.
    assert evolving.most <= 3 * STEPS_AT_ONCE


async def test_a_long_log_is_opened_in_small_pieces(
    open_node: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, table_id = await _long(open_node, 5_000)
    node.tables.drop(await node.tables.open(table_id))
    evolving = Evolving(monkeypatch)
    await evolving.during(node.tables.open(table_id))
    assert evolving.all >= 5_000
    assert evolving.most <= 200


async def test_a_page_deep_in_a_long_log_is_read_once_and_then_from_near_by(
    open_node: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, table_id = await _long(open_node)
    await node.tables.history.page(table_id, SPECTATOR, after=0, limit=1)
    first = await node.tables.history.page(table_id, 1, after=LONG // 2, limit=10)
    reads = counted(node.store, monkeypatch)
    again = await node.tables.history.page(table_id, 1, after=LONG // 2, limit=10)
    assert again == first
    assert sum(reads) <= 1_000


async def test_the_end_of_a_long_log_is_read_from_its_snapshot(
    open_node: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, table_id = await _long(open_node)
    live = await node.tables.open(table_id)
    await node.tables.hints.check_heads()
    await play(node.tables, table_id, 1, Note("last"))  # writes a snapshot
    version = live.version(1)
    reads = counted(node.store, monkeypatch)
    page = await node.tables.history.page(table_id, 1, after=version, limit=10)
    assert (page.steps, page.more) == ([], False)
    assert page.view == live.view(1)
    assert sum(reads) <= 1_000


async def test_pages_are_the_same_wherever_reading_begins(open_node: Opener) -> None:
    node, table_id = await _long(open_node, 3_000)
    at_once = await node.tables.history.page(table_id, 1, after=0, limit=1000)
    for after in (999, 0, 512, 255, 256, 257, 300):
        page = await node.tables.history.page(table_id, 1, after=after, limit=1)
        if after < 999:
            assert page.steps[0].version == at_once.steps[after].version == after + 1
            assert page.steps[0].told == at_once.steps[after].told
            assert page.steps[0].patch == at_once.steps[after].patch
