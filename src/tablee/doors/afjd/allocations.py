"""GAMES: who plays in which game, and which role."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from tablee.club import Account
from tablee.doors.afjd.calls import GAMES
from tablee.doors.afjd.house import Ask, as_number, even, variant_of, view_of
from tablee.doors.afjd.parameters import integer, optional
from tablee.doors.afjd.refusal import Refusal
from tablee.rules.contract import MASTER, Illegal
from tablee.tables import (
    Full,
    HouseTable,
    NotAdmitted,
    NotSeated,
    Over,
    SeatTaken,
    TableError,
    Terms,
)
from tablee.tables.admission import Way

Json = Any
NEITHER = "You do not seem to be either the game master of the game or the concerned player"
REPLACE = "This game is not in the proper state - please proceed to replacement"
NO_ROLE_YET = -1
GAME_ID = integer("game_id", "the number of the game")
PLAYER_ID = integer("player_id", "the number of the player")
ROLES: Json = {
    "type": "object",
    "additionalProperties": {"type": ["integer", "array"]},
}


@GAMES.call(
    "POST",
    "/allocations",
    GAME_ID,
    PLAYER_ID,
    optional(
        integer("role_id", "the role, where the master deals or replaces; -1 is none", NO_ROLE_YET, 100)
    ),
    optional(integer("access_code", "the code of the game, where it has one", 0, 999_999_999)),
    status=201,
    errors=(401, 403, 404, 405),
    token=True,
)
async def allocate(
    ask: Ask, game_id: int, player_id: int, role_id: int | None, access_code: int | None
) -> Json:
    """Put a player into a game, or oneself; by the master with a role also into a running one."""
    account, info, player, is_master = await _meant(
        ask, game_id, player_id, "Need a pseudo to join/put in game"
    )
    done = {"msg": "Ok allocation updated or created"}
    if player.id == info.master_id:
        return done
    role = 0 if role_id in (None, NO_ROLE_YET) else role_id
    if info.status == "open":
        if role and not is_master:
            raise Refusal(400, "role_id: only the master of a game deals its roles")
        if role:
            _demand_deal(info, role)
        await _put(ask, info, player, account if is_master else None, access_code)
        if role:
            await _deal(ask, info, player, role)
        return done
    if info.status != "running" or not is_master or not role:
        raise Refusal(405, REPLACE)
    await _replace(ask, info, account, player, role)
    return done


@GAMES.call(
    "DELETE",
    "/allocations",
    GAME_ID,
    PLAYER_ID,
    optional(integer("role_id", "the role that was dealt to him, if one was; -1 is none", NO_ROLE_YET, 100)),
    errors=(401, 403, 404, 405),
    token=True,
)
async def deallocate(ask: Ask, game_id: int, player_id: int, role_id: int | None) -> Json:
    """Take a player, or oneself, out of a game that has not started."""
    _, info, player, _ = await _meant(ask, game_id, player_id, "Need a pseudo to quit/remove from game")
    if info.status != "open":
        raise Refusal(405, REPLACE)
    if role_id and role_id != NO_ROLE_YET and info.terms.deal.get(role_id) != player.id:
        raise Refusal(400, f"role_id: role {role_id} is not dealt to this player")
    try:
        await ask.house.tables.sitting.leave(info.id, player.id)
    except NotSeated:
        pass
    except Over:
        raise Refusal(405, REPLACE) from None
    else:
        if info.terms.mastered:
            await ask.house.tables.mastering.set_terms(info.id, lambda terms: terms.without(player.id))
    return {"msg": "Ok allocation deleted if present"}


@GAMES.call("GET", "/game-allocations/{game_id}", errors=(401, 403, 404), answer=ROLES)
async def of_game(ask: Ask, game_id: str) -> Json:
    """Who plays what in a game; in an anonymous one its master sees all, a player himself."""
    chair = await ask.from_outside(game_id)
    account = await ask.account_if_any()
    info, view = chair.info, view_of(chair)
    there = {taken.account_id for taken in info.taken} | ({info.host_id} if info.host_id else set())
    people = await ask.house.club.accounts.many(there)
    if any(person.kind != "member" for person in people.values()):
        raise Refusal(404, f"Game {info.id} is not listed: it has visitors or robots")
    members = {number for number, person in people.items() if person.is_member}
    found: dict[str, Json] = {str(info.master_id): 0} if info.master_id in members else {}
    for taken in info.taken:
        if taken.account_id in members and info.knows(None if account is None else account.id, taken):
            roles = () if view is None else view.roles_of(taken.seat)
            found[str(taken.account_id)] = _told(roles)
    return found


@GAMES.call("GET", "/player-allocations/{player_id}", errors=(401, 403, 404), answer=ROLES)
async def of_player(ask: Ask, player_id: str) -> Json:
    """The games of a player with his roles; anonymous ones only for himself and their masters."""
    number = as_number(player_id)
    begun = asyncio.get_running_loop().time()
    account = await ask.account_if_any()
    if await ask.house.member(number) is None:
        raise Refusal(404, f"Player {player_id[:60]} doesn't exist")
    register = ask.house.register
    found: dict[str, Json] = {str(hosted): 0 for hosted in await register.hosted_by(number)}
    reader = None if account is None else account.id
    tables = ask.house.tables
    for table_id in await register.seats_of(number, reader):
        roles = await tables.roles_of(table_id, number)
        info = await tables.info(table_id)
        taken = info.seat_of(number)
        if taken is not None and info.knows(reader, taken):
            found[str(table_id)] = _told(tuple(role for role in roles if role != MASTER))
    if reader != number:
        await even(begun)
    return found


# --- below ----------------------------------------------------------------------------------------------


async def _meant(
    ask: Ask, game_id: int, player_id: int, need: str
) -> tuple[Account, HouseTable, Account, bool]:
    """Who asks, the game, whom it is about, and whether its master asks."""
    account = await ask.account(need)
    info = await ask.info(str(game_id))
    is_master = info.master_id == account.id
    player = await ask.house.member(player_id)
    if player is None:
        raise Refusal(404, f"Player {player_id} doesn't exist")
    if not is_master and player.id != account.id:
        raise Refusal(403, NEITHER)
    return account, info, player, is_master


async def _put(
    ask: Ask, info: HouseTable, player: Account, master: Account | None, access_code: int | None
) -> None:
    try:
        await ask.house.tables.sitting.join(
            info.id, player.id, Way(access_code=access_code, by=None if master is None else master.id)
        )
    except Full:
        raise Refusal(400, "Game is full") from None
    except NotAdmitted as refusal:
        raise Refusal(403, refusal.sentence("en")) from None
    except (Over, Illegal):
        raise Refusal(405, REPLACE) from None


def _demand_deal(info: HouseTable, role: int) -> None:
    """Before the player is put in: who is refused has changed nothing."""
    if not info.terms.manual:
        raise Refusal(400, "role_id: roles are dealt at random in this game, which is not manual")
    if role > variant_of(info).roles:
        raise Refusal(400, f"role_id must be a role from 1 to {variant_of(info).roles}")


async def _deal(ask: Ask, info: HouseTable, player: Account, role: int) -> None:
    several = info.options.get("sharing") != "none"

    def dealt(terms: Terms) -> Terms:
        kept = terms.deal if several else terms.without(player.id).deal
        return msgspec.structs.replace(terms, deal={**kept, role: player.id})

    await ask.house.tables.mastering.set_terms(info.id, dealt)


async def _replace(ask: Ask, info: HouseTable, master: Account, player: Account, role: int) -> None:
    """Somebody goes on in a role; whoever had it keeps the other roles that he has, or is out of the game."""
    view = view_of(await ask.masters_chair(info, master))
    assert view is not None
    holder = view.roles[role].seat if role in view.roles else MASTER
    if holder == MASTER:
        raise Refusal(400, f"role_id: role {role} has no player in this game")
    sits = info.seat_of(player.id)
    if sits is not None and sits.seat == holder:
        return
    last = view.roles_of(holder) == (role,)
    tables = ask.house.tables
    by_master = Way(by=info.master_id)
    try:
        if view.unwritten.options.sharing == "any" and (sits is not None or not last):
            await tables.replacing.take_role(info.id, role, holder, player.id, last, by_master)
        else:
            await tables.replacing.replace(info.id, holder, player.id, by_master)
    except SeatTaken:
        raise Refusal(400, "This player has a role in the game already") from None
    except Full:
        raise Refusal(400, "Game is full") from None
    except (TableError, Illegal) as refusal:
        raise Refusal(400, f"This player cannot be replaced: {refusal}") from None


def _told(roles: tuple[int, ...]) -> Json:
    """-1 before the start, the role, or the list of roles."""
    if not roles:
        return NO_ROLE_YET
    return roles[0] if len(roles) == 1 else list(roles)
