"""Whom somebody may not know of, he does not learn of by the moment of a frame either."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.doors.web.mastered import Mastered, mastered_game
from tests.kit.waiting import until
from tests.kit.web import Guest, House, Live

from tablee.doors.web.live.feeds import Feed
from tablee.rules.contract import SPECTATOR

Json = Any


async def _watching(house: House, game: Mastered) -> dict[str, Live]:
    """All who may not know who plays, once the news of their own coming are over."""
    watchers = {
        "outside": await house.nobody().live(),
        "another player": await game.players[1].live(),
        "the lobby": await house.nobody().live(),
    }
    await watchers["outside"].subscribe("table", table=game.table)
    await watchers["another player"].subscribe("table", table=game.table)
    await watchers["the lobby"].subscribe("lobby")
    # What is so when the table is shown is not said again.
    await watchers["outside"].first(lambda m: "info" in m and m["info"]["spectators"] == 1)
    await watchers["another player"].first(
        lambda m: (
            "info" in m
            and m["info"]["spectators"] == 1
            and m["info"]["seats"][m["info"]["my_seat"] - 1]["here"]
        )
    )
    for watcher in watchers.values():
        await watcher.settled()
    return watchers


async def test_nobody_sees_by_frames_when_a_player_of_an_anonymous_game_comes_or_goes(house: House) -> None:
    game = await mastered_game(house, terms={"anonymous": True})
    master = await game.master.live()
    await master.subscribe("table", table=game.table)
    watchers = await _watching(house, game)
    seat = (await game.players[0].get(game.path))["my_seat"]

    async def seen_by_master(here: bool) -> None:
        async def is_so() -> bool:
            seats = (await game.master.get(game.path))["seats"]
            return next(bool(each["here"]) for each in seats if each["seat"] == seat) is here

        await until(is_so)

    player = await game.players[0].live()
    await player.subscribe("table", table=game.table)
    await seen_by_master(True)
    heard: list[dict[str, list[Json]]] = []
    for _ in range(3):
        await player.close()
        await seen_by_master(False)
        player = await game.players[0].live()
        await player.subscribe("table", table=game.table)
        await seen_by_master(True)
        heard.append({who: await watcher.settled() for who, watcher in watchers.items()})
    assert heard == [{who: [] for who in watchers}] * 3


async def test_of_two_readings_of_who_is_here_the_later_one_counts(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = await house.member()
    table = (await player.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    feed = Feed(house.door.house, await house.tables.chair(table, SPECTATOR), lambda: None)
    slow, answers = asyncio.Event(), iter([[], [1]])

    async def present(_: int) -> list[int]:
        found = next(answers)
        if not found:
            await slow.wait()
        return found

    monkeypatch.setattr(house.tables.presence, "present", present)
    readings = [asyncio.create_task(feed.read_info()) for _ in range(2)]
    for _ in range(50):
        await asyncio.sleep(0)
    slow.set()
    await asyncio.gather(*readings)
    assert feed._present == {1}
    feed.close()


async def test_nobody_sees_by_frames_that_a_player_of_an_anonymous_game_has_another_name(
    house: House,
) -> None:
    game = await mastered_game(house, terms={"anonymous": True})
    master = await game.master.live()
    await master.subscribe("table", table=game.table)
    watchers = await _watching(house, game)
    await game.players[0].patch("/account", {"pseudo": "Toutautre"})
    await master.take("info", lambda m: any(s["name"] == "Toutautre" for s in m["info"]["seats"]))
    assert {who: await watcher.settled() for who, watcher in watchers.items()} == {
        who: [] for who in watchers
    }


async def _friends(one: Guest, other: Guest) -> None:
    await one.post("/friends", {"pseudo": other.pseudo})
    await other.post(f"/friends/{one.id}/accept", status=204)


async def test_who_hides_his_visits_is_nowhere_seen_to_be_here(house: House) -> None:
    shy, open_, friend = await house.member(), await house.member(), await house.member()
    for each in (shy, open_):
        await _friends(each, friend)
    await shy.patch("/account", {"settings": {"hide_seen": True}})
    watcher = await friend.live()
    await watcher.subscribe("friends")
    await watcher.take("friends")
    await (await shy.live()).settled()
    await (await open_.live()).settled()
    news = await watcher.take("friends", lambda m: any(each["here"] for each in m["friends"]))
    here = {each["person"]["pseudo"]: each["here"] for each in news["friends"]}
    assert here == {shy.pseudo: False, open_.pseudo: True}
    assert [m for m in watcher.waiting if m["type"] == "friends"] == []  # nor a frame that says nothing new
    listed = {each["person"]["pseudo"]: each["here"] for each in (await friend.get("/friends"))["friends"]}
    assert listed == here
    assert (await house.nobody().get(f"/players/{shy.pseudo}"))["here"] is False
    assert (await house.nobody().get(f"/players/{open_.pseudo}"))["here"] is True
    # Who stops hiding is seen at once, and the other way round.
    await shy.patch("/account", {"settings": {}})
    await watcher.take("friends", lambda m: all(each["here"] for each in m["friends"]))
    await shy.patch("/account", {"settings": {"hide_seen": True}})
    await watcher.take("friends", lambda m: not all(each["here"] for each in m["friends"]))


async def test_a_table_of_the_lobby_is_told_again_only_when_it_looks_otherwise(house: House) -> None:
    host = await house.member()
    table = (await host.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    looker = await house.nobody().live()
    await looker.subscribe("lobby")
    await looker.take("lobby")
    for _ in range(3):
        house.door.house.live.lobby.hint(table)
    await (await house.member()).post(f"/tables/{table}/join", {})
    await looker.take("lobby_table", lambda m: len(m["info"]["seats"]) == 2)
    assert looker.waiting == []
