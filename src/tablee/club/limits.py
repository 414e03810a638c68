"""How often somebody may do something: buckets that refill and windows that pass, bounded in memory."""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from tablee.clock import Clock
from tablee.club.errors import TooMany


class Bucket(msgspec.Struct, frozen=True):
    """`most` at once; what was spent comes back evenly within `seconds`."""

    most: int
    seconds: int


class Window(msgspec.Struct, frozen=True):
    """`most` within `seconds` from the first; then nothing until those are over."""

    most: int
    seconds: int


DEFAULT_LIMITS: Mapping[str, Bucket | Window] = {
    "sign_up": Bucket(60, 3600),  # accounts made from one address
    "visitor": Bucket(120, 3600),  # visitors from one address
    "console": Bucket(600, 3600),  # visitors from one address whose program knows no accounts
    "mail_code": Bucket(5, 3600),  # codes mailed to one account
    "recover": Bucket(10, 3600),  # recoveries asked for from one address
    "code_try": Bucket(30, 3600),  # codes tried from one address
    "tournament_code": Bucket(5, 60),  # wrong codes of one account
    "mail_answer": Bucket(20, 3600),  # letters that answer letters of one account
    "mail_played": Bucket(120, 3600),  # letters of one account that are obeyed
    "mail_proof": Bucket(5, 3600),  # letters that ask one account for a proof: anybody can have them sent
    "mail_token": Bucket(20, 3600),  # tokens that nobody made, of which the log has a line
    "follow_key": Bucket(30, 3600),  # keys of calendars and feeds that nobody has, from one address
    "follow": Bucket(60, 600),  # calendars and feeds read with one account's key
    "webhook": Bucket(30, 3600),  # webhooks that one account adds or tries out
    "push_device": Bucket(30, 3600),  # devices that one account has asked for push messages with
    "push_trial": Bucket(10, 600),  # push messages that one account has sent to itself
    "friend_request": Bucket(40, 3600),
    "challenge": Bucket(30, 600),  # challenges and rematches offered by one account
    "say": Bucket(15, 30),
    "press": Bucket(60, 60),  # declarations and letters of one account in games with roles
    "writing": Bucket(120_000, 60),  # characters of anything that one account writes down
    "said": Bucket(300_000, 86_400),  # characters that one account says to others
    "profile": Bucket(60, 600),  # changes that one account makes to itself
}


class _State:
    __slots__ = ("at", "spent")

    def __init__(self, at: int) -> None:
        self.at = at
        self.spent = 0.0


class Limits:
    """Counts by (what, who). The longest unused count is forgotten when there are more than `remembered`."""

    def __init__(
        self, clock: Clock, rules: Mapping[str, Bucket | Window] | None = None, *, remembered: int = 50_000
    ) -> None:
        self._clock = clock
        self._rules = {**DEFAULT_LIMITS, **(rules or {})}
        self._states: OrderedDict[tuple[str, str | int], _State] = OrderedDict()
        self._remembered = remembered

    def take(self, what: str, who: str | int, amount: int = 1) -> None:
        """Count so many. Raises TooMany with the seconds to wait when there are not so many left."""
        self.check(what, who, amount)
        self.count(what, who, amount)

    def check(self, what: str, who: str | int, amount: int = 1) -> None:
        """Raise TooMany if there are not so many left; count nothing.

        More than there can ever be is all there can be: it passes, and nothing is left for a while.
        """
        rule = self._rules[what]
        amount = min(amount, rule.most)
        state = self._states.get((what, who))
        if state is None:
            return
        spent = self._spent(rule, state)
        if spent + amount <= rule.most + 1e-9:
            return
        if isinstance(rule, Window):
            wait = rule.seconds - (self._clock.ticks() - state.at) / 1000
        else:
            wait = (spent + amount - rule.most) * rule.seconds / rule.most
        raise TooMany(max(1, math.ceil(wait - 1e-9)), what)

    def count(self, what: str, who: str | int, amount: int = 1) -> None:
        """Count so many that have happened, whether there are any left or not: a wrong password, say."""
        rule = self._rules[what]
        key = (what, who)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = _State(self._clock.ticks())
            if len(self._states) > self._remembered:
                self._states.popitem(last=False)
        spent = self._spent(rule, state)
        if isinstance(rule, Bucket) or spent == 0:
            state.at = self._clock.ticks()
        state.spent = min(spent + amount, rule.most)
        self._states.move_to_end(key)

    def give_back(self, what: str, who: str | int) -> None:
        """Take back one that was counted: the password was right after all."""
        rule, state = self._rules[what], self._states.get((what, who))
        if state is None:
            return
        state.spent = max(0.0, self._spent(rule, state) - 1)
        if isinstance(rule, Bucket):
            state.at = self._clock.ticks()

    def _spent(self, rule: Bucket | Window, state: _State) -> float:
        passed = max(0, self._clock.ticks() - state.at) / 1000
        if isinstance(rule, Window):
            return 0.0 if passed >= rule.seconds else state.spent
        return max(0.0, state.spent - passed * rule.most / rule.seconds)


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 that one household has in IPv6."""
    try:
        parsed = ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
