"""Who may call what of a tournament: every route that changes something, by everybody."""

from __future__ import annotations

from typing import Any

from tests.doors.web.test_tournaments import PLAN, announced
from tests.kit.web import Guest, House

from tablee.doors.web.routes import ALL

Json = Any
REFUSALS = {"not_organiser", "not_first_organiser", "not_allowed"}
ENTRY = "/entries/{other}"
ORGANISERS = frozenset({"second", "first", "admin"})
FIRST = frozenset({"first", "admin"})
WRITES: list[tuple[str, str, Json, frozenset[str]]] = [
    # Method, path, body, and who may.
    ("PUT", "/plan", PLAN, ORGANISERS),
    ("POST", "/announce", None, ORGANISERS),
    ("POST", "/begin", None, ORGANISERS),
    ("POST", "/end", None, ORGANISERS),
    ("POST", "/check_in", None, ORGANISERS),
    ("PUT", ENTRY + "/check_in", None, ORGANISERS),
    ("PUT", ENTRY + "/rounds/3", {"away": True}, ORGANISERS),
    (
        "POST", ENTRY + "/penalties", {"points": "1", "reason": "r"},
        ORGANISERS,
    ),
    ("POST", "/rounds/1/undo", {"reason": "r"}, ORGANISERS),
    ("POST", "/rounds/2/pair", {}, ORGANISERS),
    (
        "PUT", "/rounds/2/boards", {"version": 1, "boards": []},
        ORGANISERS,
    ),
    ("POST", "/rounds/2/publish", {"version": 1}, ORGANISERS),
    (
        "POST", "/rounds/1/boards/1/result", {"marks": ["1", "0"]},
        ORGANISERS,
    ),
    ("POST", "/rounds/1/boards/1/substitute", {"seat": 1, "robot": "beginner"}, ORGANISERS),
    ("POST", "/entries", {"account": 0}, ORGANISERS),
    ("PUT", "/organisers/{second}", None, FIRST),
    ("DELETE", "/organisers/{other}", None, FIRST),
    ("DELETE", ENTRY, None, ORGANISERS),
    ("POST", "/cancel", {"reason": "r"}, FIRST),
]  # fmt: skip


async def test_every_call_is_refused_to_who_may_not_and_to_nobody_else(house: House) -> None:
    """Who may is let in: what he then hears, that it is too late or done already, is another matter."""
    people: dict[str, Guest] = {
        "first": await house.member(), "second": await house.member(), "entrant": await house.member(),
        "other": await house.member(), "stranger": await house.member(),
        "admin": await house.administrator(),
    }  # fmt: skip
    path = await announced(people["first"], in_room=True, rounds=2)
    assert (await people["first"].ask("PUT", f"{path}/organisers/{people['second'].id}")).status_code == 204
    third, newcomer = await house.member(), await house.member()
    for guest in (people["entrant"], people["other"], third):
        await guest.post(f"{path}/entries", {}, status=201)
    await people["first"].post(f"{path}/begin", status=204)
    draft = await people["first"].post(f"{path}/rounds/1/pair", {})
    await people["first"].post(f"{path}/rounds/1/publish", {"version": draft["version"]})
    for method, suffix, body, allowed in WRITES:
        where = path + suffix.format(other=people["other"].id, second=people["second"].id)
        if suffix == "/entries":
            body = {"account": newcomer.id}
        for who in ("stranger", "entrant", "second", "first", "admin"):
            answer = await people[who].ask(method, where, body)
            may = who in allowed
            code = answer.json()["error"]["code"] if answer.status_code == 403 else ""
            assert (code not in REFUSALS) == may, (who, method, suffix, answer.text)
            assert may or answer.status_code == 403, (who, method, suffix, answer.text)
        assert (await house.nobody().ask(method, where, body)).status_code == 401


def test_no_call_that_changes_a_tournament_is_left_out() -> None:
    def bare(path: str) -> str:
        for name in ("{account_id}", "{other}", "{second}"):
            path = path.replace(name, "*")
        for name in ("{round}", "{board}"):
            path = path.replace(name, "1")
        return path.replace("/rounds/2/", "/rounds/1/").replace("/rounds/3", "/rounds/1")

    known = {(method, bare(path)) for method, path, _, _ in WRITES}
    prefix = "/tournaments/{tournament_id}"
    wanted = {
        (route.method, bare(route.path.split(prefix)[1]))
        for route in ALL
        if prefix in route.path and route.method != "GET"
    }
    assert wanted - known == set()
