"""A round is published once, though the node that publishes it is killed at any moment."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.kit.http import NO_CERTIFICATES
from tests.kit.process import House
from tests.kit.rooms import PASSWORD, Rooms
from tests.kit.waiting import PATIENCE

from tablee.clock import WallClock
from tablee.tournaments.office import Tournaments
from tablee.tournaments.plan import Plan

PLAN = Plan("Championnat", "diplomacy", "standard", "boards", 2)


async def drafted(data: Path, entrants: int) -> tuple[int, int]:
    """A house with a tournament whose first round is drafted; its number and the draft's version."""
    rooms = await Rooms.open(f"sqlite:///{data / 'tablee.sqlite'}", WallClock())
    office = Tournaments(rooms.tables)
    organiser = await rooms.club.accounts.create("Organisatrice", PASSWORD, counted=False)
    number = await office.create(organiser, PLAN)
    await office.announce(organiser, number)
    for each in range(1, entrants + 1):
        member = await rooms.club.accounts.create(f"Joueur{each}", PASSWORD, counted=False)
        await office.enter(member, number)
    await office.begin(organiser, number)
    state = await office.pair(organiser, number)
    await rooms.close()
    return number, state.draft_version


def signed_in(house: House) -> httpx.Client:
    host, port = house.address("http")
    client = httpx.Client(base_url=f"http://{host}:{port}/api/v1", timeout=PATIENCE, verify=NO_CERTIFICATES)
    answer = client.post("/session", json={"name": "Organisatrice", "password": PASSWORD})
    client.headers["Authorization"] = f"Bearer {answer.json()['access']}"
    return client


def published(client: httpx.Client, number: int, version: int) -> Any:
    body = {"version": version, "request_id": "once"}
    return client.post(f"/tournaments/{number}/rounds/1/publish", json=body)


def killed_while_publishing(house: House, number: int, version: int, after: float) -> None:
    house.start()
    client = signed_in(house)

    def publish() -> None:
        with suppress(httpx.HTTPError):  # its connection dies with the house
            published(client, number, version)

    asking = threading.Thread(target=publish)
    asking.start()
    threading.Event().wait(after)  # the moment of the kill is the chance that this test takes
    house.kill()
    asking.join(PATIENCE)
    client.close()


def trial(folder: Path, pattern: Path, number: int, version: int, entrants: int, after: float) -> None:
    data = folder / f"after-{after:.3f}"
    shutil.copytree(pattern, data)
    house = House(data, "--log-format", "json")
    try:
        killed_while_publishing(house, number, version, after)
        house.start()
        with closing(signed_in(house)) as client:
            answer = published(client, number, version)
            assert answer.status_code == 200, answer.text
            [made] = client.get(f"/tournaments/{number}/rounds").json()["rounds"]
        house.stop()
    finally:
        house.close()
    seated = [account for board in made["boards"] for account in board["seats"]]
    assert len(seated) == len(set(seated)) == entrants
    with closing(sqlite3.connect(data / "tablee.sqlite")) as base:
        tables = base.execute("SELECT id FROM game_table WHERE door = 'tournament'").fetchall()
        seats = base.execute(
            "SELECT account_id FROM seat JOIN game_table ON id = table_id WHERE door = 'tournament'"
        ).fetchall()
        told = base.execute(
            "SELECT account_id FROM notice WHERE kind = 'tournament' AND about LIKE '%\"paired\"%'"
        ).fetchall()
    assert sorted(row[0] for row in tables) == sorted(board["table"] for board in made["boards"])
    assert sorted(row[0] for row in seats) == sorted(row[0] for row in told) == sorted(seated)


@pytest.mark.parametrize(
    ("entrants", "kills"), [(70, 3), pytest.param(1_050, 20, marks=pytest.mark.long, id="150 tables")]
)
def test_one_set_of_tables_though_the_publishing_node_is_killed(
    entrants: int, kills: int, tmp_path: Path
) -> None:
    pattern = tmp_path / "pattern"
    pattern.mkdir()
    number, version = asyncio.run(drafted(pattern, entrants))
    chance = Random(entrants)
    for _ in range(kills):
        trial(tmp_path, pattern, number, version, entrants, chance.uniform(0, entrants / 350))
