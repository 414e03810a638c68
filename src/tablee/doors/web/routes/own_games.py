"""What somebody comes for: his games, invitations, and what ended since; and a table before he sits down."""

from __future__ import annotations

from typing import Literal

from ..api.ask import Ask
from ..api.registry import Body, Id, Invitation, Routes, Who
from ..shapes import OwnGames, Shape
from ..tables.visibility import must_see

routes = Routes("own_games")

Language = Literal["fr", "en"]


class LanguageQuery(Body, frozen=True):
    language: Language | None = None


@routes.get("/account/games", waits=True)
async def my_games(ask: Ask, query: LanguageQuery) -> OwnGames:
    """Every game of one's own, the one that waits soonest first; invitations; what ended since last time.

    300 games at most, those that go on first. In the `language` asked for, else in the caller's own.
    """
    ask.house.limits.take("web_own_games", ask.account_id)
    return await ask.house.live.own_games.of((ask.account_id, query.language or ask.language))


@routes.post("/tables/{table_id}/decline", refusals=(404,))
async def decline_invitation(ask: Ask, table_id: Id) -> None:
    """Say no to an invitation to a table, or to a seat there that one was asked to take over.

    Who was asked for neither is not told whether there is such a table.
    """
    await ask.house.tables.own_games.decline(table_id, ask.account_id)


class ConditionsQuery(Body, frozen=True):
    invitation: Invitation | None = None
    language: Language | None = None


class ConditionLine(Shape, frozen=True):
    """One of the game's own conditions: "Victoire", "18 centres"."""

    name: str
    text: str


class Conditions(Shape, frozen=True):
    """What the game of a table says of how it is played; the table's own terms are in `TableInfo`."""

    table: int
    lines: list[ConditionLine]


@routes.get("/tables/{table_id}/conditions", who=Who.ANYONE)
async def conditions(ask: Ask, table_id: Id, query: ConditionsQuery) -> Conditions:
    """What one should know of a game before sitting down, in the words of the game."""
    info = await must_see(ask.house, table_id, ask.account_id_if_any, query.invitation, ask.is_administrator)
    lines = ask.house.tables.conditions(info, query.language or ask.language)
    return Conditions(table=table_id, lines=[ConditionLine(name=line.name, text=line.text) for line in lines])
