"""A readable map for a variant that nobody has drawn: an oval world in which neighbours touch.

Where the neighbours can be laid on a sheet without crossings, regions touch on the map when they do on the
board (embedding.py, oval.py). Where they cannot, neighbours that come to lie apart are joined by a stroke,
and a wall stands between regions that touch and are no neighbours (scatter.py). Nothing is left to chance.
"""

from __future__ import annotations

from collections.abc import Mapping

from tablee.atlas.drawing import Cycle, Drawing, Outside, Places
from tablee.atlas.embedding import embed
from tablee.atlas.geometry import Box, Point
from tablee.atlas.oval import oval
from tablee.atlas.placing import Wanted, boxes_of, place
from tablee.atlas.scatter import scatter
from tablee.rules.diplomacy.variant import SEA, Variant


def lay_out(variant: Variant) -> Drawing:
    """The automatic map of a variant."""
    joined = neighbours_of(variant)
    codes = list(variant.codes[1 : variant.regions + 1])
    embedded = embed(joined)
    sheet = scatter(codes, joined) if embedded is None else oval(codes, embedded)
    touching = _touching(sheet.cells)
    wanted = {pair(codes[one], codes[there]) for one, near in enumerate(joined) for there in near}
    bare = Drawing(variant.name, sheet.width, sheet.height, sheet.lines, sheet.cells, {}, drawn=False)
    coasts = _coasts(variant, touching)
    return Drawing(
        name=variant.name,
        width=sheet.width,
        height=sheet.height,
        lines=sheet.lines,
        regions=sheet.cells,
        places=_places(variant, bare, coasts),
        coasts=coasts,
        outside=tuple(
            Outside(f"void{number}", ("", ""), cycles, None) for number, cycles in enumerate(sheet.void)
        ),
        links=tuple(sorted(wanted - set(touching))),
        walls=tuple(sorted(name for both, own in touching.items() if both not in wanted for name in own)),
        drawn=False,
    )


def pair(one: str, other: str) -> tuple[str, str]:
    """Two codes of zones, in the order of the alphabet."""
    return (one, other) if one < other else (other, one)


def neighbours_of(variant: Variant) -> list[set[int]]:
    """The neighbours of each region, for any unit; regions from 0."""
    found: list[set[int]] = [set() for _ in range(variant.regions)]
    for table in (variant.army_next, variant.fleet_next):
        for zone, near in enumerate(table):
            for there in near:
                one, other = variant.region_of[zone] - 1, variant.region_of[there] - 1
                found[one].add(other)
                found[other].add(one)
    return found


def _touching(regions: Mapping[str, tuple[Cycle, ...]]) -> dict[tuple[str, str], list[str]]:
    """The lines between each two regions that touch."""
    sides: dict[str, list[str]] = {}
    for code, cycles in regions.items():
        for step in (step for cycle in cycles for step in cycle):
            sides.setdefault(step.line, []).append(code)
    found: dict[tuple[str, str], list[str]] = {}
    for name, codes in sides.items():
        if len(codes) == 2:
            found.setdefault(pair(codes[0], codes[1]), []).append(name)
    return found


def _coasts(variant: Variant, touching: dict[tuple[str, str], list[str]]) -> dict[str, tuple[str, ...]]:
    """The lines of special coasts, towards the seas that they reach; a sea of two coasts is the first's."""
    found: dict[str, tuple[str, ...]] = {}
    given: set[str] = set()
    for zone in range(variant.regions + 1, variant.zones + 1):
        code = variant.codes[variant.region_of[zone]]
        own: list[str] = []
        for there in variant.fleet_next[zone]:
            if variant.terrain[there] == SEA:
                names = touching.get(pair(code, variant.codes[there]), [])
                own += [name for name in names if name not in given]
        given.update(own)
        found[variant.codes[zone]] = tuple(own)
    return found


def _places(variant: Variant, bare: Drawing, coasts: dict[str, tuple[str, ...]]) -> dict[str, Places]:
    found: dict[str, Places] = {}
    taken: list[Box] = []
    for zone in range(1, variant.regions + 1):
        code = variant.codes[zone]
        rings = bare.rings(bare.regions[code])
        shores = []
        for coast in variant.coasts_of[zone]:
            lines = [bare.lines[name].points for name in coasts[variant.codes[coast]]]
            ends = [point for points in lines for point in points]
            shores.append((variant.codes[coast], _mean(ends or list(rings[0]))))
        wanted = Wanted(
            code,
            (variant.names_fr[zone], variant.names_en[zone]),
            bool(variant.centre_of[zone]),
            tuple(shores),
        )
        found.update(placed := place(rings, wanted, taken))
        for places in placed.values():
            taken += boxes_of(places, wanted)
    return found


def _mean(points: list[Point]) -> Point:
    return Point(
        sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points)
    )
