"""The logs of all tournaments: what this node has read, and how an act is written at the end of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from tablee.club.people import Account
from tablee.rules.contract import Fact, Rules
from tablee.store import Conflict, Duplicate, Hint, Unit, Write
from tablee.tables import Tables
from tablee.tournaments import acts, rows
from tablee.tournaments.acts import TournamentState, evolve, rebuilt
from tablee.tournaments.boards import BoardResult, BoardRow, entrants_of
from tablee.tournaments.errors import NoSuchTournament, NotNow
from tablee.tournaments.plan import Plan, public
from tablee.tournaments.rights import must_see
from tablee.tournaments.standings import Line, standings

READ_MOST = 200
"""Tournaments of which a node remembers what it has read."""
TRIES = 20
"""How often somebody who lost the race for the log decides again."""

Decide = Callable[[TournamentState], Sequence[Fact]]
Told = Callable[[TournamentState], dict[int, tuple[str, dict[str, Any]]]]


class Logbook:
    """What a log says is read once and then only its end; what is written is written at the seq one saw."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.clock = tables.clock
        self.club = tables.club
        self._read: dict[int, TournamentState] = {}
        self.store.on_restored(self._read.clear)

    async def state(self, tournament_id: int) -> TournamentState:
        """All that the log says; raises NoSuchTournament."""
        known = self._read.get(tournament_id)
        found = await self.store.rows(
            rows.ACTS, b_id=tournament_id, b_after=0 if known is None else known.seq
        )
        if known is None and not found:
            raise NoSuchTournament()
        state = rebuilt(((row.seq, row.facts) for row in found), known)
        if known is None and len(self._read) >= READ_MOST:
            self._read.clear()
        self._read[tournament_id] = state
        return state

    def known(self, tournament_id: int) -> TournamentState | None:
        """What this node has read of it so far, perhaps not the latest."""
        return self._read.get(tournament_id)

    async def boards(self, tournament_id: int) -> list[BoardRow]:
        """Every board that was ever published, undone ones too."""
        return [board_of(row) for row in await self.store.rows(rows.BOARDS, b_id=tournament_id)]

    def lines(self, state: TournamentState, boards: Sequence[BoardRow]) -> list[Line]:
        rules = self.rules(state.plan)
        return standings(entrants_of(state, rules, boards), state.plan.counting(rules), len(state.published))

    def rules(self, plan: Plan) -> Rules[Any]:
        return self.tables.rules(plan.game, plan.variant)

    async def act_on(
        self,
        number: int,
        who: Account | None,
        decide: Decide,
        request_id: str | None = None,
        *,
        also: Sequence[Write] = (),
        told: Told | None = None,
        once: bool = False,
    ) -> TournamentState:
        """Decide, and write what follows at the end of the log; who loses the race decides again.

        Where `also` may meet a row that is there, `once` lets its Duplicate through.
        """
        for _ in range(TRIES):
            state = await self.state(number)
            if request_id is not None and await self.was_done(number, who, request_id):
                return state
            must_see(state, who)
            facts = list(decide(state))
            if not facts:
                return state
            after = state
            for fact in facts:
                after = evolve(after, fact, state.seq + 1)
            unit = Unit(writes=[*self.moved_on(number, state, after, who, facts, request_id), *also])
            unit.hints.append(Hint("tournament", number, after.seq))
            for account, (what, about) in (told(after) if told is not None else {}).items():
                await self.tell(unit, number, after, account, what, about)
            for fact in facts:
                if isinstance(fact, acts.MovedUp):
                    await self.tell(unit, number, after, fact.account, "moved_up", {})
            try:
                await self.store.commit(unit)
            except Duplicate as duplicate:
                if "name_key" in duplicate.columns:
                    raise NotNow("name_taken", name=after.plan.name) from None
                if once and "seq" not in duplicate.columns:
                    raise
                continue
            except Conflict:
                continue
            return after
        raise NotNow("busy")

    async def was_done(self, number: int, who: Account | None, request_id: str) -> bool:
        if who is None:
            return False
        found = await self.store.one(
            rows.REQUESTED, b_id=number, b_account_id=who.id, b_request_id=request_id
        )
        return found is not None

    def moved_on(
        self,
        number: int,
        state: TournamentState,
        after: TournamentState,
        who: Account | None,
        facts: Sequence[Fact],
        request_id: str | None,
    ) -> list[Write]:
        row = {
            "b_id": number,
            "b_seq": state.seq,
            "b_status": after.status,
            "b_name_key": name_key(after.plan.name),
            # What follows from an act is found by looking; a draft has no life yet.
            "b_due_at": None if after.status == "draft" else self.clock.now(),
        }
        act = self.act(number, state.seq + 1, None if who is None else who.id, facts, request_id)
        return [Write(rows.MOVE_ON, row, expect=1), act]

    def act(
        self, number: int, seq: int, who: int | None, facts: Sequence[Fact], request_id: str | None
    ) -> Write:
        return Write(
            rows.ADD_ACT,
            {
                "tournament_id": number,
                "seq": seq,
                "at": self.clock.now(),
                "account_id": who,
                "facts": msgspec.json.encode(facts).decode(),
                "request_id": request_id,
            },
        )

    async def tell(
        self, unit: Unit, number: int, state: TournamentState, account: int, what: str, about: dict[str, Any]
    ) -> None:
        """Leave somebody a notice in this transaction."""
        said = {"tournament": number, "name": state.plan.name, "what": what, **about}
        unit.writes += await self.club.notices.add_writes(account, "tournament", said)
        unit.hints.append(self.club.notices.hint(account))

    async def rating(self, account_id: int, plan: Plan) -> int:
        found = await self.club.ratings.standing(account_id, plan.game, plan.variant)
        return found.rating


def public_fact(fact: dict[str, Any]) -> dict[str, Any]:
    return fact | {"plan": public(fact["plan"])} if "plan" in fact else fact


def name_key(name: str) -> str:
    return " ".join(name.split()).casefold()


def place_of(number: int, board: BoardRow) -> dict[str, Any]:
    return {"b_id": number, "b_round": board.round, "b_attempt": board.attempt, "b_board": board.board}


def board_of(row: Any) -> BoardRow:
    return BoardRow(
        row.round,
        row.attempt,
        row.board,
        tuple(msgspec.json.decode(row.seats, type=list[int])),
        row.table_id,
        None if row.result is None else msgspec.json.decode(row.result, type=BoardResult),
        row.version,
    )
