"""Somebody, or a robot, goes on for an entrant at a board."""

from __future__ import annotations

from tablee.club.people import Account
from tablee.rules.contract import Fact, Seat
from tablee.tables.admission import BY_HOUSE
from tablee.tournaments import acts
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardRow, standing
from tablee.tournaments.errors import NotNow, TournamentError
from tablee.tournaments.logbook import Logbook
from tablee.tournaments.rights import must_be, must_not_own, must_organise


class Substituting:
    """Who sits at the end has what the board is worth, unless organisers say otherwise."""

    def __init__(self, book: Logbook) -> None:
        self._book = book
        self._tables = book.tables
        self._clock = book.clock
        self._club = book.club

    async def substitute(
        self,
        who: Account,
        number: int,
        round_number: int,
        board_number: int,
        seat: Seat,
        newcomer: int | str,
        *,
        for_paired: bool = False,
        reason: str = "",
        request_id: str | None = None,
    ) -> None:
        """A member, or a robot by strength, goes on in a seat; `for_paired` leaves the points as they were.

        A robot scores for nobody. Raises NotNow, TournamentError, and what replacing at a table raises.
        """
        state, boards = await self._book.state(number), await self._book.boards(number)
        must_organise(state, who)
        must_be(state, "running")
        if request_id is not None and await self._book.was_done(number, who, request_id):
            return
        board = _board_of(state, boards, round_number, board_number)
        must_not_own(state, who, board.seats)
        if board.result is not None or seat > len(board.seats):
            raise NotNow("no_board", board=board_number)
        entry: acts.Entered | None = None
        if isinstance(newcomer, int):
            self._must_be_free(state, boards, round_number, newcomer)
            whom = await self._club.accounts.by_id(newcomer)
            if not whom.is_member:
                raise TournamentError("members_only")
            if newcomer not in state.entries:
                rating = await self._book.rating(newcomer, state.plan)
                entry = acts.Entered(newcomer, rating, self._clock.now())
        sits = await self._seated(board, seat, newcomer)
        scorer = board.seats[seat - 1] if for_paired else newcomer if isinstance(newcomer, int) else 0

        def decide(now: TournamentState) -> list[Fact]:
            must_organise(now, who)
            facts: list[Fact] = [acts.Substituted(round_number, board_number, seat, sits, scorer, reason)]
            if entry is not None and not for_paired and entry.account not in now.entries:
                # He plays this board and no other: a round of his own he has only by entering.
                facts = [entry, acts.Withdrawn(entry.account, now.next_round), *facts]
            return facts

        about = {"round": round_number, "board": board_number}
        people = {*board.seats, *([newcomer] if isinstance(newcomer, int) else [])}
        await self._book.act_on(
            number,
            who,
            decide,
            request_id,
            told=lambda after: {
                account: ("substituted", about)
                for account in people
                if account and (account not in after.entries or not after.entries[account].robot)
            },
        )

    def _must_be_free(
        self, state: TournamentState, boards: list[BoardRow], round_number: int, account: int
    ) -> None:
        """Nobody plays two boards of a round."""
        for board in standing(state, boards):
            if board.round == round_number and account in board.seats:
                raise NotNow("plays_already", board=board.board)
        if account in state.published[round_number - 1].scorers.values():
            raise NotNow("plays_already", board=0)

    async def _seated(self, board: BoardRow, seat: Seat, newcomer: int | str) -> int:
        """Put him into the seat, unless he sits there already: a first try may have got so far."""
        if board.table_id is None:
            return newcomer if isinstance(newcomer, int) else 0
        taken = (await self._tables.read_info(board.table_id)).at(seat)
        if taken is None or newcomer not in (taken.account_id, taken.robot):
            taken = await self._tables.replacing.replace(board.table_id, seat, newcomer, BY_HOUSE)
        return taken.account_id


def _board_of(
    state: TournamentState, boards: list[BoardRow], round_number: int, board_number: int
) -> BoardRow:
    for board in standing(state, boards):
        if (board.round, board.board) == (round_number, board_number):
            return board
    raise NotNow("no_board", board=board_number)
