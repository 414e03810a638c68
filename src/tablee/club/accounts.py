"""Accounts: made, found, proven by a password, changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Unpack

from sqlalchemy import bindparam, insert, select, update

from tablee.clock import Clock
from tablee.club import fields, patience
from tablee.club.addresses import CONFIRM, Addresses
from tablee.club.calling.calls import call_write
from tablee.club.codes import CODE_DIGITS
from tablee.club.deeds import VISIT, Deeds
from tablee.club.details import Changes, Details, checked
from tablee.club.errors import (
    BadCredentials,
    Banned,
    ClubError,
    EmailTaken,
    Invalid,
    PseudoTaken,
    Refused,
    TooMany,
    UnknownAccount,
    WrongPassword,
)
from tablee.club.limits import Limits, network
from tablee.club.passwords import Passwords
from tablee.club.patience import SIGNED_IN, Patience
from tablee.club.people import (
    BY_EMAIL,
    BY_ID,
    BY_IDS,
    BY_KEY,
    BY_KEYS,
    COLUMNS,
    Account,
    account_of,
    account_of_row,
    changing,
    row_of_account,
)
from tablee.club.sessions import account_changed, revoke_sessions, sessions_changed
from tablee.store import Conflict, Duplicate, Query, Store, Unit, Write
from tablee.store.query import Row
from tablee.store.schema import account

_INSERT = Query(insert(account))
_ROBOT = Query(select(*COLUMNS).where(account.c.kind == "robot", account.c.settings == bindparam("robot")))
_HASH = Query(select(account.c.password_hash).where(account.c.id == bindparam("which")))
_IDENTIFIED = Query(
    update(account)
    .where(account.c.id == bindparam("which"))
    .values(identified_at=bindparam("now"), seen_at=bindparam("now"))
)
_RENEW = Query(
    update(account)
    .where(account.c.id == bindparam("which"), account.c.password_hash == bindparam("old"))
    .values(password_hash=bindparam("new"))
)
_PASSWORD = Query(
    update(account)
    .where(account.c.id == bindparam("which"), account.c.deleted_at.is_(None))
    .values(password_hash=bindparam("new"))
)

VISITOR_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another


class Entered(NamedTuple):
    account: Account
    is_new: bool


class Accounts:
    def __init__(
        self,
        store: Store,
        clock: Clock,
        passwords: Passwords,
        addresses: Addresses,
        deeds: Deeds,
        limits: Limits,
        patience: Patience,
        below: Callable[[int], int],
    ) -> None:
        self._store = store
        self._clock = clock
        self._passwords = passwords
        self._addresses = addresses
        self._deeds = deeds
        self._limits = limits
        self._patience = patience
        self._below = below
        self._robots: dict[tuple[str, str], Account] = {}
        store.on_restored(self._robots.clear)

    # --- finding ----------------------------------------------------------------------------------------

    async def by_id(self, account_id: int) -> Account:
        """Raises UnknownAccount. The account of somebody who left is there too, without his name."""
        row = await self._store.one(BY_ID, which=account_id)
        if row is None:
            raise UnknownAccount(account_id)
        return account_of(row)

    async def is_shut_out(self, account_id: int) -> bool:
        """Whether somebody is banned or gone from the club; raises UnknownAccount, Unavailable."""
        return (await self.by_id(account_id)).is_shut_out(self._clock.now())

    async def by_pseudo(self, pseudo: str) -> Account:
        """Raises UnknownAccount."""
        row = await self._row_of(pseudo)
        if row is None:
            raise UnknownAccount(pseudo)
        return account_of(row)

    async def by_email(self, email: str) -> Account | None:
        """Who has this address, confirmed or not."""
        row = await self._row_of_email(email)
        return account_of(row) if row is not None and row.deleted_at is None else None

    async def many(self, ids: Iterable[int]) -> dict[int, Account]:
        """The accounts with these ids; those that do not exist are left out."""
        wanted = sorted(set(ids))
        found: dict[int, Account] = {}
        for start in range(0, len(wanted), 500):
            for row in await self._store.rows(BY_IDS, ids=wanted[start : start + 500]):
                found[row.id] = account_of(row)
        return found

    async def by_pseudos(self, pseudos: Iterable[str]) -> dict[str, Account]:
        """The accounts with these names, by the names as they were given; unknown ones are left out."""
        keys = {name: fields.pseudo_key(name) for name in pseudos if _has_form(name)}
        wanted = sorted(set(keys.values()))
        found: dict[str, Account] = {}
        for start in range(0, len(wanted), 500):
            for row in await self._store.rows(BY_KEYS, keys=wanted[start : start + 500]):
                found[fields.pseudo_key(row.pseudo)] = account_of(row)
        return {name: found[key] for name, key in keys.items() if key in found}

    # --- making -----------------------------------------------------------------------------------------

    async def create(
        self,
        pseudo: str,
        password: str,
        *,
        email: str | None = None,
        least: int = 1,
        most: int = fields.PSEUDO_MOST,
        address: str = "",
        counted: bool = True,
        digits: int = CODE_DIGITS,
        **details: Unpack[Details],
    ) -> Account:
        """A new member; the code for his address has so many digits.

        Who is not counted was sent by a back end that speaks for many: only the deed names the network.
        Raises Invalid, PseudoTaken, EmailTaken, TooMany.
        """
        name = fields.pseudo(pseudo, most)
        fields.password(password, least)
        mail = fields.email(email) if email else None
        return await self._make_member(name, password, mail, checked(details), address, digits, counted)

    async def create_super(self, pseudo: str, password: str) -> Account:
        """The super-administrator of a new house; `Roles.name_super` sees to it that there is one only."""
        return await self._make_member(
            fields.pseudo(pseudo), fields.password(password), None, {"role": "super"}, ""
        )

    async def _make_member(
        self,
        name: str,
        password: str,
        mail: str | None,
        values: dict[str, Any],
        address: str,
        digits: int = CODE_DIGITS,
        counted: bool = True,
    ) -> Account:
        place = address if counted else ""
        await self._refuse_taken(name, mail, place)
        await self._count_newcomer("sign_up", place)
        kept = await self._passwords.hash(password, place=network(place))
        row = self._row(await self._store.new_id("account"), "member", name) | values
        row |= {"password_hash": kept, "email": mail, "email_key": fields.email_key(mail) if mail else None}
        row["identified_at"] = row["created_at"]
        made = account_of_row(row)
        deed = await self._deeds.write("sign_up", actor=made.id, account=made.id, address=address)
        writes = [Write(_INSERT, row), deed]
        if mail:
            writes += await self._addresses.code_writes(made, CONFIRM, digits)
        await self._commit(Unit(writes=writes), name, mail)
        return made

    async def enter(self, pseudo: str, password: str, *, address: str) -> Entered:
        """Prove who somebody is, or make his account if nobody has the name: the way of the historic doors.

        Raises Invalid, WrongPassword, Banned, TooMany.
        """
        fields.pseudo(pseudo)
        fields.password(password)
        while True:
            if await self._row_of(pseudo) is not None:
                return Entered(await self.verify(pseudo, password, address=address), False)
            try:
                return Entered(await self.create(pseudo, password, address=address), True)
            except PseudoTaken:
                continue  # somebody was faster: his password decides

    async def create_visitor(
        self, language: str = "fr", *, address: str = "", limit: str = "visitor"
    ) -> Account:
        """Somebody without a name; he keeps his games if he becomes a member.

        `limit` is the rule by which his network is counted. Raises TooMany.
        """
        await self._count_newcomer(limit, address)
        while True:
            drawn = "".join(VISITOR_LETTERS[self._below(len(VISITOR_LETTERS))] for _ in range(6))
            row = self._row(await self._store.new_id("account"), "visitor", f"Visiteur-{drawn}")
            row["language"] = fields.language(language)
            visit = await self._deeds.write(VISIT, actor=row["id"], account=row["id"], address=address)
            try:
                await self._store.commit(Unit(writes=[Write(_INSERT, row), visit]))
            except Duplicate:
                continue
            return account_of_row(row)

    async def upgrade_visitor(
        self,
        visitor: Account,
        pseudo: str,
        password: str,
        *,
        email: str | None = None,
        least: int = 1,
        address: str = "",
        **details: Unpack[Details],
    ) -> Account:
        """Make a visitor a member: same account, same games. Raises as `create`."""
        if not visitor.is_visitor:
            raise Refused("account_no_visitor")
        name = fields.pseudo(pseudo)
        fields.password(password, least)
        mail = fields.email(email) if email else None
        values = checked(details)
        await self._refuse_taken(name, mail, address)
        await self._count_newcomer("sign_up", address)
        values |= {"pseudo": name, "pseudo_key": fields.pseudo_key(name), "kind": "member"}
        values |= {"email": mail, "email_key": fields.email_key(mail) if mail else None}
        kept = await self._passwords.hash(password, place=network(address))
        values |= {"password_hash": kept, "identified_at": self._clock.now()}
        deed = await self._deeds.write("sign_up", actor=visitor.id, account=visitor.id, address=address)
        writes = [changing(visitor.id, values, "visitor"), deed]
        if mail:
            named = account_of_row(row_of_account(visitor) | values)
            writes += await self._addresses.code_writes(named, CONFIRM)
        try:
            await self._commit(Unit(writes=writes, hints=[account_changed(visitor.id)]), name, mail)
        except Conflict:
            raise Refused("account_no_visitor") from None
        return await self.by_id(visitor.id)

    async def robot(self, game: str, strength: str) -> Account:
        """The account of the robot of this game and strength, made on first use."""
        known = self._robots.get((game, strength))
        if known is not None:
            return known
        marks = fields.settings({"robot": [game, strength]})
        wished = "".join(c for c in f"Robot-{game}-{strength}" if c.isascii() and (c.isalnum() or c in "_-."))
        number = 0
        while True:
            row = await self._store.one(_ROBOT, robot=marks)
            if row is not None:
                made = self._robots[game, strength] = account_of(row)
                return made
            number += 1
            name = wished[: fields.PSEUDO_MOST] if number == 1 else f"{wished[:25]}-{number}"
            values = self._row(await self._store.new_id("account"), "robot", name) | {"settings": marks}
            try:
                await self._store.commit(Unit(writes=[Write(_INSERT, values)]))
            except Duplicate:
                continue  # another node made it, or a member has the name: look again

    # --- proving ----------------------------------------------------------------------------------------

    async def verify(self, pseudo: str, password: str, *, address: str = "") -> Account:
        """Whose name and password these are. Raises UnknownAccount, WrongPassword, Banned, TooMany.

        An unknown name costs the same work and the same waits as a wrong password.
        """
        return await self._prove(await self._row_of(pseudo), pseudo, password, address)

    async def sign_in(self, name: str, password: str, *, address: str = "") -> Account:
        """The same for the page, by name or e-mail address. Raises BadCredentials, Banned, TooMany."""
        try:
            row = await self._row_of_email(name) if "@" in name else await self._row_of(name)
            return await self._prove(row, name, password, address)
        except (UnknownAccount, WrongPassword):
            raise BadCredentials() from None

    async def confirm_password(self, who: Account, password: str) -> None:
        """Ask somebody who is signed in for his password once more. Raises WrongPassword, TooMany."""
        async with self._patience.turn(who.id, SIGNED_IN):
            row = await self._store.one(_HASH, which=who.id)
            kept = row.password_hash if row else None
            if not (await self._passwords.check(kept, password, place=_own_place(who.id))).right:
                raise WrongPassword()

    async def has_password(self, account_id: int) -> bool:
        row = await self._store.one(_HASH, which=account_id)
        return row is not None and row.password_hash is not None

    # --- changing ---------------------------------------------------------------------------------------

    async def change(
        self,
        who: Account,
        *,
        by: int | None = None,
        address: str = "",
        digits: int = CODE_DIGITS,
        **changes: Unpack[Changes],
    ) -> tuple[Account, bool]:
        """Change what is given; the flag says whether anything differs now. A new e-mail address gets a code.

        Raises Invalid, PseudoTaken, EmailTaken, Refused, TooMany.
        """
        if who.kind != "member" and not set(changes) <= {"language", "settings"}:
            raise Refused("members_only")
        if by is None or by == who.id:
            self._limits.take("profile", who.id)
        now_is = await self.by_id(who.id)
        if now_is.deleted_at is not None:
            raise Refused("account_gone")
        values = checked(changes)
        if "settings" in values:
            self._limits.take("writing", who.id, len(values["settings"]))
        if "pseudo" in changes:
            name = fields.pseudo(changes["pseudo"])
            values |= {"pseudo": name, "pseudo_key": fields.pseudo_key(name)}
        if "email" in changes:
            mail = fields.email(changes["email"]) if changes["email"] else None
            values |= {"email": mail, "email_key": fields.email_key(mail) if mail else None}
        current = row_of_account(now_is)
        values = {key: value for key, value in values.items() if current[key] != value}
        if not values:
            return now_is, False
        if values.keys() & {"email_key"}:
            values |= {"email_confirmed": False, "email_refused": None}
        about = {"fields": sorted(key for key in values if not key.endswith(("_key", "_confirmed")))}
        deed = await self._deeds.write(
            "change", actor=by or who.id, account=who.id, about=about, address=address
        )
        after = account_of_row(current | values)
        if after.email and "email_key" in values:
            self._limits.take("mail_code", who.id)
        writes = [changing(who.id, values, who.kind), deed]
        if after.email and "email_key" in values:
            writes += await self._addresses.code_writes(after, CONFIRM, digits)
        if "email_key" in values and now_is.is_reached:
            # Where he was reached until now: whoever took the account over cannot hide it.
            writes.append(await self._addresses.letter_write(now_is, "address_changed"))
        if by is not None and by != who.id:
            now = self._clock.now()
            said = {"kind": "changed"}
            writes.append(call_write(who.id, "security", now, what=f"changed {now}", about=said))
        hints = [account_changed(who.id)]
        try:
            await self._commit(Unit(writes=writes, hints=hints), values.get("pseudo"), values.get("email"))
        except Conflict:
            raise Refused("account_gone") from None
        return after, True

    async def change_password(
        self,
        who: Account,
        password: str,
        *,
        current: str | None = None,
        least: int = 1,
        keep_session: int = 0,
        by: int | None = None,
        address: str = "",
    ) -> None:
        """A new password; every other session ends. With `current` the old one is asked for first.

        Raises Invalid, WrongPassword, Refused, TooMany.
        """
        fields.password(password, least)
        if who.kind != "member":
            raise Refused("members_only")
        if current is not None:
            await self.confirm_password(who, current)
        unit = await self._password_unit(
            who, password, "change_password", by or who.id, address, keep_session
        )
        try:
            await self._store.commit(unit)
        except Conflict:
            raise Refused("account_gone") from None

    async def recover(
        self,
        email: str,
        code: str,
        password: str,
        *,
        least: int = 1,
        address: str = "",
        counted: bool = True,
    ) -> Account:
        """A new password for who holds the code of `addresses.send_recovery`; every session ends.

        Raises Invalid, Refused `code_refused`, TooMany.
        """
        fields.password(password, least)
        who, proof = await self._addresses.prove_recovery(email, code, address=address if counted else "")
        unit = await self._password_unit(who, password, "recover", who.id, address)
        unit.writes = [*proof, *unit.writes]
        unit.hints = [*unit.hints, account_changed(who.id)]
        try:
            await self._store.commit(unit)
        except Conflict:  # the address has changed since, or the code was used a moment ago
            raise Refused("code_refused") from None
        return await self.by_id(who.id)

    # --- below ------------------------------------------------------------------------------------------

    async def _password_unit(
        self, who: Account, password: str, what: str, by: int | None, address: str, keep_session: int = 0
    ) -> Unit:
        kept = await self._passwords.hash(password, place=_own_place(who.id))
        new = Write(_PASSWORD, {"which": who.id, "new": kept}, expect=1)
        deed = await self._deeds.write(what, actor=by, account=who.id, address=address)
        writes = [new, revoke_sessions(who.id, self._clock.now(), keep_session), deed]
        if who.email and who.email_confirmed:
            writes.append(await self._addresses.letter_write(who, "password_changed"))
        return Unit(writes=writes, hints=[sessions_changed(who.id)])

    async def _row_of(self, pseudo: str) -> Row | None:
        if not _has_form(pseudo):
            return None
        row = await self._store.one(BY_KEY, key=fields.pseudo_key(pseudo))
        return row if row is not None and row.deleted_at is None else None

    async def _row_of_email(self, email: str) -> Row | None:
        try:
            return await self._store.one(BY_EMAIL, key=fields.email_key(fields.email(email)))
        except Invalid:
            return None

    async def _prove(self, row: Row | None, name: str, password: str, address: str) -> Account:
        kept = row.password_hash if row is not None else None
        place = network(address)
        who = row.id if row is not None else fields.pseudo_key(name[: fields.EMAIL_MOST])
        async with self._patience.turn(who, place) as is_owner:
            served = _own_place(row.id) if is_owner and row is not None else place
            answer = await self._passwords.check(kept, password, place=served)
            if row is None or kept is None:
                raise UnknownAccount(name)
            if not answer.right:
                raise WrongPassword()
        now = self._clock.now()
        found = account_of(row)
        if found.is_banned(now):
            raise Banned(found.banned_until or 0)
        writes = [Write(_IDENTIFIED, {"which": found.id, "now": now})]
        if answer.renewed is not None:
            writes.append(Write(_RENEW, {"which": found.id, "old": kept, "new": answer.renewed}))
        await self._store.commit(Unit(writes=writes))
        return found

    async def _count_newcomer(self, limit: str, address: str) -> None:
        """Count somebody new by the network that he comes from, on whichever door.

        Raises TooMany, after a while: one who does not care would ask again at once.

        Only whom the house itself makes (its commands, its robots) comes from no address.
        """
        if not address:
            return
        try:
            self._limits.take(limit, network(address))
        except TooMany:
            await asyncio.sleep(patience.REFUSED_AFTER)
            raise

    async def _refuse_taken(self, pseudo: str, email: str | None, address: str) -> None:
        if await self._store.one(BY_KEY, key=fields.pseudo_key(pseudo)) is not None:
            raise PseudoTaken(pseudo)
        if email and await self._store.one(BY_EMAIL, key=fields.email_key(email)) is not None:
            # Names are public, addresses are not: nobody shall count through who is here.
            await self._count_newcomer("sign_up", address)
            raise EmailTaken(email)

    async def _commit(self, unit: Unit, pseudo: str | None, email: str | None) -> None:
        try:
            await self._store.commit(unit)
        except Duplicate as duplicate:
            raise _taken(duplicate, pseudo, email) from None

    def _row(self, account_id: int, kind: str, pseudo: str) -> dict[str, Any]:
        now = self._clock.now()
        return {
            **dict.fromkeys(("first_name", "family_name", "telephone", "country", "time_zone"), ""),
            **dict.fromkeys(("password_hash", "email", "email_key"), None),
            **dict.fromkeys(("identified_at", "deleted_at", "banned_until"), None),
            "id": account_id,
            "kind": kind,
            "role": "player",
            "pseudo": pseudo,
            "pseudo_key": fields.pseudo_key(pseudo),
            "email_confirmed": False,
            "email_refused": None,
            "stand_in": False,
            "language": "fr",
            "settings": "{}",
            "created_at": now,
            "seen_at": now,
        }


def _own_place(account_id: int) -> str:
    """Where who is known waits for his password to be hashed: nobody else can fill that queue."""
    return f"account {account_id}"


def _has_form(pseudo: str) -> bool:
    try:
        fields.pseudo_form(pseudo)
    except Invalid:
        return False
    return True


def _taken(duplicate: Duplicate, pseudo: str | None, email: str | None) -> ClubError | Duplicate:
    if "pseudo_key" in duplicate.columns:
        return PseudoTaken(pseudo or "")
    if "email_key" in duplicate.columns:
        return EmailTaken(email or "")
    return duplicate
