"""Days as people write them in a letter: `12 mars`, `March 12, 2027`, `12/3`, `2027-03-12`."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

_MONTHS = (
    ("janvier", "january"), ("fevrier", "february"), ("mars", "march"), ("avril", "april"), ("mai", "may"),
    ("juin", "june"), ("juillet", "july"), ("aout", "august"), ("septembre", "september"),
    ("octobre", "october"), ("novembre", "november"), ("decembre", "december"),
)  # fmt: skip
_NUMBER = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}


def read_day(text: str, today: date) -> date | None:
    """The day that is meant: one without a year is the next of its kind; None for what is no day."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))
    if found := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", plain):
        year, month, day = map(int, found.groups())
    elif found := re.fullmatch(r"(\d{1,2})\s*[/.]\s*(\d{1,2})(?:\s*[/.]\s*(\d{4}))?", plain):
        day, month, year = int(found[1]), int(found[2]), int(found[3] or 0)
    elif found := re.search(r"(?:^|\s)(\d{1,2})(?:er|st|nd|rd|th)?\s+([a-z]+)(?:,?\s+(\d{4}))?$", plain):
        day, month, year = int(found[1]), _NUMBER.get(found[2], 0), int(found[3] or 0)
    elif found := re.search(r"(?:^|\s)([a-z]+)\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?$", plain):
        day, month, year = int(found[2]), _NUMBER.get(found[1], 0), int(found[3] or 0)
    else:
        return None
    try:
        meant = date(year or today.year, month, day)
        return meant if year or meant >= today else date(today.year + 1, month, day)
    except ValueError:
        return None
