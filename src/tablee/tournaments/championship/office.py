"""The championships of the house: what everybody sees of them, and what their organisers do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from sqlalchemy import bindparam, insert, select, update

from tablee.club.people import Account
from tablee.rules.contract import Fact
from tablee.store import Conflict, Duplicate, Hint, Query, Unit, Write
from tablee.store.schema import championship, championship_act
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.championship import acts
from tablee.tournaments.championship.acts import ChampionshipPlan, ChampionshipState, evolve, rebuilt
from tablee.tournaments.championship.counting import Played, championship_standings
from tablee.tournaments.errors import NoSuchTournament, NotNow, TournamentError
from tablee.tournaments.logbook import TRIES, Logbook, name_key
from tablee.tournaments.standings import Line

ADD = Query(insert(championship))
ADD_ACT = Query(insert(championship_act))
MOVE_ON = Query(
    update(championship)
    .where(championship.c.id == bindparam("b_id"), championship.c.seq == bindparam("b_seq"))
    .values(seq=championship.c.seq + 1, status=bindparam("b_status"), name_key=bindparam("b_name_key"))
)
ACTS = Query(
    select(championship_act)
    .where(championship_act.c.championship_id == bindparam("b_id"))
    .order_by(championship_act.c.seq)
)
REQUESTED = Query(
    select(championship_act.c.seq).where(
        championship_act.c.championship_id == bindparam("b_id"),
        championship_act.c.account_id == bindparam("b_account_id"),
        championship_act.c.request_id == bindparam("b_request_id"),
    )
)
LISTED = Query(
    select(championship.c.id)
    .where(championship.c.id < bindparam("b_before"))
    .order_by(championship.c.id.desc())
    .limit(bindparam("b_most"))
)


class Championships:
    def __init__(self, book: Logbook) -> None:
        self._book = book

    # --- looking ------------------------------------------------------------------------------------------

    async def state(self, number: int) -> ChampionshipState:
        """All that the log says; raises TournamentError `no_such_championship`."""
        found = await self._book.store.rows(ACTS, b_id=number)
        if not found:
            raise NoSuchChampionship()
        return rebuilt((row.seq, row.facts) for row in found)

    async def listed(self, before: int, most: int) -> list[tuple[int, ChampionshipState]]:
        """The newest with numbers below `before`."""
        found = await self._book.store.rows(LISTED, b_before=before, b_most=most)
        return [(row.id, await self.state(row.id)) for row in found]

    async def log(self, number: int) -> list[tuple[int, int, int | None, list[Any]]]:
        """What was done, by whom."""
        await self.state(number)
        found = await self._book.store.rows(ACTS, b_id=number)
        return [(row.seq, row.at, row.account_id, msgspec.json.decode(row.facts)) for row in found]

    async def tournaments(self, state: ChampionshipState) -> dict[int, TournamentState]:
        """Those that belong to it, over or not."""
        return {number: await self._book.state(number) for number in state.tournaments}

    async def played(self, state: ChampionshipState) -> list[Played]:
        """Those that are over, which alone count."""
        found = []
        for number, each in (await self.tournaments(state)).items():
            if each.status == "over":
                lines = self._book.lines(each, await self._book.boards(number))
                robots = frozenset(entry.account for entry in each.entries.values() if entry.robot)
                found.append(Played(number, {line.entrant: line.place for line in lines}, robots))
        return found

    async def standings(self, state: ChampionshipState) -> list[Line]:
        return championship_standings(state, await self.played(state))

    # --- organising ---------------------------------------------------------------------------------------

    async def open(self, who: Account, plan: ChampionshipPlan) -> int:
        """A new one, whose first organiser is who opened it. Raises NotNow `name_taken`, TournamentError."""
        if not who.is_member:
            raise TournamentError("members_only")
        number = await self._book.store.new_id("championship")
        now = self._book.clock.now()
        row = {
            "id": number,
            "name_key": name_key(plan.name),
            "status": "open",
            "seq": 1,
            "created_at": now,
        }
        opened = acts.ChampionshipOpened(plan, who.id)
        try:
            await self._book.store.commit(
                Unit(writes=[Write(ADD, row), self._act(number, 1, who.id, [opened], None)])
            )
        except Duplicate:
            raise NotNow("championship_name_taken", name=plan.name) from None
        return number

    async def change(
        self, who: Account, number: int, plan: ChampionshipPlan, request_id: str | None = None
    ) -> None:
        def decide(state: ChampionshipState) -> list[Fact]:
            _must_be_open(state)
            return [acts.ChampionshipChanged(plan)]

        await self._act_on(who, number, decide, request_id)

    async def add(
        self, who: Account, number: int, tournament: int, weight: Fraction, request_id: str | None = None
    ) -> None:
        """Let a tournament that was announced count, with a weight. Raises NoSuchTournament, NotNow."""
        if (await self._book.state(tournament)).status == "draft":
            raise NoSuchTournament()

        def decide(state: ChampionshipState) -> list[Fact]:
            _must_be_open(state)
            if state.tournaments.get(tournament) == weight:
                return []
            if len(state.tournaments) >= acts.TOURNAMENTS_MOST:
                raise NotNow("too_many_tournaments", most=acts.TOURNAMENTS_MOST)
            return [acts.TournamentAdded(tournament, str(weight))]

        await self._act_on(who, number, decide, request_id)

    async def remove(self, who: Account, number: int, tournament: int) -> None:
        def decide(state: ChampionshipState) -> list[Fact]:
            _must_be_open(state)
            return [acts.TournamentRemoved(tournament)] if tournament in state.tournaments else []

        await self._act_on(who, number, decide)

    async def name_organiser(self, who: Account, number: int, account_id: int) -> None:
        whom = await self._book.club.accounts.by_id(account_id)

        def decide(state: ChampionshipState) -> list[Fact]:
            _must_be_first(state, who)
            if not whom.is_member:
                raise TournamentError("members_only")
            if account_id in state.organisers:
                return []
            if len(state.organisers) >= acts.ORGANISERS_MOST:
                raise TournamentError("too_many_organisers")
            return [acts.OrganiserJoined(account_id)]

        await self._act_on(who, number, decide)

    async def dismiss_organiser(self, who: Account, number: int, account_id: int) -> None:
        def decide(state: ChampionshipState) -> list[Fact]:
            _must_be_first(state, who)
            return [acts.OrganiserParted(account_id)] if account_id in state.organisers[1:] else []

        await self._act_on(who, number, decide)

    async def penalise(
        self, who: Account, number: int, account_id: int, points: Fraction, reason: str
    ) -> None:
        """Take points from somebody, with a reason. Raises TournamentError where he has played in nothing."""
        state = await self.state(number)
        played = await self.played(state)
        if not any(account_id in each.places for each in played):
            raise TournamentError("not_entered")

        def decide(_: ChampionshipState) -> list[Fact]:
            return [acts.PointsTaken(account_id, str(points), reason)]

        await self._act_on(who, number, decide)

    async def close(self, who: Account, number: int, request_id: str | None = None) -> None:
        """Its places stand: every tournament of it is over or cancelled. Raises NotNow."""
        others = await self.tournaments(await self.state(number))
        going_on = [each.plan.name for each in others.values() if each.status not in ("over", "cancelled")]

        def decide(state: ChampionshipState) -> list[Fact]:
            _must_be_open(state)
            if going_on:
                raise NotNow("tournaments_go_on", names=", ".join(going_on))
            return [acts.ChampionshipClosed()]

        await self._act_on(who, number, decide, request_id)

    # --- the log ------------------------------------------------------------------------------------------

    async def _act_on(
        self,
        who: Account,
        number: int,
        decide: Callable[[ChampionshipState], Sequence[Fact]],
        request_id: str | None = None,
    ) -> None:
        """Decide as an organiser, and write at the end of the log; who loses the race decides again."""
        for _ in range(TRIES):
            state = await self.state(number)
            if who.id not in state.organisers and not who.is_administrator:
                raise TournamentError("not_championship_organiser")
            asked = {"b_id": number, "b_account_id": who.id, "b_request_id": request_id}
            if request_id is not None and await self._book.store.one(REQUESTED, **asked):
                return
            facts = list(decide(state))
            if not facts:
                return
            after = state
            for fact in facts:
                after = evolve(after, fact, state.seq + 1)
            row = {
                "b_id": number,
                "b_seq": state.seq,
                "b_status": after.status,
                "b_name_key": name_key(after.plan.name),
            }
            unit = Unit(
                writes=[
                    Write(MOVE_ON, row, expect=1),
                    self._act(number, after.seq, who.id, facts, request_id),
                ],
                hints=[Hint("championship", number, after.seq)],
            )
            try:
                await self._book.store.commit(unit)
            except Duplicate as duplicate:
                if "name_key" in duplicate.columns:
                    raise NotNow("championship_name_taken", name=after.plan.name) from None
                continue
            except Conflict:
                continue
            return
        raise NotNow("busy")

    def _act(self, number: int, seq: int, who: int, facts: Sequence[Fact], request_id: str | None) -> Write:
        return Write(
            ADD_ACT,
            {
                "championship_id": number,
                "seq": seq,
                "at": self._book.clock.now(),
                "account_id": who,
                "facts": msgspec.json.encode(facts).decode(),
                "request_id": request_id,
            },
        )


class NoSuchChampionship(TournamentError):
    kind = "not_found"

    def __init__(self) -> None:
        super().__init__("no_such_championship")


def _must_be_open(state: ChampionshipState) -> None:
    if state.status != "open":
        raise NotNow("championship_over")


def _must_be_first(state: ChampionshipState, who: Account) -> None:
    if who.id != state.organisers[0] and not who.is_administrator:
        raise TournamentError("not_championship_organiser")
