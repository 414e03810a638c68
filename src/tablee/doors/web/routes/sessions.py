"""Signing in and out, and the sessions and bot tokens that one has."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tablee.club.errors import InvalidToken
from tablee.club.scopes import Scope
from tablee.club.sessions import Session

from ..api import credentials, signing
from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Routes, Who
from ..api.signing import SignedIn, signed_in
from ..shapes import Shape

routes = Routes("session")

Label = Annotated[str, msgspec.Meta(max_length=60)]
Secret = Annotated[str, msgspec.Meta(max_length=1000)]


class LogIn(Body, frozen=True):
    name: Annotated[str, msgspec.Meta(max_length=300, description="The pseudo, or the e-mail address.")]
    password: Secret
    label: Label = ""
    cookies: bool = False


@routes.post("/session", who=Who.ANYONE, signs_in=True, refusals=(401, 403))
async def log_in(ask: Ask, body: LogIn) -> SignedIn:
    """Log in; with `cookies` the tokens go into HttpOnly cookies instead of the answer."""
    signing.must_be_ours(ask, body.cookies)
    club = ask.house.club
    account = await club.accounts.sign_in(body.name, body.password, address=ask.address)
    tokens = await club.sessions.open(account, "browser", body.label, ask.address)
    return signed_in(ask, account, tokens, body.cookies)


class Me(Shape, frozen=True):
    """Who one is, and by which session."""

    account: int
    pseudo: str
    kind: str
    role: str
    language: str
    session: int
    session_kind: str
    scopes: list[str]  # what this token is good for: read, play, chat, account, admin
    acting: str | None  # the administrator who acts as this account


@routes.get("/session")
async def who_am_i(ask: Ask) -> Me:
    """Whose token this is."""
    account = ask.account
    assert ask.identity is not None
    return Me(
        account=account.id,
        pseudo=account.pseudo,
        kind=account.kind,
        role=account.role,
        language=account.language,
        session=ask.identity.session.id,
        session_kind=ask.identity.session.kind,
        scopes=_scopes(ask.identity.session),
        acting=None if ask.identity.acting is None else ask.identity.acting.pseudo,
    )


class Refresh(Body, frozen=True):
    refresh: Secret | None = None


@routes.post("/session/refresh", who=Who.ANYONE, signs_in=True, refusals=(401, 403))
async def refresh(ask: Ask, body: Refresh = Refresh()) -> SignedIn:  # noqa: B008 - frozen
    """The next pair of tokens, for the one in the body or the cookie; a refused cookie is cleared."""
    if body.refresh is not None:
        return await _refreshed(ask, body.refresh, cookies=False)
    signing.must_be_ours(ask, cookies=True)
    try:
        return await _refreshed(
            ask, credentials.cookies(ask.headers).get(credentials.REFRESH_COOKIE), cookies=True
        )
    except (Refusal, InvalidToken):
        # Else the page would come with a dead token for ever, which is less than coming as nobody.
        signing.drop_cookies(ask)
        raise


async def _refreshed(ask: Ask, token: str | None, cookies: bool) -> SignedIn:
    if not token:
        raise Refusal("not_identified")
    tokens = await ask.house.refreshing.next(token, ask.address)
    identity = await ask.house.who(tokens.access)
    if identity is None:
        raise Refusal("token_expired")
    return signed_in(ask, identity.account, tokens, cookies)


@routes.delete("/session", scope=Scope.READ, refusals=(404,))
async def log_out(ask: Ask) -> None:
    """End this session, and clear its cookies."""
    assert ask.identity is not None
    await ask.house.club.sessions.revoke(ask.account_id, ask.identity.session.id)
    signing.drop_cookies(ask)


class SessionInfo(Shape, frozen=True):
    """One sign-in."""

    id: int
    kind: str  # browser, bot, acting
    label: str
    created_at: int
    used_at: int
    expires_at: int
    address: str
    scopes: list[str]
    this: bool


class SessionList(Shape, frozen=True):
    """Sessions, the last used first."""

    sessions: list[SessionInfo]


def _scopes(session: Session) -> list[str]:
    return [each.value for each in Scope if each in session.scopes]


def session_info(session: Session, this: int | None) -> SessionInfo:
    return SessionInfo.of(session, scopes=_scopes(session), this=session.id == this)


@routes.get("/sessions", scope=Scope.ACCOUNT)
async def sessions(ask: Ask) -> SessionList:
    """One's own sessions and bot tokens."""
    assert ask.identity is not None
    found = await ask.house.club.sessions.list(ask.account_id)
    return SessionList(sessions=[session_info(each, ask.identity.session.id) for each in found])


@routes.delete("/sessions/{session_id}", scope=Scope.ACCOUNT)
async def end_session(ask: Ask, session_id: Id) -> None:
    """End one of one's sessions, or a bot's token."""
    await ask.house.club.sessions.revoke(ask.account_id, session_id)


@routes.delete("/sessions", scope=Scope.ACCOUNT)
async def end_other_sessions(ask: Ask) -> None:
    """End all of one's sessions but this one, bot tokens too."""
    assert ask.identity is not None
    await ask.house.club.sessions.revoke_all(ask.account_id, keep=ask.identity.session.id)


class NewBotToken(Body, frozen=True):
    label: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    scopes: Annotated[
        list[Literal["read", "play", "chat"]],
        msgspec.Meta(max_length=3, description="What it is good for; it reads in any case."),
    ] = msgspec.field(default_factory=lambda: ["play", "chat"])


@routes.post("/sessions/bots", who=Who.MEMBER, scope=Scope.ACCOUNT, status=201)
async def make_bot_token(ask: Ask, body: NewBotToken) -> SignedIn:
    """A long-lived token for a program that plays as this account; it is shown this once.

    Unless told otherwise it plays and chats. It is never good for the account itself, nor, where it is an
    administrator's, for the house.
    """
    assert ask.identity is not None
    if ask.identity.session.kind != "browser":
        # A token that makes tokens could never be taken back.
        raise Refusal("not_allowed")
    account = ask.account
    tokens = await ask.house.club.sessions.open(account, "bot", body.label, ask.address, scopes=body.scopes)
    return signed_in(ask, account, tokens, cookies=False)
