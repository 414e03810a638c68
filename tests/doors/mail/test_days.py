"""Days as people write them."""

from datetime import date

import pytest

from tablee.doors.mail.days import read_day

TODAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("12 mars", date(2027, 3, 12)),
        ("le 1er décembre", date(2026, 12, 1)),
        ("dimanche 22 novembre", date(2026, 11, 22)),
        ("18 novembre", TODAY),
        ("17 novembre", date(2027, 11, 17)),
        ("12 March", date(2027, 3, 12)),
        ("March 12th, 2027", date(2027, 3, 12)),
        ("3 août 2027", date(2027, 8, 3)),
        ("12/3", date(2027, 3, 12)),
        ("12.03.2027", date(2027, 3, 12)),
        ("2026-12-24", date(2026, 12, 24)),
        ("31 février", None),
        ("29 février", None),
        ("demain", None),
        ("12 brumaire", None),
        ("99/99", None),
        ("", None),
    ],
)
def test_a_day_is_read_as_it_is_written(text: str, day: date | None) -> None:
    assert read_day(text, TODAY) == day
