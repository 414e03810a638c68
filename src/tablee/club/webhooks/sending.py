"""Sending what waits for webhooks: in order, a few tries each, and paused where nobody takes it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

import structlog

from tablee.clock import Clock, Instant
from tablee.club.errors import Invalid
from tablee.club.notices import Notices
from tablee.club.outside import Outside, Unreachable
from tablee.club.webhooks.book import Webhook, Webhooks
from tablee.club.webhooks.forms import Announcement, Form, trial
from tablee.store import Conflict, Unavailable, Unit
from tablee.store.repeating import Repeating
from tablee.tasks import Tasks

log = structlog.get_logger("tablee.webhooks")

LOOK_EVERY = 2_000
AT_ONCE = 50
"""Webhooks that one node sends to at a time."""
AT_ONCE_EACH = 5
"""From so many webhooks of one account on that are being sent to, those of others go first."""
IN_A_ROW = 10
"""Sent to one before the others have their turn."""
WHY_MOST = 200
"""Characters of a receiver's own words that are kept, to show to who added it."""


class Announcer:
    """`home` gives the address of the page, to which links lead."""

    def __init__(
        self,
        book: Webhooks,
        outside: Outside,
        notices: Notices,
        clock: Clock,
        club: str,
        home: Callable[[], str],
    ) -> None:
        self._book = book
        self._outside = outside
        self._notices = notices
        self._clock = clock
        self._club = club
        self._home = home
        self._tasks = Tasks("tablee.webhooks", Unavailable)
        self._of_each = Counter[int]()
        self._repeating = Repeating("webhooks", clock, self._turn, LOOK_EVERY)
        self.start = self._repeating.start

    async def stop(self) -> None:
        """Stop; what is on its way is broken off, and sent again by whoever looks next."""
        await self._repeating.stop()
        await self._tasks.end()

    async def _turn(self) -> Instant:
        await self.send_due()
        return self._clock.now() + LOOK_EVERY

    async def send_due(self) -> list[asyncio.Task[None]]:
        """Begin to tell every webhook what waits for it: a receiver that is slow keeps no other waiting."""
        begun: list[asyncio.Task[None]] = []
        while (most := min(AT_ONCE - len(self._tasks), AT_ONCE_EACH)) > 0:
            busy = [whose for whose, count in self._of_each.items() if count >= AT_ONCE_EACH]
            claimed = await self._book.claim(most, busy)
            for hook in claimed:
                self._of_each[hook.owner_id] += 1
                begun.append(self._tasks.spawn(self._tell(hook), f"webhook {hook.id}"))
            if len(claimed) < most:
                break
        return begun

    async def trial(self, hook: Webhook, name: str) -> str | None:
        """Send something to find out whether it arrives; why not, if it does not."""
        return await self._sent(hook, trial(name, hook.table_id, self._clock.now()), "trial")

    async def _tell(self, hook: Webhook) -> None:
        owner = hook.owner_id
        try:
            for waiting in await self._book.waiting(hook.id, IN_A_ROW):
                said = waiting.announcement
                why = await self._sent(hook, said, f"{waiting.table_id}.{waiting.seq}")
                if why is not None:
                    await self._failed(hook, said, why)
                    return
                hook = await self._book.taken(hook, waiting)
            await self._book.give_back(hook)
        except Conflict:
            return  # it took so long that another node has it, or it was taken away
        finally:
            self._of_each -= Counter([owner])

    async def _sent(self, hook: Webhook, said: Announcement, number: str) -> str | None:
        """Send one thing; None where it was taken, else why not."""
        form = Form(hook.kind, hook.secret, hook.language, self._club, self._home())
        body, headers = form.posted(said, number, self._clock.now())
        try:
            answer = await self._outside.post(hook.url, body, headers, whose=hook.owner_id)
        except (Unreachable, Invalid) as trouble:
            return str(trouble)[:WHY_MOST]
        if answer.is_taken:
            return None
        words = "".join(c for c in " ".join(answer.text.split()) if c.isprintable())
        return f"{answer.status} {words}"[:WHY_MOST].rstrip()

    async def _failed(self, hook: Webhook, said: Announcement, why: str) -> None:
        if not hook.is_last_try:
            await self._book.later(hook, why)
            return
        about = {"table": hook.table_id, "name": said.name if hook.table_id else self._club}
        notice = await self._notices.add_writes(hook.owner_id, "webhook_paused", about)
        await self._book.pause(hook, why, Unit(writes=notice, hints=[self._notices.hint(hook.owner_id)]))
        log.info("webhook_paused", webhook=hook.id, table=hook.table_id, reason=why)
