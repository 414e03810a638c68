"""Who may do more than play: the super-administrator, the administrators he names; and who is shut out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import bindparam, select, update

from tablee.clock import Clock, Instant
from tablee.club.accounts import Accounts
from tablee.club.calling.calls import call_write
from tablee.club.deeds import Deeds
from tablee.club.errors import NotFound, PseudoTaken, Refused
from tablee.club.notices import Notices
from tablee.club.people import COLUMNS, ROLES, Account, account_of
from tablee.club.sessions import Sessions, account_changed, revoke_sessions, sessions_changed
from tablee.store import Conflict, Hint, Query, Store, Unit, Write
from tablee.store.schema import account

FOR_EVER: Instant = 253_402_300_799_000  # the end of the year 9999
PASSWORD_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"

_WITH_ROLE = Query(
    select(*COLUMNS).where(account.c.role.in_(bindparam("roles", expanding=True))).order_by(account.c.id)
)
_SET_ROLE = Query(
    update(account)
    .where(
        account.c.id == bindparam("which"),
        account.c.role == bindparam("was"),
        account.c.deleted_at.is_(None),
    )
    .values(role=bindparam("becomes"))
)
_BAN = Query(
    update(account)
    .where(account.c.id == bindparam("which"), account.c.deleted_at.is_(None))
    .values(banned_until=bindparam("until"))
)


class Roles:
    def __init__(
        self,
        store: Store,
        clock: Clock,
        accounts: Accounts,
        sessions: Sessions,
        deeds: Deeds,
        notices: Notices,
        below: Callable[[int], int],
    ) -> None:
        self._store = store
        self._clock = clock
        self._accounts = accounts
        self._sessions = sessions
        self._deeds = deeds
        self._notices = notices
        self._below = below

    async def super_administrator(self) -> Account | None:
        """The one who names the administrators, or None before the first start."""
        row = await self._store.one(_WITH_ROLE, roles=["super"])
        return account_of(row) if row is not None else None

    async def administrators(self) -> list[Account]:
        """Everybody with a role, the super-administrator among them."""
        rows = await self._store.rows(_WITH_ROLE, roles=["administrator", "super"])
        return [account_of(row) for row in rows]

    async def name_super(self, pseudo: str, password: str | None = None) -> tuple[Account, str | None]:
        """At the first start: make the super-administrator. Gives the password if one had to be invented.

        If there is one already he is returned, and nothing changes. Raises Invalid, PseudoTaken.
        """
        there = await self.super_administrator()
        if there is not None:
            return there, None
        invented = None
        if password is None:
            drawn = [PASSWORD_LETTERS[self._below(len(PASSWORD_LETTERS))] for _ in range(16)]
            password = invented = "-".join("".join(drawn[n : n + 4]) for n in range(0, 16, 4))
        try:
            return await self._accounts.create_super(pseudo, password), invented
        except PseudoTaken:
            there = await self.super_administrator()
            if there is None:
                raise
            return there, None  # another node that started at the same time was faster

    async def name_administrator(self, by: Account, whom: Account, *, address: str = "") -> Account:
        """Raises Refused unless the super-administrator names a member."""
        require(by, "super")
        if not whom.is_member:
            raise Refused("members_only")
        if whom.role == "player":
            await self._change_role(by, whom, "administrator", [], address)
        return await self._accounts.by_id(whom.id)

    async def dismiss(self, by: Account, whom: Account, *, address: str = "") -> Account:
        """Make an administrator a player again; sessions in which he acts as somebody end."""
        require(by, "super")
        if whom.role == "super":
            raise Refused("last_super")
        if whom.role == "administrator":
            ended = await self._sessions.end_acting(whom.id)
            await self._change_role(by, whom, "player", ended.writes, address, ended.hints)
        return await self._accounts.by_id(whom.id)

    async def hand_over(self, by: Account, whom: Account, *, address: str = "") -> Account:
        """The super-administrator names his successor and becomes an administrator."""
        require(by, "super")
        if not whom.is_member or whom.id == by.id:
            raise Refused("members_only" if whom.id != by.id else "not_yourself")
        step_down = Write(_SET_ROLE, {"which": by.id, "was": "super", "becomes": "administrator"}, expect=1)
        await self._change_role(by, whom, "super", [step_down], address, [account_changed(by.id)])
        return await self._accounts.by_id(whom.id)

    async def ban(
        self,
        by: Account,
        whom: Account,
        until: Instant | None = None,
        reason: str = "",
        *,
        address: str = "",
    ) -> None:
        """Shut somebody out until then, or for ever. Administrators are banned by the super-administrator."""
        require(by, "administrator")
        if whom.id == by.id or whom.role == "super":
            raise Refused("not_yourself" if whom.id == by.id else "last_super")
        if whom.is_administrator:
            require(by, "super")
        ended = await self._sessions.end_acting(whom.id)
        about = {"until": until, "reason": reason[:500]}
        told = {"kind": "banned"} if until is None else {"kind": "banned_until", "until": until}
        writes = [
            Write(_BAN, {"which": whom.id, "until": FOR_EVER if until is None else until}, expect=1),
            revoke_sessions(whom.id, self._clock.now()),
            await self._deeds.write("ban", actor=by.id, account=whom.id, about=about, address=address),
            self._told(whom, told),
            *ended.writes,
        ]
        hints = [account_changed(whom.id), sessions_changed(whom.id), *ended.hints]
        await self._commit(writes, hints)

    async def lift_ban(self, by: Account, whom: Account, *, address: str = "") -> None:
        require(by, "administrator")
        if whom.is_administrator:
            require(by, "super")
        writes = [
            Write(_BAN, {"which": whom.id, "until": None}, expect=1),
            await self._deeds.write("lift_ban", actor=by.id, account=whom.id, address=address),
            self._told(whom, {"kind": "ban_lifted"}),
        ]
        await self._commit(writes, [account_changed(whom.id)])

    async def end_session(self, by: Account, whom: Account, session_id: int) -> None:
        """End a session of somebody. Only the super-administrator ends an administrator's."""
        require(by, "administrator")
        if whom.id != by.id and whom.is_administrator:
            require(by, "super")
        await self._sessions.revoke(whom.id, session_id)

    async def _change_role(
        self,
        by: Account,
        whom: Account,
        role: str,
        writes: list[Write],
        address: str,
        hints: list[Hint] | None = None,
    ) -> None:
        change = Write(_SET_ROLE, {"which": whom.id, "was": whom.role, "becomes": role}, expect=1)
        deed = await self._deeds.write(
            "role", actor=by.id, account=whom.id, about={"role": role}, address=address
        )
        notice = await self._notices.add_writes(whom.id, "role", {"role": role})
        told = [account_changed(whom.id), self._notices.hint(whom.id), *(hints or [])]
        await self._commit([change, deed, *notice, *writes], told)

    def _told(self, whom: Account, about: dict[str, Any]) -> Write:
        """That somebody is told by letter what was done with his account: he has no page to read it on."""
        now = self._clock.now()
        return call_write(whom.id, "security", now, what=f"{about['kind']} {now}", about=about)

    async def _commit(self, writes: list[Write], hints: list[Hint]) -> None:
        try:
            await self._store.commit(Unit(writes=writes, hints=hints))
        except Conflict:
            raise NotFound("account_gone") from None


def require(who: Account, role: str) -> None:
    """Raise Refused unless somebody has this role or a greater one."""
    if ROLES.index(who.role) < ROLES.index(role):
        raise Refused("not_allowed", role=role)
