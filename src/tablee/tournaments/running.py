"""The beginning and the end of a tournament."""

from __future__ import annotations

from typing import Any

from tablee.club.people import Account
from tablee.rules.contract import Fact
from tablee.tournaments import acts
from tablee.tournaments.acts import TournamentState, evolve
from tablee.tournaments.boards import (
    is_closed,
    standing,
)
from tablee.tournaments.errors import NotNow, TournamentError
from tablee.tournaments.logbook import Logbook
from tablee.tournaments.rights import after_check_in, must_be, must_be_first, must_organise
from tablee.tournaments.rounds import rounds_to_play
from tablee.tournaments.seating import close_tables


class Running:
    """Entries are closed, places are told, or it is called off."""

    def __init__(self, book: Logbook) -> None:
        self._book = book
        self._tables = book.tables
        self._clock = book.clock
        self._club = book.club

    async def begin(self, who: Account | None, number: int, request_id: str | None = None) -> None:
        """Close the entries; robots that were asked for come in."""
        state = await self._book.state(number)
        robots = []
        for strength in state.plan.robots:
            robot = await self._club.accounts.robot(state.plan.game, strength)
            robots.append((robot.id, strength, await self._book.rating(robot.id, state.plan)))

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            must_be(state, "announced", "check_in")
            now = self._clock.now()
            missed = after_check_in(state)
            for fact in missed:
                state = evolve(state, fact, state.seq)
            come: list[Fact] = [
                acts.Entered(account, rating, now, False, strength)
                for account, strength, rating in robots
                if account not in state.entries
            ]
            entrants = sum(not entry.waits for entry in state.entries.values()) + len(come)
            least = 3 if state.plan.format == "round_robin" else 2 if state.plan.is_duel else 1
            if state.plan.format == "boards" and not state.plan.fill:
                least = self._tables.offered(state.plan.game, state.plan.variant).roles or 1
            if entrants < least:
                raise TournamentError("too_few", least=least)
            rounds = rounds_to_play(state.plan, entrants)
            if state.plan.format == "round_robin" and entrants > 20:
                raise TournamentError("too_many_rounds", rounds=rounds, entrants=entrants)
            if state.plan.format == "swiss" and rounds >= entrants:
                raise TournamentError("too_many_rounds", rounds=rounds, entrants=entrants)
            return [*missed, *come, acts.Began(rounds)]

        await self._book.act_on(number, who, decide, request_id)

    async def cancel(self, who: Account, number: int, reason: str, request_id: str | None = None) -> None:
        """Call it off; what runs is closed unrated."""
        boards = await self._book.boards(number)

        def decide(state: TournamentState) -> list[Fact]:
            must_be_first(state, who)
            must_be(state, "draft", "announced", "check_in", "running")
            return [acts.Cancelled(reason)]

        after = await self._book.act_on(
            number,
            who,
            decide,
            request_id,
            told=lambda state: {
                entry.account: ("cancelled", {"reason": reason})
                for entry in state.entries.values()
                if not entry.robot
            },
        )
        await close_tables(self._tables, standing(after, boards), "tournament_cancelled")

    async def end(self, who: Account, number: int, request_id: str | None = None) -> None:
        """Close it: all rounds are played, or organisers end it here. Everybody is told his place."""
        boards = await self._book.boards(number)

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            must_be(state, "running")
            if not is_closed(state, boards):
                raise NotNow("round_open", round=len(state.published))
            return [acts.Ended()]

        def told(state: TournamentState) -> dict[int, tuple[str, dict[str, Any]]]:
            places = {line.entrant: line.place for line in self._book.lines(state, boards)}
            return {
                account: ("place", {"place": place})
                for account, place in places.items()
                if not state.entries[account].robot
            }

        await self._book.act_on(number, who, decide, request_id, told=told)
