"""Making tables, and who sits where: joining, leaving, coming back, taking somebody's place."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.clock import Instant
from tablee.club.bounds import TABLE_NAME_MOST, TABLES_MOST, TABLES_OF_VISITOR_MOST
from tablee.club.people import Account
from tablee.rules.contract import (
    MASTER,
    Fact,
    Illegal,
    Join,
    Json,
    Leave,
    Replace,
    Result,
    Rules,
    Seat,
    refused_by,
)
from tablee.store import Append, Conflict, Duplicate, EventRow, Hint, Unit, Write
from tablee.tables import rows
from tablee.tables.admission import BY_HOUSE, Way
from tablee.tables.clocks import NO_CLOCK, Days, TimeControl, read_time_control
from tablee.tables.codec import Sitting, Start
from tablee.tables.errors import (
    BadOptions,
    Full,
    NameTaken,
    NoLink,
    NoSuchRobot,
    NotHost,
    NotSeated,
    NotStarted,
    Over,
    RobotStays,
    SeatTaken,
    Started,
    TooManyTables,
)
from tablee.tables.info import ACCESSES, SeatInfo, TableInfo
from tablee.tables.live import LiveTable
from tablee.tables.roles import roles_in
from tablee.tables.submission import Beside
from tablee.tables.terms import PLAIN, Terms, terms_row

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

FIRST_SWEEP = 45 * 60_000
"""The sweep first looks at a new table after so long."""
TRIES = 20
"""How often a seat that somebody else was faster to take is looked for again."""


def lobby_hint(table_id: int, what: str) -> Hint:
    """What the bus says when a table is made, begins, ends or changes its seats."""
    return Hint("lobby", table_id, what)


class Seating:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self._club = tables.club

    # --- making -----------------------------------------------------------------------------------------

    async def create(
        self,
        game: str,
        variant: str,
        options: Json,
        host: int | None,
        *,
        access: str,
        time_control: TimeControl | Json,
        rated: bool,
        door: str,
        name: str | None,
        robots: Sequence[str],
        seats: int | None,
        people: Sequence[int | str] = (),
        guards: Sequence[Write] = (),
        hints: Sequence[Hint] = (),
        terms: Terms = PLAIN,
        unique_name: bool = False,
        number: int | None = None,
    ) -> TableInfo:
        """A new table; `people` (or robots among them, by strength) take its first seats.

        `guards` are written with it, and a hint without a value gets its number: `number`, if that is given.
        """
        rules = self._tables.offered(game, variant)
        terms.check(rules.has_master)
        if access not in ACCESSES:
            raise BadOptions("bad_access", access=access)
        if name is not None and len(name) > TABLE_NAME_MOST:
            raise BadOptions("name_too_long", most=TABLE_NAME_MOST)
        if host is not None:
            await self._may_host(host)
        chosen, control = checked_choice(rules, options, time_control)
        if terms.fast:
            chosen = rules.hurried(chosen)
        if rules.setup_is_slow(chosen):
            self._tables.making.must_have_room(host)
        bounds = rules.seats(chosen)
        most = bounds.most if seats is None else min(max(seats, bounds.least, 1), bounds.most)
        for strength in (*robots, *(each for each in people if isinstance(each, str))):
            if strength not in rules.robots:
                raise NoSuchRobot(strength=strength)
        now = self._clock.now()
        table_id = await self._store.new_id("table") if number is None else number
        info = TableInfo(
            id=table_id,
            game=game,
            variant=variant,
            door=door,
            name=name or f"Table {table_id}",
            host_id=host,
            host_name=None,
            access=access,
            invitation=secrets.token_urlsafe(18),
            options=msgspec.to_builtins(chosen),
            time_control=control,
            rated=rated,
            seats_least=bounds.least,
            seats_most=most,
            status="open",
            created_at=now,
            started_at=None,
            ended_at=None,
            result=None,
            due_at=None,
            seats=(),
            terms=terms,
        )
        key = name_key(game, name) if unique_name and name else None
        if len(people) + len(robots) > most:
            raise Full()
        if bounds.least == 0 and not terms.mastered:
            info = await self._seated(info, people, ())
            facts = await self._setup(rules, chosen, (), now, host)
            await self._put(self._begun(info), facts, guards, hints, key)
            for strength in robots:
                await self.add_robot(table_id, strength)
        else:
            info = await self._seated(info, people, robots)
            if not rules.setup_is_slow(chosen):
                # A trial: options that do not fit are refused now, not when the last seat is taken.
                with refused_by(rules):
                    rules.setup(chosen, range(1, most + 1), now, Random(0))
            if len(info.taken) == most and not terms.mastered:
                facts = await self._setup(rules, chosen, [taken.seat for taken in info.taken], now, host)
                await self._put(self._begun(info), facts, guards, hints, key)
            else:
                await self._put(info, None, guards, hints, key)
        return await self._tables.read_info(table_id)

    async def _may_host(self, account_id: int) -> None:
        """Raises TooManyTables for the host of as many tables as one may have at once."""
        account = await self._club.accounts.by_id(account_id)
        most = TABLES_MOST if account.is_member else TABLES_OF_VISITOR_MOST
        hosted = await self._store.one(rows.HOSTED, b_host_id=account_id)
        if hosted is not None and hosted.number >= most:
            raise TooManyTables(most=most)

    def _begun(self, info: TableInfo) -> TableInfo:
        # Due at once: whoever sweeps first finds out when its first alarm really is.
        return msgspec.structs.replace(
            info, status="running", started_at=info.created_at, due_at=info.created_at
        )

    async def _seated(self, info: TableInfo, people: Sequence[int | str], robots: Sequence[str]) -> TableInfo:
        now = info.created_at
        for newcomer in (*people, *robots):
            seat = len(info.seats) + 1
            if isinstance(newcomer, int):
                await self._tables.admission.admit(info, newcomer, BY_HOUSE)
                taken = _seat_for(await self._club.accounts.by_id(newcomer), seat, now)
            else:
                account = await self._club.accounts.robot(info.game, newcomer)
                name = _robot_name(info, account.pseudo)
                taken = SeatInfo(seat, account.id, name, newcomer, now, kind="robot")
            info = info.with_seat(taken)
        return info

    async def _put(
        self,
        info: TableInfo,
        facts: list[Fact] | None,
        guards: Sequence[Write],
        hints: Sequence[Hint],
        key: str | None,
    ) -> None:
        """Write a new table, begun if there are facts, in one transaction."""
        writes = [*guards, Write(rows.ADD_TABLE, _row(info) | {"name_key": key})]
        writes += [Write(rows.ADD_SEAT, _seat_row(info.id, taken)) for taken in info.seats]
        appends = [] if facts is None else [Append(info.id, 0, await self._first_events(info, facts))]
        told = [hint if hint.value else hint._replace(value=info.id) for hint in hints]
        told = [lobby_hint(info.id, info.status), *told]
        try:
            await self._store.commit(Unit(appends=appends, writes=writes, hints=told))
        except Duplicate as duplicate:
            if "name_key" in duplicate.columns:
                raise NameTaken(name=info.name) from None
            raise

    async def _first_events(self, info: TableInfo, facts: list[Fact]) -> list[EventRow]:
        """How the log begins; where a game begins with nobody, those who sit there come in one by one."""
        codec = self._tables.codec(info.game, info.variant)
        begins_empty = info.seats_least == 0
        start = codec.encode_action(Start(info.options, [] if begins_empty else _sitting(info)))
        events = [EventRow(info.id, 1, info.created_at, MASTER, start, codec.encode_facts(facts), None)]
        if not begins_empty:
            return events
        rules = self._tables.rules(info.game, info.variant)
        state: Any = None
        for taken in info.taken:
            for fact in facts:
                state = rules.evolve(state, fact)
            join = Join(taken.name, await self._points(info, taken.account_id), taken.robot is not None)
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

    async def start(self, table_id: int, by: int | None) -> TableInfo:
        """Begin the game of an open table; raises NotHost, Started, NotStarted (too few players), Illegal."""
        live = await self._tables.open(table_id)
        for _ in range(TRIES):
            info = await self._tables.read_info(table_id)
            live.know(info)
            if by is not None and by != info.host_id:
                raise NotHost()
            if info.status != "open":
                raise Started()
            if len(info.taken) < info.seats_least:
                raise NotStarted("not_enough_players", least=info.seats_least)
            try:
                await self._start(live, info)
            except (Conflict, Started):
                continue
            return live.info
        raise Conflict(f"table {table_id} is too busy to begin")

    async def _start(self, live: LiveTable, info: TableInfo) -> None:
        rules = live.rules
        now = self._clock.now()
        chosen = _with_deal(info, rules)
        facts = await self._setup(rules, chosen, [taken.seat for taken in info.taken], now, info.host_id)
        started = msgspec.structs.replace(info, status="running", started_at=now)
        await self._tables.submit(
            live,
            MASTER,
            Start(msgspec.to_builtins(chosen), _sitting(info)),
            beside=Beside(
                writes=[
                    Write(rows.STARTED, {"b_id": info.id, "b_at": now, "b_seats": len(info.taken)}, expect=1)
                ],
                hints=[lobby_hint(info.id, "running")],
                applied=lambda table: table.know(started),
                facts=facts,
            ),
        )

    # --- joining ----------------------------------------------------------------------------------------

    async def join(
        self,
        table_id: int,
        account_id: int,
        seat: Seat | None,
        way: Way,
    ) -> SeatInfo:
        """Take a seat, if one is admitted to it."""
        for _ in range(TRIES):
            info = await self._tables.read_info(table_id)
            sitting = info.seat_of(account_id)
            if sitting is not None:
                return sitting
            await self._tables.admission.admit(info, account_id, way)
            if info.status not in ("open", "running"):
                raise Over()
            chosen = self._free_seat(info, account_id, seat)
            account = await self._club.accounts.by_id(account_id)
            taken = _seat_for(account, chosen, self._clock.now())
            try:
                await self._sit(info, taken)
            except (Conflict, Duplicate):
                continue
            except Illegal:
                # Perhaps the seat was taken on another node while this one looked: look once more.
                newer = await self._tables.read_info(table_id)
                if newer.at(chosen) == info.at(chosen):
                    raise
                continue
            return taken
        raise Full()

    async def add_robot(self, table_id: int, strength: str, seat: Seat | None = None) -> SeatInfo:
        """A robot takes a free seat; raises NoSuchRobot, Full, Illegal."""
        for _ in range(TRIES):
            info = await self._tables.read_info(table_id)
            if strength not in self._tables.rules(info.game, info.variant).robots:
                raise NoSuchRobot(strength=strength)
            account = await self._club.accounts.robot(info.game, strength)
            before = None if seat is not None else _robot_sent_away(info, strength)
            chosen = before.seat if before is not None else self._free_seat(info, None, seat)
            name = before.name if before is not None else _robot_name(info, account.pseudo)
            taken = SeatInfo(chosen, account.id, name, strength, self._clock.now(), kind="robot")
            try:
                await self._sit(info, taken)
            except (Conflict, Duplicate):
                continue
            return taken
        raise Full()

    async def _sit(self, info: TableInfo, taken: SeatInfo) -> None:
        live = await self._tables.open(info.id)
        if info.status == "open":
            await self._store.commit(
                Unit(
                    writes=[
                        Write(rows.TOUCH_OPEN, {"b_id": info.id}, expect=1),
                        Write(rows.TAKE_SEAT, _take(info.id, taken), expect=1),
                    ],
                    hints=[lobby_hint(info.id, "seats")],
                )
            )
            after = await self._tables.read_info(info.id)
            live.know(after)
            full = len(after.taken) >= after.seats_most and after.status == "open"
            if full and not after.terms.mastered:
                with suppress(Started):
                    await self.start(info.id, None)
            return
        action = Join(taken.name, await self._points(info, taken.account_id), taken.robot is not None)
        await self._tables.submit(
            live,
            taken.seat,
            action,
            beside=Beside(
                writes=[Write(rows.PUT_SEAT, _seat_row(info.id, taken))],
                hints=[lobby_hint(info.id, "seats")],
                applied=lambda table: table.know(table.info.with_seat(taken)),
            ),
        )

    async def _points(self, info: TableInfo, account_id: int) -> int:
        standing = await self._club.ratings.standing(account_id, info.game, info.variant)
        return 0 if standing is None else standing.points

    def _free_seat(self, info: TableInfo, account_id: int | None, wanted: Seat | None) -> Seat:
        """The seat asked for, else the one he sat in before, else the lowest that nobody ever had."""
        if wanted is not None:
            if not 1 <= wanted <= info.seats_most:
                raise SeatTaken("no_such_seat", seat=wanted)
            there = info.at(wanted)
            if there is not None and (there.left_at is None or there.account_id != account_id):
                raise SeatTaken(seat=wanted)
            return wanted
        for taken in info.seats:
            if account_id is not None and taken.account_id == account_id:
                return taken.seat
        used = {taken.seat for taken in info.seats}
        for seat in range(1, info.seats_most + 1):
            if seat not in used:
                return seat
        raise Full()

    async def invite(self, table_id: int, by: int, account_id: int) -> None:
        """Invite somebody, who gets a notice; raises NotHost (anybody who sits there may invite too)."""
        info = await self._tables.read_info(table_id)
        if by != info.host_id and info.seat_of(by) is None:
            raise NotHost()
        if info.status in ("over", "closed"):
            raise Over()
        notice = await self._club.notices.add_writes(
            account_id,
            "invitation",
            {
                "table": table_id,
                "name": info.name,
                "game": info.game,
                "variant": info.variant,
                "by": by,
                "by_name": (await self._club.accounts.by_id(by)).pseudo,
            },
        )
        row = {"table_id": table_id, "account_id": account_id, "at": self._clock.now()}
        await self._store.commit(
            Unit(writes=[Write(rows.INVITE, row), notice], hints=[self._club.notices.hint(account_id)])
        )

    async def renew_link(self, table_id: int, by: int) -> TableInfo:
        """A new link for a private table; the old one is dead at once. Raises NotHost, NoLink, Over."""
        info = await self._tables.read_info(table_id)
        if by != info.host_id:
            raise NotHost()
        if info.access != "private":
            raise NoLink()
        if info.status in ("over", "closed"):
            raise Over()
        link = {"b_id": table_id, "b_invitation": secrets.token_urlsafe(18)}
        await self._store.commit(
            Unit(writes=[Write(rows.NEW_LINK, link, expect=1)], hints=[lobby_hint(table_id, "link")])
        )
        return await self._tables.read_info(table_id)

    # --- leaving and taking over ------------------------------------------------------------------------

    async def leave(self, table_id: int, account_id: int) -> None:
        info = await self._tables.read_info(table_id)
        sitting = info.seat_of(account_id)
        if sitting is None:
            raise NotSeated()
        if info.status == "open":
            await self._leave_open(info, sitting)
        elif info.status == "running":
            await self._leave_running(info, sitting, resigned=True)
        else:
            raise Over()

    async def remove(self, table_id: int, seat: Seat, by: int) -> None:
        """The host sends somebody away before the game begins; later a master does, whose game waits for
        somebody else to go on in the seat, and any host a robot, where all come and go.

        Raises NotHost, NotSeated, Started, RobotStays, Over, Illegal.
        """
        info = await self._tables.read_info(table_id)
        if by != info.host_id:
            raise NotHost()
        sitting = info.at(seat)
        if sitting is None or sitting.left_at is not None:
            raise NotSeated("empty_seat", seat=seat)
        if info.status == "open":
            # Who is sent away does not come back by an invitation that he had.
            gone = {"b_id": table_id, "b_account_id": sitting.account_id}
            await self._give_up(info, sitting, [Write(rows.UNINVITE, gone)], "seats")
            who = sitting.account_id if sitting.robot is None else -seat
            if who in info.terms.deal.values():
                await self._tables.mastering.set_terms(table_id, lambda terms: terms.without(who))
        elif info.status != "running":
            raise Over()
        elif sitting.robot is None and by == info.master_id:
            await self._leave_running(info, sitting, resigned=False)
        elif sitting.robot is None:
            raise Started()
        elif info.seats_least:
            raise RobotStays("robot_needed")
        else:
            await self._leave_running(info, sitting, resigned=False)

    async def _leave_running(self, info: TableInfo, sitting: SeatInfo, resigned: bool) -> None:
        live = await self._tables.open(info.id)
        gone = msgspec.structs.replace(sitting, left_at=self._clock.now())
        left = {"b_id": info.id, "b_seat": gone.seat, "b_left_at": gone.left_at}
        await self._tables.submit(
            live,
            sitting.seat,
            Leave(),
            beside=Beside(
                writes=[
                    Write(rows.LEAVE_SEAT, left),
                    *self._departed(info, sitting, resigned),
                    *self._dropped(info, sitting),
                ],
                hints=[lobby_hint(info.id, "seats")],
                applied=lambda table: table.know(table.info.with_seat(gone)),
            ),
        )

    def _departed(self, info: TableInfo, sitting: SeatInfo, resigned: bool) -> list[Write]:
        """That somebody has left a game for good, for its end: who `resigned` has lost it.

        Where all come and go nobody resigns by going, and a robot has nothing to lose.
        """
        if info.seats_least == 0 or sitting.robot is not None or sitting.left_at is not None:
            return []
        row = {"table_id": info.id, "seat": sitting.seat, "account_id": sitting.account_id}
        return [Write(rows.DEPARTED, {**row, "at": self._clock.now(), "resigned": resigned})]

    def _handed_over(
        self, info: TableInfo, roles: Sequence[int], before: SeatInfo, account_id: int, now: Instant
    ) -> list[Write]:
        """From when on somebody has these roles, which were another's."""
        # Who came after the beginning, before handovers were kept, has them since he sat down.
        since = before.joined_at if before.joined_at > (info.started_at or 0) else 0
        writes = []
        for role in roles:
            key = {"table_id": info.id, "role": role}
            writes.append(Write(rows.HELD_FIRST, {**key, "at": since, "account_id": before.account_id}))
            writes.append(Write(rows.HANDED_OVER, {**key, "at": now, "account_id": account_id}))
        return writes

    def _dropped(self, info: TableInfo, sitting: SeatInfo) -> list[Write]:
        """What counts against somebody who does not play a mastered game to its end."""
        if not info.terms.mastered or sitting.robot is not None or sitting.left_at is not None:
            return []
        if info.terms.anonymous:
            return []  # it would be seen in his figures, and tell that he played here
        return self._club.conduct.writes(self._clock.now(), {sitting.account_id: (0, 0, 1)})

    async def _leave_open(self, info: TableInfo, sitting: SeatInfo) -> None:
        people = [taken for taken in info.taken if taken.robot is None and taken != sitting]
        if info.terms.mastered:
            await self._give_up(info, sitting, [], "seats")  # its master waits for others
        elif not people:
            await self._give_up(info, sitting, [self._closed(info.id)], "closed")
        elif info.host_id == sitting.account_id:
            heir = min(people, key=lambda taken: (taken.joined_at, taken.seat))
            inherits = Write(rows.NEW_HOST, {"b_id": info.id, "b_host_id": heir.account_id})
            await self._give_up(info, sitting, [inherits], "seats")
        else:
            await self._give_up(info, sitting, [], "seats")

    async def _give_up(self, info: TableInfo, sitting: SeatInfo, more: list[Write], what: str) -> None:
        """Empty a seat of a table that has not begun, together with what follows from it."""
        writes = [
            Write(rows.TOUCH_OPEN, {"b_id": info.id}, expect=1),
            Write(rows.DROP_SEAT, {"b_id": info.id, "b_seat": sitting.seat}, expect=1),
            *more,
        ]
        await self._store.commit(Unit(writes=writes, hints=[lobby_hint(info.id, what)]))
        live = self._tables.live.get(info.id)
        if live is not None:
            live.know(await self._tables.read_info(info.id))

    async def close(
        self,
        table_id: int,
        by: int | None,
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
        write = self._closed(table_id, result, expect=1)
        try:
            await self._store.commit(
                Unit(writes=[write, *also], hints=[lobby_hint(table_id, "closed"), *hints])
            )
        except Conflict:
            raise Started() from None
        live = self._tables.live.get(table_id)
        if live is not None:
            live.know(await self._tables.read_info(table_id))

    def _closed(self, table_id: int, result: Result | None = None, expect: int | None = None) -> Write:
        said = None if result is None else msgspec.json.encode(result).decode()
        row = {"b_id": table_id, "b_at": self._clock.now(), "b_result": said}
        return Write(rows.CLOSED, row, expect=expect)

    async def replace(self, table_id: int, seat: Seat, newcomer: int | str, way: Way) -> SeatInfo:
        """Somebody (an account) or a robot (its strength) goes on in this seat.

        Who lets a robot go on in his own seat has resigned; whom a master replaces has not.

        Raises Illegal, NotSeated, SeatTaken, NoSuchRobot, RobotStays, NotAdmitted, NotInvited.
        """
        live = await self._tables.open(table_id)
        await self._tables.reckoning.of_table(table_id)
        info = await self._tables.read_info(table_id)
        before = info.at(seat)
        if before is None:
            raise NotSeated()
        if info.status != "running":
            raise NotStarted() if info.status == "open" else Over()
        now = self._clock.now()
        admission = self._tables.admission
        if isinstance(newcomer, str):
            if way.by is not None:
                admission.let_robot(info, before, way.by)
            if newcomer not in live.rules.robots:
                raise NoSuchRobot(strength=newcomer)
            account = await self._club.accounts.robot(info.game, newcomer)
            name = _robot_name(info, account.pseudo)
            taken = SeatInfo(seat, account.id, name, newcomer, now, kind="robot")
        else:
            if info.seat_of(newcomer) is not None:
                raise SeatTaken(seat=seat)
            if before in info.robots and not live.rules.robots_yield:
                raise RobotStays()
            await admission.admit(info, newcomer, way, over=before)
            account = await self._club.accounts.by_id(newcomer)
            taken = _seat_for(account, seat, now)
        points = await self._points(info, taken.account_id)
        beside = Beside(
            writes=[
                Write(rows.STILL_SEATED, _seen(table_id, before), expect=1),
                Write(rows.PUT_SEAT, _seat_row(table_id, taken)),
                *self._departed(info, before, resigned=way.by == before.account_id),
                *self._dropped(info, before),
                *self._handed_over(info, roles_in(live, seat), before, taken.account_id, now),
            ],
            hints=[lobby_hint(table_id, "seats")],
            applied=lambda table: table.know(table.info.with_seat(taken)),
        )
        try:
            await self._tables.submit(
                live, seat, Replace(taken.name, points, taken.robot is not None), beside=beside
            )
        except Conflict:
            raise SeatTaken(seat=seat) from None  # somebody was faster
        return taken

    async def take_role(
        self, table_id: int, role: int, holder: Seat, newcomer: int, last: bool, way: Way
    ) -> SeatInfo:
        """Somebody, perhaps new at the table, goes on in one role of another seat.

        With `last`, the one who had it has no other role left, and is out. Raises Illegal, NotSeated, Full,
        NotAdmitted, NotInvited, SeatTaken.
        """
        live = await self._tables.open(table_id)
        await self._tables.reckoning.of_table(table_id)
        info = await self._tables.read_info(table_id)
        before = info.at(holder)
        if before is None:
            raise NotSeated()
        if info.status != "running":
            raise NotStarted() if info.status == "open" else Over()
        await self._tables.admission.admit(info, newcomer, way, over=before)
        now = self._clock.now()
        taken = info.seat_of(newcomer)
        writes, changes = self._handed_over(info, (role,), before, newcomer, now), []
        if taken is None:
            account = await self._club.accounts.by_id(newcomer)
            taken = _seat_for(account, self._free_seat(info, newcomer, None), now)
            writes.append(Write(rows.PUT_SEAT, _seat_row(table_id, taken)))
            changes.append(taken)
        if last and before.left_at is None:
            left = {"b_id": table_id, "b_seat": holder, "b_left_at": now}
            writes += [
                Write(rows.LEAVE_SEAT, left),
                *self._departed(info, before, resigned=False),
                *self._dropped(info, before),
            ]
            changes.append(msgspec.structs.replace(before, left_at=now))

        def applied(table: LiveTable) -> None:
            after = table.info
            for change in changes:
                after = after.with_seat(change)
            table.know(after)

        action = Replace(taken.name, await self._points(info, newcomer), role=role)
        hints = [lobby_hint(table_id, "seats")]
        beside = Beside(writes=writes, hints=hints, applied=applied)
        await self._tables.submit(live, taken.seat, action, beside=beside)
        return taken


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


def _with_deal(info: TableInfo, rules: Rules[Any]) -> Any:
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


def _seat_for(account: Account, seat: Seat, now: Instant) -> SeatInfo:
    return SeatInfo(seat, account.id, account.pseudo, None, now, kind=account.kind)


def _robot_name(info: TableInfo, pseudo: str) -> str:
    """Two robots of one strength share an account, but not a name at the table."""
    names = {taken.name for taken in info.seats}
    if pseudo not in names:
        return pseudo
    return next(f"{pseudo}-{n}" for n in range(2, 1000) if f"{pseudo}-{n}" not in names)


def _robot_sent_away(info: TableInfo, strength: str) -> SeatInfo | None:
    """The seat that a robot of this strength has left, for another one to go on in."""
    return next((seat for seat in info.seats if seat.robot == strength and seat.left_at is not None), None)


def _sitting(info: TableInfo) -> list[Sitting]:
    return [Sitting(taken.seat, taken.name, taken.robot is not None) for taken in info.taken]


def _row(info: TableInfo) -> dict[str, Any]:
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


def _seat_row(table_id: int, taken: SeatInfo) -> dict[str, Any]:
    return {
        "table_id": table_id,
        "seat": taken.seat,
        "account_id": taken.account_id,
        "name": taken.name,
        "robot": taken.robot,
        "joined_at": taken.joined_at,
        "left_at": taken.left_at,
    }


def _seen(table_id: int, taken: SeatInfo) -> dict[str, Any]:
    """Who was seen in a seat, for a write that must fail where it is somebody else by now."""
    return {
        "b_id": table_id,
        "b_seat": taken.seat,
        "b_account_id": taken.account_id,
        "b_joined_at": taken.joined_at,
    }


def _take(table_id: int, taken: SeatInfo) -> dict[str, Any]:
    row = _seat_row(table_id, taken)
    del row["left_at"]
    return {f"b_{name}": value for name, value in row.items()}
