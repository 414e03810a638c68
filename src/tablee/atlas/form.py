"""A map as the page takes it: outlines as SVG paths, places, names, borders, powers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from tablee.atlas.drawing import Drawing, lake_path, strait_path
from tablee.atlas.geometry import Point
from tablee.atlas.layout import lay_out
from tablee.atlas.lettering import broken
from tablee.atlas.reading import drawing_names, load_drawing
from tablee.rules.diplomacy.variant import SEA, Variant, load_variant

RegionKind = Literal["coast", "land", "sea"]
BorderKind = Literal["shore", "land", "sea", "wall"]
KINDS: tuple[RegionKind, ...] = ("coast", "land", "sea")
"""By terrain, from 1."""
PATTERNS = ("diagonal", "dots", "horizontal", "crossed", "vertical", "rising", "waves", "rings", "bricks")
"""How powers are told apart without their colours, in the order of the roles, and from the first again."""

Place = tuple[float, float]


class MapName(Struct, frozen=True):
    """A name, and the lines that it is written in."""

    text: str
    lines: tuple[str, ...]


class MapRegion(Struct, frozen=True):
    """A region: what it looks like, and where its pieces stand."""

    zone: int
    code: str
    kind: RegionKind
    outline: str
    """An SVG path, to be filled by the even-odd rule."""
    fr: MapName
    en: MapName
    label: Place
    """The middle of the name."""
    size: float
    """Of the name, in units of the map."""
    unit: Place
    dislodged: Place
    centre: Place | None
    """Of the mark of its centre; null where it has none."""


class MapCoast(Struct, frozen=True):
    """One of several coasts of a region."""

    zone: int
    region: int
    code: str
    shore: str
    """An SVG path along the coast."""
    unit: Place
    dislodged: Place


class MapOutside(Struct, frozen=True):
    """Land that nobody enters."""

    outline: str
    fr: MapName | None
    en: MapName | None
    label: Place | None


class MapBorder(Struct, frozen=True):
    """A line of the map."""

    kind: BorderKind
    """`wall`: between regions that touch here and are no neighbours."""
    path: str


class MapLink(Struct, frozen=True):
    """Neighbours that do not touch on this map."""

    zones: tuple[int, int]
    path: str


class MapPower(Struct, frozen=True):
    """How a power looks."""

    role: int
    letter: str
    fr: str
    en: str
    adjective_fr: str
    adjective_en: str
    colour: str
    pattern: str


class MapStart(Struct, frozen=True):
    """How a game begins on it."""

    ownerships: dict[str, int]
    """The role by the number of its centre; centres are numbered as their regions follow each other."""
    units: dict[str, tuple[tuple[int, int], ...]]
    """By role: kind and zone."""


class GameMap(Struct, frozen=True):
    """The map of a variant; zones are the variant's numbers."""

    variant: str
    width: float
    height: float
    drawn: bool
    """False: laid out by the program, for a variant that nobody has drawn."""
    regions: tuple[MapRegion, ...]
    coasts: tuple[MapCoast, ...]
    outside: tuple[MapOutside, ...]
    lakes: tuple[str, ...]
    straits: tuple[str, ...]
    borders: tuple[MapBorder, ...]
    links: tuple[MapLink, ...]
    powers: tuple[MapPower, ...]
    start: MapStart


@lru_cache(maxsize=16)
def game_map(name: str) -> GameMap:
    """The map of a variant that we ship: its drawing, or the automatic layout."""
    variant = load_variant(name)
    return map_of(variant, load_drawing(name) if name in drawing_names() else lay_out(variant))


