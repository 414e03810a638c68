"""Many miners at once, and waiting for what they must bring about."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from tests.faults.miners import Address, Miner, Scout, Seen

Doors = Callable[[], Address | None]


class Crowd:
    """Miners at work, spread over the doors; `pause` is how long each thinks before a click."""

    def __init__(self, seen: Seen, seed: int, doors: list[Doors], *, miners: int, pause: float = 0) -> None:
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
            for n in range(miners)
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
