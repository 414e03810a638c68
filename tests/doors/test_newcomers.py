"""Whoever is new is counted by the network he comes from, whichever door he comes in by."""

from __future__ import annotations

import ast
import contextlib
import json
import socket
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.kit.process import House
from tests.kit.talking import Wire
from tests.kit.waiting import PATIENCE
from websockets.sync.client import connect

DOORS = Path(__file__).parents[2] / "src" / "tablee" / "doors"
PASSWORD = "un bon mot de passe"
MAKING = {"create", "enter", "create_visitor", "upgrade_visitor"}
"""The ways of `club.accounts` to make somebody."""
Way = Callable[[House, str], bool]
"""Comes in as somebody new of this name; says whether he was let in."""


def asked(house: House, path: str, content: dict[str, Any], **headers: str) -> tuple[int, Any]:
    host, port = house.address("http")
    request = urllib.request.Request(
        f"http://{host}:{port}{path}",
        json.dumps(content).encode(),
        {"Content-Type": "application/json", **headers},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        return refusal.code, None


def in_lines(house: House, *lines: str) -> str:
    """The last answer at the plain port of the Pawn Hub."""
    with socket.create_connection(house.address("pawnhub_plain"), timeout=PATIENCE) as wire:
        reader = wire.makefile("r", encoding="utf-8")
        for line in lines:
            wire.sendall(f"{line}\n".encode())
            answer = reader.readline()
    return answer


def in_frames(house: House, payload: str) -> str:
    """The first answer at the framed port of the Pawn Hub, "" where none comes because one waits."""
    with socket.create_connection(house.address("pawnhub"), timeout=PATIENCE) as wire:
        # What is asked second is answered after the first, whether or not that has an answer.
        wire.sendall(payload.encode().ljust(150, b"|") + b"20~x".ljust(150, b"|"))
        frame = b""
        while len(frame) < 150:
            frame += wire.recv(150 - len(frame))
    return frame.rstrip(b"|").decode()


# --- accounts -------------------------------------------------------------------------------------------


def by_the_page(house: House, name: str) -> bool:
    return asked(house, "/api/v1/accounts", {"pseudo": name, "password": PASSWORD})[0] == 201


def by_afjd_players(house: House, name: str) -> bool:
    details = {"email": f"{name}@example.org", "country": "FRA", "time_zone": "UTC+01:00"}
    status, _ = asked(house, "/afjd/players/players", {"pseudo": name, "password": PASSWORD, **details})
    assert status in (201, 429), status
    return status == 201


def by_a_service(house: House, name: str) -> bool:
    """With the services' secret: a back end makes accounts for many, and is not counted."""
    secret = (house.data / "service-secret").read_text().strip()
    person = {"user_name": name, "password": PASSWORD}
    return asked(house, "/afjd/users/add", person, ServiceSecret=secret)[0] == 201


def by_minehive(house: House, name: str) -> bool:
    return Wire(house.address("minehive")).ask(f"REGI#{name}#{PASSWORD}") == "IDOK"


def by_frames(house: House, name: str) -> bool:
    return in_frames(house, f"1~{name}~secret") == "1~1"


def by_lines(house: House, name: str) -> bool:
    return in_lines(house, f"SIGNUP {name} secret") == "OK\n"


# --- visitors -------------------------------------------------------------------------------------------


def visiting_the_page(house: House, name: str) -> bool:
    return asked(house, "/api/v1/visitors", {})[0] == 201


def visiting_in_frames(house: House, name: str) -> bool:
    return in_frames(house, "4~0") != "5"


def visiting_in_lines(house: House, name: str) -> bool:
    return in_lines(house, "GUEST").startswith("OK ")


# --- consoles -------------------------------------------------------------------------------------------


def by_console(house: House, name: str) -> bool:
    with connect(house.ports["dr2d"]) as console:
        return str(json.loads(console.recv())["ShortMessageService"]["msgCode"]) == "PlayersDiscovery"


ACCOUNTS: list[Way] = [
    *(by_the_page, by_afjd_players, by_minehive, by_frames, by_lines),
]
VISITORS: list[Way] = [visiting_the_page, visiting_in_frames, visiting_in_lines]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house that lets in exactly one by each way."""
    accounts, visitors = str(len(ACCOUNTS)), str(len(VISITORS))
    house = House(
        tmp_path / "data",
        *("--no-demo", "--accounts-an-hour", accounts, "--visitors-an-hour", visitors),
        *("--dr2d-arrivals", "1"),
    )
    house.start()
    yield house
    house.close()


def test_every_door_counts_who_is_new_and_the_deeds_name_where_he_came_from(house: House) -> None:
    for number, way in enumerate([*ACCOUNTS, *VISITORS, by_console]):
        assert way(house, f"Premier{number}"), way.__name__
    for number, way in enumerate([*ACCOUNTS, *VISITORS, by_console]):
        assert not way(house, f"Second{number}"), way.__name__
    status, signed_in = asked(house, "/api/v1/accounts", {"pseudo": "Tiers", "password": PASSWORD})
    assert (status, signed_in) == (429, None)
    for number in range(2):
        assert by_a_service(house, f"Confie{number}")
    with contextlib.closing(sqlite3.connect(house.data / "tablee.sqlite")) as database:
        made = database.execute(
            "select d.what, d.address, count(*) from deed d join account a on a.id = d.account_id"
            " where d.what in ('sign_up', 'visit') and a.role != 'super' group by d.what, d.address"
        ).fetchall()
    assert sorted(made) == [
        ("sign_up", "127.0.0.1", len(ACCOUNTS) + 2),
        ("visit", "127.0.0.1", len(VISITORS) + 1),
    ]


def test_no_door_makes_anybody_without_saying_where_he_comes_from() -> None:
    makings = 0
    for file in DOORS.rglob("*.py"):
        if file.name == "ranking.py":  # the command that brings in the ranking of an old server
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            of = node.func.value
            whose = of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")
            if node.func.attr in MAKING and whose == "accounts":
                makings += 1
                assert "address" in {word.arg for word in node.keywords}, f"{file.name}:{node.lineno}"
    assert makings >= 8
