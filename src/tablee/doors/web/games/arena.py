"""Arenas for whoever asks: a file of games checked, a board drawn, where a card goes on it."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

import msgspec
from starlette.responses import Response

from tablee.club.limits import network
from tablee.rules.arena import ArenaRules
from tablee.rules.arena.board import Board, squares_of
from tablee.rules.arena.cards import card_reach, deck
from tablee.rules.arena.centers import centers_of
from tablee.rules.arena.description import Description
from tablee.rules.arena.drawing import Picture, picture, svg_of
from tablee.rules.arena.exporting import export_games
from tablee.rules.arena.faults import Fault, Faults, Squares
from tablee.rules.arena.ground import write_description
from tablee.rules.arena.kept import Kept
from tablee.rules.arena.loading import MEMBERS, STRANGERS, description_names, load_kept, load_ours, read
from tablee.rules.arena.remarks import remarks
from tablee.tables.club_files import is_name_for_a_club
from tablee.wire.http.routes import BODY_LIMIT

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Routes, Who
from ..shapes import Shape
from .robots import Bilingual

Json = Any
routes = Routes("arena")

HEAVY_TEXT, HEAVY_BOARD = 50_000, 1_000
"""So many characters, and so many squares, count as one position worked out: a large board costs what many
small ones do."""
FILE_LIMIT = 8 * BODY_LIMIT
"""A file of games comes as one text: long, but quickly read."""
DRAWINGS_BYTES = 16 * 1024 * 1024
BOARDS_SQUARES = 20_000

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
    description: str  # its author's own words; may be empty
    steps: int
    types: list[str]
    special_actions: list[str]


class ArenaTrump(Shape, frozen=True):
    name: str
    description: str
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
    """All the faults of a file, or, where there are none, its games; `warnings` are of what is left aside."""

    faults: list[ArenaFault]
    warnings: list[ArenaFault]
    games: list[ArenaGame]


@routes.post("/arena/check", who=Who.ANYONE, body_limit=FILE_LIMIT)
async def check_arena(ask: Ask, body: ArenaText) -> CheckedArena:
    """Say all that is wrong with a file of games of the arena, or what games are in it."""
    _count(ask, len(body.text) // HEAVY_TEXT)
    bound = _bound(ask)
    checked = await ask.worked_out(lambda: _checked(body.text, bound))
    _count(ask, sum(game.squares for game in checked.games) // HEAVY_BOARD, least=0)
    return checked


def _checked(text: str, squares: Squares) -> CheckedArena:
    try:
        games, warnings = read(text, squares=squares)
    except Faults as error:
        faults, warned = map(_fault, error.faults), map(_warning, error.warnings)
        return CheckedArena(faults=list(faults), warnings=list(warned), games=[])
    told = [_game(name, game) for name, game in games.items()]
    return CheckedArena(faults=[], warnings=[*map(_warning, warnings)], games=told)


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
        described = await _described(ask, body.description)
        drawn = await ask.worked_out(lambda: _drawn(described))
        _drawings.keep(key, drawn, len(drawn))
    return Response(drawn, media_type="application/json")


def _drawn(description: Description) -> bytes:
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
    key = hashlib.sha256(body.description.encode()).digest()
    known = _boards.get(key)
    if known is None:
        described = await _described(ask, body.description)
        board = await ask.worked_out(lambda: Board(described))
        known = (described, board)
        _boards.keep(key, known, board.squares)
    else:
        _count(ask, known[1].squares // HEAVY_BOARD)
    description, board = known
    return await ask.worked_out(lambda: _reached(description, board, body))


def _reached(description: Description, board: Board, body: ArenaStep) -> ArenaReach:
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


_drawings: Kept[bytes] = Kept(DRAWINGS_BYTES)
_boards: Kept[tuple[Description, Board]] = Kept(BOARDS_SQUARES, largest=STRANGERS.most)


def _count(ask: Ask, more: int, least: int = 1) -> None:
    """Count a question, and so many more for its size; raises TooMany."""
    for _ in range(least + more):
        ask.house.limits.take("web_solver", network(ask.address))


def _bound(ask: Ask) -> Squares:
    """How many squares this person may ask about at once."""
    is_member = ask.identity is not None and ask.identity.account.is_member
    return MEMBERS if is_member else STRANGERS


async def _described(ask: Ask, text: str) -> Description:
    """The one game of a text, counted by its size; raises Refusal with all its faults, and TooMany.

    A board that is played in this house may be looked at by everybody, whatever its size.
    """
    _count(ask, len(text) // HEAVY_TEXT)
    games = ask.house.tables.games.values()
    is_played = any(isinstance(rules, ArenaRules) and rules.text == text for rules in games)
    bound = None if is_played else _bound(ask)
    description = await ask.worked_out(lambda: _read(text, bound))
    _count(ask, description.board.width * description.board.rows // HEAVY_BOARD, least=0)
    return description


def _read(text: str, squares: Squares | None) -> Description:
    try:
        kept = load_kept(text, squares)
        games = {"": kept} if kept is not None else read(text, squares=squares).games
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


def _warning(warning: Fault) -> ArenaFault:
    said = Bilingual(fr=warning.warned("fr"), en=warning.warned("en"))
    return msgspec.structs.replace(_fault(warning), said=said)


def _number(fault: Fault, name: str) -> int | None:
    value = fault.values.get(name)
    return value if isinstance(value, int) else None


def _game(name: str, game: Description) -> ArenaGame:
    plan = game.board
    return ArenaGame(
        name=name,
        is_name_for_a_club=is_name_for_a_club(name, description_names()),
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
                description=card.description,
                steps=card.steps,
                types=list(card.types),
                special_actions=list(card.special_actions),
            )
            for card in game.cards
        ],
        trumps=[
            ArenaTrump(
                name=trump.name, description=trump.description, cost=trump.cost, duration=trump.duration
            )
            for trump in game.trumps
        ],
        remarks=[Bilingual(fr=each.said("fr"), en=each.said("en")) for each in remarks(game)],
    )
