"""Whoever asks much at once is answered in turns, and others are not kept waiting by it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.kit.web import House

from tablee.doors.web.house import AT_ONCE
from tablee.tables.creating import Creating
from tablee.tables.lobby import Lobby


class Counted:
    """How many are at something, and how many were at most."""

    def __init__(self) -> None:
        self.now = self.most = self.all = 0

    def around(self, work: Any) -> Any:
        async def counted(*given: Any, **named: Any) -> Any:
            self.now += 1
            self.all += 1
            self.most = max(self.most, self.now)
            try:
                await asyncio.sleep(0.01)  # whoever is let in meanwhile comes
                return await work(*given, **named)
            finally:
                self.now -= 1

        return counted


async def test_looks_at_the_hall_and_new_tables_of_one_network_are_a_few_at_a_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted()
    monkeypatch.setattr(Lobby, "listing", counted.around(Lobby.listing))
    monkeypatch.setattr(Creating, "create", counted.around(Creating.create))
    people = [await house.member() for _ in range(6)]
    table = {"game": "chess", "variant": "classic"}
    answers = await asyncio.gather(
        *(guest.ask("GET", "/tables") for guest in people for _ in range(3)),
        *(guest.ask("POST", "/tables", table) for guest in people),
    )
    assert {answer.status_code for answer in answers} == {200, 201}
    assert counted.all == 24
    assert counted.most == AT_ONCE
