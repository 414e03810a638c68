"""Who may take a seat: the one question behind every way to one."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import msgspec

from tablee.tables import rows
from tablee.tables.errors import NotAdmitted, NotInvited, SeatTaken
from tablee.tables.info import TOURNAMENT, HouseTable, SeatInfo

if TYPE_CHECKING:
    from tablee.tables.hall import Tables


class Way(msgspec.Struct, frozen=True):
    """How somebody comes to a seat: by himself, with what he brings, or put there."""

    by: int | None = None
    """Who seats him, where that is not himself."""
    invitation: str | None = None
    access_code: int | None = None
    by_house: bool = False
    """The house seats him where he asked to be: opponents found in the queue, a challenge accepted."""


BY_HIMSELF = Way()
BY_HOUSE = Way(by_house=True)


# Why: docs/decisions.md#one-admission
class Admission:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._club = tables.club

    async def admit(self, info: HouseTable, account_id: int, way: Way, over: SeatInfo | None = None) -> None:
        """Whether an account may take a seat, or go on in the one of somebody else (`over`).

        A master never plays at his own table. Where there is one he alone says who goes on for whom: a
        successor sees what the seat knows. Whom he seats is asked for nothing. At a tournament's table
        nobody sits down by himself. Raises NotAdmitted, NotInvited, SeatTaken.
        """
        master = info.master_id
        if account_id == master:
            raise NotAdmitted("master_sits_not")
        if not way.by_house:
            refuse_at_tournament(info)
        if way.by_house or (master is not None and way.by == master):
            return
        if over is not None:
            if over.left_at is None and over.robot is None:
                raise SeatTaken(seat=over.seat)
            if master is not None:
                raise NotAdmitted("seated_by_master")
        await self._ask(info, account_id, way)

    def let_robot(self, info: HouseTable, over: SeatInfo, by: int) -> None:
        """Whether somebody may let a robot go on in a seat: his own, or as host one that was left.

        Where there is a master, he alone. Raises NotAdmitted, SeatTaken.
        """
        refuse_at_tournament(info)
        if info.master_id is not None and by != info.master_id:
            raise NotAdmitted("seated_by_master")
        is_own = over.account_id == by and over.robot is None and over.left_at is None
        if not is_own and by != info.host_id:
            raise NotAdmitted("robot_by_host")
        if not is_own and over.left_at is None:
            raise SeatTaken(seat=over.seat)

    async def _ask(self, info: HouseTable, account_id: int, way: Way) -> None:
        if not await self.may_enter(info, account_id, way.invitation):
            raise NotInvited()
        terms = info.terms
        if terms.access_code and way.access_code != terms.access_code:
            raise NotAdmitted()
        if terms.reliability or terms.regularity or terms.performance:
            await self._tables.reckoning.of_account(account_id)
            figures = await self._club.conduct.of(account_id, info.game, info.variant)
            for code, least, yours in (
                ("not_reliable_enough", terms.reliability, figures.reliability),
                ("not_regular_enough", terms.regularity, figures.regularity),
                ("not_strong_enough", terms.performance, figures.performance),
            ):
                if yours < least:
                    raise NotAdmitted(code, least=least, yours=yours)

    async def may_enter(
        self, info: HouseTable, account_id: int | None, invitation: str | None = None
    ) -> bool:
        """Whether the table is open to somebody: to all, by its link where it is private, or by name."""
        if info.access == "open":
            return True
        if info.access == "private" and invitation is not None:
            # As it is now: this node may not have heard yet that the link was renewed.
            link = (await self._tables.read_info(info.id)).invitation
            if secrets.compare_digest(invitation.encode("utf-8", "replace"), link.encode()):
                return True
        if account_id is None:
            return False
        if account_id == info.host_id or any(taken.account_id == account_id for taken in info.seats):
            return True
        return await self._store.one(rows.INVITED, b_id=info.id, b_account_id=account_id) is not None


def refuse_at_tournament(info: HouseTable) -> None:
    """Raises NotAdmitted at a table whose seats are its tournament's to give."""
    if info.door == TOURNAMENT:
        raise NotAdmitted("seats_of_tournament")
