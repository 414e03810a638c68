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
    following,
    friends,
    history,
    notebooks,
    notices,
    own_games,
    pictures,
    places,
    players,
    playing,
    press,
    push,
    queue,
    sessions,
    standing_in,
    tables,
    tournament_entering,
    tournament_files,
    tournament_organising,
    tournament_rounds,
    tournaments,
    webhooks,
)

SUBJECTS = (
    places.routes,
    accounts.routes,
    absences.routes,
    sessions.routes,
    tables.routes,
    own_games.routes,
    standing_in.routes,
    playing.routes,
    history.routes,
    pictures.routes,
    *games.SUBJECTS,
    queue.routes,
    challenges.routes,
    tournaments.routes,
    tournament_organising.routes,
    tournament_entering.routes,
    tournament_rounds.routes,
    tournament_files.routes,
    chat.routes,
    press.routes,
    notebooks.routes,
    friends.routes,
    notices.routes,
    calling.routes,
    following.routes,
    webhooks.routes,
    push.routes,
    players.routes,
    bots.routes,
    admin.routes,
    admin_house.routes,
)

ALL: list[Route] = [route for subject in SUBJECTS for route in subject.routes]

DRAWN = games.DRAWN
