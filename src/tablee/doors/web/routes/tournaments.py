"""Tournaments: entering, pairing, publishing, results, standings, and files of them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.responses import Response

from tablee.tournaments import files
from tablee.tournaments.acts import Drafted, TournamentState
from tablee.tournaments.boards import BoardResult, BoardRow, entrants_of, standing
from tablee.tournaments.plan import Amount, Plan, public
from tablee.tournaments.points import plain
from tablee.tournaments.standings import Line, Tie
from tablee.wire.http.application import json_answer

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Limit, Routes, Who
from ..shapes import Person, Shape

Json = Any
routes = Routes("tournaments")

RoundNumber = Annotated[int, Meta(ge=1, le=100, description="A round, from 1.")]
BoardNumber = Annotated[int, Meta(ge=1, le=5_000, description="A board of a round, from 1.")]
Request = Annotated[str, Meta(min_length=1, max_length=100, description="The same again: done once.")]
Reason = Annotated[str, Meta(min_length=1, max_length=300)]
Points = int | float
Accounts = Annotated[tuple[Id, ...], Meta(max_length=5_000)]


class TournamentInfo(Shape, frozen=True):
    """A tournament in short."""

    id: int
    name: str
    game: str
    variant: str
    format: str
    status: str  # draft, announced, running, over, cancelled
    rounds: int  # how many there will be
    round: int  # the last that was published; 0 before the first
    entrants: int
    waiting: int
    limit: int  # 0: none
    organisers: list[Person]


class TournamentCard(TournamentInfo, frozen=True):
    """All that one reads before entering, and one's own part in it."""

    description: str
    plan: Json  # as it was given, without its secrets; whole for organisers
    points: str  # how points are made
    ties: list[str]
    has_code: bool
    organises: bool  # whether the reader is one of its organisers
    entered: bool
    waits: bool
    seq: int


class TournamentList(Shape, frozen=True):
    tournaments: list[TournamentInfo]


class EntryInfo(Shape, frozen=True):
    """Somebody who has entered."""

    account: int
    pseudo: str
    number: int  # by rating; 0 while he waits
    rating: int
    waits: bool
    robot: str
    team: str
    late: bool
    out_from: int  # the first round that he no longer plays; 0: he plays
    away: list[int]


class EntryList(Shape, frozen=True):
    entries: list[EntryInfo]


class BoardInfo(Shape, frozen=True):
    """A board of a round: accounts in the order of the seats, White first."""

    round: int
    board: int
    seats: list[int]
    table: int | None
    result: Json  # marks, or ranks, scores and tally; `by` the organiser who set it; null while it goes on


class RoundInfo(Shape, frozen=True):
    round: int
    attempt: int
    published_at: int
    boards: list[BoardInfo]
    byes: list[int]
    absent: list[int]


class RoundList(Shape, frozen=True):
    rounds: list[RoundInfo]
    people: dict[int, str]


class DraftWarning(Shape, frozen=True):
    """Something to look at before a draft is published: rematch, third_colour, role_again."""

    what: str
    accounts: list[int]


class DraftInfo(Shape, frozen=True):
    round: int
    version: int
    boards: list[list[int]]
    byes: list[int]
    absent: list[int]
    by_hand: bool
    warnings: list[DraftWarning]


class PartInfo(Shape, frozen=True):
    """A part of a sum: it is from a term, an opponent or a round."""

    source: str
    points: Points


class CountedInfo(Shape, frozen=True):
    """A round in somebody's points."""

    round: int
    points: Points
    exact: str
    weight: str
    counts: bool
    is_mean: bool
    terms: list[PartInfo]


class TieInfo(Shape, frozen=True):
    name: str
    value: list[Points]
    parts: list[PartInfo]


class StandingInfo(Shape, frozen=True):
    """A line of the standings, with the sums of its figures."""

    place: int
    account: int
    pseudo: str
    points: Points
    exact: str
    rounds: list[CountedInfo]
    penalties: list[PartInfo]
    ties: list[TieInfo]


class Standings(Shape, frozen=True):
    round: int
    lines: list[StandingInfo]


class CellInfo(Shape, frozen=True):
    """What a round was to somebody."""

    round: int
    board: int
    table: int | None
    mark: str
    points: Points | None
    opponents: list[int]
    role: int


