"""Arenas for whoever asks: a file of games checked, a board drawn, where a card goes on it."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.responses import Response

from tablee.club.limits import network
from tablee.rules.arena.board import Board, squares_of
from tablee.rules.arena.cards import card_reach, deck
from tablee.rules.arena.centers import centers_of
from tablee.rules.arena.description import Description
from tablee.rules.arena.drawing import Picture, picture, svg_of
from tablee.rules.arena.exporting import export_games
from tablee.rules.arena.faults import Fault, Faults
from tablee.rules.arena.ground import write_description
from tablee.rules.arena.loading import description_names, load, load_kept, load_ours
from tablee.rules.arena.remarks import remarks
from tablee.tables.shelf import is_name_for_a_club

from ..ask import Ask
from ..decoding import BODY_LIMIT
from ..errors import Refusal
from ..registry import Body, Routes, Who
from ..shapes import Shape
from .robots import Bilingual

Json = Any
T = TypeVar("T")
routes = Routes("arena")

HEAVY = 50_000
"""So many characters count as one position worked out: a large board costs what many small ones do."""
FILE_LIMIT = 8 * BODY_LIMIT
"""A file of games comes as one text: long, but quickly read."""
DRAWINGS_BYTES = 16 * 1024 * 1024

Coordinate = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Name = Annotated[str, msgspec.Meta(max_length=200)]


class ArenaText(Body, frozen=True):
    text: str  # a file of games, or what somebody takes for one


class ArenaFault(Shape, frozen=True):
    """One thing that is wrong: where (a JSON path), what was found (JSON, or nothing), what was expected."""

    path: str
    found: str
    expected: Bilingual
    said: Bilingual  # the whole as a sentence
    line: int | None  # where the text is no JSON
    column: int | None


class ArenaCard(Shape, frozen=True):
    name: str
    steps: int
    types: list[str]
    special_actions: list[str]


class ArenaTrump(Shape, frozen=True):
    name: str
    cost: int
    duration: int


class ArenaGame(Shape, frozen=True):
    """A game that was found; `description` is its text for the drawing and for reach."""

    name: str
    is_name_for_a_club: bool  # whether it can be called so in the lobby
    description: str
    number_players: int
    number_arms: int
    arms_width: int
    circle_rows: int
    arm_rows: int
    squares: int
    deck: int
    colors: list[str]
    cards: list[ArenaCard]
    trumps: list[ArenaTrump]
    remarks: list[Bilingual]


class CheckedArena(Shape, frozen=True):
    """All the faults of a file, or, where there are none, its games."""

    faults: list[ArenaFault]
    games: list[ArenaGame]


@routes.post("/arena/check", who=Who.ANYONE, body_limit=FILE_LIMIT)
async def check_arena(ask: Ask, body: ArenaText) -> CheckedArena:
    """Say all that is wrong with a file of games of the arena, or what games are in it."""
    return await _worked_out(ask, body.text, lambda: _checked(body.text))


def _checked(text: str) -> CheckedArena:
    try:
        games = load(text)
    except Faults as error:
        return CheckedArena(faults=[_fault(fault) for fault in error.faults], games=[])
    return CheckedArena(faults=[], games=[_game(name, game) for name, game in games.items()])


class OurArena(Shape, frozen=True):
    """A game that comes with the house: its name, and its file to begin one's own with."""

    name: str
    text: str


class OurArenas(Shape, frozen=True):
    arenas: list[OurArena]


@routes.get("/arena/descriptions", who=Who.ANYONE)
async def arena_descriptions(ask: Ask) -> OurArenas:
    """The games of the arena that come with the house, as files."""
    return OurArenas(
        arenas=[
            OurArena(name=name, text=export_games({name: load_ours(name)})) for name in description_names()
        ]
    )


class DescribedArena(Body, frozen=True):
    description: str  # as a view has it, or a file with this one game


class ArenaPicture(Picture, frozen=True, kw_only=True):
    """A board's drawing: `centers` are points of it by square, `y * width + x`; `width` is once round."""

    centers: list[tuple[float, float]]
    width: int


@routes.post("/arena/drawing", who=Who.ANYONE, answer=ArenaPicture, refusals=(400,), body_limit=FILE_LIMIT)
async def arena_drawing(ask: Ask, body: DescribedArena) -> Response:
    """The drawing of a description, in parts; a faulty one is refused with all its faults."""
    key = hashlib.sha256(body.description.encode()).digest()
    drawn = _drawings.get(key)
    if drawn is None:
        drawn = await _worked_out(ask, body.description, lambda: _drawn(body.description))
        _drawings.keep(key, drawn)
    return Response(drawn, media_type="application/json")


