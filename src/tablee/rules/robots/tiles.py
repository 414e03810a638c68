"""The tiles of the document's Annexe 1: names, values, and what each does, read off its value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from tablee.rules.robots.directions import Side, directions

TILES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "neutre": 0x0000,
        "conv_eNsS": 0x0014,
        "conv_eEsO": 0x0028,
        "conv_eSsN": 0x0041,
        "conv_eOsE": 0x0082,
        "conv_eNOsE": 0x0092,
        "conv_eOsS": 0x0084,
        "conv_eOsN": 0x0081,
        "conv_eSsO": 0x0048,
        "conv_eSsE": 0x0042,
        "conv_eEsN": 0x0021,
        "conv_eEsS": 0x0024,
        "conv_eNsE": 0x0012,
        "conv_eNsO": 0x0018,
        "pt_babord": 0x00F0,
        "pt_tribord": 0x000F,
        "mur_N": 0x0110,
        "mur_E": 0x0120,
        "mur_S": 0x0140,
        "mur_O": 0x0180,
        "mur_NE": 0x0130,
        "mur_NO": 0x0190,
        "mur_SE": 0x0160,
        "mur_SO": 0x01C0,
        "mur_NS": 0x0150,
        "mur_EO": 0x01A0,
        "mur_NEO": 0x01B0,
        "mur_NES": 0x0170,
        "mur_NSO": 0x01D0,
        "mur_ESO": 0x01E0,
        "mur_NESO": 0x01F0,
        "murLaser_NS": 0x0214,
        "murLaser_EO": 0x0228,
        "murLaser_SN": 0x0241,
        "murLaser_OE": 0x0282,
        "pous_babord": 0x0428,
        "pous_poupe": 0x0414,
        "pous_proue": 0x0441,
        "pous_tribord": 0x0482,
        "action": 0x0800,
        "nid2poule": 0x1001,
        "presse": 0x1002,
        "clef_1rep": 0x2001,
        "clef_2rep": 0x2002,
        "loi_r1": 0x8001,
        "loi_r2": 0x8010,
        "loi_r3": 0x8100,
    }
)
MISPRINTED: Final = {"mur_NS0": "mur_NSO"}
"""The document writes a zero for the last letter once."""

LAWS: Final = ("loi_r1", "loi_r2", "loi_r3")
"""The three artefacts in the order in which they must be reached."""

REPAIRS: Final = {"clef_1rep": 1, "clef_2rep": 2}

CONVEYOR, WALL, LASER, PUSHER = 0x00, 0x01, 0x02, 0x04
"""The high byte of a value says what kind of tile it is."""


class Tile(msgspec.Struct, frozen=True):
    """What a tile does. Directions are 0 to 3, -1 for none; `walls` and `entries` are sets of sides."""

    name: str
    value: int
    walls: Side = 0
    entries: Side = 0
    exit: int = -1
    """Where a conveyor carries to."""
    turn: int = 0
    """Quarters to the right by which a turntable turns: 1, or 3 for left."""
    fires: int = -1
    pushes: int = -1

    def bend(self, heading: int) -> int:
        """Quarters to the right by which a conveyor turns a robot that another carries onto it, so headed."""
        came_from = 1 << (heading + 2) % 4
        return (self.exit - heading) % 4 if self.entries & came_from else 0


def _tile(name: str, value: int) -> Tile:
    kind, high, low = value >> 8, value >> 4 & 15, value & 15
    toward = directions(low)[0] if low else -1
    if name == "pt_babord":
        return Tile(name, value, turn=3)
    if name == "pt_tribord":
        return Tile(name, value, turn=1)
    if kind == CONVEYOR:
        return Tile(name, value, entries=high, exit=toward)
    if kind == WALL:
        return Tile(name, value, walls=high)
    if kind == LASER:
        return Tile(name, value, walls=high, fires=toward)
    if kind == PUSHER:
        return Tile(name, value, pushes=toward)
    return Tile(name, value)


DEEDS: Final[Mapping[str, Tile]] = MappingProxyType(
    {name: _tile(name, value) for name, value in TILES.items()}
)
"""What each tile does, by name."""

_NAMES = {value: name for name, value in TILES.items()}
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,8}|[0-9]{1,9}")


def tile_text(name: str) -> str:
    """A tile as the wire has it: `0x0214, murLaser_NS`."""
    return f"0x{TILES[name]:04X}, {name}"


def read_tile(value: object) -> str:
    """The name of a tile given in full, by its number or by its name. Raises ValueError."""
    return read_listed(value, TILES, _NAMES, MISPRINTED)


def read_listed(
    value: object, values: Mapping[str, int], names: Mapping[int, str], misprinted: Mapping[str, str]
) -> str:
    """The name in one of the document's annexes that "0xHHHH, Name", a number or a name stands for."""
    if isinstance(value, int) and not isinstance(value, bool) and value in names:
        return names[value]
    if isinstance(value, str):
        number, comma, name = (part.strip() for part in value.partition(","))
        if not comma and not _NUMBER.fullmatch(number):
            number, name = "", number
        name = misprinted.get(name, name)
        if not number:
            if name in values and not comma:
                return name
        elif _NUMBER.fullmatch(number):
            found = names.get(int(number, 16 if number[:2] in ("0x", "0X") else 10))
            if found is not None and (name == found or not comma):
                return found
    raise ValueError(f"{value!r:.60} is none of the document's values")
