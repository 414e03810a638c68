"""What the end of a game means: the table is over, ratings change, the players are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import msgspec

from tablee.club import Club
from tablee.club.ratings import Gone, parts_of
from tablee.rules.contract import Result, Seat
from tablee.store import Hint, Store, Write
from tablee.tables import rows
from tablee.tables.happened import Happened
from tablee.tables.info import HouseTable
from tablee.tables.lobby import lobby_hint
from tablee.tables.submission import Ending

AlsoWritten = Callable[[HouseTable, Result], Awaitable[tuple[list[Write], list[Hint]]]]


class Endings:
    def __init__(self, store: Store, club: Club) -> None:
        self._store = store
        self._club = club
        self.also: AlsoWritten | None = None
        """What else the end of a game means: the one word of tables with the layer above."""

    async def of(
        self, info: HouseTable, happened: Happened, result: Result, sides: Mapping[Seat, str | None]
    ) -> Ending:
        """Everything that must be written in the transaction of the last move."""
        accounts = {taken.seat: taken.account_id for taken in info.seats}
        gone = await self._gone(info)
        row = {
            "b_id": info.id,
            "b_at": happened.at,
            "b_result": msgspec.json.encode(result).decode(),
        }
        writes = [Write(rows.ENDED, row, expect=1)]
        writes += await self._club.ratings.after_game(
            result,
            accounts,
            info.game,
            info.variant,
            table_id=info.id,
            at=happened.at,
            rated=info.rated,
            # Why: docs/decisions.md#anonymous-games-move-no-figure
            counted=not info.terms.anonymous,  # standings that move with a game tell who played in it
            sides=sides,
            gone=gone,
        )
        hints = [lobby_hint(info.id, "over")]
        robots = {taken.account_id for taken in info.seats if taken.robot is not None}
        for part in parts_of(result, accounts, gone):
            if part.account_id not in robots:
                about = {
                    "table": info.id,
                    "game": info.game,
                    "variant": info.variant,
                    "rank": part.rank,
                    "of": len(result.ranks),
                    "tied": result.tied(part.rank),
                    "decided": result.rated,
                    "reason": result.reason,
                }
                writes += await self._club.notices.add_writes(part.account_id, "game_over", about)
                hints.append(self._club.notices.hint(part.account_id))
        if self.also is not None:
            more, told = await self.also(info, result)
            writes += more
            hints += told
        over = msgspec.structs.replace(info, status="over", ended_at=happened.at, result=result, due_at=None)
        return Ending(writes, hints, over)

    async def _gone(self, info: HouseTable) -> list[Gone]:
        """Who has left the game and not come back to his seat."""
        here = {(taken.seat, taken.account_id) for taken in info.taken}
        found = await self._store.rows(rows.DEPARTURES, b_id=info.id)
        return [
            Gone(row.seat, row.account_id, bool(row.resigned))
            for row in found
            if (row.seat, row.account_id) not in here
        ]
