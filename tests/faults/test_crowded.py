"""One visitor who takes every connection he can get does not keep the others out."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.kit.process import House
from tests.kit.talking import get
from tests.kit.waiting import wait_until

ATTACKER = "127.0.0.66"
DRIPS = b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data", "--no-demo", descriptors=256)
    house.start()
    yield house
    house.close()


@contextlib.asynccontextmanager
async def besieged(house: House, door: str, opening: bytes, count: int) -> AsyncIterator[None]:
    """`count` connections from elsewhere that go on a byte at a time, opened again when they are closed."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(*house.address(door), local_addr=(ATTACKER, 0))
                writer.write(opening)
                while not reader.at_eof():
                    writer.write(b" ")
                    await writer.drain()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.5):
                            await reader.read(1000)
                writer.close()
            await asyncio.sleep(0.2)

    siege = [asyncio.create_task(one()) for _ in range(count)]
    try:
        yield
    finally:
        for task in siege:
            task.cancel()
        await asyncio.gather(*siege, return_exceptions=True)


def connected(house: House) -> int:
    """How many sockets the house has open."""
    return sum(
        1
        for entry in Path(f"/proc/{house.pid}/fd").iterdir()
        if entry.is_symlink() and "socket:" in str(entry.readlink())
    )


async def test_three_hundred_dripping_bodies_leave_room_for_newcomers(house: House) -> None:
    before = connected(house)
    async with besieged(house, "http", DRIPS, 300):
        await asyncio.to_thread(wait_until, lambda: connected(house) - before >= 90, "the siege to begin")
        for _ in range(20):
            status, _ = await asyncio.to_thread(get, house, "/api/v1/tables")
            assert status == 200
        status, figures = await asyncio.to_thread(get, house, "/metrics")
        assert status == 200
        assert 'tablee_refused_connections{reason="network"}' in figures
        with socket.create_connection(house.address("pawnhub_plain"), 40) as plain:
            plain.sendall(b"GUEST\n")
            assert plain.recv(100).startswith(b"OK ")


async def test_silent_sockets_of_one_network_leave_room_at_the_same_door(house: House) -> None:
    before = connected(house)
    async with besieged(house, "pawnhub_plain", b"", 300):
        await asyncio.to_thread(wait_until, lambda: connected(house) - before >= 90, "the siege to begin")
        for _ in range(5):
            with socket.create_connection(house.address("pawnhub_plain"), 40) as plain:
                plain.sendall(b"GUEST\n")
                assert plain.recv(100).startswith(b"OK ")
