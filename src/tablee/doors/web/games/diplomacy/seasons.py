"""The seasons of a game of Diplomacy, for whoever may see its table."""

from __future__ import annotations

import asyncio
from typing import Literal

from tablee.club.limits import network
from tablee.rules.diplomacy.account import account_of
from tablee.rules.diplomacy.chronicle import Chronicle, Passage
from tablee.rules.diplomacy.model import AFJD, DATC
from tablee.rules.diplomacy.phases import PHASES
from tablee.rules.diplomacy.phases import year as year_of
from tablee.rules.diplomacy.report import phase_name
from tablee.rules.diplomacy.variant import Variant, load_variant
from tablee.tables import HouseTable

from ...api.ask import Ask
from ...api.errors import Refusal
from ...api.registry import Body, Id, Invitation, Routes, Who
from ...shapes import Shape
from ...tables.visibility import must_see
from .shapes import (
    Language,
    PlayedShape,
    ReportLineShape,
    SituationShape,
    language_of,
    line_shapes,
    played_shape,
    situation_shape,
)

routes = Routes("seasons")


class SeasonsQuery(Body, frozen=True):
    invitation: Invitation | None = None
    language: Language | None = None


class SeasonInfo(Shape, frozen=True):
    """A step of a game; `number` counts from 1 and never changes.

    `advancement` is the phase that was resolved or passed over, or the one that the master opened.
    """

    number: int
    kind: Literal["adjudicated", "passed", "set", "undone"]
    advancement: int
    year: int
    season: int
    name: str
    at: int
    taken_back: bool  # undone since


class CentreYear(Shape, frozen=True):
    """How many centres each role had at the end of a year."""

    year: int
    counts: dict[str, int]


class Seasons(Shape, frozen=True):
    """The seasons of a game, the oldest first, and its centres through the years from the start on."""

    table: int
    variant: str
    choices: Literal["DATC", "AFJD"]
    seasons: list[SeasonInfo]
    centres: list[CentreYear]


class SeasonTold(Shape, frozen=True):
    """One season: what was ordered, what became of it and why, the position before and after."""

    table: int
    variant: str
    choices: Literal["DATC", "AFJD"]
    info: SeasonInfo
    played: PlayedShape
    after: SituationShape
    explanations: list[str]
    report: str
    lines: list[ReportLineShape]


@routes.get("/tables/{table_id}/seasons", who=Who.ANYONE, waits=True, refusals=(403,))
async def seasons(ask: Ask, table_id: Id, query: SeasonsQuery) -> Seasons:
    """Every season of a game of Diplomacy in short, and the centres of each role at the end of each year."""
    info, chronicle = await _chronicle(ask, table_id, query)
    variant = load_variant(info.variant)
    language = query.language or language_of(ask)
    return Seasons(
        table=table_id,
        variant=info.variant,
        choices=chronicle.choices,
        seasons=[_season_info(variant, each, language) for each in chronicle.passages],
        centres=[
            CentreYear(year=year, counts={str(role): number for role, number in counts.items()})
            for year, counts in sorted(chronicle.centres.items())
        ],
    )


@routes.get("/tables/{table_id}/seasons/{number}", who=Who.ANYONE, waits=True, refusals=(403,))
async def season(ask: Ask, table_id: Id, number: Id, query: SeasonsQuery) -> SeasonTold:
    """One season of a game of Diplomacy: verdicts, report, explanations, the position before and after."""
    info, chronicle = await _chronicle(ask, table_id, query)
    if number > len(chronicle.passages):
        raise Refusal("not_found")
    variant, passage = load_variant(info.variant), chronicle.passages[number - 1]
    language = query.language or language_of(ask)
    choices = chronicle.choices
    told = await asyncio.to_thread(
        account_of,
        variant,
        passage.advancement,
        passage.before,
        passage.verdicts,
        passage.after,
        passage.destroyed,
        AFJD if choices == "AFJD" else DATC,
        language,
    )
    return SeasonTold(
        table=table_id,
        variant=info.variant,
        choices=choices,
        info=_season_info(variant, passage, language),
        played=played_shape(passage.played()),
        after=situation_shape(passage.after),
        explanations=list(told.explanations),
        report=told.report,
        lines=line_shapes(told),
    )


async def _chronicle(ask: Ask, table_id: int, query: SeasonsQuery) -> tuple[HouseTable, Chronicle]:
    """A table that one may see, and what all were told there; raises NoSuchTable, Refusal("not_found")."""
    ask.house.limits.take("web_history", ask.account_id_if_any or network(ask.address))
    info = await must_see(ask.house, table_id, ask.account_id_if_any, query.invitation, ask.is_administrator)
    if info.game != "diplomacy":
        raise Refusal("not_found")
    chronicle = await ask.house.tables.history.chronicle(info)
    assert isinstance(chronicle, Chronicle)
    return info, chronicle


def _season_info(variant: Variant, passage: Passage, language: Language) -> SeasonInfo:
    return SeasonInfo.of(
        passage,
        year=year_of(variant, passage.advancement),
        season=passage.advancement % PHASES,
        name=phase_name(variant, passage.advancement, language),
    )
