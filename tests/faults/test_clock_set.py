"""A house in a process of its own, on a machine whose clock is set while people play."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.kit.http import NO_CERTIFICATES
from tests.kit.process import House
from tests.kit.waiting import wait_until

HOUR = 3_600_000
SERVE = """
import sys, pathlib
from tablee.clock import WallClock
machine, offset = WallClock.machine, pathlib.Path(sys.argv.pop(1))
WallClock.machine = lambda self: machine(self) + int(offset.read_text())
from tablee.cli import main
main()
"""
"""The command as it is, on a machine whose clock is ahead by what a file says."""


@pytest.fixture
def offset(tmp_path: Path) -> Path:
    file = tmp_path / "offset"
    file.write_text("0")
    return file


@pytest.fixture
def house(tmp_path: Path, offset: Path) -> Iterator[House]:
    house = House(tmp_path / "data", "--no-demo", "--log-format", "json")
    house.program = [sys.executable, "-c", SERVE, str(offset)]
    house.start()
    yield house
    house.close()


async def test_a_game_goes_on_when_the_clock_of_the_machine_is_set(house: House, offset: Path) -> None:
    host, port = house.address("http")

    def set_clock(milliseconds: int, times: int) -> None:
        offset.write_text(str(milliseconds))
        noticed = f"the house to notice {milliseconds}"
        wait_until(lambda: house.log.read_text().count("clock_was_set") == times, noticed)

    url = f"http://{host}:{port}/api/v1"
    async with httpx.AsyncClient(base_url=url, timeout=60, verify=NO_CERTIFICATES) as client:
        visitor = (await client.post("/visitors", json={})).json()
        budget = {"kind": "budget", "seconds": 3_000}
        wanted = {"game": "chess", "variant": "classic", "robots": ["beginner"], "time_control": budget}
        bearer = {"Authorization": f"Bearer {visitor['access']}"}
        made = await client.post("/tables", json={**wanted, "rated": False}, headers=bearer)
        place = f"/tables/{made.json()['id']}"
        was = 0
        for times, ahead in enumerate((HOUR, -HOUR, 0), start=1):
            # Looked at by nobody in particular: a token that is good until a date may be over by now.
            before = (await client.get(f"{place}/view")).json()["now"]
            setting = asyncio.create_task(asyncio.to_thread(set_clock, ahead, times))
            while not setting.done():
                await asyncio.sleep(0.05)  # one address may ask so often, and no more
                looked = (await client.get(f"{place}/view")).json()
                assert looked["clocks"]["1"]["left"] > 2_000_000, "no look shows another time"
            await setting
            seen = (await client.get(f"{place}/view")).json()
            assert abs(seen["now"] - before - (ahead - was)) < HOUR // 2, "the date is the new one"
            assert seen["clocks"]["1"]["left"] > 2_000_000
            assert (await client.get(place)).json()["status"] == "running"
            was = ahead
