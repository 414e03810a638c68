"""Letters about games for those who want them: at once or gathered, each thing told once, with a way out."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from sqlalchemy import Text, bindparam, cast, delete, exists, func, literal, or_, select, update

from tablee.clock import Instant
from tablee.club import Account
from tablee.rules.contract import MASTER
from tablee.store import Conflict, Query, StoreError, Unit, Write, upsert
from tablee.store.query import Row
from tablee.store.repeating import Repeating
from tablee.store.schema import game_table, message, subscription
from tablee.tables.press import Spoken, letters_channel, press_channel
from tablee.tables.roles import roles_at

if TYPE_CHECKING:
    from tablee.tables.hall import Tables
    from tablee.tables.loaded import LoadedTable

log = structlog.get_logger("tablee.tables")

EVENTS = ("declaration", "message", "adjudication", "deadline")
NEAR = 24 * 3_600_000
"""A deadline is near when it is so far away."""
SETTLED = 2_000
"""What was said so shortly ago may still be overtaken by what another node is writing."""
LOOK_EVERY = 15_000
AT_ONCE = 200
DIGEST_MOST = 168
QUOTED = 2_000

_PUT = Query(upsert(subscription, change=["events", "digest", "next_at"]))
_STOP = Query(
    delete(subscription).where(subscription.c.stop_key == bindparam("key")).returning(subscription.c.table_id)
)
_KEYED = Query(select(subscription.c.table_id).where(subscription.c.stop_key == bindparam("key")))
_DROP = Query(
    delete(subscription).where(
        subscription.c.table_id == bindparam("which"), subscription.c.account_id == bindparam("who")
    )
)
_ONE = Query(
    select(subscription).where(
        subscription.c.table_id == bindparam("which"), subscription.c.account_id == bindparam("who")
    )
)
_HEAD = Query(select(game_table.c.seq).where(game_table.c.id == bindparam("which")))
_SAID = Query(
    select(func.coalesce(func.max(message.c.id), 0).label("last")).where(
        message.c.channel.in_(bindparam("channels", expanding=True))
    )
)
_number = cast(game_table.c.id, Text)
_spoken = exists(
    select(message.c.id).where(
        or_(
            message.c.channel == literal("press:") + _number,
            message.c.channel == literal("letters:") + _number,
        ),
        message.c.id > subscription.c.told_message,
        message.c.at <= bindparam("settled"),
    )
)
_DUE = Query(
    select(subscription, game_table.c.seq, game_table.c.due_at)
    .join_from(subscription, game_table, subscription.c.table_id == game_table.c.id)
    .where(
        subscription.c.next_at <= bindparam("now"),
        or_(
            game_table.c.seq > subscription.c.told_seq,
            (game_table.c.due_at <= bindparam("near")) & (game_table.c.due_at > subscription.c.told_deadline),
            _spoken,
        ),
    )
    .order_by(subscription.c.next_at, subscription.c.table_id, subscription.c.account_id)
    .limit(bindparam("most"))
)
_TOLD = Query(
    update(subscription)
    .where(
        subscription.c.table_id == bindparam("which"),
        subscription.c.account_id == bindparam("who"),
        subscription.c.told_seq == bindparam("was_seq"),
        subscription.c.told_message == bindparam("was_message"),
        subscription.c.told_deadline == bindparam("was_deadline"),
    )
    .values(
        told_seq=bindparam("seq"),
        told_message=bindparam("message"),
        told_deadline=bindparam("deadline"),
        next_at=bindparam("next"),
    )
)


class Subscriptions:
    """`link` makes the address that ends a subscription from its key."""

    def __init__(self, tables: Tables, link: Callable[[str], str]) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self._link = link
        self._repeating = Repeating("subscriptions", tables.clock, self._turn, LOOK_EVERY)
        self.start = self._repeating.start
        self.stop = self._repeating.stop

    async def put(self, table_id: int, account_id: int, events: list[str], digest: int) -> None:
        """Want letters about a game, from now on; no events end it."""
        if not events:
            await self._store.commit(Unit(writes=[Write(_DROP, {"which": table_id, "who": account_id})]))
            return
        head = await self._store.one(_HEAD, which=table_id)
        channels = [press_channel(table_id), letters_channel(table_id)]
        said = await self._store.one(_SAID, channels=channels)
        row = {
            "table_id": table_id,
            "account_id": account_id,
            "events": msgspec.json.encode([event for event in EVENTS if event in events]).decode(),
            "digest": digest,
            "stop_key": secrets.token_urlsafe(24),
            "told_seq": 0 if head is None else head.seq,
            "told_message": 0 if said is None else said.last,
            "told_deadline": 0,
            "next_at": self._clock.now() + digest * 3_600_000,
        }
        await self._store.commit(Unit(writes=[Write(_PUT, row)]))

    async def of(self, table_id: int, account_id: int) -> tuple[list[str], int]:
        """What somebody wants to be told about a game, and how many hours are gathered."""
        row = await self._store.one(_ONE, which=table_id, who=account_id)
        if row is None:
            return [], 0
        return msgspec.json.decode(row.events, type=list[str]), row.digest

    async def is_known(self, key: str) -> bool:
        return await self._store.one(_KEYED, key=key) is not None

    async def end(self, key: str) -> bool:
        """Whoever has the link ends it; answers whether there was one."""
        return bool(await self._store.change(_STOP, key=key))

    async def sweep(self) -> int:
        """Write every letter that is due; answers how many."""
        written = 0
        while True:
            now = self._clock.now()
            due = await self._store.rows(_DUE, now=now, settled=now - SETTLED, near=now + NEAR, most=AT_ONCE)
            for row in due:
                try:
                    written += await self._tell(row, now)
                except Conflict:
                    continue  # another node has just told him
                except StoreError:
                    raise
                except Exception:
                    log.exception("subscription_failed", table=row.table_id)
            if len(due) < AT_ONCE:
                return written

    async def _turn(self) -> Instant:
        await self.sweep()
        return self._clock.now() + LOOK_EVERY

    async def _tell(self, row: Row, now: Instant) -> int:
        """One letter with all that is new to one person, and the note that he was told."""
        loaded = await self._tables.open(row.table_id)
        account = await self._tables.club.accounts.by_id(row.account_id)
        wanted = msgspec.json.decode(row.events, type=list[str])
        roles = roles_at(loaded, account.id)
        language = "en" if account.language == "en" else "fr"
        lines: list[str] = []
        if "adjudication" in wanted:
            lines += await self._news(row, loaded, language)
        spoken = await self._tables.press.since(row.table_id, row.told_message, now - SETTLED)
        press = self._tables.press
        held = {role: await press.held_since(loaded.info, account.id, role) for role in roles if role}
        for said in spoken:
            kind = "declaration" if said.to_role is None else "message"
            mine = said.author_role in roles
            if said.to_role in held and said.at <= held[said.to_role]:
                continue  # it was for who had the role before him
            if kind in wanted and not mine and (said.to_role is None or said.to_role in roles):
                lines.append(_quoted(said, kind, loaded, language))
        deadline = (
            max(row.told_deadline, row.due_at or 0) if (row.due_at or 0) <= now + NEAR else row.told_deadline
        )
        owed = None if loaded.state is None else loaded.rules.owed(loaded.state)
        if "deadline" in wanted and owed is not None and deadline > row.told_deadline:
            is_his = MASTER in roles or not set(roles).isdisjoint(owed.roles)
            if owed.by > now and is_his:
                lines.append(loaded.rules.words(language)["letter.deadline"].format(day=self._day(owed.by)))
        writes = [
            Write(
                _TOLD,
                {
                    "which": row.table_id,
                    "who": row.account_id,
                    "was_seq": row.told_seq,
                    "was_message": row.told_message,
                    "was_deadline": row.told_deadline,
                    "seq": loaded.seq,
                    "message": max([row.told_message, *(said.id for said in spoken)]),
                    "deadline": deadline,
                    "next": now + row.digest * 3_600_000,
                },
                expect=1,
            )
        ]
        letter = lines and account.email and account.email_confirmed and account.deleted_at is None
        if letter:
            writes.append(await self._letter(account, loaded.info.name, lines, row.stop_key))
        await self._store.commit(Unit(writes=writes))
        return int(bool(letter))

    async def _news(self, row: Row, loaded: LoadedTable, language: str) -> list[str]:
        """What the rules find worth a letter of all that happened since the last one."""
        found: list[str] = []
        for event in await self._store.events(row.table_id, after=row.told_seq, limit=1_000):
            for fact in loaded.codec.facts(event.facts):
                sentence = loaded.rules.news(fact, language)
                if sentence is not None:
                    found.append(sentence)
        return found

    def _day(self, deadline: Instant) -> str:
        calendar: Any = self._tables.calendar
        return str(calendar.day_of(deadline)) if hasattr(calendar, "day_of") else ""

    async def _letter(self, account: Account, game: str, lines: list[str], key: str) -> Write:
        letters = self._tables.club.letters
        assert account.email is not None
        letter = letters.compose(
            "game_news",
            account.email,
            account.language,
            pseudo=account.pseudo,
            game=game,
            news="\n\n".join(lines),
            stop=self._link(key),
        )
        return await letters.post(letter, account.id)


_WORDS = {
    "fr": {
        "declaration": "Déclaration de {author} :",
        "message": "Message de {author} :",
        "master": "l’arbitre",
    },
    "en": {
        "declaration": "Declaration of {author}:",
        "message": "Message of {author}:",
        "master": "the master",
    },
}


def _quoted(said: Spoken, kind: str, loaded: LoadedTable, language: str) -> str:
    words, names = _WORDS[language], loaded.rules.words(language)
    author = words["master"] if said.author_role == MASTER else names[f"role.{said.author_role}"]
    quoted = "\n".join(f"> {line}" for line in said.text[:QUOTED].splitlines())
    return f"{words[kind].format(author=author)}\n{quoted}"
