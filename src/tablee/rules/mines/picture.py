"""A board of mines drawn: what is open and by whom, what is hidden, which mines were hit."""

from __future__ import annotations

from collections.abc import Iterator

from tablee.rules.mines.views import MinesView
from tablee.rules.plain_picture import PAINTS, svg_head

CELL = 24
HIDDEN, OPEN, HIT = "#7d93a6", "#f2f4f5", "#e8b4a8"
FIGURES = ("", "#1f5fa8", "#1f7a3d", "#b3401b", "#3f3fae", "#8a1c1c", "#0b7285", "#20262e", "#4b5563")
SEATS = "123456789abcdefghijklmnopqrstuvwxyz"


def picture(view: MinesView) -> str:
    """The whole board, with the colour of who opened it under each square."""
    width, height = view.width * CELL, view.height * CELL
    parts = [svg_head(width, height), f'<rect width="{width}" height="{height}" fill="{OPEN}"/>']
    for y in range(view.height):
        parts.extend(_row(view.rows[str(y)], view.openers[str(y)], y * CELL))
    return "\n".join([*parts, "</svg>\n"])


def _row(row: str, openers: str, top: int) -> Iterator[str]:
    for x, letter in enumerate(row):
        left, half = x * CELL, CELL / 2
        is_hidden = letter in "XF"
        fill = HIDDEN if is_hidden else HIT if letter == "*" else OPEN
        yield f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#b9c2ca"/>'
        seat = SEATS.find(openers[x])
        if not is_hidden and seat >= 0:
            paint = PAINTS[seat % len(PAINTS)]
            below = f'x="{left}" y="{top + CELL - 3}" width="{CELL}" height="3"'
            yield f'<rect {below} fill="{paint}" opacity=".6"/>'
        if letter == "*":
            yield f'<circle cx="{left + half:g}" cy="{top + half:g}" r="{CELL * 0.3:g}" fill="#20262e"/>'
        elif letter in "12345678":
            yield (
                f'<text x="{left + half:g}" y="{top + CELL * 0.74:g}" font-size="{CELL * 0.66:g}" '
                f'font-weight="700" fill="{FIGURES[int(letter)]}">{letter}</text>'
            )
