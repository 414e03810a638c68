"""Which zones touch on a drawing, for armies and for fleets: to be compared with the variant's neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from tablee.atlas.drawing import Drawing
from tablee.atlas.form import beside
from tablee.atlas.layout import pair
from tablee.rules.diplomacy.variant import LAND, SEA, Variant

Pair = tuple[str, str]


class Contacts(NamedTuple):
    """Pairs of zones that touch."""

    armies: frozenset[Pair]
    fleets: frozenset[Pair]


def neighbours(variant: Variant) -> Contacts:
    """What the variant says, by codes."""
    codes = variant.codes

    def pairs(table: Iterable[Iterable[int]]) -> frozenset[Pair]:
        return frozenset(
            pair(codes[zone], codes[there]) for zone, beside in enumerate(table) for there in beside
        )

    return Contacts(pairs(variant.army_next), pairs(variant.fleet_next))


def contacts(drawing: Drawing, variant: Variant) -> Contacts:
    """What the drawing says: armies cross shared borders on land, fleets go over water and along shores.

    Two coastal regions touch for fleets where their common border comes to a sea: there they share a shore.
    """
    terrain = {variant.codes[region]: variant.terrain[region] for region in range(1, variant.regions + 1)}
    sides = beside(drawing)
    armies: set[Pair] = set()
    fleets: set[Pair] = set()
    coast_of = {line: coast for coast, lines in drawing.coasts.items() for line in lines}
    shores: dict[tuple[str, str], set[str]] = defaultdict(set)
    """Zones that fleets stand in, by sea and point: whose shore begins or ends there."""
    for name, regions in sides.items():
        if len(regions) != 2 or regions[0] == regions[1]:
            continue
        one, other = regions
        wet = [code for code in regions if terrain[code] == SEA]
        if len(wet) == 2:
            fleets.add(pair(one, other))
        elif not wet:
            armies.add(pair(one, other))
        elif terrain[dry := other if wet == [one] else one] != LAND:
            zone = coast_of.get(name, dry)
            fleets.add(pair(wet[0], zone))
            line = drawing.lines[name]
            for end in (line.start, line.end):
                shores[wet[0], end].add(zone)
    for (_, point), zones in shores.items():
        for zone in zones:
            for there in zones:
                bordering = pair(zone.partition("/")[0], there.partition("/")[0])
                if zone < there and _border_ends_at(drawing, sides, bordering, point):
                    fleets.add((zone, there))
    return Contacts(frozenset(armies), frozenset(fleets))


def _border_ends_at(drawing: Drawing, sides: dict[str, list[str]], border: Pair, point: str) -> bool:
    return any(
        sorted(regions) == list(border) and point in (drawing.lines[name].start, drawing.lines[name].end)
        for name, regions in sides.items()
    )
