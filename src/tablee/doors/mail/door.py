"""The door for letters: whoever cannot come to the page answers the letters of the house with his moves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import structlog

from tablee.clock import Clock, Instant
from tablee.club import Club
from tablee.doors.mail.desk import MailDesk
from tablee.doors.mail.imap import LEASE, Mailbox
from tablee.doors.mail.lmtp import LmtpServer
from tablee.doors.mail.settings import MailSettings
from tablee.doors.mail.spool import FOLDER, Spool
from tablee.store import Store
from tablee.store.leases import Lease
from tablee.store.repeating import Repeating
from tablee.tables import Tables

log = structlog.get_logger("tablee.doors.mail")

LOOK_EVERY = 2_000
"""Milliseconds between two looks into the folder of `tablee mail deliver`."""
FIRST_SECONDS = 30.0
"""For so long at most a deadline waits for the mailbox to be read."""


class MailDoor:
    """The desk, and the ways that lead to it: LMTP, a mailbox, the folder of a pipe."""

    def __init__(
        self, store: Store, club: Club, tables: Tables, clock: Clock, settings: MailSettings, data: Path
    ) -> None:
        self.desk = MailDesk(store, club, tables, clock, settings)
        self._tables = tables
        self._clock = clock
        self._spool = Spool(data / FOLDER, self.desk.take)
        self._looking = Repeating("mail-spool", clock, self._look, LOOK_EVERY)
        self.lmtp: LmtpServer | None = None
        self.mailbox: Mailbox | None = None
        if settings.lmtp:
            self.lmtp = LmtpServer(settings.lmtp, settings.mailbox, self.desk.take)
        if settings.imap:
            lease = Lease(store, clock, "mailbox", LEASE)
            self.mailbox = Mailbox(settings.imap, settings.folder, store, lease, self.desk.take)

    async def start(self) -> None:
        """Open every way that is set. Raises OSError where the port of LMTP is taken."""
        if self.lmtp is not None:
            await self.lmtp.start()
        if self.mailbox is not None:
            self.mailbox.start()
        self._looking.start()
        self._tables.deadlines.read_first = self.read_all

    async def stop(self) -> None:
        """Take no message more; the one that is being obeyed is finished."""
        self._tables.deadlines.read_first = None
        if self.lmtp is not None:
            await self.lmtp.stop()
        if self.mailbox is not None:
            await self.mailbox.stop()
        await self.desk.settled()
        await self._looking.stop()

    async def read_all(self) -> None:
        """Obey all that has come so far, for half a minute at most: a deadline waits for it."""
        try:
            async with asyncio.timeout(FIRST_SECONDS):
                if self.mailbox is not None:
                    await self.mailbox.read()
                await self._spool.read()
                await self.desk.settled()
        except TimeoutError:
            log.warning("mailbox_too_slow")

    async def _look(self) -> Instant:
        await self._spool.read()
        return self._clock.now() + LOOK_EVERY
