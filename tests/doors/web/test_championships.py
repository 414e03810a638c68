"""A championship over several games, over the API: chess, Diplomacy and a race, one standings."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from tests.kit.web import Guest, House
from tests.tournaments.plain_standings import places

Json = Any
CHESS = {"name": "Échecs de mars", "game": "chess", "variant": "classic", "format": "knockout"}
DIPLOMACY = {
    "name": "Diplomatie",
    "game": "diplomacy",
    "variant": "standard",
    "format": "boards",
    "points": "cdiplo",
}
ARENA = {"name": "Arène", "game": "arena", "variant": "standard", "format": "boards"}
END = {
    "centres": [10, 8, 6, 5, 5, 0, 0],
    "out": [None, None, None, None, None, 1904, 1906],
    "last_year": 1908,
}


async def ended(organiser: Guest, members: list[Guest], plan: Json) -> int:
    """A tournament in the room, played to its end: who sits first wins."""
    number: int = (await organiser.post("/tournaments", {**plan, "in_room": True}, status=201))["id"]
    path = f"/tournaments/{number}"
    await organiser.post(f"{path}/announce", status=204)
    for member in members:
        await member.post(f"{path}/entries", {}, status=201)
    await organiser.post(f"{path}/begin", status=204)
    for each in range(1, (await organiser.get(path))["rounds"] + 1):
        draft = await organiser.post(f"{path}/rounds/{each}/pair", {})
        rounds = await organiser.post(f"{path}/rounds/{each}/publish", {"version": draft["version"]})
        for board in rounds["rounds"][-1]["boards"]:
            result: Json = {"ranks": list(range(1, len(board["seats"]) + 1))}
            if plan["game"] == "chess":
                result = {"marks": ["1", "0"]}
            elif plan["game"] == "diplomacy":
                result = {"tally": END}
            await organiser.post(f"{path}/rounds/{each}/boards/{board['board']}/result", result, status=204)
    await organiser.post(f"{path}/end", status=204)
    return number


@pytest.fixture
async def season(house: House) -> tuple[Guest, list[Guest], str, list[int]]:
    """A championship of which two count, over three tournaments of seven."""
    organiser = await house.member("Organisatrice")
    members = [await house.member(f"Élodie{number}") for number in range(1, 8)]
    made = await organiser.post("/championships", {"name": "Saison", "best": 2}, status=201)
    path = f"/championships/{made['id']}"
    numbers = [await ended(organiser, members, plan) for plan in (CHESS, DIPLOMACY, ARENA)]
    for number in numbers:
        await organiser.ask("PUT", f"{path}/tournaments/{number}", {})
    return organiser, members, path, numbers


async def test_one_standings_over_three_games(
    house: House, season: tuple[Guest, list[Guest], str, list[int]]
) -> None:
    _organiser, members, path, numbers = season
    anybody = house.nobody()
    found = await anybody.get(f"{path}/standings")
    assert found["tournaments"] == numbers
    assert {line["account"] for line in found["lines"]} == {member.id for member in members}
    for line in found["lines"]:
        assert sum(each["points"] for each in line["rounds"] if each["counts"]) == pytest.approx(
            line["points"]
        )
        assert sum(each["counts"] for each in line["rounds"]) == 2
    for index, number in enumerate(numbers):
        lines = (await anybody.get(f"/tournaments/{number}/standings"))["lines"]
        shown = {line["account"]: line["rounds"][index]["points"] for line in found["lines"]}
        for line in lines:
            level = sum(other["place"] == line["place"] for other in lines)
            taken = [100 * (7 - place) / 6 for place in range(line["place"], line["place"] + level)]
            assert shown[line["account"]] == pytest.approx(sum(taken) / level)
    card = await anybody.get(path)
    assert [part["game"] for part in card["parts"]] == ["chess", "diplomacy", "arena"]
    assert (await anybody.get("/championships"))["championships"][0]["name"] == "Saison"


async def test_its_files_say_all_that_is_needed(
    house: House, season: tuple[Guest, list[Guest], str, list[int]]
) -> None:
    organiser, members, path, _ = season
    await organiser.post(
        f"{path}/penalties", {"account": members[0].id, "points": "5/2", "reason": "en retard"}, status=204
    )
    answer = await house.nobody().ask("GET", f"{path}/export.json")
    form = json.loads(answer.text)
    assert places(answer.text) == {line["number"]: line["place"] for line in form["standings"]}
    answer = await house.nobody().ask("GET", f"{path}/export.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
    assert rows[0] == ["place", "nom", "points", "Échecs de mars", "Diplomatie", "Arène", "firsts", "best"]
    assert len(rows) == 8
    log = (await house.nobody().get(f"{path}/log"))["acts"]
    assert [fact["is"] for act in log for fact in act["facts"]][-1] == "points_taken"


async def test_only_its_organisers_care_for_it(
    house: House, season: tuple[Guest, list[Guest], str, list[int]]
) -> None:
    organiser, members, path, numbers = season
    stranger = members[0]
    for method, route, body in (
        ("PUT", "/plan", {"name": "À moi"}),
        ("PUT", f"/tournaments/{numbers[0]}", {}),
        ("DELETE", f"/tournaments/{numbers[0]}", None),
        ("PUT", f"/organisers/{stranger.id}", {}),
        ("POST", "/penalties", {"account": stranger.id, "points": "1", "reason": "x"}),
        ("POST", "/close", None),
    ):
        assert (await stranger.ask(method, path + route, body)).status_code == 403, route
        assert (await house.nobody().ask(method, path + route, body)).status_code == 401, route
    draft = await organiser.post("/tournaments", {**ARENA, "name": "Projet", "in_room": True}, status=201)
    assert (await organiser.ask("PUT", f"{path}/tournaments/{draft['id']}", {})).status_code == 404
    await organiser.post(f"/tournaments/{draft['id']}/announce", status=204)
    assert (await organiser.ask("PUT", f"{path}/tournaments/{draft['id']}", {})).status_code == 204
    await organiser.post(f"{path}/close", status=409)
    assert (await organiser.ask("DELETE", f"{path}/tournaments/{draft['id']}")).status_code == 204
    assert (await organiser.ask("PUT", f"{path}/organisers/{stranger.id}", {})).status_code == 204
    await stranger.post(f"{path}/close", status=204)
    assert (await organiser.ask("PUT", f"{path}/plan", {"name": "Trop tard"})).status_code == 409
    assert (await house.nobody().get(path))["status"] == "over"
    await organiser.post("/championships", {"name": " saison "}, status=409)
    assert (await house.nobody().ask("GET", "/championships/999")).status_code == 404
