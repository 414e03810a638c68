"""Large boards made by rule: regions in a grid of triangles, land, coast and sea as one likes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tablee.rules.diplomacy.variant import COAST, LAND, SEA, Board, Power, Variant

_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def generated(regions: int) -> Variant:
    """A board of so many regions: strips of sea between strips of land, with bridges."""
    width = max(2, round(regions**0.5))
    return grid(
        [(n % width, n // width) for n in range(regions)], lambda x, y: y % 4 in (1, 2) and x % 5 != 0
    )


def open_sea(width: int, height: int) -> Variant:
    """A sea of so many by so many regions, with coasts all round it."""
    places = [(x, y) for y in range(-1, height + 1) for x in range(-1, width + 1)]
    return grid(places, lambda x, y: 0 <= x < width and 0 <= y < height)


def grid(places: Sequence[tuple[int, int]], is_sea_at: Callable[[int, int], bool]) -> Variant:
    """Each place touches six others; land that touches the sea is a coast."""
    number = {place: n for n, place in enumerate(places, 1)}
    beside = [[number[x + dx, y + dy] for dx, dy in _STEPS if (x + dx, y + dy) in number] for x, y in places]
    is_sea = [is_sea_at(x, y) for x, y in places]
    terrain = [
        SEA if sea else COAST if any(is_sea[other - 1] for other in beside[n]) else LAND
        for n, sea in enumerate(is_sea)
    ]
    armies, fleets = [], []
    for n, others in enumerate(beside):
        armies.append(tuple(sorted(o for o in others if SEA not in (terrain[n], terrain[o - 1]))))
        fleets.append(tuple(sorted(o for o in others if _sails(terrain, is_sea, beside, n, o - 1))))
    codes = tuple(f"r{n}" for n in range(1, len(places) + 1))
    powers = tuple(Power(letter, letter, letter, letter, letter, (0, 0, 0)) for letter in "ABCDEFG")
    return Variant(
        Board(
            name="large",
            names=("", ""),
            year_zero=0,
            coast_codes=(),
            codes=codes,
            names_fr=codes,
            names_en=codes,
            terrain=tuple(terrain),
            centres=(),
            shores=(),
            army_next=tuple(armies),
            fleet_next=tuple(fleets),
            powers=powers,
            home=tuple(() for _ in powers),
            start_units=(),
        )
    )


def _sails(terrain: list[int], is_sea: list[bool], beside: list[list[int]], here: int, there: int) -> bool:
    """Whether a fleet goes between two regions: both at the water, and at the same water."""
    if LAND in (terrain[here], terrain[there]):
        return False
    if is_sea[here] or is_sea[there]:
        return True
    return any(is_sea[other - 1] for other in set(beside[here]) & set(beside[there]))
