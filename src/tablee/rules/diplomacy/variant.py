"""A variant: the board, its powers and names, with the tables the engine reads.

Zones are numbered from 1: the regions first, then the special coasts of regions that have several. Index 0 of
every table is unused. A set of zones or regions is an integer with their bits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from tablee.rules.diplomacy.model import Kind, Situation, Terrain, Unit

ARMY, FLEET = int(Kind.ARMY), int(Kind.FLEET)
COAST, LAND, SEA = int(Terrain.COAST), int(Terrain.LAND), int(Terrain.SEA)


class VariantError(ValueError):
    """A variant that does not hold together, with where."""


class Power(NamedTuple):
    """The words and the colour of a role."""

    letter: str
    name_fr: str
    adjective_fr: str
    name_en: str
    adjective_en: str
    colour: tuple[int, int, int]


class Board(NamedTuple):
    """What a source says, before anything is derived from it."""

    name: str
    names: tuple[str, str]
    """French, English."""
    year_zero: int
    coast_codes: tuple[str, ...]
    """Of the types of coasts, from 1."""
    codes: tuple[str, ...]
    """Of the regions."""
    names_fr: tuple[str, ...]
    names_en: tuple[str, ...]
    terrain: tuple[int, ...]
    centres: tuple[int, ...]
    """Regions, in order."""
    shores: tuple[tuple[int, int], ...]
    """Region and type of each special coast."""
    army_next: tuple[tuple[int, ...], ...]
    """By zone, from 1."""
    fleet_next: tuple[tuple[int, ...], ...]
    powers: tuple[Power, ...]
    home: tuple[tuple[int, ...], ...]
    """Centre numbers, by role from 1."""
    start_units: tuple[Unit, ...]


class Variant:
    """A board that was checked, and everything derived from it. Never changed after it is made."""

    __slots__ = (
        "army_next",
        "board",
        "centre_of",
        "centres",
        "chains",
        "coast_codes",
        "coast_type",
        "coasts_of",
        "codes",
        "fleet_next",
        "goes",
        "goes_region",
        "home",
        "lexicon",
        "name",
        "names",
        "names_en",
        "names_fr",
        "names_said",
        "near",
        "powers",
        "reach",
        "region_of",
        "region_reach",
        "regions",
        "roles",
        "sea_next",
        "seas",
        "seas_of",
        "start_units",
        "terrain",
        "year_zero",
        "zones",
    )

    def __init__(self, board: Board) -> None:
        check(board)
        self.board = board
        self.name, self.names, self.year_zero = board.name, board.names, board.year_zero
        self.regions = count = len(board.codes)
        self.zones = zones = count + len(board.shores)
        self.coast_codes = ("", *board.coast_codes)
        shore_regions = [region for region, _ in board.shores]
        shore_codes = [f"{board.codes[region - 1]}/{self.coast_codes[kind]}" for region, kind in board.shores]
        self.codes: tuple[str, ...] = ("", *board.codes, *shore_codes)
        self.names_fr: tuple[str, ...] = (
            "",
            *board.names_fr,
            *(board.names_fr[region - 1] for region in shore_regions),
        )
        self.names_en: tuple[str, ...] = (
            "",
            *board.names_en,
            *(board.names_en[region - 1] for region in shore_regions),
        )
        self.terrain: tuple[int, ...] = (0, *board.terrain, *[COAST] * len(shore_regions))
        self.region_of: tuple[int, ...] = (*range(count + 1), *shore_regions)
        self.coast_type: tuple[int, ...] = (*[0] * (count + 1), *(kind for _, kind in board.shores))
        self.coasts_of = tuple(
            tuple(zone for zone in range(count + 1, zones + 1) if self.region_of[zone] == region)
            for region in range(count + 1)
        )
        self.centres: tuple[int, ...] = (0, *board.centres)
        self.centre_of = tuple(
            self.centres.index(region) if region in board.centres else 0 for region in range(count + 1)
        )
        self.army_next = ((), *board.army_next)
        self.fleet_next = ((), *board.fleet_next)
        self.powers = (Power("M", "Arbitre", "arbitre", "Master", "master", (0, 0, 0)), *board.powers)
        self.roles = len(board.powers)
        self.home = ((), *board.home)
        self.start_units = board.start_units
        self._derive()

    def _derive(self) -> None:
        every = range(self.zones + 1)
        region_of, fleet_next = self.region_of, self.fleet_next
        none = (0,) * (self.zones + 1)
        self.reach = (
            none,
            tuple(bits(self.army_next[zone]) for zone in every),
            tuple(bits(fleet_next[zone]) for zone in every),
        )
        """Zones, by kind of unit and zone."""
        self.region_reach = (
            none,
            tuple(bits(self.army_next[zone]) for zone in every),
            tuple(bits(region_of[zone] for zone in fleet_next[zone_from]) for zone_from in every),
        )
        """Regions, by kind of unit and zone."""
        self.goes = tuple(tuple(frozenset(members(mask)) for mask in table) for table in self.reach)
        self.goes_region = tuple(
            tuple(frozenset(members(mask)) for mask in table) for table in self.region_reach
        )
        """The same two as sets, which are asked faster about one member."""
        self.seas = bits(region for region in range(1, self.regions + 1) if self.terrain[region] == SEA)
        near = [0] * (self.regions + 1)
        by_sea = [0] * (self.regions + 1)
        for zone in range(1, self.zones + 1):
            region = region_of[zone]
            near[region] |= self.region_reach[ARMY][zone] | self.region_reach[FLEET][zone]
            by_sea[region] |= self.region_reach[FLEET][zone] & self.seas
        self.near = tuple(near)
        """Regions beside a region, over land and sea together."""
        self.seas_of = tuple(
            0 if self.terrain[region] == SEA else by_sea[region] for region in range(len(near))
        )
        """Seas that touch a coast, from any of its shores."""
        self.sea_next = tuple(by_sea[region] if self.seas >> region & 1 else 0 for region in range(len(near)))
        """Seas beside a sea."""
        self.chains: dict[tuple[int, int, int], int] = {}
        """What `convoys.chain` found, kept."""
        self.names_said: dict[str, Any] = {}
        """What `names.names_of` made, by language."""
        self.lexicon: Any = None
        """What `lexicon.lexicon_of` made. Both are kept here and not in a cache beside, so that they go when
        the variant goes: a stranger's may have megabytes."""

    def start(self) -> Situation:
        """The first position."""
        ownerships = {centre: role for role in range(1, self.roles + 1) for centre in self.home[role]}
        return Situation(ownerships=ownerships, units=self.start_units)

    def distances(self, starts: Iterable[int]) -> list[int]:
        """How many steps each region is from the nearest of these regions, over land and sea; −1 is never."""
        found = [-1] * (self.regions + 1)
        queue = deque(starts)
        for region in queue:
            found[region] = 0
        while queue:
            region = queue.popleft()
            for beside in members(self.near[region]):
                if found[beside] < 0:
                    found[beside] = found[region] + 1
                    queue.append(beside)
        return found

    def fleet_distances(self, starts: Iterable[int]) -> list[int]:
        """How many steps each zone is from the nearest of these regions by fleet; −1 is never."""
        found = [-1] * (self.zones + 1)
        queue: deque[int] = deque()
        for region in starts:
            for zone in (region, *self.coasts_of[region]):
                found[zone] = 0
                queue.append(zone)
        while queue:
            zone = queue.popleft()
            for beside in self.fleet_next[zone]:
                if found[beside] < 0:
                    found[beside] = found[zone] + 1
                    queue.append(beside)
        return found


