"""A game that has hardly begun is called off without a mark; later it is played, or lost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import select
from tests.kit.playing import play
from tests.tables.conftest import Node, Opener
from tests.tables.test_chess import GAMES, chess

from tablee.rules.arena import ArenaRules
from tablee.rules.chess import Move
from tablee.store import Query
from tablee.store.schema import outcome
from tablee.tables import NotHost, NotSeated, Over, Started, TablePlan
from tablee.tables.codec import Void


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node(games=GAMES)


async def test_either_side_aborts_until_each_has_moved_once(node: Node) -> None:
    for moves, who in (([], 0), (["e2e4"], 1)):
        people = await node.members(2)
        info = await chess(node, *people)
        for seat, move in enumerate(moves, 1):
            await play(node.tables, info.id, seat, Move(move))
        await node.tables.aborting.abort(info.id, people[who])
        info = await node.tables.read_info(info.id)
        assert (info.status, info.is_void) == ("over", True)
        assert info.result == Void("aborted").result
        standing = await node.club.ratings.standing(people[0], "chess", "classic")
        assert (standing.played, standing.lost, standing.rated) == (0, 0, 0)
        with pytest.raises(Over):
            await node.tables.aborting.abort(info.id, people[who])
    assert await node.store.rows(Query(select(outcome))) == []


async def test_after_that_one_plays_or_resigns(node: Node) -> None:
    first, second, other = await node.members(3)
    info = await chess(node, first, second)
    await play(node.tables, info.id, 1, Move("e2e4"))
    await play(node.tables, info.id, 2, Move("e7e5"))
    with pytest.raises(Started) as refusal:
        await node.tables.aborting.abort(info.id, first)
    assert "abandonner" in refusal.value.sentence("fr")
    with pytest.raises(NotSeated):
        await node.tables.aborting.abort(info.id, other)
    assert (await node.tables.read_info(info.id)).status == "running"


async def test_a_board_of_a_tournament_is_not_aborted(node: Node) -> None:
    first, second = await node.members(2)
    plan = TablePlan("chess", "classic", {}, door="tournament", people=(first, second))
    info = await node.tables.creating.create(plan)
    with pytest.raises(Started, match="of a tournament"):
        await node.tables.aborting.abort(info.id, first)
    chair = await node.tables.chair(info.id, 1, first)
    assert not chair.is_abortable


async def test_a_second_move_that_comes_first_keeps_the_game(node: Node) -> None:
    first, second = await node.members(2)
    info = await chess(node, first, second)
    await play(node.tables, info.id, 1, Move("e2e4"))
    outcomes: tuple[Any, ...] = await asyncio.gather(
        play(node.tables, info.id, 2, Move("e7e5")),
        node.tables.aborting.abort(info.id, first),
        return_exceptions=True,
    )
    failed = [each for each in outcomes if isinstance(each, Exception)]
    assert [isinstance(each, Started | Over) for each in failed] == [True]


async def test_an_aborted_game_is_aborted_after_a_restart_too(open_node: Opener) -> None:
    node = await open_node(games=GAMES)
    first, second = await node.members(2)
    info = await chess(node, first, second)
    await node.tables.aborting.abort(info.id, second)
    await node.crash()
    again = await open_node(games=GAMES)
    assert (await again.tables.open(info.id)).is_over


async def test_at_a_larger_table_who_made_it_aborts(open_node: Opener) -> None:
    rules = ArenaRules()
    node = await open_node(games={("arena", rules.variant): rules})
    people = await node.members(3)
    info = await node.tables.creating.create(
        TablePlan("arena", rules.variant, {}, people[0], people=people, seats=3)
    )
    with pytest.raises(NotHost):
        await node.tables.aborting.abort(info.id, people[1])
    await node.tables.aborting.abort(info.id, people[0])
    assert (await node.tables.read_info(info.id)).is_void
