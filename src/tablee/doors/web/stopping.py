"""The page behind the link that ends letters: one button, no signing in; a look changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from tablee.club import TooMany, UnknownAccount
from tablee.club.limits import network
from tablee.tables import NoSuchTable

from .house import House

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_WORDS = {
    "fr": {
        "title": "Ne plus recevoir de lettres",
        "kind": "Ne plus recevoir ce genre de lettre, à aucune table ?",
        "table": "Ne plus recevoir de lettre au sujet de cette table ?",
        "kind_here": "Ne plus recevoir ce genre de lettre au sujet de cette table ?",
        "all": "Ne plus recevoir de lettre ?",
        "button": "Arrêter",
        "done": "C’est fait. Vous pouvez changer d’avis dans vos réglages.",
        "unknown": "Ce lien n’est pas valable.",
        "settings": "Vos réglages",
    },
    "en": {
        "title": "No more letters",
        "kind": "No more letters of this kind, at any table?",
        "table": "No more letters about this table?",
        "kind_here": "No more letters of this kind about this table?",
        "all": "No more letters?",
        "button": "Stop",
        "done": "Done. You can change your mind in your settings.",
        "unknown": "This link is not valid.",
        "settings": "Your settings",
    },
}

_ASKED = {(True, True): "kind_here", (True, False): "table", (False, True): "kind", (False, False): "all"}


def stop_routes(house: House) -> Sequence[BaseRoute]:
    """`/stop/TOKEN`: a GET shows the button, a POST (of a person or his mail program) stops them."""

    async def stop(request: Request) -> Response:
        language = "en" if request.headers.get("accept-language", "").lower().startswith("en") else "fr"
        words = _WORDS[language]
        where = network(request.client.host if request.client is not None else "")
        try:
            house.club.limits.check("code_try", where)
        except TooMany as refusal:
            return _page(language, f"<p>{escape(refusal.sentence(language))}</p>", 429)
        preferences = house.club.preferences
        found = await preferences.stopped_by(request.path_params["token"])
        if found is None:
            house.club.limits.count("code_try", where)
            return _page(language, f"<p>{words['unknown']}</p>", 404)
        account_id, table_id, kind = found
        if request.method == "POST":
            with suppress(UnknownAccount):  # who has left the club is written no letters anyway
                if (await house.club.accounts.by_id(account_id)).is_member:
                    await preferences.stop(account_id, table_id, kind)
            link = f'<a href="/settings">{words["settings"]}</a>'
            return _page(language, f"<p>{words['done']}</p><p>{link}</p>")
        asked = words[_ASKED[bool(table_id), bool(kind)]]
        name = f"<p><strong>{escape(await _name(house, table_id))}</strong></p>" if table_id else ""
        return _page(
            language,
            f'{name}<form method="post"><p>{asked}</p>'
            f'<button type="submit">{words["button"]}</button></form>',
        )

    return [Route("/stop/{token}", stop, methods=["GET", "POST"])]


async def _name(house: House, table_id: int) -> str:
    try:
        return (await house.tables.read_info(table_id)).name or f"№ {table_id}"
    except NoSuchTable:
        return f"№ {table_id}"


def _page(language: str, body: str, status: int = 200) -> Response:
    title = _WORDS[language]["title"]
    style = (
        "body{font:18px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;"
        "background:#f6f4ef;color:#1c1c1c}"
        "button{font:inherit;padding:.6rem 1.4rem;border:0;border-radius:6px;"
        "background:#1f5f4a;color:#fff;cursor:pointer}a{color:#1f5f4a}"
        "@media(prefers-color-scheme:dark){body{background:#1b1d1f;color:#eee}a{color:#8fd0b5}}"
    )
    page = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head><body><main><h1>{title}</h1>{body}</main></body></html>"
    )
    return HTMLResponse(
        page, status, headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    )
