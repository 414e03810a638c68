"""PLAYERS: members with what they say about themselves, their addresses, and what everybody may know."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from tablee.club import (
    Account,
    ClubError,
    EmailTaken,
    PseudoTaken,
    TooMany,
    UnknownAccount,
)
from tablee.club.online import knows_visits
from tablee.club.scopes import Scope
from tablee.doors.afjd.calls import PLAYERS
from tablee.doors.afjd.house import GAME, Ask, even
from tablee.doors.afjd.leaving import refuse_while_playing
from tablee.doors.afjd.parameters import Param, flag, integer, optional, text
from tablee.doors.afjd.refusal import Refusal, said
from tablee.doors.afjd.tokens import BadToken
from tablee.doors.afjd.users import PSEUDO_MOST
from tablee.tables import searching

Json = Any
DIGITS = 4
CODE = integer("code", "the code that was mailed", 1000, 9999)
EMAIL = text("email", "the e-mail address; 30 in the document, 254 here", 254)
PASSWORD = text("password", "the password, 1 to 128 characters", 1000)
DETAILS: tuple[Param, ...] = (
    optional(text("telephone", "at most 15 characters", 15)),
    optional(text("family_name", "at most 30 characters", 30)),
    optional(text("first_name", "at most 20 characters", 20)),
    flag("replace", "may be called to replace somebody"),
)
COUNTRY = text("country", "ISO 3166 alpha-3 code, such as FRA", 5)
TIME_ZONE = text("time_zone", "such as UTC + 1", 12)
NUMBER: Json = {"type": "integer"}
NAMES: Json = {"type": "object", "additionalProperties": {"type": "string"}}
TEXTS = ("pseudo", "email", "telephone", "family_name", "first_name", "country", "time_zone")
FLAGS = ("email_confirmed", "replace")
PLAYER: Json = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in TEXTS},
        **{name: {"type": "integer"} for name in FLAGS},
    },
    "required": [*TEXTS, *FLAGS],
}
CREATED: Json = {
    "type": "object",
    "properties": {"pseudo": {"type": "string"}, "msg": {"type": "string"}},
    "required": ["pseudo", "msg"],
}
FIGURES = ("last_identification", "reliability", "regularity", "performance")
FACTS: Json = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in ("pseudo", "country", "time_zone")},
        **{name: {"type": "integer"} for name in FIGURES},
    },
    "required": ["pseudo", "country", "time_zone", *FIGURES],
}
STAMP: Json = {
    "type": "object",
    "properties": {"time_stamp": {"type": "integer"}},
    "required": ["time_stamp"],
}


@PLAYERS.call("GET", "/player_identifiers/{name}", errors=(404,), answer=NUMBER)
async def identifier(ask: Ask, name: str) -> Json:
    """The number of a player."""
    return (await _player(ask, name, "doesn't exist")).id


@PLAYERS.call("GET", "/players/{name}", errors=(404,), token=True, answer=PLAYER)
async def player(ask: Ask, name: str) -> Json:
    """All that a player has said about himself, for himself."""
    who = await _own(ask, name, "retrieve")
    return {
        "pseudo": who.pseudo,
        "email": who.email or "",
        "email_confirmed": int(who.email_confirmed),
        "telephone": who.telephone,
        "replace": int(who.stand_in),
        "family_name": who.family_name,
        "first_name": who.first_name,
        "country": who.country,
        "time_zone": who.time_zone,
    }


@PLAYERS.call(
    "PUT",
    "/players/{name}",
    optional(PASSWORD),
    optional(EMAIL),
    *DETAILS,
    optional(COUNTRY),
    optional(TIME_ZONE),
    errors=(404,),
    token=True,
    scope=Scope.ACCOUNT,
)
async def change_player(ask: Ask, name: str, password: str | None, **given: Any) -> Json:
    """Change what is given; with a password, that alone."""
    who = await _own(ask, name, "update")
    club = ask.house.club
    if password is not None:
        session = (await ask.identity()).session.id
        try:
            await club.accounts.change_password(who, password, keep_session=session, address=ask.address)
        except TooMany:
            raise
        except ClubError as refusal:
            raise Refusal(400, f"User modification failed!:{said(refusal)}") from None
        ask.house.log.write("change", user=who.pseudo, address=ask.address)
        return {"msg": "Ok updated"}
    changes = _details(given)
    try:
        _, changed = await club.accounts.change(who, address=ask.address, digits=DIGITS, **changes)
    except EmailTaken:
        raise Refusal(400, f"Email {given['email']} is already used") from None
    except TooMany as refusal:
        if "email" in changes:
            raise Refusal(400, f"Failed to store email code!:{said(refusal)}") from None
        raise
    except ClubError as refusal:
        raise Refusal(400, said(refusal)) from None
    return {"msg": "Ok updated" if changed else "Ok but no change !"}


@PLAYERS.call("DELETE", "/players/{name}", errors=(404,), token=True, scope=Scope.ACCOUNT)
async def remove_player(ask: Ask, name: str) -> Json:
    """Leave for good; not while one is still in a game."""
    who = await _player(ask, name, "does not exist")
    await _prove(ask, who, "remove")
    await refuse_while_playing(ask.house, who)
    try:
        await ask.house.club.leaving.delete(who, address=ask.address)
    except TooMany:
        raise
    except ClubError as refusal:
        raise Refusal(400, f"User removal failed!:{said(refusal)}") from None
    ask.house.log.write("remove", user=who.pseudo, address=ask.address)
    return {"msg": "Ok removed"}


@PLAYERS.call("GET", "/players", answer=NAMES)
async def players(ask: Ask) -> Json:
    """Every player: pseudos by number."""
    return {str(number): pseudo for number, pseudo in await searching.members(ask.house.store)}


@PLAYERS.call(
    "POST",
    "/players",
    text("pseudo", "at most 12 characters", 200),
    PASSWORD,
    EMAIL,
    *DETAILS,
    COUNTRY,
    TIME_ZONE,
    status=201,
    answer=CREATED,
)
async def create_player(
    ask: Ask, pseudo: str, password: str, email: str, country: str, time_zone: str, **given: Any
) -> Json:
    """Sign up; a code of four digits goes to the address."""
    details = _details({**given, "country": country, "time_zone": time_zone})
    if not email:
        raise Refusal(400, "email: an address is needed")
    try:
        made = await ask.house.club.accounts.create(
            pseudo,
            password,
            email=email,
            most=PSEUDO_MOST,
            address=ask.address,
            counted=ask.counted,
            digits=DIGITS,
            **details,
        )
    except PseudoTaken:
        raise Refusal(400, f"Player {pseudo} already exists") from None
    except EmailTaken:
        raise Refusal(400, f"Email {email} is already used") from None
    except TooMany:
        raise
    except ClubError as refusal:
        about = refusal.parts.get("field")
        start = "User creation failed!:" if about in ("pseudo", "password") else ""
        raise Refusal(400, f"{start}{said(refusal)}") from None
    ask.house.log.write("add", user=made.pseudo, address=ask.address)
    return {"pseudo": made.pseudo, "msg": "Ok player created"}


@PLAYERS.call("POST", "/emails", text("pseudo", "whose address", 200), CODE, errors=(404,))
async def confirm_email(ask: Ask, pseudo: str, code: int) -> Json:
    """Confirm an address with the code that was mailed to it."""
    who = await _player(ask, pseudo, "does not exist")
    try:
        await ask.house.club.addresses.confirm(who, str(code), address=ask.address, counted=ask.counted)
    except TooMany:
        raise
    except ClubError as refusal:
        raise Refusal(400, f"Wrong code!:{said(refusal)}") from None
    return {"msg": "Ok code is correct"}


# --- the roadmap ----------------------------------------------------------------------------------------


@PLAYERS.call("POST", "/email-codes", status=201, errors=(401, 403, 404), token=True, scope=Scope.ACCOUNT)
async def send_code(ask: Ask) -> Json:
    """Mail a new code to one's own address."""
    who = await ask.account("Need a pseudo to send code")
    try:
        await ask.house.club.addresses.send_confirmation(who, digits=DIGITS)
    except TooMany:
        raise
    except ClubError as refusal:
        raise Refusal(400, f"Failed to store email code!:{said(refusal)}") from None
    return {"msg": "Ok code sent"}


