"""A variant without a drawing gets a map of its own, always the same."""

from __future__ import annotations

from itertools import combinations

import pytest

from tablee.atlas.checking import faults_of
from tablee.atlas.drawing import Drawing
from tablee.atlas.embedding import embed
from tablee.atlas.form import beside
from tablee.atlas.layout import lay_out, neighbours_of, pair
from tablee.rules.diplomacy.source import parse_variant
from tablee.rules.diplomacy.variant import Variant, load_variant


def touching(drawing: Drawing) -> set[tuple[str, str]]:
    sides = beside(drawing).values()
    return {pair(codes[0], codes[1]) for codes in sides if len(codes) == 2}


def joined(variant: Variant) -> set[tuple[str, str]]:
    every = enumerate(neighbours_of(variant), 1)
    return {pair(variant.codes[one], variant.codes[there + 1]) for one, near in every for there in near}


def everybody_beside_everybody(count: int) -> Variant:
    """A board that no sheet can show without crossings, from five regions on."""
    codes = [f"r{letter}" for letter in "abcdefgh"[:count]]
    lines = ["variant  knot", "names  Nœud | Knot", "year  1900", "regions"]
    for code in codes:
        others = " ".join(each for each in codes if each != code)
        lines.append(f"{code}  land  centre | {code} | {code} | {others} | -")
    lines += [
        "powers",
        "X | Xénie, xène | Xenia, Xene | 9 9 9 | ra | A ra",
        "Y | Ynde, yn | Ynde, Yn | 99 9 9 | rb | A rb",
    ]
    return parse_variant("\n".join(lines), "knot")


@pytest.mark.parametrize("name", ["detroit", "lagune", "standard"])
def test_on_a_board_that_lies_flat_neighbours_touch_and_nobody_else(name: str) -> None:
    variant = load_variant(name)
    drawing = lay_out(variant)
    assert list(faults_of(drawing, variant)) == []
    assert touching(drawing) == joined(variant)
    assert drawing.links == ()
    assert drawing.walls == ()
    assert not drawing.drawn


@pytest.mark.parametrize("count", [5, 6, 8])
def test_where_not_all_neighbours_can_touch_the_others_are_linked(count: int) -> None:
    variant = everybody_beside_everybody(count)
    drawing = lay_out(variant)
    assert list(faults_of(drawing, variant)) == []
    assert drawing.links
    assert touching(drawing) | set(drawing.links) == joined(variant)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_smallest_boards_have_a_map(count: int) -> None:
    variant = everybody_beside_everybody(count)
    drawing = lay_out(variant)
    assert list(faults_of(drawing, variant)) == []
    assert touching(drawing) | set(drawing.links) == joined(variant)


def test_a_variant_always_gets_the_same_map() -> None:
    assert lay_out(load_variant("detroit")) == lay_out(load_variant("detroit"))


def test_a_net_that_cannot_lie_flat_has_no_faces() -> None:
    houses_and_wells = [set(range(3, 6)) for _ in range(3)] + [set(range(3)) for _ in range(3)]
    assert embed(houses_and_wells) is None
    assert embed([{other for other in range(5) if other != one} for one in range(5)]) is None
    assert embed([set() for _ in range(6)]) is None


def test_the_faces_of_a_cube_are_found() -> None:
    cube = [{one ^ 1, one ^ 2, one ^ 4} for one in range(8)]
    triangles_too = [near | {8} for near in cube] + [set(range(8))]
    assert embed(triangles_too) is None, "a ninth corner beside all eight does not lie flat"
    octahedron = [{other for other in range(6) if other not in (one, one ^ 1)} for one in range(6)]
    found = embed(octahedron)
    assert found is not None
    assert len(found.faces) + 1 == 8
    assert {len(face) for face in (*found.faces, found.rim)} == {3}
    edges = {tuple(sorted(both)) for face in (*found.faces, found.rim) for both in combinations(face, 2)}
    assert edges == {(one, other) for one in range(6) for other in octahedron[one] if one < other}
