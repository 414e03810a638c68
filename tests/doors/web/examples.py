"""Reads the examples of docs/protocols/web.md and plays them against a real server.

A block of ```example``` is a conversation: `>` is sent, `<` must come. `{name}` in what is sent is filled in;
`"{name}"` in what must come is remembered (or compared, once known), `"…"` is anything, and `"…": "…"` in an
object says that there is more. Over the WebSocket, messages that no line asks for are passed over.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
from tests.kit.http import NO_CERTIFICATES
from tests.kit.web import House, Live
from websockets.asyncio.client import connect

Json = Any
DOCUMENT = Path(__file__).parents[3] / "docs" / "protocols" / "web.md"
_BLOCK = re.compile(r"^```example\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"{(\w+)}")


def blocks() -> list[str]:
    return _BLOCK.findall(DOCUMENT.read_text("utf-8"))


class Player:
    """Plays one block after the other; what was remembered in one is known in the next."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.known: dict[str, str] = {}

    async def play(self, block: str) -> None:
        lines = block.splitlines()
        if lines[0].startswith("> WS "):
            await self._play_live(lines)
        else:
            for exchange in re.split(r"\n(?=> [A-Z]+ /)", block.strip("\n")):
                await self._play_http(exchange.splitlines())

    # --- HTTP -------------------------------------------------------------------------------------------

    async def _play_http(self, lines: list[str]) -> None:
        method, path = self._filled(lines[0].removeprefix("> ")).split(" ", 1)
        headers, body, status, expected = {}, "", 0, ""
        for line in lines[1:]:
            text = line[2:]
            if (line.startswith("> ") and text.startswith(("{", "["))) or (line.startswith("> ") and body):
                body += text
            elif line.startswith("> "):
                name, _, value = text.partition(": ")
                headers[name] = self._filled(value)
            elif line.startswith("< ") and not status:
                status = int(text.split()[0])
            elif line.startswith("< "):
                expected += text
        if body:
            headers.setdefault("Content-Type", "application/json")
        async with httpx.AsyncClient(base_url=self._house.url, verify=NO_CERTIFICATES) as client:
            response = await client.request(
                method, path, headers=headers, content=self._filled(body).encode() or None
            )
        said = f"{method} {path}: {response.status_code} {response.text}"
        assert response.status_code == status, said
        if expected:
            wrong = self._differs(json.loads(expected), response.json(), "$")
            assert wrong is None, f"{wrong} in {said}"
        else:
            assert not response.content, said

    # --- WebSocket --------------------------------------------------------------------------------------

    async def _play_live(self, lines: list[str]) -> None:
        headers = {}
        rest = lines[1:]
        while rest and rest[0].startswith("> ") and not rest[0].startswith("> {"):
            name, _, value = rest.pop(0)[2:].partition(": ")
            headers[name] = self._filled(value)
        path = self._filled(lines[0].removeprefix("> WS "))
        url = f"ws://127.0.0.1:{self._house.port}{path}"
        async with connect(url, additional_headers=headers, compression=None) as socket:
            live = Live(socket)
            for sign, text in _statements(rest):
                if sign == ">":
                    await socket.send(self._filled(text))
                else:
                    await self._expect(live, json.loads(text))

    async def _expect(self, live: Live, expected: Json) -> None:
        def fits(message: Json) -> bool:
            kept = dict(self.known)
            if self._differs(expected, message, "$") is None:
                return True
            self.known = kept
            return False

        await live.first(fits)

    # --- comparing --------------------------------------------------------------------------------------

    def _filled(self, text: str) -> str:
        return _NAME.sub(lambda found: self.known.get(found[1], found[0]), text)

    def _differs(self, expected: Json, real: Json, where: str) -> str | None:
        """What is different, or None."""
        if expected == "…":
            return None
        if isinstance(expected, str) and (found := _NAME.fullmatch(expected)):
            known = self.known.setdefault(found[1], str(real))
            return None if known == str(real) else f"{where} is {real!r}, not {known!r}"
        if isinstance(expected, dict) and isinstance(real, dict):
            return self._objects_differ(expected, real, where)
        if isinstance(expected, list) and isinstance(real, list):
            if expected[-1:] == ["…"]:
                expected, real = expected[:-1], real[: len(expected) - 1]
            if len(expected) != len(real):
                return f"{where} has {len(real)} items, not {len(expected)}"
            for place, (one, other) in enumerate(zip(expected, real, strict=True)):
                if (wrong := self._differs(one, other, f"{where}[{place}]")) is not None:
                    return wrong
            return None
        if isinstance(expected, str):
            expected = self._filled(expected)
        if isinstance(real, str):
            real = real.replace("\u00a0", " ")  # a page is written with plain spaces
        return None if expected == real else f"{where} is {real!r}, not {expected!r}"

    def _objects_differ(self, expected: Json, real: Json, where: str) -> str | None:
        for key, value in expected.items():
            if key == "…":
                continue
            if key not in real:
                return f"{where}.{key} is missing"
            if (wrong := self._differs(value, real[key], f"{where}.{key}")) is not None:
                return wrong
        more = set(real) - set(expected)
        return f"{where} has also {sorted(more)}" if more and "…" not in expected else None


def _statements(lines: list[str]) -> list[tuple[str, str]]:
    """Each message with its direction; a line that is indented goes on with the one before."""
    found: list[tuple[str, str]] = []
    for line in lines:
        if found and line.startswith(("  ", "> ", "< ")) and line[2:].startswith("  "):
            found[-1] = (found[-1][0], found[-1][1] + line[2:].strip())
        elif line.strip():
            found.append((line[0], line[2:]))
    return found
