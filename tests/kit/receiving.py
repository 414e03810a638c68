"""A web server elsewhere, on the loopback, for webhooks: it keeps what came, and answers as told."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

Json = Any
TAKEN = b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
GONE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 15\r\n\r\nUnknown Webhook"


class Heard(NamedTuple):
    """One request that came."""

    path: str
    headers: dict[str, str]
    """By name in small letters."""
    body: bytes

    @property
    def said(self) -> Json:
        return json.loads(self.body)

    def is_signed_with(self, secret: str) -> bool:
        """Whether the signature is right, worked out as any receiver would."""
        signed = f"{self.headers['x-tablee-timestamp']}.".encode() + self.body
        wanted = "v1=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        return hmac.compare_digest(wanted, self.headers["x-tablee-signature"])


class Receiver:
    """`answers` are given one after the other, then `usual`; None is no answer at all."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.answers: deque[bytes | None] = deque()
        self.usual: bytes | None = TAKEN
        self.place = ""

    def url(self, path: str = "/hook") -> str:
        return f"http://{self.place}{path}"

    @property
    def events(self) -> list[str]:
        return [heard.said["event"] for heard in self.heard]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.split("\r\n")
            pairs = (line.partition(":") for line in lines if line)
            headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
            body = await reader.readexactly(int(headers["content-length"]))
            self.heard.append(Heard(first.split()[1], headers, body))
            answer = self.answers.popleft() if self.answers else self.usual
            if answer is None:
                await reader.read()  # until who asked has given up
            else:
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # who asked has gone
        finally:
            writer.close()


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    server = await asyncio.start_server(receiver._serve, "127.0.0.1", 0)
    receiver.place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield receiver
    finally:
        server.close()
