"""What somebody may say about himself when he signs up, and what he may change later."""

from __future__ import annotations

from typing import Any, TypedDict

from tablee.club import fields
from tablee.club.errors import Invalid


class Details(TypedDict, total=False):
    """What a member may say about himself."""

    first_name: str
    family_name: str
    telephone: str
    country: str
    time_zone: str
    stand_in: bool
    language: str
    settings: dict[str, Any]


class Changes(Details, total=False):
    """What a member may change about himself, besides his password."""

    pseudo: str
    email: str | None


def checked(details: Details | Changes) -> dict[str, Any]:
    """The columns of what was given, each in its form. Raises Invalid for a field that is not one of ours."""
    values: dict[str, Any] = {}
    for field, value in details.items():
        if field in fields.TEXT_MOST:
            values[field] = fields.text(field, value)
        elif field == "country":
            values[field] = fields.country(value)
        elif field == "time_zone":
            values[field] = fields.time_zone(value)
        elif field == "stand_in":
            values[field] = fields.yes_or_no(field, value)
        elif field == "language":
            values[field] = fields.language(value)
        elif field == "settings":
            values[field] = fields.settings(value)
        elif field not in ("pseudo", "email"):
            raise Invalid("field_unknown", "".join(c for c in str(field)[:40] if c.isprintable()))
    return values
