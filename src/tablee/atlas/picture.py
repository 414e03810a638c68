"""A map as a complete SVG file: the sheet, the names, the owners by colour and pattern, the pieces."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Literal

from tablee.atlas.form import GameMap, MapName, MapRegion, Place
from tablee.atlas.geometry import written
from tablee.atlas.lettering import LEADING, NAME_SIZE, code_size
from tablee.atlas.pieces import PATTERN_SHAPES, darkened, is_pale, unit_mark
from tablee.rules.diplomacy.model import Situation
from tablee.rules.diplomacy.variant import Variant

Words = Literal["fr", "en", "codes"]
PAPER = (247, 241, 226)
STYLE = """
.sea{fill:url(#water)}
.ground{fill:#f7f1e2}
.away{fill:#ddd6c5}
.glow{fill:none;stroke:#f3fafc;stroke-linejoin:round;stroke-linecap:round}
.shore{fill:none;stroke:#4f6470;stroke-width:1.2;stroke-linejoin:round;stroke-linecap:round}
.land{fill:none;stroke:#8d7c62;stroke-width:1;stroke-linejoin:round;stroke-linecap:round}
.water{fill:none;stroke:#8fb0c2;stroke-width:1;stroke-dasharray:5 4}
.wall{fill:none;stroke:#6b3b32;stroke-width:4;stroke-linecap:round}
.link{fill:none;stroke:#6b5b45;stroke-width:1.6;stroke-dasharray:2 5;stroke-linecap:round}
.lake{fill:#cfe2ec;stroke:#7f9aa8;stroke-width:.8}
.strait{fill:none;stroke:#bcd6e3;stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round}
.frame{fill:none;stroke:#5a4d3a}
text{font-family:"Source Sans 3","Segoe UI",Arial,"DejaVu Sans",sans-serif;text-anchor:middle}
.name{fill:#3a3226}
.code{fill:#3a3226;font-weight:600;letter-spacing:.04em}
.land-name{paint-order:stroke;stroke:#f7f1e2;stroke-width:2.4;stroke-opacity:.75;stroke-linejoin:round}
.sea-name{fill:#36607a;font-style:italic;font-family:Georgia,"Times New Roman","DejaVu Serif",serif}
.away-name{fill:#8b8270;font-style:italic}
.centre{fill:#fffdf6;stroke:#3a3226;stroke-width:1.2}
.token{stroke:#1d1a15;stroke-width:1.1;stroke-linejoin:round}
.glyph{fill:#fff;stroke:none}
.letter{font-size:11.5px;font-weight:700;fill:#fff}
.pale .glyph,.pale .letter{fill:#2f3440}
.out .token{stroke:#c0182b;stroke-width:2;stroke-dasharray:4 2}
"""
SMALL = """
.small{display:none}
@media (max-width:700px){.large{display:none}.small{display:inline}.small .code{font-size:25px}}
"""


def draw(game: GameMap, variant: Variant, situation: Situation, words: Words = "fr") -> str:
    """The map with a position on it."""
    return "\n".join(_parts(game, variant, situation, words)) + "\n"


def _parts(game: GameMap, variant: Variant, situation: Situation, words: Words) -> Iterator[str]:
    width, height = written(game.width), written(game.height)
    title = variant.names[1 if words == "en" else 0]
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(title)}</title>"
    )
    yield f"<style>{STYLE}{'' if words == 'codes' else SMALL}</style>"
    yield f'<defs><clipPath id="sheet"><rect width="{width}" height="{height}"/></clipPath>'
    yield (
        f'<linearGradient id="water" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="{height}">'
        '<stop offset="0" stop-color="#c7dbe7"/><stop offset="1" stop-color="#d6e7ec"/></linearGradient>'
    )
    for power in game.powers:
        pale = is_pale(power.colour)
        ink = _mixed(darkened(power.colour), 0.4 if pale else 0.58)
        wash = _mixed(power.colour, 0.88 if pale else 0.38)
        shape = PATTERN_SHAPES[power.pattern].replace("INK", ink)
        yield (
            f'<pattern id="of-{power.role}" width="12" height="12" patternUnits="userSpaceOnUse">'
            f'<rect width="12" height="12" fill="{wash}"/>{shape}</pattern>'
        )
    shores = "".join(border.path for border in game.borders if border.kind == "shore")
    yield f'<path id="shores" d="{shores}"/></defs><g clip-path="url(#sheet)">'
    yield from _ground(game, variant, situation)
    yield from _lines(game)
    yield from _centres(game, variant, situation)
    yield from _names(game, words)
    yield from _units(game, situation)
    yield "</g>"
    yield f'<rect class="frame" width="{width}" height="{height}" stroke-width="6"/>'
    yield "</svg>"


def _mixed(colour: str, part: float) -> str:
    """A colour thinned with the paper's."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(
        f"{round(ink * part + paper * (1 - part)):02x}" for ink, paper in zip(parts, PAPER, strict=True)
    )


def _ground(game: GameMap, variant: Variant, situation: Situation) -> Iterator[str]:
    owners = {variant.centres[centre]: role for centre, role in situation.ownerships.items()}
    for region in game.regions:
        if region.kind == "sea":
            yield f'<path class="sea" fill-rule="evenodd" d="{region.outline}"/>'
    for wide, strong in ((22, 0.22), (13, 0.3), (6, 0.45)):
        yield f'<use class="glow" href="#shores" stroke-width="{wide}" stroke-opacity="{strong}"/>'
    for region in game.regions:
        if region.kind != "sea":
            owner = owners.get(region.zone)
            fill = f' style="fill:url(#of-{owner})"' if owner else ""
            yield f'<path class="ground" fill-rule="evenodd"{fill} d="{region.outline}"/>'
    for land in game.outside:
        yield f'<path class="away" fill-rule="evenodd" d="{land.outline}"/>'


def _lines(game: GameMap) -> Iterator[str]:
    for lake in game.lakes:
        yield f'<path class="lake" d="{lake}"/>'
    for strait in game.straits:
        yield f'<path class="strait" d="{strait}"/>'
    for kind, name in (("sea", "water"), ("land", "land"), ("wall", "wall")):
        paths = "".join(border.path for border in game.borders if border.kind == kind)
        if paths:
            yield f'<path class="{name}" d="{paths}"/>'
    yield '<use class="shore" href="#shores"/>'
    for link in game.links:
        yield f'<path class="link" d="{link.path}"/>'


def _centres(game: GameMap, variant: Variant, situation: Situation) -> Iterator[str]:
    colours = {power.role: power.colour for power in game.powers}
    owners = {variant.centres[centre]: role for centre, role in situation.ownerships.items()}
    for region in game.regions:
        if region.centre is not None:
            x, y = (written(value) for value in region.centre)
            dot = colours.get(owners.get(region.zone, 0), "#3a3226")
            yield f'<circle class="centre" cx="{x}" cy="{y}" r="5.4"/>'
            yield f'<circle cx="{x}" cy="{y}" r="2.7" fill="{dot}"/>'


def _names(game: GameMap, words: Words) -> Iterator[str]:
    if words == "codes":
        yield from (_code(region) for region in game.regions)
        return
    yield '<g class="large">'
    for land in game.outside:
        name = land.fr if words == "fr" else land.en
        if name is not None and land.label is not None:
            yield _text(name, land.label, NAME_SIZE, "name away-name")
    for region in game.regions:
        kind = "sea" if region.kind == "sea" else "land"
        yield _text(region.fr if words == "fr" else region.en, region.label, region.size, f"name {kind}-name")
    yield '</g><g class="small">'
    yield from (_code(region) for region in game.regions)
    yield "</g>"


def _text(name: MapName, at: Place, size: float, names: str) -> str:
    rows = []
    for number, line in enumerate(name.lines):
        down = (number - (len(name.lines) - 1) / 2) * size * LEADING + size * 0.35
        rows.append(f'<tspan x="{written(at[0])}" y="{written(at[1] + down)}">{escape(line)}</tspan>')
    return f'<text class="{names}" font-size="{written(size)}">{"".join(rows)}</text>'


def _code(region: MapRegion) -> str:
    kind, size = "sea" if region.kind == "sea" else "land", code_size(region.size)
    x, y = written(region.label[0]), written(region.label[1] + size * 0.35)
    where = f'x="{x}" y="{y}" font-size="{written(size)}"'
    return f'<text class="code {kind}-name" {where}>{escape(region.code.upper())}</text>'


def _units(game: GameMap, situation: Situation) -> Iterator[str]:
    powers = {power.role: power for power in game.powers}
    standing: dict[int, tuple[Place, Place]] = {}
    standing.update((region.zone, (region.unit, region.dislodged)) for region in game.regions)
    standing.update((coast.zone, (coast.unit, coast.dislodged)) for coast in game.coasts)
    for unit in situation.units:
        power = powers[unit.role]
        yield unit_mark(unit.kind, power.colour, power.letter, standing[unit.zone][0])
    for gone in situation.dislodged:
        power = powers[gone.role]
        yield unit_mark(gone.kind, power.colour, power.letter, standing[gone.zone][1], dislodged=True)
