"""The analysis of games of chess over the web: when they are over, for whoever may see them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.kit.web import WEB_PLENTY, Guest, House, open_house

from tablee.club.limits import Bucket
from tablee.doors.web import WebSettings


async def played(house: House, variant: str, moves: str, **terms: Any) -> tuple[int, Guest, Guest]:
    """A table of two with some moves on it: its number, White, Black."""
    white, black = await house.member(), await house.member()
    body = {"game": "chess", "variant": variant, **terms}
    table = await white.post("/tables", body, status=201)
    await black.post(f"/tables/{table['id']}/join", {"invitation": table["invitation"]})
    for number, move in enumerate(moves.split()):
        guest = black if number % 2 else white
        body = {"action": {"do": "move", "move": move}, "request_id": f"m{number}"}
        await guest.post(f"/tables/{table['id']}/play", body)
    return table["id"], white, black


async def test_a_finished_game_is_analysed_by_whoever_may_see_it(house: House) -> None:
    table, white, _ = await played(house, "classic", "f2f3 e7e5 g2g4 d8h4")
    for guest in (white, house.nobody()):
        found = await guest.get(f"/tables/{table}/analysis", ply=3)
        assert found["advice"]["san"] == "Qh4#"
        assert found["advice"]["wins_in"] == -1
        assert found["moves"]["d8"] == ["e7", "f6", "g5", "h4"]
        tried = await guest.get(f"/tables/{table}/analysis", ply=2, tried="d2d4 e5d4")
        assert tried["line"] == ["d4", "exd4"]
        assert tried["turn"] == "white"
    at_the_end = await white.get(f"/tables/{table}/analysis", ply=99)
    assert (at_the_end["ended"], at_the_end["advice"]) == ("mate", None)
    assert (await white.refused("GET", f"/tables/{table}/analysis", tried="e2e5"))["code"] == "invalid"


async def test_a_game_that_goes_on_is_not_analysed_least_of_all_in_the_dark(house: House) -> None:
    for variant in ("classic", "dark"):
        table, white, black = await played(house, variant, "e2e4 e7e5")
        for guest in (white, black, house.nobody()):
            assert (await guest.refused("GET", f"/tables/{table}/analysis"))["code"] == "still_played"
        await black.post(f"/tables/{table}/leave")
        assert (await white.get(f"/tables/{table}/analysis", ply=1))["last"] == "e2e4"


async def test_private_games_and_other_games_are_not_analysed(house: House) -> None:
    table, white, black = await played(house, "classic", "e2e4", access="private")
    await black.post(f"/tables/{table}/leave")
    assert (await white.get(f"/tables/{table}/analysis"))["fen"].endswith(" 0 1")
    stranger = await house.member()
    assert (await stranger.refused("GET", f"/tables/{table}/analysis"))["code"] == "no_such_table"
    mines = (await white.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    assert (await white.refused("GET", f"/tables/{mines}/analysis"))["code"] == "no_analysis"


async def test_one_address_cannot_keep_the_house_thinking(tmp_path: Path) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_analysis": Bucket(2, 60)})
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", settings=settings) as house:
        table, white, black = await played(house, "classic", "e2e4")
        await black.post(f"/tables/{table}/leave")
        for _ in range(2):
            await house.nobody().get(f"/tables/{table}/analysis")
        assert (await white.refused("GET", f"/tables/{table}/analysis"))["code"] == "too_many"
