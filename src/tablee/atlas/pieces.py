"""The pieces and the patterns of the powers, drawn in SVG."""

from __future__ import annotations

from html import escape

from tablee.atlas.form import Place
from tablee.atlas.geometry import written
from tablee.rules.diplomacy.variant import FLEET

PATTERN_SHAPES = {
    "diagonal": '<path d="M-3 3L3-3M0 12L12 0M9 15L15 9" stroke="INK" stroke-width="1.3"/>',
    "dots": '<circle cx="3" cy="3" r="1.5" fill="INK"/><circle cx="9" cy="9" r="1.5" fill="INK"/>',
    "horizontal": '<path d="M0 3H12M0 9H12" stroke="INK" stroke-width="1.1"/>',
    "crossed": '<path d="M0 0L12 12M12 0L0 12" stroke="INK" stroke-width=".9"/>',
    "vertical": '<path d="M3 0V12M9 0V12" stroke="INK" stroke-width="1.1"/>',
    "rising": '<path d="M-3 9L3 15M0 0L12 12M9-3L15 3" stroke="INK" stroke-width="1.3"/>',
    "waves": '<path d="M0 4Q3 1 6 4T12 4M0 10Q3 7 6 10T12 10" fill="none" stroke="INK" stroke-width="1.1"/>',
    "rings": '<circle cx="6" cy="6" r="3" fill="none" stroke="INK" stroke-width="1.1"/>',
    "bricks": '<path d="M0 1H12M0 7H12M3 1V7M9 7V13M9-5V1" stroke="INK" stroke-width="1"/>',
}
"""Tiles of 12 by 12; INK stands for the power's colour."""

ARMY_TOKEN = "M-13 -9.5H13Q15 -9.5 15 -7.5V7.5Q15 9.5 13 9.5H-13Q-15 9.5 -15 7.5V-7.5Q-15 -9.5 -13 -9.5Z"
FLEET_TOKEN = "M-15 -7Q0 -10.5 15 -7L12 5Q10.5 9.5 6 9.5H-6Q-10.5 9.5 -12 5Z"
CANNON = (
    "M-12.5 .2L-1.5 -5.6L-.2 -2.6L-6 .3A3.9 3.9 0 1 1 -9.9 2.3L-11.6 2.6Z"
    "M-6.1 2.6A1.2 1.2 0 1 0 -6.1 5A1.2 1.2 0 1 0 -6.1 2.6Z"
)
SHIP = "M-6.2 -6.5V1.2H-10.6Q-7.4 -1.8 -6.2 -6.5ZM-5 -6.5Q-.8 -3 -1.2 1.2H-5ZM-11.4 2.6H.2L-1.8 6H-9.6Z"


def unit_mark(kind: int, colour: str, letter: str, at: Place, dislodged: bool = False) -> str:
    """A unit: an oblong with a cannon or a hull with sails, and the power's letter."""
    token, glyph = (FLEET_TOKEN, SHIP) if kind == FLEET else (ARMY_TOKEN, CANNON)
    x, y = (written(value) for value in at)
    turn = " rotate(-14)" if dislodged else ""
    mark = "unit out" if dislodged else "unit"
    mark += " pale" if is_pale(colour) else ""
    return (
        f'<g class="{mark}" transform="translate({x} {y}){turn}">'
        f'<path class="token" fill="{colour if is_pale(colour) else darkened(colour)}" d="{token}"/>'
        f'<path class="glyph" fill-rule="evenodd" d="{glyph}"/>'
        f'<text class="letter" x="7" y="4">{escape(letter)}</text></g>'
    )


def is_pale(colour: str) -> bool:
    """Whether a colour is as light as paper, so that it needs dark lines."""
    return min(int(colour[start : start + 2], 16) for start in (1, 3, 5)) > 200


def darkened(colour: str) -> str:
    """A colour that white can be read on."""
    parts = [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
    light = (parts[0] * 299 + parts[1] * 587 + parts[2] * 114) / 1000
    part = min(1.0, 112 / light) if light else 1.0
    return "#" + "".join(f"{round(value * part):02x}" for value in parts)
