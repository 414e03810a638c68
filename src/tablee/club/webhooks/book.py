"""Which webhooks there are, what waits for each of them, and whose turn it is to send it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal

import msgspec
from sqlalchemy import (
    BigInteger,
    Text,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    update,
)

from tablee.clock import Clock, Instant
from tablee.club import base64url
from tablee.club.bounds import ANNOUNCEMENTS_MOST, WEBHOOKS_MOST, WEBHOOKS_OWN_MOST
from tablee.club.errors import Invalid, NotFound, Refused
from tablee.club.outside import Outside
from tablee.club.webhooks.forms import Announcement
from tablee.store import Conflict, Hint, Query, Store, Unit, Write
from tablee.store.schema import announcement, webhook

Kind = Literal["generic", "discord"]
Event = Literal["begun", "moved", "over"]
EVENTS: tuple[Event, ...] = ("begun", "moved", "over")
HOUSE = 0
"""The table of a webhook that is told of every open table."""
SECRET_BYTES = 32
LEASE = 60_000
"""A webhook that a node has taken and not given back after this is taken by another."""
PAUSES = (60_000, 5 * 60_000, 30 * 60_000, 3 * 3_600_000)
"""Before each further try; after as many tries and one more, the webhook is paused."""


class Webhook(msgspec.Struct, frozen=True):
    """One address that is told things, as it stands."""

    id: int
    table_id: int
    owner_id: int
    kind: str
    url: str
    secret: str
    language: str
    events: str
    added_at: Instant
    due_at: Instant
    tries: int
    error: str | None
    sent_at: Instant | None
    paused_at: Instant | None

    @property
    def is_last_try(self) -> bool:
        """Whether it is paused if this one is in vain too."""
        return self.tries >= len(PAUSES)


class Waiting(msgspec.Struct, frozen=True):
    """What one webhook is to be told; the number of the event stays in the house."""

    table_id: int
    seq: int
    content: str

    @property
    def announcement(self) -> Announcement:
        return msgspec.json.decode(self.content, type=Announcement)


def announcement_write(table_id: int, seq: int, said: Announcement, *, to_house: bool) -> Write:
    """The write by which every webhook of a table is told something, for the unit that causes it.

    Webhooks of the whole house are told too, where the table is everybody's to know (`to_house`).
    """
    return Write(
        _ANNOUNCE,
        {
            "b_table": table_id,
            "b_house": HOUSE if to_house else table_id,
            "b_seq": seq,
            "b_at": said.at,
            "b_content": msgspec.json.encode(said).decode(),
            "b_event": f"%{said.event}%",
        },
    )


def ended_write(table_id: int, owner_id: int) -> Write:
    """The write by which webhooks of somebody who leaves a table end: he hears of it no more than others."""
    return Write(_END_OWN, {"b_table": table_id, "b_owner": owner_id})


class Webhooks:
    """Who may add one to which table is for the caller to ask first."""

    def __init__(self, store: Store, clock: Clock, outside: Outside, secret: Callable[[int], bytes]) -> None:
        self._store = store
        self._clock = clock
        self._outside = outside
        self._secret = secret

    async def add(
        self, table_id: int, owner_id: int, kind: Kind, url: str, language: str, events: Sequence[Event]
    ) -> Webhook:
        """A new webhook, whose secret is shown this once. Raises Invalid, Refused."""
        chosen = [event for event in EVENTS if event in events]
        if not chosen:
            raise Invalid("webhook_events", "events")
        await self._outside.check(url, whose=owner_id)
        made = Webhook(
            id=await self._store.new_id("webhook"),
            table_id=table_id,
            owner_id=owner_id,
            kind=kind,
            url=url,
            secret=base64url.shown(self._secret(SECRET_BYTES)),
            language=language,
            events=" ".join(chosen),
            added_at=self._clock.now(),
            due_at=0,
            tries=0,
            error=None,
            sent_at=None,
            paused_at=None,
        )
        row = {f"b_{name}": value for name, value in msgspec.structs.asdict(made).items()}
        try:
            await self._store.commit(Unit(writes=[Write(_ADD, row, expect=1)]))
        except Conflict:
            is_full = len(await self.of_table(table_id)) >= WEBHOOKS_MOST
            code, most = ("webhooks_full", WEBHOOKS_MOST) if is_full else ("webhooks_own", WEBHOOKS_OWN_MOST)
            raise Refused(code, most=most) from None
        return made

    async def of_table(self, table_id: int) -> list[Webhook]:
        """Those of one table, or of the whole house; the oldest first."""
        return [Webhook(*row) for row in await self._store.rows(_OF_TABLE, which=table_id)]

    async def every(self, before: int, most: int) -> list[Webhook]:
        """All that there are, newest first."""
        return [Webhook(*row) for row in await self._store.rows(_EVERY, before=before, most=most)]

    async def find(self, webhook_id: int) -> Webhook:
        """Raises NotFound."""
        row = await self._store.one(_FIND, which=webhook_id)
        if row is None:
            raise NotFound("webhook_unknown")
        return Webhook(*row)

    async def end(self, webhook_id: int) -> None:
        """Nothing is sent there any more, what waits neither."""
        which = {"which": webhook_id}
        await self._store.commit(Unit(writes=[Write(_END, which), Write(_DROP, which)]))

    async def resume(self, webhook_id: int) -> None:
        """A webhook that is paused is told what happens from now on."""
        await self._store.commit(Unit(writes=[Write(_RESUME, {"which": webhook_id})]))

    # --- sending ------------------------------------------------------------------------------------------

    async def claim(self, most: int, busy: Collection[int] = ()) -> list[Webhook]:
        """Webhooks for which something waits, which are this node's for a while; none of who is `busy`."""
        now, others = self._clock.now(), list(busy)
        if await self._store.one(_ANY_DUE, now=now, busy=others) is None:
            return []  # as nearly always: nothing is written to find that out
        found = await self._store.change(_CLAIM, now=now, until=now + LEASE, most=most, busy=others)
        return [Webhook(*row) for row in found]

    async def waiting(self, webhook_id: int, most: int) -> list[Waiting]:
        """What it is to be told, each table's in the order in which it happened."""
        found = await self._store.rows(_WAITING, which=webhook_id, most=most)
        return [Waiting(*row) for row in found]

    async def taken(self, hook: Webhook, said: Waiting) -> Webhook:
        """The receiver has it; the webhook stays this node's. Raises Conflict where another node has it."""
        now = self._clock.now()
        kept = msgspec.structs.replace(hook, due_at=now + LEASE, tries=0, error=None, sent_at=now)
        done = {"which": hook.id, "where": said.table_id, "number": said.seq}
        await self._settle(hook, kept, Write(_DONE, done))
        return kept

    async def give_back(self, hook: Webhook) -> None:
        """Any node may take it; raises Conflict."""
        await self._settle(hook, msgspec.structs.replace(hook, due_at=0))

    async def later(self, hook: Webhook, why: str) -> None:
        """It was not taken, and is tried again after a while; raises Conflict."""
        due_at = self._clock.now() + PAUSES[hook.tries]
        kept = msgspec.structs.replace(hook, due_at=due_at, tries=hook.tries + 1, error=why)
        await self._settle(hook, kept)

    async def pause(self, hook: Webhook, why: str, also: Unit) -> None:
        """It was not taken at the last try: nothing waits any more. Writes `also`, raises Conflict."""
        paused_at = self._clock.now()
        kept = msgspec.structs.replace(hook, due_at=0, tries=hook.tries + 1, error=why, paused_at=paused_at)
        await self._settle(hook, kept, Write(_DROP, {"which": hook.id}), *also.writes, hints=also.hints)

    async def _settle(self, hook: Webhook, kept: Webhook, *also: Write, hints: Sequence[Hint] = ()) -> None:
        row: dict[str, Any] = {"which": hook.id, "claimed": hook.due_at}
        row |= {f"b_{name}": getattr(kept, name) for name in _CHANGING}
        writes = [Write(_SETTLE, row, expect=1), *also]
        await self._store.commit(Unit(writes=writes, hints=list(hints)))


