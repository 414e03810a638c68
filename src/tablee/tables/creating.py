"""Making tables: with which options, terms and people, and how their games begin."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.club.bounds import TABLE_NAME_MOST, TABLES_MOST, TABLES_OF_VISITOR_MOST
from tablee.rules.contract import (
    BY_LOT,
    MASTER,
    Fact,
    Join,
    Json,
    Result,
    Resumption,
    Rules,
    Seat,
    refused_by,
)
from tablee.store import Append, Conflict, Duplicate, EventRow, Hint, Unit, Write
from tablee.tables import rows
from tablee.tables.admission import BY_HOUSE
from tablee.tables.announcing import begun_announcement
from tablee.tables.clocks import NO_CLOCK, Days, TimeControl, read_time_control
from tablee.tables.codec import Sitting, Start
from tablee.tables.errors import (
    BadOptions,
    Full,
    NameTaken,
    NoSuchRobot,
    NotHost,
    NotStarted,
    Started,
    TooManyTables,
)
from tablee.tables.info import ACCESSES, HouseTable, SeatInfo
from tablee.tables.loaded import LoadedTable
from tablee.tables.lobby import lobby_hint
from tablee.tables.sitting import points_of, robot_name, seat_for, seat_row
from tablee.tables.submission import Attachment
from tablee.tables.terms import PLAIN, Terms, terms_row

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

People = Mapping[Seat, Join]
FIRST_SWEEP = 45 * 60_000
"""The sweep first looks at a new table after so long."""
TRIES = 20
"""How often a table that somebody else has just changed is looked at again."""


class TablePlan(msgspec.Struct, frozen=True):
    """What a table is to be."""

    game: str
    variant: str
    options: Json = None
    host: int | None = None
    access: str = "open"
    time_control: Any = NO_CLOCK
    rated: bool = True
    door: str = "web"
    name: str | None = None
    unique_name: bool = False
    robots: Sequence[str] = ()
    """By strength, in the seats behind the people."""
    seats: int | None = None
    people: Sequence[int | str] | None = None
    """Accounts, or robots among them by strength, in the first seats; None: the host, if he is no master."""
    terms: Terms = PLAIN
    waits: bool = False
    """It does not begin when it is full, but when the house says so."""
    side: str | None = None
    """What the first seat plays, of the game's `sides`, or by lot; None is as the options have it."""
    number: int | None = None
    """Its number, where somebody has taken one already."""
    guards: Sequence[Any] = ()
    """Writes of the same transaction."""
    hints: Sequence[Any] = ()
    """A hint without a value gets the table's number."""


