"""One network has so much done at a time, whatever it asks; nobody else waits for it."""

from __future__ import annotations

import asyncio

from tablee.wire.turnstile import Turnstile


class Visit:
    """Somebody who goes in, and stays until he is let go."""

    def __init__(self, turnstile: Turnstile, whose: str) -> None:
        self.is_inside = False
        self._go = asyncio.Event()
        self.task = asyncio.create_task(self._visit(turnstile, whose))

    async def _visit(self, turnstile: Turnstile, whose: str) -> None:
        async with turnstile.turn(whose):
            self.is_inside = True
            await self._go.wait()
            self.is_inside = False

    async def leave(self) -> None:
        self._go.set()
        await self.task


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_so_many_of_one_network_are_inside_and_the_next_comes_when_one_leaves() -> None:
    turnstile = Turnstile(2)
    crowd = [Visit(turnstile, "crowd") for _ in range(5)]
    other = Visit(turnstile, "other")
    await settle()
    assert [visit.is_inside for visit in crowd] == [True, True, False, False, False]
    assert other.is_inside
    await crowd[1].leave()
    await settle()
    assert [visit.is_inside for visit in crowd] == [True, False, True, False, False]
    for visit in (*crowd, other):
        await visit.leave()
    assert not turnstile._inside
    assert not turnstile._lines


async def test_who_gives_up_in_the_line_or_inside_keeps_nobody_waiting() -> None:
    turnstile = Turnstile(1)
    first, second, third, fourth = (Visit(turnstile, "crowd") for _ in range(4))
    await settle()
    second.task.cancel()
    first.task.cancel()
    await settle()
    assert third.is_inside
    await third.leave()
    fourth.task.cancel()  # at the very moment in which it is his turn
    fifth = Visit(turnstile, "crowd")
    await settle()
    assert fifth.is_inside
    await fifth.leave()
    assert not turnstile._inside
    assert not turnstile._lines
