"""A real SMTP server on a free port that keeps what it gets, and can be told to misbehave."""

from __future__ import annotations

import email
import email.policy
import re
import socket
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


class Mailbox:
    """What arrived; `answer` decides on each recipient."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.answer: Callable[[str], str] = lambda _: "250 OK"
        self.logins: list[tuple[bytes, bytes]] = []
        self.connections: set[Any] = set()
        """From where letters came."""

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        said = self.answer(address)
        if said.startswith("250"):
            envelope.rcpt_tos.append(address)
        return said

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        self.connections.add(session.peer)
        parsed = email.message_from_bytes(content, policy=email.policy.default)
        assert isinstance(parsed, EmailMessage)
        self.letters.append(parsed)
        return "250 OK"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"sesame#1")


def serve(mailbox: Mailbox, port: int = 0, **options: Any) -> Controller:
    """A server for this mailbox; stop it when done."""
    controller = Controller(mailbox, hostname="127.0.0.1", port=port or _free_port(), **options)
    controller.start()
    return controller


def text_of(letter: EmailMessage) -> str:
    content = letter.get_content()
    assert isinstance(content, str)
    return content.replace("\r\n", "\n")


def code_in(text: str) -> str:
    """The code that stands alone on a line of a letter."""
    found = re.search(r"^ +([0-9]{4,6})$", text, re.MULTILINE)
    assert found is not None, text
    return found[1]


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert isinstance(port, int)
        return port
