"""What is due in tournaments: one node looks at each, and does what its hours say."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from typing import Any

import msgspec
import structlog

from tablee.clock import Instant
from tablee.rules.contract import Fact
from tablee.store import Conflict, StoreError, Unit, Write
from tablee.store.repeating import Repeating
from tablee.tables.admission import BY_HOUSE
from tablee.tables.errors import TableError
from tablee.tournaments import acts, rows
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardResult, BoardRow, is_closed, standing
from tablee.tournaments.entering import Entering
from tablee.tournaments.errors import NotNow, TournamentError
from tablee.tournaments.hours import DRAWN_AFTER, MINUTE, check_in_at, end_of, start_of
from tablee.tournaments.logbook import Logbook, Told, place_of
from tablee.tournaments.publishing import Publishing
from tablee.tournaments.running import Running

log = structlog.get_logger("tablee.tournaments")

LOOK_EVERY = 2_000
LEASE = 30_000
"""A tournament that one node has claimed is left alone by the others for so long."""
CLAIM_AT_MOST = 20
STEPS_MOST = 20
"""So much is done in one tournament at a time; what is left is due at once."""
PLAYING_LOOK = {"live": 5_000, "days": 60_000}
"""How often one looks whether the games of a round are over: they end without a word to the log."""


class Timekeeping:
    """Every tournament has a time at which somebody looks at it; a node that is killed loses nothing."""

    def __init__(self, book: Logbook, entering: Entering, running: Running, publishing: Publishing) -> None:
        self._book = book
        self._tables = book.tables
        self._store = book.store
        self._clock = book.clock
        self._entering = entering
        self._running = running
        self._publishing = publishing
        self._repeating = Repeating("tournaments", book.clock, self._turn, LOOK_EVERY)
        self.start = self._repeating.start
        self.stop = self._repeating.stop

    async def _turn(self) -> Instant:
        await self.sweep()
        return self._clock.now() + LOOK_EVERY

    async def sweep(self) -> int:
        """See to the tournaments whose time has come; answers how many there were. Raises Unavailable."""
        now = self._clock.now()
        claimed = await self._store.change(
            rows.CLAIM_DUE, b_now=now, b_until=now + LEASE, b_most=CLAIM_AT_MOST
        )
        for row in claimed:
            try:
                await self._see_to(row.id)
            except (NotNow, Conflict):
                continue  # somebody was faster: the lease brings it back
            except StoreError:
                raise
            except Exception:
                log.exception("tournament_not_seen_to", tournament=row.id)
        return len(claimed)

    async def _see_to(self, number: int) -> None:
        for _ in range(STEPS_MOST):
            state, boards = await self._book.state(number), await self._book.boards(number)
            await self._close_strays(number, state, boards)
            if state.stuck or not await self._step(number, state, boards):
                break
        state, boards = await self._book.state(number), await self._book.boards(number)
        again = {"b_id": number, "b_seq": state.seq, "b_due_at": self._next_look(state, boards)}
        await self._store.commit(Unit(writes=[Write(rows.LOOK_AGAIN, again)]))

    def _next_look(self, state: TournamentState, boards: list[BoardRow]) -> Instant | None:
        """When something may be due again; None where only people act."""
        now, plan = self._clock.now(), state.plan
        times: list[Instant | None] = []
        if state.status == "announced":
            times += [check_in_at(state), start_of(state, 1) if plan.timing == "live" else None]
        elif state.status == "check_in" and plan.timing == "live":
            times.append(start_of(state, 1))
        elif state.status == "running" and plan.timing != "hand":
            if not is_closed(state, boards):
                times.append(now + PLAYING_LOOK[plan.timing])
            if state.next_round <= state.rounds and plan.review_minutes >= 0:
                times.append(start_of(state, state.next_round))
                if state.draft is not None:
                    times.append(state.draft.at + plan.review_minutes * MINUTE)
        return min((at for at in times if at is not None and at > now), default=None)

    async def _step(self, number: int, state: TournamentState, boards: list[BoardRow]) -> bool:
        """Do the next thing that is due; answers whether there was one."""
        now, plan = self._clock.now(), state.plan
        if state.status == "announced" and (opens := check_in_at(state)) is not None and opens <= now:
            await self._entering.open_check_in(None, number)
            return True
        if state.status in ("announced", "check_in"):
            starts = start_of(state, 1)
            if plan.timing != "live" or starts is None or now < starts:
                return False
            return await self._tried(number, self._running.begin(None, number))
        if state.status != "running" or plan.timing == "hand":
            return False
        here = [board for board in standing(state, boards) if board.result is None]
        if plan.timing == "live" and await self._live(number, state, here):
            return True
        if plan.timing == "days" and await self._overdue(number, state, here):
            return True
        if state.published and not here and not state.published[-1].closed_at:
            await self._note(number, acts.RoundClosed(len(state.published), now))
            return True
        return await self._next_round(number, state, here)

    async def _next_round(self, number: int, state: TournamentState, here: list[BoardRow]) -> bool:
        """Draft and publish the next round, when the one before is over and organisers had their time."""
        now, plan = self._clock.now(), state.plan
        if plan.review_minutes < 0 or state.next_round > state.rounds or (here and not plan.concurrent):
            return False
        starts = start_of(state, state.next_round)
        if starts is None:
            return False
        review = plan.review_minutes * MINUTE
        if state.draft is None:
            if plan.timing == "live" and now < starts - review:
                return False
            return await self._tried(number, self._publishing.pair(None, number))
        if now < state.draft.at + review or (plan.timing == "live" and now < starts):
            return False
        return await self._tried(number, self._publishing.publish(None, number, state.draft_version))

    async def _live(self, number: int, state: TournamentState, here: list[BoardRow]) -> bool:
        """Begin the games of a round at its hour; who is not there a while after has lost."""
        if not state.published or not here:
            return False
        now, last = self._clock.now(), state.published[-1]
        if now < last.starts_at:
            return False
        for board in here:
            if board.table_id is not None:
                info = await self._tables.read_info(board.table_id)
                if info.status == "open":
                    await self._tables.creating.start(board.table_id)
        if last.awaited or now < last.starts_at + state.plan.no_show * MINUTE:
            return False
        for board in here:
            await self._await(number, state, board, last.at)
        await self._note(number, acts.Awaited(len(state.published)))
        return True

    async def _await(self, number: int, state: TournamentState, board: BoardRow, since: Instant) -> None:
        """See who has come to a board: of two who has not loses, elsewhere a robot plays on for nobody."""
        if board.table_id is None:
            return
        info = await self._tables.read_info(board.table_id)
        if info.status != "running":
            return
        there = set(await self._tables.presence.present(board.table_id))
        for row in await self._store.rows(rows.SEEN, b_table_id=board.table_id):
            if row.seen_at is not None and row.seen_at >= since:
                there.add(row.seat)
        there |= await self._tables.calling_off.who_played(board.table_id)
        absent = {
            seat: account
            for seat, account in enumerate(board.seats, 1)
            if seat not in there and account in state.entries and not state.entries[account].robot
        }
        if not absent:
            return
        fact = acts.Forfeited(board.round, board.board, tuple(absent.values()))
        if state.plan.is_duel:
            marks = tuple("-" if seat in absent else "+" for seat in (1, 2))
            await self._settle(number, board, fact, BoardResult(marks=marks), "forfeited", absent.values())
            await self._tables.calling_off.call_off(board.table_id, "board_forfeited")
            return
        strengths = self._book.rules(state.plan).robots
        if not strengths:
            return
        for seat in absent:
            taken = info.at(seat)
            if taken is not None and taken.robot is None:
                await self._tables.replacing.replace(board.table_id, seat, next(iter(strengths)), BY_HOUSE)
        gone = [acts.Substituted(board.round, board.board, seat, 0, 0) for seat in absent]
        await self._book.act_on(
            number,
            None,
            lambda _: [fact, *gone],
            told=_to_players(board, "forfeited", absent.values()),
        )

    async def _overdue(self, number: int, state: TournamentState, here: list[BoardRow]) -> bool:
        """The time of a round is over: organisers decide what runs on; much later a game for two is drawn."""
        now = self._clock.now()
        for each in sorted({board.round for board in here}):
            over = end_of(state, each)
            if now >= over and not state.published[each - 1].overdue:
                await self._note(number, acts.RoundOverdue(each), "round_overdue", {"round": each})
                return True
            if state.plan.is_duel and now >= over + DRAWN_AFTER:
                for board in here:
                    fact = acts.ResultSet(board.round, board.board, "")
                    await self._settle(number, board, fact, BoardResult(marks=("=", "=")), "result_set")
                return True
        return False

    async def _settle(
        self,
        number: int,
        board: BoardRow,
        fact: Fact,
        result: BoardResult,
        what: str,
        told_to: Iterable[int] | None = None,
    ) -> None:
        """A result by the house, where the game has none yet. Raises NotNow where it has ended just now."""
        said = msgspec.json.encode(result).decode()
        params = place_of(number, board) | {"b_result": said, "b_version": board.version}
        await self._book.act_on(
            number,
            None,
            lambda _: [fact],
            also=[Write(rows.SET_RESULT, params, expect=1)],
            told=_to_players(board, what, board.seats if told_to is None else told_to),
        )

    async def _close_strays(self, number: int, state: TournamentState, boards: list[BoardRow]) -> None:
        """Tables whose board is decided or gone are closed, though who decided it was killed before."""
        stands = {(board.round, board.attempt, board.board): board for board in standing(state, boards)}
        tables = {(board.round, board.attempt, board.board): board.table_id for board in boards}
        for row in await self._store.rows(rows.PLAYING, b_id=number):
            key = (row.round, row.attempt, row.board)
            table_id = tables.get(key)
            if table_id is None:
                continue
            if state.status == "cancelled":
                await self._tables.calling_off.call_off(table_id, "tournament_cancelled")
            elif key not in stands:
                await self._tables.calling_off.call_off(table_id, "round_undone")
            elif stands[key].result is not None:
                await self._tables.calling_off.call_off(table_id, "board_forfeited")

    async def _tried(self, number: int, act: Awaitable[object]) -> bool:
        """Do it; where it cannot be done, organisers are told why, and it is not tried again."""
        try:
            await act
        except NotNow:
            raise
        except (TournamentError, TableError) as error:
            await self._note(number, acts.Stuck(error.code), "stuck", {"why": error.code})
        return True

    async def _note(
        self, number: int, fact: Fact, what: str = "", about: dict[str, Any] | None = None
    ) -> None:
        """What the house has seen; its organisers are told where they must do something."""
        told: Told | None = None
        if what:

            def told(state: TournamentState) -> dict[int, tuple[str, dict[str, Any]]]:
                return {account: (what, about or {}) for account in state.organisers}

        await self._book.act_on(number, None, lambda _: [fact], told=told)


def _to_players(board: BoardRow, what: str, accounts: Iterable[int]) -> Told:
    """Tell those of some accounts who are people what has become of their board."""

    def told(state: TournamentState) -> dict[int, tuple[str, dict[str, Any]]]:
        about = {"round": board.round, "board": board.board}
        return {
            account: (what, about)
            for account in accounts
            if account in state.entries and not state.entries[account].robot
        }

    return told
