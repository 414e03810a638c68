"""Boards of robots for whoever asks: ours, one checked, one driven on, a cartouche suggested."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from tablee.club.limits import network
from tablee.rules.robots.board import TILE_COUNT, Board, BoardDocument, compile_board, number_of
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.cartouche import REGISTERS, read_cartouche
from tablee.rules.robots.checking import BOARDS_MOST, check_set, read_board
from tablee.rules.robots.directions import Azimuth
from tablee.rules.robots.figures import Figures, advice_on, figures_of
from tablee.rules.robots.model import Spot
from tablee.rules.robots.planning import has_way, plan
from tablee.rules.robots.starts import starting_tiles
from tablee.rules.robots.troubles import Trouble
from tablee.rules.robots.turn import MOST_ENERGY, Mecha, play_round
from tablee.wire.http.routes import BODY_LIMIT

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Routes, Who
from ..shapes import Shape

Json = Any
T = TypeVar("T")
routes = Routes("robots")

SEATS_MOST = 8
BOARDS = {"body_limit": 2 * BODY_LIMIT, "elements_most": 10_000}
"""Bounds of a body with four boards of 144 tiles in it."""
ROUNDS_MOST = 1000
Coordinate = Annotated[int, msgspec.Meta(ge=1, le=12)]
Energy = Annotated[int, msgspec.Meta(ge=0, le=MOST_ENERGY)]
Laws = Annotated[int, msgspec.Meta(ge=0, le=3)]
Round = Annotated[int, msgspec.Meta(ge=1, le=ROUNDS_MOST)]
Index = Annotated[int, msgspec.Meta(ge=0, lt=BOARDS_MOST)]
Others = Annotated[list[Any], msgspec.Meta(max_length=BOARDS_MOST - 1)]
Status = Literal["racing", "left", "frozen", "finished"]


class Bilingual(Shape, frozen=True):
    """The same in both languages."""

    fr: str
    en: str


class HouseBoard(Shape, frozen=True):
    """A board of the house; boards with the same `set` are made to be played together."""

    name: str
    title: Bilingual
    about: Bilingual
    set: str | None
    document: BoardDocument
    figures: Figures
    starts: list[int]


class HouseBoards(Shape, frozen=True):
    boards: list[HouseBoard]


@routes.get("/robots/boards", who=Who.ANYONE)
async def robot_boards(ask: Ask) -> HouseBoards:
    """The boards of robots that the house ships, with their figures."""
    return await asyncio.to_thread(_house_boards)


def _house_boards() -> HouseBoards:
    shown = []
    for each in shipped_boards().values():
        board = compile_board(each.document)
        shown.append(
            HouseBoard(
                name=each.name,
                title=Bilingual(**each.title),
                about=Bilingual(**each.about),
                set=each.set,
                document=each.document,
                figures=figures_of(board),
                starts=list(starting_tiles(board)),
            )
        )
    return HouseBoards(boards=shown)


class BoardToCheck(Body, frozen=True):
    board: Any  # a board in the document's form, or whatever somebody takes for one
    others: Others = msgspec.field(default_factory=list)  # boards that it would be played with


class CheckedBoard(Shape, frozen=True):
    """All the errors of a board, what would make it better, and where a race on it may start.

    The `board` of a trouble is 0 for the board itself, 1 and on for the others.

    `figures` are null, and `starts` and `advice` empty, while there are errors.
    """

    errors: list[Trouble]
    advice: list[Trouble]
    figures: Figures | None
    starts: list[int]


@routes.post("/robots/check", who=Who.ANYONE, **BOARDS)
async def check_board(ask: Ask, body: BoardToCheck) -> CheckedBoard:
    """Say all that is wrong with a board of robots, and with playing it together with others."""
    return await _worked_out(ask, lambda: _checked(body))


def _checked(body: BoardToCheck) -> CheckedBoard:
    errors = check_set([body.board, *body.others])
    if any(trouble.board == 0 for trouble in errors):
        return CheckedBoard(errors=errors, advice=[], figures=None, starts=[])
    board = compile_board(read_board(body.board))
    return CheckedBoard(
        errors=errors,
        advice=advice_on(board),
        figures=figures_of(board),
        starts=list(starting_tiles(board)),
    )


class PlaceForm(Body, frozen=True):
    x: Coordinate
    y: Coordinate
    azimuth: Azimuth


class RobotForm(Body, frozen=True):
    """A robot between two rounds. Without a `start` it comes back where it stands."""

    x: Coordinate
    y: Coordinate
    azimuth: Azimuth
    energy: Energy = MOST_ENERGY
    laws: Laws = 0
    start: PlaceForm | None = None
    status: Status = "racing"


class TileForm(Body, frozen=True):
    tileType: Annotated[str, msgspec.Meta(max_length=40)] | int
    tileLocX: Coordinate
    tileLocY: Coordinate


class BoardForm(Body, frozen=True):
    """A board to drive on: it need not be finished, but all its tiles must be known."""

    boardWidth: Literal[12] = 12
    boardHeight: Literal[12] = 12
    boardIdx: int = 0
    boardActiveTiles: Annotated[list[TileForm], msgspec.Meta(max_length=TILE_COUNT)] = msgspec.field(
        default_factory=list
    )


BoardForms = Annotated[list[BoardForm], msgspec.Meta(min_length=1, max_length=BOARDS_MOST)]
CartoucheForm = Annotated[
    list[Annotated[list[str | int], msgspec.Meta(max_length=8)]], msgspec.Meta(max_length=REGISTERS)
]


class Driving(Body, frozen=True):
    boards: BoardForms
    robots: dict[str, RobotForm]  # by number, 1 to 8
    cartouches: dict[str, CartoucheForm] = msgspec.field(default_factory=dict)  # else it stands still
    board: Index = 0
    round: Round = 1


class StepShape(Shape, frozen=True):
    """One thing that happened to a robot, and how it is after it; `group`s happen at the same time."""

    stage: Literal["robots", "conveyors", "turntables", "pushers", "lasers", "consequences", "end"]
    seat: int
    code: str
    x: int
    y: int
    azimuth: Azimuth
    energy: int
    group: int
    beam: tuple[int, int] | None


class DrivenRobot(Shape, frozen=True):
    """A robot after a round; one without energy is frozen, and back a round later."""

    x: int
    y: int
    azimuth: Azimuth
    energy: int
    laws: int
    status: Literal["racing", "frozen", "finished"]
    start: Spot


class Driven(Shape, frozen=True):
    """A round as it would be played: the steps of its five registers, the last with the round's end."""

    registers: list[list[StepShape]]
    swap: tuple[int, int] | None
    robots: dict[str, DrivenRobot]


