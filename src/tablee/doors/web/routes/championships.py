"""Championships: one standings over several tournaments of any games."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from starlette.responses import Response

from tablee.tournaments import files
from tablee.tournaments.championship.acts import ChampionshipPlan, ChampionshipState
from tablee.tournaments.championship.counting import contenders, counting_of
from tablee.tournaments.plan import Amount

from ..api.ask import Ask
from ..api.registry import Body, Id, Limit, Routes, Who
from ..tournaments.bodies import Reason, Request
from ..tournaments.shapes import (
    ActInfo,
    ActList,
    ChampionshipCard,
    ChampionshipInfo,
    ChampionshipList,
    ChampionshipStandings,
    ChampionshipTournament,
)
from ..tournaments.showing import file_of, line_of, names_of, people_of

Json = Any
routes = Routes("championships")


class ChampionshipsQuery(Body, frozen=True):
    before: Id | None = None
    limit: Limit = 50


class WeighedTournament(Body, frozen=True):
    weight: Amount = "1"
    request_id: Request | None = None


class TakenPoints(Body, frozen=True):
    account: Id
    points: Amount
    reason: Reason


@routes.get("/championships", who=Who.ANYONE)
async def list_championships(ask: Ask, query: ChampionshipsQuery) -> ChampionshipList:
    """The championships of the house, newest first."""
    found = await ask.house.tournaments.championships.listed(query.before or 2**53, query.limit)
    return ChampionshipList(championships=[_info(number, state) for number, state in found])


@routes.post("/championships", who=Who.MEMBER, status=201, refusals=(409,))
async def open_championship(ask: Ask, body: ChampionshipPlan) -> ChampionshipCard:
    """A new championship, to which its organisers add tournaments."""
    number = await ask.house.tournaments.championships.open(ask.account, body)
    return await _card(ask, number)


@routes.get("/championships/{championship_id}", who=Who.ANYONE, refusals=(404,))
async def championship(ask: Ask, championship_id: Id) -> ChampionshipCard:
    """A championship with its tournaments, those that are over and those to come."""
    return await _card(ask, championship_id)


@routes.put("/championships/{championship_id}/plan", who=Who.MEMBER, refusals=(403, 404, 409))
async def change_championship(ask: Ask, championship_id: Id, body: ChampionshipPlan) -> ChampionshipCard:
    """Another name, another description, or another number of tournaments that count."""
    await ask.house.tournaments.championships.change(ask.account, championship_id, body)
    return await _card(ask, championship_id)


@routes.put(
    "/championships/{championship_id}/tournaments/{tournament_id}",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def add_tournament(ask: Ask, championship_id: Id, tournament_id: Id, body: WeighedTournament) -> None:
    """Let a tournament that was announced count, of whatever game, with a weight."""
    await ask.house.tournaments.championships.add(
        ask.account, championship_id, tournament_id, Fraction(body.weight), body.request_id
    )


@routes.delete(
    "/championships/{championship_id}/tournaments/{tournament_id}",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def remove_tournament(ask: Ask, championship_id: Id, tournament_id: Id) -> None:
    """A tournament that does not count after all."""
    await ask.house.tournaments.championships.remove(ask.account, championship_id, tournament_id)


@routes.put("/championships/{championship_id}/organisers/{account_id}", who=Who.MEMBER, refusals=(403, 404))
async def name_championship_organiser(ask: Ask, championship_id: Id, account_id: Id) -> None:
    """Another organiser, named by the first one or an administrator; ten at most."""
    await ask.house.tournaments.championships.name_organiser(ask.account, championship_id, account_id)


@routes.delete(
    "/championships/{championship_id}/organisers/{account_id}", who=Who.MEMBER, refusals=(403, 404)
)
async def dismiss_championship_organiser(ask: Ask, championship_id: Id, account_id: Id) -> None:
    """No longer an organiser; the first one stays."""
    await ask.house.tournaments.championships.dismiss_organiser(ask.account, championship_id, account_id)


@routes.post("/championships/{championship_id}/penalties", who=Who.MEMBER, refusals=(403, 404, 409))
async def penalise_in_championship(ask: Ask, championship_id: Id, body: TakenPoints) -> None:
    """Take points from somebody, with a reason that everybody reads."""
    await ask.house.tournaments.championships.penalise(
        ask.account, championship_id, body.account, Fraction(body.points), body.reason
    )


@routes.post("/championships/{championship_id}/close", who=Who.MEMBER, refusals=(403, 404, 409))
async def close_championship(ask: Ask, championship_id: Id) -> None:
    """Its places stand: every tournament of it is over or cancelled."""
    await ask.house.tournaments.championships.close(ask.account, championship_id)


@routes.get("/championships/{championship_id}/standings", who=Who.ANYONE, refusals=(404,))
async def championship_standings(ask: Ask, championship_id: Id) -> ChampionshipStandings:
    """Who stands where over all games; a tournament is what a round is elsewhere."""
    office = ask.house.tournaments.championships
    state = await office.state(championship_id)
    played = await office.played(state)
    lines = await office.standings(state)
    names = await names_of(ask, [line.entrant for line in lines])
    terms = {
        (entrant.number, each.number): each.terms
        for entrant in contenders(state, played)
        for each in entrant.rounds
    }
    return ChampionshipStandings(
        tournaments=[each.tournament for each in played],
        lines=[line_of(line, names, terms) for line in lines],
    )


@routes.get("/championships/{championship_id}/log", who=Who.ANYONE, refusals=(404,))
async def championship_log(ask: Ask, championship_id: Id) -> ActList:
    """What was done, by whom and why."""
    found = await ask.house.tournaments.championships.log(championship_id)
    acts = [ActInfo(seq=seq, at=at, account=who, facts=said) for seq, at, who, said in found]
    named = {act.account for act in acts if act.account is not None}
    return ActList(acts=acts, people=await names_of(ask, named))


@routes.get(
    "/championships/{championship_id}/export.csv",
    who=Who.ANYONE,
    refusals=(404,),
    media_type="text/csv",
    answer=str,
)
async def export_championship_csv(ask: Ask, championship_id: Id) -> Response:
    """The standings for a spreadsheet, a column a tournament: semicolons, UTF-8."""
    office = ask.house.tournaments.championships
    state = await office.state(championship_id)
    lines, played = await office.standings(state), await office.played(state)
    names = await names_of(ask, [line.entrant for line in lines])
    every = await office.tournaments(state)
    columns = [every[each.tournament].plan.name for each in played]
    text = files.spreadsheet(lines, names, len(played), columns)
    return file_of(text, "text/csv; charset=utf-8", f"championnat-{championship_id}.csv")


@routes.get(
    "/championships/{championship_id}/export.json", who=Who.ANYONE, refusals=(404,), answer=dict[str, Json]
)
async def export_championship_json(ask: Ask, championship_id: Id) -> Response:
    """All facts, from which anybody can reckon the standings again."""
    office = ask.house.tournaments.championships
    state = await office.state(championship_id)
    lines, played = await office.standings(state), await office.played(state)
    entrants = contenders(state, played)
    names = await names_of(ask, [line.entrant for line in lines])
    made = files.championship_facts(
        championship_id, state, played, entrants, lines, counting_of(state, played), names
    )
    return file_of(made, "application/json", f"championnat-{championship_id}.json")


def _in_short(number: int, state: ChampionshipState) -> dict[str, Any]:
    return {
        "id": number,
        "name": state.plan.name,
        "status": state.status,
        "tournaments": len(state.tournaments),
        "best": state.plan.best,
    }


def _info(number: int, state: ChampionshipState) -> ChampionshipInfo:
    return ChampionshipInfo(**_in_short(number, state))


async def _card(ask: Ask, number: int) -> ChampionshipCard:
    office = ask.house.tournaments.championships
    state = await office.state(number)
    people = await people_of(ask, state.organisers)
    return ChampionshipCard(
        **_in_short(number, state),
        description=state.plan.description,
        organisers=[people[who] for who in state.organisers if who in people],
        organises=ask.is_administrator or ask.account_id_if_any in state.organisers,
        parts=[
            ChampionshipTournament(
                tournament=tournament,
                name=each.plan.name,
                game=each.plan.game,
                variant=each.plan.variant,
                status=each.status,
                weight=str(state.tournaments[tournament]),
            )
            for tournament, each in (await office.tournaments(state)).items()
        ],
        seq=state.seq,
    )
