"""The bus over Redis or Valkey, for houses where PostgreSQL has enough to do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from redis.asyncio import Redis

from tablee.store.bus import gathered
from tablee.store.listening import RETRY_SECONDS, ListeningBus, message
from tablee.store.units import Hint

PULSE_SECONDS = 5
MOST_WAITING = 10_000
"""Hints kept for a server that is gone; beyond this the other nodes are told that some were lost."""


class RedisBus(ListeningBus):
    """One channel a house; what could not be said is owned up to when the line is back."""

    carried_by_commit = False

    def __init__(self, url: str, house: int, node_id: str) -> None:
        super().__init__(node_id)
        self._channel = f"tablee:{house}"
        self._redis = Redis.from_url(
            url, socket_connect_timeout=5, socket_timeout=PULSE_SECONDS * 2, health_check_interval=0
        )
        self._outgoing: list[Hint] = []
        self._woken = asyncio.Event()
        self._dropped = False
        self._sender: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._sender = asyncio.create_task(self._keep_sending(), name="tablee-bus-sender")
        await super().start()

    async def close(self) -> None:
        self._closing = True
        if self._sender is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._send(), 1)
            self._sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sender
        await super().close()
        await self._redis.aclose()

    def publish(self, hints: Sequence[Hint]) -> None:
        self.deliver(hints)
        if len(self._outgoing) < MOST_WAITING:
            self._outgoing += hints
        else:
            self._outgoing.clear()
            self._dropped = True
        self._woken.set()

    async def _listen(self) -> None:
        async with self._redis.pubsub(ignore_subscribe_messages=True) as line:
            await line.subscribe(self._channel)
            await line.ping()
            self._up()
            quiet = 0
            while not self._closing:
                heard = await line.get_message(timeout=PULSE_SECONDS)
                if heard is None:
                    quiet += 1
                    if quiet > 2:
                        raise ConnectionError("the Redis server does not answer")
                    await line.ping()
                    continue
                quiet = 0
                if heard["type"] == "message":
                    self._hear(heard["data"])

    async def _keep_sending(self) -> None:
        while not self._closing:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self._send()
            except Exception:
                self._dropped = True
                self._woken.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def _send(self) -> None:
        if self._dropped:
            await self._redis.publish(self._channel, message(self.node_id, []))
            self._dropped = False
        if self._outgoing:
            hints, self._outgoing = gathered(self._outgoing), []
            await self._redis.publish(self._channel, message(self.node_id, hints))
