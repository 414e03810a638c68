"""A connection knows how far away its other end is."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

import pytest
import uvloop
from tests.kit.waiting import PATIENCE

from tablee.clock import WallClock
from tablee.wire.stream import Stream
from tablee.wire.wheel import Wheel


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"uvloop": uvloop.new_event_loop}


class Counting(Stream):
    """Takes every byte for a piece."""

    def __init__(self, wheel: Wheel) -> None:
        super().__init__(wheel)
        self.whole: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def split(self) -> bool:
        self._pending, self._buffer = iter(self._buffer), b""
        return True

    def piece(self, piece: int) -> None:
        if piece == ord("c"):
            self.whole.set_result(None)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what TCP has measured")
async def test_the_round_trip_is_what_tcp_has_measured() -> None:
    made: list[Counting] = []

    def connection() -> Counting:
        made.append(Counting(Wheel(WallClock())))
        return made[-1]

    assert Counting(Wheel(WallClock())).round_trip() == 0
    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0)
    _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"abc")
    await asyncio.wait_for(made[0].whole, PATIENCE)
    assert 0 <= made[0].round_trip() < 60_000
    sock = made[0]._transport.get_extra_info("socket")  # type: ignore[union-attr]
    assert len(sock.getsockopt(6, 11, 72)) == 72
    made[0].cut()
    writer.close()
    server.close()
