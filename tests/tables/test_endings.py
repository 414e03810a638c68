"""The end of a game: result, ratings and notices in the transaction of the last move."""

import asyncio

import pytest
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Take

from tablee.rules.contract import Result
from tablee.store import Store, Unit
from tablee.store.batch import Done
from tablee.tables import Outcome


async def finish(node: Node, table_id: int) -> None:
    await play(node.tables, table_id, 1, Take(1), "last")


async def test_the_last_move_the_result_ratings_and_notices_are_one_transaction(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await node.members(2)
    info = await node.nim(first, second, options={"matches": 1})
    units: list[Unit] = []
    submit = Store.submit

    def noted(store: Store, unit: Unit, done: Done) -> None:
        units.append(unit)
        submit(store, unit, done)

    monkeypatch.setattr(Store, "submit", noted)
    await finish(node, info.id)
    last = next(unit for unit in units if unit.appends)
    written = {write.query.statement.table.name for write in last.writes}  # type: ignore[union-attr]
    assert written >= {"game_table", "standing", "outcome", "notice", "snapshot"}


async def test_the_end_is_known_to_the_table_the_players_and_the_ranking(node: Node) -> None:
    first, second = await node.members(2)
    info = await node.nim(first, second, options={"matches": 1})
    await finish(node, info.id)
    after = await node.tables.read_info(info.id)
    assert after.status == "over"
    assert after.ended_at == node.clock.now()
    assert after.due_at is None
    assert after.result == Result({1: 1, 2: 2}, "last_match")
    winner = await node.club.ratings.standing(first, "nim", "plain")
    loser = await node.club.ratings.standing(second, "nim", "plain")
    assert winner.rating > 1500 > loser.rating
    assert (winner.won, loser.lost) == (1, 1)
    notice = (await node.club.notices.list(second))[0]
    assert (notice.kind, notice.about["rank"], notice.about["table"]) == ("game_over", 2, info.id)
    # The notice knows enough to say who won: how many played, shared the rank, and whether it counts.
    assert [notice.about[each] for each in ("of", "tied", "decided")] == [2, 1, True]


async def test_a_game_for_fun_changes_no_rating(node: Node) -> None:
    first, second = await node.people(2)
    info = await node.nim(first, second, options={"matches": 1}, rated=False)
    await finish(node, info.id)
    standing = await node.club.ratings.standing(first, "nim", "plain")
    assert (standing.rating, standing.won) == (1500, 1)


async def test_games_that_end_at_once_for_the_same_people_are_each_counted_once(node: Node) -> None:
    first, second = await node.people(2)
    tables = [await node.nim(first, second, options={"matches": 1}) for _ in range(8)]
    await asyncio.gather(*(finish(node, info.id) for info in tables))
    standing = await node.club.ratings.standing(first, "nim", "plain")
    assert (standing.played, standing.won) == (8, 8)
    for info in tables:
        assert (await node.tables.read_info(info.id)).status == "over"
        assert len(await node.store.events(info.id)) == 2


async def test_what_comes_while_the_end_is_reckoned_is_answered_after_it(node: Node) -> None:
    info = await node.nim(*await node.people(2), options={"matches": 2})
    live = await node.tables.open(info.id)
    heard: list[str] = []
    live.subscribe(lambda news: heard.extend(f"event {happened.seq}" for happened in news))
    answers: list[Outcome] = []
    live.submit(1, Take(1), "a", answers.append)
    live.submit(2, Take(1), "b", answers.append)
    live.submit(1, Take(1), "c", lambda outcome: heard.append(f"refused: {outcome.error}"))
    await until(lambda: len(heard) == 3)
    assert heard == ["event 2", "event 3", "refused: The game is over."]
    assert [outcome.error for outcome in answers] == [None, None]


async def test_a_finished_table_is_over_after_a_restart(open_node: Opener) -> None:
    node = await open_node()
    info = await node.nim(*await node.people(2), options={"matches": 1})
    await finish(node, info.id)
    await node.crash()
    again = await open_node()
    live = await again.tables.open(info.id)
    assert live.is_over
    assert live.result == Result({1: 1, 2: 2}, "last_match")
    assert (await play(again.tables, info.id, 1, Take(1), "last")).duplicate


async def test_if_the_end_cannot_be_reckoned_the_move_fails_and_may_be_sent_again(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = await node.nim(*await node.people(2), options={"matches": 1})
    with monkeypatch.context() as broken:

        async def fail(*_: object, **__: object) -> None:
            raise RuntimeError("a fault in the ratings")

        broken.setattr(node.club.ratings, "after_game", fail)
        with pytest.raises(Exception, match="could not handle"):
            await finish(node, info.id)
    live = await node.tables.open(info.id)
    assert not live.is_over
    await finish(node, info.id)
    assert live.is_over
