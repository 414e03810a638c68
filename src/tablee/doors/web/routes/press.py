"""What people say in the roles of a game: the press for all, letters to one or several."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.club.bounds import SPOKEN_MOST
from tablee.club.scopes import Scope
from tablee.tables import Chair, NotSeated
from tablee.tables.press import Marks, Spoken

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Limit, Routes
from ..shapes import Shape, SpokenShape, spoken_shape
from ..tables.visibility import must_see

routes = Routes("press")

Role = Annotated[int, msgspec.Meta(ge=0, le=100, description="A role of the game; 0 is its master.")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=SPOKEN_MOST)]
Roles = Annotated[list[Role], msgspec.Meta(min_length=1, max_length=100)]


class SpokenList(Shape, frozen=True):
    """What was said, newest first, with how far one has read: by role of the correspondent, or `press`."""

    spoken: list[SpokenShape]
    unread: dict[str, int]
    read_up_to: dict[str, int]


class RoleQuery(Body, frozen=True):
    role: Role | None = None  # the first of one's own, unless given
    before: Id | None = None
    limit: Limit = 200


class Declaration(Body, frozen=True):
    role: Role
    text: Text


class Letter(Body, frozen=True):
    role: Role
    to: Role | Roles
    text: Text


class PressRead(Body, frozen=True):
    message: Id
    role: Role | None = None


class LettersRead(Body, frozen=True):
    role: Role
    other: Role
    message: Id


@routes.get("/tables/{table_id}/press", refusals=(403,))
async def press(ask: Ask, table_id: Id, query: RoleQuery) -> SpokenList:
    """The declarations of a game with roles, newest first; for those who have one, or its master."""
    chair, _ = await in_role(ask, table_id, query.role)
    said = ask.house.tables.press
    found = await said.declarations(chair.info.id, query.limit, query.before)
    return _list(found, await said.press_marks(chair.info.id, ask.account_id))


@routes.post("/tables/{table_id}/press", scope=Scope.CHAT, status=201, refusals=(403,))
async def declare(ask: Ask, table_id: Id, body: Declaration) -> SpokenShape:
    """Say something to all in one's role."""
    chair, _ = await in_role(ask, table_id, body.role)
    return spoken_shape(await ask.house.tables.press.declare(chair.info, ask.account, body.role, body.text))


@routes.put("/tables/{table_id}/press/read", scope=Scope.CHAT, refusals=(403,))
async def read_press(ask: Ask, table_id: Id, body: PressRead) -> None:
    """One has read the press up to this message."""
    chair, _ = await in_role(ask, table_id, body.role)
    await ask.house.tables.press.read_press(chair.info, ask.account_id, body.message)


@routes.get("/tables/{table_id}/letters", refusals=(403,))
async def letters(ask: Ask, table_id: Id, query: RoleQuery) -> SpokenList:
    """The letters that a role has written or been sent, newest first."""
    chair, role = await in_role(ask, table_id, query.role)
    said = ask.house.tables.press
    found = await said.letters(chair.info, ask.account_id, role, query.limit, query.before)
    return _list(found, await said.letter_marks(chair.info, ask.account_id, role))


@routes.post("/tables/{table_id}/letters", scope=Scope.CHAT, status=201, refusals=(403,))
async def write_letter(ask: Ask, table_id: Id, body: Letter) -> SpokenList:
    """Write to one role or the same to several, the master (0) among them; answers one letter for each."""
    chair, role = await in_role(ask, table_id, body.role)
    to = [body.to] if isinstance(body.to, int) else body.to
    for each in to:
        if not chair.is_role(each) or each == role:
            raise Refusal("invalid", detail=f"role {each} cannot be written to", at="$.to")
    said = ask.house.tables.press
    made = await said.write_all(chair.info, ask.account, role, to, body.text)
    return _list(made, await said.letter_marks(chair.info, ask.account_id, role))


@routes.put("/tables/{table_id}/letters/read", scope=Scope.CHAT, refusals=(403,))
async def read_letters(ask: Ask, table_id: Id, body: LettersRead) -> None:
    """One has read what another role wrote to one's own, up to this message."""
    chair, role = await in_role(ask, table_id, body.role)
    await ask.house.tables.press.read_letters(chair.info, ask.account_id, role, body.other, body.message)


class UnsentShape(Shape, frozen=True):
    """What came by mail to be said in a role; without `to` it is a declaration."""

    id: int
    role: int
    to: list[int]
    text: str
    at: int


class UnsentList(Shape, frozen=True):
    """What waits for a look of its author, the oldest first."""

    unsent: list[UnsentShape]


@routes.get("/tables/{table_id}/unsent", refusals=(403,))
async def unsent(ask: Ask, table_id: Id) -> UnsentList:
    """What one has sent by mail to be said in an anonymous game: it waits until one has looked at it here."""
    chair, _ = await in_role(ask, table_id, None)
    found = await ask.house.tables.unsent.of(chair.info.id, ask.account_id)
    return UnsentList(
        unsent=[
            UnsentShape(id=each.id, role=each.role, to=list(each.to_roles), text=each.text, at=each.made_at)
            for each in found
        ]
    )


@routes.post("/tables/{table_id}/unsent/{unsent_id}", scope=Scope.CHAT, status=201, refusals=(403,))
async def say_unsent(ask: Ask, table_id: Id, unsent_id: Id) -> SpokenList:
    """Say it now; answers what was said."""
    chair, role = await in_role(ask, table_id, None)
    said = await ask.house.tables.unsent.say(chair.info, ask.account, unsent_id)
    return _list(said, await ask.house.tables.press.letter_marks(chair.info, ask.account_id, role))


@routes.delete("/tables/{table_id}/unsent/{unsent_id}", scope=Scope.CHAT, refusals=(403,))
async def drop_unsent(ask: Ask, table_id: Id, unsent_id: Id) -> None:
    """Throw it away."""
    chair, _ = await in_role(ask, table_id, None)
    await ask.house.tables.unsent.drop(chair.info.id, ask.account_id, unsent_id)


async def in_role(ask: Ask, table_id: int, role: int | None) -> tuple[Chair, int]:
    """One's chair, and the role meant, if one has it there; raises NotSeated, NoSuchTable."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    chair = await ask.house.tables.chair_of(table_id, ask.account_id)
    own = chair.roles
    if not own or (role is not None and role not in own):
        raise NotSeated()
    return chair, own[0] if role is None else role


def _list(found: list[Spoken], marks: Marks) -> SpokenList:
    return SpokenList(
        spoken=[spoken_shape(each) for each in found], unread=marks.unread, read_up_to=marks.read_up_to
    )
