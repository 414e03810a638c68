"""What somebody wants to be told, by kind and by channel: everywhere, and at one table."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import bindparam, delete, select, update

from tablee.clock import Instant
from tablee.club.calling.catalogue import IF_MASTER_ASKS, KINDS, OF_A_TABLE, Mail
from tablee.club.errors import Invalid
from tablee.club.people import Account
from tablee.store import Query, Store, Unit, Write, upsert
from tablee.store.keys import shared_key
from tablee.store.schema import wish

EVERYWHERE = 0
"""The table of wishes that hold at every table, unless its own say otherwise."""
HOURS_MOST = 168
MINUTES_OF_DAY = 24 * 60


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one kind is told; None is as usual, or as chosen for all tables."""

    mail: Mail | None = None


class Wishes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody has chosen, of which most is what is usual."""

    kinds: dict[str, Choice] = {}
    digest_at: int = 18 * 60
    """The minute of his day at which what is gathered goes out."""
    hours: int = 0
    """At one table: for how many hours things are gathered there, instead of until the hour of the digest."""


NOTHING = Wishes()

_PUT = Query(upsert(wish, change=["content"]))
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
_DROP = Query(
    delete(wish).where(wish.c.account_id == bindparam("who"), wish.c.table_id == bindparam("where"))
)
_decoder = msgspec.json.Decoder(Wishes)


class Chosen(msgspec.Struct, frozen=True):
    """The wishes of one person that hold at one table: his own for everywhere, and those for there."""

    everywhere: Wishes = NOTHING
    here: Wishes | None = None

    def mail(self, kind: str, *, is_master: bool = False) -> Mail:
        """How a kind is written to a player, or to the master of the table."""
        usual = KINDS[kind]
        mail = usual.mail
        if is_master and kind in IF_MASTER_ASKS and (self.here is None or kind not in self.here.kinds):
            return "off"
        if not usual.must:
            for wishes in (self.everywhere, self.here or NOTHING):
                mail = wishes.kinds.get(kind, Choice()).mail or mail
        return mail


class Preferences:
    """`zone` is where the club is: the zone of everybody who has named none."""

    def __init__(self, store: Store, zone: str = "Europe/Paris") -> None:
        self._store = store
        self._zone = ZoneInfo(zone)
        self._key: bytes | None = None

    async def of(self, account_id: int, table_id: int = EVERYWHERE) -> Chosen:
        return (await self.of_many([account_id], [table_id]))[account_id, table_id]

    async def of_many(self, accounts: list[int], tables: list[int]) -> dict[tuple[int, int], Chosen]:
        """The wishes of several at several tables, in one question."""
        where = sorted({EVERYWHERE, *tables})
        found = {
            (row.account_id, row.table_id): _decoder.decode(row.content)
            for row in await self._store.rows(_OF, who=sorted(set(accounts)), where=where)
        }
        return {
            (who, table): Chosen(
                found.get((who, EVERYWHERE), NOTHING),
                found.get((who, table)) if table != EVERYWHERE else None,
            )
            for who in accounts
            for table in tables
        }

    async def put(self, account_id: int, wishes: Wishes, table_id: int = EVERYWHERE) -> None:
        """Keep what somebody has chosen. Raises Invalid for what cannot be chosen."""
        _check(wishes, table_id)
        row = {"account_id": account_id, "table_id": table_id, "content": _text(wishes), "stop_key": None}
        await self._store.commit(Unit(writes=[Write(_PUT, row)]))

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
        chosen = await self.of(account_id, table_id)
        wishes = chosen.everywhere if table_id == EVERYWHERE else chosen.here or NOTHING
        among = OF_A_TABLE if table_id != EVERYWHERE else tuple(KINDS)
        stopped = [name for name in among if (not kind or name in kind.split("+")) and not KINDS[name].must]
        kinds = dict(wishes.kinds)
        for name in stopped:
            kinds[name] = msgspec.structs.replace(kinds.get(name, Choice()), mail="off")
        await self.put(account_id, msgspec.structs.replace(wishes, kinds=kinds), table_id)

    # --- links by which somebody stops letters without signing in ---------------------------------------

    async def stop_token(self, account_id: int, table_id: int, kind: str) -> str:
        """The secret part of a link: what it stops, signed by the house."""
        said = f"{account_id}.{table_id}.{kind}".encode()
        return f"{_shown(said)}.{_shown(await self._signed(said))}"

    async def stopped_by(self, token: str) -> tuple[int, int, str] | None:
        """What a link stops: for whom, at which table, which kind; None for one that is not ours."""
        first, _, second = token.partition(".")
        try:
            said, signature = _read(first), _read(second)
        except (ValueError, binascii.Error):
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


def _check(wishes: Wishes, table_id: int) -> None:
    known = KINDS if table_id == EVERYWHERE else OF_A_TABLE
    for kind in wishes.kinds:
        if kind not in known:
            raise Invalid("calling_kind", "kinds", kind=kind[:40])
        if KINDS[kind].must:
            raise Invalid("calling_must", "kinds", kind=kind)
    if not 0 <= wishes.digest_at < MINUTES_OF_DAY:
        raise Invalid("calling_minute", "digest_at")
    if not 0 <= wishes.hours <= HOURS_MOST:
        raise Invalid("calling_hours", "hours", most=HOURS_MOST)


def _text(wishes: Wishes) -> str:
    return msgspec.json.encode(wishes).decode()


def _shown(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _read(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
