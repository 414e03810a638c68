"""The pusher: takes what is due, and lays one push message for each device of whoever wants it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence

import msgspec

from tablee.clock import Clock, Instant
from tablee.club.accounts import Accounts
from tablee.club.calling.caller import AGAIN_AFTER
from tablee.club.calling.calls import PUSH, Call, Calls
from tablee.club.calling.catalogue import HOUR, KINDS
from tablee.club.calling.devices import Devices
from tablee.club.calling.wishes import EVERYWHERE, Chosen, Preferences
from tablee.club.people import Account
from tablee.store import Conflict, Store, Unit
from tablee.store.outbox import errand
from tablee.store.repeating import Repeating

LOOK_EVERY = 2_000
AT_ONCE = 200
TOGETHER = 60_000
"""Whoever was told something of a table is told no more of it for so long: then the rest at once."""
PRESSING = 3 * HOUR
"""A deadline that is nearer than this is told in quiet hours, too."""


class Laid(msgspec.Struct, frozen=True):
    """What the outbox keeps of a push message: for which device, about which calls; no words."""

    device: int
    table: int
    calls: list[tuple[str, str]]
    """By kind and what. Whether they are still so is asked, and they are worded, when the message is sent."""


class Pusher:
    """`laid` is called when there is something to send."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        accounts: Accounts,
        preferences: Preferences,
        devices: Devices,
        laid: Callable[[], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._accounts = accounts
        self._preferences = preferences
        self._devices = devices
        self._laid = laid
        self.calls = Calls(store, clock, PUSH)
        self._repeating = Repeating("pushing", clock, self._turn, LOOK_EVERY)
        self.start = self._repeating.start
        self.stop = self._repeating.stop

    async def _turn(self) -> Instant:
        if await self.lay_messages():
            self._laid()
        return self._clock.now() + LOOK_EVERY

    async def lay_messages(self) -> int:
        """Lay every push message that is due in the outbox; answers how many. Raises Unavailable."""
        laid = 0
        while True:
            due = await self.calls.claim(AT_ONCE)
            laid += await self._lay(due)
            if len(due) < AT_ONCE:
                return laid

    async def _lay(self, due: Sequence[Call]) -> int:
        if not due:
            return 0
        now = self._clock.now()
        people = sorted({call.account_id for call in due})
        accounts = await self._accounts.many(people)
        devices = await self._devices.reachable(people)
        known = {call.key: call for call in due}
        for call in await self.calls.pending(people, now):
            known.setdefault(call.key, call)
        chosen = await self._preferences.of_many(
            {(call.account_id, call.table_id) for call in known.values()}
        )
        last = await self.calls.last_told(people, now - TOGETHER + 1, now)

        is_due = {call.key for call in due}
        units: list[tuple[Unit, int]] = []
        groups: dict[tuple[int, int, str], list[Call]] = defaultdict(list)
        for call in known.values():
            if call.kind not in KINDS:
                # Written by a node of a newer version, which will take it.
                if call.key in is_due:
                    units.append((Unit(writes=[self.calls.later(call, now + AGAIN_AFTER)]), 0))
                continue
            account = accounts.get(call.account_id)
            wishes = chosen[call.account_id, call.table_id]
            is_reached = account is not None and account.is_member and not account.is_shut_out(now)
            if not is_reached or not devices[call.account_id] or not _is_wished(wishes, call):
                if call.key in is_due:
                    units.append((Unit(writes=[self.calls.told(call, written=False)]), 0))
            elif account and (morning := self._morning(account, wishes, call, now)) is not None:
                if call.key in is_due:
                    units.append((Unit(writes=[self.calls.later(call, morning)]), 0))
            else:
                # What is about no table has in common with another only what it is.
                apart = call.kind if call.table_id == EVERYWHERE else ""
                groups[call.account_id, call.table_id, apart].append(call)
        for (account_id, *_), group in groups.items():
            mine = [call for call in group if call.key in is_due]
            lately = last.get((account_id, group[0].place))
            if lately is not None:
                units += [(Unit(writes=[self.calls.later(call, lately + TOGETHER)]), 0) for call in mine]
            elif mine:
                units.append(await self._messages(group, devices[account_id], now))
        return sum(await asyncio.gather(*(self._commit(unit, messages) for unit, messages in units)))

    def _morning(self, account: Account, wishes: Chosen, call: Call, now: Instant) -> Instant | None:
        """When a call may be told that comes in quiet hours."""
        if call.kind == "deadline_near" and call.about["by"] - now <= PRESSING:
            return None
        return self._preferences.quiet_until(account, wishes, now)

    async def _messages(self, group: list[Call], devices: Sequence[int], now: Instant) -> tuple[Unit, int]:
        """One message for each device with everything of one table, and the note that it was told."""
        account_id, table_id = group[0].account_id, group[0].table_id
        named = [(call.kind, call.what) for call in group]
        writes = [self.calls.told(call, written=True) for call in group]
        for device in devices:
            content = msgspec.json.encode(Laid(device, table_id, named)).decode()
            writes.append(await errand(self._store, "push", content, now, account_id=account_id))
        return Unit(writes=writes), len(devices)

    async def _commit(self, unit: Unit, messages: int) -> int:
        try:
            await self._store.commit(unit)
        except Conflict:
            return 0  # another node was faster
        return messages


def _is_wished(wishes: Chosen, call: Call) -> bool:
    return wishes.push(call.kind, is_master=call.is_masters)
