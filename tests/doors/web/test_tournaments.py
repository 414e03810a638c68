"""Tournaments over the API: a club evening, its files, and everybody who may not."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.kit.web import Guest, House
from tests.tournaments.plain_standings import places

from tablee.doors.web.live import topics
from tablee.tournaments.pairing import dutch

Json = Any
PLAN = {"name": "Coupe d’été", "game": "chess", "variant": "classic", "format": "swiss", "rounds": 3}


async def announced(organiser: Guest, **plan: Json) -> str:
    made = await organiser.post("/tournaments", {**PLAN, **plan}, status=201)
    path = f"/tournaments/{made['id']}"
    await organiser.post(f"{path}/announce", status=204)
    return path


async def played(house: House, organiser: Guest, path: str, number: int) -> None:
    """A round in the room: White wins at odd boards, the others are drawn."""
    draft = await organiser.post(f"{path}/rounds/{number}/pair", {})
    rounds = await organiser.post(f"{path}/rounds/{number}/publish", {"version": draft["version"]})
    for board in rounds["rounds"][-1]["boards"]:
        marks = ["1", "0"] if board["board"] % 2 else ["=", "="]
        await organiser.post(
            f"{path}/rounds/{number}/boards/{board['board']}/result", {"marks": marks}, status=204
        )


@pytest.fixture
async def evening(house: House) -> tuple[Guest, str]:
    """A Swiss tournament in the room, all three rounds played by seven."""
    organiser = await house.member("Organisatrice")
    path = await announced(organiser, in_room=True)
    for number in range(1, 8):
        member = await house.member(f"Élodie{number}")
        await member.post(f"{path}/entries", {}, status=201)
    await organiser.post(f"{path}/begin", status=204)
    for number in range(1, 4):
        await played(house, organiser, path, number)
    return organiser, path


async def test_an_evening_from_the_announcement_to_the_places(
    house: House, evening: tuple[Guest, str]
) -> None:
    organiser, path = evening
    anybody = house.nobody()
    found = await anybody.get(f"{path}/standings")
    assert [line["place"] for line in found["lines"]] == sorted(line["place"] for line in found["lines"])
    for line in found["lines"]:
        assert sum(each["points"] for each in line["rounds"]) == line["points"]
        for tie in line["ties"]:
            assert sum(part["points"] for part in tie["parts"]) == pytest.approx(tie["value"][0])
    cross = await anybody.get(f"{path}/crosstable")
    assert all(len(line["cells"]) == 3 for line in cross["lines"])
    await organiser.post(f"{path}/end", status=204)
    card = await anybody.get(path)
    assert (card["status"], card["entrants"], card["round"], card["organises"]) == ("over", 7, 3, False)
    assert (await anybody.get("/tournaments"))["tournaments"][0]["name"] == "Coupe d’été"


async def test_the_standings_can_be_reckoned_again_from_the_exported_facts(
    house: House, evening: tuple[Guest, str]
) -> None:
    _, path = evening
    answer = await house.nobody().ask("GET", f"{path}/export.json")
    form = json.loads(answer.text)
    assert places(answer.text) == {line["number"]: line["place"] for line in form["standings"]}
    assert not {"code", "seed", "apart"} & form["plan"].keys()


@pytest.mark.skipif(not dutch.is_here(), reason="py4swiss has no build for this machine")
async def test_the_report_is_read_by_the_reader_of_py4swiss(
    house: House, evening: tuple[Guest, str], tmp_path: Path
) -> None:
    from py4swiss.trf import TrfParser

    _, path = evening
    answer = await house.nobody().ask("GET", f"{path}/export.trf")
    file = tmp_path / "report.trf"
    file.write_text(answer.text)
    report = TrfParser.parse(file, strict=True)
    report.validate_contents()
    assert report.player_sections[0].name == "Elodie1"
    assert all(len(section.results) == 3 for section in report.player_sections)


async def test_a_spreadsheet_opens_the_standings_with_their_accents(
    house: House, evening: tuple[Guest, str]
) -> None:
    _, path = evening
    answer = await house.nobody().ask("GET", f"{path}/export.csv")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
    assert rows[0][:6] == ["place", "nom", "points", "R1", "R2", "R3"]
    assert len(rows) == 8
    assert rows[1][1].startswith("Élodie")


async def test_a_member_enters_leaves_and_waits(house: House) -> None:
    organiser, member, other = await house.member(), await house.member(), await house.member()
    path = await announced(organiser, limit=1, code="sésame")
    await member.post(f"{path}/entries", {"code": "raté"}, status=403)
    card = await member.post(f"{path}/entries", {"code": "sésame", "request_id": "a"}, status=201)
    assert (card["entered"], card["waits"]) == (True, False)
    await member.post(f"{path}/entries", {"code": "sésame"}, status=409)
    card = await other.post(f"{path}/entries", {"code": "sésame"}, status=202)
    assert (card["waits"], card["waiting"]) == (True, 1)
    await other.ask("DELETE", f"{path}/entries/{member.id}")
    assert (await member.get(path))["entered"], "only oneself and organisers"
    assert (await member.ask("DELETE", f"{path}/entries/{member.id}")).status_code == 204
    entries = (await organiser.get(f"{path}/entries"))["entries"]
    assert [(entry["account"], entry["waits"]) for entry in entries] == [(other.id, False)]


async def test_bad_plans_and_drafts_are_refused_with_all_faults(house: House) -> None:
    organiser = await house.member()
    answer = await organiser.post(
        "/tournaments", {**PLAN, "rounds": 20, "ties": ["solos"], "points": "cdiplo"}, status=400
    )
    said = answer["error"]["message"]
    assert all(word in said for word in ("cdiplo", "solos", "rondes"))
    faults = answer["error"]["parts"]["faults"]
    assert {fault["code"] for fault in faults} == {"unknown_points", "unknown_tie", "bad_rounds"}
    assert {"code": "bad_rounds", "least": 2, "most": 15} in faults
    await organiser.post("/tournaments", {**PLAN, "game": "golf"}, status=404)
    await organiser.post("/tournaments", {**PLAN, "format": "ladder"}, status=400)
    path = await announced(organiser, in_room=True, rounds=2)
    members = [await house.member() for _ in range(4)]
    for member in members:
        await member.post(f"{path}/entries", {}, status=201)
    await organiser.post(f"{path}/begin", status=204)
    draft = await organiser.post(f"{path}/rounds/1/pair", {})
    a, b, c, d = (member.id for member in members)
    missing = {"version": draft["version"], "boards": [[a, b], [c, c]]}
    answer = (await organiser.ask("PUT", f"{path}/rounds/1/boards", missing)).json()
    assert answer["error"]["parts"]["missing"] == str(d)
    absent = {"version": draft["version"], "boards": [[a, b]], "absent": [c, d]}
    moved = (await organiser.ask("PUT", f"{path}/rounds/1/boards", absent)).json()
    assert moved["by_hand"]
    await organiser.post(f"{path}/rounds/1/publish", {"version": draft["version"]}, status=409)
    rounds = await organiser.post(f"{path}/rounds/1/publish", {"version": moved["version"]})
    assert rounds["rounds"][0]["absent"] == [c, d]
    await organiser.post(f"{path}/rounds/1/boards/1/result", {"marks": ["1", "1"]}, status=400)
    await organiser.post(f"{path}/rounds/2/pair", {}, status=409)


async def test_drafts_and_secrets_are_the_organisers(house: House) -> None:
    organiser, member = await house.member("Rédactrice"), await house.member()
    made = await organiser.post("/tournaments", {**PLAN, "code": "sésame"}, status=201)
    path = f"/tournaments/{made['id']}"
    for route in ("", "/entries", "/rounds", "/standings", "/log", "/export.json"):
        assert (await member.ask("GET", path + route)).status_code == 404
    for guest, theirs in ((organiser, [made["id"]]), (member, []), (house.nobody(), [])):
        drafts = [each["id"] for each in (await guest.get("/tournaments"))["tournaments"]]
        assert [each for each in drafts if each == made["id"]] == theirs
    await organiser.post(f"{path}/announce", status=204)
    for guest in (organiser, member, await house.member(), await house.member()):
        await guest.post(f"{path}/entries", {"code": "sésame"}, status=201)
    await organiser.post(f"{path}/begin", status=204)
    await organiser.post(f"{path}/rounds/1/pair", {})
    assert (await member.ask("GET", f"{path}/draft")).status_code == 403
    draft = await organiser.get(f"{path}/draft")
    assert [(await guest.get(path))["draft"] for guest in (organiser, member)] == [draft["version"], 0]
    seen = (await member.ask("GET", f"{path}/log")).text + (await member.ask("GET", path)).text
    assert "sésame" not in seen
    assert '"seed"' not in seen
    assert "drafted" not in seen
    log = await organiser.get(f"{path}/log")
    assert any(fact["is"] == "drafted" for act in log["acts"] for fact in act["facts"])
    assert log["people"][str(organiser.id)] == "Rédactrice"


async def test_at_a_board_one_resigns_and_does_nothing_else_about_seats(house: House) -> None:
    organiser, first, second, other = [await house.member() for _ in range(4)]
    path = await announced(organiser, format="round_robin")
    players = {member.id: member for member in (first, second, other)}
    for member in players.values():
        await member.post(f"{path}/entries", {}, status=201)
    await organiser.post(f"{path}/begin", status=204)
    draft = await organiser.post(f"{path}/rounds/1/pair", {})
    rounds = await organiser.post(f"{path}/rounds/1/publish", {"version": draft["version"]})
    (board,) = rounds["rounds"][-1]["boards"]
    white, black = [players.pop(account) for account in board["seats"]]
    table = f"/tables/{board['table']}"
    said = await white.refused("POST", f"{table}/replace", {"seat": 1, "robot": "novice"})
    assert said["code"] == "seats_of_tournament"
    assert (await white.refused("POST", f"{table}/abort"))["code"] == "counted_in_tournament"
    assert (await black.post(f"{table}/leave"))["status"] == "over"
    assert (await white.refused("POST", f"{table}/rematch"))["code"] == "no_rematch_in_tournament"
    standings = (await organiser.get(f"{path}/standings"))["lines"]
    assert {line["account"]: line["points"] for line in standings}[white.id] == 1


async def test_whoever_may_see_a_tournament_hears_that_something_has_changed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(topics, "TOURNAMENT_PAUSE", 0.01)
    organiser, *players = [await house.member() for _ in range(3)]
    made = await organiser.post(
        "/tournaments", {**PLAN, "in_room": True, "format": "round_robin"}, status=201
    )
    number, path = made["id"], f"/tournaments/{made['id']}"
    anybody, desk = await house.nobody().live(), await organiser.live()
    topic = {"topic": "tournament", "tournament": number}
    refused = await anybody.refusal_of({"type": "subscribe", "to": topic})
    assert refused["code"] == "no_such_tournament", "a draft is its organisers'"
    await organiser.post(f"{path}/announce", status=204)
    for player in (organiser, *players):
        await player.post(f"{path}/entries", {}, status=201)
    await organiser.post(f"{path}/begin", status=204)
    for live in (anybody, desk):
        await live.subscribe("tournament", tournament=number)
        said = await live.take("tournament")
        assert said == {
            "type": "tournament", "tournament": number, "status": "running", "round": 0, "open_boards": 0,
        }  # fmt: skip
    draft = await organiser.post(f"{path}/rounds/1/pair", {})
    assert (await desk.take("tournament"))["round"] == 0
    await organiser.post(f"{path}/rounds/1/publish", {"version": draft["version"]})
    said = await anybody.take("tournament")
    assert (said["round"], said["open_boards"]) == (1, 1), "of the draft nobody else has heard"
    await organiser.post(f"{path}/rounds/1/boards/1/result", {"marks": ["1", "0"]}, status=204)
    assert (await anybody.take("tournament"))["open_boards"] == 0
    await organiser.post(f"{path}/cancel", {"reason": "Coupure"}, status=204)
    assert (await anybody.take("tournament"))["status"] == "cancelled"
