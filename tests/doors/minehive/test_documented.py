"""docs/protocols/minehive.md: its examples are run, and no message is missing from it."""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from tests.doors.minehive.test_match import hidden_safe
from tests.kit.examples import Values, examples
from tests.kit.minehive import Client, House, Opener
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.doors.minehive import messages

PAGE = Path(__file__).parents[3] / "docs" / "protocols" / "minehive.md"


class Telnet:
    """Runs one example."""

    def __init__(self, house: House, clock: HandClock) -> None:
        self.house, self.clock = house, clock
        self.connections: dict[str, Client] = {}
        self.values = Values(secret=house.door.secret)

    async def run(self, lines: list[str]) -> None:
        place = 0
        while place < len(lines):
            found = re.fullmatch(r"(?:\[(\w+)\] )?([$<>]) (.*)", lines[place])
            times = re.fullmatch(r"\* (\d+) times:", lines[place])
            if times:
                for _ in range(int(times[1])):
                    await self.run(lines[place + 1 : place + 3])
                place += 2
            elif found:
                await self._line(found[1] or "", found[2], found[3])
            else:
                await self._happens(lines[place].removeprefix("* "))
            place += 1

    async def _line(self, who: str, sign: str, text: str) -> None:
        if sign == "$":
            await self._connect(who, *text.split()[1:])
        elif sign == ">":
            self.connections[who].send_raw(await self._bytes(text) + b"\n")
        elif text == "(closed)":
            assert [line for line in await self.connections[who].closed() if line != "RUOK"] == []
        elif found := re.fullmatch(r"… (\d+) lines", text):
            await self.connections[who].lines(int(found[1]))
        else:
            line = await self.connections[who].line()
            while line == "RUOK" and text != "RUOK":
                line = await self.connections[who].line()
            self._matches(text, line)

    async def _connect(self, who: str, place: str, port: str) -> None:
        known = {"5555": self.house.door.address, "7777": self.house.door.hosts.address}
        address = (
            known[port] if place == "server" else (self.values.filled(place), int(self.values.filled(port)))
        )
        self.connections[who] = await Client.open(address)

    async def _bytes(self, text: str) -> bytes:
        if "{safe}" in text and "safe" not in self.values:
            x, y = hidden_safe((await self.house.live()).state)[0]
            self.values["safe"] = f"{x}#{y}"
        text = re.sub(r"\{(\d+) × (.)\}", lambda many: many[2] * int(many[1]), text)
        raw = self.values.filled(text).encode()
        return re.sub(rb"\\x([0-9a-f]{2})", lambda code: bytes([int(code[1], 16)]), raw)

    def _matches(self, text: str, line: str) -> None:
        self.values.match(text, line, "[^#]")

    async def _happens(self, what: str) -> None:
        if found := re.fullmatch(r"(\d+) seconds pass( in silence)?", what):
            await self._pass(int(found[1]), speaking=found[2] is None)
        elif found := re.fullmatch(r"\[(\w+)\] breaks", what):
            self.connections.pop(found[1]).reset()
        elif found := re.fullmatch(r"\[(\w+)\] opens every safe square", what):
            await self._open_all(self.connections[found[1]])
        else:
            raise AssertionError(f"the page says something that is not understood: {what!r}")

    async def _pass(self, seconds: int, *, speaking: bool) -> None:
        for _ in range(seconds):
            await self.clock.advance(1_000)
            if speaking:
                for client in self.connections.values():
                    client.send("IMOK")
                await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)

    async def _open_all(self, client: Client) -> None:
        live = await self.house.live()
        while left := hidden_safe(live.state):
            opened = live.state.opened
            client.send(*[f"CLIC#{x}#{y}" for x, y in left])
            await until(lambda opened=opened: live.state.opened > opened)  # type: ignore[misc]
        line = "SQRD"
        while line.startswith(("SQRD", "LATE")):
            line = await client.line()
            if line.startswith("SCPC"):
                self._matches("SCPC#Adil#{points}#{points}#381#0", line)
                self.connections["match"] = _Unread(client, line)


class _Unread(Client):
    """A client with a line that was read too early."""

    def __init__(self, client: Client, line: str) -> None:
        super().__init__(client.reader, client._writer)
        self._first: str | None = line

    async def line(self) -> str:
        line, self._first = self._first, None
        return await super().line() if line is None else line


@pytest.mark.parametrize(("asked", "lines"), examples(PAGE, "minehive"))
async def test_an_example_of_the_page_is_what_happens(
    open_house: Opener, clock: HandClock, asked: str, lines: list[str]
) -> None:
    settings: dict[str, Any] = {}
    with socket.create_server(("127.0.0.1", 0)) as busy:
        for name, _, value in (one.partition("=") for one in asked.split()):
            settings[name] = (busy.getsockname()[1],) * 2 if value == "none" else int(value)
        await Telnet(await open_house(**settings), clock).run(lines)


LINKS = {
    "Client and server": (messages.CLIENT_TO_SERVER, messages.SERVER_TO_CLIENT),
    "Client and host": (messages.CLIENT_TO_HOST, messages.HOST_TO_CLIENT),
    "Host and server": (messages.HOST_TO_SERVER, messages.SERVER_TO_HOST),
}


@pytest.mark.parametrize("link", LINKS)
def test_every_message_of_a_link_is_in_its_table(link: str) -> None:
    section = PAGE.read_text("utf-8").partition(f"## {link}")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    for side, kinds in enumerate(LINKS[link]):
        column = " ".join(row[side] for row in rows if len(row) == 2)
        for message in kinds:
            assert re.search(rf"`{message.kind}\b", column), f"{message.kind} is not in “{link}”"


def test_every_message_is_in_a_link() -> None:
    linked = {message for both in LINKS.values() for side in both for message in side}
    assert linked == set(messages.MESSAGES.values())


def test_every_message_is_shown_in_an_example_or_is_ours() -> None:
    shown = "\n".join(line for _, lines in (p.values for p in examples(PAGE, "minehive")) for line in lines)
    quiet = {"DOIT", "DONE", "IDKH", "IDKC"}
    missing = {kind for kind in messages.MESSAGES if not re.search(rf"[<>] {kind}\b", shown)} - quiet
    assert missing == set()
