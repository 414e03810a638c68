"""Boards of chess for who sees, hears or types differently, and on a telephone."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.people import lay_table
from tests.browser.test_every_screen import AXE, COLOURS, SMALL_TARGETS, faults, show_theme
from tests.kit.browsing import PHONE, Visit

VARIANTS = ("classic", "alice", "dark", "horde")


def test_every_board_is_sound_on_a_telephone(visit: Visit) -> None:
    page = visit(viewport=PHONE, is_mobile=True, has_touch=True, bypass_csp=True)
    wrong: dict[str, object] = {}
    for variant in VARIANTS:
        table = lay_table(page, game="chess", variant=variant, options={"pace": "days"}, robots=["beginner"])
        page.goto(f"/tables/{table}")
        show_theme(page, "light")
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
        show_theme(page, "dark")
        if found := faults(page, COLOURS):
            wrong[f"{variant} in text, dark"] = found
        page.get_by_role("button", name="En texte").click()
        if found := faults(page, COLOURS):
            wrong[f"{variant}, dark"] = found
    assert not wrong, wrong


def test_the_rules_show_their_diagrams_in_both_languages(visit: Visit) -> None:
    page = visit("/rules/chess")
    expect(page.get_by_role("heading", name="Sombre")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Dark", exact=True)).to_be_visible()
    expect(page.locator("main figure svg")).to_have_count(5)
