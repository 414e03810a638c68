"""A push message on its way: worded when it is sent, sealed, and handed to the push service of a browser."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
import structlog

from tablee.clock import Clock
from tablee.club import base64url
from tablee.club.accounts import Accounts
from tablee.club.calling.calls import Call, Calls
from tablee.club.calling.composing import importance, language_of, words
from tablee.club.calling.devices import Device, Devices
from tablee.club.calling.pusher import Laid
from tablee.club.calling.sealing import PushKey, seal
from tablee.club.calling.wishes import EVERYWHERE
from tablee.club.errors import Invalid, Refused
from tablee.club.letters import on_one_line
from tablee.club.outside import Answer, Outside, Unreachable
from tablee.club.people import Account
from tablee.store.outbox import ComeAgain, Errand, GiveUp

if TYPE_CHECKING:
    from tablee.club.calling.caller import Caller, Said

log = structlog.get_logger("tablee.calling")

WORTH = 3 * 86_400_000
"""How long a message is worth sending that does not say itself when it is over."""
TRIAL_WORTH = 60_000
KEPT_MOST = 28 * 86_400_000
"""No push service keeps a message for longer."""
SILENT_FOR = 30_000
"""A push service that has not answered is left alone for so long: others' messages do not wait for it."""
SILENT_MOST = 1_000
TITLE_MOST, BODY_MOST = 80, 300
HEADLINES_MOST = 3
WRITTEN_BY_OTHERS = ("letter", "declaration", "message")
"""What people write stays out of a message: it lights up on a locked screen."""
AWAITED = ("your_turn", "deadline_near", "late")
"""What a sleeping telephone is woken for."""


class Notification(msgspec.Struct, frozen=True):
    """What a browser shows, and where a click on it leads; one with the same tag takes its place."""

    title: str
    body: str
    path: str
    tag: str
    language: str


