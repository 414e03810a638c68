"""Deadlines by a clock that the test moves: dates, weekends, zones, grace, a house that was down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select
from tests.kit.afjd import LIMITS, ZONE, Game, House, Json, hold, move, open_house

from tablee.clock import HandClock, Instant
from tablee.club import Club
from tablee.club.calling.catalogue import UNSEEN
from tablee.doors.afjd import AfjdSettings
from tablee.rules import GAMES
from tablee.store import Query, open_store
from tablee.store.nodes import Arrival
from tablee.store.schema import event
from tablee.tables import Tables
from tablee.tables.calendar import ClubCalendar

HOUR, DAY = 3_600_000, 86_400_000
PARIS = ZoneInfo("Europe/Paris")
LONG = 60 * 24 * 365.0
"""Minutes: the tokens of these tests outlive their days."""


def at(day: str, hour: int = 12, zone: ZoneInfo = PARIS) -> Instant:
    year, month, number = map(int, day.split("-"))
    return round(datetime(year, month, number, hour, tzinfo=zone).timestamp() * 1000)


def evening_of(day: str) -> Instant:
    return at(day, 20)


def army(role: int, zone: str) -> Json:
    return {"type_unit": 1, "role": role, "zone": ZONE[zone]}


@pytest.fixture
def clock() -> HandClock:
    return HandClock(at("2026-03-09"))  # a Monday


@pytest.fixture
async def house(tmp_path: Path, clock: HandClock) -> AsyncIterator[House]:
    async with open_timed(tmp_path, clock) as opened:
        yield opened


SETTINGS = AfjdSettings(token_minutes=LONG, limits=LIMITS)


def open_timed(
    folder: Path, clock: HandClock, zone: str = "Europe/Paris", arrival: Arrival | None = None
) -> AbstractAsyncContextManager[House]:
    database = f"sqlite:///{folder / 'tablee.sqlite'}"
    return open_house(database, folder, clock=clock, settings=SETTINGS, zone=zone, arrival=arrival)


async def until(house: House, clock: HandClock, moment: Instant) -> None:
    """Let the clock come to a moment at once, and the house do what is due."""
    clock._now = max(clock.now(), moment)
    await clock.advance(0)
    nothing = 0
    while nothing < 3:  # a round of the house's own may be about a table while this one finds nothing
        nothing = 0 if await house.tables.deadlines.sweep() else nothing + 1
        assert await house.tables.quiet(60)
        await asyncio.sleep(0.01)


async def deadline(game: Game) -> str:
    return str((await game.informations())["deadline"])


async def advancement(game: Game) -> int:
    return int((await game.informations())["current_advancement"])


async def test_a_deadline_is_the_speed_of_the_phase_away_and_no_weekend(
    house: House, clock: HandClock
) -> None:
    game = await house.running(speed_moves=2)
    assert await deadline(game) == "2026-03-11"
    await game.hold(*range(1, 8))
    await until(house, clock, at("2026-03-11", 20) - 1000)
    assert await advancement(game) == 0
    await until(house, clock, at("2026-03-11", 20))
    assert await advancement(game) == 2
    assert await deadline(game) == "2026-03-13"
    await game.hold(*range(1, 8))
    await until(house, clock, at("2026-03-13", 20))
    assert await advancement(game) == 5
    assert await deadline(game) == "2026-03-16"  # the 15th is a Sunday


async def test_weekends_count_where_they_are_played(house: House) -> None:
    game = await house.running(speed_moves=5, play_weekend=1)
    assert await deadline(game) == "2026-03-14"
    other = await house.running(speed_moves=5)
    assert await deadline(other) == "2026-03-16"


async def test_the_hour_is_that_of_the_clubs_zone_through_the_change_of_the_hour(tmp_path: Path) -> None:
    for zone, start, days, weekend, day in (
        ("Europe/Paris", "2026-03-27", 3, 0, "2026-03-30"),
        ("Europe/Paris", "2026-03-28", 1, 1, "2026-03-29"),  # on the evening of the very day
        ("Europe/Paris", "2026-10-24", 1, 1, "2026-10-25"),
        ("America/Montreal", "2026-10-30", 3, 0, "2026-11-02"),
        ("Pacific/Noumea", "2026-03-27", 3, 0, "2026-03-30"),
    ):
        place = ZoneInfo(zone)
        clock = HandClock(at(start, 12, place))
        folder = tmp_path / f"{zone.replace('/', '-')}-{start}"
        folder.mkdir()
        async with open_timed(folder, clock, zone) as house:
            game = await house.running(speed_moves=days, play_weekend=weekend)
            await game.hold(*range(1, 8))
            assert await deadline(game) == day
            evening = at(day, 20, place)
            assert datetime.fromtimestamp(evening / 1000, UTC).astimezone(place).hour == 20
            await until(house, clock, evening - 60_000)
            assert await advancement(game) == 0, zone
            await until(house, clock, evening)
            assert await advancement(game) == 2, zone


async def test_late_orders_get_a_grace_and_then_civil_disorder_where_it_is_possible(
    house: House, clock: HandClock
) -> None:
    game = await house.running(cd_possible_moves=1)
    late = game.player[7]
    await game.hold(1, 2, 3, 4, 5, 6)
    await until(house, clock, at("2026-03-11", 20))
    shown = await game.master.get(f"/game-validations/{game.id}", role_id=0)
    assert (shown["late"], shown["missing"]) == ([7], [7])
    await until(house, clock, at("2026-03-12", 19))
    assert await advancement(game) == 0
    await until(house, clock, at("2026-03-12", 20))
    assert await advancement(game) == 2
    report = (await house.get(f"/game-reports/{game.id}"))["content"]
    assert report.count("PAR DEFAUT") == 3
    facts = await house.get(f"/player-facts/{late.pseudo}", service="players")
    assert facts["reliability"] == 83  # (1 − 1 + 5) / (1 + 5)
    keen = await house.get(f"/player-facts/{game.player[1].pseudo}", service="players")
    assert (keen["reliability"], keen["regularity"]) == (100, 4)


async def test_where_civil_disorder_is_not_possible_the_game_waits(house: House, clock: HandClock) -> None:
    game = await house.running()
    await game.hold(1, 2, 3, 4, 5, 6)
    await until(house, clock, at("2026-03-20", 20))
    assert await advancement(game) == 0
    await game.hold(7)
    assert await advancement(game) == 2


SUPPORT_TO_BURGUNDY = {
    "order_type": 2,
    "active_unit": {"type_unit": 1, "role": 2, "zone": ZONE["mar"]},
    "passive_unit": {"type_unit": 1, "role": 2, "zone": ZONE["par"]},
    "destination_zone": ZONE["bur"],
}
OWED = {
    "cd_possible_retreats": (1, 3, {"order_type": 7, "active_unit": army(3, "bur")}),
    "cd_possible_builds": (4, 1, {"order_type": 8, "active_unit": army(1, "lvp")}),
    "cd_possible_removals": (4, 2, {"order_type": 9, "active_unit": army(2, "bur")}),
}
"""By flag the phase in which it counts, who owes something then, and the order that he owes."""


async def owing(house: House, clock: HandClock, flag: str, **given: int) -> Game:
    """A game in the phase of a flag, in which one role alone is waited for."""
    phase, role, _ = OWED[flag]
    game = await house.running(**given)
    stands = await game.position()
    units = [
        {"type_unit": kind, "role": int(owner), "zone": zone}
        for owner, found in stands["units"].items()
        for kind, zone in found
        if not (flag == "cd_possible_builds" and zone == ZONE["lvp"])
    ]
    if flag != "cd_possible_builds":
        units.append(army(role, "bur"))
    centres = [{"role": owner, "center_num": int(centre)} for centre, owner in stands["ownerships"].items()]
    await game.master.post(
        f"/game-positions/{game.id}", center_ownerships=centres, units=units, forbiddens=[]
    )
    await game.hold(*range(1, 8))
    if flag == "cd_possible_retreats":
        orders = [move(2, 1, "par", "bur"), hold(2, 2, ZONE["bre"]), SUPPORT_TO_BURGUNDY]
        await game.player[2].post(f"/game-orders/{game.id}", role_id=2, orders=orders)
    await until(house, clock, evening_of(await deadline(game)))
    if phase == 4:
        await game.hold(*range(1, 8))
        await until(house, clock, evening_of(await deadline(game)))
    assert await advancement(game) == phase
    return game


@pytest.mark.parametrize("flag", OWED)
async def test_civil_disorder_in_retreats_builds_and_removals_is_possible_each_by_its_own_flag(
    house: House, clock: HandClock, flag: str
) -> None:
    phase, role, order = OWED[flag]
    flags = ("cd_possible_moves", *OWED)
    after = {1: 2, 4: 5}[phase]

    game = await owing(house, clock, flag, **{name: int(name == flag) for name in flags})
    await until(house, clock, evening_of(await deadline(game)))
    assert await advancement(game) == phase
    await until(house, clock, clock.now() + 4 * DAY)
    assert await advancement(game) == after

    game = await owing(house, clock, flag, **{name: int(name != flag) for name in flags})
    await until(house, clock, evening_of(await deadline(game)) + 4 * DAY)
    assert await advancement(game) == phase
    await game.player[role].post(f"/game-orders/{game.id}", role_id=role, orders=[order])
    assert await advancement(game) == after


async def test_late_orders_within_the_grace_resolve_at_once(house: House, clock: HandClock) -> None:
    game = await house.running(cd_possible_moves=1)
    await game.hold(1, 2, 3, 4, 5, 6)
    await until(house, clock, at("2026-03-11", 22))
    await game.hold(7)
    assert await advancement(game) == 2


async def test_the_master_sets_the_deadline(house: House, clock: HandClock) -> None:
    game = await house.running()
    await game.master.put(f"/games/{game.name}", deadline="2026-04-01")
    assert await deadline(game) == "2026-04-01"
    same = await game.master.put(f"/games/{game.name}", deadline="2026-4-1")
    assert same["msg"] == "Ok but no change !"
    await game.hold(*range(1, 8))
    await until(house, clock, at("2026-03-31", 23))
    assert await advancement(game) == 0
    await until(house, clock, at("2026-04-01", 20))
    assert await advancement(game) == 2
    before = await house.game(game.master, "Plus tard")
    await game.master.put("/games/Plus%20tard", deadline="2026-05-05")
    for _ in range(7):
        await before.join(await house.person())
    await before.master.put("/games/Plus%20tard", current_state=1)
    assert (await house.get("/games/Plus%20tard"))["deadline"] == "2026-05-05"
    for wrong in ("demain", "2026-02-30", "26-1-1", "9999-01-01"):
        assert (await game.master.ask("PUT", f"/games/{game.name}", deadline=wrong)).status_code == 400


async def test_a_deadline_that_passed_while_the_house_was_down_is_played_fifteen_minutes_after(
    tmp_path: Path, clock: HandClock
) -> None:
    async with open_timed(tmp_path, clock) as house:
        game = await house.running()
        await game.hold(*range(1, 8))
        name, number = game.name, game.id
    down_at = clock.now()
    clock._now = at("2026-03-12", 9)
    arrival = Arrival(clock.now(), down_at)
    async with open_timed(tmp_path, clock, arrival=arrival) as house:
        await until(house, clock, at("2026-03-12", 9) + 14 * 60_000)
        assert (await house.get(f"/games/{name}"))["current_advancement"] == 0
        await until(house, clock, at("2026-03-12", 9) + 15 * 60_000)
        assert (await house.get(f"/games/{name}"))["current_advancement"] == 2
        assert (await house.get(f"/game-histories/{number}"))["history"][0][0] == 0


async def test_two_nodes_that_sweep_at_once_resolve_a_phase_exactly_once(
    postgres_url: str, tmp_path: Path, clock: HandClock
) -> None:

    async with open_house(postgres_url, tmp_path, clock=clock, settings=SETTINGS) as house:
        games = [await house.running() for _ in range(3)]
        for game in games:
            await game.hold(*range(1, 8))
        store = await open_store(postgres_url)
        club = Club(store, clock)
        other = Tables(store, club, clock, Random(8), GAMES, calendar=ClubCalendar())
        await other.start()
        try:
            for game in games:
                await other.open(game.id)
            clock._now = at("2026-03-11", 20)
            await asyncio.gather(
                *(tables.deadlines.sweep() for tables in (house.tables, other) for _ in range(3))
            )
            await house.tables.quiet()
            await other.quiet()
            for game in games:
                rows = await house.store.rows(
                    Query(select(event.c.facts).where(event.c.table_id == game.id).order_by(event.c.seq))
                )
                resolved = [row.facts for row in rows if '"is":"adjudicated"' in row.facts]
                assert len(resolved) == 1
        finally:
            await other.stop()
            club.close()
            await store.close()


async def test_letters_tell_of_what_was_subscribed_once_and_end_by_their_link(
    house: House, clock: HandClock
) -> None:
    game = await house.running()
    lea = game.player[3]
    sent = (await house.letters(f"{lea.pseudo.lower()}@exemple.fr"))[0]
    code = next(word for word in sent.split() if word.isdecimal() and len(word) == 4)
    await house.ask("POST", "/emails", "players", pseudo=lea.pseudo, code=code)
    path = f"/game-subscriptions/{game.id}"
    await lea.post(path, declaration=1, message=1, adjudication=1, deadline=1)
    assert (await lea.get(path)) == {
        "declaration": 1,
        "message": 1,
        "adjudication": 1,
        "deadline": 1,
        "digest": 0,
    }
    await game.player[6].post(
        f"/game-messages/{game.id}", role_id=6, dest_role_id=3, content="Time for attack"
    )
    await game.player[6].post(f"/game-messages/{game.id}", role_id=6, dest_role_id=1, content="Secret")
    await game.player[6].post(f"/game-declarations/{game.id}", role_id=6, content="Hello world")
    caller = house.club.caller
    clock._now += 3_000
    assert await caller.write_letters() + await caller.write_letters() <= 1
    news = (await house.letters(f"{lea.pseudo.lower()}@exemple.fr"))[1]
    assert "Time for attack" in news
    assert "Hello world" in news
    assert "Secret" not in news
    assert lea.pseudo in news
    assert game.player[6].pseudo not in news
    await until(house, clock, at("2026-03-10", 21))
    await caller.write_letters()
    near = (await house.letters(f"{lea.pseudo.lower()}@exemple.fr"))[-1]
    assert "Il vous reste jusqu’au mercredi 11 mars à 20 h pour jouer." in near
    await game.hold(*range(1, 8))
    await until(house, clock, at("2026-03-11", 20))
    clock._now += UNSEEN
    await caller.write_letters()
    letters = await house.letters(f"{lea.pseudo.lower()}@exemple.fr")
    assert "La phase «\u00a0Mouvements printemps 1901\u00a0» est résolue." in letters[-1]
    link = [word for word in letters[-1].split() if "/stop/" in word][-1]
    page = await house.http.get(link.replace("https://jeux.exemple.fr", house.url))
    assert page.status_code == 200
    assert (await lea.get(path))["message"] == 1  # to look at the page ends nothing
    ended = await house.http.post(link.replace("https://jeux.exemple.fr", house.url))
    assert ended.status_code == 200
    assert set((await lea.get(path)).values()) == {0}
    await game.player[6].post(f"/game-declarations/{game.id}", role_id=6, content="Encore")
    clock._now += DAY
    assert await caller.write_letters() == 0


async def test_a_digest_gathers_the_news_of_its_hours(house: House, clock: HandClock) -> None:
    game = await house.running()
    lea = game.player[3]
    sent = (await house.letters(f"{lea.pseudo.lower()}@exemple.fr"))[0]
    code = next(word for word in sent.split() if word.isdecimal() and len(word) == 4)
    await house.ask("POST", "/emails", "players", pseudo=lea.pseudo, code=code)
    await lea.post(f"/game-subscriptions/{game.id}", declaration=1, digest=12)
    caller = house.club.caller
    for content in ("un", "deux", "trois"):
        await game.player[6].post(f"/game-declarations/{game.id}", role_id=6, content=content)
        clock._now += HOUR
        await caller.write_letters()
    letters = await house.letters(f"{lea.pseudo.lower()}@exemple.fr")
    assert not any("déclare" in letter for letter in letters)
    clock._now += 12 * HOUR
    await caller.write_letters()
    (gathered,) = [
        letter for letter in await house.letters(f"{lea.pseudo.lower()}@exemple.fr") if "déclare" in letter
    ]
    assert all(f"  {content}" in gathered for content in ("un", "deux", "trois"))
