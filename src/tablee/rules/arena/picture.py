"""An arena drawn: its board with the colours of now, and every pawn that is seen."""

from __future__ import annotations

from collections.abc import Iterator

from tablee.rules.arena.centers import centers_of
from tablee.rules.arena.drawing import draw, paints_of, svg_of
from tablee.rules.arena.ground import ground_of
from tablee.rules.arena.views import ArenaView
from tablee.rules.plain_picture import PAINTS


def picture(view: ArenaView) -> str:
    """The board with the pawns on it, in the colours of their seats."""
    description = ground_of(view.description).description
    drawn = draw(description, "")
    number = {color: place for place, color in enumerate(paints_of(description.colors))}
    for square, color in view.painted.items():
        x, y = square.split(",")
        start = f'id="square-{x}-{y}" class="square c'
        before, found, after = drawn.partition(start)
        if found and color in number:
            drawn = f'{before}{start}{number[color]}"{after.split(chr(34), 1)[1]}'
    return drawn.replace("</svg>", "\n".join([*_pawns(view), "</svg>"]))


def _pawns(view: ArenaView) -> Iterator[str]:
    plan = ground_of(view.description).description.board
    svg = svg_of(plan)
    centers, size = centers_of(svg, plan), min(svg.fill.width, svg.fill.height) * 0.34
    for seat, player in view.players.items():
        if player.pawn is None:
            continue
        x, y = centers[player.pawn[1] * plan.width + player.pawn[0]]
        paint = PAINTS[(seat - 1) % len(PAINTS)]
        yield (
            f'<g transform="translate({x:g} {y:g})"><circle r="{size:g}" fill="{paint}" stroke="#fff" '
            f'stroke-width="{size * 0.18:g}"/><text y="{size * 0.36:g}" font-size="{size:g}" '
            f'font-weight="700" fill="#fff" text-anchor="middle">{seat}</text></g>'
        )
