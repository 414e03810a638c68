"""Every route of the API, a file a subject."""

from __future__ import annotations

from .. import games
from ..api.registry import Route
from . import (
    absences,
    accounts,
    admin,
    admin_house,
    bots,
    calling,
    challenges,
    chat,
    friends,
    history,
    notebooks,
    notices,
    places,
    players,
    playing,
    press,
    queue,
    sessions,
    standing_in,
    tables,
)

SUBJECTS = (
    places.routes,
    accounts.routes,
    absences.routes,
    sessions.routes,
    tables.routes,
    standing_in.routes,
    playing.routes,
    history.routes,
    *games.SUBJECTS,
    queue.routes,
    challenges.routes,
    chat.routes,
    press.routes,
    notebooks.routes,
    friends.routes,
    notices.routes,
    calling.routes,
    players.routes,
    bots.routes,
    admin.routes,
    admin_house.routes,
)

ALL: list[Route] = [route for subject in SUBJECTS for route in subject.routes]
