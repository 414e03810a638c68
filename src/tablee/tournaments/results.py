"""How boards end: as their game says, or an organiser."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from tablee.club.people import Account
from tablee.rules.contract import Fact, Result
from tablee.store import Hint, Unit, Write
from tablee.tables import HouseTable
from tablee.tournaments import acts, rows
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import (
    BadResult,
    BoardResult,
    BoardRow,
    checked,
    result_of,
    standing,
)
from tablee.tournaments.errors import BadBoard, NotNow
from tablee.tournaments.logbook import Logbook, board_of, place_of
from tablee.tournaments.matches import Matches
from tablee.tournaments.rights import must_be, must_not_own, must_organise
from tablee.tournaments.seating import DOOR, OWN_REASONS


class Results:
    """A result is a row of its board; the log has who set one by hand, and why."""

    def __init__(self, book: Logbook, matches: Matches) -> None:
        self._book, self._matches = book, matches
        self._tables = book.tables
        self._clock = book.clock
        self._club = book.club

    async def game_ended(self, info: HouseTable, result: Result) -> tuple[list[Write], list[Hint]]:
        """What the last move of a table means to its board, unless an organiser has said something before."""
        if info.door != DOOR:
            return [], []
        row = await self._book.store.one(rows.BOARD_OF_TABLE, b_table_id=info.id)
        if row is None:
            return [], []
        board = board_of(row)
        found = result_of(len(board.seats), result)
        if found is None:
            return await self._left_to_organisers(row.tournament_id, board, result)
        params = place_of(row.tournament_id, board) | {"b_result": msgspec.json.encode(found).decode()}
        return [Write(rows.GAME_ENDED, params)], [Hint("tournament", row.tournament_id, 0)]

    async def _left_to_organisers(
        self, number: int, board: BoardRow, result: Result
    ) -> tuple[list[Write], list[Hint]]:
        """A table is void: its organisers are told that the board awaits their word, unless they did it."""
        if result.reason in OWN_REASONS or board.result is not None:
            return [], []
        state = await self._book.state(number)
        unit = Unit()
        for account in state.organisers:
            about = {"round": board.round, "board": board.board}
            await self._book.tell(unit, number, state, account, "board_left", about)
        return unit.writes, unit.hints

    async def set_result(
        self,
        who: Account,
        number: int,
        round_number: int,
        board_number: int,
        given: BoardResult,
        reason: str,
        request_id: str | None = None,
    ) -> None:
        """How a board ended, as an organiser says: in the room, of a game that was void, or put right.

        Raises NotNow for a running game, and after the next round was published, except to administrators.
        """
        boards = await self._book.boards(number)
        state = await self._book.state(number)
        must_organise(state, who)
        if request_id is not None and await self._book.was_done(number, who, request_id):
            return
        must_be(state, "running", "over")
        if not 1 <= round_number <= len(state.published):
            raise NotNow("no_round", round=round_number)
        board = next(
            (
                each
                for each in standing(state, boards)
                if (each.round, each.board) == (round_number, board_number)
            ),
            None,
        )
        if board is None:
            raise NotNow("no_board", board=board_number)
        must_not_own(state, who, board.seats)
        settled = round_number < len(state.published) or state.status == "over"
        if state.plan.format == "knockout" and state.status == "running":
            settled = await self._matches.goes_on_from(state, boards, board)
        if settled and not who.is_administrator:
            raise NotNow("result_settled")
        if board.table_id is not None:
            info = await self._tables.read_info(board.table_id)
            if info.status in ("open", "running"):
                raise NotNow("board_running", board=board_number)
        try:
            result = checked(state.plan, self._book.rules(state.plan), len(board.seats), given)
        except BadResult as error:
            raise BadBoard(error.said) from None
        said = msgspec.json.encode(replace(result, by=who.id)).decode()
        params = place_of(number, board) | {"b_result": said, "b_version": board.version}
        write = Write(rows.SET_RESULT, params, expect=1)

        def decide(now: TournamentState) -> list[Fact]:
            must_organise(now, who)
            if len(now.published) != len(state.published):
                raise NotNow("busy")
            return [acts.ResultSet(round_number, board_number, reason)]

        after = await self._book.act_on(
            number,
            who,
            decide,
            request_id,
            also=[write],
            told=lambda _: {
                account: ("result_set", {"round": round_number, "board": board_number, "reason": reason})
                for account in board.seats
                if account and not state.entries[account].robot
            },
        )
        await self._matches.redraw(number, after, boards)