@PLAYERS.call("POST", "/forgotten-passwords", EMAIL, status=201)
async def forgot_password(ask: Ask, email: str) -> Json:
    """Mail a code to whoever has this address; the answer does not tell whether anybody has."""
    await ask.house.club.addresses.send_recovery(email, address=ask.address, counted=ask.counted)
    ask.house.log.write("forgotten password", address=ask.address)
    return {"msg": "Ok code sent if the email is known"}


@PLAYERS.call(
    "PUT", "/forgotten-passwords", EMAIL, integer("code", "the code that was mailed", 0, 10**9), PASSWORD
)
async def recover_password(ask: Ask, email: str, code: int, password: str) -> Json:
    """A new password for who has the code; every token of the account is good no longer."""
    try:
        who = await ask.house.club.accounts.recover(
            email, str(code), password, address=ask.address, counted=ask.counted
        )
    except TooMany:
        raise
    except ClubError as refusal:
        raise Refusal(400, f"Wrong code!:{said(refusal)}") from None
    ask.house.log.write("recover", user=who.pseudo, address=ask.address)
    return {"msg": "Ok updated"}


@PLAYERS.call("GET", "/player-identifications/{name}", errors=(404,), answer=STAMP)
async def identification(ask: Ask, name: str) -> Json:
    """When a player last identified himself, in seconds since 1970; 0 where he keeps that to himself."""
    who = await _player(ask, name, "doesn't exist")
    return {"time_stamp": await _last_identification(ask, who)}