class Creating:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self._club = tables.club

    def is_slow(self, plan: TablePlan) -> bool:
        """Whether a table is long in the making: its board is, which is made beside the loop.

        Raises NoSuchGame, BadOptions.
        """
        rules = self._tables.offered(plan.game, plan.variant)
        return rules.setup_is_slow(checked_choice(rules, plan.options, plan.time_control)[0])

    async def create(self, plan: TablePlan) -> HouseTable:
        """A new table, with those who take its first seats.

        A game that begins with nobody runs at once; others begin when every seat is taken or by `start`.
        Raises NoSuchGame, BadOptions, NoSuchRobot, Full, Illegal.
        """
        info, unit = await self.prepared(plan)
        try:
            await self._store.commit(unit)
        except Duplicate as duplicate:
            if "name_key" in duplicate.columns:
                raise NameTaken(name=info.name) from None
            raise
        if info.seats_least == 0 and not plan.terms.mastered:
            for strength in plan.robots:
                await self._tables.sitting.add_robot(info.id, strength)
        return await self._tables.read_info(info.id)

    async def prepared(self, plan: TablePlan) -> tuple[HouseTable, Unit]:
        """A table as it will be, and the transaction that makes it: alone, or as part of a larger one.

        Raises what `create` raises. Robots in `plan.robots` of a game that begins with nobody are not in it.
        """
        game, variant, host, access, name = plan.game, plan.variant, plan.host, plan.access, plan.name
        robots, terms = plan.robots, plan.terms
        people = plan.people
        if people is None:
            people = [] if host is None or terms.mastered else [host]
        rules = self._tables.offered(game, variant)
        terms.check(rules.has_master)
        if access not in ACCESSES:
            raise BadOptions("bad_access", access=access)
        if name is not None and len(name) > TABLE_NAME_MOST:
            raise BadOptions("name_too_long", most=TABLE_NAME_MOST)
        if host is not None:
            await self._may_host(host)
        chosen, control = checked_choice(rules, plan.options, plan.time_control)
        must_have_side(rules, plan.side)
        if plan.side is not None:
            chosen = rules.with_first_as(chosen, plan.side)
        if terms.fast:
            chosen = rules.hurried(chosen)
        if rules.setup_is_slow(chosen):
            self._tables.making.must_have_room(host)
        bounds = rules.seats(chosen)
        most = bounds.most if plan.seats is None else min(max(plan.seats, bounds.least, 1), bounds.most)
        for strength in (*robots, *(each for each in people if isinstance(each, str))):
            if strength not in rules.robots:
                raise NoSuchRobot(strength=strength)
        info = await self._new(plan, bounds.least, most, chosen, control)
        now = info.created_at
        key = name_key(game, name) if plan.unique_name and name else None
        if len(people) + len(robots) > most:
            raise Full()
        if bounds.least == 0 and not terms.mastered:
            info = await self._seated(info, people)
            facts = await self._setup(rules, chosen, (), now, host)
            return await self._unit(self._begun(info), facts, plan, key)
        info = await self._seated(info, (*people, *robots))
        if not rules.setup_is_slow(chosen):
            # A trial: options that do not fit are refused now, not when the last seat is taken.
            with refused_by(rules):
                rules.setup(chosen, range(1, most + 1), now, Random(0))
        if len(info.taken) == most and not terms.mastered and not plan.waits:
            facts = await self._setup(rules, chosen, [taken.seat for taken in info.taken], now, host)
            return await self._unit(self._begun(info), facts, plan, key)
        return await self._unit(info, None, plan, key)

    async def go_on(
        self, plan: TablePlan, seats: Mapping[Seat, int | str], resume: Callable[[People, int], Resumption]
    ) -> HouseTable:
        """A table whose game goes on at once from where another has got to, with these people and robots.

        Raises NoSuchGame, NoSuchRobot, TooManyTables.
        """
        rules = self._tables.offered(plan.game, plan.variant)
        if plan.host is not None:
            await self._may_host(plan.host)
        for newcomer in seats.values():
            if isinstance(newcomer, str) and newcomer not in rules.robots:
                raise NoSuchRobot(strength=newcomer)
        most = max(plan.seats or 0, *seats)
        info = await self._new(plan, 0, most, plan.options, plan.time_control)
        info = await self._seated(info, list(seats.values()), list(seats))
        people = {taken.seat: await self._join(info, taken) for taken in info.taken}
        resumption = resume(people, info.created_at)
        bounds = rules.seats(resumption.options)
        options = msgspec.to_builtins(resumption.options)
        info = msgspec.structs.replace(info, options=options, seats_least=bounds.least)
        _, unit = await self._unit(self._begun(info), resumption.facts, plan, None, is_resumed=True)
        await self._store.commit(unit)
        return await self._tables.read_info(info.id)

    async def _new(
        self, plan: TablePlan, least: int, most: int, options: Any, control: TimeControl
    ) -> HouseTable:
        """A table at which nobody sits yet."""
        table_id = await self._store.new_id("table") if plan.number is None else plan.number
        return HouseTable(
            id=table_id,
            game=plan.game,
            variant=plan.variant,
            door=plan.door,
            name=plan.name or f"Table {table_id}",
            host_id=plan.host,
            host_name=None,
            access=plan.access,
            invitation=secrets.token_urlsafe(18),
            options=msgspec.to_builtins(options),
            time_control=control,
            rated=plan.rated and self._tables.rules(plan.game, plan.variant).may_be_rated(options),
            seats_least=least,
            seats_most=most,
            status="open",
            created_at=self._clock.now(),
            started_at=None,
            ended_at=None,
            result=None,
            due_at=None,
            seats=(),
            terms=plan.terms,
        )

    async def _join(self, info: HouseTable, taken: SeatInfo) -> Join:
        points = await points_of(self._club, info, taken.account_id)
        return Join(taken.name, points, taken.robot is not None)

    async def _may_host(self, account_id: int) -> None:
        """Raises TooManyTables for the host of as many tables as one may have at once."""
        account = await self._club.accounts.by_id(account_id)
        most = TABLES_MOST if account.is_member else TABLES_OF_VISITOR_MOST
        hosted = await self._store.one(rows.HOSTED, b_host_id=account_id)
        if hosted is not None and hosted.number >= most:
            raise TooManyTables(most=most)

    def _begun(self, info: HouseTable) -> HouseTable:
        # Due at once: whoever sweeps first finds out when its first alarm really is.
        return msgspec.structs.replace(
            info, status="running", started_at=info.created_at, due_at=info.created_at
        )

    async def _seated(
        self, info: HouseTable, people: Sequence[int | str], seats: Sequence[Seat] | None = None
    ) -> HouseTable:
        """With people, and robots by strength, in these seats or the first ones."""
        now = info.created_at
        for seat, newcomer in zip(seats or range(1, len(people) + 1), people, strict=True):
            if isinstance(newcomer, int):
                await self._tables.admission.admit(info, newcomer, BY_HOUSE)
                taken = seat_for(await self._club.accounts.by_id(newcomer), seat, now)
            else:
                account = await self._club.accounts.robot(info.game, newcomer)
                name = robot_name(info, account.pseudo)
                taken = SeatInfo(seat, account.id, name, newcomer, now, kind="robot")
            info = info.with_seat(taken)
        return info

    async def _unit(
        self,
        info: HouseTable,
        facts: list[Fact] | None,
        plan: TablePlan,
        key: str | None,
        is_resumed: bool = False,
    ) -> tuple[HouseTable, Unit]:
        """A new table, begun if there are facts, and the one transaction that writes it."""
        writes = [*plan.guards, Write(rows.ADD_TABLE, _row(info) | {"name_key": key})]
        writes += [Write(rows.ADD_SEAT, seat_row(info.id, taken)) for taken in info.seats]
        appends = []
        if facts is not None:
            events = await self._first_events(info, facts, is_resumed)
            appends.append(Append(info.id, 0, events))
            rules = self._tables.rules(info.game, info.variant)
            codec = self._tables.codec(info.game, info.variant)
            writes += LoadedTable(self._tables, info, rules, codec).first_calls(events)
            writes.append(begun_announcement(info, rules, 1, info.created_at))
        told = [hint if hint.value else hint._replace(value=info.id) for hint in plan.hints]
        told = [lobby_hint(info.id, info.status), *told]
        return info, Unit(appends=appends, writes=writes, hints=told)

    async def _first_events(self, info: HouseTable, facts: list[Fact], is_resumed: bool) -> list[EventRow]:
        """How the log begins; where a game begins with nobody, those who sit there come in one by one."""
        codec = self._tables.codec(info.game, info.variant)
        begins_empty = info.seats_least == 0 and not is_resumed
        start = codec.encode_action(Start(info.options, [] if begins_empty else _sitting(info)))
        events = [EventRow(info.id, 1, info.created_at, MASTER, start, codec.encode_facts(facts), None)]
        if not begins_empty:
            return events
        rules = self._tables.rules(info.game, info.variant)
        state: Any = None
        for taken in info.taken:
            for fact in facts:
                state = rules.evolve(state, fact)
            join = await self._join(info, taken)
            with refused_by(rules):
                facts = rules.decide(state, taken.seat, join, info.created_at, self._tables.rng)
            row = (taken.seat, codec.encode_action(join), codec.encode_facts(facts), None)
            events.append(EventRow(info.id, len(events) + 1, info.created_at, *row))
        return events

    async def _setup(
        self, rules: Rules[Any], chosen: Any, seats: Sequence[Seat], at: int, host: int | None
    ) -> list[Fact]:
        """The first facts; those that take long are made beside the event loop, one of a host at a time."""
        with refused_by(rules):
            if not rules.setup_is_slow(chosen):
                return rules.setup(chosen, seats, at, self._tables.rng)
            seed = self._tables.rng.getrandbits(64)
            return await self._tables.making.do(host, slow_setup, rules, chosen, seats, at, seed)

    async def start(self, table_id: int, by: int | None = None) -> HouseTable:
        """Begin an open table's game before it is full; `by` None is the house itself.

        Raises NotHost, Started, NotStarted (too few players), Illegal.
        """
        loaded = await self._tables.open(table_id)
        for _ in range(TRIES):
            info = await self._tables.read_info(table_id)
            loaded.update_info(info)
            if by is not None and by != info.host_id:
                raise NotHost()
            if info.status != "open":
                raise Started()
            if len(info.taken) < info.seats_least:
                raise NotStarted("not_enough_players", least=info.seats_least)
            try:
                await self._start(loaded, info)
            except (Conflict, Started):
                continue
            return loaded.info
        raise Conflict(f"table {table_id} is too busy to begin")

    async def _start(self, loaded: LoadedTable, info: HouseTable) -> None:
        rules = loaded.rules
        now = self._clock.now()
        chosen = _with_deal(info, rules)
        facts = await self._setup(rules, chosen, [taken.seat for taken in info.taken], now, info.host_id)
        started = msgspec.structs.replace(info, status="running", started_at=now)
        await self._tables.submit(
            loaded,
            MASTER,
            Start(msgspec.to_builtins(chosen), _sitting(info)),
            attached=Attachment(
                writes=[
                    Write(rows.STARTED, {"b_id": info.id, "b_at": now, "b_seats": len(info.taken)}, expect=1)
                ],
                hints=[lobby_hint(info.id, "running")],
                applied=lambda table: table.update_info(started),
                facts=facts,
            ),
        )

    async def close(
        self,
        table_id: int,
        by: int | None = None,
        *,
        result: Result | None = None,
        also: Sequence[Write] = (),
        hints: Sequence[Hint] = (),
    ) -> None:
        """Clear away a table whose game has not begun, with what the house says of it; and write `also`.

        Raises NotHost, Started.
        """
        info = await self._tables.read_info(table_id)
        if by is not None and by != info.host_id:
            raise NotHost()
        write = self.closed_write(table_id, result, expect=1)
        try:
            await self._store.commit(
                Unit(writes=[write, *also], hints=[lobby_hint(table_id, "closed"), *hints])
            )
        except Conflict:
            raise Started() from None
        loaded = self._tables.loaded.get(table_id)
        if loaded is not None:
            loaded.update_info(await self._tables.read_info(table_id))

    def closed_write(self, table_id: int, result: Result | None = None, expect: int | None = None) -> Write:
        """That a table is closed before its game has begun."""
        said = None if result is None else msgspec.json.encode(result).decode()
        row = {"b_id": table_id, "b_at": self._clock.now(), "b_result": said}
        return Write(rows.CLOSED, row, expect=expect)


