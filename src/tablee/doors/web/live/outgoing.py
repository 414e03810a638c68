"""What waits to be sent to one client: a bounded queue, so that a slow reader costs only itself."""

from __future__ import annotations

import asyncio
from collections import deque


class Outgoing:
    """Texts for one client, in order. Past `most_texts` or `most_bytes` it overflows, once and for good."""

    def __init__(self, most_texts: int = 1000, most_bytes: int = 4 * 1024 * 1024) -> None:
        self._most_texts = most_texts
        self._most_bytes = most_bytes
        self._texts: deque[str] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self.overflowed = False
        self.closed = False

    def put(self, text: str) -> bool:
        """Queue one text; False if the client is gone or too slow, and nothing more will be queued."""
        if self.overflowed or self.closed:
            return False
        # One text that is larger than the bound by itself is still sent to a client that has read all else.
        if self._texts and (
            len(self._texts) >= self._most_texts or self._bytes + len(text) > self._most_bytes
        ):
            self.overflowed = True
            self._texts.clear()
            self._empty.set()
            self._news.set()
            return False
        self._texts.append(text)
        self._bytes += len(text)
        self._empty.clear()
        self._news.set()
        return True

    def close(self) -> None:
        """Nothing more comes; what is queued is still given out."""
        self.closed = True
        self._news.set()

    async def get(self) -> str | None:
        """The next text, or None when there is nothing more to send."""
        while not self._texts:
            self._empty.set()
            if self.overflowed or self.closed:
                return None
            self._news.clear()
            await self._news.wait()
        text = self._texts.popleft()
        self._bytes -= len(text)
        return text

    async def drained(self) -> None:
        """Wait until everything has been given out."""
        await self._empty.wait()
