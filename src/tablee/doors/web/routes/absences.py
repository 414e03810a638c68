"""Being away: one's absences, and a day more at a table."""

from __future__ import annotations

from datetime import date
from typing import cast

from tablee.club.absences import Absence
from tablee.club.scopes import Scope
from tablee.tables.calendar import ClubCalendar

from ..api.ask import Ask
from ..api.registry import Body, Id, Routes, Who
from ..shapes import Shape

routes = Routes("absences")


class AbsenceShape(Shape, frozen=True):
    """From the first day to the last, both included, by the calendar of the club."""

    first: date
    last: date
    used: bool  # whether it has moved a deadline


class AbsenceList(Shape, frozen=True):
    """What is ahead or going on, and how many days of this year are left."""

    absences: list[AbsenceShape]
    days_a_year: int
    days_left: int
    today: date


class NewAbsence(Body, frozen=True):
    first: date
    last: date


@routes.get("/account/absences", who=Who.MEMBER)
async def list_absences(ask: Ask) -> AbsenceList:
    """One's absences that are not over; nobody else reads them."""
    absences, today = ask.house.club.absences, _today(ask)
    declared = await absences.of(ask.account_id)
    taken = sum(each.days()[today.year] for each in declared)
    return AbsenceList(
        absences=[_shape(each) for each in declared if each.last >= today],
        days_a_year=absences.days_a_year,
        days_left=max(0, absences.days_a_year - taken),
        today=today,
    )


@routes.post("/account/absences", who=Who.MEMBER, scope=Scope.ACCOUNT, status=201)
async def declare_absence(ask: Ask, body: NewAbsence) -> AbsenceShape:
    """Be away: deadlines of dated games that fall on these days move behind them, once a phase."""
    declared = await ask.house.club.absences.declare(ask.account_id, body.first, body.last, _today(ask))
    await ask.house.tables.excusing.declared(ask.account_id)
    return _shape(declared)


@routes.delete("/account/absences/{first}", who=Who.MEMBER, scope=Scope.ACCOUNT)
async def end_absence(ask: Ask, first: date) -> None:
    """Be back today, or not go at all; what has moved a deadline is only ended once it has begun."""
    await ask.house.club.absences.end(ask.account_id, first, _today(ask))


@routes.post("/tables/{table_id}/extension", refusals=(403, 404, 409))
async def extend_deadline(ask: Ask, table_id: Id) -> None:
    """Have a day more for the deadline of this phase: once a game, where the table's terms allow it."""
    await ask.house.tables.excusing.extend(table_id, ask.account_id)


def _today(ask: Ask) -> date:
    return cast(ClubCalendar, ask.house.tables.calendar).day_of(ask.house.tables.clock.now())


def _shape(absence: Absence) -> AbsenceShape:
    return AbsenceShape(first=absence.first, last=absence.last, used=absence.used)
