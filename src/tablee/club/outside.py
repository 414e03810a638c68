"""Calling servers whose addresses members give: push services, webhooks; never into one's own network."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Collection, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

import msgspec

from tablee.club.errors import Invalid
from tablee.club.workroom import Workroom

LONGEST_URL = 2048
LONGEST_HEAD = 16 * 1024
SHOWN = 500
"""Bytes of an answer's body that are kept, to show to whom it concerns."""
SOON = 1.0
ASKING_NAMES = 8
"""Names that are looked up at once, one for each account: a name that nobody answers for keeps its thread."""
INTERIM_MOST = 5
"""Heads of an answer that only say that the server is at work."""

_URL = re.compile(r"https?://[!-~]+")
_GLOBAL = ip_network("2000::/3")
"""Where the addresses of the internet are, so far; all others are a site's own, or lead to it."""
_EMBEDDING = [ip_network(text) for text in ("2002::/16", "2001::/23")]
"""Those among them that lead to an IPv4 address inside them."""


class Unreachable(Exception):
    """Nobody there answered as a web server does; says why."""


class Answer(msgspec.Struct, frozen=True):
    """What a server elsewhere answered."""

    status: int
    headers: dict[str, str]
    """By name in small letters."""
    text: str
    """The beginning of the body."""

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300


class Outside:
    """POST to https addresses of public machines.

    `allowed` are `host:port` that are exempt, for servers of one's own and for tests; they may be http too.
    """

    def __init__(self, allowed: Collection[str] = (), *, timeout: float = 10.0) -> None:
        self._allowed = frozenset(text.lower() for text in allowed)
        self._timeout = timeout
        self._names = Workroom("names", ASKING_NAMES)
        self._tls: ssl.SSLContext | None = None

    def close(self) -> None:
        self._names.close()

    async def check(self, url: str, field: str = "url", *, whose: int = 0) -> None:
        """Whether an address may be kept and called for the account `whose`.

        Raises Invalid; a name that is not known now passes.
        """
        parts = self._read(url, field)
        try:
            await self._addresses(parts, field, whose)
        except Unreachable:
            return  # it is asked again at each call

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], *, whose: int = 0) -> Answer:
        """Send a body and wait for the answer, a few seconds at most; nobody is sent on elsewhere.

        Raises Invalid for an address that must not be called, Unreachable where there is no answer.
        """
        parts = self._read(url, "url")
        try:
            async with asyncio.timeout(self._timeout):
                found = await self._addresses(parts, "url", whose)
                reader, writer = await self._connect(parts, found)
                try:
                    writer.write(_request(parts, body, headers) + body)
                    await writer.drain()
                    return await _answer(reader)
                finally:
                    writer.close()
        except TimeoutError:
            raise Unreachable(f"no answer within {self._timeout:.0f} s") from None
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            raise Unreachable(str(error) or type(error).__name__) from error

    def _read(self, url: str, field: str) -> SplitResult:
        if len(url) > LONGEST_URL or not _URL.fullmatch(url):
            raise Invalid("outside_form", field)
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise Invalid("outside_form", field) from None
        if not parts.hostname or parts.username is not None or port == 0:
            raise Invalid("outside_form", field)
        if parts.scheme != "https" and not self._is_allowed(parts):
            raise Invalid("outside_https", field)
        return parts

    def _is_allowed(self, parts: SplitResult) -> bool:
        return f"{parts.hostname}:{_port(parts)}" in self._allowed

    async def _addresses(self, parts: SplitResult, field: str, whose: int) -> list[str]:
        """Where the name leads now. Raises Invalid where that is not public, Unreachable where it is nowhere.

        What is checked here is what is called: a name that leads elsewhere a moment later changes nothing.
        """
        host, port = parts.hostname or "", _port(parts)
        try:
            async with asyncio.timeout(self._timeout):
                found = await self._names.do(
                    whose, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                )
        except TimeoutError:
            raise Unreachable("the name is not answered for") from None
        except (OSError, UnicodeError):
            raise Unreachable("the name leads nowhere") from None
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if not self._is_allowed(parts) and not all(is_public(address) for address in addresses):
            raise Invalid("outside_private", field)
        return addresses

    async def _connect(
        self, parts: SplitResult, addresses: list[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        tls = name = None
        if parts.scheme == "https":
            # Reading the certificates of the machine takes a while: beside the loop, once.
            self._tls = tls = self._tls or await asyncio.to_thread(ssl.create_default_context)
            name = parts.hostname
        trouble: OSError | None = None
        for address in addresses:
            try:
                return await asyncio.open_connection(
                    address, _port(parts), ssl=tls, server_hostname=name, limit=LONGEST_HEAD
                )
            except OSError as error:
                trouble = error
        raise trouble or OSError("the name leads nowhere")


def is_public(address: str) -> bool:
    """Whether a machine of the internet has this address: not this one, nor one of the own network."""
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif found not in _GLOBAL or any(found in network for network in _EMBEDDING):
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


def _port(parts: SplitResult) -> int:
    return parts.port or {"https": 443, "http": 80}[parts.scheme]


def _request(parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    fields = {"Host": parts.netloc, **headers, "Content-Length": str(len(body)), "Connection": "close"}
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("a header cannot have two lines")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def _answer(reader: asyncio.StreamReader) -> Answer:
    for _ in range(1 + INTERIM_MOST):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        found = re.fullmatch(r"HTTP/1\.[01] (\d{3})(?: .*)?", first)
        if found is None:
            raise ValueError("the answer is not HTTP")
        if not found[1].startswith("1"):
            break
    else:
        raise ValueError("the answer never comes")
    pairs = (line.partition(":") for line in lines if ":" in line)
    fields = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return Answer(int(found[1]), fields, await _beginning(reader))


async def _beginning(reader: asyncio.StreamReader) -> str:
    """What an answer begins with, where it comes soon: it only explains a status that is known already."""
    try:
        async with asyncio.timeout(SOON):
            return (await reader.read(SHOWN)).decode("utf-8", "replace")
    except (TimeoutError, OSError):
        return ""
