"""What members let the house call goes to public machines only, and costs seconds at most."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.kit.waiting import until

from tablee.club.errors import Invalid
from tablee.club.outside import Outside, Unreachable, is_public

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def server(serve: Serve) -> AsyncIterator[str]:
    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()


def answering(answer: bytes, heard: list[bytes] | None = None) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        if heard is not None:
            heard.extend([head, await reader.readexactly(length)])
        writer.write(answer)
        await writer.drain()
        writer.close()

    return serve


async def test_a_machine_that_is_allowed_is_told_and_its_answer_is_heard() -> None:
    heard: list[bytes] = []
    async with server(answering(b"HTTP/1.1 201 Created\r\nRetry-After: 7\r\n\r\nthank you", heard)) as place:
        outside = Outside([place])
        answer = await outside.post(f"http://{place}/here?now=1", b"hello", {"TTL": "60"})
        outside.close()
    assert (answer.status, answer.is_taken, answer.headers["retry-after"]) == (201, True, "7")
    assert answer.text == "thank you"
    head, body = heard
    assert head.startswith(b"POST /here?now=1 HTTP/1.1\r\nHost: " + place.encode())
    assert b"TTL: 60\r\n" in head
    assert body == b"hello"


async def test_what_a_server_says_while_it_works_is_no_answer() -> None:
    async with server(answering(b"HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 410 Gone\r\n\r\n")) as place:
        assert (await Outside([place]).post(f"http://{place}/", b"", {})).status == 410


async def test_a_server_that_is_at_work_for_ever_is_given_up_at_once() -> None:
    """Its heads would be read, one after the other, for as long as the call lasts."""
    answered = answering(b"HTTP/1.1 102 Processing\r\n\r\n" * 500 + b"HTTP/1.1 200 OK\r\n\r\n")
    async with server(answered) as place:
        with pytest.raises(Unreachable, match="never comes"):
            await Outside([place]).post(f"http://{place}/", b"", {})


async def test_nobody_is_sent_on_elsewhere() -> None:
    async with server(answering(b"HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:1/\r\n\r\n")) as place:
        answer = await Outside([place]).post(f"http://{place}/", b"", {})
    assert (answer.status, answer.is_taken) == (307, False)


@pytest.mark.parametrize(
    "said",
    [b"SSH-2.0-OpenSSH_9.2\r\n\r\n", b"HTTP/1.1 20", b"", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000],
    ids=["no HTTP", "half a line", "nothing", "an endless head"],
)
async def test_what_is_no_answer_is_unreachable(said: bytes) -> None:
    async with server(answering(said)) as place:
        with pytest.raises(Unreachable):
            await Outside([place]).post(f"http://{place}/", b"", {})


async def test_a_server_that_says_nothing_is_given_up() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with server(silent) as place:
        with pytest.raises(Unreachable, match="no answer"):
            await Outside([place], timeout=0.2).post(f"http://{place}/", b"", {})


async def test_an_answer_whose_body_never_ends_is_heard_all_the_same() -> None:
    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 201 Created\r\n\r\n")
        await reader.read()

    async with server(endless) as place:
        assert (await Outside([place]).post(f"http://{place}/", b"", {})).status == 201


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://example.org/", "outside_https"),
        ("ftp://example.org/", "outside_form"),
        ("https://", "outside_form"),
        ("https:///path", "outside_form"),
        ("https://somebody@example.org/", "outside_form"),
        ("https://example.org:0/", "outside_form"),
        ("https://example.org:99999/", "outside_form"),
        ("https://example.org/\r\nX: y", "outside_form"),
        ("https://exa mple.org/", "outside_form"),
        ("https://example.org/" + "a" * 3000, "outside_form"),
        ("https://127.0.0.1/", "outside_private"),
        ("https://2130706433/", "outside_private"),
        ("https://0x7f.1/", "outside_private"),
        ("https://0/", "outside_private"),
        ("https://localhost/", "outside_private"),
        ("https://10.1.2.3/", "outside_private"),
        ("https://172.16.0.1/", "outside_private"),
        ("https://192.168.1.1:8443/", "outside_private"),
        ("https://169.254.169.254/latest/meta-data", "outside_private"),
        ("https://100.64.0.1/", "outside_private"),
        ("https://[::1]/", "outside_private"),
        ("https://[::ffff:127.0.0.1]/", "outside_private"),
        ("https://[fe80::1]/", "outside_private"),
        ("https://[fd00::1]/", "outside_private"),
        ("https://[64:ff9b::7f00:1]/", "outside_private"),
        ("https://[2002:7f00:1::]/", "outside_private"),
        ("https://[::ffff:0:7f00:1]/", "outside_private"),
        ("https://[::7f00:1]/", "outside_private"),
        ("https://[64:ff9b:1::7f00:1]/", "outside_private"),
        ("https://[fec0::1]/", "outside_private"),
        ("https://[4000::1]/", "outside_private"),
        ("https://224.0.0.1/", "outside_private"),
        ("https://255.255.255.255/", "outside_private"),
    ],
)
async def test_an_address_that_is_not_public_is_neither_kept_nor_called(url: str, code: str) -> None:
    outside = Outside()
    for trying in (outside.check(url), outside.post(url, b"", {})):
        with pytest.raises(Invalid) as refused:
            await trying
        assert refused.value.code == code
        assert refused.value.sentence("fr") != refused.value.sentence("en")


async def test_a_name_that_leads_elsewhere_a_moment_later_is_not_followed(monkeypatch: Any) -> None:
    """DNS that changes: the first look is public, every later one leads to this machine."""
    looks: list[str] = []
    reached: list[bytes] = []

    def changing(host: str, port: int, **_: Any) -> list[Any]:
        looks.append(host)
        address = "93.184.215.14" if len(looks) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    async with server(answering(b"HTTP/1.1 200 OK\r\n\r\n", reached)) as place:
        monkeypatch.setattr("tablee.club.outside.socket.getaddrinfo", changing)
        outside = Outside()
        url = f"https://changing.example:{place.partition(':')[2]}/"
        await outside.check(url)
        with pytest.raises(Invalid) as refused:
            await outside.post(url, b"", {})
        assert refused.value.code == "outside_private"
    assert len(looks) == 2, "what is checked is what is called: one look for each call"
    assert not reached


async def test_names_that_nobody_answers_for_keep_only_who_gave_them_waiting(monkeypatch: Any) -> None:
    goes_on = threading.Event()
    asked: list[str] = []

    def slow(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        if host.endswith(".silent.example"):
            goes_on.wait()
        return [(socket.AF_INET, 1, 6, "", ("93.184.215.14", port))]

    monkeypatch.setattr("tablee.club.outside.socket.getaddrinfo", slow)
    outside = Outside(timeout=600.0)
    waiting = [
        asyncio.create_task(outside.check(f"https://{number}.silent.example/", whose=1))
        for number in range(100)
    ]
    try:
        await until(lambda: bool(asked), "the first name is asked for")
        await outside.check("https://quick.example/", whose=2)
        assert asked == ["0.silent.example", "quick.example"]
    finally:
        for task in waiting:
            task.cancel()
        goes_on.set()
        outside.close()


async def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch: Any) -> None:
    def both(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, 1, 6, "", (address, port)) for address in ("93.184.215.14", "10.0.0.1")]

    monkeypatch.setattr("tablee.club.outside.socket.getaddrinfo", both)
    with pytest.raises(Invalid):
        await Outside().post("https://both.example/", b"", {})


async def test_a_header_never_becomes_two() -> None:
    async with server(answering(b"HTTP/1.1 200 OK\r\n\r\n")) as place:
        with pytest.raises(Unreachable, match="two lines"):
            await Outside([place]).post(f"http://{place}/", b"", {"Topic": "a\r\nB: c"})


def test_addresses_of_the_internet_are_public() -> None:
    assert is_public("93.184.215.14")
    assert is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")
    assert is_public("::ffff:93.184.215.14")