_CHANGING = ("due_at", "tries", "error", "sent_at", "paused_at")
_ALL = tuple(webhook.c[name] for name in Webhook.__struct_fields__)
_THIS = webhook.c.id == bindparam("which")
_ITS = announcement.c.webhook_id == bindparam("which")

# Counting and adding is one statement: who asks many times at once gets no more than the others.
_ADD = Query(
    insert(webhook).from_select(
        [column.name for column in _ALL],
        select(*(bindparam(f"b_{column.name}", type_=column.type) for column in _ALL)).where(
            select(func.count())
            .select_from(webhook)
            .where(webhook.c.table_id == bindparam("b_table_id", type_=BigInteger))
            .scalar_subquery()
            < literal(WEBHOOKS_MOST),
            select(func.count())
            .select_from(webhook)
            .where(webhook.c.owner_id == bindparam("b_owner_id", type_=BigInteger))
            .scalar_subquery()
            < literal(WEBHOOKS_OWN_MOST),
        ),
    )
)
_ANNOUNCE = Query(
    insert(announcement).from_select(
        ["webhook_id", "table_id", "seq", "at", "content"],
        select(
            webhook.c.id,
            bindparam("b_table", type_=BigInteger),
            bindparam("b_seq", type_=BigInteger),
            bindparam("b_at", type_=BigInteger),
            bindparam("b_content", type_=Text),
        ).where(
            webhook.c.table_id.in_(
                [bindparam("b_table", type_=BigInteger), bindparam("b_house", type_=BigInteger)]
            ),
            webhook.c.paused_at.is_(None),
            webhook.c.events.like(bindparam("b_event", type_=Text)),
            select(func.count())
            .select_from(announcement)
            .where(announcement.c.webhook_id == webhook.c.id)
            .scalar_subquery()
            < literal(ANNOUNCEMENTS_MOST),
        ),
    )
)
_OF_TABLE = Query(select(*_ALL).where(webhook.c.table_id == bindparam("which")).order_by(webhook.c.id))
_EVERY = Query(
    select(*_ALL)
    .where(webhook.c.id < bindparam("before"))
    .order_by(webhook.c.id.desc())
    .limit(bindparam("most"))
)
_FIND = Query(select(*_ALL).where(_THIS))
_END = Query(delete(webhook).where(_THIS))
_END_OWN = Query(
    delete(webhook).where(
        webhook.c.table_id == bindparam("b_table"), webhook.c.owner_id == bindparam("b_owner")
    )
)
_DROP = Query(delete(announcement).where(_ITS))
_RESUME = Query(
    update(webhook)
    .where(_THIS, webhook.c.paused_at.is_not(None))
    .values(paused_at=None, tries=0, error=None, due_at=0)
)
_is_due = (
    webhook.c.paused_at.is_(None),
    webhook.c.due_at <= bindparam("now"),
    webhook.c.owner_id.not_in(bindparam("busy", expanding=True)),
    exists(select(announcement.c.webhook_id).where(announcement.c.webhook_id == webhook.c.id)),
)
_ANY_DUE = Query(select(webhook.c.id).where(*_is_due).limit(1))
_due = (
    select(webhook.c.id)
    .where(*_is_due)
    .order_by(webhook.c.due_at, webhook.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_CLAIM = Query(
    update(webhook)
    .where(webhook.c.id.in_(_due.scalar_subquery()))
    .values(due_at=bindparam("until"))
    .returning(*_ALL)
)
_WAITING = Query(
    select(announcement.c.table_id, announcement.c.seq, announcement.c.content)
    .where(_ITS)
    .order_by(announcement.c.table_id, announcement.c.seq)
    .limit(bindparam("most"))
)
_DONE = Query(
    delete(announcement).where(
        _ITS, announcement.c.table_id == bindparam("where"), announcement.c.seq == bindparam("number")
    )
)
_SETTLE = Query(
    update(webhook)
    .where(_THIS, webhook.c.due_at == bindparam("claimed"))
    .values(**{name: bindparam(f"b_{name}") for name in _CHANGING})
)
