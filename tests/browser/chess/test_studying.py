"""A game from elsewhere is read in the page, looked at, and played on."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.kit.browsing import Complaints, Visit


def test_a_game_is_read_looked_at_and_played_on(visit: Visit, complaints: Complaints) -> None:
    complaints.expect("Failed to load resource.*400")  # what cannot be read is refused
    page = visit("/chess/study")
    page.get_by_label("Une partie (PGN)").fill("1. e5")
    page.get_by_role("button", name="Lire").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Une partie (PGN)").fill("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6")
    page.get_by_role("button", name="Lire").click()
    expect(page.get_by_text(re.compile("(La maison|Stockfish) jouerait Dxf7#"))).to_be_visible()
    page.get_by_role("button", name="2. Dh5").click()
    expect(page.get_by_role("img", name="La position après 3 demi-coups")).to_be_visible()
    # A position alone is read, too.
    page.get_by_label("Une partie (PGN)").fill(
        "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2"
    )
    page.get_by_role("button", name="Lire").click()
    expect(page.get_by_role("img", name="La position après 0 demi-coup")).to_be_visible()
    page.locator("[data-play-on]").click()
    page.wait_for_url(re.compile(r"/tables/\d+$"))
    expect(page.locator('[data-board="1"]')).to_have_attribute(
        "data-placement", "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR"
    )
