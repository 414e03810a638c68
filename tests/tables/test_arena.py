"""Arena of Titans at a table: turns that run out of time, a robot that stands in, arenas of a club's own."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener

from tablee.clock import HandClock
from tablee.rules.arena import ArenaRules
from tablee.rules.arena.exporting import export
from tablee.rules.arena.loading import load_ours
from tablee.rules.arena.model import Pass, TakeOver
from tablee.rules.contract import Illegal
from tablee.tables import LoadedTable, NoSuchGame, TablePlan, Way
from tablee.tables.clocks import NoClock, PerMove
from tablee.tables.club_files import LOOK_EVERY, ClubFiles

GAMES: dict[tuple[str, str], Any] = {
    ("arena", "standard"): ArenaRules(),
    ("arena", "crown"): ArenaRules("crown"),
}


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node(games=GAMES)


async def arena(
    node: Node, people: int = 2, robots: int = 0, variant: str = "standard", **more: Any
) -> LoadedTable:
    """A running table with so many people and robots."""
    accounts = await node.people(people)
    more.setdefault("time_control", None)
    info = await node.tables.creating.create(
        TablePlan(
            "arena", variant, {}, accounts[0], seats=people + robots, robots=["strong"] * robots, **more
        )
    )
    for account in accounts[1:]:
        await node.tables.sitting.join(info.id, account, Way(invitation=info.invitation))
    return await node.tables.open(info.id)


def turn(live: LoadedTable) -> int:
    return int(live.view(1).turn)


async def test_a_turn_lasts_ninety_seconds_and_is_then_passed(node: Node, clock: HandClock) -> None:
    live = await arena(node)
    assert live.info.time_control == PerMove(90)
    first = turn(live)
    await clock.advance(89_000)
    assert turn(live) == first
    await clock.advance(2_000)
    await until(lambda: turn(live) != first)
    state: Any = live.state
    assert state.player(first).passed == 1


async def test_after_four_turns_a_robot_goes_on_until_the_player_is_back(
    node: Node, clock: HandClock
) -> None:
    live = await arena(node)
    sleeper = turn(live)
    other = 3 - sleeper
    for _ in range(4):
        await clock.advance(91_000)
        await until(lambda: turn(live) == other)
        await play(node.tables, live.info.id, other, Pass(), f"pass {live.version(other)}")
    assert live.view(other).players[sleeper].robot is True
    while turn(live) == sleeper:
        before = live.version(other)
        await clock.advance(1_600)
        await until(lambda: live.version(other) != before)  # noqa: B023
    assert live.view(other).players[sleeper].robot is True
    assert live.view(other).players[sleeper].played
    await play(node.tables, live.info.id, sleeper, TakeOver(), "back")
    assert live.view(other).players[sleeper].robot is False


async def test_one_person_plays_a_whole_game_with_three_robots(node: Node, clock: HandClock) -> None:
    live = await arena(node, people=1, robots=3, time_control=NoClock())
    rng = Random(3)
    for step in range(2_000):
        if live.is_over:
            break
        if turn(live) == 1:
            view, legal = live.view(1), live.legal(1)
            action = live.rules.robots["greedy"].choose(view, legal, rng)
            assert action is not None
            await play(node.tables, live.info.id, 1, action, str(step))
        else:
            before = live.version(1)
            await clock.advance(30)
            await until(lambda: live.version(1) != before or live.is_over)  # noqa: B023
    assert live.is_over
    state: Any = live.state
    assert sorted(player.rank for player in state.players) == [1, 2, 3, 4]


def own(name: str = "Notre arène") -> str:
    return json.dumps({name: export(load_ours("crossroads"))})


async def test_a_description_in_the_data_folder_is_offered_without_a_restart(
    node: Node, clock: HandClock, tmp_path: Path
) -> None:
    files = ClubFiles(tmp_path, node.tables, clock)
    await files.read()
    assert set(node.tables.games) == set(GAMES)
    files.start()
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "club.json").write_text(own())

    async def look() -> None:
        await clock.advance(LOOK_EVERY + 1)

    for _ in range(50):
        await look()
        if ("arena", "Notre arène") in node.tables.games:
            break
    live = await arena(node, variant="Notre arène")
    assert live.view(1).players[1].cards == 5
    await files.stop()


async def test_a_game_goes_on_when_its_description_is_changed_or_taken_away(
    open_node: Opener, clock: HandClock, tmp_path: Path
) -> None:
    node = await open_node(games=GAMES)
    (tmp_path / "arena").mkdir()
    file = tmp_path / "arena" / "club.json"
    file.write_text(own())
    files = ClubFiles(tmp_path, node.tables, clock)
    await files.read()
    live = await arena(node, variant="Notre arène")
    waiting = await node.tables.creating.create(
        TablePlan("arena", "Notre arène", {}, (await node.people(1))[0], seats=2)
    )
    text = live.view(1).description
    file.write_text(json.dumps({"Notre arène": export(load_ours("crown"))}))
    await files.read()
    await play(node.tables, live.info.id, turn(live), Pass(), "one")
    assert live.view(1).description == text
    file.unlink()
    await files.read()
    with pytest.raises(NoSuchGame):
        await arena(node, variant="Notre arène")

    again = await open_node(games=GAMES)
    there = await again.tables.open(live.info.id)
    assert there.view(1).description == text
    before = turn(there)
    await play(again.tables, live.info.id, before, Pass(), "two")
    assert turn(there) != before
    await again.tables.sitting.join(
        waiting.id, (await again.people(1))[0], Way(invitation=waiting.invitation)
    )
    assert (await again.tables.info(waiting.id)).status == "open"
    with pytest.raises(Illegal, match="description_gone"):
        await again.tables.creating.start(waiting.id)


async def test_what_cannot_be_offered_is_left_out_and_the_rest_is_there(
    node: Node, clock: HandClock, tmp_path: Path
) -> None:
    description = export(load_ours("crossroads"))
    files = ClubFiles(tmp_path, node.tables, clock)
    tmp_path /= "arena"
    tmp_path.mkdir()
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text(json.dumps({"bad": {**description, "colors": []}}))
    (tmp_path / "c.json").write_bytes(b"\xff\xfe")
    (tmp_path / "d.json").write_text(json.dumps({"Standard": description, "../x": description}))
    (tmp_path / "e.json").write_text(json.dumps({"Ours": description}))
    (tmp_path / "f.json").write_text(json.dumps({"ours": description}))
    (tmp_path / "mine.json").write_text(json.dumps(description))
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "g.json").mkdir()
    await files.read()
    assert set(node.tables.games) - set(GAMES) == {("arena", "Ours"), ("arena", "mine")}
    (tmp_path / "e.json").unlink()
    await files.read()
    assert set(node.tables.games) - set(GAMES) == {("arena", "ours"), ("arena", "mine")}
    rules = node.tables.games["arena", "mine"]
    assert rules.words("fr")["name.mine"] == "Arena of Titans\u00a0: mine"
