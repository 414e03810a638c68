"""E-mail addresses: confirmed by a code, and the way back in for who forgot his password."""

from __future__ import annotations

from sqlalchemy import bindparam, update

from tablee.clock import Clock
from tablee.club import fields
from tablee.club.codes import CODE_DIGITS, Codes, Held, of_address
from tablee.club.deeds import Deeds
from tablee.club.errors import Invalid, Refused, TooMany
from tablee.club.letters import Letters
from tablee.club.limits import Limits, network
from tablee.club.people import BY_EMAIL, BY_ID, Account, account_of
from tablee.club.sessions import account_changed
from tablee.store import Conflict, Query, Store, Unit, Write
from tablee.store.schema import account

_CONFIRM = Query(
    update(account)
    .where(account.c.id == bindparam("which"), account.c.email == bindparam("address"))
    .values(email_confirmed=True, email_refused=None)
)

_REFUSED = Query(
    update(account)
    .where(account.c.id == bindparam("which"), account.c.email == bindparam("address"))
    .values(email_refused=bindparam("why"))
)

CONFIRM = "confirm"


class Addresses:
    def __init__(
        self, store: Store, clock: Clock, codes: Codes, letters: Letters, deeds: Deeds, limits: Limits
    ) -> None:
        self._store = store
        self._clock = clock
        self._codes = codes
        self._letters = letters
        self._deeds = deeds
        self._limits = limits

    async def code_writes(self, who: Account, purpose: str, digits: int = CODE_DIGITS) -> list[Write]:
        """What keeps a new code for this purpose and sends it to the account's address."""
        assert who.email is not None
        code = self._codes.draw(digits)
        letter = self._letters.compose(purpose, who.email, who.language, pseudo=who.pseudo, code=code)
        held = of_address(who.email) if purpose == CONFIRM else Held(who.id, purpose)
        return [
            await self._codes.put(*held, who.email, code),
            await self._letters.post(letter, who.id),
        ]

    async def letter_write(self, who: Account, name: str) -> Write:
        """What sends an account a letter without a code."""
        assert who.email is not None
        letter = self._letters.compose(name, who.email, who.language, pseudo=who.pseudo)
        return await self._letters.post(letter, who.id)

    async def farewell_write(self, who: Account) -> list[Write]:
        """What sends the last letter to a confirmed address; the outbox does not know whose it was."""
        if who.email is None or not who.email_confirmed:
            return []
        letter = self._letters.compose("deleted", who.email, who.language, pseudo=who.pseudo)
        return [await self._letters.post(letter, None)]

    async def refused(self, account_id: int, email: str, reason: str) -> None:
        """The mail server of an address has said that there is no such address: no more letters go there."""
        row = {"which": account_id, "address": email, "why": reason[:200]}
        await self._store.commit(Unit(writes=[Write(_REFUSED, row)], hints=[account_changed(account_id)]))

    async def send_confirmation(self, who: Account, digits: int = CODE_DIGITS) -> None:
        """Send a new code to an address that is not confirmed. Raises Refused, TooMany."""
        if who.email is None:
            raise Refused("email_none")
        if who.email_confirmed:
            raise Refused("email_confirmed")
        self._limits.take("mail_code", who.id)
        await self._store.commit(Unit(writes=await self.code_writes(who, CONFIRM, digits)))

    async def confirm(self, who: Account, code: str, *, address: str = "", counted: bool = True) -> Account:
        """The code came back: the address is his. Raises Refused `code_wrong` or `code_spent`, TooMany."""
        if address and counted:
            self._limits.take("code_try", network(address))
        # Who has no address has no code either, which costs the same work.
        held = of_address(who.email) if who.email else Held(who.id, CONFIRM)
        proven = await self._codes.prove(*held, code)
        confirm = Write(_CONFIRM, {"which": who.id, "address": who.email}, expect=1)
        deed = await self._deeds.write("confirm_email", actor=who.id, account=who.id, address=address)
        try:
            await self._store.commit(
                Unit(writes=[proven.spend, confirm, deed], hints=[account_changed(who.id)])
            )
        except Conflict:  # the address has changed since, or the code was used a moment ago
            raise Refused("code_spent") from None
        row = await self._store.one(BY_ID, which=who.id)
        assert row is not None
        return account_of(row)

    async def send_recovery(self, email: str, *, address: str = "", counted: bool = True) -> None:
        """Send a code to whoever has this address. Nobody learns whether there is one. Raises TooMany."""
        if address and counted:
            self._limits.take("recover", network(address))
        who = await self._owner(email)
        if who is None or not self._may_mail(who):
            await self._codes.put(0, "nobody", "", self._codes.draw())  # the same work, then dropped
            return
        deed = await self._deeds.write("ask_recovery", actor=None, account=who.id, address=address)
        await self._store.commit(Unit(writes=[*await self.code_writes(who, "recover"), deed]))

    async def prove_recovery(
        self, email: str, code: str, *, address: str = ""
    ) -> tuple[Account, list[Write]]:
        """Who holds the code sent to his address, and the writes that use it up and confirm the address.

        Raises Refused `code_refused`, whatever is wrong: it must not say that the address is known; TooMany.
        """
        if address:
            self._limits.take("code_try", network(address))
        who = await self._owner(email)
        try:
            proven = await self._codes.prove(who.id if who else -1, "recover", code)
        except Refused:
            raise Refused("code_refused") from None
        assert who is not None
        return who, [proven.spend, Write(_CONFIRM, {"which": who.id, "address": proven.email}, expect=1)]

    def _may_mail(self, who: Account) -> bool:
        """Count one more code for an account, in silence: the answer must not say that it exists."""
        try:
            self._limits.take("mail_code", who.id)
        except TooMany:
            return False
        return True

    async def _owner(self, email: str) -> Account | None:
        try:
            key = fields.email_key(fields.email(email))
        except Invalid:
            return None
        row = await self._store.one(BY_EMAIL, key=key)
        return account_of(row) if row is not None and row.kind == "member" else None
