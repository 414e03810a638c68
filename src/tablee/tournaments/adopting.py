"""A finished table of entrants becomes a board, wherever and over whichever door it was played."""

from __future__ import annotations

from tablee.club.people import Account
from tablee.rules.contract import Fact, Result
from tablee.store import Duplicate, Write
from tablee.tables import HouseTable
from tablee.tables.roles import holders
from tablee.tournaments import acts, rows
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardResult, BoardRow, result_of, row_of, standing
from tablee.tournaments.errors import BadTournament, NotNow
from tablee.tournaments.logbook import Logbook
from tablee.tournaments.rights import must_be, must_organise


class Adopting:
    def __init__(self, book: Logbook) -> None:
        self._book = book

    async def adopt(
        self, who: Account, number: int, round_number: int, board_number: int, table_id: int, reason: str
    ) -> None:
        """Count a finished table as a board of a round: one that was paired and has no table, or a new one.

        Everybody at it has entered and sits at no other board of the round. Raises NotNow, BadTournament.
        """
        book = self._book
        state, boards = await book.state(number), await book.boards(number)
        must_organise(state, who)
        must_be(state, "running")
        if not 1 <= round_number <= len(state.published):
            raise NotNow("no_round", round=round_number)
        seats, result = await self._played(state, table_id)
        own = [board for board in standing(state, boards) if board.round == round_number]
        there = next((board for board in own if board.board == board_number), None)
        if there is not None:
            if there.table_id is not None or there.result is not None:
                raise NotNow("board_taken", board=board_number)
            if set(there.seats) != set(seats):
                raise BadTournament("other_people", field="table")
        else:
            if state.plan.format != "boards":
                raise NotNow("no_board", board=board_number)
            seated = {account for board in own for account in board.seats if account}
            if seated & set(seats):
                raise NotNow("seated_already")
        write = self._write(number, state, round_number, board_number, table_id, (seats, result), there)

        def decide(now: TournamentState) -> list[Fact]:
            must_organise(now, who)
            if len(now.published) != len(state.published):
                raise NotNow("busy")
            return [acts.Adopted(round_number, board_number, table_id, reason)]

        try:
            await book.act_on(number, who, decide, also=[write], once=True)
        except Duplicate:
            raise NotNow("adopted_already") from None

    async def _played(self, state: TournamentState, table_id: int) -> tuple[tuple[int, ...], BoardResult]:
        """Who played there, in the order of roles or seats, and how it ended."""
        tables, plan = self._book.tables, state.plan
        info = await tables.read_info(table_id)
        if (info.game, info.variant) != (plan.game, plan.variant):
            raise BadTournament("other_game", field="table")
        if info.status != "over" or info.result is None or info.is_void:
            raise NotNow("table_not_over")
        loaded = await tables.open(table_id)
        order = holders(loaded) or tuple(sorted(taken.seat for taken in info.seats))
        seats = tuple(_account(state, info, seat) for seat in order)
        result = result_of(len(order), _by_place(info.result, order))
        if result is None:
            raise NotNow("table_not_over")
        plays = [account for account in seats if account]
        strangers = [account for account in plays if not _has_entered(state, account)]
        if strangers or not plays:
            raise BadTournament("strangers", field="table", accounts=", ".join(map(str, strangers)) or "–")
        least, most = (2, 2) if plan.is_duel else plan.board_sizes(tables.rules(plan.game, plan.variant))
        if not least <= len(seats) <= most or len(set(plays)) < len(plays):
            raise BadTournament("bad_size", field="table")
        return seats, result

    def _write(
        self,
        number: int,
        state: TournamentState,
        round_number: int,
        board_number: int,
        table_id: int,
        played: tuple[tuple[int, ...], BoardResult],
        there: BoardRow | None,
    ) -> Write:
        attempt = state.published[round_number - 1].attempt
        board = BoardRow(round_number, attempt, board_number, played[0], table_id, played[1], 1)
        row = row_of(number, board)
        if there is None:
            return Write(rows.ADD_BOARD, row)
        return Write(
            rows.ADOPT,
            {f"b_{name}": value for name, value in row.items() if name not in ("tournament_id", "version")}
            | {"b_id": number, "b_version": there.version},
            expect=1,
        )


def _account(state: TournamentState, info: HouseTable, seat: int) -> int:
    """Who sat there at the end; 0 for a robot that has not entered, or where nobody did."""
    taken = info.at(seat)
    if taken is None or (taken.robot is not None and taken.account_id not in state.entries):
        return 0
    return taken.account_id


def _has_entered(state: TournamentState, account: int) -> bool:
    entry = state.entries.get(account)
    return entry is not None and not entry.waits


def _by_place(result: Result, order: tuple[int, ...]) -> Result:
    """The same end with the seats in this order: board seat n is role n."""
    return Result(
        ranks={place: result.ranks[seat] for place, seat in enumerate(order, 1) if seat in result.ranks},
        reason=result.reason,
        scores={place: result.scores[seat] for place, seat in enumerate(order, 1) if seat in result.scores},
        tally=result.tally,
    )
