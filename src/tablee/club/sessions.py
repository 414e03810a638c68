"""Who is at the other end: opaque tokens, kept as hashes, that expire, rotate and can be revoked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, insert, select, update

from tablee.clock import Clock, Instant
from tablee.club import base64url
from tablee.club.bounds import BOTS_MOST
from tablee.club.calling.calls import call_write
from tablee.club.deeds import Deeds
from tablee.club.errors import Banned, Invalid, InvalidToken, NotFound, Refused
from tablee.club.limits import network
from tablee.club.notices import Notices
from tablee.club.patience import LATELY
from tablee.club.people import BY_ID, COLUMNS, Account, account_of
from tablee.club.scopes import USUAL, Scope, chosen, of_session, written
from tablee.store import Conflict, Hint, Query, Store, Unit, Write
from tablee.store.query import Row
from tablee.store.schema import account, session

ACCESS_LIVES = 15 * 60_000
REFRESH_LIVES = 60 * 86_400_000
BOT_LIVES = 366 * 86_400_000
ACTING_LIVES = 60 * 60_000
CACHED_FOR = 60_000
"""How long an identity is believed without a look at the database, should the bus fail to say otherwise."""
CACHED_MOST = 20_000
USE_NOTED_EVERY = 5 * 60_000
LABEL_MOST = 60

_NOT_REVOKED = session.c.revoked_at.is_(None)
_SHOWN = [
    session.c[name]
    for name in (
        *("id", "account_id", "kind", "label", "access_until", "expires_at", "created_at", "used_at"),
        *("address", "acting_id", "scopes"),
    )
]
_INSERT = Query(insert(session))
_BY_ACCESS = Query(
    select(*COLUMNS, *(column.label(f"session_{column.name}") for column in _SHOWN))
    .join_from(session, account, session.c.account_id == account.c.id)
    .where(session.c.access_hash == bindparam("hash"), _NOT_REVOKED)
)
_BY_FAMILY = Query(
    select(*_SHOWN, session.c.refresh_hash, session.c.access_hash).where(
        session.c.family_hash == bindparam("family"), _NOT_REVOKED
    )
)
_OF_ACCOUNT = Query(
    select(*_SHOWN)
    .where(session.c.account_id == bindparam("who"), _NOT_REVOKED, session.c.expires_at > bindparam("now"))
    .order_by(session.c.used_at.desc(), session.c.id.desc())
)
_PLACES = Query(
    select(session.c.address)
    .distinct()
    .where(
        session.c.account_id == bindparam("who"),
        session.c.kind != "acting",
        session.c.used_at > bindparam("since"),
    )
    .limit(200)
)
_ALIVE = Query(
    select(session.c.id).where(
        session.c.id == bindparam("which"), _NOT_REVOKED, session.c.expires_at > bindparam("now")
    )
)
_ROTATE = Query(
    update(session)
    .where(session.c.id == bindparam("which"), session.c.refresh_hash == bindparam("spent"), _NOT_REVOKED)
    .values(
        refresh_hash=bindparam("turn"),
        access_hash=bindparam("access"),
        access_until=bindparam("until"),
        expires_at=bindparam("expires"),
        used_at=bindparam("now"),
        address=bindparam("from_address"),
    )
)
_REVOKE = Query(
    update(session)
    .where(session.c.id == bindparam("which"), session.c.account_id == bindparam("who"), _NOT_REVOKED)
    .values(revoked_at=bindparam("now"))
)
_REVOKE_ALL = Query(
    update(session)
    .where(session.c.account_id == bindparam("who"), session.c.id != bindparam("kept"), _NOT_REVOKED)
    .values(revoked_at=bindparam("now"))
)
_ACTED_BY = Query(select(session.c.account_id).where(session.c.acting_id == bindparam("who"), _NOT_REVOKED))
_REVOKE_ACTING = Query(
    update(session)
    .where(session.c.acting_id == bindparam("who"), _NOT_REVOKED)
    .values(revoked_at=bindparam("now"))
)
_USED = Query(
    update(session)
    .where(session.c.id == bindparam("which"), session.c.used_at < bindparam("now"))
    .values(used_at=bindparam("now"))
)
_SEEN = Query(
    update(account)
    .where(account.c.id == bindparam("which"), account.c.seen_at < bindparam("now"))
    .values(seen_at=bindparam("now"))
)
_BOTS = Query(
    select(func.count().label("number")).where(
        session.c.account_id == bindparam("who"),
        session.c.kind == "bot",
        session.c.revoked_at.is_(None),
        session.c.expires_at > bindparam("now"),
    )
)


class Session(msgspec.Struct, frozen=True):
    """One sign-in: of a browser, a bot's token, or an administrator acting as the account."""

    id: int
    account_id: int
    kind: str
    label: str
    access_until: Instant
    expires_at: Instant
    created_at: Instant
    used_at: Instant
    address: str
    acting_id: int | None
    scopes: frozenset[Scope]


