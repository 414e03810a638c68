"""The club as the rest of the house knows it: every part of it, put together once."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from tablee.clock import Clock, Instant
from tablee.club.absences import DAYS_A_YEAR, Absences
from tablee.club.accounts import Accounts
from tablee.club.addresses import Addresses
from tablee.club.blocks import Blocks
from tablee.club.calling.caller import Caller
from tablee.club.calling.composing import Composer
from tablee.club.calling.devices import Devices
from tablee.club.calling.own_words import OwnWords
from tablee.club.calling.push import Push
from tablee.club.calling.sealing import PushKey
from tablee.club.calling.wishes import Preferences
from tablee.club.codes import Codes
from tablee.club.conduct import Conduct
from tablee.club.deeds import Deeds
from tablee.club.following import FollowKeys
from tablee.club.friends import Friends
from tablee.club.leaving import Leaving
from tablee.club.letters import Letters
from tablee.club.limits import Bucket, Limits, Window
from tablee.club.messages import Messages
from tablee.club.notices import Notices
from tablee.club.online import Online
from tablee.club.outside import Outside
from tablee.club.passwords import Passwords
from tablee.club.patience import Patience
from tablee.club.post import Post, mail_handler
from tablee.club.ratings import Ratings
from tablee.club.roles import Roles
from tablee.club.sessions import Sessions
from tablee.club.sweeping import sweep
from tablee.club.visits import Visits
from tablee.club.webhooks.book import Webhooks
from tablee.club.webhooks.sending import Announcer
from tablee.store import Store
from tablee.store.outbox import Outbox
from tablee.store.repeating import Repeating

SWEPT_EVERY = 3_600_000


class Club:
    """People and what concerns them. `secret` and `below` are where chance comes from."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        name: str = "Tablée",
        zone: str = "Europe/Paris",
        home: str = "",
        passwords: Passwords | None = None,
        limits: Mapping[str, Bucket | Window] | None = None,
        secret: Callable[[int], bytes] = secrets.token_bytes,
        below: Callable[[int], int] = secrets.randbelow,
        absence_days: int = DAYS_A_YEAR,
        outside: Outside | None = None,
        push_contact: str = "mailto:tablee@localhost",
    ) -> None:
        self.store = store
        self.clock = clock
        self.name = name
        self.home = home
        """The address of the page, for links in letters."""
        self.outside = outside or Outside()
        self.passwords = passwords or Passwords()
        self.limits = Limits(clock, limits)
        self.deeds = Deeds(store, clock)
        self.notices = Notices(store, clock)
        self.letters = Letters(store, clock, name)
        self.codes = Codes(store, clock, self.passwords, below)
        self.sessions = Sessions(store, clock, self.deeds, self.notices, secret)
        self.addresses = Addresses(store, clock, self.codes, self.letters, self.deeds, self.limits)
        self.accounts = Accounts(
            store,
            clock,
            self.passwords,
            self.addresses,
            self.deeds,
            self.limits,
            Patience(clock, self.sessions.came_from),
            below,
        )
        self.leaving = Leaving(store, clock, self.sessions, self.addresses, self.deeds)
        self.roles = Roles(store, clock, self.accounts, self.sessions, self.deeds, self.notices, below)
        self.blocks = Blocks(store, clock)
        self.friends = Friends(store, clock, self.blocks, self.notices, self.limits)
        self.messages = Messages(store, clock, self.blocks, self.deeds, self.limits)
        self.ratings = Ratings(store, clock)
        self.conduct = Conduct(store, clock, self.ratings)
        self.absences = Absences(store, absence_days)
        self.online = Online(store, clock)
        self.visits = Visits(store, clock)
        self.preferences = Preferences(store, zone)
        composer = Composer(self.letters, self.preferences, clock, name, lambda: self.home)
        self.own_words = OwnWords(store, self.notices, self.preferences)
        self.caller = Caller(store, clock, self.accounts, self.preferences, composer, self.own_words)
        self.webhooks = Webhooks(store, clock, self.outside, secret)
        self.announcer = Announcer(self.webhooks, self.outside, self.notices, clock, name, lambda: self.home)
        self.follow_keys = FollowKeys(store, clock, self.accounts, self.limits, secret)
        self.push = Push(
            store,
            clock,
            self.accounts,
            self.preferences,
            self.caller,
            Devices(store, clock, self.limits, self.outside),
            PushKey(store, push_contact),
            self.outside,
            name,
        )

        self._post: Post | None = None
        self._outbox: Outbox | None = None
        self._sweeping = Repeating("club-sweeping", clock, self._sweep, SWEPT_EVERY)

    def start(self, post: Post) -> None:
        """Begin to send letters and to sweep out what is over."""
        self._post = post
        self._outbox = Outbox(self.store, self.clock, {"mail": mail_handler(post, self.addresses.refused)})
        self._outbox.start()
        self.caller.on_letters = self._outbox.wake
        self.caller.start()
        self.announcer.start()
        self.push.start()
        self._sweeping.start()

    async def stop(self) -> None:
        """End what `start` began, and let go of the bus and of the threads for passwords."""
        if self._outbox is not None:
            await self._outbox.stop()
        if self._post is not None:
            await self._post.close()
        await self.caller.stop()
        await self.announcer.stop()
        await self.push.stop()
        await self._sweeping.stop()
        self.close()

    async def _sweep(self) -> Instant:
        await sweep(self.store, self.clock)
        return self.clock.now() + SWEPT_EVERY

    def close(self) -> None:
        """Let go of the bus and of the threads for passwords, where nothing was started."""
        self.sessions.close()
        self.messages.close()
        self.passwords.close()
        self.outside.close()