class CrossLine(Shape, frozen=True):
    place: int
    account: int
    pseudo: str
    points: Points
    cells: list[CellInfo]


class CrossTable(Shape, frozen=True):
    lines: list[CrossLine]


class ActInfo(Shape, frozen=True):
    seq: int
    at: int
    account: int | None
    facts: list[Json]


class ActList(Shape, frozen=True):
    acts: list[ActInfo]


# --- bodies ---------------------------------------------------------------------------------------------


class TournamentsQuery(Body, frozen=True):
    before: Id | None = None
    limit: Limit = 50


class PairingAsked(Body, frozen=True):
    request_id: Request | None = None


class WithReason(Body, frozen=True):
    reason: Reason
    request_id: Request | None = None


class NewEntry(Body, frozen=True):
    account: Id | None = None  # by organisers: somebody else
    code: Annotated[str, Meta(max_length=40)] = ""
    team: Annotated[str, Meta(max_length=40)] = ""
    request_id: Request | None = None


class RoundAbsence(Body, frozen=True):
    away: bool
    half: bool = False  # half a point, once, in a Swiss tournament
    request_id: Request | None = None


class RoundDraft(Body, frozen=True):
    version: Id
    boards: Annotated[tuple[Annotated[tuple[Id, ...], Meta(max_length=20)], ...], Meta(max_length=5_000)]
    byes: Accounts = ()
    absent: Accounts = ()
    request_id: Request | None = None


class RoundPublication(Body, frozen=True):
    version: Id
    request_id: Request | None = None


class GivenResult(Body, frozen=True):
    reason: Annotated[str, Meta(max_length=300)] = ""
    marks: Annotated[tuple[Annotated[str, Meta(max_length=1)], ...], Meta(max_length=2)] = ()
    ranks: Annotated[tuple[Annotated[int, Meta(ge=1, le=100)], ...], Meta(max_length=100)] = ()
    scores: Annotated[tuple[Annotated[int, Meta(ge=-(10**6), le=10**6)], ...], Meta(max_length=100)] = ()
    tally: Json = None


class GivenPenalty(Body, frozen=True):
    points: Amount
    reason: Reason


# --- looking --------------------------------------------------------------------------------------------


@routes.get("/tournaments", who=Who.ANYONE)
async def list_tournaments(ask: Ask, query: TournamentsQuery) -> TournamentList:
    """The tournaments that were announced, newest first."""
    found = await ask.house.tournaments.listed(query.before or 2**53, query.limit)
    people = await _people(ask, (who for _, state in found for who in state.organisers))
    return TournamentList(tournaments=[_info(number, state, people) for number, state in found])


@routes.post("/tournaments", who=Who.MEMBER, status=201, refusals=(404, 409))
async def create_tournament(ask: Ask, body: Plan) -> TournamentCard:
    """A draft of a tournament, which its organisers alone see until it is announced."""
    number = await ask.house.tournaments.create(ask.account, body)
    return await _card(ask, number)


@routes.get("/tournaments/{tournament_id}", who=Who.ANYONE, refusals=(404,))
async def tournament(ask: Ask, tournament_id: Id) -> TournamentCard:
    """A tournament: its plan, where it stands, and whether one plays in it."""
    return await _card(ask, tournament_id)


@routes.get("/tournaments/{tournament_id}/entries", who=Who.ANYONE, refusals=(404,))
async def list_entries(ask: Ask, tournament_id: Id) -> EntryList:
    """Who has entered, in the order of coming; who waits comes in that order too."""
    state = await _seen(ask, tournament_id)
    names, numbers = await _names(ask, state.entries), state.numbers
    return EntryList(
        entries=[
            EntryInfo.of(
                entry,
                pseudo=names[entry.account],
                number=numbers.get(entry.account, 0),
                away=sorted(entry.away),
            )
            for entry in state.entries.values()
        ]
    )


@routes.get("/tournaments/{tournament_id}/rounds", who=Who.ANYONE, refusals=(404,))
async def list_rounds(ask: Ask, tournament_id: Id) -> RoundList:
    """The rounds that were published, with their boards and results."""
    state = await _seen(ask, tournament_id)
    boards = standing(state, await ask.house.tournaments.boards(tournament_id))
    return RoundList(
        rounds=[
            RoundInfo(
                round=number,
                attempt=each.attempt,
                published_at=each.at,
                boards=[_board(board) for board in boards if board.round == number],
                byes=list(each.byes),
                absent=list(each.absent),
            )
            for number, each in enumerate(state.published, 1)
        ],
        people=await _names(ask, state.entries),
    )


