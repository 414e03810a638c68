"""The page on the protocol says what is served, and its examples run as they are printed."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.kit.afjd import ZONE, House, Person

from tablee.doors.afjd.calls import ALL
from tablee.doors.afjd.door import DECLARED

PAGE = (Path(__file__).parents[3] / "docs/protocols/afjd.md").read_text()
Json = Any


def test_every_call_is_documented_with_its_parameters_and_statuses() -> None:
    assert DECLARED
    for service in ALL:
        for call in service.routes:
            start = f"| `{call.method} {call.path}` |"
            section = PAGE[PAGE.index(f"### {service.group.upper()}\n") :]
            row = next((line for line in section.splitlines() if line.startswith(start)), None)
            assert row is not None, call.name
            for param in call.params:
                assert f"`{param.name}`" in row or f"`[{param.name}]`" in row, (call.name, param.name)
                assert f"| `{param.name}` | {param.kind} | {param.says} |" in PAGE, param.name
            assert f"| {call.status}: {call.summary} |" in row, call.name


def test_no_call_is_documented_that_does_not_exist() -> None:
    named = set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", PAGE, re.M))
    assert named == {f"{call.method} {call.path}" for service in ALL for call in service.routes}


async def test_every_service_describes_itself(house: House) -> None:
    for service in ALL:
        described = await house.get("/openapi.json", service=service.group)
        found = {(method.upper(), path) for path, methods in described["paths"].items() for method in methods}
        assert found == {(call.method, call.path) for call in service.routes}


def example(chapter: str, number: int = 0) -> str:
    """A curl line of the page, under the sentence that begins with this chapter."""
    part = PAGE[PAGE.index(f"\n{chapter}, ") :]
    return str(re.findall(r"^```sh\n(.*?)\n```", part, re.M | re.S)[number])


async def curl(house: House, line: str, token: str = "", **ids: int) -> Json:
    """Run a line of the page, with the addresses of this house, this token and the ids of this game."""
    for name, number in ids.items():
        line = {
            "game": line.replace("/3 ", f"/{number} ").replace("game_id=3", f"game_id={number}"),
            "player": line.replace("player_id=1", f"player_id={number}"),
        }[name]
    addresses = {name.upper(): house.at(name, "") for name in ("users", "players", "games")}
    done = await asyncio.to_thread(
        subprocess.run,
        ["sh", "-c", line.replace("curl ", "curl --silent --show-error --max-time 20 ", 1)],
        env={**addresses, "ACCESS": token, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


async def test_the_use_cases_of_the_document_run_as_printed(house: House) -> None:
    # F.1
    assert await curl(house, example("F.1")) == {"pseudo": "Tartempion", "msg": "Ok player created"}
    # F.2
    token = (await curl(house, example("F.2")))["AccessToken"]
    assert re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", token)
    made = await curl(house, example("F.2", 1), token)
    assert made == {"name": "Raspoutine", "msg": "Ok game created"}
    number = await house.get("/game-identifiers/Raspoutine")
    await curl(house, example("F.4").replace("current_state=1", "manual=1"), token)
    # F.3: seven players come, one of them by the line of the document
    people: list[Person] = [await house.person(name) for name in ("one", "two", "p3", "p4", "p5", "p6", "p7")]
    roles = dict(zip((6, 3, 1, 2, 4, 5, 7), people, strict=True))
    allocated = await curl(house, example("F.3"), token, game=number, player=people[0].id)
    assert allocated == {"msg": "Ok allocation updated or created"}
    master = Person(house, "Tartempion", 0, token)
    for role, person in roles.items():
        await master.post("/allocations", game_id=number, player_id=person.id, role_id=role)
    # F.4
    assert await curl(house, example("F.4"), token) == {"name": "Raspoutine", "msg": "Ok updated"}
    # F.5: Germany with F den, A pru, A boh in autumn 1901
    for role, person in roles.items():
        units = (await house.get(f"/game-positions/{number}"))["units"][str(role)]
        orders = [
            {"order_type": 4, "active_unit": {"type_unit": kind, "role": role, "zone": zone}}
            for kind, zone in units
        ]
        await person.post(f"/game-orders/{number}", role_id=role, orders=orders)
    resolved = await curl(house, example("F.6"), token, game=number)
    assert resolved["msg"].startswith(
        "Ok adjudication performed and game updated : SOLVEUR : INFORMATION : "
        "Résolution ou validation d'ordres pour Mouvements printemps 1901\n\n"
    )
    stands = await house.get(f"/game-positions/{number}")
    german = [(2, "den"), (1, "pru"), (1, "boh")]
    units = [
        {"type_unit": kind, "role": int(role), "zone": zone}
        for role, found in stands["units"].items()
        if role != "3"
        for kind, zone in found
    ] + [{"type_unit": kind, "role": 3, "zone": ZONE[zone]} for kind, zone in german]
    owned = [{"role": role, "center_num": int(centre)} for centre, role in stands["ownerships"].items()]
    await master.post(f"/game-positions/{number}", center_ownerships=owned, units=units)
    submitted = await curl(house, example("F.5"), people[1].token, game=number)
    assert submitted["msg"].startswith("Ok orders submitted SOLVEUR : INFORMATION")
    assert "F den - swe\nA pru - lvn\nA boh T" in submitted["msg"]
    # F.6
    for role, person in roles.items():
        if role != 3:
            found = (await house.get(f"/game-positions/{number}"))["units"][str(role)]
            orders = [
                {"order_type": 4, "active_unit": {"type_unit": kind, "role": role, "zone": zone}}
                for kind, zone in found
            ]
            await person.post(f"/game-orders/{number}", role_id=role, orders=orders)
    resolved = await curl(house, example("F.6"), token, game=number)
    assert "pour Mouvements automne 1901" in resolved["msg"]
    # F.7
    said = await curl(house, example("F.7"), people[0].token, game=number)
    assert said == {"msg": "Ok message inserted : Time for attack"}
    heard = await curl(house, example("F.7", 1), people[1].token, game=number)
    assert [message[1:] for message in heard["messages_list"]] == [[6, 3, "Time for attack"]]
    # F.8
    said = await curl(house, example("F.8"), people[0].token, game=number)
    assert said == {"msg": "Ok declaration inserted : Hello world"}
    heard = await curl(house, example("F.8", 1), people[0].token, game=number)
    assert [line[1:] for line in heard["declarations_list"]] == [[6, "Hello world"]]
