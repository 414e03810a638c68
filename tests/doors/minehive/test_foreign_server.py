"""Our own host as a process, at a server that is not ours: the test plays it line by line."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from tests.kit.minehive import Client
from tests.kit.waiting import PATIENCE

Meet = Callable[..., Awaitable[tuple[Client, asyncio.subprocess.Process]]]


@pytest.fixture
async def meet() -> AsyncIterator[Meet]:
    """Starts `tablee minehive host`, and gives its connection as the server sees it, past LOGI."""
    came: asyncio.Queue[Client] = asyncio.Queue()
    server = await asyncio.start_server(lambda r, w: came.put_nowait(Client(r, w)), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    started: list[asyncio.subprocess.Process] = []

    async def begin(silence: float = 10.0) -> tuple[Client, asyncio.subprocess.Process]:
        process = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("tablee")),
            *("minehive", "host", "127.0.0.1", str(port), "Partie_7", "127.0.0.1", "4242"),
            env={
                **os.environ,
                "TABLEE_MINEHIVE_SECRET": "devinez",
                "TABLEE_MINEHIVE_SILENCE_SECONDS": str(silence),
                "NO_COLOR": "1",
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        started.append(process)
        host = await asyncio.wait_for(came.get(), PATIENCE)
        assert await host.line() == "LOGI#Partie_7#devinez"
        return host, process

    yield begin
    for process in started:
        if process.returncode is None:
            process.kill()
            await process.wait()
    server.close()


async def said_at_the_end(process: asyncio.subprocess.Process) -> str:
    """What a process that ends with a failure has said."""
    output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode, output
    return " ".join(output.decode().split())


async def test_a_host_answers_rqdt_and_ruok_at_any_time(meet: Meet) -> None:
    host, _ = await meet()
    await host.ask("RUOK", "IMOK")
    await host.ask("RQDT#Adil", "SDDT#Adil#127.0.0.1#4242#Partie_7#0")
    host.send("IDOK", "RQDT#Kévin", "RUOK")
    assert await host.lines(2) == ["SDDT#Kévin#127.0.0.1#4242#Partie_7#0", "IMOK"]
    await host.ask("PILE", "IDKH")


async def test_a_server_that_never_says_done_is_left_with_a_sentence(meet: Meet) -> None:
    host, process = await meet(silence=1.0)
    host.send("IDOK", "RUOK")
    while await host.line():
        host.send("RUOK")
    assert (
        "The server does not say how Partie_7 stands: this host needs a server that speaks DOIT and DONE, as"
        " Tablée's own does." in await said_at_the_end(process)
    )


async def test_a_server_that_goes_without_a_word_is_named_as_the_reason(meet: Meet) -> None:
    host, process = await meet()
    host.close()
    assert "The server has gone without a word on how Partie_7 stands" in await said_at_the_end(process)


@pytest.mark.parametrize("line", ["DONE#Partie_7#0#view#{}", "DONE#Partie_7#0#view#what?"])
async def test_a_view_that_makes_no_sense_ends_the_host_with_a_sentence(meet: Meet, line: str) -> None:
    host, process = await meet()
    host.send("IDOK", line)
    said = await said_at_the_end(process)
    assert "What the server says of Partie_7 makes no sense here" in said
    assert "Traceback" not in said


async def test_a_done_before_the_view_is_not_understood(meet: Meet) -> None:
    host, _ = await meet()
    await host.ask("DONE#Partie_7#1#in#1", "IDKH")
    await host.ask("RUOK", "IMOK")