@routes.post("/robots/drive", who=Who.ANYONE, **BOARDS)
async def drive_robots(ask: Ask, body: Driving) -> Driven:
    """Play one round of robots on any boards; it changes no game."""
    return await _worked_out(ask, lambda: _driven(body))


def _driven(body: Driving) -> Driven:
    boards = _boards(body.boards, body.board)
    mechas = _mechas(body.robots, body.round)
    energies = {str(mecha.seat): mecha.energy for mecha in mechas}
    cartouches = {}
    for seat, codes in body.cartouches.items():
        if seat not in energies:
            raise Refusal("invalid", detail=f"there is no robot {seat[:9]}", at="$.cartouches")
        cartouches[int(seat)] = read_cartouche(codes, energies[seat])
    played = play_round(boards, body.board, mechas, cartouches, body.round)
    return Driven(
        registers=[
            [msgspec.convert(step, StepShape, from_attributes=True) for step in steps]
            for steps in played.registers
        ],
        swap=played.swap,
        robots={str(mecha.seat): _robot_shape(mecha) for mecha in played.mechas},
    )


class Asking(Body, frozen=True):
    boards: BoardForms
    robot: RobotForm
    others: Annotated[list[RobotForm], msgspec.Meta(max_length=SEATS_MOST - 1)] = msgspec.field(
        default_factory=list
    )
    board: Index = 0
    round: Round = 1


