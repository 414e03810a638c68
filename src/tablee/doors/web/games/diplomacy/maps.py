"""The maps of Diplomacy, drawn."""

from __future__ import annotations

from tablee.atlas.form import GameMap, game_map

from ...api.ask import Ask
from ...api.errors import Refusal
from ...api.registry import Routes, Who

routes = Routes("house")


@routes.get("/games/diplomacy/{variant}/map", who=Who.ANYONE)
async def diplomacy_map(ask: Ask, variant: str) -> GameMap:
    """The map of a variant of Diplomacy: outlines as SVG paths, places of the pieces, names, powers."""
    if ("diplomacy", variant) not in ask.house.tables.games:
        raise Refusal("not_found")
    return game_map(variant)