def checked_choice(
    rules: Rules[Any], options: Json, time_control: TimeControl | Json, players: int | None = None
) -> tuple[Any, TimeControl]:
    """The options and the time control of a table, perhaps for so many players; raises BadOptions."""
    try:
        chosen = msgspec.convert(options or {}, rules.options_type)
    except msgspec.ValidationError as error:
        raise BadOptions(reason=str(error)) from None
    control = clock_for(rules, time_control)
    chosen = rules.paced(chosen, isinstance(control, Days))
    if players is not None:
        bounds = rules.seats(chosen)
        if not max(2, bounds.least) <= players <= bounds.most:
            raise BadOptions("bad_wish", players=players)
    return chosen, control


def must_have_side(rules: Rules[Any], side: str | None) -> None:
    """Raises BadOptions for a wish that the game does not know."""
    if side is not None and (not rules.sides or side not in (*rules.sides, BY_LOT)):
        raise BadOptions("bad_side", side=side)


def clock_for(rules: Rules[Any], time_control: TimeControl | Json) -> TimeControl:
    """The time control of a table of this game; raises BadOptions, too where the game knows no clocks.

    None is what is usual for the game.
    """
    if time_control is None and rules.usual_clocks:
        time_control = rules.usual_clocks[0]
    try:
        control = read_time_control(time_control)
    except msgspec.MsgspecError as error:
        raise BadOptions("bad_time_control", reason=str(error)) from None
    if control != NO_CLOCK and not rules.has_clocks:
        raise BadOptions("no_clocks")
    return control


