"""For administrators: accounts, roles, bans, sessions, acting as somebody."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tablee.club.people import Account
from tablee.tables import searching

from ..api.ask import Ask
from ..api.registry import Body, Id, Limit, Routes, Who
from ..api.signing import SignedIn, signed_in
from ..people.leaving import leave_every_table
from ..shapes import Shape
from .sessions import SessionList, session_info

routes = Routes("administration")


class AccountsQuery(Body, frozen=True):
    search: Annotated[str, msgspec.Meta(max_length=254)] = ""
    kind: Literal["member", "visitor", "robot", "all"] = "member"
    before: Id | None = None
    limit: Limit = 50


class AccountLine(Shape, frozen=True):
    """An account as administrators see it."""

    id: int
    kind: str
    role: str
    pseudo: str
    email: str | None
    email_confirmed: bool
    first_name: str
    family_name: str
    telephone: str
    country: str
    time_zone: str
    language: str
    created_at: int
    seen_at: int
    identified_at: int | None
    deleted_at: int | None
    banned_until: int | None


class AccountLines(Shape, frozen=True):
    """Accounts, newest first."""

    accounts: list[AccountLine]


def _line(account: Account) -> AccountLine:
    return AccountLine(**{name: getattr(account, name) for name in AccountLine.__struct_fields__})


@routes.get("/admin/accounts", who=Who.ADMINISTRATOR)
async def admin_accounts(ask: Ask, query: AccountsQuery) -> AccountLines:
    """Accounts by the beginning of their name, or by e-mail address."""
    kinds: list[str] = ["member", "visitor", "robot"] if query.kind == "all" else [query.kind]
    found = await searching.accounts(ask.house.store, query.search, kinds, query.before, query.limit)
    return AccountLines(accounts=[_line(account) for account in found])


@routes.get("/admin/accounts/{account_id}", who=Who.ADMINISTRATOR)
async def admin_account(ask: Ask, account_id: Id) -> AccountLine:
    """One account."""
    return _line(await ask.house.club.accounts.by_id(account_id))


@routes.delete("/admin/accounts/{account_id}", who=Who.ADMINISTRATOR)
async def admin_delete_account(ask: Ask, account_id: Id) -> None:
    """Erase an account; its finished games stay."""
    club = ask.house.club
    whom = await club.accounts.by_id(account_id)
    await club.leaving.delete(whom, by=ask.account, address=ask.address)
    await leave_every_table(ask.house, account_id)


class NewRole(Body, frozen=True):
    role: Literal["player", "administrator", "super"]


@routes.put("/admin/accounts/{account_id}/role", who=Who.SUPER)
async def admin_role(ask: Ask, account_id: Id, body: NewRole) -> AccountLine:
    """Name or dismiss an administrator, or hand the house over (`super`)."""
    club = ask.house.club
    whom = await club.accounts.by_id(account_id)
    change = {
        "player": club.roles.dismiss,
        "administrator": club.roles.name_administrator,
        "super": club.roles.hand_over,
    }[body.role]
    return _line(await change(ask.account, whom, address=ask.address))


class Ban(Body, frozen=True):
    until: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] | None = None
    reason: Annotated[str, msgspec.Meta(max_length=500)] = ""


@routes.put("/admin/accounts/{account_id}/ban", who=Who.ADMINISTRATOR)
async def admin_ban(ask: Ask, account_id: Id, body: Ban) -> None:
    """Shut somebody out until then, or for ever; his sessions end at once."""
    club = ask.house.club
    whom = await club.accounts.by_id(account_id)
    await club.roles.ban(ask.account, whom, body.until, body.reason, address=ask.address)


@routes.delete("/admin/accounts/{account_id}/ban", who=Who.ADMINISTRATOR)
async def admin_lift_ban(ask: Ask, account_id: Id) -> None:
    """Let somebody in again."""
    club = ask.house.club
    await club.roles.lift_ban(ask.account, await club.accounts.by_id(account_id), address=ask.address)


@routes.get("/admin/accounts/{account_id}/sessions", who=Who.ADMINISTRATOR)
async def admin_sessions(ask: Ask, account_id: Id) -> SessionList:
    """The sessions of an account."""
    club = ask.house.club
    await club.accounts.by_id(account_id)
    found = await club.sessions.list(account_id)
    return SessionList(sessions=[session_info(each, None) for each in found])


@routes.delete("/admin/accounts/{account_id}/sessions/{session_id}", who=Who.ADMINISTRATOR)
async def admin_end_session(ask: Ask, account_id: Id, session_id: Id) -> None:
    """End one session of an account; those of administrators are for the super-administrator."""
    club = ask.house.club
    await club.roles.end_session(ask.account, await club.accounts.by_id(account_id), session_id)


@routes.post("/admin/accounts/{account_id}/act", who=Who.ADMINISTRATOR, status=201)
async def admin_act(ask: Ask, account_id: Id) -> SignedIn:
    """A token with which to act as somebody for an hour; it is noted, and he is told."""
    club = ask.house.club
    whom = await club.accounts.by_id(account_id)
    tokens = await club.sessions.act_as(ask.account, whom, ask.address)
    return signed_in(ask, whom, tokens, cookies=False)
