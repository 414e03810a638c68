"""Lays a board's neighbours on a sheet without crossings: which faces are between them.

A net of neighbours that is held at a triangle and pulled tight (Tutte, 1963) shows the order of the
neighbours round each region, and so the faces; the longest face becomes the rim.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import NamedTuple

TRIES = 16
"""Triangles that the net is held at, one after the other, until one shows it without crossings."""

Face = tuple[int, ...]
"""The regions round a face, in order; every pair of neighbours is in two faces, once in each direction."""


class Embedded(NamedTuple):
    """A board without crossings."""

    faces: tuple[Face, ...]
    """But for the rim."""
    rim: Face
    islands: tuple[tuple[int, int], ...]
    """Regions with a single neighbour, each with that neighbour: they are in no face."""


def embed(joined: list[set[int]]) -> Embedded | None:
    """The faces of a board, or None where there is no way without crossings, or no way that is found."""
    core, peeled = _peel(joined)
    if len(core) < 4 or not _connected(core):
        return None
    found = _core_faces(core)
    if found is None:
        return None
    faces = list(found)
    islands: list[tuple[int, int]] = []
    for one, near in reversed(peeled):
        if len(near) == 1:
            islands.append((one, near[0]))
        elif len(near) != 2 or not _insert(faces, one, near[0], near[1]):
            return None
    lonely = {one for one, _ in islands}
    if any(neighbour in lonely for _, neighbour in islands):
        return None
    rims = [face for face in faces if len(set(face)) == len(face)]
    if not rims:
        return None
    rim = max(rims, key=lambda face: (len(face), face))
    faces.remove(rim)
    return Embedded(tuple(faces), rim, tuple(islands))


def _peel(joined: list[set[int]]) -> tuple[dict[int, set[int]], list[tuple[int, list[int]]]]:
    """The regions with three neighbours or more among themselves, and the others as they were taken off."""
    core = {one: set(near) for one, near in enumerate(joined)}
    peeled: list[tuple[int, list[int]]] = []
    while True:
        thin = [one for one in sorted(core) if len(core[one]) <= 2]
        if not thin:
            return core, peeled
        one = min(thin, key=lambda each: (len(core[each]), each))
        near = core.pop(one)
        for other in near:
            core[other].discard(one)
        peeled.append((one, sorted(near)))


def _connected(core: dict[int, set[int]], without: frozenset[int] = frozenset()) -> bool:
    left = set(core) - without
    if not left:
        return False
    waiting = [min(left)]
    seen = set(waiting)
    while waiting:
        for other in core[waiting.pop()] & left - seen:
            seen.add(other)
            waiting.append(other)
    return seen == left


def _core_faces(core: dict[int, set[int]]) -> list[Face] | None:
    edges = sum(map(len, core.values())) // 2
    tried = 0
    for one in sorted(core):
        for two, three in combinations(sorted(core[one]), 2):
            corners = (one, two, three)
            if three not in core[two] or not one < two < three or not _connected(core, frozenset(corners)):
                continue
            tried += 1
            held = {
                each: (math.cos(turn), math.sin(turn))
                for each, turn in zip(corners, (0.1, 2.2, 4.3), strict=True)
            }
            faces = faces_of(core, tighten(core, held))
            if len(core) - edges + len(faces) == 2:  # Euler: only then it lies flat
                return faces
            if tried == TRIES:
                return None
    return None


def tighten(net: dict[int, set[int]], held: dict[int, tuple[float, float]]) -> dict[int, tuple[float, float]]:
    """Where each of a net comes to rest, in the middle of its neighbours, when some are held."""
    free = [one for one in sorted(net) if one not in held]
    row_of = {one: number for number, one in enumerate(free)}
    rows: list[list[float]] = []
    for one in free:
        row = [0.0] * (len(free) + 2)
        row[row_of[one]] = float(len(net[one]))
        for other in net[one]:
            if other in held:
                row[-2] += held[other][0]
                row[-1] += held[other][1]
            else:
                row[row_of[other]] -= 1.0
        rows.append(row)
    _solve(rows)
    return {**held, **{one: (rows[row_of[one]][-2], rows[row_of[one]][-1]) for one in free}}


def _solve(rows: list[list[float]]) -> None:
    """Gauss and Jordan; the table is dominated by its diagonal, so no rows are exchanged."""
    for number, row in enumerate(rows):
        lead = row[number] or 1e-12
        row[number:] = [value / lead for value in row[number:]]
        for other in rows:
            part = other[number]
            if other is not row and part:
                other[number:] = [
                    value - part * own for value, own in zip(other[number:], row[number:], strict=True)
                ]


def faces_of(net: dict[int, set[int]], at: dict[int, tuple[float, float]]) -> list[Face]:
    """The faces between the threads of a net: at each end, on along the next thread round."""
    after: dict[tuple[int, int], int] = {}
    for one, near in net.items():
        ordered = sorted(
            near, key=lambda other: math.atan2(at[other][1] - at[one][1], at[other][0] - at[one][0])
        )
        for here, following in zip(ordered, (*ordered[1:], ordered[0]), strict=True):
            after[here, one] = following
    faces: list[Face] = []
    seen: set[tuple[int, int]] = set()
    for start in sorted(after):
        face: list[int] = []
        step = start
        while step not in seen:
            seen.add(step)
            face.append(step[0])
            step = (step[1], after[step])
        if face:
            faces.append(tuple(face))
    return faces


def _insert(faces: list[Face], one: int, first: int, second: int) -> bool:
    """A region with two neighbours into the longest face that both are in, which it parts."""
    shared = [face for face in faces if first in face and second in face]
    if not shared:
        return False
    face = max(shared, key=lambda each: (len(each), each))
    faces.remove(face)
    start, end = face.index(first), face.index(second)
    turned = face[start:] + face[:start]
    cut = (end - start) % len(face)
    faces += [(*turned[: cut + 1], one), (*turned[cut:], turned[0], one)]
    return True
