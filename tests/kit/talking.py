"""Talking to a house as its clients do: over HTTP, and in the lines of Minehive."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from typing import Any

from tests.kit.process import House
from tests.kit.waiting import PATIENCE, wait_until


def get(house: House, path: str) -> tuple[int, str]:
    host, port = house.address("http")
    try:
        with urllib.request.urlopen(f"http://{host}:{port}{path}", timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


def post(house: House, path: str, content: dict[str, Any]) -> dict[str, Any]:
    host, port = house.address("http")
    asked = urllib.request.Request(
        f"http://{host}:{port}{path}",
        json.dumps(content).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
        found = json.load(answer)
    assert isinstance(found, dict)
    return found


class Wire:
    """A Minehive client that answers RUOK by itself."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.socket = socket.create_connection(address, timeout=PATIENCE)
        self._file = self.socket.makefile("r", encoding="utf-8", newline="\n")

    def send(self, line: str) -> None:
        self.socket.sendall(f"{line}\n".encode())

    def line(self) -> str:
        """The next line that is no RUOK; empty when the connection is closed."""
        while True:
            line = self._file.readline()
            if line.strip() != "RUOK":
                return line.rstrip("\n")
            self.send("IMOK")

    def ask(self, line: str) -> str:
        self.send(line)
        return self.line()


def enter_match(house: House, user: str = "Ada", password: str = "sésame-5e8a") -> Wire:
    """Register, create a match, join it."""
    client = Wire(house.address("minehive"))
    assert client.ask(f"REGI#{user}#{password}") == "IDOK"
    return _join(client.ask("NWMA"), user, password)


def join_again(house: House, user: str = "Ada", password: str = "sésame-5e8a") -> Wire:
    """Register and go back into the match that one is in, as soon as the house lets one."""
    found = ""

    def is_told() -> bool:
        nonlocal found
        found = Wire(house.address("minehive")).ask(f"REGI#{user}#{password}")
        return found.startswith("IDIG#")

    wait_until(is_told, "the way back into the match")
    return _join(found, user, password)


def _join(told: str, user: str, password: str) -> Wire:
    _, host, port = told.split("#")
    player = Wire((host, int(port)))
    assert player.ask(f"JOIN#{user}#{password}") == "JNOK#16"
    while not player.line().startswith("IGPL#"):
        pass
    return player
