"""What programs that show links are told of a table: its name, who plays, and a picture (Open Graph)."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from starlette.requests import Request

from tablee.tables import TableError

from .api.registry import PREFIX
from .tables.pictures import people_of, title_of

if TYPE_CHECKING:
    from .house import House

_TABLE = re.compile(r"/tables/([0-9]{1,15})(/replay)?")


# Why: docs/decisions.md#a-link-shows-what-a-spectator-sees
async def preview_of(house: House, request: Request) -> str | None:
    """Lines for the head of the page at a table that anybody with this link may see; None elsewhere."""
    found = _TABLE.fullmatch(request.url.path)
    if found is None or request.method not in ("GET", "HEAD"):
        return None
    table_id, invitation = int(found[1]), request.query_params.get("invitation")
    tables, home = house.tables, house.club.home
    try:
        info = await tables.info(table_id)
        if not await tables.admission.may_enter(info, None, invitation):
            return None
    except TableError:
        return None
    step = request.query_params.get("step", "")
    query = "&".join(
        [
            *([f"step={int(step)}"] if step.isdecimal() and len(step) < 10 else []),
            *([f"invitation={invitation}"] if invitation else []),
        ]
    )
    picture = f"{home}{PREFIX}/tables/{table_id}/picture.png" + (f"?{query}" if query else "")
    said = {
        "og:type": "website",
        "og:site_name": house.club.name,
        "og:title": title_of(tables, info, "fr"),
        "og:description": people_of(tables, info, "fr"),
        "og:image": picture,
        "twitter:card": "summary_large_image",
    }
    return "".join(f'<meta property="{name}" content="{escape(text)}" />' for name, text in said.items())
