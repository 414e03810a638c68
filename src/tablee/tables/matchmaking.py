"""The queue: who waits for an opponent, and who is put together with whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec
import structlog

from tablee.clock import Instant
from tablee.rules.contract import BY_LOT, Illegal, Json
from tablee.store import Conflict, Duplicate, Hint, Row, Unit, Write
from tablee.tables import rows
from tablee.tables.clocks import TimeControl
from tablee.tables.creating import TablePlan, checked_choice, must_have_side
from tablee.tables.errors import TableError

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")

RANGE = 50
"""Points of rating by which opponents may differ at first, and by which that grows."""
WIDENS_EVERY = 5_000
WIDENS_ALONE_EVERY = 1_000
"""Where nobody else waits for the same, there is no better opponent to wait for."""


class Wish(msgspec.Struct, frozen=True, omit_defaults=False):
    """The table that somebody waits for. Only equal wishes meet, but for the side and what is at stake."""

    options: Json = {}
    time_control: TimeControl | None = None
    """None is what is usual for the game."""
    players: int = 2
    rated: bool | None = True
    """None is either way; a visitor is never rated, and waits for who does not mind."""
    side: str | None = None
    """One of the game's `sides`, or by lot; None leaves it to who came first."""

    def meets(self, other: Wish) -> bool:
        """Whether the two may sit at one table, as far as stake and sides go."""
        if self.rated is not None and other.rated is not None and self.rated != other.rated:
            return False
        return self.side in (None, BY_LOT) or self.side != other.side

    @property
    def table(self) -> Wish:
        """What all at one table want alike."""
        return msgspec.structs.replace(self, rated=None, side=None)


class Waiting(msgspec.Struct, frozen=True):
    """Somebody in the queue."""

    account_id: int
    game: str
    variant: str
    wish: Wish
    rating: int
    since: Instant


class Matchmaking:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    async def enter(self, account_id: int, game: str, variant: str, wish: Wish) -> Waiting:
        """Wait for opponents; whoever waited for something else waits for this now.

        When they are found the bus says `("matched", account_id, table_id)`. Raises NoSuchGame, BadOptions.
        """
        rules = self._tables.offered(game, variant)
        options, control = checked_choice(rules, wish.options, wish.time_control, wish.players)
        must_have_side(rules, wish.side)
        if rules.sides:
            options = rules.with_first_as(options, rules.sides[0])  # who sits where says the rest
        if not (await self._tables.club.accounts.by_id(account_id)).is_member:
            wish = msgspec.structs.replace(wish, rated=False)
        standing = await self._tables.club.ratings.standing(account_id, game, variant)
        plain = msgspec.structs.replace(wish, options=msgspec.to_builtins(options), time_control=control)
        waiting = Waiting(account_id, game, variant, plain, standing.rating, self._tables.clock.now())
        row = {
            "account_id": account_id,
            "game": game,
            "variant": variant,
            "wish": msgspec.json.encode(plain, order="deterministic").decode(),
            "rating": standing.rating,
            "since": waiting.since,
            "node_id": self._store.node_id,
        }
        await self._store.commit(Unit(writes=[Write(rows.ENTER_QUEUE, row)]))
        await self.match()
        return waiting

    async def leave(self, account_id: int) -> None:
        """Wait no longer; nothing happens to who does not wait."""
        await self._store.commit(Unit(writes=[Write(rows.LEAVE_QUEUE, {"b_account_id": account_id})]))

    async def waiting(self, account_id: int) -> Waiting | None:
        """What somebody waits for."""
        row = await self._store.one(rows.QUEUED, b_account_id=account_id)
        return None if row is None else _waiting(row)

    async def others(self, mine: Waiting) -> int:
        """How many others wait for what somebody waits for."""
        found = [_waiting(row) for row in await self._store.rows(rows.QUEUE)]
        return sum(
            (each.game, each.variant, each.wish.table) == (mine.game, mine.variant, mine.wish.table)
            and each.account_id != mine.account_id
            and each.wish.meets(mine.wish)
            for each in found
        )

    async def sought(self, without: int | None) -> list[tuple[Waiting, int]]:
        """What others wait for and how many they are, the longest waiting first."""
        groups: dict[tuple[str, str, bytes], list[Waiting]] = defaultdict(list)
        found = sorted(
            (_waiting(row) for row in await self._store.rows(rows.QUEUE)), key=lambda each: each.since
        )
        for each in found:
            if each.account_id == without:
                continue
            alike = msgspec.json.encode((each.wish.table, each.wish.rated), order="deterministic")
            groups[each.game, each.variant, alike].append(each)
        return [(group[0], len(group)) for group in groups.values()]

    async def node_died(self, node_id: str) -> None:
        """Those who waited at a dead node are not there to play."""
        await self._store.commit(Unit(writes=[Write(rows.LEAVE_QUEUE_OF_NODE, {"b_node": node_id})]))

    async def house_was_empty(self, since: Instant) -> None:
        """No node ran from `since` on: whoever waited then is gone."""
        await self._store.commit(Unit(writes=[Write(rows.LEAVE_QUEUE_BEFORE, {"b_since": since})]))

    async def match(self) -> int:
        """Put together whoever fits; answers how many tables were made."""
        groups: dict[tuple[str, str, bytes], list[Waiting]] = defaultdict(list)
        for row in await self._store.rows(rows.QUEUE):
            if (row.game, row.variant) in self._tables.games:
                waiting = _waiting(row)
                table = msgspec.json.encode(waiting.wish.table, order="deterministic")
                groups[row.game, row.variant, table].append(waiting)
        made = 0
        for queue in groups.values():
            players = queue[0].wish.players
            if len(queue) < players:
                continue
            apart = await self._tables.club.blocks.among([each.account_id for each in queue])
            for party in parties(queue, players, self._tables.clock.now(), apart):
                made += await self._seat(party)
        return made

    async def _seat(self, party: Sequence[Waiting]) -> bool:
        """Make their table; nobody is matched twice, because leaving the queue is part of it."""
        game, variant, wish = party[0].game, party[0].variant, party[0].wish
        people = [each.account_id for each in self._seated(party)]
        guards = [
            Write(rows.MATCHED, {"b_account_id": each.account_id, "b_since": each.since}, expect=1)
            for each in party
        ]
        try:
            await self._tables.creating.create(
                TablePlan(
                    game=game,
                    variant=variant,
                    options=wish.options,
                    host=people[0],
                    time_control=wish.time_control,
                    rated=all(each.wish.rated is not False for each in party),
                    door="queue",
                    seats=wish.players,
                    people=people,
                    guards=guards,
                    hints=[Hint("matched", account_id, 0) for account_id in people],
                )
            )
        except (Conflict, Duplicate):
            return False
        except (Illegal, TableError) as refusal:
            log.warning("match_refused", game=game, variant=variant, refusal=str(refusal))
            return False
        return True

    def _seated(self, party: Sequence[Waiting]) -> list[Waiting]:
        """The party in the order of its seats: each on the side that he wished for, the others as they came,
        or by lot where one of them wants that."""
        sides = self._tables.rules(party[0].game, party[0].variant).sides
        free = [each for each in party if each.wish.side not in sides]
        if any(each.wish.side == BY_LOT for each in party):
            self._tables.rng.shuffle(free)
        wished = {each.wish.side: each for each in party if each.wish.side in sides}
        order = [wished.get(side) or (free.pop(0) if free else None) for side in sides[: len(party)]]
        return [each for each in order if each is not None] + free


