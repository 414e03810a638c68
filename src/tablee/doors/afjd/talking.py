"""GAMES: messages between roles, declarations to all, and when somebody last looked."""

from __future__ import annotations

from typing import Any

from tablee.club import ClubError, TooMany
from tablee.club.bounds import SPOKEN_MOST
from tablee.club.scopes import Scope
from tablee.doors.afjd.calls import GAMES
from tablee.doors.afjd.house import Ask, variant_of
from tablee.doors.afjd.parameters import integer, optional, text
from tablee.doors.afjd.playing import ROLE
from tablee.doors.afjd.refusal import Refusal, said
from tablee.tables.press import Silent

Json = Any
CONTENT = text("content", "what is said, at most 10,000 characters", SPOKEN_MOST)
LIMIT = optional(integer("limit", "at most so many", 1, 1_000_000))
MESSAGES: Json = {
    "type": "object",
    "properties": {"messages_list": {"type": "array"}},
    "required": ["messages_list"],
}
DECLARATIONS: Json = {
    "type": "object",
    "properties": {"declarations_list": {"type": "array"}},
    "required": ["declarations_list"],
}
STAMP: Json = {
    "type": "object",
    "properties": {"time_stamp": {"type": "integer"}},
    "required": ["time_stamp"],
}


@GAMES.call(
    "POST",
    "/game-messages/{game_id}",
    ROLE,
    integer("dest_role_id", "to whom; 0 is the master", 0, 100),
    CONTENT,
    status=201,
    errors=(401, 403, 404),
    token=True,
    scope=Scope.CHAT,
)
async def send_message(ask: Ask, game_id: str, role_id: int, dest_role_id: int, content: str) -> Json:
    """Write to one role, or to the master."""
    account, chair = await ask.in_role(game_id, role_id, "Need a pseudo to insert message in game")
    roles = variant_of(chair.info).roles
    if dest_role_id > roles:
        raise Refusal(400, f"dest_role_id must be a role from 0 to {roles}, not {dest_role_id}")
    try:
        spoken = await ask.house.tables.press.write(chair.info, account, role_id, dest_role_id, content)
    except (ClubError, Silent) as refusal:
        raise _refused(refusal) from None
    return {"msg": f"Ok message inserted : {spoken.text}"}


@GAMES.call(
    "GET",
    "/game-messages/{game_id}",
    LIMIT,
    ROLE,
    errors=(401, 403, 404),
    token=True,
    answer=MESSAGES,
)
async def messages(ask: Ask, game_id: str, limit: int | None, role_id: int) -> Json:
    """What a role has written and been sent, the newest first: `[time, author, addressee, content]`."""
    account, chair = await ask.in_role(game_id, role_id, "Need a pseudo to get messages in game")
    found = await ask.house.tables.press.letters(chair.info, account.id, role_id, limit)
    return {"messages_list": [[m.at // 1000, m.author_role, m.to_role, m.text] for m in found]}


@GAMES.call(
    "POST",
    "/game-declarations/{game_id}",
    ROLE,
    CONTENT,
    status=201,
    errors=(401, 403, 404),
    token=True,
    scope=Scope.CHAT,
)
async def declare(ask: Ask, game_id: str, role_id: int, content: str) -> Json:
    """Say something to all."""
    account, chair = await ask.in_role(game_id, role_id, "Need a pseudo to insert declaration in game")
    try:
        spoken = await ask.house.tables.press.declare(chair.info, account, role_id, content)
    except (ClubError, Silent) as refusal:
        raise _refused(refusal) from None
    return {"msg": f"Ok declaration inserted : {spoken.text}"}


@GAMES.call(
    "GET",
    "/game-declarations/{game_id}",
    LIMIT,
    ROLE,
    errors=(401, 403, 404),
    token=True,
    answer=DECLARATIONS,
)
async def declarations(ask: Ask, game_id: str, limit: int | None, role_id: int) -> Json:
    """What was said to all, the newest first: `[time, author, content]`."""
    _, chair = await ask.in_role(game_id, role_id, "Need a pseudo to get declarations in game")
    found = await ask.house.tables.press.declarations(chair.info.id, limit)
    return {"declarations_list": [[each.at // 1000, each.author_role, each.text] for each in found]}


@GAMES.call("POST", "/game-visits/{game_id}", ROLE, status=201, errors=(401, 403, 404), token=True)
async def visit(ask: Ask, game_id: str, role_id: int) -> Json:
    """One looks at the game now."""
    account, chair = await ask.in_role(game_id, role_id, "Need a pseudo to insert visit in game")
    await ask.house.tables.press.visit(chair.info.id, account.id, role_id)
    return {"msg": "Ok visit inserted"}


@GAMES.call("GET", "/game-visits/{game_id}", ROLE, errors=(401, 403, 404), token=True, answer=STAMP)
async def last_visit(ask: Ask, game_id: str, role_id: int) -> Json:
    """When one last looked, in seconds since 1970; now if never."""
    account, chair = await ask.in_role(game_id, role_id, "Need a pseudo to retrieve last visit in game")
    at = await ask.house.tables.press.visited(chair.info.id, account.id, role_id)
    return {"time_stamp": (ask.house.clock.now() if at is None else at) // 1000}


def _refused(refusal: ClubError | Silent) -> Exception:
    match refusal:
        case TooMany():
            return refusal
        case Silent():
            return Refusal(403, refusal.sentence("en"))
    return Refusal(400, said(refusal))
