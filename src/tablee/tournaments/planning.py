"""Making a tournament, changing its plan, announcing it, and who organises it."""

from __future__ import annotations

import secrets

from msgspec.structs import replace

from tablee.club.people import Account
from tablee.rules.contract import Fact
from tablee.store import Duplicate, Unit, Write
from tablee.tournaments import acts, rows
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.errors import BadPlan, BadTournament, NotNow, TournamentError
from tablee.tournaments.logbook import Logbook, name_key
from tablee.tournaments.plan import Plan
from tablee.tournaments.rights import moved_up, must_be, must_be_first, must_organise

ORGANISERS_MOST = 10


class Planning:
    """What its organisers do before it begins."""

    def __init__(self, book: Logbook) -> None:
        self._book = book
        self._tables = book.tables
        self._clock = book.clock
        self._club = book.club

    async def create(self, who: Account, plan: Plan) -> int:
        """A draft of a tournament, whose first organiser is who made it; its number.

        Raises BadPlan, NotNow `name_taken`, NoSuchGame, TournamentError `members_only`.
        """
        if not who.is_member:
            raise TournamentError("members_only")
        plan = self._checked(plan)
        number, now = await self._book.store.new_id("tournament"), self._clock.now()
        fact = acts.Created(plan, who.id)
        row = {
            "id": number,
            "name_key": name_key(plan.name),
            "game": plan.game,
            "status": "draft",
            "seq": 1,
            "created_at": now,
            "due_at": None,
        }
        try:
            await self._book.store.commit(
                Unit(writes=[Write(rows.ADD, row), self._book.act(number, 1, who.id, [fact], None)])
            )
        except Duplicate:
            raise NotNow("name_taken", name=plan.name) from None
        return number

    async def change(self, who: Account, number: int, plan: Plan, request_id: str | None = None) -> None:
        """Another plan, before the tournament begins. Raises BadPlan, NotNow."""
        plan = self._checked(plan)

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            must_be(state, "draft", "announced")
            return [acts.PlanChanged(plan), *moved_up(replace(state, plan=plan))]

        await self._book.act_on(number, who, decide, request_id)

    def _checked(self, plan: Plan) -> Plan:
        rules = self._tables.offered(plan.game, plan.variant)
        plan = replace(plan, name=plan.name.strip(), seed=plan.seed or secrets.randbits(48))
        faults = list(plan.faults(rules))
        if not plan.name:
            raise BadTournament("bad_name", field="name")
        if faults:
            raise BadPlan(faults)
        return plan

    async def announce(self, who: Account, number: int, request_id: str | None = None) -> None:
        """Let everybody see it and enter."""

        def decide(state: TournamentState) -> list[Fact]:
            must_organise(state, who)
            must_be(state, "draft")
            return [acts.Announced()]

        await self._book.act_on(number, who, decide, request_id)

    async def name_organiser(self, who: Account, number: int, account_id: int) -> None:
        """Another organiser, by the first one or an administrator."""
        whom = await self._club.accounts.by_id(account_id)

        def decide(state: TournamentState) -> list[Fact]:
            must_be_first(state, who)
            if not whom.is_member:
                raise TournamentError("members_only")
            if account_id in state.organisers:
                return []
            if len(state.organisers) >= ORGANISERS_MOST:
                raise TournamentError("too_many_organisers")
            return [acts.OrganiserNamed(account_id)]

        await self._book.act_on(number, who, decide)

    async def dismiss_organiser(self, who: Account, number: int, account_id: int) -> None:
        def decide(state: TournamentState) -> list[Fact]:
            must_be_first(state, who)
            named = account_id in state.organisers[1:]
            return [acts.OrganiserDismissed(account_id)] if named else []

        await self._book.act_on(number, who, decide)
