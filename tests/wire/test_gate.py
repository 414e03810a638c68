"""The gate lets in so many of one network, and keeps descriptors back for those who are inside."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
from collections.abc import Callable

import pytest
import uvloop
from tests.kit.waiting import until

from tablee.wire.gate import Gate, Listener


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"uvloop": uvloop.new_event_loop, "asyncio": asyncio.new_event_loop}


class Echo(asyncio.Protocol):
    """Says back what it hears."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def come(listener: Listener, source: str = "127.0.0.1") -> Ends:
    return await asyncio.open_connection(*listener.address, local_addr=(source, 0))


async def is_inside(ends: Ends) -> bool:
    """Whether somebody answers at the other end."""
    reader, writer = ends
    try:
        writer.write(b"?")
        return await reader.read(1) == b"?"
    except ConnectionError:
        return False


async def test_a_network_that_has_its_share_waits_until_one_of_it_has_left() -> None:
    gate = Gate(most=2)
    listener = await gate.listen(Echo, "127.0.0.1", 0)
    first, second = await come(listener), await come(listener)
    assert await is_inside(first)
    assert await is_inside(second)
    assert not await is_inside(await come(listener))
    assert gate.refused["network"] == 1
    first[1].close()
    await until(lambda: gate.count() == 1)
    assert await is_inside(await come(listener))
    listener.close()


async def test_others_come_in_while_one_network_has_its_share() -> None:
    listener = await Gate(most=1).listen(Echo, "127.0.0.1", 0)
    assert await is_inside(await come(listener, "127.0.0.1"))
    assert not await is_inside(await come(listener, "127.0.0.1"))
    assert await is_inside(await come(listener, "127.0.0.2"))
    listener.close()


async def test_all_ports_of_a_house_count_together() -> None:
    gate = Gate(most=1)
    one, other = await gate.listen(Echo, "127.0.0.1", 0), await gate.listen(Echo, "127.0.0.1", 0)
    assert await is_inside(await come(one))
    assert not await is_inside(await come(other))
    one.close()
    other.close()


async def test_a_proxy_of_the_house_brings_more_than_one_network_may_have() -> None:
    listener = await Gate(most=1, trusted=("127.0.0.0/8",)).listen(Echo, "127.0.0.1", 0)
    assert await is_inside(await come(listener))
    assert await is_inside(await come(listener))
    listener.close()


async def test_newcomers_are_refused_before_the_descriptors_run_out() -> None:
    gate = Gate(descriptors=1_000_000)
    listener = await gate.listen(Echo, "127.0.0.1", 0, refusal=b"busy")
    inside = await come(listener)
    assert await is_inside(inside)
    free = os.dup(0)
    os.close(free)
    gate.last_descriptor = free + 6  # a few more on both ends of the connections that this test makes
    ends = [await come(listener) for _ in range(8)]
    told = await asyncio.gather(*(is_inside(each) for each in ends))
    assert not all(told)
    assert gate.refused["descriptors"] == told.count(False)
    assert await is_inside(inside), "who was inside goes on"
    gate.last_descriptor = 1_000_000
    assert await is_inside(await come(listener))
    listener.close()


async def test_whoever_is_refused_is_told_why() -> None:
    listener = await Gate(most=1).listen(Echo, "127.0.0.1", 0, refusal=b"busy")
    assert await is_inside(await come(listener))
    reader, _ = await come(listener)
    assert await reader.read() == b"busy"
    listener.close()


async def test_many_at_once_all_come_in() -> None:
    gate = Gate(most=300)
    listener = await gate.listen(Echo, "127.0.0.1", 0)
    ends = await asyncio.gather(*(come(listener) for _ in range(200)))
    assert all(await asyncio.gather(*(is_inside(each) for each in ends)))
    assert gate.count() == 200
    for _, writer in ends:
        writer.transport.abort()
    await until(lambda: gate.count() == 0)
    listener.close()


async def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    gate = Gate()
    listener = await gate.listen(Echo, "127.0.0.1", 0)
    port = listener.address[1]
    with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1 port {port}: "):
        await gate.listen(Echo, "127.0.0.1", port)
    listener.close()


def test_a_process_takes_as_many_descriptors_as_it_may() -> None:
    code = "from tablee.wire.gate import raise_descriptors; print(raise_descriptors())"
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    command = ["sh", "-c", 'ulimit -Sn 200; exec "$@"', "sh", sys.executable, "-c", code]
    assert int(subprocess.run(command, capture_output=True, check=True, text=True).stdout) == hard


def test_of_few_descriptors_one_network_has_at_most_half() -> None:
    gate = Gate(most=500, descriptors=256)
    assert gate.last_descriptor == 192
    assert gate.most == 96
