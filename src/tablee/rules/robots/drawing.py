"""A board drawn: as an SVG picture that stands alone, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final
from xml.sax.saxutils import escape

from tablee.rules.plain_picture import LETTERING
from tablee.rules.robots.board import HEIGHT, NOWHERE, TILE_COUNT, WIDTH, Board, place_of
from tablee.rules.robots.directions import STEPS, directions
from tablee.rules.robots.tiles import DEEDS, Tile

SIDE: Final = 48
MARGIN: Final = 26
INK: Final = "#20262e"
FLOOR: Final = "#eef0f2"
BELT: Final = "#c9d2da"
METAL: Final = "#9aa7b3"
BEAM: Final = "#d7263d"
LAW: Final = "#f2b705"
GOOD: Final = "#2a9d6e"
START: Final = "#dbe9fb"


def draw_picture(board: Board, title: str, starts: Collection[int] = ()) -> str:
    """The board as SVG; tiles in `starts` are tinted, since a race begins there."""
    width, height = WIDTH * SIDE + 2 * MARGIN, HEIGHT * SIDE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="{LETTERING}" font-size="15" text-anchor="middle">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_coordinates(),
    ]
    for number, name in enumerate(board.names):
        x, y = place_of(number)
        tint = START if number in starts else FLOOR
        parts.append(
            f'<g transform="translate({MARGIN + (x - 1) * SIDE} {MARGIN + (y - 1) * SIDE})">'
            f'<rect width="{SIDE}" height="{SIDE}" fill="{tint}" stroke="#cdd3d9"/>'
            f"{''.join(_tile(DEEDS[name]))}</g>"
        )
    parts.extend(_beams(board))
    parts.extend(_walls(board))
    return "\n".join([*parts, "</svg>\n"])


def _coordinates() -> Iterator[str]:
    for index in range(1, WIDTH + 1):
        middle = MARGIN + index * SIDE - SIDE / 2
        yield f'<text x="{middle:g}" y="18" fill="{INK}">{index}</text>'
        yield f'<text x="13" y="{middle + 5:g}" fill="{INK}">{index}</text>'


def _tile(tile: Tile) -> Iterator[str]:
    """What is on a tile, in a square of SIDE by SIDE."""
    half = SIDE / 2
    if tile.exit >= 0:
        yield from _belt(tile)
    elif tile.turn:
        sweep = 1 if tile.turn == 1 else 0
        tip = "M33 9l2 9-9-1z" if sweep else "M15 9l-2 9 9-1z"
        start, end = ((14, 30), (34, 16)) if sweep else ((34, 30), (14, 16))
        yield f'<circle cx="{half}" cy="{half}" r="19" fill="{METAL}"/>'
        yield (
            f'<path d="M{start[0]} {start[1]}A12 12 0 1 {sweep} {end[0]} {end[1]}" fill="none" '
            f'stroke="{INK}" stroke-width="4"/><path d="{tip}" fill="{INK}"/>'
        )
    elif tile.pushes >= 0:
        yield (
            f'<g transform="rotate({90 * tile.pushes} {half} {half})">'
            f'<path d="M12 40h24v5h-24zM20 24h8v16h-8z" fill="{METAL}"/>'
            f'<path d="M8 14h32v10H8z" fill="{INK}"/><path d="M24 2l7 9H17z" fill="{BEAM}"/></g>'
        )
    elif tile.fires >= 0:
        yield (
            f'<g transform="rotate({90 * (tile.fires + 2)} {half} {half})">'
            f'<path d="M14 0h20v12l-5 7h-10l-5-7z" fill="{INK}"/>'
            f'<circle cx="24" cy="19" r="4" fill="{BEAM}"/></g>'
        )
    elif tile.name == "mur_NESO":
        yield f'<path d="M0 0h{SIDE}v{SIDE}H0z" fill="{METAL}"/>'
        yield f'<path d="M0 0l{SIDE} {SIDE}M{SIDE} 0L0 {SIDE}" stroke="{INK}"/>'
    elif tile.name == "nid2poule":
        yield f'<ellipse cx="24" cy="26" rx="17" ry="13" fill="{INK}"/>'
        yield '<ellipse cx="24" cy="29" rx="12" ry="8" fill="#55606b"/>'
    elif tile.name == "action":
        yield f'<path d="M27 4L11 27h11l-3 17 18-25H25z" fill="{LAW}" stroke="{INK}" stroke-width="2"/>'
    elif tile.name.startswith("clef"):
        yield f'<circle cx="24" cy="24" r="17" fill="{GOOD}"/>'
        yield f'<text x="24" y="30" fill="#fff" font-size="18" font-weight="700">+{tile.name[5]}</text>'
    elif tile.name.startswith("loi"):
        yield f'<path d="M24 3l18 10.5v21L24 45 6 34.5v-21z" fill="{LAW}" stroke="{INK}" stroke-width="2.5"/>'
        yield f'<text x="24" y="32" font-size="23" font-weight="700" fill="{INK}">{tile.name[-1]}</text>'


def _belt(tile: Tile) -> Iterator[str]:
    half = SIDE / 2
    out_x, out_y = STEPS[tile.exit]
    end = (half + out_x * half, half + out_y * half)
    for side in directions(tile.entries):
        in_x, in_y = STEPS[side]
        begin = (half + in_x * half, half + in_y * half)
        line = f"M{begin[0]:g} {begin[1]:g}Q{half:g} {half:g} {end[0]:g} {end[1]:g}"
        yield f'<path d="{line}" fill="none" stroke="{BELT}" stroke-width="34"/>'
        yield f'<path d="{line}" fill="none" stroke="#8f9ba6" stroke-width="2" stroke-dasharray="3 5"/>'
    yield f'<path d="M24 6l12 15H12z" fill="{INK}" transform="rotate({90 * tile.exit} {half} {half})"/>'


def _beams(board: Board) -> Iterator[str]:
    for beam in board.beams:
        (x, y), (u, v) = _middle(beam.tiles[0]), _middle(beam.tiles[-1])
        dx, dy = STEPS[beam.heading]
        u, v = u + dx * SIDE / 2, v + dy * SIDE / 2
        yield (
            f'<path d="M{x:g} {y:g}L{u:g} {v:g}" stroke="{BEAM}" stroke-width="2.5" stroke-dasharray="9 5" '
            'opacity=".8"/>'
        )


def _middle(number: int) -> tuple[float, float]:
    x, y = place_of(number)
    return MARGIN + (x - 0.5) * SIDE, MARGIN + (y - 0.5) * SIDE


def _walls(board: Board) -> Iterator[str]:
    """Every side that is closed, the edge of the board among them, each once."""
    for number in range(TILE_COUNT):
        x, y = place_of(number)
        left, top = MARGIN + (x - 1) * SIDE, MARGIN + (y - 1) * SIDE
        lines = (
            (left, top, SIDE, 0),
            (left + SIDE, top, 0, SIDE),
            (left, top + SIDE, SIDE, 0),
            (left, top, 0, SIDE),
        )
        for side, (u, v, du, dv) in enumerate(lines):
            if board.way[number * 4 + side] == NOWHERE and (side in (1, 2) or x == 1 or y == 1):
                yield (
                    f'<path d="M{u} {v}l{du} {dv}" stroke="{INK}" stroke-width="5" stroke-linecap="round"/>'
                )


# --- text -----------------------------------------------------------------------------------------------

ARROWS: Final = "↑→↓←"
PUSHES: Final = "⇑⇒⇓⇐"
SIDES: Final = "nesw"
SYMBOLS: Final = {
    "nid2poule": " o ",
    "action": " A ",
    "clef_1rep": "+1 ",
    "clef_2rep": "+2 ",
    "loi_r1": "(1)",
    "loi_r2": "(2)",
    "loi_r3": "(3)",
    "pt_babord": " ↶ ",
    "pt_tribord": " ↷ ",
    "mur_NESO": "███",
    "presse": " P ",
}
LEGEND: Final = {
    "fr": (
        "→ convoyeur, s→ convoyeur où l’on entre par le sud (n, e, s, w) ; ↶ ↷ tourniquets ; ⇒ pousseur ; "
        "*↓ laser, : ┄ son rayon ; o nid-de-poule ; A action ; +1 +2 réparations ; (1) (2) (3) lois ; "
        "' départ"
    ),
    "en": (
        "→ conveyor, s→ conveyor entered from the south (n, e, s, w); ↶ ↷ turntables; ⇒ pusher; "
        "*↓ laser, : ┄ its beam; o pothole; A action; +1 +2 repairs; (1) (2) (3) laws; ' start"
    ),
}


def draw_text(board: Board, starts: Collection[int] = (), language: str = "fr") -> str:
    """The board in letters and lines, a legend under it."""
    beams = _beam_signs(board)
    lines = ["     " + " ".join(f"{x:^3}" for x in range(1, WIDTH + 1)).rstrip()]
    for y in range(1, HEIGHT + 1):
        row = [(y - 1) * WIDTH + x for x in range(WIDTH)]
        lines.append("    " + _line_above(board, row))
        cells = [_left_wall(board, row[0])]
        for number in row:
            sign = _sign(DEEDS[board.names[number]])
            if sign == " · ":
                sign = beams.get(number, " ' " if number in starts else " · ")
            cells.append(sign + ("│" if board.way[number * 4 + 1] == NOWHERE else " "))
        lines.append(f"{y:>3} " + "".join(cells))
    lines.append("    " + "+" + "+".join(["───"] * WIDTH) + "+")
    return "\n".join([*lines, "", LEGEND["en" if language == "en" else "fr"], ""])


def _line_above(board: Board, row: list[int]) -> str:
    return "+" + "+".join("───" if board.way[number * 4] == NOWHERE else "   " for number in row) + "+"


def _left_wall(board: Board, number: int) -> str:
    return "│" if board.way[number * 4 + 3] == NOWHERE else " "


def _sign(tile: Tile) -> str:
    if tile.exit >= 0:
        entries = [SIDES[side] for side in directions(tile.entries)]
        straight = directions(tile.entries) == [(tile.exit + 2) % 4]
        return " " + ARROWS[tile.exit] + " " if straight else f"{''.join(entries) + ARROWS[tile.exit]:<3}"
    if tile.pushes >= 0:
        return f" {PUSHES[tile.pushes]} "
    if tile.fires >= 0:
        return f"*{ARROWS[tile.fires]} "
    return SYMBOLS.get(tile.name, " · ")


def _beam_signs(board: Board) -> dict[int, str]:
    found: dict[int, str] = {}
    for beam in board.beams:
        sign = "┄┄┄" if beam.heading % 2 else " : "
        for number in beam.tiles:
            found[number] = "┄:┄" if found.get(number, sign) != sign else sign
    return found