class PushSender:
    """Sends what was laid in the outbox. `counts` is what became of messages, for the figures."""

    def __init__(
        self,
        clock: Clock,
        accounts: Accounts,
        devices: Devices,
        calls: Calls,
        caller: Caller,
        outside: Outside,
        key: PushKey,
        club: str,
    ) -> None:
        self._clock = clock
        self._accounts = accounts
        self._devices = devices
        self._calls = calls
        self._caller = caller
        self._outside = outside
        self._key = key
        self._club = club
        self._silent: dict[str, int] = {}
        self.counts = Counter[str]()

    async def deliver(self, task: Errand) -> None:
        """What the outbox does with a push message. Raises GiveUp, or ComeAgain to try later."""
        laid = msgspec.json.decode(task.payload, type=Laid)
        device = await self._devices.one(laid.device)
        if device is None or device.account_id != task.account_id:
            return  # it was taken away, or its session has ended
        account = await self._accounts.by_id(device.account_id)
        now = self._clock.now()
        said = [] if account.is_shut_out(now) else await self._said(account, laid)
        if not said:
            self.counts["seen"] += 1
            return
        until = max(words.until or task.created_at + WORTH for _, words in said)
        if until <= now:
            self.counts["late"] += 1
            return
        kinds = {call.kind for call, _ in said}
        urgency = "high" if not kinds.isdisjoint(AWAITED) else "normal"
        await self.send(device, notification(self._club, account, said), until - now, urgency)

    async def try_out(self, device: Device) -> None:
        """Send a message at once that says only that it has come. Raises Refused, with why it has not."""
        account = await self._accounts.by_id(device.account_id)
        known, language = words(language_of(account)), language_of(account)
        shown = Notification(self._club, known["push.trial"], "/settings#calling", "trial", language)
        try:
            await self.send(device, shown, TRIAL_WORTH, "high")
            if await self._devices.one(device.id) is None:
                raise GiveUp("its push service knows this browser no more")
        except (ComeAgain, GiveUp) as error:
            raise Refused("push_untaken", why=str(error)) from None

    async def _said(self, account: Account, laid: Laid) -> list[tuple[Call, Said]]:
        """What is still so, and was not seen."""
        calls = await self._calls.some(account.id, laid.table, laid.calls)
        if laid.table != EVERYWHERE:
            if await self._calls.lookers([account.id], [laid.table]):
                return []
            there = await self._calls.was_there(account.id, laid.table)
            # Who was at the table since has seen it; what people wrote to him there he may not have read.
            calls = [call for call in calls if call.at > there or call.kind in WRITTEN_BY_OTHERS]
        return await self._caller.word(account, laid.table, calls) if calls else []

    async def send(self, device: Device, shown: Notification, worth: int, urgency: str) -> None:
        """Seal a message and hand it over. Raises GiveUp, or ComeAgain to try later."""
        host, ticks = urlsplit(device.endpoint).netloc, self._clock.ticks()
        if self._silent.get(host, 0) > ticks:
            raise ComeAgain("its push service has not answered lately")
        headers = {
            "TTL": str(max(1, min(worth, KEPT_MOST) // 1000)),
            "Urgency": urgency,
            "Topic": _topic(device, shown.tag),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Authorization": await self._key.signature(device.endpoint, self._clock.now()),
        }
        body = seal(msgspec.json.encode(shown), device.keys)
        try:
            answer = await self._outside.post(device.endpoint, body, headers, whose=device.account_id)
        except Unreachable as error:
            self._note_silence(host, ticks)
            await self._failed(device, str(error))
        except Invalid as error:
            await self._refused(device, error.code)
        else:
            await self._answered(device, answer)

    async def _answered(self, device: Device, answer: Answer) -> None:
        if answer.is_taken:
            self.counts["sent"] += 1
            await self._devices.reached(device)
        elif answer.status in (404, 410):
            self.counts["gone"] += 1
            await self._devices.gone(device)
        elif answer.status == 429 or answer.status >= 500:
            await self._failed(device, _shown(answer), _asked_to_wait(answer))
        else:
            await self._refused(device, _shown(answer))

    async def _failed(self, device: Device, why: str, wait: int = 0) -> None:
        self.counts["failed"] += 1
        await self._devices.failed(device, why)
        raise ComeAgain(why, wait)

    async def _refused(self, device: Device, why: str) -> None:
        """Trying again would be of no use: that is for whoever runs the house."""
        self.counts["refused"] += 1
        log.warning("push_refused", service=urlsplit(device.endpoint).hostname, reason=why)
        await self._devices.failed(device, why, refused=True)
        raise GiveUp(why)

    def _note_silence(self, host: str, ticks: int) -> None:
        if len(self._silent) >= SILENT_MOST:
            self._silent.pop(next(iter(self._silent)))
        self._silent[host] = ticks + SILENT_FOR


def notification(club: str, account: Account, said: Sequence[tuple[Call, Said]]) -> Notification:
    """Everything of one table as one notification: the most important first, no more than the notices say."""
    ordered = sorted(said, key=lambda pair: importance(pair[0].kind))
    (first_call, first), rest = ordered[0], ordered[1:]
    lines = [_headline(first)]
    if first_call.kind not in WRITTEN_BY_OTHERS:
        lines += first.lines[:1]
    lines += [_headline(more) for _, more in rest]
    shown = list(dict.fromkeys(on_one_line(line) for line in lines))[:HEADLINES_MOST]
    return Notification(
        title=on_one_line(first.place or club)[:TITLE_MOST],
        body="\n".join(shown)[:BODY_MOST],
        path=first.path,
        tag=first.path,
        language=language_of(account),
    )


def _headline(said: Said) -> str:
    """A headline that would be followed by what somebody wrote ends here instead."""
    text = said.headline.rstrip()
    return f"{text[:-1].rstrip()}." if text.endswith(":") else text


def _topic(device: Device, tag: str) -> str:
    """By which a push service keeps the newest message of a table only; it learns nothing else from it."""
    return base64url.shown(hashlib.sha256(f"{device.auth} {tag}".encode()).digest()[:18])


def _asked_to_wait(answer: Answer) -> int:
    text = answer.headers.get("retry-after", "")
    return int(text) * 1000 if text.isdecimal() and len(text) < 8 else 0


def _shown(answer: Answer) -> str:
    said = "".join(letter if letter.isprintable() else " " for letter in answer.text)
    return on_one_line(f"{answer.status} {said}")[:200]
