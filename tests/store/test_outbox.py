"""Errands are run once their transaction is durable, again if they fail, and by one node at a time."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select
from tests.kit.waiting import as_time_passes, until

from tablee.clock import HandClock
from tablee.store import Errand, GiveUp, Outbox, Query, Store, Unit, errand, open_store
from tablee.store.outbox import FIRST_WAIT, LEASE, LONGEST_WAIT, LOOK_EVERY, TRIED_FOR
from tablee.store.schema import outbox

ROWS = Query(
    select(outbox.c.due_at, outbox.c.tries, outbox.c.done_at, outbox.c.error, outbox.c.payload).order_by(
        outbox.c.id
    )
)


async def post(store: Store, clock: HandClock, *letters: str, whose: int | None = 3) -> None:
    writes = [await errand(store, "mail", letter, clock.now(), account_id=whose) for letter in letters]
    await store.commit(Unit(writes=writes))


class Postman:
    """Delivers, and fails as often as he is told to."""

    def __init__(self, failures: int = 0, error: Exception | None = None) -> None:
        self.delivered: list[str] = []
        self._failures = failures
        self._error = error or OSError("no route")

    async def __call__(self, task: Errand) -> None:
        await asyncio.sleep(0)
        if self._failures:
            self._failures -= 1
            raise self._error
        self.delivered.append(task.payload)


async def test_errands_are_run_in_order_and_their_content_is_forgotten(
    store: Store, clock: HandClock
) -> None:
    letters = [f'{{"n":{number}}}' for number in range(25)]
    await post(store, clock, *letters)
    postman = Postman()
    assert await Outbox(store, clock, {"mail": postman}).run_due() == 25
    assert postman.delivered == letters
    assert set(await store.rows(ROWS)) == {(None, 1, clock.now(), None, "{}")}


async def test_an_errand_that_fails_is_tried_again_later_and_later(store: Store, clock: HandClock) -> None:
    await post(store, clock, "{}")
    postman = Postman(failures=2)
    post_office = Outbox(store, clock, {"mail": postman})
    for wait in (FIRST_WAIT, 2 * FIRST_WAIT):
        assert await post_office.run_due() == 1
        (row,) = await store.rows(ROWS)
        assert (row.due_at, row.error) == (clock.now() + wait, "OSError: no route")
        assert await post_office.run_due() == 0
        await clock.advance(wait)
    assert await post_office.run_due() == 1
    assert postman.delivered == ["{}"]


async def test_an_errand_that_always_fails_is_given_up(store: Store, clock: HandClock) -> None:
    await post(store, clock, "{}")
    post_office = Outbox(store, clock, {"mail": Postman(failures=99)})
    began = clock.now()
    tried = []
    while clock.now() < began + 2 * TRIED_FOR:
        if await post_office.run_due():
            tried.append(clock.now() - began)
        await clock.advance(600_000)
    (row,) = await store.rows(ROWS)
    assert (row.due_at, row.tries, row.done_at) == (None, len(tried), None)
    assert TRIED_FOR - LONGEST_WAIT <= tried[-1] <= TRIED_FOR


async def test_an_errand_that_can_never_succeed_is_given_up_at_once(store: Store, clock: HandClock) -> None:
    await post(store, clock, "{}")
    await Outbox(store, clock, {"mail": Postman(1, GiveUp("no such address"))}).run_due()
    (row,) = await store.rows(ROWS)
    assert (row.due_at, row.tries, row.error) == (None, 1, "no such address")


async def test_an_errand_of_another_kind_is_left_alone(store: Store, clock: HandClock) -> None:
    await post(store, clock, "{}")
    assert await Outbox(store, clock, {"webhook": Postman()}).run_due() == 0


async def test_what_a_dead_node_had_taken_is_taken_by_another(store: Store, clock: HandClock) -> None:
    await post(store, clock, "{}")

    async def dies(task: Errand) -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await Outbox(store, clock, {"mail": dies}).run_due()
    postman = Postman()
    post_office = Outbox(store, clock, {"mail": postman})
    assert await post_office.run_due() == 0
    await clock.advance(LEASE)
    assert await post_office.run_due() == 1
    assert postman.delivered == ["{}"]


async def test_two_nodes_never_run_the_same_errand(database_url: str, clock: HandClock) -> None:
    stores = [await open_store(database_url) for _ in range(2)]
    await post(stores[0], clock, *(str(number) for number in range(200)))
    postman = Postman()
    counts = await asyncio.gather(*(Outbox(store, clock, {"mail": postman}).run_due() for store in stores))
    assert sum(counts) == 200
    assert sorted(postman.delivered, key=int) == [str(number) for number in range(200)]
    for store in stores:
        await store.close()


async def test_the_outbox_looks_by_itself_and_when_woken(store: Store, clock: HandClock) -> None:
    postman = Postman()
    post_office = Outbox(store, clock, {"mail": postman})
    post_office.start()
    await post(store, clock, "1")
    post_office.wake()
    await until(lambda: postman.delivered == ["1"], "the first errand was run")
    await post(store, clock, "2")
    await as_time_passes(clock, lambda: len(postman.delivered) == 2, step=LOOK_EVERY, what="the second")
    await post_office.stop()
    assert postman.delivered == ["1", "2"]


@pytest.mark.parametrize("whose", [7, None])
async def test_errands_of_one_account_that_take_their_time_keep_nobody_elses_waiting(
    store: Store, clock: HandClock, whose: int | None
) -> None:
    goes_on = asyncio.Event()
    begun: list[str] = []
    done: list[str] = []

    async def slow_for_one(task: Errand) -> None:
        begun.append(task.payload)
        if task.account_id == 3:
            await goes_on.wait()
        done.append(task.payload)

    post_office = Outbox(store, clock, {"mail": slow_for_one})
    await post(store, clock, *(f"slow {number}" for number in range(60)))
    post_office.start()
    await until(lambda: bool(begun), "the slow ones are being run")
    await post(store, clock, *(f"quick {number}" for number in range(30)), whose=whose)
    post_office.wake()
    await until(lambda: len(done) == 30, "the others are done, while not one of the slow ones is")
    assert not [text for text in done if text.startswith("slow")]
    goes_on.set()
    await until(lambda: len(done) == 90, "the slow ones have their turn, too")
    await post_office.stop()


async def test_an_errand_that_is_being_run_when_the_house_ends_is_finished(
    store: Store, clock: HandClock
) -> None:
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def slow(task: Errand) -> None:
        begun.set()
        await goes_on.wait()

    post_office = Outbox(store, clock, {"mail": slow})
    await post(store, clock, "1")
    post_office.start()
    await begun.wait()
    ending = asyncio.create_task(post_office.stop())
    await asyncio.sleep(0)
    goes_on.set()
    await ending
    (row,) = await store.rows(ROWS)
    assert (row.done_at, row.due_at) == (clock.now(), None)
