"""The movement codes of the document's Annexe 2, its short enumerations counted on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tablee.rules.robots.tiles import read_listed

CODES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "None": 0x0000,
        "Light_Off": 0x1010,
        "Light_On": 0x1011,
        "Move_Ahead": 0x2100,
        "Move_Back": 0x21B4,
        "Move_180Right": 0x22B4,
        "Move_180Left": 0x22B6,
        "Move_90Right": 0x245A,
        "Move_90Left": 0x245C,
        "Move_45Right": 0x282D,
        "Move_45Left": 0x282F,
        "Hustle_McndFront": 0x8110,
        "Hustle_McndRight": 0x8111,
        "Hustle_McndRear": 0x8112,
        "Hustle_McndLeft": 0x8114,
        "Hustle_Wall": 0x8120,
        "Hustle_PusherFront": 0x8140,
        "Hustle_PusherRight": 0x8141,
        "Hustle_PusherRear": 0x8142,
        "Hustle_PusherLeft": 0x8143,
        "Damage_LaserFront": 0x8220,
        "Damage_LaserRight": 0x8221,
        "Damage_LaserRear": 0x8222,
        "Damage_LaserLeft": 0x8223,
        "Damage_Press": 0x8240,
        "Damage_Pothole": 0x8280,
        "Conveyor_MakeMoveFront": 0x8420,
        "Conveyor_MakeMoveRight": 0x8421,
        "Conveyor_MakeMoveRear": 0x8422,
        "Conveyor_MakeMoveLeft": 0x8423,
        "Conveyor_Turn45Right": 0x8440,
        "Conveyor_Turn45Left": 0x8441,
        "Conveyor_Turn90Right": 0x8480,
        "Conveyor_Turn90Left": 0x8481,
        "Enrichment_EnergyX1": 0x8811,
        "Enrichment_EnergyX2": 0x8812,
        "Enrichment_Frozen": 0x8820,
        "Enrichment_Standby": 0x8822,
        "Enrichment_WakeUp": 0x8824,
        "Enrichment_LawOne": 0x8841,
        "Enrichment_LawTwo": 0x8842,
        "Enrichment_LawThree": 0x8843,
        "Enrichment_QuestAchieved": 0x8848,
        "Enrichment_Victory": 0x8880,
    }
)
_NAMES = {value: name for name, value in CODES.items()}

ROTATIONS: Final[Mapping[str, int]] = MappingProxyType(
    {"Move_90Right": 1, "Move_90Left": 3, "Move_180Right": 2, "Move_180Left": 2}
)
"""What a robot may do on the spot, as quarters to the right."""

DISPLACEMENTS: Final[Mapping[str, int]] = MappingProxyType({"Move_Ahead": 0, "Move_Back": 2})
"""Where a robot may go, as quarters to the right of its azimuth."""

STANDBY: Final = "Enrichment_Standby"
SIGNALS: Final = frozenset({"None", "Light_On", "Light_Off"})
"""Accepted anywhere in a cartouche; they change nothing."""


def code_text(name: str) -> str:
    """A code as the wire has it: `0x2100, Move_Ahead`."""
    return f"0x{CODES[name]:04X}, {name}"


def read_code(value: object) -> str:
    """The name of a code given in full, by its number or by its name. Raises ValueError."""
    return read_listed(value, CODES, _NAMES, {})