@routes.get("/tournaments/{tournament_id}/standings", who=Who.ANYONE, refusals=(404,))
async def tournament_standings(ask: Ask, tournament_id: Id) -> Standings:
    """Who stands where; every figure with the sum it comes from."""
    state = await _seen(ask, tournament_id)
    boards = await ask.house.tournaments.boards(tournament_id)
    names = await _names(ask, state.entries)
    terms = {
        (entrant.number, each.number): each.terms
        for entrant in entrants_of(state, _rules(ask, state), boards)
        for each in entrant.rounds
    }
    lines = ask.house.tournaments.lines(state, boards)
    return Standings(round=len(state.published), lines=[_line(line, names, terms) for line in lines])


@routes.get("/tournaments/{tournament_id}/crosstable", who=Who.ANYONE, refusals=(404,))
async def cross_table(ask: Ask, tournament_id: Id) -> CrossTable:
    """Everybody by place, with what each round was to him."""
    state = await _seen(ask, tournament_id)
    boards = await ask.house.tournaments.boards(tournament_id)
    names = await _names(ask, state.entries)
    tables = {(board.round, board.board): board.table_id for board in standing(state, boards)}
    rounds = {each.number: each.rounds for each in entrants_of(state, _rules(ask, state), boards)}
    return CrossTable(
        lines=[
            CrossLine(
                place=line.place,
                account=line.entrant,
                pseudo=names[line.entrant],
                points=plain(line.points),
                cells=[
                    CellInfo(
                        round=each.number,
                        board=each.board,
                        table=tables.get((each.number, each.board)),
                        mark=each.mark,
                        points=None if each.points is None else plain(each.points),
                        opponents=list(each.opponents),
                        role=each.role,
                    )
                    for each in rounds[line.entrant]
                ],
            )
            for line in ask.house.tournaments.lines(state, boards)
        ]
    )


@routes.get("/tournaments/{tournament_id}/log", who=Who.ANYONE, refusals=(404,))
async def tournament_log(ask: Ask, tournament_id: Id) -> ActList:
    """What was done, by whom and why; drafts and secrets of the plan for organisers alone."""
    state = await _seen(ask, tournament_id)
    found = await ask.house.tournaments.log(tournament_id, _organises(ask, state))
    return ActList(acts=[ActInfo(seq=seq, at=at, account=who, facts=said) for seq, at, who, said in found])


@routes.get("/tournaments/{tournament_id}/draft", who=Who.MEMBER, refusals=(403, 404, 409))
async def tournament_draft(ask: Ask, tournament_id: Id) -> DraftInfo:
    """The draft of the next round, for organisers."""
    state = await _seen(ask, tournament_id)
    if not _organises(ask, state):
        raise Refusal("not_allowed")
    return await _draft(ask, tournament_id, state)


# --- organising -----------------------------------------------------------------------------------------


@routes.put("/tournaments/{tournament_id}/plan", who=Who.MEMBER, refusals=(403, 404, 409))
async def change_tournament(ask: Ask, tournament_id: Id, body: Plan) -> TournamentCard:
    """Another plan, before it begins."""
    await ask.house.tournaments.change(ask.account, tournament_id, body)
    return await _card(ask, tournament_id)


@routes.post("/tournaments/{tournament_id}/announce", who=Who.MEMBER, refusals=(403, 404, 409))
async def announce_tournament(ask: Ask, tournament_id: Id) -> None:
    """Let everybody see it, and enter."""
    await ask.house.tournaments.announce(ask.account, tournament_id)


@routes.post("/tournaments/{tournament_id}/begin", who=Who.MEMBER, refusals=(403, 404, 409))
async def begin_tournament(ask: Ask, tournament_id: Id) -> None:
    """Close the entries."""
    await ask.house.tournaments.begin(ask.account, tournament_id)


@routes.post("/tournaments/{tournament_id}/end", who=Who.MEMBER, refusals=(403, 404, 409))
async def end_tournament(ask: Ask, tournament_id: Id) -> None:
    """Close it: everybody is told his place."""
    await ask.house.tournaments.end(ask.account, tournament_id)


