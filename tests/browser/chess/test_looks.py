"""Boards of chess for who sees, hears or types differently, and on a telephone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chess.boards import ASK, be_visitor
from tests.browser.test_every_screen import AXE, SMALL_TARGETS, faults
from tests.kit.browsing import PHONE, Visit, address
from tests.kit.process import House

VARIANTS = ("classic", "alice", "dark", "horde")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_board_is_sound_on_a_telephone(browser: Browser, house: House, theme: str) -> None:
    traits = {"viewport": PHONE, "locale": "fr-FR", "is_mobile": True, "has_touch": True, "bypass_csp": True}
    context = browser.new_context(base_url=address(house, ""), color_scheme=theme, **traits)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/")
    be_visitor(page)
    wrong: dict[str, object] = {}
    for variant in VARIANTS:
        table = page.evaluate(
            ASK,
            [
                "/tables",
                {"game": "chess", "variant": variant, "options": {"pace": "days"}, "robots": ["beginner"]},
            ],
        )
        page.goto(f"/tables/{table['id']}")
        expect(page.locator("cg-board").first).to_be_visible()
        page.get_by_text("Emporter la partie").click()
        page.add_script_tag(path=AXE)
        width = page.evaluate("document.documentElement.scrollWidth")
        if found := [
            *faults(page),
            *page.evaluate(SMALL_TARGETS),
            *([width] if width > PHONE["width"] else []),
        ]:
            wrong[variant] = found
        page.get_by_role("button", name="En texte").click()
        if found := faults(page):
            wrong[f"{variant} in text"] = found
    context.close()
    assert not wrong, wrong


def test_the_rules_show_their_diagrams_in_both_languages(visit: Visit) -> None:
    page = visit("/rules/chess")
    expect(page.get_by_role("heading", name="Sombre")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Dark", exact=True)).to_be_visible()
    expect(page.locator("main figure svg")).to_have_count(5)
