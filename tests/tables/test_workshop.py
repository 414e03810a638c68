"""The workshop: one question after another, and no more waiting than may."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tablee.club.errors import TooMany
from tablee.tables.workshop import Workshop


async def test_questions_are_worked_out_one_at_a_time() -> None:
    workshop = Workshop()
    at_work: list[int] = []
    most: list[int] = []

    def work() -> int:
        at_work.append(1)
        most.append(len(at_work))
        at_work.pop()
        return threading.get_ident()

    threads = await asyncio.gather(*(workshop.work_out(work) for _ in range(20)))
    assert (len(set(threads)), max(most)) == (1, 1)
    assert threading.get_ident() not in threads
    workshop.close()


async def test_where_too_many_wait_the_next_is_told_to_come_again() -> None:
    workshop, go_on = Workshop(waiting=2), threading.Event()
    waiting = [asyncio.ensure_future(workshop.work_out(go_on.wait)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(TooMany):
        await workshop.work_out(go_on.wait)
    go_on.set()
    assert await asyncio.gather(*waiting) == [True, True]
    assert await workshop.work_out(lambda: 3) == 3
    workshop.close()


async def test_what_goes_wrong_there_is_raised_to_who_asked() -> None:
    workshop = Workshop()
    with pytest.raises(ZeroDivisionError):
        await workshop.work_out(lambda: 1 // 0)
    workshop.close()
