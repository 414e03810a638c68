"""The bus over PostgreSQL alone: LISTEN on a connection of its own, NOTIFY with the writer's commit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tablee.store.bus import gathered
from tablee.store.listening import ListeningBus, message
from tablee.store.postgresql_server import NOTIFY, connect
from tablee.store.units import Hint

CHANNEL = "tablee"
MOST_BYTES = 7900
"""Of one notification: the server takes less than 8000."""

PULSE_SECONDS = 5.0
"""How often the line is tried when nothing is heard."""


class PostgresqlBus(ListeningBus):
    """Hints of units travel with their commit; others are sent by the listening connection."""

    carried_by_commit = True

    def __init__(self, url: str, node_id: str) -> None:
        super().__init__(node_id)
        self._url = url
        self._outgoing: list[Hint] = []
        self._woken = asyncio.Event()

    def publish(self, hints: Sequence[Hint]) -> None:
        self.deliver(hints)
        self._outgoing += hints
        self._woken.set()

    async def _listen(self) -> None:
        connection = await connect(self._url)
        try:
            connection.add_termination_listener(lambda _: self._woken.set())
            await connection.add_listener(CHANNEL, lambda *heard: self._hear(str(heard[3])))
            self._up()
            while not self._closing:
                try:
                    await asyncio.wait_for(self._woken.wait(), PULSE_SECONDS)
                except TimeoutError:
                    await connection.execute("SELECT 1")
                self._woken.clear()
                if connection.is_closed():
                    raise ConnectionError("the database has closed the line")
                if self._outgoing:
                    hints, self._outgoing = gathered(self._outgoing), []
                    await connection.execute(NOTIFY, CHANNEL, payloads(self.node_id, hints))
        finally:
            connection.terminate()


def payloads(node_id: str, hints: Sequence[Hint]) -> list[str]:
    """The hints as notifications, as few as their size allows."""
    if not hints:
        return []
    whole = message(node_id, hints)
    if len(whole) <= MOST_BYTES or len(hints) == 1:
        return [whole.decode()]
    half = len(hints) // 2
    return payloads(node_id, hints[:half]) + payloads(node_id, hints[half:])
