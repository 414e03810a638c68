"""The promise of the house: nothing that anybody was told is ever lost, whatever is killed, and when."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.faults.ledger import audit
from tests.faults.miners import Address, Miner, Scout, Seen
from tests.houses import House

MINERS = 100
Doors = Callable[[], Address | None]


@pytest.fixture
def closing() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class Crowd:
    """A hundred miners at work, each at a door of his own choice."""

    def __init__(self, seen: Seen, seed: int, doors: list[Doors], pause: float = 0) -> None:
        gate = asyncio.Lock()
        scouts = [Scout(f"scout{n}", door) for n, door in enumerate(doors)]
        self._miners = [
            Miner(
                f"miner{n}",
                doors[n % len(doors)],
                seen,
                random.Random(f"{seed}/{n}"),
                gate,
                scouts[n % len(doors)],
                pause,
            )
            for n in range(MINERS)
        ]
        self._tasks = [asyncio.create_task(miner.live()) for miner in self._miners]
        self._scouts = scouts

    async def go_home(self) -> None:
        for miner in self._miners:
            miner.stopping = True
        _, late = await asyncio.wait(self._tasks, timeout=20)
        for task in late:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for scout in self._scouts:
            scout.leave()
        for task in self._tasks:
            if not task.cancelled() and (error := task.exception()):
                raise error


async def until(is_true: Callable[[], bool], what: str, patience: float = 60) -> None:
    for _ in range(int(patience / 0.01)):
        if is_true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"waited {patience:g} s in vain for {what}")


async def kill_and_restart(house: House, seen: Seen, rng: random.Random) -> None:
    """Once people play again, strike at a moment nobody can foresee."""
    clicks, joins = seen.clicks, seen.joins
    await until(lambda: seen.clicks > clicks + 300 and seen.joins > joins + 30, "the miners to play")
    await asyncio.sleep(rng.uniform(0, 0.5))
    await asyncio.to_thread(house.kill)
    await asyncio.to_thread(house.start)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("times", [pytest.param(20, id="20 kills")])
async def test_nothing_told_is_lost_when_the_server_is_killed(
    times: int, tmp_path: Path, database_url: str, closing: ExitStack
) -> None:
    house = House(tmp_path / "data", "--database", database_url, "--no-demo")
    closing.callback(house.close)
    house.start()
    seen = Seen()
    crowd = Crowd(seen, 1, [house.minehive])
    rng = random.Random(1)
    for _ in range(times):
        await kill_and_restart(house, seen, rng)
    ended = len(seen.finals)
    await until(lambda: len(seen.finals) > ended, "a match to end after the last restart")
    await crowd.go_home()
    assert await asyncio.to_thread(house.stop) == 0
    faults = await asyncio.to_thread(audit, database_url, seen)
    squares = sum(len(found) for found in seen.squares.values())
    print(
        f"{times} kills, {seen.clicks} clicks, {seen.joins} joins, {squares} squares seen in "
        f"{len(seen.squares)} matches, {len(seen.finals)} of them seen to the end"
    )
    assert faults == []
    assert squares > 1000


@pytest.mark.timeout(300)
@pytest.mark.parametrize("bus", ["postgresql", "redis"])
async def test_two_nodes_tell_the_same_facts_and_one_goes_on_when_the_other_is_killed(
    bus: str, tmp_path: Path, postgres_url: str, closing: ExitStack, request: pytest.FixtureRequest
) -> None:
    options = ["--database", postgres_url, "--no-demo"]
    if bus == "redis":
        options += ["--redis", request.getfixturevalue("redis_url")]
    houses = [House(tmp_path / name, *options) for name in ("east", "west")]
    for house in houses:
        closing.callback(house.close)
        house.start()
    seen = Seen()
    east, west = houses
    crowd = Crowd(seen, 2, [lambda: east.minehive() or west.minehive(), west.minehive], pause=0.05)

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