def bits(numbers: Iterable[int]) -> int:
    """The set of these numbers."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def members(mask: int) -> list[int]:
    """The numbers in a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def check(board: Board) -> None:
    """Raises VariantError where the board contradicts itself."""
    fault = next(_faults(board), "")
    if fault:
        raise VariantError(f"Variant “{board.name}”: {fault}")


def _faults(board: Board) -> Iterator[str]:
    count = len(board.codes)
    zones = count + len(board.shores)
    names = [*board.codes, *(f"{board.codes[region - 1]}/{kind}" for region, kind in board.shores)]
    terrain = [*board.terrain, *[COAST] * len(board.shores)]
    split = {region for region, _ in board.shores}
    for what, found in (("code", names), ("French name", board.names_fr), ("English name", board.names_en)):
        twice = _twice(found)
        if twice:
            yield f"the {what} “{twice}” is given twice."
    for what, table in (("armies", board.army_next), ("fleets", board.fleet_next)):
        if len(table) != zones:
            yield f"neighbours of {what} are given for {len(table)} zones, not {zones}."
            continue
        for zone, beside in enumerate(table, 1):
            for other in beside:
                if not 1 <= other <= zones:
                    yield f"{names[zone - 1]} has a neighbour {other}, which is no zone."
                elif zone not in table[other - 1]:
                    yield f"{what} go from {names[zone - 1]} to {names[other - 1]}, but not back."
                elif other == zone:
                    yield f"{names[zone - 1]} is its own neighbour."
        for zone, beside in enumerate(table, 1):
            wrong = terrain[zone - 1] == (SEA if what == "armies" else LAND)
            nowhere = zone > count if what == "armies" else zone in split
            if beside and (wrong or nowhere):
                yield f"{what} cannot be in {names[zone - 1]}, but have neighbours there."
    for region, kind in board.shores:
        if board.terrain[region - 1] != COAST:
            yield f"{board.codes[region - 1]} has shores, but is no coast."
        if not 1 <= kind <= len(board.coast_codes):
            yield f"{board.codes[region - 1]} has a shore of the unknown type {kind}."
    for centre in board.centres:
        if board.terrain[centre - 1] == SEA:
            yield f"{board.codes[centre - 1]} is a sea and a centre."
    at_home = [centre for home in board.home for centre in home]
    if _twice(at_home):
        yield f"centre {_twice(at_home)} is home of two powers."
    if any(not 1 <= centre <= len(board.centres) for centre in at_home):
        yield "a home centre is no centre."
    if len(board.home) != len(board.powers) or not 1 <= len(board.powers) <= 26:
        yield "powers and their home centres differ in number."
    if _twice([power.letter for power in board.powers]):
        yield f"the letter {_twice([power.letter for power in board.powers])} stands for two powers."
    region_of = [*range(1, count + 1), *(region for region, _ in board.shores)]
    stood = [region_of[unit.zone - 1] for unit in board.start_units]
    if _twice(stood):
        yield f"two units begin in {board.codes[int(_twice(stood)) - 1]}."
    for unit in board.start_units:
        if not 1 <= unit.role <= len(board.powers):
            yield f"a unit begins for the power {unit.role}, which is none."
        table = board.army_next if unit.kind == ARMY else board.fleet_next
        if not table[unit.zone - 1]:
            yield f"the unit that begins in {names[unit.zone - 1]} could never move."


def _twice(found: Sequence[object]) -> str:
    seen = set()
    for one in found:
        if one in seen:
            return str(one)
        seen.add(one)
    return ""


@cache
def variant_names() -> tuple[str, ...]:
    """The variants that come with the house, the standard one first."""
    names = sorted(
        file.name.removesuffix(".txt")
        for file in (files("tablee.rules.diplomacy") / "variants").iterdir()
        if file.name.endswith(".txt")
    )
    return ("standard", *(name for name in names if name != "standard"))


@cache
def load_variant(name: str) -> Variant:
    """A variant that comes with the house. Raises KeyError where there is none of that name."""
    from tablee.rules.diplomacy.source import parse_variant

    if name not in variant_names():
        raise KeyError(name)
    file = files("tablee.rules.diplomacy") / "variants" / f"{name}.txt"
    return parse_variant(file.read_text(encoding="utf-8"), file.name)
