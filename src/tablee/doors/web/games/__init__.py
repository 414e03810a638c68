"""What this door has for single games: a module or a folder each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import arena, robots
from .chess import analysis, exports
from .diplomacy import drafts, maps, orders, pictures, seasons

DRAWN: Mapping[str, Callable[[Any], str]] = {"diplomacy": pictures.picture}
"""Pictures of positions, from a view, of games that do not draw themselves."""

SUBJECTS = (
    maps.routes,
    exports.routes,
    analysis.routes,
    seasons.routes,
    orders.routes,
    drafts.routes,
    robots.routes,
    arena.routes,
)
