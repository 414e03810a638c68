"""The clients' port: who comes in, who is there, which matches, a new one."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import structlog

from tablee.club import Account
from tablee.club.errors import ClubError, WrongPassword
from tablee.club.fields import pseudo_key
from tablee.doors.minehive import messages
from tablee.doors.minehive.hosting import TooManyMatches, TooManyOfOne
from tablee.doors.minehive.lines import Lines
from tablee.doors.minehive.messages import BadMessage, Message
from tablee.doors.minehive.ports import NoPort
from tablee.doors.minehive.present import Whereabouts
from tablee.doors.minehive.tries import ShutOut
from tablee.store import StoreError

if TYPE_CHECKING:
    from tablee.doors.minehive.door import MinehiveDoor

log = structlog.get_logger("tablee.minehive")

EVERYBODY = "all"


class ClientConnection(Lines):
    """A client: a stranger until REGI, then available, until he leaves, is sent away or plays."""

    __slots__ = ("account", "door", "ping", "silence", "spoke")
    not_understood = b"IDKS\n"

    def __init__(self, door: MinehiveDoor) -> None:
        super().__init__(door.wheel, door.settings.bounds)
        self.door = door
        self.ping = door.settings.ping
        self.silence = door.settings.silence
        self.account: Account | None = None
        self.spoke = 0

    def began(self) -> None:
        self.spoke = self.heard
        self.door.clients.add(self)

    def gone(self) -> None:
        self.door.clients.discard(self)
        if self.account is not None:
            self.door.present.depart(self.account.id, self)

    def is_identified(self) -> bool:
        return self.account is not None

    def expired(self, now: int) -> int:
        due = self.spoke + self.door.settings.idle
        if now >= due and not self.has_work():
            self.kick()
        return due

    def kick(self) -> None:
        self.write(b"KICK\n")
        self.close()

    def superseded(self) -> None:
        self.account = None
        self.close()

    def invite(self, line: str) -> None:
        self.tell(f"{line}\n")

    def say(self, *said: Message) -> None:
        """Answer with all these lines at once."""
        self.answer("".join(f"{message}\n" for message in said))

    def line(self, line: str) -> None:
        fields = messages.fields_of(line)
        kind = fields[0]
        if kind in ("IMOK", "IDKC"):
            return
        self.spoke = self.heard
        if kind == "LEAV":
            self.close()
        elif self.account is None:
            self.hold(self._first(fields))
        elif kind in _REQUESTS:
            self.hold(self._request(fields))
        else:
            self.misread()

    # --- a stranger -------------------------------------------------------------------------------------

    async def _first(self, fields: list[str]) -> None:
        """Full; not REGI; not allowed; unknown; wrong; available; in a match: in this order."""
        try:
            await self._regi(fields)
        except (BadMessage, ClubError, ShutOut, NoPort):
            self.say(messages.Idno())
        except StoreError as error:
            log.warning("minehive_regi_failed", error=str(error))
            self.say(messages.Idno())

    async def _regi(self, fields: list[str]) -> None:
        is_regi = fields[0] == "REGI"
        if await self.door.is_full() and not (is_regi and await self._is_counted(fields)):
            self.say(messages.Idno())
            return
        if not is_regi:
            self.misread()
            return
        asked = messages.parse(messages.Regi, fields)
        async with self.door.tries.check(self.address):
            try:
                accounts = self.door.club.accounts
                entered = await accounts.enter(asked.user, asked.password, address=self.address)
            except WrongPassword:
                self.door.tries.failed(self.address)
                raise
        found = await self._admit(entered.account)
        if found is not None:
            self.say(messages.Idig(*await self.door.address_of(found, self)))
            self.close()

    async def _admit(self, account: Account) -> Whereabouts | None:
        """Make him available, if there is room; where he is if he is in a match."""
        present = self.door.present
        async with self.door.admitting:
            if account.id not in present.here:
                found = await present.match_of(account.id)
                if found is not None:
                    return found
                if await self.door.is_full() and not await present.counts(account.id):
                    self.say(messages.Idno())
                    return None
            await present.arrive(account.id, self)
        if self.closing:
            present.depart(account.id, self)
        elif await self.door.club.accounts.is_shut_out(account.id):  # since his password was looked at
            present.depart(account.id, self)
            self.say(messages.Idno())
        else:
            self.account = account
            self.say(messages.Idok())
        return None

    async def _is_counted(self, fields: list[str]) -> bool:
        try:
            account = await self.door.club.accounts.by_pseudo(messages.parse(messages.Regi, fields).user)
        except (BadMessage, ClubError):
            return False
        return await self.door.present.counts(account.id)

    # --- somebody available -----------------------------------------------------------------------------

    async def _request(self, fields: list[str]) -> None:
        if self.account is None:
            return  # another connection, or a match, has him since he asked
        try:
            await _REQUESTS[fields[0]](self, fields)
        except StoreError as error:
            # There is no line for it, and an empty list would be a lie.
            log.warning("minehive_request_failed", request=fields[0], error=str(error))
            self.kick()

    async def _lsma(self, fields: list[str]) -> None:
        matches = await self.door.list_matches(self)
        self.say(messages.Lmnb(len(matches)), *matches)

    async def _lsav(self, fields: list[str]) -> None:
        players = await self.door.present.available()
        self.say(messages.Lanb(len(players)), *(messages.Avai(*player) for player in players))

    async def _lsus(self, fields: list[str]) -> None:
        users = await self.door.present.users()
        self.say(messages.Lunb(len(users)), *(messages.User(*user) for user in users))

    async def _nwma(self, fields: list[str]) -> None:
        account = self.account
        assert account is not None, "requests come from somebody available"
        guests = messages.parse(messages.Nwma, fields).guests
        try:
            made = await self.door.new_match(account)
        except TooManyMatches:
            self.say(messages.Full())
            return
        except TooManyOfOne:
            self.say(messages.Nwno())
            return
        except (StoreError, ClubError, NoPort) as error:
            log.warning("minehive_no_match", error=str(error))
            self.say(messages.Nwno())
            return
        self.say(messages.Nwok(self.door.ip_for(self), made.port))
        if guests:
            available = await self.door.present.available_ids()
            keys = {pseudo_key(guest) for guest in guests}
            invited = [who for key, who in available.items() if key in keys or EVERYBODY in keys]
            self.door.invite([who for who in invited if who != account.id], made)


_REQUESTS: dict[str, Callable[[ClientConnection, list[str]], Coroutine[Any, Any, None]]] = {
    "LSMA": ClientConnection._lsma,
    "LSAV": ClientConnection._lsav,
    "LSUS": ClientConnection._lsus,
    "NWMA": ClientConnection._nwma,
}
