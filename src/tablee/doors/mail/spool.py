"""A folder between `tablee mail deliver` and the house: nothing is lost there while the house is shut."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec
import structlog

from tablee.doors.mail.desk import Verdict
from tablee.store import Unavailable

log = structlog.get_logger("tablee.doors.mail")

FOLDER = "mail-in"
REFUSED_MOST = 200
"""Refused messages that are kept for somebody to look at, the newest."""


class Envelope(msgspec.Struct, frozen=True):
    """The first line of a file: for whom a message came, and from where, as its bringer knows it."""

    recipients: tuple[str, ...] = ()
    return_path: str | None = None


def lay(folder: Path, raw: bytes, envelope: Envelope) -> Path:
    """Lay a message into the folder, whole or not at all; raises OSError."""
    new = folder / "new"
    new.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{time.time_ns():020}-{os.getpid()}.eml"
    unfinished = folder / f".{name}"
    with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(envelope) + b"\n" + raw)
        file.flush()
        os.fsync(file.fileno())
    return unfinished.rename(new / name)


class Spool:
    """Reads what is laid there, the oldest first."""

    def __init__(
        self, folder: Path, take: Callable[[bytes, Sequence[str], str | None], Awaitable[Verdict]]
    ) -> None:
        self._folder = folder
        self._take = take
        self._one_at_a_time = asyncio.Lock()

    async def read(self) -> int:
        """Obey all that waits; answers how many. What cannot be read is laid aside, and the next is read."""
        async with self._one_at_a_time:
            return await self._read()

    async def _read(self) -> int:
        waiting = await asyncio.to_thread(lambda: sorted((self._folder / "new").glob("*.eml")))
        done = 0
        for file in waiting:
            try:
                content = await asyncio.to_thread(file.read_bytes)
                first, _, raw = content.partition(b"\n")
                envelope = msgspec.json.decode(first, type=Envelope)
                verdict = await self._take(raw, envelope.recipients, envelope.return_path)
            except Unavailable:
                return done  # it stays where it is
            except (msgspec.DecodeError, OSError) as error:
                log.warning("mail_not_read", file=file.name, error=str(error))
                verdict = Verdict.REFUSED
            except Exception:
                log.exception("mail_not_read", file=file.name)
                verdict = Verdict.REFUSED
            done += 1
            if verdict is Verdict.READ:
                await asyncio.to_thread(file.unlink, missing_ok=True)
            else:
                await asyncio.to_thread(self._lay_aside, file)
        return done

    def _lay_aside(self, file: Path) -> None:
        refused = self._folder / "refused"
        refused.mkdir(mode=0o700, exist_ok=True)
        file.rename(refused / file.name)
        for old in sorted(refused.glob("*.eml"))[:-REFUSED_MOST]:
            old.unlink(missing_ok=True)
