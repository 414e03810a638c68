"""Six games against visitors who leave, which once made a member worth 2176, change nothing."""

from __future__ import annotations

import pytest
from tests.kit.playing import play
from tests.tables.conftest import Node, Opener
from tests.tables.test_chess import GAMES

from tablee.club.points import points_of
from tablee.rules.chess import Move
from tablee.tables import TablePlan


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node(games=GAMES)


async def test_a_member_earns_nothing_against_visitors_who_leave(node: Node) -> None:
    tables, ratings = node.tables, node.club.ratings
    [member] = await node.members(1)
    for _ in range(6):
        visitor = (await node.club.accounts.create_visitor()).id
        plan = TablePlan("chess", "classic", {"sides": "first"}, member, rated=True, people=[member])
        info = await tables.creating.create(plan)
        await tables.sitting.join(info.id, visitor)
        info = await tables.read_info(info.id)
        assert info.unrated == "members", "it is said before and while one plays"
        await play(tables, info.id, 1, Move("e2e4"))
        await play(tables, info.id, 2, Move("e7e5"))
        await tables.sitting.leave(info.id, visitor)
        assert (await tables.read_info(info.id)).status == "over"
    standing = await ratings.standing(member, "chess", "classic")
    assert (standing.rating, standing.margin, standing.rated) == (1500, 1000, 0)
    assert (standing.played, standing.won) == (6, 6)
    for variant in ("classic", None):
        assert await ratings.ranking("chess", variant) == []
    games = await ratings.finished(member, member, None, 10)
    assert [(row.unrated, row.rating_after) for row in games] == [("members", None)] * 6
    assert await points_of(node.store, member, "chess", "classic") == 0
    # Six won against a member are six games that count.
    [other] = await node.members(1)
    for _ in range(6):
        plan = TablePlan("chess", "classic", {"sides": "first"}, member, rated=True, people=[member, other])
        info = await tables.creating.create(plan)
        assert info.unrated is None
        await tables.sitting.leave(info.id, other)
    standing = await ratings.standing(member, "chess", "classic")
    assert (standing.rated, standing.provisional) == (6, True)
    assert standing.rating > 1500
    assert [line.account_id for line in await ratings.ranking("chess", "classic")] == [member, other]
