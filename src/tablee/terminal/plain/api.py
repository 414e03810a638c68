"""A house's web API from a terminal: requests with tokens that are renewed, and the live connection."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from tablee.terminal.entry import read_address

Json = Any
DEFAULT_PORT = 8000
PATIENCE = 20.0
"""Seconds that an answer may take."""


class Refused(Exception):
    """The house has answered no, in a sentence for the person who asked."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Unreachable(OSError):
    """Nobody answers at the address."""


def base_of(target: str) -> str:
    """The address that `HOST`, `HOST:PORT` or a whole `https://…` means; ValueError says what is wrong."""
    if target.startswith(("http://", "https://")):
        return target.rstrip("/")
    return f"http://{read_address(target, DEFAULT_PORT)}"


class WebApi:
    """A house at an address, asked as a visitor or as a member."""

    def __init__(self, base: str, language: str) -> None:
        self.base = base
        self._language = language
        self._access = ""
        self._refresh = ""

    @property
    def live_address(self) -> str:
        return f"ws{self.base.removeprefix('http')}/api/v1/live"

    @property
    def headers(self) -> dict[str, str]:
        """Who one is, and in which language one wants to be answered."""
        known = {"Authorization": f"Bearer {self._access}"} if self._access else {}
        return {"Accept-Language": self._language, **known}

    async def enter(self, name: str | None, password: str) -> None:
        """Come in as a visitor, or as the member of this name. Raises Refused, Unreachable."""
        if name is None:
            self._keep(await self._ask("POST", "/visitors", {"language": self._language}))
        else:
            self._keep(await self._ask("POST", "/session", {"name": name, "password": password}))

    async def renew(self) -> None:
        """Get new tokens. Raises Refused, Unreachable."""
        self._access = ""
        self._keep(await self._ask("POST", "/session/refresh", {"refresh": self._refresh}))

    async def get(self, path: str) -> Json:
        return await self._asked("GET", path, None)

    async def post(self, path: str, body: Json) -> Json:
        return await self._asked("POST", path, body)

    async def _asked(self, method: str, path: str, body: Json) -> Json:
        try:
            return await self._ask(method, path, body)
        except Refused as refusal:
            if refusal.code != "token_expired":
                raise
        await self.renew()
        return await self._ask(method, path, body)

    async def _ask(self, method: str, path: str, body: Json) -> Json:
        return await asyncio.to_thread(self._send, method, path, body)

    def _send(self, method: str, path: str, body: Json) -> Json:
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.base}/api/v1{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                content = answer.read()
                return json.loads(content) if content else None
        except urllib.error.HTTPError as error:
            raise _refusal(error.status or 0, error.read()) from None
        except (OSError, ValueError) as error:
            raise Unreachable(f"{self.base}: {error}") from error

    def _keep(self, tokens: Json) -> None:
        self._access, self._refresh = tokens["access"], tokens["refresh"]


def _refusal(status: int, content: bytes) -> Refused:
    try:
        said = json.loads(content)["error"]
        return Refused(said["code"], said["message"])
    except (ValueError, KeyError, TypeError):
        return Refused("unknown", f"HTTP {status}")


def segment(text: str) -> str:
    """A part of a path."""
    return urllib.parse.quote(text, safe="")