def name_key(game: str, name: str) -> str:
    """What two tables of one game must not share."""
    return f"{game}:{name}"


def _with_deal(info: HouseTable, rules: Rules[Any]) -> Any:
    """The options, with the roles as a master has dealt them; raises NotStarted where one is missing."""
    chosen = msgspec.convert(info.options, rules.options_type)
    if not info.terms.manual:
        return chosen
    deal = info.dealt
    seats = [deal.get(role, 0) for role in range(1, max(info.terms.deal, default=0) + 1)]
    chosen = rules.dealt(chosen, seats)
    if chosen is None:
        raise NotStarted("deal_incomplete")
    return chosen


def slow_setup(rules: Rules[Any], options: Any, seats: Sequence[Seat], at: int, seed: int) -> list[Fact]:
    """`setup` as an executor runs it, with chance of its own."""
    return rules.setup(options, seats, at, Random(seed))


def _sitting(info: HouseTable) -> list[Sitting]:
    return [Sitting(taken.seat, taken.name, taken.robot is not None) for taken in info.taken]


def _row(info: HouseTable) -> dict[str, Any]:
    return {
        "id": info.id,
        "game": info.game,
        "variant": info.variant,
        "door": info.door,
        "name": info.name,
        "host_id": info.host_id,
        "access": info.access,
        "invitation": info.invitation,
        "options": msgspec.json.encode(info.options).decode(),
        "time_control": msgspec.json.encode(info.time_control).decode(),
        "rated": info.rated,
        "seats_least": info.seats_least,
        "seats_most": info.seats_most,
        "status": info.status,
        "seq": 0,
        "due_at": info.due_at,
        "created_at": info.created_at,
        "started_at": info.started_at,
        "ended_at": None,
        "result": None,
        **terms_row(info.terms),
        "name_key": None,
        "looked_at": info.created_at,
        "sweep_at": info.created_at + FIRST_SWEEP,
        "warned_at": None,
    }
