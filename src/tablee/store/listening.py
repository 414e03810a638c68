"""What the buses between nodes share: how hints travel, and what happens when the line is cut."""

from __future__ import annotations

import asyncio
import contextlib
from abc import abstractmethod
from collections.abc import Sequence

import msgspec

from tablee.store.bus import InProcessBus, report
from tablee.store.units import Hint

RETRY_SECONDS = 0.5
"""Between two tries to take up the line again."""


class Message(msgspec.Struct, array_like=True):
    """What travels: who says it, and the hints; without hints, that some of its hints were lost."""

    node_id: str
    hints: list[Hint]


class ListeningBus(InProcessBus):
    """A bus whose line to the other nodes is taken up again whenever it is cut."""

    def __init__(self, node_id: str) -> None:
        super().__init__()
        self.node_id = node_id
        self._trouble: str | None = None
        self._heard_once = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False  # a cancellation alone may be swallowed by a wait that ends that very moment

    async def start(self) -> None:
        """Listen from now on; returns when the line is up."""
        self._task = asyncio.create_task(self._keep_listening(), name="tablee-bus")
        await self._heard_once.wait()

    async def close(self) -> None:
        self._closing = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await super().close()

    def healthy(self) -> str | None:
        return self._trouble

    @abstractmethod
    async def _listen(self) -> None:
        """Take up the line, call `_up`, and stay until it is cut, which is an exception, or `_closing`."""

    async def _keep_listening(self) -> None:
        while not self._closing:
            try:
                await self._listen()
            except Exception as error:
                self._trouble = f"Other nodes cannot be heard: {str(error) or type(error).__name__}."
                self._heard_once.set()
            await asyncio.sleep(RETRY_SECONDS)

    def _up(self) -> None:
        cut = self._trouble is not None
        self._trouble = None
        self._heard_once.set()
        if cut:
            self.tell_lost()

    def _hear(self, payload: str | bytes) -> None:
        try:
            message = _DECODER.decode(payload)
        except msgspec.DecodeError as error:
            report("a message between nodes cannot be read", error)
            return
        if message.node_id == self.node_id:
            return
        if message.hints:
            self.deliver(message.hints)
        else:
            self.tell_lost()


def message(node_id: str, hints: Sequence[Hint]) -> bytes:
    return msgspec.json.encode(Message(node_id, list(hints)))


_DECODER = msgspec.json.Decoder(Message)
