"""Who sits at a table: joining, inviting, leaving, being sent away."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.clock import Instant
from tablee.club import Club
from tablee.club.people import Account
from tablee.club.webhooks.book import ended_write
from tablee.rules.contract import (
    Illegal,
    Join,
    Leave,
    Seat,
)
from tablee.store import Conflict, Duplicate, Unit, Write
from tablee.tables import rows
from tablee.tables.admission import BY_HIMSELF, Way, refuse_at_tournament
from tablee.tables.errors import (
    Full,
    NoLink,
    NoSuchRobot,
    NotHost,
    NotSeated,
    Over,
    RobotStays,
    SeatTaken,
    Started,
    TableError,
)
from tablee.tables.info import TOURNAMENT, HouseTable, SeatInfo
from tablee.tables.lobby import lobby_hint
from tablee.tables.submission import Attachment

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

TRIES = 20
"""How often a seat that somebody else was faster to take is looked for again."""


class SittingDown:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self._club = tables.club

    async def join(
        self, table_id: int, account_id: int, way: Way = BY_HIMSELF, seat: Seat | None = None
    ) -> SeatInfo:
        """Take a seat, or find the one that is one's own already; by its master nothing is asked for.

        Raises NoSuchTable, NotInvited, NotAdmitted, Full, SeatTaken, Over, Illegal (nobody comes in now).
        """
        for _ in range(TRIES):
            info = await self._tables.read_info(table_id)
            sitting = info.seat_of(account_id)
            if sitting is not None:
                return sitting
            await self._tables.admission.admit(info, account_id, way)
            if info.status not in ("open", "running"):
                raise Over()
            chosen = self.free_seat(info, account_id, seat)
            account = await self._club.accounts.by_id(account_id)
            taken = seat_for(account, chosen, self._clock.now())
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
        """A robot takes a free seat; raises NoSuchRobot, NotAdmitted, Full, Illegal."""
        for _ in range(TRIES):
            info = await self._tables.read_info(table_id)
            refuse_at_tournament(info)
            if strength not in self._tables.rules(info.game, info.variant).robots:
                raise NoSuchRobot(strength=strength)
            account = await self._club.accounts.robot(info.game, strength)
            before = None if seat is not None else _robot_sent_away(info, strength)
            chosen = before.seat if before is not None else self.free_seat(info, None, seat)
            name = before.name if before is not None else robot_name(info, account.pseudo)
            taken = SeatInfo(chosen, account.id, name, strength, self._clock.now(), kind="robot")
            try:
                await self._sit(info, taken)
            except (Conflict, Duplicate):
                continue
            return taken
        raise Full()

    async def _sit(self, info: HouseTable, taken: SeatInfo) -> None:
        loaded = await self._tables.open(info.id)
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
            loaded.update_info(after)
            full = len(after.taken) >= after.seats_most and after.status == "open"
            if full and not after.terms.mastered:
                with suppress(Started):
                    await self._tables.creating.start(info.id, None)
            return
        action = Join(
            taken.name, await points_of(self._club, info, taken.account_id), taken.robot is not None
        )
        await self._tables.submit(
            loaded,
            taken.seat,
            action,
            attached=Attachment(
                writes=[Write(rows.PUT_SEAT, seat_row(info.id, taken))],
                hints=[lobby_hint(info.id, "seats")],
                applied=lambda table: table.update_info(table.info.with_seat(taken)),
            ),
        )

    def free_seat(self, info: HouseTable, account_id: int | None, wanted: Seat | None) -> Seat:
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
        """Invite somebody, who gets a notice; who sits there may too. Raises NotHost, NotAdmitted, Over."""
        info = await self._tables.read_info(table_id)
        if by != info.host_id and info.seat_of(by) is None:
            raise NotHost()
        refuse_at_tournament(info)
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
            by,
        )
        row = {"table_id": table_id, "account_id": account_id, "at": self._clock.now()}
        await self._store.commit(
            Unit(writes=[Write(rows.INVITE, row), *notice], hints=[self._club.notices.hint(account_id)])
        )

    async def renew_link(self, table_id: int, by: int) -> HouseTable:
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

    async def leave(self, table_id: int, account_id: int) -> None:
        """Give one's seat up; at a tournament's table one only resigns, where the game has that.

        Raises NotSeated, Over, Illegal, TableError `stays_in_tournament`.
        """
        info = await self._tables.read_info(table_id)
        if info.door == TOURNAMENT and info.seat_of(account_id) is not None:
            is_played = info.status != "open"
            if not (is_played and self._tables.rules(info.game, info.variant).resigns):
                raise TableError("stays_in_tournament")
        await self._leave(info, account_id)

    async def depart(self, table_id: int, account_id: int) -> None:
        """Who leaves the club leaves every table, also a tournament's. Raises NotSeated, Over, Illegal."""
        await self._leave(await self._tables.read_info(table_id), account_id)

    async def _leave(self, info: HouseTable, account_id: int) -> None:
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

    async def _leave_running(self, info: HouseTable, sitting: SeatInfo, resigned: bool) -> None:
        loaded = await self._tables.open(info.id)
        gone = msgspec.structs.replace(sitting, left_at=self._clock.now())
        left = {"b_id": info.id, "b_seat": gone.seat, "b_left_at": gone.left_at}
        await self._tables.submit(
            loaded,
            sitting.seat,
            Leave(),
            attached=Attachment(
                writes=[
                    Write(rows.LEAVE_SEAT, left),
                    *self.departed(info, sitting, resigned),
                    *self.dropped(info, sitting),
                ],
                hints=[lobby_hint(info.id, "seats")],
                applied=lambda table: table.update_info(table.info.with_seat(gone)),
            ),
        )

    def departed(self, info: HouseTable, sitting: SeatInfo, resigned: bool) -> list[Write]:
        """That somebody has left a game for good, for its end: who `resigned` has lost it.

        Where all come and go nobody resigns by going, and a robot has nothing to lose.
        """
        if info.seats_least == 0 or sitting.robot is not None or sitting.left_at is not None:
            return []
        row = {"table_id": info.id, "seat": sitting.seat, "account_id": sitting.account_id}
        return [Write(rows.DEPARTED, {**row, "at": self._clock.now(), "resigned": resigned})]

    def dropped(self, info: HouseTable, sitting: SeatInfo) -> list[Write]:
        """What counts against somebody who does not play a mastered game to its end."""
        if not info.terms.mastered or sitting.robot is not None or sitting.left_at is not None:
            return []
        if info.terms.anonymous:
            return []  # it would be seen in his figures, and tell that he played here
        return self._club.conduct.writes(self._clock.now(), {sitting.account_id: (0, 0, 1)})

    async def _leave_open(self, info: HouseTable, sitting: SeatInfo) -> None:
        people = [taken for taken in info.taken if taken.robot is None and taken != sitting]
        if info.terms.mastered:
            await self._give_up(info, sitting, [], "seats")  # its master waits for others
        elif not people:
            await self._give_up(info, sitting, [self._tables.creating.closed_write(info.id)], "closed")
        elif info.host_id == sitting.account_id:
            heir = min(people, key=lambda taken: (taken.joined_at, taken.seat))
            inherits = Write(rows.NEW_HOST, {"b_id": info.id, "b_host_id": heir.account_id})
            silence = ended_write(info.id, sitting.account_id)
            await self._give_up(info, sitting, [inherits, silence], "seats")
        else:
            await self._give_up(info, sitting, [], "seats")

    async def _give_up(self, info: HouseTable, sitting: SeatInfo, more: list[Write], what: str) -> None:
        """Empty a seat of a table that has not begun, together with what follows from it."""
        writes = [
            Write(rows.TOUCH_OPEN, {"b_id": info.id}, expect=1),
            Write(rows.DROP_SEAT, {"b_id": info.id, "b_seat": sitting.seat}, expect=1),
            *more,
        ]
        await self._store.commit(Unit(writes=writes, hints=[lobby_hint(info.id, what)]))
        loaded = self._tables.loaded.get(info.id)
        if loaded is not None:
            loaded.update_info(await self._tables.read_info(info.id))


