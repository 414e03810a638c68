"""The picture of a game that draws none itself: what its view has in rows of letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

import msgspec

LETTERING = "system-ui, Arial, DejaVu Sans, Liberation Sans, sans-serif"
"""With names that programs find which know no generic ones."""
CELL = 48
MARGIN = 16
EMPTY = "."
PAINTS = ("#1f5fa8", "#b3401b", "#1f7a3d", "#7b3fa0", "#8a6212", "#0b7285", "#a61e5c", "#4b5563")
"""As the page paints its seats."""


def plain_picture(view: Any) -> str | None:
    """Every board of a view, one below the other; None where it has none."""
    fields = msgspec.to_builtins(view)
    boards = [rows for rows in fields.values() if _is_board(rows)]
    if not boards:
        return None
    signs = {str(sign): int(seat) for seat, sign in (fields.get("signs") or {}).items()}
    width = max(len(rows[0]) for rows in boards) * CELL + 2 * MARGIN
    height = sum(len(rows) * CELL + MARGIN for rows in boards) + MARGIN
    parts = [svg_head(width, height), f'<rect width="{width}" height="{height}" fill="#f4f1e8"/>']
    top = MARGIN
    for rows in boards:
        parts.append(f'<g transform="translate({MARGIN} {top})">{"".join(_squares(rows, signs))}</g>')
        top += len(rows) * CELL + MARGIN
    return "\n".join([*parts, "</svg>\n"])


def svg_head(width: float, height: float) -> str:
    """How a picture of such a size begins; letters stand on their middle."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="{LETTERING}" text-anchor="middle">'
    )


def _is_board(rows: Any) -> bool:
    return (
        isinstance(rows, list | tuple)
        and len(rows) > 1
        and all(isinstance(row, str) and row and len(row) == len(rows[0]) for row in rows)
    )


def _squares(rows: list[str], signs: dict[str, int]) -> Iterator[str]:
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            left, top = x * CELL, y * CELL
            yield f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="#fff" stroke="#8d8572"/>'
            if letter in signs:
                paint = PAINTS[(signs[letter] - 1) % len(PAINTS)]
                middle = f'cx="{left + CELL / 2:g}" cy="{top + CELL / 2:g}"'
                yield f'<circle {middle} r="{CELL * 0.4:g}" fill="{paint}"/>'
            if letter not in (EMPTY, " "):
                ink = "#fff" if letter in signs else "#20262e"
                yield (
                    f'<text x="{left + CELL / 2:g}" y="{top + CELL * 0.68:g}" font-size="{CELL / 2:g}" '
                    f'fill="{ink}">{escape(letter)}</text>'
                )
