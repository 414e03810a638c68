"""Somebody, or a robot, goes on in another's seat, or in one of his roles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from tablee.clock import Instant
from tablee.rules.contract import (
    Replace,
    Seat,
)
from tablee.store import Conflict, Write
from tablee.tables import rows
from tablee.tables.admission import Way
from tablee.tables.errors import (
    NoSuchRobot,
    NotSeated,
    NotStarted,
    Over,
    RobotStays,
    SeatTaken,
)
from tablee.tables.info import HouseTable, SeatInfo
from tablee.tables.loaded import LoadedTable
from tablee.tables.lobby import lobby_hint
from tablee.tables.roles import roles_in
from tablee.tables.sitting import points_of, robot_name, seat_for, seat_row, seen_row
from tablee.tables.submission import Attachment

if TYPE_CHECKING:
    from tablee.tables.hall import Tables


class Replacing:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self._club = tables.club

    async def replace(self, table_id: int, seat: Seat, newcomer: int | str, way: Way) -> SeatInfo:
        """Somebody (an account) or a robot (its strength) goes on in this seat.

        Who lets a robot go on in his own seat has resigned; whom a master replaces has not.

        Raises Illegal, NotSeated, SeatTaken, NoSuchRobot, RobotStays, NotAdmitted, NotInvited.
        """
        loaded = await self._tables.open(table_id)
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
            if newcomer not in loaded.rules.robots:
                raise NoSuchRobot(strength=newcomer)
            account = await self._club.accounts.robot(info.game, newcomer)
            name = robot_name(info, account.pseudo)
            taken = SeatInfo(seat, account.id, name, newcomer, now, kind="robot")
        else:
            if info.seat_of(newcomer) is not None:
                raise SeatTaken(seat=seat)
            if before in info.robots and not loaded.rules.robots_yield:
                raise RobotStays()
            await admission.admit(info, newcomer, way, over=before)
            account = await self._club.accounts.by_id(newcomer)
            taken = seat_for(account, seat, now)
        points = await points_of(self._club, info, taken.account_id)
        attached = Attachment(
            writes=[
                Write(rows.STILL_SEATED, seen_row(table_id, before), expect=1),
                Write(rows.PUT_SEAT, seat_row(table_id, taken)),
                *self._tables.sitting.departed(info, before, resigned=way.by == before.account_id),
                *self._replaced(info, before, now),
                *self._tables.sitting.dropped(info, before),
                *self._handed_over(info, roles_in(loaded, seat), before, taken.account_id, now),
            ],
            hints=[lobby_hint(table_id, "seats")],
            applied=lambda table: table.update_info(table.info.with_seat(taken)),
        )
        try:
            await self._tables.submit(
                loaded, seat, Replace(taken.name, points, taken.robot is not None), attached=attached
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
        loaded = await self._tables.open(table_id)
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
            taken = seat_for(account, self._tables.sitting.free_seat(info, newcomer, None), now)
            writes.append(Write(rows.PUT_SEAT, seat_row(table_id, taken)))
            changes.append(taken)
        if last and before.left_at is None:
            left = {"b_id": table_id, "b_seat": holder, "b_left_at": now}
            writes += [
                Write(rows.LEAVE_SEAT, left),
                *self._tables.sitting.departed(info, before, resigned=False),
                *self._tables.sitting.dropped(info, before),
            ]
            changes.append(msgspec.structs.replace(before, left_at=now))

        def applied(table: LoadedTable) -> None:
            after = table.info
            for change in changes:
                after = after.with_seat(change)
            table.update_info(after)

        action = Replace(taken.name, await points_of(self._club, info, newcomer), role=role)
        hints = [lobby_hint(table_id, "seats")]
        attached = Attachment(writes=writes, hints=hints, applied=applied)
        await self._tables.submit(loaded, taken.seat, action, attached=attached)
        return taken

    def _replaced(self, info: HouseTable, before: SeatInfo, now: Instant) -> list[Write]:
        """Until when somebody is named in what happens in his seat, be it that he had left it before."""
        if before.robot is not None:
            return []
        row = {"table_id": info.id, "seat": before.seat, "account_id": before.account_id}
        return [Write(rows.REPLACED, {**row, "at": now, "resigned": False})]

    def _handed_over(
        self, info: HouseTable, roles: Sequence[int], before: SeatInfo, account_id: int, now: Instant
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
