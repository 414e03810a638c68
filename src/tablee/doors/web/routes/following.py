"""Following one's games with other programs: a calendar of deadlines and a feed, by a key of one's own."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

import msgspec
from starlette.responses import Response

from tablee.club.calling.composing import language_of
from tablee.club.people import Account
from tablee.club.scopes import Scope
from tablee.rules.words import load_words

from ..api.ask import Ask
from ..api.registry import PREFIX, Routes, Who
from ..following import atom, ical
from ..shapes import Shape

routes = Routes("following")

Key = Annotated[str, msgspec.Meta(max_length=200, description="The key of who follows his games.")]
_WORDS = load_words("tablee.doors.web.following")
FRESH_FOR = 300
"""Seconds for which a program need not ask again."""


class FollowKeyState(Shape, frozen=True):
    """Since when one has a key; null without one."""

    made_at: int | None


class FollowKey(Shape, frozen=True):
    """A new key, shown this once, in the paths of what it opens."""

    made_at: int
    calendar: str
    feed: str


@routes.get("/account/follow-key", who=Who.MEMBER)
async def follow_key(ask: Ask) -> FollowKeyState:
    """Whether one's calendar and feed can be read by a key."""
    return FollowKeyState(made_at=await ask.house.club.follow_keys.made_at(ask.account_id))


@routes.post("/account/follow-key", who=Who.MEMBER, scope=Scope.ACCOUNT, status=201)
async def renew_follow_key(ask: Ask) -> FollowKey:
    """Make a key for one's calendar and feed; the one before opens nothing any more."""
    club = ask.house.club
    club.limits.take("profile", ask.account_id)
    key = await club.follow_keys.renew(ask.account_id)
    made_at = await club.follow_keys.made_at(ask.account_id)
    return FollowKey(
        made_at=made_at or ask.house.clock.now(),
        calendar=f"{PREFIX}/me/calendar/{key}.ics",
        feed=f"{PREFIX}/me/feed/{key}.atom",
    )


@routes.delete("/account/follow-key", who=Who.MEMBER, scope=Scope.ACCOUNT)
async def revoke_follow_key(ask: Ask) -> None:
    """Let nobody read one's calendar and feed any more."""
    await ask.house.club.follow_keys.revoke(ask.account_id)


@routes.get(
    "/me/calendar/{key}.ics",
    who=Who.ANYONE,
    refusals=(404, 429),
    media_type=ical.MEDIA_TYPE,
    answer=str,
    signs_in=True,
    waits=True,
)
async def calendar(ask: Ask, key: Key) -> Response:
    """The deadlines of who has this key, as a calendar."""
    club = ask.house.club
    account = await club.follow_keys.whose(key, ask.address)
    deadlines = await ask.house.tables.following.deadlines(account)
    name = _words(account)["calendar"].format(club=club.name)
    text = ical.calendar(name, club.home, deadlines)
    return _unless_known(ask, text, text, ical.MEDIA_TYPE)


@routes.get(
    "/me/feed/{key}.atom",
    who=Who.ANYONE,
    refusals=(404, 429),
    media_type=atom.MEDIA_TYPE,
    answer=str,
    signs_in=True,
    waits=True,
)
async def feed(ask: Ask, key: Key) -> Response:
    """What has happened at the tables of who has this key, as a feed."""
    club, following = ask.house.club, ask.house.tables.following
    account = await club.follow_keys.whose(key, ask.address)
    recent = await following.recent(account)
    # Whoever has the newest is answered without looking at any table. What he is shown of it must not be what
    # he could reckon himself: the numbers of events are in it, which say how much happened in between.
    known = [(call.key, call.at) for call in recent]
    state = await following.name_of("state", account.language, club.home, known)
    if _is_known(ask, _tag(state)):
        return _unless_known(ask, "", state, atom.MEDIA_TYPE)
    happenings = await following.happenings(account, recent)
    about = atom.About(
        id=await following.name_of("feed", account.id),
        title=_words(account)["feed"].format(club=club.name),
        club=club.name,
        home=club.home,
        own=f"{club.home}{PREFIX}/me/feed/{key}.atom",
        language=language_of(account),
        since=account.created_at,
    )
    text = atom.feed(about, happenings)
    return _unless_known(ask, text, state, atom.MEDIA_TYPE)


def _words(account: Account) -> Any:
    return _WORDS[language_of(account)]


def _tag(state: str) -> str:
    return f'"{sha256(state.encode()).hexdigest()[:32]}"'


def _is_known(ask: Ask, tag: str) -> bool:
    asked = ask.headers.get("if-none-match", "")
    return asked.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in asked.split(","))


def _unless_known(ask: Ask, text: str, state: str, media_type: str) -> Response:
    """The file, or that it is still as who asks has it; for him alone, and in no index of a search engine."""
    tag = _tag(state)
    headers = {"ETag": tag, "Cache-Control": f"private, max-age={FRESH_FOR}", "X-Robots-Tag": "noindex"}
    if _is_known(ask, tag):
        return Response(status_code=304, headers=headers)
    return Response(text, media_type=f"{media_type}; charset=utf-8", headers=headers)
