"""The document's JSON form of a variant (its chapter I.1), both ways."""

from __future__ import annotations

from typing import Any

from tablee.rules.diplomacy.model import Unit
from tablee.rules.diplomacy.variant import ARMY, FLEET, Board, Power, Variant, VariantError

KEYS = (
    "regions",
    "centers",
    "roles",
    "start_centers",
    "type_coasts",
    "coastal_zones",
    "start_units",
    "year_zero",
    "neighbouring",
    "distancing",
)

MOST = 2000
"""No board of a stranger has more regions than this: tables grow with their square."""


def to_document(variant: Variant) -> dict[str, Any]:
    """The variant as the document has it; keys are strings, as in JSON."""
    board = variant.board
    every = range(1, variant.zones + 1)
    return {
        "regions": list(board.terrain),
        "centers": list(board.centres),
        "roles": {"number": variant.roles},
        "start_centers": [list(home) for home in board.home],
        "type_coasts": {"number": len(board.coast_codes)},
        "coastal_zones": [list(shore) for shore in board.shores],
        "start_units": [
            {
                str(kind): [
                    unit.zone for unit in board.start_units if unit.role == role and unit.kind == kind
                ]
                for kind in (ARMY, FLEET)
            }
            for role in range(1, variant.roles + 1)
        ],
        "year_zero": board.year_zero,
        "neighbouring": [
            {str(zone): list(table[zone]) for zone in every if table[zone]}
            for table in (variant.army_next, variant.fleet_next)
        ],
        "distancing": [
            [_army_distances(variant, role) for role in range(1, variant.roles + 1)],
            [_fleet_distances(variant, role) for role in range(1, variant.roles + 1)],
        ],
    }


def _home(variant: Variant, role: int) -> list[int]:
    return [variant.centres[centre] for centre in variant.home[role]]


def _army_distances(variant: Variant, role: int) -> dict[str, int]:
    found = variant.distances(_home(variant, role))
    every = range(1, variant.zones + 1)
    return {
        str(zone): found[variant.region_of[zone]] for zone in every if found[variant.region_of[zone]] >= 0
    }


def _fleet_distances(variant: Variant, role: int) -> dict[str, int]:
    found = variant.fleet_distances(_home(variant, role))
    return {str(zone): found[zone] for zone in range(1, variant.zones + 1) if found[zone] >= 0}


def from_document(document: Any, name: str = "document") -> Variant:
    """The variant that a document describes, named by numbers. Raises VariantError for anything else."""
    if not isinstance(document, dict):
        raise VariantError(f"Variant “{name}”: a variant is a dictionary.")
    missing = [key for key in KEYS if key not in document and key != "distancing"]
    if missing:
        raise VariantError(f"Variant “{name}”: the keys {', '.join(missing)} are missing.")
    try:
        board = _board(document, name)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as wrong:
        raise VariantError(f"Variant “{name}” is not of the document's form: {wrong}.") from wrong
    return Variant(board)


def _board(document: dict[str, Any], name: str) -> Board:
    for key in ("regions", "coastal_zones"):
        if len(document[key]) > MOST:
            raise ValueError(f"“{key}” has {len(document[key])} entries, {MOST} at most are taken")
    terrain = tuple(_number(kind, 3) for kind in document["regions"])
    count = len(terrain)
    shores = tuple((_number(region, count), _number(kind)) for region, kind in document["coastal_zones"])
    zones = count + len(shores)
    roles = _number(document["roles"]["number"], 26)
    coast_codes = tuple(
        str(kind) for kind in range(1, _number(document["type_coasts"]["number"], least=0) + 1)
    )
    army_next, fleet_next = (_table(table, zones) for table in document["neighbouring"])
    units = tuple(
        Unit(role, _number(int(kind), 2), _number(zone, zones))
        for role, by_kind in enumerate(document["start_units"], 1)
        for kind, stood in by_kind.items()
        for zone in stood
    )
    words = tuple(str(number) for number in range(1, count + 1))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:roles]
    return Board(
        name=name,
        names=(name, name),
        year_zero=_number(document["year_zero"], least=0),
        coast_codes=coast_codes,
        codes=words,
        names_fr=words,
        names_en=words,
        terrain=terrain,
        centres=tuple(_number(region, count) for region in document["centers"]),
        shores=shores,
        army_next=army_next,
        fleet_next=fleet_next,
        powers=tuple(Power(letter, letter, letter, letter, letter, (0, 0, 0)) for letter in letters),
        home=tuple(tuple(_number(centre) for centre in home) for home in document["start_centers"]),
        start_units=units,
    )


def _table(table: dict[str, list[int]], zones: int) -> tuple[tuple[int, ...], ...]:
    by_zone = {_number(int(zone), zones): beside for zone, beside in table.items()}
    return tuple(
        tuple(sorted({_number(there, zones) for there in by_zone.get(zone, ())}))
        for zone in range(1, zones + 1)
    )


def _number(value: object, most: int = 100_000, least: int = 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{value!r} is no number from {least} to {most}")
    return value
