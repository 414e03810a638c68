"""PLAYERS and GAMES, the roadmap: administrators, acting as an account, codes for changes of positions."""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.club import Account, ClubError, TooMany, UnknownAccount
from tablee.club.scopes import Scope
from tablee.doors.afjd.calls import GAMES, PLAYERS
from tablee.doors.afjd.house import Ask
from tablee.doors.afjd.parameters import text
from tablee.doors.afjd.refusal import Refusal, said
from tablee.doors.afjd.users import TOKEN
from tablee.store import Unit
from tablee.tables import Over
from tablee.tables.terms import digest_of

Json = Any
NOT_ADMINISTRATOR = "You do not seem to be an administrator"
NOT_SUPER = "You do not seem to be the super administrator"
WHOM = text("administered_pseudo", "whom it is about", 200)
ADMINISTRATORS: Json = {
    "type": "object",
    "properties": {"administrators": {"type": "array", "items": {"type": "string"}}},
    "required": ["administrators"],
}
ACTS: Json = {
    "type": "object",
    "properties": {"acting_list": {"type": "array"}},
    "required": ["acting_list"],
}


@PLAYERS.call("GET", "/administrators", answer=ADMINISTRATORS)
async def administrators(ask: Ask) -> Json:
    """Who the administrators are, the super-administrator among them."""
    found = await ask.house.club.roles.administrators()
    return {"administrators": [each.pseudo for each in found]}


@PLAYERS.call(
    "POST", "/administrators", WHOM, status=201, errors=(401, 403, 404), token=True, scope=Scope.ADMIN
)
async def name_administrator(ask: Ask, administered_pseudo: str) -> Json:
    """By the super-administrator: make somebody an administrator (roadmap 9)."""
    account, whom = await _over(ask, administered_pseudo, "super", "Need a pseudo to name administrator")
    try:
        await ask.house.club.roles.name_administrator(account, whom, address=ask.address)
    except ClubError as refusal:
        raise _refused(refusal) from None
    return {"msg": "Ok administrator named"}


@PLAYERS.call("DELETE", "/administrators", WHOM, errors=(401, 403, 404), token=True, scope=Scope.ADMIN)
async def dismiss(ask: Ask, administered_pseudo: str) -> Json:
    """By the super-administrator: make an administrator a player again."""
    account, whom = await _over(ask, administered_pseudo, "super", "Need a pseudo to dismiss administrator")
    try:
        await ask.house.club.roles.dismiss(account, whom, address=ask.address)
    except ClubError as refusal:
        raise _refused(refusal) from None
    return {"msg": "Ok administrator dismissed"}


@PLAYERS.call(
    "POST",
    "/usurpations",
    WHOM,
    status=201,
    errors=(401, 403, 404),
    token=True,
    scope=Scope.ADMIN,
    answer=TOKEN,
)
async def usurp(ask: Ask, administered_pseudo: str) -> Json:
    """By an administrator: a token of somebody else for an hour; it is noted, and he is told (roadmap 10)."""
    account, whom = await _over(ask, administered_pseudo, "administrator", "Need a pseudo to act as a player")
    try:
        tokens = await ask.house.club.sessions.act_as(account, whom, ask.address)
    except ClubError as refusal:
        raise _refused(refusal) from None
    ask.house.log.write("usurpation", user=whom.pseudo, by=account.pseudo, address=ask.address)
    return {"AccessToken": ask.house.tokens.wrap(whom, tokens)}


@PLAYERS.call("GET", "/usurpations", errors=(401, 403, 404), token=True, answer=ACTS)
async def usurpations(ask: Ask) -> Json:
    """When administrators acted as oneself: `[time, administrator]`, the newest first."""
    account = await ask.account("Need a pseudo to retrieve usurpations")
    notices = await ask.house.club.notices.list(account.id, limit=200)
    return {
        "acting_list": [
            [each.at // 1000, each.about.get("by", "")] for each in notices if each.kind == "acting"
        ]
    }


@GAMES.call(
    "POST",
    "/game-position-codes/{game_id}",
    text("admin_code", "the code, 4 to 30 characters", 30, 4),
    status=201,
    errors=(401, 403, 404),
    token=True,
    scope=Scope.ADMIN,
)
async def ask_for_code(ask: Ask, game_id: str, admin_code: str) -> Json:
    """By an administrator: from now on a change of this game's position needs this code (roadmap 12)."""
    await _set_code(ask, game_id, digest_of(admin_code))
    return {"msg": "Ok code needed"}


@GAMES.call("DELETE", "/game-position-codes/{game_id}", errors=(401, 403, 404), token=True, scope=Scope.ADMIN)
async def ask_for_none(ask: Ask, game_id: str) -> Json:
    """By an administrator: its master changes the position of this game without a code again."""
    await _set_code(ask, game_id, "")
    return {"msg": "Ok code no longer needed"}


# --- below ----------------------------------------------------------------------------------------------


async def _set_code(ask: Ask, game_id: str, digest: str) -> None:
    account = await ask.account("Need a pseudo to set code in game")
    info = await ask.info(game_id)
    if not account.is_administrator:
        raise Refusal(403, NOT_ADMINISTRATOR)
    try:
        await ask.house.tables.mastering.set_terms(
            info.id, lambda terms: msgspec.structs.replace(terms, position_code=digest)
        )
    except Over:
        raise Refusal(400, "The game is over") from None
    deed = await ask.house.club.deeds.write(
        "position_code",
        actor=account.id,
        account=info.host_id,
        about={"table": info.id, "asked": bool(digest)},
        address=ask.address,
    )
    await ask.house.store.commit(Unit(writes=[deed]))


async def _over(ask: Ask, pseudo: str, role: str, need: str) -> tuple[Account, Account]:
    account = await ask.account(need)
    if role == "super" and account.role != "super":
        raise Refusal(403, NOT_SUPER)
    if not account.is_administrator:
        raise Refusal(403, NOT_ADMINISTRATOR)
    try:
        return account, await ask.house.club.accounts.by_pseudo(pseudo)
    except UnknownAccount:
        raise Refusal(404, f"Player {pseudo[:60]} does not exist") from None


def _refused(refusal: ClubError) -> Exception:
    if isinstance(refusal, TooMany):
        return refusal
    return Refusal(403 if refusal.kind == "refused" else 400, said(refusal))
