"""Every route of the API, a file a subject."""

from __future__ import annotations

from ..registry import Route
from . import (
    accounts,
    admin,
    admin_house,
    analysis,
    arena,
    bots,
    challenges,
    chat,
    diplomacy,
    exports,
    friends,
    history,
    notebooks,
    notices,
    places,
    players,
    playing,
    press,
    queue,
    robots,
    seasons,
    sessions,
    tables,
)

SUBJECTS = (
    places.routes,
    accounts.routes,
    sessions.routes,
    tables.routes,
    playing.routes,
    history.routes,
    exports.routes,
    analysis.routes,
    seasons.routes,
    diplomacy.routes,
    robots.routes,
    arena.routes,
    queue.routes,
    challenges.routes,
    chat.routes,
    press.routes,
    notebooks.routes,
    friends.routes,
    notices.routes,
    players.routes,
    bots.routes,
    admin.routes,
    admin_house.routes,
)

ALL: list[Route] = [route for subject in SUBJECTS for route in subject.routes]