class Suggested(Shape, frozen=True):
    """Five registers; all are empty where there is no way to the next law."""

    cartouche: list[list[str]]


@routes.post("/robots/suggest", who=Who.ANYONE, **BOARDS)
async def suggest_cartouche(ask: Ask, body: Asking) -> Suggested:
    """The cartouche that the house's pilot would give a robot, the others standing still."""
    return await _worked_out(ask, lambda: _suggested(body))


def _suggested(body: Asking) -> Suggested:
    boards = _boards(body.boards, body.board)
    forms = {str(seat): form for seat, form in enumerate((body.robot, *body.others), 1)}
    mechas = _mechas(forms, body.round)
    me = mechas[0]
    if me.status != "racing" or not has_way(boards, me.laws, number_of(me.x, me.y)):
        return Suggested(cartouche=[[] for _ in range(REGISTERS)])
    return Suggested(cartouche=[list(codes) for codes in plan(boards, body.board, mechas, 1, body.round)])


# --- below ----------------------------------------------------------------------------------------------


async def _worked_out(ask: Ask, work: Callable[[], T]) -> T:
    """In the workshop, after counting the question; raises Refusal, TooMany, Illegal."""
    ask.house.limits.take("web_solver", network(ask.address))
    return await ask.worked_out(work)


def _boards(forms: list[BoardForm], current: int) -> tuple[Board, ...]:
    if current >= len(forms):
        raise Refusal("invalid", detail=f"there is no board {current}", at="$.board")
    boards = []
    for index, form in enumerate(forms):
        try:
            boards.append(compile_board(_document(form)))
        except ValueError as error:
            raise Refusal("invalid", detail=str(error), at=f"$.boards[{index}]") from None
    return tuple(boards)


def _document(form: BoardForm) -> BoardDocument:
    tiles = [
        {**msgspec.structs.asdict(tile), "tileType": str(tile.tileType)} for tile in form.boardActiveTiles
    ]
    return msgspec.convert({"boardIdx": 0, "boardActiveTiles": tiles}, BoardDocument)


def _mechas(forms: dict[str, RobotForm], round: int) -> tuple[Mecha, ...]:
    """The robots in order of their numbers; no two of those on the board stand on one tile."""
    seats = [str(seat) for seat in range(1, SEATS_MOST + 1)]
    if not forms or not set(forms) <= set(seats):
        raise Refusal("invalid", detail=f"robots are numbered from 1 to {SEATS_MOST}", at="$.robots")
    mechas = tuple(_mecha(int(seat), forms[seat], round) for seat in seats if seat in forms)
    places = [(mecha.x, mecha.y) for mecha in mechas if mecha.status == "racing"]
    if len(set(places)) < len(places):
        raise Refusal("invalid", detail="two robots stand on one tile", at="$.robots")
    return mechas


def _mecha(seat: int, form: RobotForm, round: int) -> Mecha:
    status: Literal["racing", "frozen", "finished"] = "racing"
    if form.status == "finished" or form.laws == 3:
        status = "finished"
    elif form.status == "frozen" or form.energy == 0:
        status = "frozen"
    start = form.start or form
    return Mecha(
        seat=seat,
        x=form.x,
        y=form.y,
        azimuth=form.azimuth,
        energy=form.energy,
        laws=form.laws,
        status=status,
        start=(start.x, start.y, start.azimuth),
        frozen_in=round - 1 if status == "frozen" else 0,
    )


def _robot_shape(mecha: Mecha) -> DrivenRobot:
    return DrivenRobot.of(mecha, start=Spot(*mecha.start))
