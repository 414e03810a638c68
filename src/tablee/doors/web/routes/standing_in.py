"""Who goes on for a player who is always late."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ..api.ask import Ask
from ..api.registry import Body, Id, Routes, Who
from ..shapes import Person, Shape, TableInfo, person
from ..tables.visibility import must_see
from .tables import shown_table

routes = Routes("standing_in")

SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=1000)]


class VacancyShape(Shape, frozen=True):
    """A seat whose player was late twice in a row."""

    seat: int
    asked: list[int]  # accounts of those who may take it
    votes: dict[str, int]  # by account of the candidate
    needed: int  # votes that ask somebody; 0 where the master does


class Vacancies(Shape, frozen=True):
    """The seats for which one may ask somebody, or was asked oneself, and who likes to take over."""

    seats: list[VacancyShape]
    members: list[Person]


class Wanted(Body, frozen=True):
    seat: SeatNumber
    pseudo: Annotated[str, msgspec.Meta(max_length=120)]


class StandInAsked(Shape, frozen=True):
    """Whether the candidate was asked now; a vote may not be enough yet."""

    asked: bool


class Taking(Body, frozen=True):
    seat: SeatNumber


@routes.get("/tables/{table_id}/stand-ins")
async def vacancies(ask: Ask, table_id: Id) -> Vacancies:
    """Seats that want somebody else, for the master, without one for the players; and for who was asked."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    found, ready = await ask.house.tables.standing_in.vacancies(table_id, ask.account_id)
    seats = [
        VacancyShape(
            seat=each.seat,
            asked=list(each.asked),
            votes={str(candidate): number for candidate, number in each.votes.items()},
            needed=each.needed,
        )
        for each in found
    ]
    return Vacancies(seats=seats, members=[person(each) for each in ready])


@routes.post("/tables/{table_id}/stand-ins", who=Who.MEMBER, refusals=(403, 409))
async def ask_stand_in(ask: Ask, table_id: Id, body: Wanted) -> StandInAsked:
    """Ask a member to go on in a seat; at a table without a master this is a vote, and most of them ask."""
    ask.house.limits.take("web_invite", ask.account_id)
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    club = ask.house.club
    candidate = await club.accounts.by_pseudo(body.pseudo)
    await club.blocks.refuse_between(ask.account, candidate)
    asked = await ask.house.tables.standing_in.ask(table_id, ask.account_id, body.seat, candidate)
    return StandInAsked(asked=asked)


@routes.post("/tables/{table_id}/stand-ins/take", who=Who.MEMBER, refusals=(403, 409))
async def take_over(ask: Ask, table_id: Id, body: Taking) -> TableInfo:
    """Go on in the seat for which one was asked, as long as it still wants somebody."""
    await ask.house.tables.standing_in.accept(table_id, ask.account_id, body.seat)
    return await shown_table(ask, table_id)
