"""When somebody was here before: the same for as long as a visit lasts, whatever he opens and loads anew."""

from __future__ import annotations

from tablee.clock import HandClock
from tablee.club import Club
from tablee.club.visits import AWAY_FOR, DAY, FIRST_LOOK_BACK, MINUTE, NOTED_EVERY, Visits
from tablee.store import Store

WHO = 7


async def seen(visits: Visits, store: Store) -> None:
    """Somebody is seen; what is written after it is written later."""
    visits.seen(WHO)
    await store.new_id("visit-test", block=1)


async def test_who_was_never_here_looks_back_a_week(club: Club, clock: HandClock) -> None:
    visits = Visits(club.store, clock)
    first = await visits.last(WHO)
    assert clock.now() - first < (FIRST_LOOK_BACK + 1) * DAY
    await clock.advance(MINUTE)
    assert await visits.last(WHO) == first
    await seen(visits, club.store)
    assert await visits.last(WHO) == first


async def test_a_page_that_is_loaded_anew_and_a_second_one_are_the_same_visit(
    club: Club, clock: HandClock
) -> None:
    visits, another_node = Visits(club.store, clock), Visits(club.store, clock)
    await seen(visits, club.store)
    ended = clock.now()
    await clock.advance(AWAY_FOR + DAY)
    assert await visits.last(WHO) == ended  # before anything is noted of the new visit
    for _ in range(20):
        await seen(visits, club.store)
        await seen(another_node, club.store)
        assert await visits.last(WHO) == ended
        await clock.advance(NOTED_EVERY)


async def test_half_an_hour_away_ends_a_visit(club: Club, clock: HandClock) -> None:
    visits = Visits(club.store, clock)
    await seen(visits, club.store)
    first = clock.now()
    await clock.advance(AWAY_FOR)
    await seen(visits, club.store)
    assert await visits.last(WHO) < first
    second = clock.now()
    await clock.advance(AWAY_FOR + 1)
    await seen(visits, club.store)
    assert await visits.last(WHO) == second


async def test_being_seen_all_the_time_is_written_now_and_then(club: Club, clock: HandClock) -> None:
    visits = Visits(club.store, clock)
    await seen(visits, club.store)
    at = clock.now()
    await clock.advance(NOTED_EVERY - 1)
    await seen(visits, club.store)
    await clock.advance(AWAY_FOR - NOTED_EVERY + 2)
    assert await visits.last(WHO) == at
