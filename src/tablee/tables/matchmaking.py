"""The queue: who waits for an opponent, and who is put together with whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from tablee.clock import Instant
from tablee.rules.contract import Illegal, Json
from tablee.store import Conflict, Duplicate, Hint, Row, Unit, Write
from tablee.tables import rows
from tablee.tables.clocks import TimeControl
from tablee.tables.creating import TablePlan, checked_choice
from tablee.tables.errors import TableError

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")

RANGE = 50
"""Points of rating by which opponents may differ at first, and by which that grows."""
WIDENS_EVERY = 5_000


class Wish(msgspec.Struct, frozen=True, omit_defaults=False):
    """The table that somebody waits for. Only equal wishes meet."""

    options: Json = {}
    time_control: TimeControl | None = None
    """None is what is usual for the game."""
    players: int = 2
    rated: bool = True


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

    async def others(self, account_id: int, game: str, variant: str) -> int:
        """How many others wait for a game of this variant."""
        found = await self._tables.store.one(
            rows.QUEUED_OTHERS, b_account_id=account_id, b_game=game, b_variant=variant
        )
        return 0 if found is None else int(found.waiting)

    async def node_died(self, node_id: str) -> None:
        """Those who waited at a dead node are not there to play."""
        await self._store.commit(Unit(writes=[Write(rows.LEAVE_QUEUE_OF_NODE, {"b_node": node_id})]))

    async def house_was_empty(self, since: Instant) -> None:
        """No node ran from `since` on: whoever waited then is gone."""
        await self._store.commit(Unit(writes=[Write(rows.LEAVE_QUEUE_BEFORE, {"b_since": since})]))

    async def match(self) -> int:
        """Put together whoever fits; answers how many tables were made."""
        groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
        for row in await self._store.rows(rows.QUEUE):
            if (row.game, row.variant) in self._tables.games:
                groups[row.game, row.variant, row.wish].append(row)
        made = 0
        for (game, variant, text), queue in groups.items():
            wish = msgspec.json.decode(text, type=Wish)
            if len(queue) < wish.players:
                continue
            apart = await self._tables.club.blocks.among([row.account_id for row in queue])
            for party in parties(queue, wish.players, self._tables.clock.now(), apart):
                made += await self._seat(game, variant, wish, party)
        return made

    async def _seat(self, game: str, variant: str, wish: Wish, party: Sequence[Row]) -> bool:
        """Make their table; nobody is matched twice, because leaving the queue is part of it."""
        people = [row.account_id for row in party]
        guards = [
            Write(rows.MATCHED, {"b_account_id": row.account_id, "b_since": row.since}, expect=1)
            for row in party
        ]
        try:
            await self._tables.creating.create(
                TablePlan(
                    game=game,
                    variant=variant,
                    options=wish.options,
                    host=people[0],
                    time_control=wish.time_control,
                    rated=wish.rated,
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


def parties(
    queue: Sequence[Row], players: int, now: Instant, apart: frozenset[frozenset[int]] = frozenset()
) -> list[list[Row]]:
    """Whom to put together: who waits longest chooses first, and everybody must suit everybody.

    `apart` are pairs of accounts of whom one has blocked the other.
    """
    left = sorted(queue, key=lambda row: (row.since, row.account_id))
    found: list[list[Row]] = []
    while len(left) >= players:
        first, others = left[0], left[1:]
        party = [first]
        for other in sorted(others, key=lambda row: (abs(row.rating - first.rating), row.since)):
            if all(_suit(other, member, now, apart) for member in party):
                party.append(other)
                if len(party) == players:
                    break
        if len(party) == players:
            found.append(sorted(party, key=lambda row: (row.since, row.account_id)))
            left = [row for row in others if row not in party]
        else:
            left = others
    return found


def _suit(one: Any, other: Any, now: Instant, apart: frozenset[frozenset[int]]) -> bool:
    def reach(row: Any) -> int:
        return int(RANGE + RANGE * (max(0, now - row.since) // WIDENS_EVERY))

    near = bool(abs(one.rating - other.rating) <= min(reach(one), reach(other)))
    return near and frozenset((one.account_id, other.account_id)) not in apart


def _waiting(row: Row) -> Waiting:
    wish = msgspec.json.decode(row.wish, type=Wish)
    return Waiting(row.account_id, row.game, row.variant, wish, row.rating, row.since)