class InQueue(Protocol):
    """Somebody who waits, as far as opponents are chosen by it."""

    @property
    def account_id(self) -> int: ...
    @property
    def rating(self) -> int: ...
    @property
    def since(self) -> Instant: ...
    @property
    def wish(self) -> Wish: ...


Q = TypeVar("Q", bound=InQueue)


def parties(
    queue: Sequence[Q], players: int, now: Instant, apart: frozenset[frozenset[int]] = frozenset()
) -> list[list[Q]]:
    """Whom to put together: who waits longest chooses first, and everybody must suit everybody.

    `apart` are pairs of accounts of whom one has blocked the other.
    """
    left = sorted(queue, key=lambda row: (row.since, row.account_id))
    found: list[list[Q]] = []
    widens = WIDENS_ALONE_EVERY if len(queue) <= players else WIDENS_EVERY
    while len(left) >= players:
        first, others = left[0], left[1:]
        party = [first]
        for other in sorted(others, key=lambda row: (abs(row.rating - first.rating), row.since)):
            if all(_suit(other, member, now, apart, widens) for member in party):
                party.append(other)
                if len(party) == players:
                    break
        if len(party) == players:
            found.append(sorted(party, key=lambda row: (row.since, row.account_id)))
            left = [row for row in others if row not in party]
        else:
            left = others
    return found


def _suit(one: Q, other: Q, now: Instant, apart: frozenset[frozenset[int]], widens: int) -> bool:
    def reach(who: Q) -> int:
        return RANGE + RANGE * (max(0, now - who.since) // widens)

    near = abs(one.rating - other.rating) <= min(reach(one), reach(other))
    return near and one.wish.meets(other.wish) and frozenset((one.account_id, other.account_id)) not in apart


def _waiting(row: Row) -> Waiting:
    wish = msgspec.json.decode(row.wish, type=Wish)
    return Waiting(row.account_id, row.game, row.variant, wish, row.rating, row.since)
