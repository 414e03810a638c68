"""The hour at which somebody's digest comes, in his own zone, whatever the clocks do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from tablee.club.calling.wishes import Preferences
from tablee.club.people import Account
from tablee.store import Store


def somebody(zone: str = "") -> Account:
    texts = ("email", "first_name", "family_name", "telephone", "country")
    rest: dict[str, Any] = dict.fromkeys(texts, "") | dict.fromkeys(("created_at", "seen_at"), 0)
    rest |= dict.fromkeys(("identified_at", "deleted_at", "banned_until"))
    return Account(
        id=1, kind="member", role="player", pseudo="Léa", email_confirmed=True, time_zone=zone,
        stand_in=False, language="fr", settings={}, **rest,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("happened", "minute", "expected"),
    [
        ("2027-03-27T20:00", "18:00", "2027-03-28T16:00"),  # summer time begins in the night
        ("2027-10-30T20:00", "18:00", "2027-10-31T17:00"),  # and ends
        ("2027-03-27T20:00", "02:30", "2027-03-28T01:30"),  # an hour that there is not: the next there is
        ("2027-10-30T23:30", "02:30", "2027-10-31T00:30"),  # an hour that there is twice: the first of them
        ("2027-10-31T00:45", "02:30", "2027-11-01T01:30"),  # between the two
        ("2027-10-31T01:15", "02:30", "2027-10-31T01:30"),  # gathered after the first of them
    ],
)
def test_a_digest_keeps_its_hour_when_the_clocks_change(happened: str, minute: str, expected: str) -> None:
    preferences = Preferences(cast(Store, None), "Europe/Paris")
    at = round(datetime.fromisoformat(f"{happened}+00:00").timestamp() * 1000)
    hours, minutes = map(int, minute.split(":"))
    found = preferences.next_minute(somebody(), at, 60 * hours + minutes)
    assert datetime.fromtimestamp(found / 1000, UTC).isoformat()[:16] == expected


def test_who_has_named_his_zone_has_his_digest_by_it() -> None:
    preferences = Preferences(cast(Store, None), "Europe/Paris")
    at = round(datetime(2027, 7, 1, 12, tzinfo=UTC).timestamp() * 1000)
    for zone, hour in (("", "16:00"), ("UTC", "18:00"), ("UTC + 5:30", "12:30"), ("UTC - 3", "21:00")):
        found = preferences.next_minute(somebody(zone), at, 18 * 60)
        assert datetime.fromtimestamp(found / 1000, UTC).isoformat()[11:16] == hour
