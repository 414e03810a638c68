"""What somebody comes for: the games that he plays, what he is asked for, what ended while he was away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablee.breath import Breath
from tablee.clock import Instant
from tablee.rules.contract import SPECTATOR
from tablee.store import Query, Unit, Write
from tablee.tables import rows
from tablee.tables.errors import NoSuchTable
from tablee.tables.glances import Glances, Seen
from tablee.tables.info import HouseTable
from tablee.tables.lobby import with_seats
from tablee.tables.offers import Challenge
from tablee.tables.unread import unread_at

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

GAMES_MOST = 300
INVITATIONS_MOST = 50
FINISHED_MOST = 20
NOTICES_READ = 200
"""Notices of invitations that are looked through."""
FAR = 2**62


class OwnGame(msgspec.Struct, frozen=True):
    """A game that goes on, or a table that waits for players, as it is for who sits there."""

    info: HouseTable
    seen: Seen
    unread: int
    """Declarations and letters that he has not read."""
    waits: bool
    """Whether it needs something of him before it can go on."""


class Invitation(msgspec.Struct, frozen=True):
    """A table to which somebody is invited, or with a seat one where he is asked to stand in."""

    info: HouseTable
    by_name: str
    seat: int | None = None


class Finished(msgspec.Struct, frozen=True):
    """A game that ended while he was away; without a rank for its master."""

    info: HouseTable
    rank: int | None
    rating_before: int | None
    rating_after: int | None


class Own(msgspec.Struct, frozen=True):
    """All of it: what waits for him soonest comes first."""

    games: list[OwnGame]
    has_more: bool
    invitations: list[Invitation]
    challenges: list[Challenge]
    finished: list[Finished]
    since: Instant
    """When his visit before this one ended."""

    @property
    def waiting(self) -> int:
        """How many games wait for him."""
        return sum(game.waits for game in self.games)


class OwnGames:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self.glances = Glances(tables)

    async def of(self, account_id: int, language: str) -> Own:
        """Everything that somebody comes for, in one answer."""
        games = await self._games(account_id, language)
        since = await self._tables.club.visits.last(account_id)
        return Own(
            games[:GAMES_MOST],
            len(games) > GAMES_MOST,
            await self._invitations(account_id),
            [
                each
                for each in await self._tables.challenges.of(account_id)
                if each.to_id == account_id and each.status == "open"
            ],
            await self._finished(account_id, since),
            since,
        )

    async def _games(self, account_id: int, language: str) -> list[OwnGame]:
        found = await self._with_seats(rows.OWN_GAMES, account_id, GAMES_MOST + 1)
        seen: dict[int, Seen] = {}
        breath = Breath()
        for row, info in found:
            await breath.take()
            if info.place_of(account_id) != SPECTATOR:
                is_running = info.status == "running"
                seen[info.id] = (
                    await self.glances.of(info, row.seq, account_id, language) if is_running else Seen()
                )
        infos = {info.id: info for _, info in found}
        unread = await unread_at(
            self._tables, account_id, {table_id: each.roles for table_id, each in seen.items()}, infos
        )
        now = self._clock.now()
        games = [
            OwnGame(infos[table_id], each, unread[table_id], each.waits(now))
            for table_id, each in seen.items()
        ]
        return sorted(games, key=_urgency)

    async def _invitations(self, account_id: int) -> list[Invitation]:
        found = await self._with_seats(rows.INVITATIONS, account_id, INVITATIONS_MOST)
        asked = await self._with_seats(rows.ASKED_TO_STAND_IN, account_id, INVITATIONS_MOST)
        invited = [info for _, info in found if _has_room(info) and info.place_of(account_id) == SPECTATOR]
        hosts = await self._invited_by(account_id) if invited else {}
        wanted = [
            Invitation(info, info.host_name or "", row.wanted)
            for row, info in asked
            if await self._is_wanted(info.id, account_id, row.wanted)
        ]
        return [*wanted, *(Invitation(info, hosts.get(info.id, "")) for info in invited)]

    async def _is_wanted(self, table_id: int, account_id: int, seat: int) -> bool:
        vacancies, _ = await self._tables.standing_in.vacancies(table_id, account_id)
        return any(each.seat == seat and account_id in each.asked for each in vacancies)

    async def _invited_by(self, account_id: int) -> dict[int, str]:
        """Who has invited somebody, by table, as the notices say: the last one of several."""
        found: dict[int, str] = {}
        for row, about in await self._notices(account_id):
            if row.kind == "invitation":
                found.setdefault(about.get("table", 0), about.get("by_name") or "")
        return found

    async def _notices(self, account_id: int) -> list[tuple[Any, dict[str, Any]]]:
        """The latest notices that invite somebody or ask him to stand in, and what they say."""
        who = {"b_account_id": account_id, "b_limit": NOTICES_READ}
        found = await self._store.rows(rows.INVITATION_NOTICES, **who)
        return [(row, msgspec.json.decode(row.about)) for row in found]

    async def _finished(self, account_id: int, since: Instant) -> list[Finished]:
        found = await self._with_seats(rows.FINISHED_SINCE, account_id, FINISHED_MOST, b_since=since)
        if not found:
            return []
        ids = [info.id for _, info in found]
        meant = {
            row.table_id: row
            for row in await self._store.rows(rows.OWN_OUTCOMES, b_account_id=account_id, b_ids=ids)
        }
        return [
            Finished(info, row.rank, row.rating_before, row.rating_after)
            if (row := meant.get(info.id)) is not None
            else Finished(info, None, None, None)
            for _, info in found
        ]

    async def _with_seats(
        self, query: Query, account_id: int, limit: int, **others: Any
    ) -> list[tuple[Any, HouseTable]]:
        found = await self._store.rows(query, b_account_id=account_id, b_limit=limit, **others)
        return list(zip(found, await with_seats(self._store, found), strict=True))

    async def decline(self, table_id: int, account_id: int) -> None:
        """Say no to an invitation, or to a seat that one was asked to take over.

        Raises NoSuchTable where one was asked for neither: whether there is such a table is not said.
        """
        who = {"b_id": table_id, "b_account_id": account_id}
        is_invited = await self._store.one(rows.INVITED, **who) is not None
        if not is_invited and await self._store.one(rows.ASKED_TO, **who) is None:
            raise NoSuchTable(table=table_id)
        now = self._clock.now()
        read = [
            Write(rows.READ_NOTICE, {"b_id": row.id, "b_at": now})
            for row, about in await self._notices(account_id)
            if row.read_at is None and about.get("table") == table_id
        ]
        writes = [Write(rows.UNINVITE, who), Write(rows.STANDS_NOT_IN, who), *read]
        await self._store.commit(Unit(writes=writes, hints=[self._tables.club.notices.hint(account_id)]))


def _has_room(info: HouseTable) -> bool:
    """Whether somebody can still sit down: before the game, or in it where all come and go."""
    return info.free > 0 and (info.status == "open" or info.seats_least == 0)


def _urgency(game: OwnGame) -> tuple[Any, ...]:
    """What waits for him soonest first, then what moves soonest, then what moved last."""
    seen = game.seen
    has_begun = game.info.status == "running"
    until = FAR if seen.until is None else seen.until
    return (not game.waits, not has_begun, until, -(seen.latest_at or game.info.created_at), -game.info.id)
