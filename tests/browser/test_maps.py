"""Maps in a real browser: what is written and what stands there overlaps nowhere, as it is really drawn."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tablee.atlas.form import game_map
from tablee.atlas.picture import Words, draw
from tablee.rules.diplomacy.model import Situation, Unit
from tablee.rules.diplomacy.variant import FLEET, LAND, load_variant, variant_names

BOXES = """() => [...document.querySelectorAll('text.name, text.code, .unit, circle.centre')]
    .filter(each => each.getBoundingClientRect().width > 0)
    .map(each => {
        const {left, top, right, bottom} = each.getBoundingClientRect();
        return [each.getAttribute('class') + ' ' + each.textContent, left, top, right, bottom];
    })"""
SLACK = 1.0
"""A browser's box of a text has the room for accents and descenders that it may not need."""


def everywhere(name: str) -> Situation:
    """A position with a unit in every region."""
    variant = load_variant(name)
    kinds = [1 if variant.terrain[zone] == LAND else FLEET for zone in range(1, variant.regions + 1)]
    return Situation({}, tuple(Unit(1, kind, zone) for zone, kind in enumerate(kinds, 1)))


@pytest.mark.parametrize("name", variant_names())
@pytest.mark.parametrize("words", ["fr", "en", "codes"])
def test_names_units_and_centres_do_not_overlap(
    browser: Browser, tmp_path: Path, name: str, words: Words
) -> None:
    sheet = game_map(name)
    file = tmp_path / "map.svg"
    file.write_text(draw(sheet, load_variant(name), everywhere(name), words), encoding="utf-8")
    page = browser.new_page(viewport={"width": int(sheet.width), "height": int(sheet.height)})
    try:
        page.goto(file.as_uri())
        boxes: list[list[Any]] = page.evaluate(BOXES)
    finally:
        page.close()
    assert len(boxes) >= len(sheet.regions) * 2
    assert [both for both in combinations(boxes, 2) if overlap(*both)] == []
    for box in boxes:
        assert box[1] >= 0
        assert box[3] <= sheet.width, box


def overlap(one: list[Any], other: list[Any]) -> bool:
    wide: float = min(one[3], other[3]) - max(one[1], other[1])
    high: float = min(one[4], other[4]) - max(one[2], other[2])
    return wide > SLACK and high > SLACK * 2.5


def test_a_narrow_screen_shows_codes_instead_of_names(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    variant = load_variant("standard")
    file.write_text(draw(game_map("standard"), variant, variant.start(), "fr"), encoding="utf-8")
    for width, seen, unseen in ((360, "PAR", "Paris"), (1280, "Paris", "PAR")):
        page = browser.new_page(viewport={"width": width, "height": width})
        try:
            page.goto(file.as_uri())
            shown = page.evaluate(BOXES)
        finally:
            page.close()
        words = {box[0].split(maxsplit=2)[-1] for box in shown if "name" in box[0]}
        assert seen in words
        assert unseen not in words
