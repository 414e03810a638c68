"""What the house has: its description, its games, the countries and time zones of its people."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, get_args

import msgspec

from tablee.club.places import Place, countries, time_zones
from tablee.rules.contract import Rules, TableAction
from tablee.tables import void_words

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.openapi import document
from ..api.registry import PREFIX, Routes, Who
from ..shapes import Shape

Json = Any
routes = Routes("house")


class Index(Shape, frozen=True):
    """Where things are."""

    house: str
    version: str
    name: str  # the club's own
    build: str  # of the page that is served here; the version where there is none
    openapi: str
    live: str
    now: int
    time_zone: str  # the club's, in which deadlines fall


@routes.get("/", who=Who.ANYONE)
async def index(ask: Ask) -> Index:
    """What this is, its version, the club's name, and the house's clock."""
    return Index(
        house="Tablée",
        version=ask.house.version,
        name=ask.house.club.name,
        build=ask.house.build,
        openapi=f"{PREFIX}/openapi.json",
        live=f"{PREFIX}/live",
        now=ask.house.clock.now(),
        time_zone=ask.house.tables.calendar.zone,
    )


@routes.get("/openapi.json", who=Who.ANYONE)
async def openapi(ask: Ask) -> dict[str, Json]:
    """This API, described for programs (OpenAPI 3.1)."""
    return _document(ask.house.version)


@cache
def _document(version: str) -> dict[str, Json]:
    from . import ALL

    description: dict[str, Json] = document(ALL, version)
    return description


# --- games ----------------------------------------------------------------------------------------------


class Variant(Shape, frozen=True):
    """One variant of a game, with the form of its options and its words."""

    game: str
    variant: str
    rules_version: int
    seats_least: int | None
    seats_most: int | None
    has_clocks: bool  # whether a table may have a time control
    time_controls: list[Json]  # those that are usual; a table that names none has the first
    options: Json  # a JSON Schema, with defaults
    resumes: bool  # whether a finished game can be played on from any step of it
    keeps_secrets: bool  # whether one then goes on in one’s own seat only
    resigns: bool  # whether who leaves a running game has resigned it
    robots: list[str]  # strengths, weakest first
    sides: list[str]  # what one may wish to play: white, black
    words: dict[str, dict[str, str]]  # by language, then by key


class Games(Shape, frozen=True):
    """Every game that can be played here."""

    games: list[Variant]


@routes.get("/games", who=Who.ANYONE)
async def games(ask: Ask) -> Games:
    """Every game and variant, with options, robots and words in French and English."""
    return Games(games=[_variant(rules) for rules in ask.house.tables.games.values()])


@routes.get("/games/{game}/{variant}", who=Who.ANYONE)
async def game(ask: Ask, game: str, variant: str) -> Variant:
    """One variant of a game."""
    rules = ask.house.tables.games.get((game, variant))
    if rules is None:
        raise Refusal("not_found")
    return _variant(rules)


class ActionForms(Shape, frozen=True):
    """What players of a variant do: the JSON Schema of each action, by its name."""

    actions: dict[str, Json]


@routes.get("/games/{game}/{variant}/actions", who=Who.ANYONE)
async def actions(ask: Ask, game: str, variant: str) -> ActionForms:
    """The actions of a variant, for programs and forms; what of it is allowed now, `legal` says."""
    rules = ask.house.tables.games.get((game, variant))
    if rules is None:
        raise Refusal("not_found")
    of_game = [each for each in get_args(rules.action_type) if each not in get_args(TableAction)]
    return ActionForms({each.__struct_config__.tag: msgspec.json.schema(each) for each in of_game})


@lru_cache(256)  # every page asks for all of them; a club's own come and go
def _variant(rules: Rules[Any]) -> Variant:
    try:
        seats = rules.seats(rules.options_type())
    except TypeError:  # options without defaults: how many may sit depends on what is chosen
        seats = None
    return Variant(
        game=rules.name,
        variant=rules.variant,
        rules_version=rules.version,
        seats_least=None if seats is None else seats.least,
        seats_most=None if seats is None else seats.most,
        has_clocks=rules.has_clocks,
        time_controls=list(rules.usual_clocks),
        options=msgspec.json.schema(rules.options_type),
        resumes=rules.resumes and bool(rules.robots),
        keeps_secrets=rules.keeps_secrets,
        resigns=rules.resigns,
        robots=list(rules.robots),
        sides=list(rules.sides),
        words={language: {**void_words(language), **rules.words(language)} for language in ("fr", "en")},
    )


# --- people's places ------------------------------------------------------------------------------------


class PlaceName(Shape, frozen=True):
    """A country or a time zone with its names."""

    code: str
    fr: str
    en: str


class Places(Shape, frozen=True):
    """A list to choose from, in the order in which to show it."""

    places: list[PlaceName]


@routes.get("/countries", who=Who.ANYONE)
async def list_countries(ask: Ask) -> Places:
    """The countries that an account may name."""
    return _places(countries())


@routes.get("/time-zones", who=Who.ANYONE)
async def list_time_zones(ask: Ask) -> Places:
    """The time zones that an account may name."""
    return _places(time_zones())


def _places(found: dict[str, Place]) -> Places:
    return Places(places=[PlaceName(code=p.code, fr=p.fr, en=p.en) for p in found.values()])
