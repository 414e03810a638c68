"""Matches of a knockout on their way: the next game when one is over, a bracket drawn anew."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.club.people import Account
from tablee.rules.contract import Fact
from tablee.store import Conflict, Duplicate, Hint, Unit, Write
from tablee.tournaments import acts, rows
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardRow, due_games, matches_of, standing
from tablee.tournaments.errors import BadTournament, NotNow
from tablee.tournaments.knockout import followers
from tablee.tournaments.logbook import Logbook
from tablee.tournaments.rights import must_be, must_organise
from tablee.tournaments.seating import add_board, close_tables

TRIES = 20
"""How often a node that was not the first to make a game looks again."""


class Matches:
    def __init__(self, book: Logbook) -> None:
        self._book = book
        self._looking: set[int] = set()
        book.store.bus.subscribe("tournament", self._heard)

    async def seed(
        self, who: Account, number: int, accounts: Sequence[int], request_id: str | None = None
    ) -> None:
        """List the seeds of a knockout, the best first, until its first round is published.

        Who is not listed follows by rating or by lot. Raises BadTournament `bad_seeds`, NotNow.
        """

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            must_be(state, "announced", "running")
            if state.plan.format != "knockout" or state.published:
                raise NotNow("bracket_fixed")
            entered = {entry.account for entry in state.entries.values() if not entry.waits}
            unknown = sorted(set(accounts) - entered)
            twice = sorted({each for each in accounts if accounts.count(each) > 1})
            if unknown or twice:
                said = {"unknown": unknown, "twice": twice}
                raise BadTournament(
                    "bad_seeds",
                    field="accounts",
                    **{what: ", ".join(map(str, found)) or "–" for what, found in said.items()},
                )
            return [acts.Seeded(tuple(accounts))]

        await self._book.act_on(number, who, decide, request_id)

    # --- games that follow --------------------------------------------------------------------------------

    def _heard(self, key: int | str, _: int | str) -> None:
        """Something has happened in a tournament: perhaps a match wants its next game."""
        number = int(key)
        known = self._book.known(number)
        if number in self._looking or (known is not None and known.plan.format != "knockout"):
            return
        self._looking.add(number)
        self._book.tables.spawn(self._look(number), f"games of tournament {number}")

    async def _look(self, number: int) -> None:
        self._looking.discard(number)
        await self.play_on(number)

    async def catch_up(self) -> None:
        """Make what a node that fell between two games of a match could not make."""
        for row in await self._book.store.rows(rows.RUNNING):
            if (await self._book.state(row.id)).plan.format == "knockout":
                await self.play_on(row.id)

    async def play_on(self, number: int) -> int:
        """Make every game that a match still wants; answers how many. Whichever node is first makes them."""
        for _ in range(TRIES):
            state, boards = await self._book.state(number), await self._book.boards(number)
            games = due_games(state, boards)
            if not games:
                return 0
            try:
                await self._book.store.commit(await self._made(number, state, games))
            except (Conflict, Duplicate):
                continue
            return len(games)
        return 0

    async def _made(self, number: int, state: TournamentState, games: Sequence[BoardRow]) -> Unit:
        # Only while the log is as it was read: a round that is undone has no further games.
        still = {"b_id": number, "b_seq": state.seq}
        unit = Unit(
            writes=[Write(rows.STILL, still, expect=1)], hints=[Hint("tournament", number, state.seq)]
        )
        for game in games:
            await add_board(self._book, unit, number, state, game, self._book.clock.now())
        return unit

    # --- results that are put right -----------------------------------------------------------------------

    async def goes_on_from(self, state: TournamentState, boards: Sequence[BoardRow], board: BoardRow) -> bool:
        """Whether a match has begun that follows from this one: its result stays."""
        there = {(row.round, row.board): row for row in standing(state, boards)}
        for each in followers(matches_of(state, boards), board.round, frozenset(board.seats)):
            for game in each.games:
                row = there[each.match.round, game.board]
                if row.result is not None:
                    return True
                tables = self._book.tables
                if row.table_id is not None and await tables.calling_off.was_played(row.table_id):
                    return True
        return False

    async def redraw(self, number: int, state: TournamentState, before: Sequence[BoardRow]) -> None:
        """Put tables away that belong to no match any more, after a result was put right."""
        if state.plan.format != "knockout":
            return
        now = {(row.round, row.board) for row in standing(state, await self._book.boards(number))}
        gone = [row for row in standing(state, before) if (row.round, row.board) not in now]
        await close_tables(self._book.tables, gone, "round_undone")