@routes.post("/tournaments/{tournament_id}/cancel", who=Who.MEMBER, refusals=(403, 404, 409))
async def cancel_tournament(ask: Ask, tournament_id: Id, body: WithReason) -> None:
    """Call it off, by its first organiser or an administrator; running tables are void."""
    await ask.house.tournaments.cancel(ask.account, tournament_id, body.reason)


@routes.put("/tournaments/{tournament_id}/organisers/{account_id}", who=Who.MEMBER, refusals=(403, 404))
async def name_organiser(ask: Ask, tournament_id: Id, account_id: Id) -> None:
    """Another organiser, named by the first one or an administrator; ten at most."""
    await ask.house.tournaments.name_organiser(ask.account, tournament_id, account_id)


@routes.delete("/tournaments/{tournament_id}/organisers/{account_id}", who=Who.MEMBER, refusals=(403, 404))
async def dismiss_organiser(ask: Ask, tournament_id: Id, account_id: Id) -> None:
    """No longer an organiser; the first one stays."""
    await ask.house.tournaments.dismiss_organiser(ask.account, tournament_id, account_id)


# --- entering -------------------------------------------------------------------------------------------


@routes.post(
    "/tournaments/{tournament_id}/entries",
    who=Who.MEMBER,
    status=201,
    refusals=(403, 404, 409, 429),
    answer=TournamentCard,
)
async def enter_tournament(ask: Ask, tournament_id: Id, body: NewEntry) -> Response:
    """Enter oneself, organisers anybody; 202 where one waits for a place."""
    placed = await ask.house.tournaments.enter(
        ask.account, tournament_id, body.account, code=body.code, team=body.team, request_id=body.request_id
    )
    return json_answer(await _card(ask, tournament_id), 201 if placed else 202)


@routes.delete("/tournaments/{tournament_id}/entries/{account_id}", who=Who.MEMBER, refusals=(403, 404, 409))
async def leave_tournament(ask: Ask, tournament_id: Id, account_id: Id) -> None:
    """Take an entry back, one's own or as an organiser anybody's; from a running tournament, withdraw."""
    await ask.house.tournaments.leave(ask.account, tournament_id, account_id)


