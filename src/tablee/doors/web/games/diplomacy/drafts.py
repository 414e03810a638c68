"""Orders that somebody is still writing, kept for him alone."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.club.bounds import DRAFT_TEXT_MOST
from tablee.rules.diplomacy.views import DiplomacyView
from tablee.tables import NotStarted
from tablee.tables.notebooks import Draft

from ...api.ask import Ask
from ...api.errors import Refusal
from ...api.registry import Body, Id, Routes
from ...routes.press import Role, in_role
from ...shapes import Shape

routes = Routes("notebooks")

Number = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
OrderForm = Annotated[list[Number | bool], msgspec.Meta(min_length=7, max_length=7)]


class DraftShape(Shape, frozen=True):
    """Orders of this phase that are not sealed yet; `at` is null while there are none."""

    advancement: int
    orders: list[list[int]]
    text: str
    at: int | None


class NewDraft(Body, frozen=True):
    advancement: Number
    orders: Annotated[list[OrderForm], msgspec.Meta(max_length=200)] = msgspec.field(default_factory=list)
    text: Annotated[str, msgspec.Meta(max_length=DRAFT_TEXT_MOST)] = ""


@routes.get("/tables/{table_id}/drafts/{role}", refusals=(403, 409))
async def draft(ask: Ask, table_id: Id, role: Role) -> DraftShape:
    """The orders of a role of one's own that one is still writing; those of a phase that is over are gone."""
    now = await _phase(ask, table_id, role)
    return _shape(await ask.house.tables.notebooks.draft(table_id, ask.account_id, role, now), now)


@routes.put("/tables/{table_id}/drafts/{role}", refusals=(403, 409))
async def write_draft(ask: Ask, table_id: Id, role: Role, body: NewDraft) -> DraftShape:
    """Keep what one has written so far, for the phase that it is for; nothing of it is checked or sealed."""
    now = await _phase(ask, table_id, role)
    if body.advancement != now:
        raise Refusal("phase_over", advancement=now)
    orders = tuple(tuple(int(number) for number in order) for order in body.orders)
    kept = await ask.house.tables.notebooks.keep_draft(table_id, ask.account_id, role, now, orders, body.text)
    return _shape(kept, now)


@routes.delete("/tables/{table_id}/drafts/{role}", refusals=(403, 409))
async def drop_draft(ask: Ask, table_id: Id, role: Role) -> None:
    """Throw one's draft away."""
    await in_role(ask, table_id, role)
    await ask.house.tables.notebooks.drop_draft(table_id, ask.account_id, role)


async def _phase(ask: Ask, table_id: int, role: int) -> int:
    """The phase that is played, if one has the role there; raises NotSeated, NotStarted, NoSuchTable."""
    chair, _ = await in_role(ask, table_id, role)
    view = chair.view()
    if not isinstance(view, DiplomacyView):
        raise NotStarted()
    return view.advancement


def _shape(kept: Draft | None, advancement: int) -> DraftShape:
    if kept is None:
        return DraftShape(advancement=advancement, orders=[], text="", at=None)
    orders = [list(order) for order in kept.orders]
    return DraftShape(advancement=kept.advancement, orders=orders, text=kept.text, at=kept.at)