async def points_of(club: Club, info: HouseTable, account_id: int) -> int:
    """What somebody has in the variant of this table."""
    standing = await club.ratings.standing(account_id, info.game, info.variant)
    return 0 if standing is None else standing.points


def seat_for(account: Account, seat: Seat, now: Instant) -> SeatInfo:
    return SeatInfo(seat, account.id, account.pseudo, None, now, kind=account.kind)


def robot_name(info: HouseTable, pseudo: str) -> str:
    """Two robots of one strength share an account, but not a name at the table."""
    names = {taken.name for taken in info.seats}
    if pseudo not in names:
        return pseudo
    return next(f"{pseudo}-{n}" for n in range(2, 1000) if f"{pseudo}-{n}" not in names)


def _robot_sent_away(info: HouseTable, strength: str) -> SeatInfo | None:
    """The seat that a robot of this strength has left, for another one to go on in."""
    return next((seat for seat in info.seats if seat.robot == strength and seat.left_at is not None), None)


def seat_row(table_id: int, taken: SeatInfo) -> dict[str, Any]:
    return {
        "table_id": table_id,
        "seat": taken.seat,
        "account_id": taken.account_id,
        "name": taken.name,
        "robot": taken.robot,
        "joined_at": taken.joined_at,
        "left_at": taken.left_at,
        "seen_at": None,
    }


def seen_row(table_id: int, taken: SeatInfo) -> dict[str, Any]:
    """Who was seen in a seat, for a write that must fail where it is somebody else by now."""
    return {
        "b_id": table_id,
        "b_seat": taken.seat,
        "b_account_id": taken.account_id,
        "b_joined_at": taken.joined_at,
    }


def _take(table_id: int, taken: SeatInfo) -> dict[str, Any]:
    row = seat_row(table_id, taken)
    del row["left_at"], row["seen_at"]
    return {f"b_{name}": value for name, value in row.items()}
