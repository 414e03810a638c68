"""Prizes and teams: what the standings give by themselves, and what organisers give freely."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.club.people import Account
from tablee.rules.contract import Fact
from tablee.tournaments import acts
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardRow, entrants_of
from tablee.tournaments.errors import NotNow, TournamentError
from tablee.tournaments.logbook import Logbook
from tablee.tournaments.rights import must_be, must_organise
from tablee.tournaments.standings import Line, Prize, TeamLine, prizes, team_standings


class Prizes:
    def __init__(self, book: Logbook) -> None:
        self._book = book

    def won(self, state: TournamentState, boards: Sequence[BoardRow], lines: Sequence[Line]) -> list[Prize]:
        """By place, by role, and free ones, as things stand."""
        rules = self._book.rules(state.plan)
        entrants = entrants_of(state, rules, boards)
        roles = 0
        if state.plan.prize_roles:
            roles = max((len(board.seats) for board in boards), default=0)
        return prizes(
            entrants, lines, state.plan.prize_places, roles, state.gifts, is_duel=state.plan.is_duel
        )

    def teams(
        self, state: TournamentState, boards: Sequence[BoardRow], lines: Sequence[Line]
    ) -> list[TeamLine]:
        """The teams, best first; nobody where there are none."""
        plan, rules = state.plan, self._book.rules(state.plan)
        if not plan.team_best:
            return []
        return team_standings(entrants_of(state, rules, boards), lines, plan.counting(rules), plan.team_best)

    async def give(
        self, who: Account, number: int, name: str, account: int, request_id: str | None = None
    ) -> None:
        """Give somebody a prize that has a name of its own. Raises TournamentError, NotNow."""
        called = " ".join(name.split())

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            must_be(state, "running", "over")
            if account not in state.entries:
                raise TournamentError("not_entered")
            if (called, account) in state.gifts:
                return []
            if len(state.gifts) >= GIFTS_MOST:
                raise NotNow("too_many_gifts", most=GIFTS_MOST)
            return [acts.PrizeGiven(called, account)]

        await self._book.act_on(
            number, who, decide, request_id, told=lambda _: {account: ("prize", {"prize": called})}
        )

    async def take_back(self, who: Account, number: int, name: str, account: int) -> None:
        """It was given by mistake."""
        called = " ".join(name.split())

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            return [acts.PrizeTakenBack(called, account)] if (called, account) in state.gifts else []

        await self._book.act_on(number, who, decide)


GIFTS_MOST = 50
