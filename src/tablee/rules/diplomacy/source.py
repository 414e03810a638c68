"""The readable form of a variant: a text with a region, a shore and a power a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tablee.rules.diplomacy.model import Unit
from tablee.rules.diplomacy.variant import ARMY, COAST, FLEET, LAND, SEA, Board, Power, Variant, VariantError

TERRAINS = {"coast": COAST, "land": LAND, "sea": SEA}
SECTIONS = ("regions", "shores", "powers")


def parse_variant(text: str, source: str) -> Variant:
    """The variant that a text describes. Raises VariantError with the line where it does not."""
    return Variant(_Reader(text, source).board())


class _Reader:
    """Reads the three sections and the head, keeping each line's number for the errors."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.head: dict[str, tuple[int, str]] = {}
        self.lines: dict[str, list[tuple[int, list[str]]]] = {section: [] for section in SECTIONS}
        section = ""
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#", 1)[0].strip()
            if line in SECTIONS:
                section = line
            elif line and section:
                self.lines[section].append((number, [part.strip() for part in line.split("|")]))
            elif line:
                word, _, rest = line.partition(" ")
                self.head[word] = (number, rest.strip())
        self.zones: dict[str, int] = {}

    def fault(self, number: int, sentence: str) -> VariantError:
        return VariantError(f"{self.source}:{number}: {sentence}")

    def value(self, word: str) -> tuple[int, str]:
        if word not in self.head:
            raise self.fault(1, f"a line “{word} …” is needed before the regions.")
        return self.head[word]

    def board(self) -> Board:
        number, name = self.value("variant")
        if not re.fullmatch(r"[a-z0-9_-]{1,20}", name):
            raise self.fault(number, f"“{name}” is no name: up to 20 small letters, digits, - and _.")
        number, year = self.value("year")
        if not year.isdecimal():
            raise self.fault(number, f"“{year}” is no year.")
        number, both = self.value("names")
        names = [part.strip() for part in both.split("|")]
        if len(names) != 2:
            raise self.fault(number, "a French and an English name are needed, with | between them.")
        coast_codes = tuple(
            part.strip() for part in self.head.get("coasts", (1, ""))[1].split("|") if part.strip()
        )

        regions = [(number, self.parts(number, parts, 5)) for number, parts in self.lines["regions"]]
        heads = [(number, parts[0].split()) for number, parts in regions]
        terrain, centres = [], []
        for place, (number, words) in enumerate(heads, 1):
            if len(words) not in (2, 3) or words[1] not in TERRAINS or words[2:] not in ([], ["centre"]):
                raise self.fault(
                    number, "a region begins with a code, then coast, land or sea, then maybe centre."
                )
            if "/" in words[0] or words[0] in self.zones:
                raise self.fault(number, f"the code “{words[0]}” is given twice, or has a slash.")
            self.zones[words[0]] = place
            terrain.append(TERRAINS[words[1]])
            if len(words) == 3:
                centres.append(place)
        shore_lines = [(number, self.parts(number, parts, 2)) for number, parts in self.lines["shores"]]
        shores = []
        for number, parts in shore_lines:
            code, _, kind = parts[0].partition("/")
            if code not in self.zones or kind not in coast_codes or parts[0] in self.zones:
                raise self.fault(number, f"“{parts[0]}” is no region and coast, or is given twice.")
            shores.append((self.zones[code], coast_codes.index(kind) + 1))
            self.zones[parts[0]] = len(regions) + len(shores)
        army_next = [self.zone_list(number, parts[3]) for number, parts in regions]
        fleet_next = [self.zone_list(number, parts[4]) for number, parts in regions]
        fleet_next += [self.zone_list(number, parts[1]) for number, parts in shore_lines]
        powers, home = [], []
        units: list[Unit] = []
        for role, (number, parts) in enumerate(self.lines["powers"], 1):
            parts = self.parts(number, parts, 6)
            powers.append(self.power(number, parts))
            home.append(
                tuple(self.centre(number, zone, centres) for zone in self.zone_list(number, parts[4]))
            )
            units.extend(self.units(number, role, parts[5]))
        return Board(
            name=name,
            names=(names[0], names[1]),
            year_zero=int(year),
            coast_codes=coast_codes,
            codes=tuple(words[0] for _, words in heads),
            names_fr=tuple(parts[1] for _, parts in regions),
            names_en=tuple(parts[2] for _, parts in regions),
            terrain=tuple(terrain),
            centres=tuple(centres),
            shores=tuple(shores),
            army_next=(*army_next, *[()] * len(shores)),
            fleet_next=tuple(fleet_next),
            powers=tuple(powers),
            home=tuple(home),
            start_units=tuple(units),
        )

    def parts(self, number: int, parts: list[str], wanted: int) -> list[str]:
        if len(parts) != wanted or not all(parts):
            raise self.fault(number, f"{wanted} parts are needed with | between them; an empty one is -.")
        return parts

    def zone_list(self, number: int, text: str) -> tuple[int, ...]:
        codes = [] if text == "-" else text.split()
        for code in codes:
            if code not in self.zones:
                raise self.fault(number, f"“{code}” is no zone of this variant.")
        return tuple(sorted(self.zones[code] for code in codes))

    def centre(self, number: int, zone: int, centres: list[int]) -> int:
        if zone not in centres:
            raise self.fault(number, "a home is no centre.")
        return centres.index(zone) + 1

    def power(self, number: int, parts: list[str]) -> Power:
        french = [word.strip() for word in parts[1].split(",")]
        english = [word.strip() for word in parts[2].split(",")]
        colour = parts[3].split()
        if len(french) != 2 or len(english) != 2:
            raise self.fault(
                number, "a power has a name and an adjective in each language: France, français."
            )
        if len(colour) != 3 or not all(part.isdecimal() and int(part) < 256 for part in colour):
            raise self.fault(number, "a colour is three numbers from 0 to 255.")
        red, green, blue = (int(part) for part in colour)
        return Power(parts[0], french[0], french[1], english[0], english[1], (red, green, blue))

    def units(self, number: int, role: int, text: str) -> Iterator[Unit]:
        for unit in text.split(","):
            kind, _, code = unit.strip().partition(" ")
            if kind not in ("A", "F") or code.strip() not in self.zones:
                raise self.fault(number, f"“{unit.strip()}” is no unit: A or F, then a zone of this variant.")
            yield Unit(role, ARMY if kind == "A" else FLEET, self.zones[code.strip()])
