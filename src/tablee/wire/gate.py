"""Who may connect at all: so many of one network, and nobody once the process is short of descriptors."""

from __future__ import annotations

import asyncio
import ipaddress
import resource
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import structlog

log = structlog.get_logger("tablee.wire")

RESERVE = 64
"""Descriptors that are left to the database, to files and to those who are inside."""
ACCEPTED_AT_ONCE = 64
"""Connections that are taken in one round of the loop; the others wait for the next."""
ASK_AGAIN = 0.1
"""Seconds after which a gate that could not take anybody looks again."""


def raise_descriptors() -> int:
    """Let this process have as many descriptors as it may; gives how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(ValueError, OSError):  # some systems have a bound of their own below
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


# Why: docs/decisions.md#one-gate
class Gate:
    """What all ports of the house have in common: it counts who is connected, by network.

    `trusted` are proxies: whom they bring is not theirs, and they bound it themselves. `network_of` says
    which addresses count as one.
    """

    def __init__(
        self,
        most: int = 500,
        trusted: tuple[str, ...] = (),
        network_of: Callable[[str], str] = str,
        descriptors: int | None = None,
    ) -> None:
        if descriptors is None:
            descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if descriptors in (-1, resource.RLIM_INFINITY):
            descriptors = 2**31
        # Of a process that may have few, a quarter is kept back, and one network has at most half of the
        # rest: whoever comes from elsewhere finds room.
        self.last_descriptor = descriptors - min(RESERVE, descriptors // 4)
        self.most = max(1, min(most, self.last_descriptor // 2))
        self.refused: Counter[str] = Counter()
        """How many were turned away, and why."""
        self._trusted = [ipaddress.ip_network(proxy) for proxy in trusted]
        self._network_of = network_of
        self._here: Counter[str] = Counter()

    def is_trusted(self, address: str) -> bool:
        """Whether this is the address of a proxy of the house."""
        if not self._trusted:
            return False
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._trusted)

    def enter(self, address: str) -> str | None:
        """Count one more of this address's network, under the name given; None if it has its share."""
        name = self._network_of(address)
        if self._here[name] >= self.most:
            self.refused["network"] += 1
            return None
        self._here[name] += 1
        return name

    def leave(self, name: str) -> None:
        """One less of those counted under this name."""
        self._here[name] -= 1
        if self._here[name] <= 0:
            del self._here[name]

    def count(self) -> int:
        """How many connections are counted."""
        return self._here.total()

    async def listen(
        self, connection: Callable[[], asyncio.Protocol], host: str, port: int, *, refusal: bytes = b""
    ) -> Listener:
        """Take connections at a port from now on; raises OSError with a sentence."""
        try:
            return Listener(self, _bound(host, port), connection, refusal)
        except OSError as error:
            reason = error.strerror or str(error)
            raise OSError(error.errno, f"cannot listen on {host} port {port}: {reason}") from error


class Listener:
    """One listening socket. Who may not come in is told `refusal`, as far as he listens, and closed."""

    def __init__(
        self, gate: Gate, sock: socket.socket, connection: Callable[[], asyncio.Protocol], refusal: bytes
    ) -> None:
        name = sock.getsockname()
        self.address: tuple[str, int] = (str(name[0]), int(name[1]))
        self._gate = gate
        self._socket = sock
        self._connection = connection
        self._refusal = refusal
        self._loop = asyncio.get_running_loop()
        self._is_open = True
        self._coming: set[asyncio.Task[None]] = set()
        self._loop.add_reader(sock.fileno(), self._accept)

    def close(self) -> None:
        """Take nobody any more; who is inside stays."""
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()

    async def wait_closed(self) -> None:
        """As the servers of asyncio have it."""

    def _accept(self) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                sock, peer = self._socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                # No descriptor is left, or no memory. Who waits would wake us again and again.
                log.warning("nobody_accepted", port=self.address[1], error=error.strerror)
                self._gate.refused["descriptors"] += 1
                self._loop.remove_reader(self._socket.fileno())
                self._loop.call_later(ASK_AGAIN, self._look_again)
                return
            self._came(sock, str(peer[0]) if peer else "")

    def _look_again(self) -> None:
        if self._is_open:
            self._loop.add_reader(self._socket.fileno(), self._accept)

    def _came(self, sock: socket.socket, address: str) -> None:
        gate = self._gate
        # The system gives the lowest descriptor that is free: a high one says that all below are in use.
        if sock.fileno() >= gate.last_descriptor:
            gate.refused["descriptors"] += 1
            self._refuse(sock)
            return
        name = None
        if not gate.is_trusted(address):
            name = gate.enter(address)
            if name is None:
                self._refuse(sock)
                return
        counted = _Counted(gate, name, sock)
        task = self._loop.create_task(self._connect(counted))
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    def _refuse(self, sock: socket.socket) -> None:
        with suppress(OSError):
            sock.setblocking(False)
            if self._refusal:
                sock.send(self._refusal)
        sock.close()

    async def _connect(self, sock: _Counted) -> None:
        try:
            await self._loop.connect_accepted_socket(self._connection, sock)
        except OSError:
            sock.close()  # gone already


class _Counted(socket.socket):
    """A connection that is no longer counted when its descriptor is given up, whoever does that."""

    def __init__(self, gate: Gate, name: str | None, sock: socket.socket) -> None:
        super().__init__(sock.family, sock.type, sock.proto, fileno=sock.detach())
        self.setblocking(False)
        self._gate: Gate = gate
        self._name = name

    # Slots as `socket.socket` has them keep it as light as the one that it stands for.
    __slots__ = ("_gate", "_name")

    def detach(self) -> int:
        self._leave()
        return super().detach()

    def close(self) -> None:
        self._leave()
        super().close()

    def _leave(self) -> None:
        name, self._name = self._name, None
        if name is not None:
            self._gate.leave(name)


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and host in ("", "::"):
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen(4096)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener
