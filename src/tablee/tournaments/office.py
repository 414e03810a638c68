"""The tournaments of the house: what members and organisers do there, written at the end of a log."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from tablee.club.bounds import TABLE_NAME_MOST
from tablee.club.people import Account
from tablee.rules.contract import Fact, Result, Rules
from tablee.store import Conflict, Duplicate, Hint, Unit, Write
from tablee.tables import HouseTable, TablePlan, Tables
from tablee.tournaments import acts, rows
from tablee.tournaments.acts import TournamentState, evolve, rebuilt
from tablee.tournaments.boards import (
    BadResult,
    BoardResult,
    BoardRow,
    checked,
    entrants_of,
    is_closed,
    result_of,
    standing,
)
from tablee.tournaments.drafting import drafted, warnings
from tablee.tournaments.errors import BadPlan, BadTournament, NoSuchTournament, NotNow, TournamentError
from tablee.tournaments.pairing.history import NoPairing
from tablee.tournaments.pairing.round_robin import rounds_of
from tablee.tournaments.plan import Plan, public
from tablee.tournaments.standings import Line, standings

DOOR = "tournament"
"""Where a table was made that belongs to a board."""
ORGANISERS_MOST = 10
READ_MOST = 200
"""Tournaments of which a node remembers what it has read."""
TRIES = 20
"""How often somebody who lost the race for the log decides again."""

Decide = Callable[[TournamentState], Sequence[Fact]]


class Tournaments:
    """All of them, as this node sees them: what it has read of a log it need not read again."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self._club = tables.club
        self._read: dict[int, TournamentState] = {}
        self._store.on_restored(self._read.clear)
        tables.endings.also = self._game_ended

    # --- reading ------------------------------------------------------------------------------------------

    async def state(self, tournament_id: int) -> TournamentState:
        """All that the log says; raises NoSuchTournament."""
        known = self._read.get(tournament_id)
        found = await self._store.rows(
            rows.ACTS, b_id=tournament_id, b_after=0 if known is None else known.seq
        )
        if known is None and not found:
            raise NoSuchTournament()
        state = rebuilt(((row.seq, row.facts) for row in found), known)
        if known is None and len(self._read) >= READ_MOST:
            self._read.clear()
        self._read[tournament_id] = state
        return state

    async def seen(self, tournament_id: int, reader: Account | None) -> TournamentState:
        """The same for somebody: a draft is its organisers' alone. Raises NoSuchTournament."""
        state = await self.state(tournament_id)
        if state.status == "draft" and not _organises(state, reader):
            raise NoSuchTournament()
        return state if _organises(state, reader) else replace(state, draft=None, draft_version=0)

    async def boards(self, tournament_id: int) -> list[BoardRow]:
        """Every board that was ever published, undone ones too."""
        return [_board(row) for row in await self._store.rows(rows.BOARDS, b_id=tournament_id)]

    async def standings(self, tournament_id: int) -> list[Line]:
        """Who stands where after the rounds so far; raises NoSuchTournament."""
        state, boards = await self.state(tournament_id), await self.boards(tournament_id)
        return self.lines(state, boards)

    def lines(self, state: TournamentState, boards: Sequence[BoardRow]) -> list[Line]:
        rules = self._rules(state.plan)
        return standings(entrants_of(state, rules, boards), state.plan.counting(rules), len(state.published))

    async def log(
        self, tournament_id: int, for_organisers: bool
    ) -> list[tuple[int, int, int | None, list[Any]]]:
        """The log as it is read: drafts, and what of a plan is secret, are for organisers."""
        found = []
        for row in await self._store.rows(rows.ACTS, b_id=tournament_id, b_after=0):
            said = msgspec.json.decode(row.facts)
            if not for_organisers:
                said = [_public(fact) for fact in said if fact["is"] != "drafted"]
            if said:
                found.append((row.seq, row.at, row.account_id, said))
        return found

    async def listed(self, before: int, most: int) -> list[tuple[int, TournamentState]]:
        """The newest that were announced, with numbers below `before`."""
        found = await self._store.rows(rows.LISTED, b_before=before, b_most=most)
        return [(row.id, await self.state(row.id)) for row in found]

    def _rules(self, plan: Plan) -> Rules[Any]:
        return self._tables.rules(plan.game, plan.variant)

    # --- making and announcing ----------------------------------------------------------------------------

    async def create(self, who: Account, plan: Plan) -> int:
        """A draft of a tournament, whose first organiser is who made it; its number.

        Raises BadPlan, NotNow `name_taken`, NoSuchGame, TournamentError `members_only`.
        """
        if not who.is_member:
            raise TournamentError("members_only")
        plan = self._checked(plan)
        number, now = await self._store.new_id("tournament"), self._clock.now()
        fact = acts.Created(plan, who.id)
        row = {
            "id": number,
            "name_key": _key(plan.name),
            "game": plan.game,
            "status": "draft",
            "seq": 1,
            "created_at": now,
        }
        try:
            await self._store.commit(
                Unit(writes=[Write(rows.ADD, row), self._act(number, 1, who.id, [fact], None)])
            )
        except Duplicate:
            raise NotNow("name_taken", name=plan.name) from None
        return number

    async def change(self, who: Account, number: int, plan: Plan, request_id: str | None = None) -> None:
        """Another plan, before the tournament begins. Raises BadPlan, NotNow."""
        plan = self._checked(plan)

        def decide(state: TournamentState) -> list[Fact]:
            _must_organise(state, who)
            _must_be(state, "draft", "announced")
            return [acts.PlanChanged(plan), *_moved_up(replace(state, plan=plan))]

        await self._act_on(number, who, decide, request_id)

    def _checked(self, plan: Plan) -> Plan:
        rules = self._tables.offered(plan.game, plan.variant)
        plan = replace(plan, name=plan.name.strip(), seed=plan.seed or secrets.randbits(48))
        faults = list(plan.faults(rules))
        if not plan.name:
            raise BadTournament("bad_result", field="name", reason="name")
        if faults:
            raise BadPlan(faults)
        return plan

    async def announce(self, who: Account, number: int, request_id: str | None = None) -> None:
        """Let everybody see it and enter."""

        def decide(state: TournamentState) -> list[Fact]:
            _must_organise(state, who)
            _must_be(state, "draft")
            return [acts.Announced()]

        await self._act_on(number, who, decide, request_id)

    async def name_organiser(self, who: Account, number: int, account_id: int) -> None:
        """Another organiser, by the first one or an administrator."""
        whom = await self._club.accounts.by_id(account_id)

        def decide(state: TournamentState) -> list[Fact]:
            _must_be_first(state, who)
            if not whom.is_member:
                raise TournamentError("members_only")
            if account_id in state.organisers:
                return []
            if len(state.organisers) >= ORGANISERS_MOST:
                raise TournamentError("too_many_organisers")
            return [acts.OrganiserNamed(account_id)]

        await self._act_on(number, who, decide)

    async def dismiss_organiser(self, who: Account, number: int, account_id: int) -> None:
        def decide(state: TournamentState) -> list[Fact]:
            _must_be_first(state, who)
            named = account_id in state.organisers[1:]
            return [acts.OrganiserDismissed(account_id)] if named else []

        await self._act_on(number, who, decide)

    # --- entries ------------------------------------------------------------------------------------------

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
        state = await self.state(number)
        rating = await self._rating(whom.id, state.plan)

        def decide(state: TournamentState) -> list[Fact]:
            by_organiser = _organises(state, who)
            if whom.id != who.id:
                _must_organise(state, who)
            if not whom.is_member:
                raise TournamentError("members_only")
            if whom.id in state.entries:
                raise NotNow("entered_already")
            self._must_be_open(state, by_organiser)
            plan = state.plan
            if not by_organiser:
                if plan.code and not secrets.compare_digest(code.encode(), plan.code.encode()):
                    self._club.limits.take("code_try", who.id)
                    raise TournamentError("wrong_code")
                if rating < plan.rating:
                    raise TournamentError("rating_too_low", least=plan.rating, yours=rating)
            taken = sum(not entry.waits for entry in state.entries.values())
            waits = bool(plan.limit) and taken >= plan.limit
            return [acts.Entered(whom.id, rating, self._clock.now(), waits, "", team.strip()[:40])]

        after = await self._act_on(
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
            late = plan.format != "round_robin" and 2 * len(state.published) < state.rounds
            if not late:
                raise NotNow("entries_closed")
            return
        _must_be(state, "announced")
        if not by_organiser and (now < plan.opens_at or (plan.closes_at and now > plan.closes_at)):
            raise NotNow("entries_closed")

    async def leave(
        self, who: Account, number: int, account_id: int | None = None, request_id: str | None = None
    ) -> None:
        """Take an entry back; once the tournament runs, withdraw from the rounds to come."""
        whom = who.id if account_id is None else account_id

        def decide(state: TournamentState) -> list[Fact]:
            if whom != who.id:
                _must_organise(state, who)
            entry = state.entries.get(whom)
            if entry is None or entry.out_from:
                raise TournamentError("not_entered")
            if state.status == "running" and not entry.waits:
                return [acts.Withdrawn(whom, state.next_round)]
            _must_be(state, "announced", "running")
            left = acts.Left(whom)
            return [left, *_moved_up(evolve(state, left, state.seq))]

        await self._act_on(number, who, decide, request_id)

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
                _must_organise(state, who)
            _must_be(state, "announced", "running")
            entry = state.entries.get(whom)
            if entry is None or entry.out_from:
                raise TournamentError("not_entered")
            if state.plan.format == "round_robin":
                raise TournamentError("away_not_here")
            if round_number < state.next_round:
                raise NotNow("round_paired", round=round_number)
            if back:
                return [acts.CameBack(whom, round_number)] if round_number in entry.away else []
            has_had = any(given for each, given in entry.away.items() if each != round_number)
            return [acts.WentAway(whom, round_number, half and state.plan.format == "swiss" and not has_had)]

        await self._act_on(number, who, decide, request_id)

    async def penalise(
        self, who: Account, number: int, account_id: int, points: Fraction, reason: str
    ) -> None:
        """Take points from somebody, with a reason."""

        def decide(state: TournamentState) -> list[Fact]:
            _must_organise(state, who)
            _must_be(state, "running", "over")
            if account_id not in state.entries:
                raise TournamentError("not_entered")
            return [acts.Penalised(account_id, str(points), reason)]

        await self._act_on(number, who, decide)

    # --- rounds -------------------------------------------------------------------------------------------

    async def begin(self, who: Account, number: int, request_id: str | None = None) -> None:
        """Close the entries; robots that were asked for come in."""
        state = await self.state(number)
        robots = []
        for strength in state.plan.robots:
            robot = await self._club.accounts.robot(state.plan.game, strength)
            robots.append((robot.id, strength, await self._rating(robot.id, state.plan)))

        def decide(state: TournamentState) -> list[Fact]:
            _must_organise(state, who)
            _must_be(state, "announced")
            now = self._clock.now()
            come: list[Fact] = [
                acts.Entered(account, rating, now, False, strength)
                for account, strength, rating in robots
                if account not in state.entries
            ]
            entrants = sum(not entry.waits for entry in state.entries.values()) + len(come)
            least = 3 if state.plan.format == "round_robin" else 2 if state.plan.is_duel else 1
            if state.plan.format == "boards":
                least = self._tables.offered(state.plan.game, state.plan.variant).roles or 1
            if entrants < least:
                raise TournamentError("too_few", least=least)
            rounds = state.plan.rounds
            if state.plan.format == "round_robin":
                rounds = rounds_of(entrants, state.plan.double)
                if entrants > 20:
                    raise TournamentError("too_many_rounds", rounds=rounds, entrants=entrants)
            if state.plan.format == "swiss" and rounds >= entrants:
                raise TournamentError("too_many_rounds", rounds=rounds, entrants=entrants)
            return [*come, acts.Began(rounds)]

        await self._act_on(number, who, decide, request_id)

    async def pair(self, who: Account, number: int, request_id: str | None = None) -> TournamentState:
        """Draft the next round, beside the event loop. Raises NotNow, TournamentError `no_pairing`."""
        state, boards = await self.state(number), await self.boards(number)
        _must_organise(state, who)
        self._must_be_next(state, boards)
        rules = self._rules(state.plan)
        try:
            draft = await asyncio.to_thread(drafted, state, rules, boards, time.thread_time)
        except NoPairing:
            raise TournamentError("no_pairing") from None

        def decide(now: TournamentState) -> list[Fact]:
            if now.seq != state.seq:
                raise NotNow("busy")
            return [draft]

        return await self._act_on(number, who, decide, request_id)

    async def move(
        self, who: Account, number: int, draft: acts.Drafted, version: int, request_id: str | None = None
    ) -> TournamentState:
        """The draft as an organiser has changed it; raises NotNow where it is not the one he saw."""

        def decide(state: TournamentState) -> list[Fact]:
            _must_organise(state, who)
            if state.draft is None:
                raise NotNow("no_draft")
            if state.draft_version != version:
                raise NotNow("stale_draft")
            self._must_fit(state, draft)
            return [replace(draft, round=state.next_round, by_hand=True)]

        return await self._act_on(number, who, decide, request_id)

    def warnings(
        self, state: TournamentState, boards: Sequence[BoardRow]
    ) -> list[tuple[str, tuple[int, ...]]]:
        """What organisers should look at in their draft."""
        return [] if state.draft is None else warnings(state, boards, state.draft)

    def _must_fit(self, state: TournamentState, draft: acts.Drafted) -> None:
        """Everybody stands once, at boards of a size that the game has."""
        named = [account for board in draft.boards for account in board] + [*draft.byes, *draft.absent]
        active = {entry.account for entry in state.active}
        least, most = (2, 2) if state.plan.is_duel else state.plan.board_sizes(self._rules(state.plan))
        faults = {
            "missing": sorted(active - set(named)),
            "twice": sorted({account for account in named if named.count(account) > 1}),
            "unknown": sorted(set(named) - active),
            "sizes": [
                index for index, board in enumerate(draft.boards, 1) if not least <= len(board) <= most
            ],
        }
        if any(faults.values()):
            said = {what: ", ".join(map(str, found)) or "–" for what, found in faults.items()}
            raise BadTournament("bad_draft", field="boards", **said)

    def _must_be_next(self, state: TournamentState, boards: Sequence[BoardRow]) -> None:
        _must_be(state, "running")
        if not is_closed(state, boards):
            raise NotNow("round_open", round=len(state.published))
        if state.next_round > state.rounds:
            raise NotNow("no_more_rounds")

    # Why: docs/decisions.md#a-round-is-one-transaction
    async def publish(
        self, who: Account, number: int, version: int, request_id: str | None = None
    ) -> TournamentState:
        """Make the drafted round: its fact, boards, tables with seats and notices in one transaction.

        Who comes second, on whichever node, finds the round there. Raises NotNow, Illegal.
        """
        state, boards = await self.state(number), await self.boards(number)
        _must_organise(state, who)
        if request_id is not None and await self._was_done(number, who, request_id):
            return state
        self._must_be_next(state, boards)
        draft = state.draft
        if draft is None:
            raise NotNow("no_draft")
        if state.draft_version != version:
            raise NotNow("stale_draft")
        attempt = state.attempts.get(draft.round, 0) + 1
        now = self._clock.now()
        fact = acts.Published(draft.round, attempt, draft.byes, draft.absent, now)
        after = evolve(state, fact, state.seq + 1)
        unit = Unit(writes=self._moved_on(number, state, after, who.id, [fact], request_id))
        unit.hints.append(Hint("tournament", number, after.seq))
        playing = {entry.account for entry in state.active}
        for index, seats in enumerate(draft.boards, 1):
            info = None
            forfeited = playing.isdisjoint(seats) or (state.plan.is_duel and not playing.issuperset(seats))
            if not state.plan.in_room and not forfeited:
                info, made = await self._tables.creating.prepared(
                    self._table_plan(state, draft.round, index, seats)
                )
                unit.appends += made.appends
                unit.writes += made.writes
                unit.hints += made.hints
            row: dict[str, Any] = {
                "tournament_id": number,
                "round": draft.round,
                "attempt": attempt,
                "board": index,
                "seats": msgspec.json.encode(seats).decode(),
                "table_id": None if info is None else info.id,
                "result": None,
                "version": 0,
            }
            if forfeited:
                marks = tuple("+" if account in playing else "-" for account in seats)
                row["result"] = msgspec.json.encode(BoardResult(marks=marks)).decode()
            unit.writes.append(Write(rows.ADD_BOARD, row))
            for seat, account in enumerate(seats, 1):
                if not state.entries[account].robot and account in playing:
                    about = {"round": draft.round, "board": index, "seat": seat}
                    about |= {} if info is None else {"table": info.id}
                    await self._tell(unit, number, state, account, "paired", about)
        for account in draft.byes:
            await self._tell(unit, number, state, account, "bye", {"round": draft.round})
        try:
            await self._store.commit(unit)
        except (Conflict, Duplicate):
            there = await self.state(number)
            if there.attempts.get(draft.round, 0) >= attempt:
                return there  # another node, or a first try of this one, has published it
            raise NotNow("busy") from None
        return after

    def _table_plan(self, state: TournamentState, number: int, board: int, seats: Sequence[int]) -> TablePlan:
        plan, rules = state.plan, self._rules(state.plan)
        options = plan.options
        if rules.roles:
            chosen = msgspec.convert(plan.options or {}, rules.options_type)
            options = msgspec.to_builtins(rules.dealt(chosen, range(1, rules.roles + 1)))
        ending = f"_R{number}_{board:02}"
        return TablePlan(
            plan.game,
            plan.variant,
            options,
            access="invited",
            time_control=plan.time_control,
            rated=plan.rated,
            door=DOOR,
            name=plan.name[: TABLE_NAME_MOST - len(ending)] + ending,
            seats=len(seats),
            people=[state.entries[account].robot or account for account in seats],
        )

    async def undo(self, who: Account, number: int, reason: str, request_id: str | None = None) -> None:
        """Take the last round back, while nobody has made a move in it; its tables are closed unrated."""
        boards = await self.boards(number)
        gone: list[BoardRow] = []

        async def check(state: TournamentState) -> None:
            _must_organise(state, who)
            _must_be(state, "running")
            if not state.published:
                raise NotNow("no_round", round=1)
            gone[:] = [board for board in standing(state, boards) if board.round == len(state.published)]
            for board in gone:
                if board.result is not None and not board.result.by and board.table_id is not None:
                    raise NotNow("moved_already", board=board.board)
                if board.table_id is not None and await self._tables.calling_off.was_played(board.table_id):
                    raise NotNow("moved_already", board=board.board)

        await check(await self.state(number))

        def decide(state: TournamentState) -> list[Fact]:
            _must_organise(state, who)
            return [acts.Undone(len(state.published), reason)]

        await self._act_on(number, who, decide, request_id)
        await self._close(gone, "round_undone")

    async def cancel(self, who: Account, number: int, reason: str) -> None:
        """Call it off; what runs is closed unrated."""
        boards = await self.boards(number)

        def decide(state: TournamentState) -> list[Fact]:
            _must_be_first(state, who)
            _must_be(state, "draft", "announced", "running")
            return [acts.Cancelled(reason)]

        after = await self._act_on(
            number,
            who,
            decide,
            told=lambda state: {
                entry.account: ("cancelled", {"reason": reason})
                for entry in state.entries.values()
                if not entry.robot
            },
        )
        await self._close(standing(after, boards), "tournament_cancelled")

    async def end(self, who: Account, number: int, request_id: str | None = None) -> None:
        """Close it: all rounds are played, or organisers end it here. Everybody is told his place."""
        boards = await self.boards(number)

        def decide(state: TournamentState) -> list[Fact]:
            _must_organise(state, who)
            _must_be(state, "running")
            if not is_closed(state, boards):
                raise NotNow("round_open", round=len(state.published))
            return [acts.Ended()]

        def told(state: TournamentState) -> dict[int, tuple[str, dict[str, Any]]]:
            places = {line.entrant: line.place for line in self.lines(state, boards)}
            return {
                account: ("place", {"place": place})
                for account, place in places.items()
                if not state.entries[account].robot
            }

        await self._act_on(number, who, decide, request_id, told=told)

    async def _close(self, boards: Sequence[BoardRow], reason: str) -> None:
        for board in boards:
            if board.table_id is not None:
                await self._tables.calling_off.call_off(board.table_id, reason)

    # --- results ------------------------------------------------------------------------------------------

    async def _game_ended(self, info: HouseTable, result: Result) -> tuple[list[Write], list[Hint]]:
        """What the last move of a table means to its board, unless an organiser has said something before."""
        if info.door != DOOR:
            return [], []
        row = await self._store.one(rows.BOARD_OF_TABLE, b_table_id=info.id)
        if row is None:
            return [], []
        board = _board(row)
        found = result_of(len(board.seats), result)
        if found is None:
            return [], []
        params = _place(row.tournament_id, board) | {"b_result": msgspec.json.encode(found).decode()}
        return [Write(rows.GAME_ENDED, params)], [Hint("tournament", row.tournament_id, 0)]

    async def set_result(
        self, who: Account, number: int, round_number: int, board_number: int, given: BoardResult, reason: str
    ) -> None:
        """How a board ended, as an organiser says: in the room, of a game that was void, or put right.

        Raises NotNow for a running game, and after the next round was published, except to administrators.
        """
        boards = await self.boards(number)
        state = await self.state(number)
        _must_organise(state, who)
        _must_be(state, "running", "over")
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
        if who.id in board.seats and len(state.organisers) > 1 and not who.is_administrator:
            raise TournamentError("own_board")
        settled = round_number < len(state.published) or state.status == "over"
        if settled and not who.is_administrator:
            raise NotNow("result_settled")
        if board.table_id is not None:
            info = await self._tables.read_info(board.table_id)
            if info.status in ("open", "running"):
                raise NotNow("board_running", board=board_number)
        try:
            result = checked(state.plan, self._rules(state.plan), len(board.seats), given)
        except BadResult as error:
            raise BadTournament("bad_result", field="result", reason=str(error)) from None
        said = msgspec.json.encode(replace(result, by=who.id)).decode()
        params = _place(number, board) | {"b_result": said, "b_version": board.version}
        write = Write(rows.SET_RESULT, params, expect=1)

        def decide(now: TournamentState) -> list[Fact]:
            _must_organise(now, who)
            if len(now.published) != len(state.published):
                raise NotNow("busy")
            return [acts.ResultSet(round_number, board_number, reason)]

        await self._act_on(
            number,
            who,
            decide,
            also=[write],
            told=lambda _: {
                account: ("result_set", {"round": round_number, "board": board_number, "reason": reason})
                for account in board.seats
                if not state.entries[account].robot
            },
        )

    # --- the log ------------------------------------------------------------------------------------------

    async def _act_on(
        self,
        number: int,
        who: Account,
        decide: Decide,
        request_id: str | None = None,
        *,
        also: Sequence[Write] = (),
        told: Callable[[TournamentState], dict[int, tuple[str, dict[str, Any]]]] | None = None,
    ) -> TournamentState:
        """Decide, and write what follows at the end of the log; who loses the race decides again."""
        for _ in range(TRIES):
            state = await self.state(number)
            if request_id is not None and await self._was_done(number, who, request_id):
                return state
            _must_see(state, who)
            facts = list(decide(state))
            if not facts:
                return state
            after = state
            for fact in facts:
                after = evolve(after, fact, state.seq + 1)
            unit = Unit(writes=[*self._moved_on(number, state, after, who.id, facts, request_id), *also])
            unit.hints.append(Hint("tournament", number, after.seq))
            for account, (what, about) in (told(after) if told is not None else {}).items():
                await self._tell(unit, number, after, account, what, about)
            for fact in facts:
                if isinstance(fact, acts.MovedUp):
                    await self._tell(unit, number, after, fact.account, "moved_up", {})
            try:
                await self._store.commit(unit)
            except Duplicate as duplicate:
                if "name_key" in duplicate.columns:
                    raise NotNow("name_taken", name=after.plan.name) from None
                continue
            except Conflict:
                continue
            return after
        raise NotNow("busy")

    async def _was_done(self, number: int, who: Account, request_id: str) -> bool:
        found = await self._store.one(
            rows.REQUESTED, b_id=number, b_account_id=who.id, b_request_id=request_id
        )
        return found is not None

    def _moved_on(
        self,
        number: int,
        state: TournamentState,
        after: TournamentState,
        who: int,
        facts: Sequence[Fact],
        request_id: str | None,
    ) -> list[Write]:
        row = {
            "b_id": number,
            "b_seq": state.seq,
            "b_status": after.status,
            "b_name_key": _key(after.plan.name),
        }
        act = self._act(number, state.seq + 1, who, facts, request_id)
        return [Write(rows.MOVE_ON, row, expect=1), act]

    def _act(self, number: int, seq: int, who: int, facts: Sequence[Fact], request_id: str | None) -> Write:
        return Write(
            rows.ADD_ACT,
            {
                "tournament_id": number,
                "seq": seq,
                "at": self._clock.now(),
                "account_id": who,
                "facts": msgspec.json.encode(facts).decode(),
                "request_id": request_id,
            },
        )

    async def _tell(
        self, unit: Unit, number: int, state: TournamentState, account: int, what: str, about: dict[str, Any]
    ) -> None:
        """Leave somebody a notice in this transaction."""
        said = {"tournament": number, "name": state.plan.name, "what": what, **about}
        unit.writes += await self._club.notices.add_writes(account, "tournament", said)
        unit.hints.append(self._club.notices.hint(account))

    async def _rating(self, account_id: int, plan: Plan) -> int:
        found = await self._club.ratings.standing(account_id, plan.game, plan.variant)
        return found.rating


def _organises(state: TournamentState, who: Account | None) -> bool:
    return who is not None and (who.id in state.organisers or who.is_administrator)


def _must_see(state: TournamentState, who: Account) -> None:
    """A draft is nobody's but its organisers'."""
    if state.status == "draft" and not _organises(state, who):
        raise NoSuchTournament()


def _must_organise(state: TournamentState, who: Account) -> None:
    _must_see(state, who)
    if not _organises(state, who):
        raise TournamentError("not_organiser")


def _must_be_first(state: TournamentState, who: Account) -> None:
    if who.id != state.organisers[0] and not who.is_administrator:
        raise TournamentError("not_first_organiser")


def _must_be(state: TournamentState, *wanted: str) -> None:
    if state.status not in wanted:
        raise NotNow("wrong_status", status=state.status)


def _moved_up(state: TournamentState) -> list[Fact]:
    """Who waits and now has a place."""
    taken = sum(not entry.waits for entry in state.entries.values())
    free = len(state.entries) if not state.plan.limit else max(0, state.plan.limit - taken)
    return [acts.MovedUp(account) for account in state.waiting[:free]]


def _public(fact: dict[str, Any]) -> dict[str, Any]:
    return fact | {"plan": public(fact["plan"])} if "plan" in fact else fact


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _place(number: int, board: BoardRow) -> dict[str, Any]:
    return {"b_id": number, "b_round": board.round, "b_attempt": board.attempt, "b_board": board.board}


def _board(row: Any) -> BoardRow:
    return BoardRow(
        row.round,
        row.attempt,
        row.board,
        tuple(msgspec.json.decode(row.seats, type=list[int])),
        row.table_id,
        None if row.result is None else msgspec.json.decode(row.result, type=BoardResult),
        row.version,
    )
