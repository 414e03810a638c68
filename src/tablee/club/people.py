"""Who somebody is: the account as the rest of the house sees it, and how it is read."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from sqlalchemy import bindparam, select, update

from tablee.clock import Instant
from tablee.club import fields
from tablee.store import Query, Row, Write
from tablee.store.schema import account

ROLES = ("player", "administrator", "super")


HIDES_VISITS = "hide_seen"
"""The setting by which somebody keeps to himself when he was here, and whether he is."""


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A member, visitor or robot. The password's hash is never part of it."""

    id: int
    kind: str
    role: str
    pseudo: str
    email: str | None
    email_confirmed: bool
    email_refused: str | None = None
    """Why no letter reaches his address, where its mail server has said so for good."""
    first_name: str
    family_name: str
    telephone: str
    country: str
    time_zone: str
    stand_in: bool
    """Whether he may be called to replace somebody."""
    language: str
    settings: dict[str, Any]
    created_at: Instant
    seen_at: Instant
    identified_at: Instant | None
    deleted_at: Instant | None
    banned_until: Instant | None

    @property
    def is_member(self) -> bool:
        return self.kind == "member" and self.deleted_at is None

    @property
    def is_reached(self) -> bool:
        """Whether letters reach him: at a confirmed address whose mail server takes them."""
        return (
            self.is_member and self.email is not None and self.email_confirmed and self.email_refused is None
        )

    @property
    def is_visitor(self) -> bool:
        return self.kind == "visitor"

    @property
    def is_robot(self) -> bool:
        return self.kind == "robot"

    @property
    def is_administrator(self) -> bool:
        return self.role != "player"

    @property
    def hides_visits(self) -> bool:
        return self.settings.get(HIDES_VISITS) is True

    def is_banned(self, now: Instant) -> bool:
        return self.banned_until is not None and self.banned_until > now

    def is_shut_out(self, now: Instant) -> bool:
        """Whether somebody is banned or gone from the club."""
        return self.deleted_at is not None or self.is_banned(now)


COLUMNS = [account.c[name] for name in Account.__struct_fields__]

BY_ID = Query(select(*COLUMNS).where(account.c.id == bindparam("which")))
BY_IDS = Query(select(*COLUMNS).where(account.c.id.in_(bindparam("ids", expanding=True))))
BY_KEY = Query(select(*COLUMNS, account.c.password_hash).where(account.c.pseudo_key == bindparam("key")))
BY_KEYS = Query(select(*COLUMNS).where(account.c.pseudo_key.in_(bindparam("keys", expanding=True))))
BY_EMAIL = Query(select(*COLUMNS, account.c.password_hash).where(account.c.email_key == bindparam("key")))

_settings = msgspec.json.Decoder(dict[str, Any])


def account_of(row: Row) -> Account:
    """The account in a row that begins with `COLUMNS`."""
    values = dict(zip(Account.__struct_fields__, row, strict=False))
    values["settings"] = _settings.decode(values["settings"])
    return Account(**values)


def account_of_row(row: dict[str, Any]) -> Account:
    """The account that a row to be written will be."""
    return account_of(Row(row[name] for name in Account.__struct_fields__))


def row_of_account(who: Account) -> dict[str, Any]:
    """The columns of an account, all but its password's hash."""
    row: dict[str, Any] = {name: getattr(who, name) for name in Account.__struct_fields__}
    row["settings"] = fields.settings(who.settings)
    row["pseudo_key"] = fields.pseudo_key(who.pseudo)
    row["email_key"] = fields.email_key(who.email) if who.email else None
    return row


@cache
def _setting(columns: tuple[str, ...]) -> Query:
    return Query(
        update(account)
        .where(
            account.c.id == bindparam("which"),
            account.c.kind == bindparam("was"),
            account.c.deleted_at.is_(None),
        )
        .values({account.c[name]: bindparam(f"new_{name}") for name in columns})
    )


def changing(account_id: int, values: dict[str, Any], kind: str) -> Write:
    """The write that changes these columns of an account, if it is still there and of this kind."""
    params = {f"new_{name}": value for name, value in values.items()}
    return Write(_setting(tuple(sorted(values))), params | {"which": account_id, "was": kind}, expect=1)
