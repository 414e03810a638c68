"""Browsers that take push messages: each belongs to one sign-in, and ends with it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from tablee.clock import Clock, Instant
from tablee.club.calling.calls import push_ahead_write
from tablee.club.calling.sealing import BrowserKeys
from tablee.club.errors import Invalid, NotFound
from tablee.club.limits import Limits
from tablee.club.outside import Outside
from tablee.store import Duplicate, Query, Store, Unit, Write
from tablee.store.schema import device, session

DEVICES_MOST = 10
"""Of one account: the one that asked longest ago gives way to another."""
FAILING_MOST = 7 * 86_400_000
"""A device whose push service takes nothing for so long is forgotten."""
ERROR_MOST = 200


class Device(msgspec.Struct, frozen=True):
    """A browser that takes push messages. Its id is that of its session."""

    id: int
    account_id: int
    endpoint: str
    p256dh: str
    auth: str
    made_at: Instant
    reached_at: Instant | None
    failed_at: Instant | None
    error: str | None
    refused: bool
    label: str
    """What its session is called: `Firefox · Linux`."""

    @property
    def keys(self) -> BrowserKeys:
        return BrowserKeys.read(self.p256dh, self.auth)


class Devices:
    def __init__(self, store: Store, clock: Clock, limits: Limits, outside: Outside) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._outside = outside

    async def put(self, account_id: int, session_id: int, endpoint: str, p256dh: str, auth: str) -> None:
        """A browser asks for push messages; whoever had it before, and the same keys, has it no more.

        Raises Invalid for an address that must not be called and for keys that are none, TooMany.
        """
        self._limits.take("push_device", account_id)
        try:
            await asyncio.to_thread(BrowserKeys.read, p256dh, auth)
        except ValueError:
            raise Invalid("push_keys", "p256dh") from None
        await self._outside.check(endpoint, "endpoint", whose=account_id)
        now = self._clock.now()
        row = {
            "session_id": session_id,
            "account_id": account_id,
            "endpoint": endpoint,
            "p256dh": p256dh,
            "auth": auth,
            "made_at": now,
            "reached_at": None,
            "failed_at": None,
            "error": None,
            "refused": False,
        }
        writes = [
            Write(_CLEAR, {"which": session_id, "where": endpoint, "key": p256dh, "secret": auth}),
            Write(_INSERT, row),
            Write(_OVERFLOW, {"who": account_id}),
            push_ahead_write(account_id, now),
        ]
        try:
            await self._store.commit(Unit(writes=writes))
        except Duplicate:  # somebody else's, whose keys these are not
            raise Invalid("push_keys", "p256dh") from None

    async def list(self, account_id: int) -> list[Device]:
        """The devices of somebody whose sessions last, the newest first."""
        rows = await self._store.rows(_LIST, who=account_id, now=self._clock.now())
        return [Device(*row) for row in rows]

    async def one(self, device_id: int) -> Device | None:
        """A device by its number, if its session lasts."""
        row = await self._store.one(_ONE, which=device_id, now=self._clock.now())
        return None if row is None else Device(*row)

    async def of(self, account_id: int, device_id: int) -> Device:
        """A device of somebody. Raises NotFound."""
        found = await self.one(device_id)
        if found is None or found.account_id != account_id:
            raise NotFound("push_device")
        return found

    async def reachable(self, accounts: Sequence[int]) -> Mapping[int, Sequence[int]]:
        """The numbers of the devices of some people, by person; none of those that refuse for good."""
        found: dict[int, list[int]] = defaultdict(list)
        for row in await self._store.rows(_REACHABLE, who=list(accounts), now=self._clock.now()):
            found[row.account_id].append(row.session_id)
        return found

    async def remove(self, account_id: int, device_id: int) -> None:
        """Send nothing more to a device of somebody. Raises NotFound."""
        if not await self._store.change(_REMOVE, which=device_id, who=account_id):
            raise NotFound("push_device")

    # --- what became of a message -----------------------------------------------------------------------

    async def reached(self, reached: Device) -> None:
        await self._note(reached, reached_at=self._clock.now(), failed_at=None, error=None, refused=False)

    async def failed(self, failing: Device, why: str, *, refused: bool = False) -> None:
        """Its push service did not take a message, for now or for good; after a week it is forgotten."""
        now = self._clock.now()
        since = failing.failed_at or now
        if since + FAILING_MOST < now:
            await self.gone(failing)
            return
        await self._note(
            failing, reached_at=failing.reached_at, failed_at=since, error=why[:ERROR_MOST], refused=refused
        )

    async def gone(self, gone: Device) -> None:
        """Its push service knows it no more."""
        await self._store.change(_GONE, where=gone.endpoint)

    async def _note(
        self,
        noted: Device,
        *,
        reached_at: Instant | None,
        failed_at: Instant | None,
        error: str | None,
        refused: bool,
    ) -> None:
        row = {"reached": reached_at, "failed": failed_at, "why": error, "refuses": refused}
        await self._store.commit(Unit(writes=[Write(_NOTE, {**row, "where": noted.endpoint})]))


_INSERT = Query(insert(device))
_CLEAR = Query(
    delete(device).where(
        (device.c.session_id == bindparam("which"))
        | (
            (device.c.endpoint == bindparam("where"))
            & (device.c.p256dh == bindparam("key"))
            & (device.c.auth == bindparam("secret"))
        )
    )
)
_OVERFLOW = Query(
    delete(device).where(
        device.c.account_id == bindparam("who"),
        device.c.session_id.not_in(
            select(device.c.session_id)
            .where(device.c.account_id == bindparam("who"))
            .order_by(device.c.made_at.desc(), device.c.session_id.desc())
            .limit(DEVICES_MOST)
        ),
    )
)
_LASTS = session.c.revoked_at.is_(None) & (session.c.expires_at > bindparam("now"))


_WITH_SESSION = device.join(session, session.c.id == device.c.session_id)
_WHOLE = select(*device.columns, session.c.label).select_from(_WITH_SESSION).where(_LASTS)
_LIST = Query(
    _WHOLE.where(device.c.account_id == bindparam("who")).order_by(
        device.c.made_at.desc(), device.c.session_id.desc()
    )
)
_ONE = Query(_WHOLE.where(device.c.session_id == bindparam("which")))
_REACHABLE = Query(
    select(device.c.account_id, device.c.session_id)
    .select_from(_WITH_SESSION)
    .where(_LASTS, device.c.account_id.in_(bindparam("who", expanding=True)), ~device.c.refused)
    .order_by(device.c.session_id)
)
_REMOVE = Query(
    delete(device)
    .where(device.c.session_id == bindparam("which"), device.c.account_id == bindparam("who"))
    .returning(device.c.session_id)
)
_GONE = Query(delete(device).where(device.c.endpoint == bindparam("where")).returning(device.c.session_id))
_NOTE = Query(
    update(device)
    .where(device.c.endpoint == bindparam("where"))
    .values(
        reached_at=bindparam("reached"),
        failed_at=bindparam("failed"),
        error=bindparam("why"),
        refused=bindparam("refuses"),
    )
)
