"""LMTP on this machine: where Postfix, Exim or OpenSMTPD hand over what came for the mailbox."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from tablee.doors.mail.mime import SIZE_MOST
from tablee.store import Unavailable

log = structlog.get_logger("tablee.doors.mail")

Take = Callable[[bytes, Sequence[str], str | None], Awaitable[object]]
"""Obeys a message with the recipients and the return path of its envelope; raises Unavailable."""
IDLE_SECONDS = 300


class LmtpServer:
    """A port of the loopback, or a socket: `127.0.0.1:2424` or `/run/tablee/lmtp`."""

    def __init__(self, where: str, mailbox: str, take: Take) -> None:
        self._where = where
        self._handler = _Handler(mailbox, take)
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen. Raises OSError."""
        loop = asyncio.get_running_loop()
        if self._where.startswith("/"):
            with suppress(FileNotFoundError):
                os.unlink(self._where)
            self._server = await loop.create_unix_server(self._protocol, self._where)
            os.chmod(self._where, 0o660)
            return
        host, _, port = self._where.rpartition(":")
        self._server = await loop.create_server(self._protocol, host.strip("[]"), int(port))

    @property
    def address(self) -> str:
        if self._server is None or self._where.startswith("/"):
            return self._where
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    def _protocol(self) -> LMTP:
        return LMTP(
            self._handler,
            data_size_limit=SIZE_MOST,
            enable_SMTPUTF8=True,
            hostname="tablee",
            ident="Tablee LMTP",
            timeout=IDLE_SECONDS,
            loop=asyncio.get_running_loop(),
        )


class _Handler:
    def __init__(self, mailbox: str, take: Take) -> None:
        self._local, _, self._domain = mailbox.lower().partition("@")
        self._take = take

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        given, _, domain = address.lower().partition("@")
        if (given.partition("+")[0], domain) != (self._local, self._domain):
            return "550 5.1.1 No such mailbox here"
        if envelope.rcpt_tos:
            # LMTP answers for each recipient; one at a time is one answer, and the others are sent again.
            return "452 4.5.3 One recipient at a time"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        try:
            await self._take(content, tuple(envelope.rcpt_tos), (envelope.mail_from or "").strip("<> "))
        except Unavailable:
            return "451 4.3.0 Not now, please again"
        except Exception:
            log.exception("mail_not_read")
            return "451 4.3.0 Not now, please again"
        return "250 2.0.0 Ok"  # also for what is refused: a bounce would go to whoever was forged
