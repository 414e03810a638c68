"""What somebody wants to be told, by kind and by channel: everywhere, and at one table."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Set
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace
from sqlalchemy import bindparam, delete, select, update

from tablee.clock import Instant
from tablee.club import base64url
from tablee.club.calling.catalogue import IF_MASTER_ASKS, KINDS, OF_A_TABLE, Mail
from tablee.club.errors import Invalid
from tablee.club.people import Account
from tablee.store import Conflict, Query, Store, Unit, Write, upsert
from tablee.store.keys import shared_key
from tablee.store.schema import wish

EVERYWHERE = 0
"""The table of wishes that hold at every table, unless its own say otherwise."""
HOURS_MOST = 168
MINUTES_OF_DAY = 24 * 60


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one kind is told; None is as usual, or as chosen for all tables."""

    mail: Mail | None = None
    push: bool | None = None


class Wishes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody has chosen, of which most is what is usual."""

    kinds: dict[str, Choice] = {}
    digest_at: int = 18 * 60
    """The minute of his day at which what is gathered goes out."""
    hours: int = 0
    """At one table: for how many hours things are gathered there, instead of until the hour of the digest."""
    quiet_from: int = 22 * 60
    quiet_until: int = 8 * 60
    """The minutes of his day between which nothing is pushed; none where both are the same."""


AS_USUAL = Choice()
NOTHING = Wishes()

_ADD = Query(upsert(wish, change=[]))
_OF_ONE = (wish.c.account_id == bindparam("who"), wish.c.table_id == bindparam("where"))
_CONTENT = Query(select(wish.c.content).where(*_OF_ONE))
_CHANGE = Query(
    update(wish).where(*_OF_ONE, wish.c.content == bindparam("was")).values(content=bindparam("now"))
)
_OF = Query(
    select(wish.c.account_id, wish.c.table_id, wish.c.content).where(
        wish.c.account_id.in_(bindparam("who", expanding=True)),
        wish.c.table_id.in_(bindparam("where", expanding=True)),
    )
)
_KEYED = Query(select(wish.c.account_id, wish.c.table_id).where(wish.c.stop_key == bindparam("key")))
_FORGET_KEY = Query(
    update(wish).where(wish.c.stop_key == bindparam("key")).values(stop_key=None).returning(wish.c.table_id)
)
_DROP = Query(delete(wish).where(*_OF_ONE))
_decoder = msgspec.json.Decoder(Wishes)


class Chosen(msgspec.Struct, frozen=True):
    """The wishes of one person that hold at one table: his own for everywhere, and those for there."""

    everywhere: Wishes = NOTHING
    here: Wishes | None = None

    def mail(self, kind: str, *, is_master: bool = False) -> Mail:
        """How a kind is written to a player, or to the master of the table."""
        usual, here = KINDS[kind], self._here(kind).mail
        if usual.must:
            return usual.mail
        if is_master and kind in IF_MASTER_ASKS and here is None:
            return "off"
        return here or self._everywhere(kind).mail or usual.mail

    def push(self, kind: str, *, is_master: bool = False) -> bool:
        """Whether a kind is pushed to a player, or to the master of the table."""
        here, everywhere = self._here(kind).push, self._everywhere(kind).push
        if not KINDS[kind].push or (is_master and kind in IF_MASTER_ASKS and here is None):
            return False
        return next((chosen for chosen in (here, everywhere) if chosen is not None), True)

    def _here(self, kind: str) -> Choice:
        return (self.here or NOTHING).kinds.get(kind, AS_USUAL)

    def _everywhere(self, kind: str) -> Choice:
        return self.everywhere.kinds.get(kind, AS_USUAL)


class Preferences:
    """`zone` is where the club is: the zone of everybody who has named none."""

    def __init__(self, store: Store, zone: str = "Europe/Paris") -> None:
        self._store = store
        self._zone = ZoneInfo(zone)
        self._key: bytes | None = None

    async def of(self, account_id: int, table_id: int = EVERYWHERE) -> Chosen:
        return (await self.of_many({(account_id, table_id)}))[account_id, table_id]

    async def of_many(self, wanted: Set[tuple[int, int]]) -> dict[tuple[int, int], Chosen]:
        """The wishes of several people at several tables, by person and table, in one question."""
        who = sorted({account_id for account_id, _ in wanted})
        where = sorted({EVERYWHERE, *(table_id for _, table_id in wanted)})
        found = {
            (row.account_id, row.table_id): _decoder.decode(row.content)
            for row in await self._store.rows(_OF, who=who, where=where)
        }
        return {
            (account_id, table_id): Chosen(
                found.get((account_id, EVERYWHERE), NOTHING),
                found.get((account_id, table_id)) if table_id != EVERYWHERE else None,
            )
            for account_id, table_id in wanted
        }

    async def put(self, account_id: int, wishes: Wishes, table_id: int = EVERYWHERE) -> None:
        """Keep what somebody has chosen. Raises Invalid for what cannot be chosen."""
        await self.change(account_id, table_id, lambda _: wishes)

    async def change(self, account_id: int, table_id: int, choose: Callable[[Wishes], Wishes]) -> None:
        """Choose otherwise, whatever the same person chooses at the same moment elsewhere.

        Raises Invalid for what cannot be chosen.
        """
        place = {"who": account_id, "where": table_id}
        while True:
            row = await self._store.one(_CONTENT, **place)
            wishes = choose(NOTHING if row is None else _decoder.decode(row.content))
            _check(wishes, table_id)
            if row is None:
                new = {"account_id": account_id, "table_id": table_id, "content": _text(wishes)}
                write = Write(_ADD, {**new, "stop_key": None}, expect=1)
            else:
                write = Write(_CHANGE, {**place, "was": row.content, "now": _text(wishes)}, expect=1)
            try:
                await self._store.commit(Unit(writes=[write]))
                return
            except Conflict:
                continue  # he has just chosen something else: that stays, and this comes to it

    async def drop(self, account_id: int, table_id: int) -> None:
        """At this table let everything be as everywhere."""
        await self._store.commit(Unit(writes=[Write(_DROP, {"who": account_id, "where": table_id})]))

    async def keyed(self, key: str) -> tuple[int, int] | None:
        """Whose wishes for which table a link in an older letter ends."""
        row = await self._store.one(_KEYED, key=key)
        return None if row is None else (row.account_id, row.table_id)

    async def end_keyed(self, key: str) -> bool:
        """Whoever has the link of an older letter stops those about its table; the link is good for once."""
        found = await self.keyed(key)
        if found is None:
            return False
        await self.stop(*found, "")
        return bool(await self._store.change(_FORGET_KEY, key=key))

    async def stop(self, account_id: int, table_id: int, kind: str) -> None:
        """No more letters of a kind ("" is all, `letter+message` both), everywhere or about a table.

        What must be told stays.
        """
        among = OF_A_TABLE if table_id != EVERYWHERE else tuple(KINDS)
        stopped = [name for name in among if (not kind or name in kind.split("+")) and not KINDS[name].must]

        def choose(wishes: Wishes) -> Wishes:
            kinds = dict(wishes.kinds)
            for name in stopped:
                kinds[name] = replace(kinds.get(name, AS_USUAL), mail="off")
            return replace(wishes, kinds=kinds)

        await self.change(account_id, table_id, choose)

    # --- links by which somebody stops letters without signing in ---------------------------------------

    async def stop_token(self, account_id: int, table_id: int, kind: str) -> str:
        """The secret part of a link: what it stops, signed by the house."""
        said = f"{account_id}.{table_id}.{kind}".encode()
        return f"{base64url.shown(said)}.{base64url.shown(await self._signed(said))}"

    async def stopped_by(self, token: str) -> tuple[int, int, str] | None:
        """What a link stops: for whom, at which table, which kind; None for one that is not ours."""
        first, _, second = token.partition(".")
        try:
            said, signature = base64url.read(first), base64url.read(second)
        except ValueError:
            return None
        if not hmac.compare_digest(signature, await self._signed(said)):
            return None
        who, table, kind = said.decode().split(".")
        return int(who), int(table), kind

    async def _signed(self, said: bytes) -> bytes:
        if self._key is None:
            self._key = (await shared_key(self._store, "calling")).encode()
        return hmac.digest(self._key, said, hashlib.sha256)[:16]

    # --- the hours of somebody's day --------------------------------------------------------------------

    def zone_of(self, account: Account) -> tzinfo:
        """Where somebody is: by what he says of himself, else where the club is."""
        found = re.fullmatch(r"UTC(?: ([+-]) (\d+)(?::(\d+))?)?", account.time_zone)
        if found is None:
            return self._zone
        sign, hours, minutes = found.groups()
        offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        return timezone(-offset if sign == "-" else offset)

    def local(self, account: Account, at: Instant) -> datetime:
        return datetime.fromtimestamp(at / 1000, UTC).astimezone(self.zone_of(account))

    def next_minute(self, account: Account, at: Instant, minute: int) -> Instant:
        """When this minute of his day comes next, after `at`."""
        moment = self.local(account, at)
        wanted = moment.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
        if wanted <= moment:
            wanted = (wanted + timedelta(days=1)).replace(hour=minute // 60, minute=minute % 60)
        return round(wanted.timestamp() * 1000)

    def digest_at(self, account: Account, chosen: Chosen, at: Instant) -> Instant:
        """When what happened at `at` goes out, where it is gathered."""
        if chosen.here is not None and chosen.here.hours:
            return at + chosen.here.hours * 3_600_000
        return self.next_minute(account, at, chosen.everywhere.digest_at)

    def quiet_until(self, account: Account, chosen: Chosen, at: Instant) -> Instant | None:
        """When the quiet hours of somebody end, if `at` falls into them."""
        moment = self.local(account, at)
        minute = moment.hour * 60 + moment.minute
        begin, end = chosen.everywhere.quiet_from, chosen.everywhere.quiet_until
        is_quiet = begin <= minute < end if begin <= end else minute >= begin or minute < end
        return self.next_minute(account, at, end) if is_quiet else None


def _check(wishes: Wishes, table_id: int) -> None:
    known = KINDS if table_id == EVERYWHERE else OF_A_TABLE
    for kind in wishes.kinds:
        if kind not in known:
            raise Invalid("calling_kind", "kinds", kind=kind[:40])
        if KINDS[kind].must:
            raise Invalid("calling_must", "kinds", kind=kind)
    for field in ("digest_at", "quiet_from", "quiet_until"):
        if not 0 <= getattr(wishes, field) < MINUTES_OF_DAY:
            raise Invalid("calling_minute", field)
    if not 0 <= wishes.hours <= HOURS_MOST:
        raise Invalid("calling_hours", "hours", most=HOURS_MOST)


def _text(wishes: Wishes) -> str:
    return msgspec.json.encode(wishes).decode()
