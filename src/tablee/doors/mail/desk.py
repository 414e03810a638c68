"""Where letters are opened: who wrote them, what they may do, and what is answered."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from hashlib import sha256

import structlog

from tablee.clock import Clock
from tablee.club import Account, Club, NotFound, TooMany
from tablee.club.letters import Letter
from tablee.doors.mail.answers import Answers, in_answer
from tablee.doors.mail.obeying import Obeying
from tablee.doors.mail.proof import is_proven
from tablee.doors.mail.reading import Message, TooLarge, read_message
from tablee.doors.mail.settings import MailSettings
from tablee.store import Conflict, Store, Write
from tablee.tables import Chair, HouseTable, NoSuchTable, Tables
from tablee.tables.replies import Bound

log = structlog.get_logger("tablee.doors.mail")

_TABLE = re.compile(r"\[\s*(?:table\s+)?(\d{1,18})\s*\]", re.I)
TABLES_MOST = 500
_NAMED = re.compile(r"\[([^\[\]]{1,120})\]")


class Verdict(Enum):
    """What became of a message, for whoever brought it: where it is laid."""

    READ = "read"
    REFUSED = "refused"


class MailDesk:
    """Takes messages, one at a time, from whichever way they come in."""

    def __init__(
        self, store: Store, club: Club, tables: Tables, clock: Clock, settings: MailSettings
    ) -> None:
        self.settings = settings
        self._store = store
        self._club = club
        self._tables = tables
        self._clock = clock
        self._answers = Answers(club.letters, tables.call_words, settings.public_url)
        # Two letters of one person at a time would each save its orders without the other's; and many that
        # take long to read, at once, would leave the loop little of the interpreter.
        self._one_at_a_time = asyncio.Lock()
        tables.replies.mailbox = settings.mailbox

    async def settled(self) -> None:
        """Wait until every message that was brought before is obeyed."""
        async with self._one_at_a_time:
            return

    async def take(
        self, raw: bytes, recipients: Sequence[str] = (), return_path: str | None = None
    ) -> Verdict:
        """Obey a message and answer it; `recipients` and `return_path` are the envelope's, where it has one.

        Raises Unavailable: whoever brought it brings it again.
        """
        async with self._one_at_a_time:
            try:
                message = await asyncio.to_thread(read_message, raw)
            except TooLarge:
                log.info("mail_too_large", bytes=len(raw))
                return Verdict.REFUSED
            return await self._read(message, recipients, return_path)

    async def _read(self, message: Message, recipients: Sequence[str], return_path: str | None) -> Verdict:
        quiet = "automatic" if message.is_automatic else "bounce" if return_path == "" else ""
        if quiet or self._is_ours(message):
            log.info("mail_of_a_program", reason=quiet or "our own")
            return Verdict.REFUSED
        for address in (*recipients, *message.recipients):
            token = self._tables.replies.token_in(address)
            if token is not None:
                return await self._by_token(message, token)
        return await self._by_sender(message)

    def _is_ours(self, message: Message) -> bool:
        """Whether the house wrote it itself: nobody answers his own answers."""
        local, _, domain = self.settings.mailbox.lower().partition("@")
        own = re.compile(rf"{re.escape(local)}(\+[^@]*)?@{re.escape(domain)}")
        return not message.senders or any(own.fullmatch(sender) for sender in message.senders)

    # --- who wrote it -------------------------------------------------------------------------------------

    async def _by_token(self, message: Message, token: str) -> Verdict:
        bound = await self._tables.replies.find(token)
        if bound is None:
            self._note_guess()
            return Verdict.REFUSED
        account, chair = await self._seated(bound.account_id, bound.table_id)
        if account is None or chair is None:
            return Verdict.REFUSED
        if chair.is_over or chair.phase != bound.phase:
            writes = [self._tables.replies.used(token, is_alive=False)]
            if await self._is_new(account, message):
                late = partial(self._answers.late, account, chair, bound.role)
                await self._answer(message, account, late, chair, bound.role, writes)
            return Verdict.READ
        writes = [self._tables.replies.used(token, is_alive=True)]
        return await self._obey(message, account, chair, bound, writes)

    async def _by_sender(self, message: Message) -> Verdict:
        """Without a token: from the confirmed address of a player, and proven to be so."""
        account = None if message.sender is None else await self._club.accounts.by_email(message.sender)
        if account is None or not account.email_confirmed or account.is_shut_out(self._clock.now()):
            return Verdict.REFUSED
        proven = is_proven(message.headers, self.settings.authserv_id, message.sender or "")
        # Before his tables are looked through: anybody can have that done in his name.
        limit = "mail_played" if proven else "mail_proof"
        try:
            self._club.limits.check(limit, account.id)
        except TooMany:
            return Verdict.REFUSED
        tables = await self._tables.lobby.of_account(account.id, ("running",), limit=TABLES_MOST)
        mine = [info for info in tables if info.seat_of(account.id)]
        info = _meant(message.subject, mine)
        if info is None:
            self._club.limits.count(limit, account.id)
            if proven and mine and await self._is_new(account, message):
                await self._answer(message, account, partial(self._answers.which, account, mine))
            return Verdict.READ if proven and mine else Verdict.REFUSED
        account_again, chair = await self._seated(account.id, info.id)
        if account_again is None or chair is None:
            return Verdict.REFUSED
        if not proven:
            self._club.limits.count(limit, account.id)
            if await self._is_new(account, message):
                await self._answer(message, account, partial(self._answers.prove, account, chair), chair)
            return Verdict.REFUSED
        return await self._obey(message, account, chair, Bound(account.id, info.id, 0, chair.phase), [])

    async def _seated(self, account_id: int, table_id: int) -> tuple[Account | None, Chair | None]:
        """Who plays at a table that has begun, and his chair; nobody who is shut out, or gone from there."""
        try:
            account = await self._club.accounts.by_id(account_id)
            info = await self._tables.info(table_id)
        except (NotFound, NoSuchTable):
            return None, None
        sitting = info.seat_of(account_id)
        if sitting is None or account.is_shut_out(self._clock.now()):
            return account, None
        chair = await self._tables.chair(table_id, sitting.seat, account_id)
        return account, chair if chair.has_begun and chair.still_sits else None

    # --- what it asks for -----------------------------------------------------------------------------------

    async def _obey(
        self, message: Message, account: Account, chair: Chair, bound: Bound, writes: list[Write]
    ) -> Verdict:
        if not await self._is_new(account, message):
            return Verdict.READ
        try:
            self._club.limits.take("mail_played", account.id)
        except TooMany:
            log.warning("mail_too_often", account=account.id)
            return Verdict.REFUSED
        obeyed = await Obeying(self._tables, chair, account, bound.role, bound.phase, message).obey()
        receipt = partial(self._answers.receipt, account, chair, bound.role, obeyed)
        await self._answer(message, account, receipt, chair, bound.role, writes)
        log.info("mail_obeyed", table=chair.info.id, played=obeyed.played, refused=len(obeyed.refused))
        return Verdict.READ

    # --- what is answered -----------------------------------------------------------------------------------

    async def _is_new(self, account: Account, message: Message) -> bool:
        """Whether this message was not obeyed and answered before: one that comes twice counts once."""
        return not await self._tables.replies.was_taken(_key(account, message))

    async def _answer(
        self,
        message: Message,
        account: Account,
        compose: Callable[[], Letter],
        chair: Chair | None = None,
        role: int = 0,
        writes: Sequence[Write] = (),
    ) -> None:
        """Note that a message is done with, and lay the answer to it in the outbox, in one transaction.

        It goes to the account's own address, whoever wrote; none goes where that is not confirmed, or where
        too many have gone there within the hour.
        """
        replies = self._tables.replies
        noted = [replies.taking(_key(account, message)), *writes]
        if self._may_answer(account):
            offered = None
            if chair is not None:
                offered = await replies.answerable_at(chair.info.id, account.id, role)
            if offered is not None:
                noted.append(offered.write)
            address = None if offered is None else offered.address
            letter = in_answer(compose(), address, message.id)
            noted.append(await self._club.letters.post(letter, account.id))
        try:
            await replies.note(*noted)
        except Conflict:
            return  # another node has just answered the same message

    def _may_answer(self, account: Account) -> bool:
        if account.email is None or not account.email_confirmed:
            return False
        try:
            self._club.limits.take("mail_answer", account.id)
        except TooMany:
            return False
        return True

    def _note_guess(self) -> None:
        """A token that was never made. Nobody is answered; of many within an hour the log has the first."""
        try:
            self._club.limits.take("mail_token", "")
        except TooMany:
            return
        log.warning("mail_token_unknown")


def _key(account: Account, message: Message) -> str:
    return "mail:" + sha256(f"{account.id}\n{message.id}".encode()).hexdigest()


def _meant(subject: str, mine: Sequence[HouseTable]) -> HouseTable | None:
    """The table whose number or name stands in brackets; a name that two have means neither."""
    numbered = _TABLE.search(subject)
    if numbered is not None:
        return next((info for info in mine if info.id == int(numbered[1])), None)
    for name in _NAMED.findall(subject):
        found = [info for info in mine if info.name.strip().casefold() == name.strip().casefold()]
        if len(found) == 1:
            return found[0]
    return None
