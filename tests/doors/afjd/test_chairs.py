"""The services sit on chairs: every fault is told, and a short absence of the database is not noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.kit.afjd import ZONE, House, checked, hold, move

from tablee.store import Unavailable, Unit

FRANCE = 2


async def test_every_fault_of_complete_orders_is_reported_though_the_table_names_the_first(
    house: House,
) -> None:
    game = await house.running()
    wrong = [move(2, 1, "par", "mos"), move(2, 1, "mar", "ber"), move(2, 2, "bre", "mid")]
    path = f"/game-orders/{game.id}"
    refused = checked(await game.player[FRANCE].ask("POST", path, role_id=FRANCE, orders=wrong), 400)
    assert refused["msg"].startswith("Failed to submit orders some may not be given : ")
    assert refused["report"].count("(invalide)") == 2
    lacking = checked(await game.player[FRANCE].ask("POST", path, role_id=FRANCE, orders=wrong[:2]), 400)
    assert lacking["report"].count("(invalide)") == 2
    assert len(lacking["report"].splitlines()) == len(refused["report"].splitlines()) + 1
    assert (await game.player[FRANCE].get(path, role_id=FRANCE))["orders"] == []


async def test_orders_given_while_the_database_is_away_are_taken_once_when_it_is_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await house.running()
    before = len(await house.store.events(game.id))
    submit, cuts = house.store.submit, [0]

    def shaky(unit: Unit, done: Callable[[Exception | None], None]) -> None:
        if unit.appends and cuts[0] < 2:
            cuts[0] += 1
            done(Unavailable("the line is cut"))
        else:
            submit(unit, done)

    monkeypatch.setattr(house.store, "submit", shaky)
    orders = [hold(2, 1, ZONE["par"]), hold(2, 1, ZONE["mar"]), hold(2, 2, ZONE["bre"])]
    await game.player[FRANCE].post(f"/game-orders/{game.id}", role_id=FRANCE, orders=orders)
    assert cuts == [2]
    assert len(await house.store.events(game.id)) == before + 1
