"""Entering a tournament, leaving it, being away for a round."""

from __future__ import annotations

import secrets
from fractions import Fraction

from tablee.club.people import Account
from tablee.rules.contract import Fact
from tablee.tournaments import acts
from tablee.tournaments.acts import TournamentState, evolve
from tablee.tournaments.errors import NotNow, TournamentError
from tablee.tournaments.logbook import Logbook
from tablee.tournaments.rights import moved_up, must_be, must_organise, organises


class Entering:
    """What entrants do, or organisers for them."""

    def __init__(self, book: Logbook) -> None:
        self._book = book
        self._tables = book.tables
        self._clock = book.clock
        self._club = book.club

    async def enter(
        self,
        who: Account,
        number: int,
        account_id: int | None = None,
        *,
        code: str = "",
        team: str = "",
        request_id: str | None = None,
    ) -> bool:
        """Enter oneself, or as an organiser anybody; answers whether there was a place, or he waits.

        Raises NotNow, TournamentError.
        """
        whom = who if account_id is None else await self._club.accounts.by_id(account_id)
        state = await self._book.state(number)
        rating = await self._book.rating(whom.id, state.plan)

        def decide(state: TournamentState) -> list[Fact]:
            by_organiser = organises(state, who)
            if whom.id != who.id:
                must_organise(state, who)
            if not whom.is_member:
                raise TournamentError("members_only")
            if whom.id in state.entries:
                raise NotNow("entered_already")
            self._must_be_open(state, by_organiser)
            plan = state.plan
            if not by_organiser:
                if plan.code and not secrets.compare_digest(code.encode(), plan.code.encode()):
                    self._club.limits.take("tournament_code", who.id)
                    raise TournamentError("wrong_code")
                if rating < plan.rating:
                    raise TournamentError("rating_too_low", least=plan.rating, yours=rating)
            taken = sum(not entry.waits for entry in state.entries.values())
            waits = bool(plan.limit) and taken >= plan.limit
            return [acts.Entered(whom.id, rating, self._clock.now(), waits, "", team.strip()[:40])]

        after = await self._book.act_on(
            number,
            who,
            decide,
            request_id,
            told=lambda after: {whom.id: ("waiting" if after.entries[whom.id].waits else "entered", {})},
        )
        return not after.entries[whom.id].waits

    def _must_be_open(self, state: TournamentState, by_organiser: bool) -> None:
        """Before the beginning within the dates; later as long as half of the rounds are still to come."""
        now, plan = self._clock.now(), state.plan
        if state.status == "running":
            late = plan.format in ("swiss", "boards") and 2 * len(state.published) < state.rounds
            if not late:
                raise NotNow("entries_closed")
            return
        must_be(state, "announced", "check_in")
        if not by_organiser and (now < plan.opens_at or (plan.closes_at and now > plan.closes_at)):
            raise NotNow("entries_closed")

    async def open_check_in(self, who: Account | None, number: int, request_id: str | None = None) -> None:
        """From now on entrants say that they are there; who does not is out when the tournament begins."""

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            must_be(state, "announced")
            return [acts.CheckInOpened()]

        await self._book.act_on(
            number,
            who,
            decide,
            request_id,
            told=lambda state: {
                entry.account: ("check_in", {}) for entry in state.entries.values() if not entry.robot
            },
        )

    async def check_in(
        self, who: Account, number: int, account_id: int | None = None, request_id: str | None = None
    ) -> None:
        """Be there, or as an organiser say so of anybody. Raises NotNow outside of the check-in."""
        whom = who.id if account_id is None else account_id

        def decide(state: TournamentState) -> list[Fact]:
            if whom != who.id:
                must_organise(state, who)
            if state.status != "check_in":
                raise NotNow("check_in_closed")
            entry = state.entries.get(whom)
            if entry is None:
                raise TournamentError("not_entered")
            return [] if entry.is_here else [acts.CheckedIn(whom)]

        await self._book.act_on(number, who, decide, request_id)

    async def leave(
        self, who: Account, number: int, account_id: int | None = None, request_id: str | None = None
    ) -> None:
        """Take an entry back; once the tournament runs, withdraw from the rounds to come."""
        whom = who.id if account_id is None else account_id

        def decide(state: TournamentState) -> list[Fact]:
            if whom != who.id:
                must_organise(state, who)
            entry = state.entries.get(whom)
            if entry is None or entry.out_from:
                raise TournamentError("not_entered")
            if state.status == "running" and not entry.waits:
                return [acts.Withdrawn(whom, state.next_round)]
            must_be(state, "announced", "check_in", "running")
            left = acts.Left(whom)
            return [left, *moved_up(evolve(state, left, state.seq))]

        await self._book.act_on(number, who, decide, request_id)

    async def go_away(
        self,
        who: Account,
        number: int,
        round_number: int,
        account_id: int | None = None,
        *,
        half: bool = False,
        back: bool = False,
        request_id: str | None = None,
    ) -> None:
        """Be away for a round that is not paired yet, or not after all; half a point once, if asked for."""
        whom = who.id if account_id is None else account_id

        def decide(state: TournamentState) -> list[Fact]:
            if whom != who.id:
                must_organise(state, who)
            must_be(state, "announced", "check_in", "running")
            entry = state.entries.get(whom)
            if entry is None or entry.out_from:
                raise TournamentError("not_entered")
            if state.plan.format in ("round_robin", "knockout"):
                raise TournamentError("away_not_here")
            if round_number < state.next_round:
                raise NotNow("round_paired", round=round_number)
            if back:
                return [acts.CameBack(whom, round_number)] if round_number in entry.away else []
            has_had = any(given for each, given in entry.away.items() if each != round_number)
            return [acts.WentAway(whom, round_number, half and state.plan.format == "swiss" and not has_had)]

        await self._book.act_on(number, who, decide, request_id)

    async def penalise(
        self,
        who: Account,
        number: int,
        account_id: int,
        points: Fraction,
        reason: str,
        request_id: str | None = None,
    ) -> None:
        """Take points from somebody, with a reason."""

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            must_be(state, "running", "over")
            if account_id not in state.entries:
                raise TournamentError("not_entered")
            return [acts.Penalised(account_id, str(points), reason)]

        await self._book.act_on(number, who, decide, request_id)
