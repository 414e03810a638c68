"""The promise of the house: nothing that anybody was told is ever lost, whatever is killed, and when."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.faults.crowd import Crowd
from tests.faults.ledger import audit
from tests.faults.miners import Seen
from tests.kit.process import House
from tests.kit.waiting import until

MANY = ("--accounts-an-hour", "1000000", "--minehive-matches-each", "1000")
"""The miners all come from one address, and one of them makes their matches."""


async def kill_and_restart(house: House, seen: Seen, rng: random.Random, joining: int) -> None:
    """Once people play again, strike at a moment nobody can foresee."""
    clicks, joins = seen.clicks, seen.joins
    await until(lambda: seen.clicks > clicks + 300 and seen.joins > joins + joining, "the miners to play")
    await asyncio.sleep(rng.uniform(0, 0.5))
    await asyncio.to_thread(house.kill)
    await asyncio.to_thread(house.start)


@pytest.mark.parametrize(("kills", "miners"), [(2, 16), pytest.param(20, 100, marks=pytest.mark.long)])
async def test_nothing_told_is_lost_when_the_server_is_killed_again_and_again(
    kills: int, miners: int, tmp_path: Path, database_url: str, closing: ExitStack
) -> None:
    house = House(tmp_path / "data", "--database", database_url, "--no-demo", *MANY)
    closing.callback(house.close)
    house.start()
    seen = Seen()
    crowd = Crowd(seen, 1, [house.minehive], miners=miners)
    rng = random.Random(1)
    for _ in range(kills):
        await kill_and_restart(house, seen, rng, joining=miners * 3 // 4)
    ended = len(seen.finals)
    await until(
        lambda: len(seen.finals) > ended and seen.opened > 1000, "a match to end after the last restart"
    )
    await crowd.go_home()
    assert await asyncio.to_thread(house.stop) == 0
    faults = await asyncio.to_thread(audit, database_url, seen)
    print(
        f"{kills} kills, {seen.clicks} clicks, {seen.joins} joins, {seen.opened} squares seen in "
        f"{len(seen.squares)} matches, {len(seen.finals)} of them seen to the end"
    )
    assert faults == []
    assert seen.opened > 1000


async def test_nothing_told_is_lost_or_doubled_when_host_processes_and_their_server_are_killed(
    tmp_path: Path, closing: ExitStack
) -> None:
    database = f"sqlite:///{tmp_path / 'tablee.sqlite'}"
    house = House(
        tmp_path / "data", "--database", database, "--no-demo", "--minehive-hosts", "process", *MANY
    )
    closing.callback(house.close)
    house.start()
    seen = Seen()
    crowd = Crowd(seen, 3, [house.minehive], miners=12)
    rng = random.Random(3)
    for _ in range(2):
        await until(lambda: bool(seen.finals) and bool(house.children()), "host processes at work")
        os.kill(rng.choice(house.children()), signal.SIGKILL)
        await kill_and_restart(house, seen, rng, joining=9)
    ended = len(seen.finals)
    await until(lambda: len(seen.finals) > ended, "a match to end after the last restart")
    await crowd.go_home()
    assert await asyncio.to_thread(house.stop) == 0
    assert await asyncio.to_thread(audit, database, seen) == []
    assert seen.opened > 300


@pytest.mark.parametrize("bus", ["postgresql", "redis"])
async def test_two_nodes_tell_the_same_facts_and_one_goes_on_when_the_other_is_killed(
    bus: str, tmp_path: Path, postgres_url: str, closing: ExitStack, request: pytest.FixtureRequest
) -> None:
    options = ["--database", postgres_url, "--no-demo", *MANY]
    if bus == "redis":
        options += ["--redis", request.getfixturevalue("redis_url")]
    houses = [House(tmp_path / name, *options) for name in ("east", "west")]
    for house in houses:
        closing.callback(house.close)
        house.start()
    seen = Seen()
    east, west = houses
    doors = [lambda: east.minehive() or west.minehive(), west.minehive]
    crowd = Crowd(seen, 2, doors, miners=24, pause=0.02)

    def shared() -> set[str]:
        """The matches that run now and in which players of both nodes have opened squares."""
        return {
            match
            for match, squares in seen.squares.items()
            if match not in seen.finals and {int(name[5:]) % 2 for _, _, name in squares.values()} == {0, 1}
        }

    await until(lambda: bool(seen.finals) and len(shared()) >= 2, "matches with players of both nodes")
    await asyncio.to_thread(east.kill)
    running = shared()
    await until(lambda: running <= set(seen.finals), "the matches to end at the other node")
    await crowd.go_home()
    assert await asyncio.to_thread(west.stop) == 0
    assert await asyncio.to_thread(audit, postgres_url, seen) == []
