"""Of two tables that a spectator cannot tell apart, webhooks are told the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select
from tests.conformance.test_doors import CASES, WEB_SPECTATOR
from tests.conformance.twins import Case, keep, played
from tests.kit.playing import play
from tests.kit.rooms import Rooms

from tablee.clock import HandClock
from tablee.club.webhooks.book import EVENTS
from tablee.store import Query
from tablee.store.schema import announcement

_TOLD = Query(select(announcement.c.at, announcement.c.content).order_by(announcement.c.seq))


async def told_of_both(case: Case, folder: Path) -> list[list[tuple[object, ...]]]:
    """What a webhook is told when somebody acts, in each of two houses, the second with the twin."""
    house = await Rooms.open(folder / "first.sqlite", HandClock())
    twins = await played(house, case)
    await keep(house, case, twins, folder)
    both = []
    for name in ("one", "other"):
        house = await Rooms.open(folder / f"{name}.sqlite", HandClock())
        try:
            await house.club.webhooks.add(twins.table, 1, "generic", "https://exemple.invalid/", "fr", EVENTS)
            live = await house.tables.open(twins.table)
            live.is_by_days = True  # the most that is ever told of a game
            await play(house.tables, twins.table, twins.actor, twins.action, "act")
            both.append([tuple(row) for row in await house.store.rows(_TOLD)])
        finally:
            await house.close()
    return both


@pytest.mark.parametrize("case", WEB_SPECTATOR, ids=str)
async def test_webhooks_are_told_the_same_of_states_that_a_spectator_cannot_tell_apart(
    case: Case, tmp_path: Path
) -> None:
    one, other = await told_of_both(case, tmp_path)
    assert one == other
    # Of sealed orders nothing is told at all; of Dark chess, that somebody has moved.
    assert bool(one) is (case.rules.name != "diplomacy")


def test_every_game_is_looked_at_from_outside() -> None:
    assert {case.rules.name for case in WEB_SPECTATOR} == {case.rules.name for case in CASES}