def map_of(variant: Variant, drawing: Drawing) -> GameMap:
    """A drawing with the words of its variant."""
    return GameMap(
        variant=variant.name,
        width=drawing.width,
        height=drawing.height,
        drawn=drawing.drawn,
        regions=tuple(_region(variant, drawing, zone) for zone in range(1, variant.regions + 1)),
        coasts=tuple(
            _coast(variant, drawing, zone) for zone in range(variant.regions + 1, variant.zones + 1)
        ),
        outside=tuple(
            MapOutside(
                drawing.outline(land.cycles),
                _name(land.names[0]) if land.names[0] else None,
                _name(land.names[1]) if land.names[1] else None,
                _place(land.label),
            )
            for land in drawing.outside
        ),
        lakes=tuple(lake_path(points) for points in drawing.lakes),
        straits=tuple(strait_path(points) for points in drawing.straits),
        borders=tuple(_borders(variant, drawing)),
        links=tuple(_links(variant, drawing)),
        powers=tuple(
            MapPower(
                role,
                power.letter,
                power.name_fr,
                power.name_en,
                power.adjective_fr,
                power.adjective_en,
                "#" + "".join(f"{part:02x}" for part in power.colour),
                PATTERNS[(role - 1) % len(PATTERNS)],
            )
            for role, power in enumerate(variant.powers)
            if role
        ),
        start=_start(variant),
    )


def _start(variant: Variant) -> MapStart:
    start = variant.start()
    units: dict[str, tuple[tuple[int, int], ...]] = {}
    for unit in start.units:
        units[str(unit.role)] = (*units.get(str(unit.role), ()), (int(unit.kind), unit.zone))
    return MapStart({str(centre): role for centre, role in start.ownerships.items()}, units)


def _name(text: str) -> MapName:
    return MapName(text, broken(text))


def _place(point: Point | None) -> Place | None:
    return None if point is None else (point.x, point.y)


def _region(variant: Variant, drawing: Drawing, zone: int) -> MapRegion:
    code = variant.codes[zone]
    places = drawing.places[code]
    label = places.label or places.unit
    return MapRegion(
        zone=zone,
        code=code,
        kind=KINDS[variant.terrain[zone] - 1],
        outline=drawing.outline(drawing.regions[code]),
        fr=_name(variant.names_fr[zone]),
        en=_name(variant.names_en[zone]),
        label=(label.x, label.y),
        size=places.size,
        unit=(places.unit.x, places.unit.y),
        dislodged=(places.dislodged.x, places.dislodged.y),
        centre=_place(places.centre),
    )


def _coast(variant: Variant, drawing: Drawing, zone: int) -> MapCoast:
    code = variant.codes[zone]
    places = drawing.places[code]
    return MapCoast(
        zone=zone,
        region=variant.region_of[zone],
        code=code,
        shore="".join(drawing.line_path(name) for name in drawing.coasts.get(code, ())),
        unit=(places.unit.x, places.unit.y),
        dislodged=(places.dislodged.x, places.dislodged.y),
    )


def _borders(variant: Variant, drawing: Drawing) -> Iterator[MapBorder]:
    """What lies between two sides of the map, land outside the game among them; the frame is none."""
    wet = {variant.codes[zone] for zone in range(1, variant.regions + 1) if variant.terrain[zone] == SEA}
    sides = beside(drawing)
    outer = {step.line for land in drawing.outside for cycle in land.cycles for step in cycle}
    for name in drawing.lines:
        codes = sides.get(name, [])
        if len(codes) + (name in outer) < 2:
            continue
        seas = sum(code in wet for code in codes)
        kinds: tuple[BorderKind, ...] = ("land", "shore", "sea")
        yield MapBorder("wall" if name in drawing.walls else kinds[seas], drawing.line_path(name))


def _links(variant: Variant, drawing: Drawing) -> Iterator[MapLink]:
    for one, other in drawing.links:
        here, there = drawing.places[one].unit, drawing.places[other].unit
        yield MapLink((variant.codes.index(one), variant.codes.index(other)), strait_path((here, there)))


def beside(drawing: Drawing) -> dict[str, list[str]]:
    """The regions on the two sides of each line; land outside the game and the frame have no name here."""
    found: dict[str, list[str]] = defaultdict(list)
    for code, cycles in drawing.regions.items():
        for cycle in cycles:
            for step in cycle:
                found[step.line].append(code)
    return found