@PLAYERS.call("GET", "/player-facts/{name}", errors=(404,), answer=FACTS)
async def facts(ask: Ask, name: str) -> Json:
    """What everybody may know of a player: country, time zone, when he was last here, his three figures."""
    begun = asyncio.get_running_loop().time()
    who = await _player(ask, name, "doesn't exist")
    await ask.house.tables.reckoning.of_account(who.id)
    figures = await ask.house.club.conduct.of(who.id, GAME, "standard")
    await even(begun)
    return {
        "pseudo": who.pseudo,
        "country": who.country,
        "time_zone": who.time_zone,
        "last_identification": await _last_identification(ask, who),
        "reliability": figures.reliability,
        "regularity": figures.regularity,
        "performance": figures.performance,
    }


# --- below ----------------------------------------------------------------------------------------------


async def _player(ask: Ask, name: str, missing: str) -> Account:
    try:
        who = await ask.house.club.accounts.by_pseudo(name)
    except UnknownAccount:
        raise Refusal(404, f"Player {name[:60]} {missing}") from None
    if not who.is_member:
        raise Refusal(404, f"Player {name[:60]} {missing}")
    return who


async def _last_identification(ask: Ask, who: Account) -> int:
    """In seconds; 0 for others than himself and administrators, where his settings hide it."""
    viewer: Account | None = None
    if who.hides_visits and ask.token:
        with suppress(BadToken):
            viewer = (await ask.identity()).account
    return (who.identified_at or who.created_at) // 1000 if knows_visits(viewer, who) else 0


async def _own(ask: Ask, name: str, verb: str) -> Account:
    """The token is asked first, then whether there is such a player."""
    try:
        identity = await ask.identity()
    except BadToken as bad:
        raise Refusal(400, f"Not allowed for {verb}!:{bad}") from None
    try:
        who = await ask.house.club.accounts.by_pseudo(name)
    except UnknownAccount:
        raise Refusal(400, f"Not allowed for {verb}!:token is not of {name[:60]}") from None
    if who.id != identity.account.id:
        raise Refusal(400, f"Not allowed for {verb}!:token is not of {name[:60]}")
    return who


async def _prove(ask: Ask, who: Account, verb: str) -> None:
    try:
        identity = await ask.identity()
    except BadToken as bad:
        raise Refusal(400, f"Not allowed for {verb}!:{bad}") from None
    if identity.account.id != who.id:
        raise Refusal(400, f"Not allowed for {verb}!:token is not of {who.pseudo}")


def _details(given: dict[str, Any]) -> Any:
    """What is given, in the club's words; a `+` that a form has made a space is one again."""
    details = {key: value for key, value in given.items() if value is not None}
    if "replace" in details:
        details["stand_in"] = details.pop("replace")
    for name in ("country", "time_zone"):
        if name in details and not details[name].strip():
            raise Refusal(400, f"{name}: one of our list is needed")
    if "time_zone" in details:
        words = details["time_zone"].split()
        if len(words) == 2 and words[0].upper() == "UTC" and words[1][:1].isdecimal():
            details["time_zone"] = f"UTC + {words[1]}"
    return details
