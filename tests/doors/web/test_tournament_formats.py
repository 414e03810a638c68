"""Formats of tournaments over the API: a bracket, boards that robots fill, sheets of centres, prizes."""

from __future__ import annotations

import json
from typing import Any

from tests.doors.web.test_tournaments import announced
from tests.kit.web import Guest, House
from tests.tournaments.plain_standings import places

Json = Any
KNOCKOUT = {"format": "knockout", "in_room": True, "third_place": True, "rounds": 1}
DIPLOMACY = {"game": "diplomacy", "variant": "standard", "format": "boards", "rounds": 1}


async def begun(house: House, count: int, **plan: Json) -> tuple[Guest, list[Guest], str]:
    organiser = await house.member("Organisatrice")
    path = await announced(organiser, **plan)
    members = [await house.member(f"Élodie{number}") for number in range(1, count + 1)]
    for index, member in enumerate(members):
        await member.post(f"{path}/entries", {"team": ("Lyon", "Paris")[index % 2]}, status=201)
    await organiser.post(f"{path}/begin", status=204)
    return organiser, members, path


async def published(organiser: Guest, path: str, number: int) -> list[Json]:
    draft = await organiser.post(f"{path}/rounds/{number}/pair", {})
    rounds = await organiser.post(f"{path}/rounds/{number}/publish", {"version": draft["version"]})
    boards: list[Json] = rounds["rounds"][-1]["boards"]
    return boards


async def test_a_bracket_from_the_seeds_to_the_winner(house: House) -> None:
    organiser, members, path = await begun(house, 5, **KNOCKOUT)
    ids = [member.id for member in members]
    anybody = house.nobody()
    assert (await members[0].ask("PUT", f"{path}/seeds", {"accounts": ids})).status_code == 403
    assert (await organiser.ask("PUT", f"{path}/seeds", {"accounts": [9**9]})).status_code == 400
    assert (await organiser.ask("PUT", f"{path}/seeds", {"accounts": ids[::-1]})).status_code == 204
    bracket = await anybody.get(f"{path}/bracket")
    assert bracket["seeds"] == ids[::-1]
    assert [len(row) for row in bracket["rounds"]] == [4, 2, 2]
    for number in range(1, 4):
        for board in await published(organiser, path, number):
            result = f"{path}/rounds/{number}/boards/{board['board']}/result"
            await organiser.post(result, {"marks": ["1", "0"]}, status=204)
    bracket = await anybody.get(f"{path}/bracket")
    final, third = bracket["rounds"][-1]
    assert (final["third_place"], third["third_place"]) == (False, True)
    assert final["winner"] == final["games"][0]["white"]
    assert (final["upper_points"], final["lower_points"]) == (1, 0)
    assert [each["is_bye"] for each in bracket["rounds"][0]].count(True) == 3
    lines = (await anybody.get(f"{path}/standings"))["lines"]
    assert [line["place"] for line in lines] == [1, 2, 3, 4, 5]
    assert lines[0]["account"] == final["winner"]
    assert (await anybody.ask("GET", f"{path}/export.trf")).status_code == 404
    text = (await anybody.ask("GET", f"{path}/export.json")).text
    assert places(text) == {line["number"]: line["place"] for line in json.loads(text)["standings"]}
    swiss = await announced(organiser, name="Suisse", in_room=True)
    assert (await anybody.ask("GET", f"{swiss}/bracket")).status_code == 404


async def test_a_sheet_of_centres_teams_and_prizes(house: House) -> None:
    wanted = {"in_room": True, "team_best": 3, "prize_places": 1, "prize_roles": True}
    organiser, members, path = await begun(house, 7, **DIPLOMACY, **wanted)
    (board,) = await published(organiser, path, 1)
    result = f"{path}/rounds/1/boards/1/result"
    wrong = {"centres": [30, 8, 6, 5, 5, 0, 0], "out": [1903] + [None] * 6, "last_year": 1908}
    said = (await organiser.post(result, {"tally": wrong}, status=400))["error"]["message"]
    assert said.count("\u00a0;") == 3, "too many centres, one alive and out, two dead without a year"
    right = {"centres": [10, 8, 6, 5, 5, 0, 0], "out": [None] * 5 + [1904, 1906], "last_year": 1908}
    await organiser.post(result, {"tally": right}, status=204)
    lines = (await house.nobody().get(f"{path}/standings"))["lines"]
    points = {line["account"]: line["points"] for line in lines}
    assert [points[account] for account in board["seats"]] == [49, 23, 14, 6, 6, 1, 1]
    teams = (await house.nobody().get(f"{path}/teams"))["teams"]
    assert sum(team["points"] for team in teams) == 100 - min(points[member.id] for member in members[::2]), (
        "three of four, and three of three"
    )
    gift = f"{path}/entries/{members[0].id}/prizes"
    assert (await members[0].ask("POST", gift, {"name": "Fair-play"})).status_code == 403
    await organiser.post(gift, {"name": "Fair-play"}, status=204)
    prizes = (await house.nobody().get(f"{path}/prizes"))["prizes"]
    assert [prize["name"] for prize in prizes if not prize["free"]] == [
        "place.1",
        *(f"role.{role}" for role in range(1, 8)),
    ]
    assert [prize["accounts"] for prize in prizes if prize["free"]] == [[members[0].id]]
    assert (await organiser.ask("DELETE", gift, {"name": "Fair-play"})).status_code == 204


async def test_robots_fill_a_board_and_a_draft_may_be_moved_with_them(house: House) -> None:
    organiser, members, path = await begun(house, 5, **DIPLOMACY, fill="strategist")
    draft = await organiser.post(f"{path}/rounds/1/pair", {})
    (board,) = draft["boards"]
    assert sorted(board) == sorted([0, 0, *(member.id for member in members)])
    moved = {"version": draft["version"], "boards": [board[::-1]]}
    draft = (await organiser.ask("PUT", f"{path}/rounds/1/boards", moved)).json()
    rounds = await organiser.post(f"{path}/rounds/1/publish", {"version": draft["version"]})
    (board,) = rounds["rounds"][0]["boards"]
    table = await members[0].get(f"/tables/{board['table']}")
    assert [seat["robot"] is not None for seat in table["seats"]] == [who == 0 for who in board["seats"]]
