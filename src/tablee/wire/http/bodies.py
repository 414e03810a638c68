"""The body of a request: not too large, not too slow, and counted before it is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request

BODY_SECONDS = 30.0
# Why: docs/decisions.md#an-answer-can-be-read
DISCARD_LIMIT = 1024 * 1024
"""Of a body that is too large, so much is read and thrown away, for the answer to arrive."""


class TooLarge(Exception):
    """A body of more bytes than this route takes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The body must have at most {limit} bytes")
        self.limit = limit


class TooSlow(Exception):
    """A body that did not come within its time."""


async def body_of(request: Request, limit: int, count: Callable[[int], None]) -> bytes:
    """The whole body; `count` is told how many bytes came. Raises TooLarge, TooSlow, ClientDisconnect."""
    announced = request.headers.get("content-length")
    if announced is None and "transfer-encoding" not in request.headers:
        return b""
    if announced is not None and announced.isdecimal() and int(announced) > DISCARD_LIMIT:
        raise TooLarge(limit)
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                size += len(chunk)
                if size > DISCARD_LIMIT:
                    break
                if size <= limit:
                    chunks.append(chunk)
    except TimeoutError:
        raise TooSlow from None
    count(size)
    if size > limit:
        raise TooLarge(limit)
    return b"".join(chunks)


def media_type_of(request: Request) -> str:
    """What the body says that it is, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
