"""Countries and time zones that a member may choose, with their names in French and English."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Place(NamedTuple):
    """A country (`FRA`) or a time zone (`UTC + 1`, with its cities)."""

    code: str
    fr: str
    en: str


@cache
def countries() -> dict[str, Place]:
    """Every country of ISO 3166-1 by its alpha-3 code, in the order of the French names.

    With two that are no more, ANT and SCG: the lists of the AFJD's programs have them.
    """
    return _read("countries.csv")


@cache
def time_zones() -> dict[str, Place]:
    """Every offset from UTC in use, from west to east, written `UTC`, `UTC + 1`, `UTC - 3:30`."""
    return _read("time_zones.csv")


def time_zone_code(text: str) -> str:
    """The list's spelling of a time zone: `utc+1` and `UTC +1` are `UTC + 1`; others stay as they are."""
    found = re.fullmatch(r"\s*UTC\s*(?:([+-])\s*([0-9]{1,2})(?::([0-9]{2}))?)?\s*", text, re.IGNORECASE)
    if found is None:
        return text
    sign, hours, minutes = found.groups()
    if sign is None or int(hours) == int(minutes or 0) == 0:
        return "UTC"
    rest = f":{minutes}" if minutes not in (None, "00") else ""
    return f"UTC {sign} {int(hours)}{rest}"


def _read(name: str) -> dict[str, Place]:
    lines = files("tablee.club").joinpath(name).read_text("utf-8").splitlines()
    return {
        row["code"]: Place(row["code"], row["fr"], row["en"]) for row in csv.DictReader(lines, delimiter=";")
    }
