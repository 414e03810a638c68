"""The share of first places by seat."""

from __future__ import annotations

from xml.etree import ElementTree

from tablee.rules.robots.fairness import draw_shares, shares_of
from tablee.rules.robots.race import Race


def race(*ranks: int) -> Race:
    return Race(dict(enumerate(ranks, 1)), {}, 10, "quest", 0, [])


def test_a_shared_first_place_is_shared() -> None:
    shares = shares_of([race(1, 2, 3), race(1, 1, 3)])
    assert shares.firsts == {1: 1.5, 2: 0.5, 3: 0.0}
    assert shares.expected == 2 / 3


def test_a_seat_that_wins_too_often_is_found_out() -> None:
    assert not shares_of([race(1, 2)] * 80 + [race(2, 1)] * 20).is_fair
    assert shares_of([race(1, 2)] * 54 + [race(2, 1)] * 46).is_fair


def test_the_margin_is_that_of_chance() -> None:
    assert round(shares_of([race(1, 2)] * 100).margin, 3) == 0.098


def test_the_picture_has_a_bar_for_each_seat() -> None:
    root = ElementTree.fromstring(draw_shares(shares_of([race(1, 2, 3, 4)] * 3 + [race(2, 1, 3, 4)])))
    svg = "{http://www.w3.org/2000/svg}"
    bars = [each for each in root.iter(f"{svg}rect") if each.get("fill") == "#0072b2"]
    texts = [each.text for each in root.iter(f"{svg}text")]
    assert len(bars) == 4
    assert {"75.0", "25.0", "0.0", "01", "04"} <= set(texts)
