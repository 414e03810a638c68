"""Whether a drawing holds together: loud checks, one sentence a fault."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from tablee.atlas.drawing import Drawing, DrawingError, Places
from tablee.atlas.geometry import Box, Point, area, contains, crossings
from tablee.atlas.lettering import centre_box, code_box, name_box, unit_box
from tablee.rules.diplomacy.variant import Variant

APART = 14.0
"""A unit and the dislodged unit of its zone may overlap, but are at least this far apart."""


def check_drawing(drawing: Drawing, variant: Variant) -> None:
    """Raises DrawingError with every fault of a drawing of this variant."""
    faults = list(faults_of(drawing, variant))
    if faults:
        raise DrawingError(f"The drawing of “{drawing.name}”:\n" + "\n".join(faults))


def faults_of(drawing: Drawing, variant: Variant) -> Iterator[str]:
    """A sentence for each thing that is wrong."""
    codes = set(variant.codes[1:])
    regions = set(variant.codes[1 : variant.regions + 1])
    yield from _sets("regions", regions, set(drawing.regions))
    yield from _sets("places", codes, set(drawing.places))
    yield from _sets("coasts", codes - regions, set(drawing.coasts))
    yield from _line_faults(drawing)
    yield from _cover_faults(drawing)
    yield from _coast_faults(drawing)
    if set(drawing.places) == codes and set(drawing.regions) == regions:
        yield from _place_faults(drawing, variant)
        yield from _collisions(drawing, variant)


def _sets(what: str, wanted: set[str], there: set[str]) -> Iterator[str]:
    if wanted - there:
        yield f"The {what} of {', '.join(sorted(wanted - there))} are missing."
    if there - wanted:
        yield f"The {what} of {', '.join(sorted(there - wanted))} belong to no zone of the variant."


def _line_faults(drawing: Drawing) -> Iterator[str]:
    frame = Box(0, 0, drawing.width, drawing.height)
    everywhere = [*((line.name, line.points) for line in drawing.lines.values())]
    everywhere += [("a lake", points) for points in drawing.lakes]
    everywhere += [("a strait", points) for points in drawing.straits]
    for name, points in everywhere:
        for point in points:
            if not Box(*point, *point).within(frame):
                yield f"{name}: the point {_said(point)} is outside the size of the drawing."
    segments = [segment for line in drawing.lines.values() for segment in line.segments()]
    for one, other in crossings(segments):
        yield f"The lines {one.line} and {other.line} cross near {_said(one.start)}."
    ends = Counter(end for line in drawing.lines.values() for end in (line.start, line.end))
    closed = {line.start for line in drawing.lines.values() if line.closed}
    meetings = closed | _capes(drawing)
    for name, count in ends.items():
        if count < 2 or (count < 3 and name not in meetings and not _corner(drawing, name)):
            yield f"At the point {name} fewer than three lines meet: make them one line."


def _capes(drawing: Drawing) -> set[str]:
    """Points where one special coast of a region goes over into another."""
    found: set[str] = set()
    reached: dict[str, str] = {}
    for coast, names in drawing.coasts.items():
        for end in {end for name in names for end in (drawing.lines[name].start, drawing.lines[name].end)}:
            if reached.setdefault(end, coast) != coast:
                found.add(end)
    return found


def _corner(drawing: Drawing, name: str) -> bool:
    point = next(
        line.points[0] if line.start == name else line.points[-1]
        for line in drawing.lines.values()
        if name in (line.start, line.end)
    )
    return point.x in (0, drawing.width) and point.y in (0, drawing.height)


def _cover_faults(drawing: Drawing) -> Iterator[str]:
    """Every line lies between two sides, or on the frame with one; and the whole sheet is covered once."""
    used: Counter[str] = Counter()
    covered = 0.0
    every = [*drawing.regions.values(), *(outside.cycles for outside in drawing.outside)]
    for cycles in every:
        used.update(step.line for cycle in cycles for step in cycle)
        rings = drawing.rings(cycles)
        for ring in rings:
            hole = sum(contains([other], ring[0]) for other in rings if other is not ring) % 2
            covered += -abs(area(ring)) if hole else abs(area(ring))
    for line in drawing.lines.values():
        wanted = 1 if _on_frame(drawing, line.points) else 2
        if used[line.name] != wanted:
            yield f"The line {line.name} is on the way round {used[line.name]} regions instead of {wanted}."
    sheet = drawing.width * drawing.height
    if not math.isclose(covered, sheet, rel_tol=1e-6):
        yield f"The regions cover {covered:.0f} of the sheet's {sheet:.0f}: some overlap, or there is a gap."


def _on_frame(drawing: Drawing, points: tuple[Point, ...]) -> bool:
    return any(all(point.x == edge for point in points) for edge in (0, drawing.width)) or any(
        all(point.y == edge for point in points) for edge in (0, drawing.height)
    )


def _coast_faults(drawing: Drawing) -> Iterator[str]:
    for coast, lines in drawing.coasts.items():
        cycles = drawing.regions.get(coast.partition("/")[0], ())
        own = {step.line for cycle in cycles for step in cycle}
        for name in lines:
            if name not in own:
                yield f"The coast {coast} has the line {name}, which is not of its region."
    for name, count in Counter(name for lines in drawing.coasts.values() for name in lines).items():
        if count > 1:
            yield f"The line {name} is of {count} coasts."


def _place_faults(drawing: Drawing, variant: Variant) -> Iterator[str]:
    for zone in range(1, variant.zones + 1):
        code = variant.codes[zone]
        places = drawing.places[code]
        rings = drawing.rings(drawing.regions[variant.codes[variant.region_of[zone]]])
        for what, point in zip(Places._fields[:4], places[:4], strict=True):
            if isinstance(point, Point) and not contains(rings, point):
                yield f"{code}: the place of its {what} {_said(point)} is not inside."
        if zone <= variant.regions and (places.centre is not None) != bool(variant.centre_of[zone]):
            yield f"{code}: a centre has a place for it, another region has none."
        if math.dist(places.unit, places.dislodged) < APART:
            yield f"{code}: its unit and its dislodged unit stand less than {APART:g} apart."


def _collisions(drawing: Drawing, variant: Variant) -> Iterator[str]:
    """Units, centres and names never overlap, whether names or codes are written."""
    frame = Box(0, 0, drawing.width, drawing.height)
    for words in ("names", "codes"):
        boxes = list(_boxes(drawing, variant, words))
        for what, box in boxes:
            if not box.within(frame):
                yield f"{what} is partly outside the drawing."
        for (one, box), (other, second) in combinations(boxes, 2):
            if words == "codes" and "the code" not in one + other:
                continue  # said already with the names
            if box.meets(second) and not _never_both(one, other):
                yield f"{one} and {other} overlap."


def _never_both(one: str, other: str) -> bool:
    """A region has one unit, on the land or on one of its coasts."""
    both = (one, other)
    return all(each.startswith("the unit of ") for each in both) and (
        len({each.removeprefix("the unit of ").partition("/")[0] for each in both}) == 1
    )


def _boxes(drawing: Drawing, variant: Variant, words: str) -> Iterator[tuple[str, Box]]:
    for zone in range(1, variant.zones + 1):
        code = variant.codes[zone]
        places = drawing.places[code]
        yield f"the unit of {code}", unit_box(places.unit)
        if places.centre is not None:
            yield f"the centre of {code}", centre_box(places.centre)
        if places.label is None:
            continue
        if words == "names":
            yield (
                f"the name of {code}",
                name_box(places.label, (variant.names_fr[zone], variant.names_en[zone]), places.size),
            )
        else:
            yield f"the code of {code}", code_box(places.label, code, places.size)
    for land in drawing.outside:
        if land.label is not None and words == "names":
            yield f"the name of {land.code}", name_box(land.label, land.names)


def _said(point: Point) -> str:
    return f"({point.x:g}, {point.y:g})"