@routes.put(
    "/tournaments/{tournament_id}/entries/{account_id}/rounds/{round}",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def be_away(
    ask: Ask, tournament_id: Id, account_id: Id, round: RoundNumber, body: RoundAbsence
) -> None:
    """Be away for a round that is not paired yet, or there after all."""
    await ask.house.tournaments.go_away(
        ask.account,
        tournament_id,
        round,
        account_id,
        half=body.half,
        back=not body.away,
        request_id=body.request_id,
    )


@routes.post(
    "/tournaments/{tournament_id}/entries/{account_id}/penalties", who=Who.MEMBER, refusals=(403, 404, 409)
)
async def penalise(ask: Ask, tournament_id: Id, account_id: Id, body: GivenPenalty) -> None:
    """Take points from somebody, with a reason that everybody reads."""
    await ask.house.tournaments.penalise(
        ask.account, tournament_id, account_id, Fraction(body.points), body.reason
    )


# --- rounds ---------------------------------------------------------------------------------------------


@routes.post("/tournaments/{tournament_id}/rounds/{round}/pair", who=Who.MEMBER, refusals=(403, 404, 409))
async def pair_round(ask: Ask, tournament_id: Id, round: RoundNumber, body: PairingAsked) -> DraftInfo:
    """Draft the next round; nobody but organisers sees it."""
    state = await ask.house.tournaments.state(tournament_id)
    _must_be_next(state, round)
    state = await ask.house.tournaments.pair(ask.account, tournament_id, body.request_id)
    return await _draft(ask, tournament_id, state)


@routes.put("/tournaments/{tournament_id}/rounds/{round}/boards", who=Who.MEMBER, refusals=(403, 404, 409))
async def change_draft(ask: Ask, tournament_id: Id, round: RoundNumber, body: RoundDraft) -> DraftInfo:
    """The draft as one has changed it: everybody stands once, at a board, with a bye, or absent."""
    drafted = Drafted(round, body.boards, body.byes, body.absent, True)
    state = await ask.house.tournaments.move(
        ask.account, tournament_id, drafted, body.version, body.request_id
    )
    return await _draft(ask, tournament_id, state)


@routes.post("/tournaments/{tournament_id}/rounds/{round}/publish", who=Who.MEMBER, refusals=(403, 404, 409))
async def publish_round(ask: Ask, tournament_id: Id, round: RoundNumber, body: RoundPublication) -> RoundList:
    """Publish the draft that one saw: boards, tables and notices at once."""
    state = await ask.house.tournaments.state(tournament_id)
    if round > len(state.published):
        _must_be_next(state, round)
    await ask.house.tournaments.publish(ask.account, tournament_id, body.version, body.request_id)
    return await list_rounds(ask, tournament_id)


@routes.post("/tournaments/{tournament_id}/rounds/{round}/undo", who=Who.MEMBER, refusals=(403, 404, 409))
async def undo_round(ask: Ask, tournament_id: Id, round: RoundNumber, body: WithReason) -> None:
    """Take the last round back, while no move was made in it."""
    state = await ask.house.tournaments.state(tournament_id)
    if round != len(state.published):
        raise Refusal("not_found")
    await ask.house.tournaments.undo(ask.account, tournament_id, body.reason, body.request_id)


@routes.post(
    "/tournaments/{tournament_id}/rounds/{round}/boards/{board}/result",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def set_result(
    ask: Ask, tournament_id: Id, round: RoundNumber, board: BoardNumber, body: GivenResult
) -> None:
    """How a board ended, as an organiser says; two play for `marks`, several have `ranks` or a `tally`."""
    given = BoardResult(body.ranks, body.scores, body.tally, body.marks)
    await ask.house.tournaments.set_result(ask.account, tournament_id, round, board, given, body.reason)


# --- files ----------------------------------------------------------------------------------------------


@routes.get(
    "/tournaments/{tournament_id}/export.trf",
    who=Who.ANYONE,
    refusals=(404, 409),
    media_type="text/plain",
    answer=str,
)
async def export_trf(ask: Ask, tournament_id: Id) -> Response:
    """The report of a tournament for two, as FIDE wants it (TRF16)."""
    state = await _seen(ask, tournament_id)
    if not state.plan.is_duel:
        raise Refusal("not_found")
    boards = await ask.house.tournaments.boards(tournament_id)
    entrants = entrants_of(state, _rules(ask, state), boards)
    lines = ask.house.tournaments.lines(state, boards)
    names = await _names(ask, state.entries)
    return _file(files.trf(state, entrants, lines, names), "text/plain; charset=utf-8", tournament_id, "trf")


@routes.get(
    "/tournaments/{tournament_id}/export.csv",
    who=Who.ANYONE,
    refusals=(404,),
    media_type="text/csv",
    answer=str,
)
async def export_csv(ask: Ask, tournament_id: Id) -> Response:
    """The standings for a spreadsheet: semicolons, UTF-8."""
    state = await _seen(ask, tournament_id)
    lines = ask.house.tournaments.lines(state, await ask.house.tournaments.boards(tournament_id))
    names = await _names(ask, state.entries)
    text = files.spreadsheet(lines, names, len(state.published))
    return _file(text, "text/csv; charset=utf-8", tournament_id, "csv")


@routes.get(
    "/tournaments/{tournament_id}/export.json", who=Who.ANYONE, refusals=(404,), answer=dict[str, Json]
)
async def export_json(ask: Ask, tournament_id: Id) -> Response:
    """All public facts, from which anybody can reckon the standings again."""
    state = await _seen(ask, tournament_id)
    boards, rules = await ask.house.tournaments.boards(tournament_id), _rules(ask, state)
    entrants = entrants_of(state, rules, boards)
    lines = ask.house.tournaments.lines(state, boards)
    names = await _names(ask, state.entries)
    made = files.facts(tournament_id, state, entrants, lines, state.plan.counting(rules), names)
    return _file(made, "application/json", tournament_id, "json")


def _file(content: str | bytes, media_type: str, number: int, ending: str) -> Response:
    name = f'attachment; filename="tournoi-{number}.{ending}"'
    return Response(content, media_type=media_type, headers={"Content-Disposition": name})


# --- shapes ---------------------------------------------------------------------------------------------


async def _seen(ask: Ask, number: int) -> TournamentState:
    who = None if ask.identity is None else ask.identity.account
    return await ask.house.tournaments.seen(number, who)


def _rules(ask: Ask, state: TournamentState) -> Any:
    return ask.house.tables.rules(state.plan.game, state.plan.variant)


def _organises(ask: Ask, state: TournamentState) -> bool:
    return ask.is_administrator or ask.account_id_if_any in state.organisers


def _must_be_next(state: TournamentState, number: int) -> None:
    if number != state.next_round:
        raise Refusal("not_found")


async def _people(ask: Ask, accounts: Iterable[int]) -> dict[int, Person]:
    found = await ask.house.club.accounts.many(sorted(set(accounts)))
    return {who.id: Person.of(who) for who in found.values()}


async def _names(ask: Ask, accounts: Iterable[int]) -> dict[int, str]:
    wanted = list(accounts)
    found = await ask.house.club.accounts.many(wanted)
    return {number: found[number].pseudo if number in found else f"№ {number}" for number in wanted}


def _info(number: int, state: TournamentState, people: dict[int, Person]) -> TournamentInfo:
    return TournamentInfo(**_in_short(number, state, people))


def _in_short(number: int, state: TournamentState, people: dict[int, Person]) -> dict[str, Any]:
    plan = state.plan
    return {
        "id": number,
        "name": plan.name,
        "game": plan.game,
        "variant": plan.variant,
        "format": plan.format,
        "status": state.status,
        "rounds": state.rounds or plan.rounds,
        "round": len(state.published),
        "entrants": len(state.entries) - len(state.waiting),
        "waiting": len(state.waiting),
        "limit": plan.limit,
        "organisers": [people[who] for who in state.organisers if who in people],
    }


async def _card(ask: Ask, number: int) -> TournamentCard:
    state = await _seen(ask, number)
    rules, organises = _rules(ask, state), _organises(ask, state)
    plan = msgspec.to_builtins(state.plan)
    mine = state.entries.get(ask.account_id_if_any or 0)
    people = await _people(ask, state.organisers)
    return TournamentCard(
        **_in_short(number, state, people),
        description=state.plan.description,
        plan=plan if organises else public(plan),
        points=state.plan.points_of(rules),
        ties=list(state.plan.ties_of(rules)),
        has_code=bool(state.plan.code),
        organises=organises,
        entered=mine is not None and not mine.out_from,
        waits=mine is not None and mine.waits,
        seq=state.seq,
    )


def _board(board: BoardRow) -> BoardInfo:
    return BoardInfo(
        round=board.round,
        board=board.board,
        seats=list(board.seats),
        table=board.table_id,
        result=None if board.result is None else msgspec.to_builtins(board.result),
    )


async def _draft(ask: Ask, number: int, state: TournamentState) -> DraftInfo:
    if state.draft is None:
        raise Refusal("not_found")
    boards = await ask.house.tournaments.boards(number)
    return DraftInfo(
        round=state.draft.round,
        version=state.draft_version,
        boards=[list(board) for board in state.draft.boards],
        byes=list(state.draft.byes),
        absent=list(state.draft.absent),
        by_hand=state.draft.by_hand,
        warnings=[
            DraftWarning(what=what, accounts=list(accounts))
            for what, accounts in ask.house.tournaments.warnings(state, boards)
        ],
    )


def _line(line: Line, names: dict[int, str], terms: dict[tuple[int, int], Any]) -> StandingInfo:
    return StandingInfo(
        place=line.place,
        account=line.entrant,
        pseudo=names[line.entrant],
        points=plain(line.points),
        exact=str(line.points),
        rounds=[
            CountedInfo(
                round=each.number,
                points=plain(each.points),
                exact=str(each.points),
                weight=str(each.weight),
                counts=each.counts,
                is_mean=each.is_mean,
                terms=[
                    PartInfo(source=part.name, points=plain(part.points))
                    for part in terms.get((line.entrant, each.number), ())
                ],
            )
            for each in line.rounds
        ],
        penalties=[PartInfo(source=reason, points=plain(amount)) for reason, amount in line.penalties],
        ties=[_tie(tie) for tie in line.ties],
    )


def _tie(tie: Tie) -> TieInfo:
    return TieInfo(
        name=tie.name,
        value=[plain(value) for value in tie.value],
        parts=[PartInfo(source=str(of), points=plain(points)) for of, points in tie.parts],
    )
