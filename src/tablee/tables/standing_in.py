"""Somebody else for whoever is always late: asked by the master, without one by most of the other players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import bindparam, delete, select

from tablee.club import Account
from tablee.club.people import COLUMNS, account_of
from tablee.rules.contract import Seat
from tablee.store import Query, Unit, Write, upsert
from tablee.store.schema import account, stand_in_vote
from tablee.tables.admission import BY_HOUSE, refuse_at_tournament
from tablee.tables.errors import NotSeated, TableError
from tablee.tables.info import TOURNAMENT, HouseTable, SeatInfo

if TYPE_CHECKING:
    from tablee.tables.hall import Tables
    from tablee.tables.loaded import LoadedTable

ASKED = 0
"""Who votes with this number is the table itself: the candidate was asked."""
CANDIDATES_MOST = 50

_READY = Query(
    select(*COLUMNS)
    .where(account.c.stand_in, account.c.kind == "member", account.c.deleted_at.is_(None))
    .order_by(account.c.seen_at.desc())
    .limit(CANDIDATES_MOST)
)
_VOTES = Query(select(stand_in_vote).where(stand_in_vote.c.table_id == bindparam("which")))
_VOTE = Query(upsert(stand_in_vote))
_SETTLED = Query(
    delete(stand_in_vote).where(
        stand_in_vote.c.table_id == bindparam("which"), stand_in_vote.c.seat == bindparam("place")
    )
)


class Vacancy(msgspec.Struct, frozen=True):
    """A seat whose player is always late, who was asked for it, and who is wanted by how many."""

    seat: Seat
    asked: tuple[int, ...]
    votes: dict[int, int]
    """By account of the candidate."""
    needed: int
    """Votes that ask somebody; 0 where the master does."""


class StandingIn:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._club = tables.club

    async def vacancies(self, table_id: int, by: int) -> tuple[list[Vacancy], list[Account]]:
        """The seats for which `by` may ask somebody, and who is ready; or those that he was asked for.

        Nobody else is told of any. Raises NoSuchTable.
        """
        loaded = await self._tables.open(table_id)
        found = await self._found(loaded)
        asked = [each for each in found if by in each.asked]
        if not self._decides(loaded.info, by):
            return asked, []
        ready = await self._ready(loaded.info) if found else []
        own = loaded.info.seat_of(by)
        return [each for each in found if own is None or each.seat != own.seat], ready

    async def ask(self, table_id: int, by: int, seat: Seat, candidate: Account) -> bool:
        """Ask somebody to go on in a seat, or vote for it; answers whether he was asked now.

        Raises NotSeated, NotAdmitted, TableError.
        """
        loaded = await self._tables.open(table_id)
        info = loaded.info
        refuse_at_tournament(info)
        if not self._decides(info, by):
            raise NotSeated()
        vacancy = next((each for each in await self._found(loaded) if each.seat == seat), None)
        own = info.seat_of(by)
        if vacancy is None or (own is not None and own.seat == seat):
            raise TableError("no_stand_in_needed")
        if candidate.id not in {each.id for each in await self._ready(info)}:
            raise TableError("not_ready_to_stand_in", name=candidate.pseudo)
        if candidate.id in vacancy.asked:
            return False
        row = {"table_id": table_id, "seat": seat, "candidate_id": candidate.id}
        if info.master_id is None:
            await self._store.commit(Unit(writes=[Write(_VOTE, {**row, "voter_id": by})]))
            vacancy = next(each for each in await self._found(loaded) if each.seat == seat)
            if vacancy.votes.get(candidate.id, 0) < vacancy.needed:
                return False
        about = {"table": table_id, "name": info.name, "game": info.game, "variant": info.variant}
        notice = await self._club.notices.add_writes(candidate.id, "stand_in", about)
        writes = [Write(_VOTE, {**row, "voter_id": ASKED}), *notice]
        await self._store.commit(Unit(writes=writes, hints=[self._club.notices.hint(candidate.id)]))
        return True

    async def accept(self, table_id: int, account_id: int, seat: Seat) -> SeatInfo:
        """Go on in a seat for which one was asked. Raises NotAdmitted, TableError, Illegal."""
        loaded = await self._tables.open(table_id)
        refuse_at_tournament(loaded.info)
        if not any(each.seat == seat and account_id in each.asked for each in await self._found(loaded)):
            raise TableError("no_stand_in_needed")
        taken = await self._tables.replacing.replace(table_id, seat, account_id, BY_HOUSE)
        await self._store.commit(Unit(writes=[Write(_SETTLED, {"which": table_id, "place": seat})]))
        return taken

    def _decides(self, info: HouseTable, by: int) -> bool:
        """The master; without one whoever plays."""
        if info.master_id is not None:
            return by == info.master_id
        return any(taken.account_id == by for taken in _players(info))

    async def _found(self, loaded: LoadedTable) -> list[Vacancy]:
        if loaded.state is None or loaded.is_over or loaded.info.door == TOURNAMENT:
            return []
        late = loaded.rules.absentees(loaded.state)
        if not late:
            return []
        votes = await self._store.rows(_VOTES, which=loaded.info.id)
        found = []
        for seat in sorted(late):
            voters = {taken.account_id for taken in _players(loaded.info) if taken.seat != seat}
            counted: dict[int, int] = {}
            for vote in votes:
                if vote.seat == seat and vote.voter_id in voters:
                    counted[vote.candidate_id] = counted.get(vote.candidate_id, 0) + 1
            asked = tuple(vote.candidate_id for vote in votes if vote.seat == seat and vote.voter_id == ASKED)
            needed = 0 if loaded.info.master_id is not None else len(voters) // 2 + 1
            found.append(Vacancy(seat, asked, counted, needed))
        return found

    async def _ready(self, info: HouseTable) -> list[Account]:
        """Members who like to take over, and are not at this table."""
        here = {taken.account_id for taken in info.seats} | {info.master_id}
        now = self._tables.clock.now()
        people = [account_of(row) for row in await self._store.rows(_READY)]
        return [each for each in people if each.id not in here and not each.is_shut_out(now)]


def _players(info: HouseTable) -> list[SeatInfo]:
    return [taken for taken in info.taken if taken.robot is None and taken.left_at is None]
