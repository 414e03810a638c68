"""What people say in the roles of a game: the press for all, letters for one."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.rules.contract import MASTER
from tablee.rules.diplomacy.game import DiplomacyState
from tablee.tables import LiveTable, NotSeated
from tablee.tables.press import TEXT_MOST, Spoken

from ..ask import Ask
from ..errors import Refusal
from ..registry import Body, Id, Limit, Routes
from ..shapes import Shape
from ..sight import must_see

routes = Routes("press")

Role = Annotated[int, msgspec.Meta(ge=0, le=100, description="A role of the game; 0 is its master.")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT_MOST)]


class SpokenShape(Shape, frozen=True):
    """A declaration, or with `to` a letter."""

    id: int
    at: int
    author: int
    to: int | None
    text: str


class SpokenList(Shape, frozen=True):
    """What was said, newest first."""

    spoken: list[SpokenShape]


class RoleQuery(Body, frozen=True):
    role: Role
    limit: Limit = 200


class Declaration(Body, frozen=True):
    role: Role
    text: Text


class Letter(Body, frozen=True):
    role: Role
    to: Role
    text: Text


@routes.get("/tables/{table_id}/press", refusals=(403,))
async def press(ask: Ask, table_id: Id, query: RoleQuery) -> SpokenList:
    """The declarations of a game with roles, newest first; for those who have one, or its master."""
    live = await _in_role(ask, table_id, query.role)
    found = await ask.house.tables.press.declarations(live.info.id, query.limit)
    return SpokenList(spoken=[_shape(each) for each in found])


@routes.post("/tables/{table_id}/press", status=201, refusals=(403,))
async def declare(ask: Ask, table_id: Id, body: Declaration) -> SpokenShape:
    """Say something to all in one's role."""
    live = await _in_role(ask, table_id, body.role)
    return _shape(await ask.house.tables.press.declare(live.info, ask.account, body.role, body.text))


@routes.get("/tables/{table_id}/letters", refusals=(403,))
async def letters(ask: Ask, table_id: Id, query: RoleQuery) -> SpokenList:
    """The letters that a role has written or been sent, newest first."""
    live = await _in_role(ask, table_id, query.role)
    found = await ask.house.tables.press.letters(live.info.id, query.role, query.limit)
    return SpokenList(spoken=[_shape(each) for each in found])


@routes.post("/tables/{table_id}/letters", status=201, refusals=(403,))
async def write_letter(ask: Ask, table_id: Id, body: Letter) -> SpokenShape:
    """Write to one role, or to the master (0)."""
    live = await _in_role(ask, table_id, body.role)
    state = live.state
    if not isinstance(state, DiplomacyState) or body.to > len(state.holders):
        raise Refusal("invalid", detail="there is no such role", at="$.to")
    said = await ask.house.tables.press.write(live.info, ask.account, body.role, body.to, body.text)
    return _shape(said)


async def _in_role(ask: Ask, table_id: int, role: int) -> LiveTable:
    """The table, if one has this role there; raises NotSeated, NoSuchTable."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    live = await ask.house.tables.open(table_id)
    if role == MASTER and live.info.master_id == ask.account_id:
        return live
    sitting = live.info.seat_of(ask.account_id)
    state = live.state
    if sitting is None or not isinstance(state, DiplomacyState) or role not in state.roles_of(sitting.seat):
        raise NotSeated()
    return live


def _shape(spoken: Spoken) -> SpokenShape:
    return SpokenShape(
        id=spoken.id, at=spoken.at, author=spoken.author_role, to=spoken.to_role, text=spoken.text
    )
