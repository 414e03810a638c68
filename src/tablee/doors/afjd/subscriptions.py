"""GAMES, the roadmap: letters about a game (14), and the link of older letters that ends them."""

from __future__ import annotations

from html import escape
from typing import Any

from msgspec.structs import replace
from starlette.responses import Response

from tablee.club.calling.catalogue import Mail
from tablee.club.calling.wishes import HOURS_MOST, NOTHING, Choice, Wishes
from tablee.club.scopes import Scope
from tablee.doors.afjd.calls import GAMES
from tablee.doors.afjd.house import NOT_PLAYER, Ask
from tablee.doors.afjd.parameters import flag, integer, optional
from tablee.doors.afjd.refusal import Refusal

Json = Any
KINDS = {
    "declaration": "declaration",
    "message": "letter",
    "adjudication": "resolved",
    "deadline": "deadline_near",
}
"""The document's letters about a game, by kind of call: they are one view of what a member wishes."""
EVENTS = tuple(KINDS)
FLAGS = tuple(flag(event, says) for event, says in zip(EVENTS, (
    "a letter for each declaration",
    "a letter for each message to one's role",
    "a letter for each adjudication",
    "a letter when the deadline is near and one's orders are missing",
), strict=True))  # fmt: skip
WANTED: Json = {
    "type": "object",
    "properties": {name: {"type": "integer"} for name in (*EVENTS, "digest")},
    "required": [*EVENTS, "digest"],
}


@GAMES.call(
    "POST",
    "/game-subscriptions/{game_id}",
    *FLAGS,
    optional(
        integer("digest", "hours of which the news are gathered in one letter; 0 is at once", 0, HOURS_MOST)
    ),
    status=201,
    errors=(401, 403, 404),
    scope=Scope.ACCOUNT,
    token=True,
)
async def subscribe(ask: Ask, game_id: str, digest: int | None, **wanted: bool | None) -> Json:
    """Choose which letters one wants about a game, to one's confirmed address; none of them ends it."""
    account = await ask.account("Need a pseudo to subscribe to game")
    info = await ask.info(game_id)
    if info.seat_of(account.id) is None and info.master_id != account.id:
        raise Refusal(403, NOT_PLAYER)
    mail: Mail = "digest" if digest else "now"

    def choose(wishes: Wishes) -> Wishes:
        kinds = dict(wishes.kinds)
        for event, kind in KINDS.items():
            kinds[kind] = replace(kinds.get(kind, Choice()), mail=mail if wanted[event] else "off")
        return replace(wishes, kinds=kinds, hours=digest or 0)

    await ask.house.club.preferences.change(account.id, info.id, choose)
    return {"msg": "Ok subscription updated"}


@GAMES.call("GET", "/game-subscriptions/{game_id}", errors=(401, 403, 404), token=True, answer=WANTED)
async def subscribed(ask: Ask, game_id: str) -> Json:
    """Which letters one wants about a game."""
    account = await ask.account("Need a pseudo to retrieve subscription to game")
    info = await ask.info(game_id)
    chosen = await ask.house.club.preferences.of(account.id, info.id)
    is_master = info.master_id == account.id
    found = {event: int(chosen.mail(kind, is_master=is_master) != "off") for event, kind in KINDS.items()}
    return {**found, "digest": (chosen.here or NOTHING).hours}


@GAMES.call("GET", "/unsubscriptions/{key}", errors=(404,), answer=None)
async def offer_end(ask: Ask, key: str) -> Response:
    """The page behind the link in a letter: one button, so that no program that only looks ends anything."""
    if await ask.house.club.preferences.keyed(key) is None:
        raise Refusal(404, "This subscription is over already")
    return _page(
        f'<form method="post" action="{escape(key, quote=True)}"><p>Ne plus recevoir de lettres sur cette '
        'partie ?</p><p><button type="submit">Arrêter</button></p></form>'
    )


@GAMES.call("POST", "/unsubscriptions/{key}", errors=(404,))
async def end(ask: Ask, key: str) -> Json:
    """End a subscription by the secret part of its link."""
    if not await ask.house.club.preferences.end_keyed(key):
        raise Refusal(404, "This subscription is over already")
    return {"msg": "Ok unsubscribed"}


def _page(body: str) -> Response:
    page = (
        '<!doctype html><html lang="fr"><head><meta charset="utf-8">'
        f"<title>Abonnement</title></head><body>{body}</body></html>"
    )
    policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": policy})
