"""Being away: absences, so many days a year, deadlines that move behind them, and a day more on request."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Any

import pytest
from tests.doors.web.mastered import Mastered, mastered_game
from tests.kit.waiting import until
from tests.kit.web import Guest, House

from tablee.tables import TablePlan
from tablee.tables.calendar import ClubCalendar

Json = Any
DAY = 86_400_000
DATED: dict[str, Any] = {"calendar": True, "moves_days": 3, "sharing": "none"}


def calendar(house: House) -> ClubCalendar:
    found = house.tables.calendar
    assert isinstance(found, ClubCalendar)
    return found


def today(house: House) -> date:
    return calendar(house).day_of(house.tables.clock.now())


async def away(guest: Guest, first: date, last: date) -> Json:
    body = {"first": first.isoformat(), "last": last.isoformat()}
    return await guest.post("/account/absences", body, status=201)


def days(number: int) -> timedelta:
    return timedelta(days=number)


async def refused(guest: Guest, first: date, last: date) -> str:
    body = {"first": first.isoformat(), "last": last.isoformat()}
    return str((await guest.refused("POST", "/account/absences", body))["code"])


async def ends(house: House, game: Mastered) -> date:
    """The day on which the phase ends."""
    shown = (await game.master.get(f"{game.path}/view"))["view"]
    return calendar(house).day_of(shown["deadline"])


async def test_absences_are_declared_ahead_and_are_so_many_days_a_year(any_house: House) -> None:
    house = any_house
    guest, now = await house.member(), today(house)
    begins = date(now.year + 1, 3, 1)
    assert (await guest.get("/account/absences"))["days_left"] == 21
    await away(guest, begins, begins + days(13))
    assert await refused(guest, begins + days(13), begins + days(15)) == "absence_overlaps"
    assert await refused(guest, begins + days(40), begins + days(47)) == "absence_too_long"
    await away(guest, begins + days(40), begins + days(46))
    assert await refused(guest, now - days(1), now) == "absence_past"
    assert await refused(guest, begins, begins - days(1)) == "absence_ends_before"
    assert await refused(guest, begins + days(900), begins + days(901)) == "absence_too_far"
    shown = (await guest.get("/account/absences"))["absences"]
    assert [each["first"] for each in shown] == [
        begins.isoformat(),
        (begins + days(40)).isoformat(),
    ]
    await guest.delete(f"/account/absences/{begins.isoformat()}")
    assert len((await guest.get("/account/absences"))["absences"]) == 1
    gone = await guest.refused("DELETE", f"/account/absences/{begins.isoformat()}")
    assert gone["code"] == "absence_unknown"
    visitor = await house.visitor()
    assert (await visitor.refused("GET", "/account/absences"))["code"] == "members_only"


async def test_an_absence_over_new_year_counts_in_both_years(house: House) -> None:
    guest, now = await house.member(), today(house)
    december = date(now.year + 1, 12, 22)
    await away(guest, december, december + days(19))  # ten days in each
    assert await refused(guest, december - days(12), december - days(1)) == "absence_too_long"
    await away(guest, december - days(11), december - days(1))


async def test_a_deadline_moves_behind_an_absence_that_is_declared_and_all_see_why(house: House) -> None:
    game = await mastered_game(house, players=3, **DATED)
    before = await ends(house, game)
    last = before + days(4)
    await away(game.players[0], before, last)
    assert await ends(house, game) == last + days(1)
    seat = (await game.players[0].get(game.path))["my_seat"]
    for guest in (game.players[1], game.master):
        shown = (await guest.get(f"{game.path}/view"))["view"]
        assert shown["postponed"] == [{"seats": [seat], "why": "absence"}]
    # Once a phase: another absence moves nothing more.
    await away(game.players[1], last + days(1), last + days(3))
    assert await ends(house, game) == last + days(1)
    # What has moved a deadline is not taken back before it begins.
    refusal = await game.players[0].refused("DELETE", f"/account/absences/{before.isoformat()}")
    assert refusal["code"] == "absence_used"


async def test_a_deadline_that_is_set_into_an_absence_ends_behind_it_and_behind_the_next(
    house: House,
) -> None:
    game = await mastered_game(house, players=3, **DATED)
    first = await ends(house, game)
    for player, (begins, number) in zip(game.players, ((1, 3), (4, 2)), strict=False):
        start = first + days(begins)
        await away(player, start, start + days(number))
    assert await ends(house, game) == first
    into = {"do": "set_deadline", "at": calendar(house).evening_of(first + days(1))}
    await game.play(game.master, into, "moved")
    # The second one's absence follows on the first one's: the deadline is behind both.

    async def has_moved() -> bool:
        return await ends(house, game) == first + days(7)

    await until(has_moved)


async def test_whoever_has_saved_orders_needs_no_excuse(house: House) -> None:
    game = await mastered_game(house, players=3, **DATED)
    before = await ends(house, game)
    player = game.players[0]
    (role,) = await game.roles_of(player)
    await game.play(player, {"do": "submit", "role": role, "orders": []}, "given")
    await away(player, before, before)
    assert await ends(house, game) == before


async def test_in_an_anonymous_game_the_others_see_only_that_it_moved(house: House) -> None:
    game = await mastered_game(house, players=3, terms={"anonymous": True}, **DATED)
    before = await ends(house, game)
    await away(game.players[0], before, before)
    assert await ends(house, game) == before + days(1)
    for guest, shown in ((game.players[1], False), (game.players[0], True), (game.master, True)):
        (moved,) = (await guest.get(f"{game.path}/view"))["view"]["postponed"]
        assert (moved["why"] == "absence" and bool(moved["seats"])) is shown


@pytest.mark.parametrize("term", ["absences", "extensions"])
async def test_both_are_switched_off_by_the_terms(house: House, term: str) -> None:
    game = await mastered_game(house, players=3, terms={term: False}, **DATED)
    before = await ends(house, game)
    if term == "absences":
        await away(game.players[0], before, before)
        await asyncio.sleep(0.05)
    else:
        refusal = await game.players[0].refused("POST", f"{game.path}/extension")
        assert refusal["code"] == "no_extensions"
    assert await ends(house, game) == before
    await game.master.patch(game.path, {"terms": {term: True}})
    assert (await game.master.get(game.path))["terms"][term] is True


async def test_each_player_has_a_day_more_once_a_game(house: House) -> None:
    game = await mastered_game(house, players=3, **DATED)
    before = await ends(house, game)
    await game.players[0].post(f"{game.path}/extension", status=204)
    assert await ends(house, game) == before + days(1)
    again = await game.players[0].refused("POST", f"{game.path}/extension")
    assert (again["code"], again["parts"]["reason"]) == ("illegal", "extension_used")
    assert (await game.players[0].get(f"{game.path}/view"))["view"]["extended"] is True
    await game.players[1].post(f"{game.path}/extension", status=204)
    assert await ends(house, game) == before + days(2)
    stranger = await house.member()
    assert (await stranger.refused("POST", f"{game.path}/extension"))["code"] == "not_seated"
    mines = await house.tables.creating.create(TablePlan("mines", "custom", {}, stranger.id))
    assert (await stranger.refused("POST", f"/tables/{mines.id}/extension"))["code"] == "no_extensions"


async def test_absences_go_with_the_account(house: House) -> None:
    guest, now = await house.member(), today(house)
    await away(guest, now, now + days(2))
    await house.club.leaving.delete(await house.club.accounts.by_id(guest.id))
    assert await house.club.absences.of(guest.id) == []
