"""Push messages to browsers whose page is closed: devices, what is due to them, and how it is sent."""

from __future__ import annotations

from tablee.clock import Clock
from tablee.club.accounts import Accounts
from tablee.club.calling.caller import Caller
from tablee.club.calling.devices import Devices
from tablee.club.calling.pusher import Pusher
from tablee.club.calling.sealing import PushKey
from tablee.club.calling.sending import PushSender
from tablee.club.calling.wishes import Preferences
from tablee.club.outside import Outside
from tablee.store import Store
from tablee.store.outbox import Outbox

AT_ONCE = 30


class Push:
    """Every part of it, put together once."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        accounts: Accounts,
        preferences: Preferences,
        caller: Caller,
        devices: Devices,
        key: PushKey,
        outside: Outside,
        club: str,
    ) -> None:
        self.devices = devices
        self.key = key
        self.pusher = Pusher(store, clock, accounts, preferences, devices, lambda: self.outbox.wake())
        self.sender = PushSender(clock, accounts, devices, self.pusher.calls, caller, outside, key, club)
        # Its own, beside that of the letters: a push service that answers slowly keeps no letter waiting.
        self.outbox = Outbox(store, clock, {"push": self.sender.deliver}, AT_ONCE)

    def start(self) -> None:
        self.outbox.start()
        self.pusher.start()

    async def stop(self) -> None:
        await self.pusher.stop()
        await self.outbox.stop()
