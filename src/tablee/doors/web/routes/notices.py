"""What awaits somebody's attention."""

from __future__ import annotations

from ..api.ask import Ask
from ..api.registry import Body, Id, Limit, Routes
from ..shapes import Notice, Shape, notice_shape

routes = Routes("notices")


class NoticesQuery(Body, frozen=True):
    before: Id | None = None
    limit: Limit = 50


class Notices(Shape, frozen=True):
    """Notices, newest first, and how many are unread by kind."""

    notices: list[Notice]
    unread: dict[str, int]


@routes.get("/notices")
async def list_notices(ask: Ask, query: NoticesQuery) -> Notices:
    """One's notices, newest first."""
    club = ask.house.club
    found = await club.notices.list(ask.account_id, before=query.before, limit=query.limit)
    return Notices(notices=[notice_shape(n) for n in found], unread=await club.notices.unread(ask.account_id))


@routes.post("/notices/{notice_id}/read")
async def read_notice(ask: Ask, notice_id: Id) -> None:
    """One notice has been read."""
    await ask.house.club.notices.read(ask.account_id, notice_id)


@routes.post("/notices/read")
async def read_all_notices(ask: Ask) -> None:
    """All notices have been read."""
    await ask.house.club.notices.read_all(ask.account_id)
