"""Games drawn by the house: the board as the game draws it, or a card with who played and how it ended."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any
from xml.sax.saxutils import escape

from tablee.rules.contract import Seat
from tablee.tables import HouseTable, Tables

Draw = Callable[[Any], str]
WIDTH = 800
"""Of a picture that is shown with a link, in pixels."""
KEPT = 64
CARD = (800, 420)


class Pictures:
    def __init__(self, tables: Tables, drawn: Mapping[str, Draw]) -> None:
        """`drawn` are games that do not draw themselves, each with what draws a view of it."""
        self._tables = tables
        self._games = drawn
        self._pngs: OrderedDict[tuple[int, Seat, int], bytes] = OrderedDict()
        """Of the steps last asked for."""

    async def svg(self, info: HouseTable, seat: Seat, step: int | None, language: str) -> str:
        """A step of a game as this seat saw it; the last one where there are not so many, or none named."""
        found = await self._tables.history.step(info, seat, step)
        return self._drawn(info, found.view, language)

    async def png(
        self, info: HouseTable, seat: Seat, step: int | None, language: str, whose: Hashable
    ) -> bytes:
        """The same for programs that read no SVG; drawn beside the event loop, one at a time."""
        found = await self._tables.history.step(info, seat, step)
        key = (info.id, seat, found.version)
        png = self._pngs.pop(key, None)
        if png is None:
            svg = self._drawn(info, found.view, language)
            self._tables.workshop.must_have_room(whose)
            png = await self._tables.workshop.do(whose, _painted, svg)
        self._pngs[key] = png
        while len(self._pngs) > KEPT:
            self._pngs.popitem(last=False)
        return png

    def _drawn(self, info: HouseTable, view: Any, language: str) -> str:
        rules = self._tables.rules(info.game, info.variant)
        drawn: str | None = None
        if view is not None:
            draw = self._games.get(info.game)
            drawn = rules.picture(view) if draw is None else draw(view)
        return drawn or _card(title_of(self._tables, info, language), people_of(self._tables, info, language))


def title_of(tables: Tables, info: HouseTable, language: str) -> str:
    """A table by its name and what is played there."""
    words = tables.rules(info.game, info.variant).words(language)
    return f"{info.name} · {words.get(f'name.{info.variant}', words['name'])}"


def people_of(tables: Tables, info: HouseTable, language: str) -> str:
    """Who plays, as everybody may know it, and how it ended."""
    words = tables.rules(info.game, info.variant).words(language)
    shown = info.seen_by(None)
    said = ", ".join(seat.name for seat in shown.seats if seat.name)
    ended = words.get(f"result.{info.result.reason}", "") if info.result is not None else ""
    return " · ".join(part for part in (said, ended) if part)


def _card(title: str, people: str) -> str:
    width, height = CARD
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="Arial, DejaVu Sans, sans-serif" text-anchor="middle">',
            f'<rect width="{width}" height="{height}" fill="#1d5c4a"/>',
            f'<text x="{width / 2:g}" y="190" font-size="40" fill="#fff">{escape(title)}</text>',
            f'<text x="{width / 2:g}" y="250" font-size="26" fill="#e6d9a8">{escape(people)}</text>',
            "</svg>\n",
        ]
    )


def _painted(svg: str) -> bytes:
    import resvg_py  # few houses are asked for pictures, and it brings fonts along

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff"))
