"""What a master changes in a running game is changed whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.kit.playing import play
from tests.tables.conftest import Node, Opener

from tablee.rules import GAMES
from tablee.rules.contract import Illegal
from tablee.rules.diplomacy.game import ChangeOptions, DiplomacyOptions
from tablee.store import Unavailable, Unit
from tablee.tables import HouseTable, NameTaken, TablePlan, Terms, Way, rows
from tablee.tables.mastering import Change

MASTERED = Terms(mastered=True)
WANTED = Change(name="Automne", options={"minutes": 30}, terms={"silent": True})


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node(games=GAMES)


async def game(node: Node, name: str = "Printemps") -> HouseTable:
    """A running game of two, by dates, with a master."""
    master, *players = await node.people(3)
    options = {"sharing": "any", "calendar": True}
    info = await node.tables.creating.create(
        TablePlan("diplomacy", "lagune", options, master, terms=MASTERED, name=name, unique_name=True)
    )
    for each in players:
        await node.tables.sitting.join(info.id, each, Way(by=master))
    return await node.tables.creating.start(info.id, master)


async def change(node: Node, info: HouseTable, wanted: Change = WANTED) -> None:
    assert info.host_id is not None
    await node.tables.mastering.change(info.id, info.host_id, wanted)


def minutes(node: Node, info: HouseTable) -> int:
    state: Any = node.tables.loaded[info.id].state
    return int(state.options.minutes)


def is_change(unit: Unit) -> bool:
    return any(write.query is rows.CHANGE_RUNNING for write in unit.writes)


async def test_the_play_of_a_master_and_the_terms_are_one_transaction(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = await game(node)
    seen: list[Unit] = []
    submit = node.store.submit

    def watched(unit: Unit, done: Callable[[Exception | None], None]) -> None:
        seen.append(unit)
        submit(unit, done)

    monkeypatch.setattr(node.store, "submit", watched)
    await change(node, info)
    [written] = [unit for unit in seen if unit.appends or is_change(unit)]
    assert written.appends
    assert is_change(written)
    kept = await node.tables.read_info(info.id)
    assert (kept.name, kept.options["minutes"], kept.terms.silent) == ("Automne", 30, True)
    assert node.tables.loaded[info.id].info == kept
    assert minutes(node, info) == 30


async def test_what_the_database_does_not_take_changes_neither(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = await game(node)
    submit = node.store.submit

    def broken(unit: Unit, done: Callable[[Exception | None], None]) -> None:
        if is_change(unit):
            done(Unavailable("the line is cut"))
        else:
            submit(unit, done)

    monkeypatch.setattr(node.store, "submit", broken)
    with pytest.raises(Unavailable):
        await change(node, info)
    monkeypatch.undo()
    live = await node.tables.open(info.id)
    assert (live.info.name, live.info.terms) == ("Printemps", MASTERED)
    assert (live.seq, minutes(node, info)) == (1, 0)
    await change(node, info)
    assert (live.info.name, minutes(node, info)) == ("Automne", 30)


async def test_a_name_that_is_taken_leaves_the_game_as_it_was(node: Node) -> None:
    await game(node, "Automne")
    info = await game(node)
    with pytest.raises(NameTaken):
        await change(node, info)
    assert minutes(node, info) == 0
    kept = await node.tables.read_info(info.id)
    assert (kept.name, kept.terms) == ("Printemps", MASTERED)


async def test_options_that_the_game_refuses_leave_the_terms_as_they_were(node: Node) -> None:
    info = await game(node)
    with pytest.raises(Illegal, match="option_fixed"):
        await change(node, info, Change(name="Automne", options={"sharing": "none"}))
    assert (await node.tables.read_info(info.id)).name == "Printemps"


async def test_options_and_the_deadline_of_the_phase_are_changed_by_one_action(node: Node) -> None:
    info = await game(node)
    live = await node.tables.open(info.id)
    state: Any = live.state
    later = state.deadline + 86_400_000
    chosen = DiplomacyOptions(sharing="any", calendar=True, moves_days=5)
    await play(node.tables, info.id, 0, ChangeOptions(chosen, later))
    state = live.state
    assert (state.options, state.deadline, live.seq) == (chosen, later, 2)
    with pytest.raises(Illegal, match="no_calendar"):
        await play(node.tables, info.id, 0, ChangeOptions(DiplomacyOptions(sharing="any"), later + 1))
    assert live.seq == 2
