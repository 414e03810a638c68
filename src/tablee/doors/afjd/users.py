"""USERS: accounts as a name with a password, and the tokens that prove them."""

from __future__ import annotations

from typing import Any

from tablee.club import Account, ClubError, PseudoTaken, TooMany, UnknownAccount
from tablee.club.scopes import Scope
from tablee.doors.afjd.calls import USERS
from tablee.doors.afjd.house import Ask
from tablee.doors.afjd.leaving import refuse_while_playing
from tablee.doors.afjd.parameters import Param, text
from tablee.doors.afjd.refusal import Refusal, said
from tablee.doors.afjd.tokens import BadToken

Json = Any
PSEUDO_MOST = 12

NAME: Param = text("user_name", "the pseudo", 200)
PASSWORD: Param = text("password", "the password", 1000)
TOKEN: Json = {
    "type": "object",
    "properties": {"AccessToken": {"type": "string"}},
    "required": ["AccessToken"],
}
WHO: Json = {
    "type": "object",
    "properties": {"logged_in_as": {"type": "string"}},
    "required": ["logged_in_as"],
}


@USERS.call("POST", "/add", NAME, PASSWORD, status=201, secret=True, json_only=True)
async def add(ask: Ask, user_name: str, password: str) -> Json:
    """Make an account of a name and a password."""
    try:
        made = await ask.house.club.accounts.create(
            user_name, password, most=PSEUDO_MOST, address=ask.address, counted=ask.counted
        )
    except PseudoTaken:
        _log_refusal(ask, "add", user_name, "exists")
        raise Refusal(400, "User already exists") from None
    except ClubError as refusal:
        raise _refused(ask, "add", user_name, refusal) from None
    ask.house.log.write("add", user=made.pseudo, address=ask.address)
    return {"msg": "User was added"}


@USERS.call(
    "POST",
    "/remove",
    NAME,
    errors=(401, 404, 405),
    secret=True,
    token=True,
    scope=Scope.ACCOUNT,
    json_only=True,
)
async def remove(ask: Ask, user_name: str) -> Json:
    """Remove an account, with its own token."""
    account = await _own(ask, "remove", user_name)
    try:
        await refuse_while_playing(ask.house, account)
        await ask.house.club.leaving.delete(account, address=ask.address)
    except Refusal as refusal:
        _log_refusal(ask, "remove", user_name, refusal.sentence)
        raise
    except ClubError as refusal:
        raise _refused(ask, "remove", user_name, refusal) from None
    ask.house.log.write("remove", user=user_name, address=ask.address)
    return {"msg": "User was removed"}


@USERS.call(
    "POST",
    "/change",
    NAME,
    PASSWORD,
    status=201,
    errors=(401, 404, 405),
    secret=True,
    token=True,
    scope=Scope.ACCOUNT,
    json_only=True,
)
async def change(ask: Ask, user_name: str, password: str) -> Json:
    """Change the password of an account, with its own token; its other tokens are good no longer."""
    account = await _own(ask, "change", user_name)
    session = (await ask.identity()).session.id
    try:
        await ask.house.club.accounts.change_password(
            account, password, keep_session=session, address=ask.address
        )
    except ClubError as refusal:
        raise _refused(ask, "change", user_name, refusal) from None
    ask.house.log.write("change", user=account.pseudo, address=ask.address)
    return {"msg": "User was changed"}


@USERS.call("POST", "/login", NAME, PASSWORD, errors=(401,), answer=TOKEN, json_only=True)
async def login(ask: Ask, user_name: str, password: str) -> Json:
    """A token for who knows the password; what was wrong is not said."""
    house = ask.house
    try:
        place = ask.address if ask.counted else ""
        account = await house.club.accounts.sign_in(user_name, password, address=place)
    except ClubError as refusal:
        _log_refusal(ask, "login", user_name, refusal.code)
        if isinstance(refusal, TooMany):
            raise
        raise Refusal(401, "Bad user_name or password") from None
    house.log.write("login", user=account.pseudo, address=ask.address)
    return {"AccessToken": await house.tokens.issue(account, ask.address)}


@USERS.call("GET", "/verify", errors=(401,), token=True, answer=WHO)
async def verify(ask: Ask) -> Json:
    """Whose token it is."""
    try:
        identity = await ask.identity()
    except BadToken as bad:
        _log_refusal(ask, "verify", "", str(bad))
        raise Refusal(401, str(bad)) from None
    ask.house.log.write("verify", user=identity.account.pseudo, address=ask.address)
    return {"logged_in_as": identity.account.pseudo}


async def _own(ask: Ask, event: str, user_name: str) -> Account:
    try:
        identity = await ask.identity()
    except BadToken as bad:
        _log_refusal(ask, event, user_name, str(bad))
        raise Refusal(401, str(bad)) from None
    try:
        account = await ask.house.club.accounts.by_pseudo(user_name)
    except UnknownAccount:
        _log_refusal(ask, event, user_name, "unknown")
        raise Refusal(404, "User does not exist") from None
    if account.id != identity.account.id:
        _log_refusal(ask, event, user_name, f"by {identity.account.pseudo}")
        raise Refusal(405, "This is not you! Good try!")
    return account


def _refused(ask: Ask, event: str, user_name: str, refusal: ClubError) -> Exception:
    _log_refusal(ask, event, user_name, refusal.code)
    return refusal if isinstance(refusal, TooMany) else Refusal(400, said(refusal))


def _log_refusal(ask: Ask, event: str, user_name: str, reason: str) -> None:
    ask.house.log.write(f"{event} refused", user=user_name[:200], address=ask.address, reason=reason)