class Tokens(msgspec.Struct, frozen=True):
    """What a client keeps. It sends `access` with every request, and `refresh` once, for the next pair."""

    access: str
    access_until: Instant
    refresh: str | None
    expires_at: Instant
    session_id: int


class Identity(msgspec.Struct, frozen=True):
    """Who asks; `acting` is the administrator behind an acting session."""

    account: Account
    session: Session
    acting: Account | None = None

    def may(self, scope: Scope) -> bool:
        return scope in self.session.scopes

    # Why: docs/decisions.md#acting-is-bounded
    def require(self, scope: Scope) -> None:
        """The one place where a token is asked what it is good for; raises Refused."""
        if self.may(scope):
            return
        if self.session.kind == "acting":
            raise Refused("not_while_acting")
        raise Refused("scope_missing", scope=scope.value)

    @property
    def is_administrator(self) -> bool:
        """Whether he may do here and now what administrators may: a program of one's may not."""
        return self.account.is_administrator and self.may(Scope.ADMIN)


class Sessions:
    def __init__(
        self, store: Store, clock: Clock, deeds: Deeds, notices: Notices, secret: Callable[[int], bytes]
    ) -> None:
        self._store = store
        self._clock = clock
        self._deeds = deeds
        self._notices = notices
        self._secret = secret
        self._known: dict[str, tuple[Identity, Instant]] = {}
        self._digests: dict[int, set[str]] = {}  # of the tokens known, by account and by administrator acting
        self._changes = 0
        self._leave = [
            store.bus.subscribe("account", self._account_changed),
            store.bus.on_lost(self.forget),
            store.on_restored(self.forget),
        ]

    async def open(
        self,
        account: Account,
        kind: str = "browser",
        label: str = "",
        address: str = "",
        lives: int = ACCESS_LIVES,
        scopes: Iterable[str] = USUAL,
    ) -> Tokens:
        """Sign somebody in: `browser` with a pair of tokens, `bot` with one long-lived token for `scopes`.

        `service` has one token too, which is good for `lives` and for no longer.
        """
        if kind not in ("browser", "bot", "service"):
            raise ValueError(f"a session is 'browser', 'bot' or 'service', not {kind!r}")
        if account.is_banned(self._clock.now()):
            raise Banned(account.banned_until or 0)
        if kind == "bot" and not account.is_member:
            raise Refused("members_only")
        if kind == "bot":
            held = await self._store.one(_BOTS, who=account.id, now=self._clock.now())
            if held is not None and held.number >= BOTS_MOST:
                raise Refused("bots_full", most=BOTS_MOST)
        kept = written(chosen(scopes)) if kind == "bot" else None
        tokens, write = await self._make(account.id, kind, _label(label), address, None, lives, kept)
        writes = [write]
        if kind == "bot":
            about = {"session": tokens.session_id, "label": _label(label), "scopes": kept}
            writes.append(
                await self._deeds.write(
                    "bot_session", actor=account.id, account=account.id, about=about, address=address
                )
            )
        elif (
            kind == "browser" and account.is_member and address and await self._is_new_place(account, address)
        ):
            place = network(address)
            said = {"kind": "new_place", "address": address}
            writes.append(
                call_write(account.id, "security", self._clock.now(), what=f"place {place}", about=said)
            )
        await self._store.commit(Unit(writes=writes))
        return tokens

    async def _is_new_place(self, account: Account, address: str) -> bool:
        """Whether somebody who has signed in before never did so from there."""
        rows = await self._store.rows(_PLACES, who=account.id, since=self._clock.now() - LATELY)
        return bool(rows) and all(network(row.address) != network(address) for row in rows)

    async def act_as(self, administrator: Account, account: Account, address: str = "") -> Tokens:
        """Let an administrator act as somebody for an hour; it is noted, and the account is told."""
        if not administrator.is_administrator:
            raise Refused("not_allowed", role="administrator")
        if account.id == administrator.id or not account.is_member:
            raise Refused("acting_refused")
        if account.is_administrator and administrator.role != "super":
            raise Refused("not_allowed", role="super")
        tokens, write = await self._make(
            account.id, "acting", administrator.pseudo, address, administrator.id
        )
        deed = await self._deeds.write("acting", actor=administrator.id, account=account.id, address=address)
        notice = await self._notices.add_writes(
            account.id, "acting", {"by": administrator.pseudo}, administrator.id
        )
        await self._store.commit(Unit(writes=[write, deed, *notice], hints=[self._notices.hint(account.id)]))
        return tokens

    async def note_acting(self, identity: Identity, what: str, address: str = "") -> None:
        """Write down what an administrator is about to do as somebody, under his own name."""
        if identity.session.acting_id is None:
            return
        deed = await self._deeds.write(
            "acted",
            actor=identity.session.acting_id,
            account=identity.account.id,
            about={"call": what[:200]},
            address=address,
        )
        await self._store.commit(Unit(writes=[deed]))

    async def who(self, access_token: str) -> Identity:
        """Whose token this is. Raises InvalidToken, or Banned."""
        now = self._clock.now()
        digest = _digest(access_token)
        known = self._known.get(digest)
        if known is None or known[1] <= now:
            identity = await self._look_up(digest, now)
        else:
            identity = known[0]
        if identity.session.access_until <= now or identity.session.expires_at <= now:
            self._drop(digest)
            raise InvalidToken()
        if identity.account.is_banned(now):
            raise Banned(identity.account.banned_until or 0)
        return identity

    async def refresh(self, refresh_token: str, address: str = "") -> Tokens:
        """The next pair of tokens. A token used before closes its session: one of two users stole it."""
        family, _, turn = refresh_token.partition(".")
        now = self._clock.now()
        row = await self._store.one(_BY_FAMILY, family=_digest(family)) if turn else None
        if row is None or row.expires_at <= now:
            raise InvalidToken()
        spent = _digest(turn)
        access, next_turn = self._token(), self._token()
        rotate = Write(
            _ROTATE,
            {
                "which": row.id,
                "spent": spent,
                "turn": _digest(next_turn),
                "access": _digest(access),
                "until": now + ACCESS_LIVES,
                "expires": now + REFRESH_LIVES,
                "now": now,
                "from_address": address[:64] or row.address,
            },
            expect=1,
        )
        try:
            if row.refresh_hash != spent:
                raise Conflict("this token was used before")
            await self._store.commit(Unit(writes=[rotate]))
        except Conflict:
            await self._close_stolen(row, address)
            raise InvalidToken("token_reused") from None
        # Other nodes may believe the old access token for a minute more, as they would have anyway.
        self._drop(row.access_hash)
        refresh = f"{family}.{next_turn}"
        return Tokens(access, now + ACCESS_LIVES, refresh, now + REFRESH_LIVES, row.id)

    async def list(self, account_id: int) -> list[Session]:
        """The sessions of an account that are alive, the last used first."""
        rows = await self._store.rows(_OF_ACCOUNT, who=account_id, now=self._clock.now())
        return [_session(row) for row in rows]

    async def came_from(self, account_id: int, place: str) -> bool:
        """Whether a session of an account, open or ended, was used from this network lately."""
        rows = await self._store.rows(_PLACES, who=account_id, since=self._clock.now() - LATELY)
        return any(network(row.address) == place for row in rows)

    async def is_alive(self, session_id: int) -> bool:
        """Whether a session has neither expired nor been revoked, whichever access token it has now."""
        found = await self._store.one(_ALIVE, which=session_id, now=self._clock.now())
        return found is not None

    async def revoke(self, account_id: int, session_id: int) -> None:
        """End one session of an account. Raises NotFound if it has no such session."""
        write = Write(_REVOKE, {"which": session_id, "who": account_id, "now": self._clock.now()}, expect=1)
        try:
            await self._store.commit(Unit(writes=[write], hints=[sessions_changed(account_id)]))
        except Conflict:
            raise NotFound("session_unknown") from None

    async def revoke_all(self, account_id: int, keep: int = 0) -> None:
        """End every session of an account but the one kept."""
        await self._store.commit(
            Unit(
                writes=[revoke_sessions(account_id, self._clock.now(), keep)],
                hints=[sessions_changed(account_id)],
            )
        )

    async def end_acting(self, administrator_id: int) -> Unit:
        """What ends every session in which this administrator acts as somebody, for a greater change."""
        rows = await self._store.rows(_ACTED_BY, who=administrator_id)
        return Unit(
            writes=[Write(_REVOKE_ACTING, {"who": administrator_id, "now": self._clock.now()})],
            hints=[sessions_changed(row.account_id) for row in rows],
        )

    def forget(self) -> None:
        """Believe nothing that is only remembered: hints may have been lost."""
        self._changes += 1
        self._known.clear()
        self._digests.clear()

    def close(self) -> None:
        for leave in self._leave:
            leave()

    async def _make(
        self,
        account_id: int,
        kind: str,
        label: str,
        address: str,
        acting_id: int | None,
        service_lives: int = ACCESS_LIVES,
        scopes: str | None = None,
    ) -> tuple[Tokens, Write]:
        now = self._clock.now()
        lives = {
            "browser": REFRESH_LIVES,
            "bot": BOT_LIVES,
            "acting": ACTING_LIVES,
            "service": service_lives,
        }[kind]
        access = self._token()
        family, turn = (self._token(), self._token()) if kind == "browser" else ("", "")
        tokens = Tokens(
            access,
            now + (ACCESS_LIVES if family else lives),
            f"{family}.{turn}" if family else None,
            now + lives,
            await self._store.new_id("session"),
        )
        row = {
            "id": tokens.session_id,
            "account_id": account_id,
            "kind": kind,
            "label": label,
            "family_hash": _digest(family) if family else None,
            "refresh_hash": _digest(turn) if family else None,
            "access_hash": _digest(access),
            "access_until": tokens.access_until,
            "expires_at": tokens.expires_at,
            "created_at": now,
            "used_at": now,
            "revoked_at": None,
            "address": address[:64],
            "acting_id": acting_id,
            "scopes": scopes,
        }
        return tokens, Write(_INSERT, row)

    async def _look_up(self, digest: str, now: Instant) -> Identity:
        changes = self._changes
        row = await self._store.one(_BY_ACCESS, hash=digest)
        if row is None:
            raise InvalidToken()
        found = account_of(row)
        if found.deleted_at is not None:
            raise InvalidToken()
        seen = _session(row[len(COLUMNS) :])
        acting = None
        if seen.acting_id is not None:
            behind = await self._store.one(BY_ID, which=seen.acting_id)
            acting = account_of(behind) if behind is not None else None
        identity = Identity(found, seen, acting)
        if seen.used_at < now - USE_NOTED_EVERY:
            self._note_use(seen, now)
        if changes == self._changes:  # else what was read may already be out of date
            if len(self._known) >= CACHED_MOST:
                self._drop(next(iter(self._known)))
            self._known[digest] = (identity, now + CACHED_FOR)
            for concerned in _concerned(identity):
                self._digests.setdefault(concerned, set()).add(digest)
        return identity

    def _note_use(self, seen: Session, now: Instant) -> None:
        used = Write(_USED, {"which": seen.id, "now": now})
        account_seen = Write(_SEEN, {"which": seen.account_id, "now": now})
        # Nobody waits for this, and nobody minds if it fails: the next look writes it again.
        self._store.submit(Unit(writes=[used, account_seen]), lambda _: None)

    async def _close_stolen(self, row: Row, address: str) -> None:
        now = self._clock.now()
        revoke = Write(_REVOKE, {"which": row.id, "who": row.account_id, "now": now})
        deed = await self._deeds.write(
            "session_stolen", actor=None, account=row.account_id, about={"session": row.id}, address=address
        )
        notice = await self._notices.add_writes(row.account_id, "session_stolen", {"label": row.label})
        hints = [sessions_changed(row.account_id), self._notices.hint(row.account_id)]
        await self._store.commit(Unit(writes=[revoke, deed, *notice], hints=hints))

    def _account_changed(self, key: int | str, value: int | str) -> None:
        if value not in ("sessions", "changed"):
            return
        self._changes += 1
        for digest in tuple(self._digests.get(int(key), ())):
            self._drop(digest)

    def _drop(self, digest: str) -> None:
        known = self._known.pop(digest, None)
        if known is None:
            return
        for concerned in _concerned(known[0]):
            digests = self._digests.get(concerned, set())
            digests.discard(digest)
            if not digests:
                self._digests.pop(concerned, None)

    def _token(self) -> str:
        return base64url.shown(self._secret(32))


def revoke_sessions(account_id: int, now: Instant, keep: int = 0) -> Write:
    """The write that ends every session of an account but the one kept."""
    return Write(_REVOKE_ALL, {"who": account_id, "kept": keep, "now": now})


def sessions_changed(account_id: int) -> Hint:
    """What the bus says when sessions of an account were ended: ask `is_alive` of those at hand."""
    return Hint("account", account_id, "sessions")


def account_changed(account_id: int) -> Hint:
    """What the bus says when an account is no longer what it was."""
    return Hint("account", account_id, "changed")


def _session(row: Sequence[Any]) -> Session:
    """A session from its columns in the order of `_SHOWN`."""
    seen = Session(*row)
    return msgspec.structs.replace(seen, scopes=of_session(seen.kind, row[-1]))


def _concerned(identity: Identity) -> tuple[int, ...]:
    acting_id = identity.session.acting_id
    return (identity.account.id,) if acting_id is None else (identity.account.id, acting_id)


def _label(label: str) -> str:
    if len(label) > LABEL_MOST:
        raise Invalid("field_too_long", "label", most=LABEL_MOST)
    if not label.isprintable():
        raise Invalid("field_characters", "label")
    return label


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
