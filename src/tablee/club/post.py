"""How letters leave the house: by SMTP, or as `.eml` files in a folder where no SMTP server is set."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

import aiosmtplib
import msgspec

from tablee.club.envelope import in_words, mailbox, sealed
from tablee.club.letters import Letter
from tablee.store.outbox import Errand, GiveUp, Handler
from tablee.tasks import Tasks

KEPT_SECONDS = 10.0
"""For so long a connection to the mail server waits for another letter."""
LETTERS_MOST = 100
"""Of one connection: servers count, and hang up themselves."""
FAREWELL_SECONDS = 2.0


class Post(Protocol):
    """Somebody who takes letters away."""

    async def send(self, number: int, letter: Letter) -> None:
        """Send a letter, with the same number at every try. Raises GiveUp, or anything else to try again."""
        ...

    async def close(self) -> None:
        """Let go of what is kept open for the next letter."""
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

    def content(self, number: int, letter: Letter) -> bytes:
        """The letter as it goes over the wire; one that comes twice by mishap is known by its Message-ID."""
        domain = self.address.rpartition("@")[2]
        headers = {
            "From": mailbox(self.name, self.address),
            "To": letter.to,
            "Subject": in_words(letter.subject),
            "Date": format_datetime(datetime.fromtimestamp(letter.at / 1000, UTC)),
            "Message-ID": f"<tablee.{number}.{letter.at}@{domain}>",
            "Auto-Submitted": "auto-generated" if letter.answers is None else "auto-replied",
            "Content-Language": letter.language,
        }
        if letter.answers:
            headers["In-Reply-To"] = headers["References"] = f"<{letter.answers}>"
        elif letter.thread is not None:
            headers["References"] = f"<tablee.{letter.thread}@{domain}>"
        if letter.reply_to is not None:
            headers["Reply-To"] = letter.reply_to
        if letter.stop is not None:
            headers["List-Unsubscribe"] = f"<{letter.stop}>"
            headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return sealed(headers, letter.text, letter.html)


class SmtpPost:
    """Sends by the server of an URL: `smtp://`, `starttls://` (insists on TLS) or `smtps://` (TLS at once).

    `smtp://` uses TLS where the server offers it. Name and password may be in the URL, percent-encoded.
    Connections are kept for a while: ten thousand letters are not ten thousand sign-ins.
    """

    def __init__(self, url: str, sender: Sender, *, timeout: float = 10) -> None:
        parts = urlsplit(url)
        ports = {"smtp": 25, "starttls": 587, "smtps": 465}
        if parts.scheme not in ports or not parts.hostname:
            raise ValueError("an SMTP address is smtp://, starttls:// or smtps://[user:password@]host[:port]")
        self._sender = sender
        self._timeout = timeout
        self._connected = partial(
            aiosmtplib.SMTP,
            hostname=parts.hostname,
            port=parts.port or ports[parts.scheme],
            username=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            use_tls=parts.scheme == "smtps",
            start_tls={"smtp": None, "starttls": True, "smtps": False}[parts.scheme],
            # Else the library asks the name servers who we are, and the event loop waits for the answer.
            local_hostname=socket.gethostname(),
            timeout=timeout,
        )
        self._waiting: list[_Line] = []
        """Connections that wait for the next letter."""
        self._farewells = Tasks("tablee.post", aiosmtplib.SMTPException, OSError)

    async def send(self, number: int, letter: Letter) -> None:
        content = self._sender.content(number, letter)
        try:
            # The whole conversation, not each of its lines: a server that answers slowly must not hold up
            # the others' letters for longer than an errand is leased.
            async with asyncio.timeout(self._timeout):
                await self._hand_over(letter.to, content)
        except aiosmtplib.SMTPRecipientsRefused as refused:
            # Only a refusal of this very address is final; any other may be a server that is set up badly.
            first = refused.recipients[0]
            if 500 <= first.code < 600 and str(first.message).startswith("5.1."):
                raise AddressRefused(_without_address(str(first.message))) from None
            raise

    async def close(self) -> None:
        for line in tuple(self._waiting):
            self._hang_up(line)
        await self._farewells.end(FAREWELL_SECONDS)

    async def _hand_over(self, to: str, content: bytes) -> None:
        line = self._free_line() or _Line(self._connected())
        try:
            if not line.letters:
                await line.client.connect()
            await line.client.sendmail(self._sender.address, [to], content)
        except BaseException:
            line.client.close()  # whatever it was about: the next letter begins anew
            raise
        line.letters += 1
        line.timer = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._hang_up, line)
        self._waiting.append(line)
        if line.letters >= LETTERS_MOST:
            self._hang_up(line)

    def _free_line(self) -> _Line | None:
        while self._waiting:
            line = self._waiting.pop()
            line.timer.cancel()
            if line.client.is_connected:
                return line
            line.client.close()
        return None

    def _hang_up(self, line: _Line) -> None:
        line.timer.cancel()
        self._waiting.remove(line)
        self._farewells.spawn(_farewell(line.client), "farewell to the mail server")


class _Line:
    """A connection to the mail server, and how many letters have gone over it."""

    timer: asyncio.TimerHandle

    def __init__(self, client: aiosmtplib.SMTP) -> None:
        self.client = client
        self.letters = 0


async def _farewell(client: aiosmtplib.SMTP) -> None:
    try:
        if client.is_connected:
            await client.quit()
    finally:
        client.close()


class FolderPost:
    """Lays letters as files in a folder, readable by the house alone: there are codes in them."""

    def __init__(self, folder: Path, sender: Sender) -> None:
        self._folder = folder
        self._sender = sender

    async def send(self, number: int, letter: Letter) -> None:
        await asyncio.to_thread(self._write, number, letter)

    async def close(self) -> None:
        """There is nothing to let go of."""

    def _write(self, number: int, letter: Letter) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = self._folder / f".{number:09}.part"
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(self._sender.content(number, letter))
        unfinished.rename(self._folder / f"{number:09}.eml")


def _without_address(text: str) -> str:
    return " ".join(word for word in text.split() if "@" not in word)[:200]
