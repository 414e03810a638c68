"""What this door has for single games: a module or a folder each."""

from __future__ import annotations

from . import arena, robots
from .chess import analysis, exports
from .diplomacy import drafts, maps, orders, seasons

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
