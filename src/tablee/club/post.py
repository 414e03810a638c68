"""How letters leave the house: by SMTP, or as `.eml` files in a folder where no SMTP server is set."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import format_datetime, formataddr
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

import aiosmtplib
import msgspec

from tablee.club.letters import Letter
from tablee.store.outbox import Errand, GiveUp, Handler


class Post(Protocol):
    """Somebody who takes letters away."""

    async def send(self, number: int, letter: Letter) -> None:
        """Send a letter, with the same number at every try. Raises GiveUp, or anything else to try again."""
        ...


class AddressRefused(GiveUp):
    """The mail server of the reader says that there is no such address."""


Refusing = Callable[[int, str, str], Awaitable[None]]
"""Notes that somebody's address takes no letters: whose, which address, why."""


def mail_handler(post: Post, refused: Refusing | None = None) -> Handler:
    """What the outbox does with the club's letters; of one that is sent, the envelope is kept."""

    async def deliver(task: Errand) -> str:
        letter = msgspec.json.decode(task.payload, type=Letter)
        try:
            await post.send(task.id, letter)
        except AddressRefused as reason:
            if refused is not None and task.account_id is not None:
                await refused(task.account_id, letter.to, str(reason))
            raise
        # A letter of no account is the last one to somebody who left: where he is reached is forgotten.
        to = letter.to if task.account_id is not None else None
        return msgspec.json.encode({"to": to, "subject": letter.subject}).decode()

    return deliver


def post_office(url: str | None, folder: Path, sender: Sender) -> Post:
    """The way out for letters: the SMTP server of the URL, or files in the folder where there is none."""
    return SmtpPost(url, sender) if url else FolderPost(folder, sender)


class Sender(msgspec.Struct, frozen=True):
    """In whose name letters are sent."""

    address: str
    name: str

    def envelope(self, number: int, letter: Letter) -> EmailMessage:
        """The letter as a message; one that is sent twice by mishap is known by its Message-ID."""
        message = EmailMessage(policy=SMTP_POLICY)
        message["From"] = formataddr((self.name, self.address))
        message["To"] = letter.to
        message["Subject"] = letter.subject
        message["Date"] = format_datetime(datetime.fromtimestamp(letter.at / 1000, UTC))
        domain = self.address.rpartition("@")[2]
        message["Message-ID"] = f"<tablee.{number}.{letter.at}@{domain}>"
        message["Auto-Submitted"] = "auto-generated" if letter.answers is None else "auto-replied"
        if letter.answers:
            message["In-Reply-To"] = message["References"] = f"<{letter.answers}>"
        elif letter.thread is not None:
            message["References"] = f"<tablee.{letter.thread}@{domain}>"
        if letter.reply_to is not None:
            message["Reply-To"] = letter.reply_to
        if letter.stop is not None:
            message["List-Unsubscribe"] = f"<{letter.stop}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(letter.text, cte="quoted-printable")
        if letter.html is not None:
            message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
        message["Content-Language"] = letter.language
        return message


class SmtpPost:
    """Sends by the server of an URL: `smtp://`, `starttls://` (insists on TLS) or `smtps://` (TLS at once).

    `smtp://` uses TLS where the server offers it. Name and password may be in the URL, percent-encoded.
    """

    def __init__(self, url: str, sender: Sender, *, timeout: float = 10) -> None:
        parts = urlsplit(url)
        ports = {"smtp": 25, "starttls": 587, "smtps": 465}
        if parts.scheme not in ports or not parts.hostname:
            raise ValueError("an SMTP address is smtp://, starttls:// or smtps://[user:password@]host[:port]")
        self._sender = sender
        self._host = parts.hostname
        self._port = parts.port or ports[parts.scheme]
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        self._tls = parts.scheme == "smtps"
        self._start_tls = {"smtp": None, "starttls": True, "smtps": False}[parts.scheme]
        self._timeout = timeout

    async def send(self, number: int, letter: Letter) -> None:
        try:
            # The whole conversation, not each of its lines: a server that answers slowly must not hold up
            # the others' letters for longer than an errand is leased.
            async with asyncio.timeout(self._timeout):
                await aiosmtplib.send(
                    self._sender.envelope(number, letter),
                    hostname=self._host,
                    port=self._port,
                    username=self._user,
                    password=self._password,
                    use_tls=self._tls,
                    start_tls=self._start_tls,
                    timeout=self._timeout,
                )
        except aiosmtplib.SMTPRecipientsRefused as refused:
            # Only a refusal of this very address is final; any other may be a server that is set up badly.
            first = refused.recipients[0]
            if 500 <= first.code < 600 and str(first.message).startswith("5.1."):
                raise AddressRefused(_without_address(str(first.message))) from None
            raise


class FolderPost:
    """Lays letters as files in a folder, readable by the house alone: there are codes in them."""

    def __init__(self, folder: Path, sender: Sender) -> None:
        self._folder = folder
        self._sender = sender

    async def send(self, number: int, letter: Letter) -> None:
        await asyncio.to_thread(self._write, number, self._sender.envelope(number, letter).as_bytes())

    def _write(self, number: int, content: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = self._folder / f".{number:09}.part"
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
        unfinished.rename(self._folder / f"{number:09}.eml")


def _without_address(text: str) -> str:
    return " ".join(word for word in text.split() if "@" not in word)[:200]
