"""The next round: drafted, moved by organisers, published in one transaction, undone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from msgspec.structs import replace

from tablee.club.people import Account
from tablee.rules.contract import Fact
from tablee.store import Conflict, Duplicate, Hint, Unit
from tablee.tournaments import acts
from tablee.tournaments.acts import TournamentState, evolve
from tablee.tournaments.boards import (
    BoardResult,
    BoardRow,
    is_closed,
    standing,
)
from tablee.tournaments.drafting import drafted, still_holds, warnings
from tablee.tournaments.errors import BadTournament, NotNow, TournamentError
from tablee.tournaments.hours import start_of
from tablee.tournaments.logbook import Logbook
from tablee.tournaments.pairing.history import NoPairing
from tablee.tournaments.rights import must_be, must_organise
from tablee.tournaments.seating import add_board, close_tables


class Publishing:
    """Rounds, from the pairing to the tables."""

    def __init__(self, book: Logbook) -> None:
        self._book = book
        self._tables = book.tables
        self._clock = book.clock
        self._club = book.club

    async def pair(self, who: Account | None, number: int, request_id: str | None = None) -> TournamentState:
        """Draft the next round, beside the event loop. Raises NotNow, TournamentError `no_pairing`."""
        state, boards = await self._book.state(number), await self._book.boards(number)
        must_organise(state, who)
        self._must_be_next(state, boards)
        rules = self._book.rules(state.plan)
        try:
            draft = await asyncio.to_thread(drafted, state, rules, boards, time.thread_time)
        except NoPairing:
            raise TournamentError("no_pairing") from None

        def decide(now: TournamentState) -> list[Fact]:
            if now.seq != state.seq:
                raise NotNow("busy")
            return [replace(draft, at=self._clock.now())]

        return await self._book.act_on(number, who, decide, request_id)

    async def move(
        self, who: Account, number: int, draft: acts.Drafted, version: int, request_id: str | None = None
    ) -> TournamentState:
        """The draft as an organiser has changed it; raises NotNow where it is not the one he saw."""

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            if state.draft is None:
                raise NotNow("no_draft")
            if state.draft_version != version:
                raise NotNow("stale_draft")
            if state.plan.format == "knockout":
                raise NotNow("bracket_fixed")
            self._must_fit(state, draft)
            return [replace(draft, round=state.next_round, by_hand=True, at=self._clock.now())]

        return await self._book.act_on(number, who, decide, request_id)

    def warnings(
        self, state: TournamentState, boards: Sequence[BoardRow]
    ) -> list[tuple[str, tuple[int, ...]]]:
        """What organisers should look at in their draft."""
        return [] if state.draft is None else warnings(state, boards, state.draft)

    def _must_fit(self, state: TournamentState, draft: acts.Drafted) -> None:
        """Everybody stands once, at boards of a size that the game has."""
        seated = [account for board in draft.boards for account in board if account or not state.plan.fill]
        named = [*seated, *draft.byes, *draft.absent]
        active = {entry.account for entry in state.active}
        least, most = (2, 2) if state.plan.is_duel else state.plan.board_sizes(self._book.rules(state.plan))
        faults = {
            "missing": sorted(active - set(named)),
            "twice": sorted({account for account in named if named.count(account) > 1}),
            "unknown": sorted(set(named) - active),
            "sizes": [
                index for index, board in enumerate(draft.boards, 1) if not least <= len(board) <= most
            ],
        }
        if any(faults.values()):
            said = {what: ", ".join(map(str, found)) or "–" for what, found in faults.items()}
            raise BadTournament("bad_draft", field="boards", **said)

    def _must_be_next(self, state: TournamentState, boards: Sequence[BoardRow]) -> None:
        must_be(state, "running")
        if not state.plan.concurrent and not is_closed(state, boards):
            raise NotNow("round_open", round=len(state.published))
        if state.next_round > state.rounds:
            raise NotNow("no_more_rounds")

    # Why: docs/decisions.md#a-round-is-one-transaction
    async def publish(
        self, who: Account | None, number: int, version: int, request_id: str | None = None
    ) -> TournamentState:
        """Make the drafted round: its fact, boards, tables with seats and notices in one transaction.

        Who comes second, on whichever node, finds the round there. Raises NotNow, Illegal.
        """
        state, boards = await self._book.state(number), await self._book.boards(number)
        must_organise(state, who)
        if request_id is not None and await self._book.was_done(number, who, request_id):
            return state
        self._must_be_next(state, boards)
        draft = state.draft
        if draft is None:
            raise NotNow("no_draft")
        if state.draft_version != version or not still_holds(state, boards, draft):
            raise NotNow("stale_draft")
        attempt = state.attempts.get(draft.round, 0) + 1
        now = self._clock.now()
        starts_at = max(now, start_of(state, draft.round) or 0) if state.plan.timing == "live" else now
        fact = acts.Published(draft.round, attempt, draft.byes, draft.absent, now, starts_at)
        after = evolve(state, fact, state.seq + 1)
        unit = Unit(writes=self._book.moved_on(number, state, after, who, [fact], request_id))
        unit.hints.append(Hint("tournament", number, after.seq))
        playing = {0, *(entry.account for entry in state.active)}
        for index, seats in enumerate(draft.boards, 1):
            board = BoardRow(draft.round, attempt, index, tuple(seats), None, None, 0)
            if playing.isdisjoint(seats) or (state.plan.is_duel and not playing.issuperset(seats)):
                marks = tuple("+" if account in playing else "-" for account in seats)
                board = board._replace(result=BoardResult(marks=marks))
            await add_board(self._book, unit, number, after, board, starts_at)
        for account in draft.byes:
            await self._book.tell(unit, number, state, account, "bye", {"round": draft.round})
        try:
            await self._book.store.commit(unit)
        except (Conflict, Duplicate):
            there = await self._book.state(number)
            if there.attempts.get(draft.round, 0) >= attempt:
                return there  # another node, or a first try of this one, has published it
            raise NotNow("busy") from None
        return after

    async def undo(self, who: Account, number: int, reason: str, request_id: str | None = None) -> None:
        """Take the last round back, while nobody has made a move in it; its tables are closed unrated."""
        boards = await self._book.boards(number)
        gone: list[BoardRow] = []

        async def check(state: TournamentState) -> None:
            must_organise(state, who)
            must_be(state, "running")
            if not state.published:
                raise NotNow("no_round", round=1)
            gone[:] = [board for board in standing(state, boards) if board.round == len(state.published)]
            for board in gone:
                if board.result is not None and not board.result.by and board.table_id is not None:
                    raise NotNow("moved_already", board=board.board)
                if board.table_id is not None and await self._tables.calling_off.was_played(board.table_id):
                    raise NotNow("moved_already", board=board.board)

        await check(await self._book.state(number))

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            return [acts.Undone(len(state.published), reason)]

        await self._book.act_on(number, who, decide, request_id)
        await close_tables(self._tables, gone, "round_undone")