def _drawn(text: str) -> bytes:
    description = _description(text)
    plan = description.board
    drawn = ArenaPicture(
        **msgspec.structs.asdict(picture(description)),
        centers=centers_of(svg_of(plan), plan),
        width=plan.width,
    )
    return msgspec.json.encode(drawn)


class ArenaStep(Body, frozen=True):
    description: str
    card: Name
    color: Name
    x: Coordinate
    y: Coordinate


class ArenaReach(Shape, frozen=True):
    """Squares in order, as [x, y]."""

    squares: list[tuple[int, int]]


@routes.post("/arena/reach", who=Who.ANYONE, refusals=(400,), body_limit=FILE_LIMIT)
async def arena_reach(ask: Ask, body: ArenaStep) -> ArenaReach:
    """The squares that a card reaches on the empty board of a description."""
    return await _worked_out(ask, body.description, lambda: _reached(body))


def _reached(body: ArenaStep) -> ArenaReach:
    description, board = _board(body.description)
    card = next((card for card in description.cards if card.name == body.card), None)
    if card is None:
        raise Refusal("invalid", detail=f"there is no card {body.card}", at="$.card")
    if body.color not in description.colors:
        raise Refusal("invalid", detail=f"there is no colour {body.color}", at="$.color")
    if body.x >= board.W or body.y >= board.rows:
        at = "$.x" if body.x >= board.W else "$.y"
        raise Refusal("invalid", detail=f"there is no square {body.x},{body.y}", at=at)
    found = card_reach(board, card, body.color, board.square(body.x, body.y), board.masks)
    return ArenaReach(squares=sorted(map(board.place, squares_of(found))))


# --- below ----------------------------------------------------------------------------------------------


class _Drawings:
    """Drawings that were asked for last, as they are sent; together they take no more than so many bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._size = 0

    def get(self, key: bytes) -> bytes | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: bytes, drawn: bytes) -> None:
        self._size += len(drawn) - len(self._kept.pop(key, b""))
        self._kept[key] = drawn
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])


_drawings = _Drawings(DRAWINGS_BYTES)


async def _worked_out(ask: Ask, text: str, work: Callable[[], T]) -> T:
    """Beside the event loop, after counting the question by its size; raises Refusal, TooMany."""
    for _ in range(1 + len(text) // HEAVY):
        ask.house.limits.take("web_solver", network(ask.address))
    return await asyncio.to_thread(work)


@lru_cache(maxsize=4)
def _board(text: str) -> tuple[Description, Board]:
    description = _description(text)
    return description, Board(description)


def _description(text: str) -> Description:
    """The one game of a text; raises Refusal with all its faults."""
    try:
        kept = load_kept(text)
        games = {"": kept} if kept is not None else load(text)
    except Faults as error:
        faults = [_fault(fault) for fault in error.faults]
        raise Refusal("faulty_arena", count=len(faults), faults=msgspec.to_builtins(faults)) from None
    if len(games) > 1:
        raise Refusal("invalid", detail=f"{len(games)} games where one was expected", at="$.description")
    return next(iter(games.values()))


def _fault(fault: Fault) -> ArenaFault:
    return ArenaFault(
        path=fault.path,
        found=fault.found,
        expected=Bilingual(fr=fault.wanted_in("fr"), en=fault.wanted_in("en")),
        said=Bilingual(fr=fault.said("fr"), en=fault.said("en")),
        line=_number(fault, "line"),
        column=_number(fault, "column"),
    )


def _number(fault: Fault, name: str) -> int | None:
    value = fault.values.get(name)
    return value if isinstance(value, int) else None


def _game(name: str, game: Description) -> ArenaGame:
    plan = game.board
    return ArenaGame(
        name=name,
        is_name_for_a_club=is_name_for_a_club(name),
        description=write_description(game),
        number_players=game.number_players,
        number_arms=plan.number_arms,
        arms_width=plan.arms_width,
        circle_rows=len(plan.circle_rows),
        arm_rows=len(plan.arm_rows),
        squares=plan.width * plan.rows,
        deck=len(deck(game)),
        colors=list(game.colors),
        cards=[
            ArenaCard(
                name=card.name,
                steps=card.steps,
                types=list(card.types),
                special_actions=list(card.special_actions),
            )
            for card in game.cards
        ],
        trumps=[
            ArenaTrump(name=trump.name, cost=trump.cost, duration=trump.duration) for trump in game.trumps
        ],
        remarks=[Bilingual(fr=each.said("fr"), en=each.said("en")) for each in remarks(game)],
    )
