"""A race drawn: the board that lies there, and every robot on it in its colour, looking where it looks."""

from __future__ import annotations

from collections.abc import Iterator

from tablee.rules.robots.board import compile_board
from tablee.rules.robots.drawing import INK, MARGIN, SIDE, draw_picture
from tablee.rules.robots.views import RobotsView, RobotView

TURNED = {"North": 0, "East": 90, "South": 180, "West": 270}


def picture(view: RobotsView) -> str:
    """The board with the robots that stand on it."""
    board = compile_board(view.boards[view.board])
    drawn = draw_picture(board, view.names[view.board] or "")
    robots = "\n".join(line for robot in view.robots.values() for line in _robot(robot))
    return drawn.replace("</svg>", f"{robots}\n</svg>")


def _robot(robot: RobotView) -> Iterator[str]:
    if not robot.x or not robot.y or robot.azimuth is None or robot.status in ("frozen", "finished"):
        return
    x, y = MARGIN + (robot.x - 0.5) * SIDE, MARGIN + (robot.y - 0.5) * SIDE
    size, paint = SIDE * 0.36, f"#{robot.color[-6:]}"
    yield (
        f'<g transform="translate({x:g} {y:g})"><path transform="rotate({TURNED[robot.azimuth]})" '
        f'd="M0 {-size:g}L{size * 0.8:g} {size * 0.8:g}H{-size * 0.8:g}Z" fill="{paint}" stroke="{INK}" '
        f'stroke-width="2"/><circle r="{size * 0.5:g}" fill="#fff" stroke="{INK}"/>'
        f'<text y="5" fill="{INK}" font-size="14" font-weight="700">{int(robot.number)}</text></g>'
    )
