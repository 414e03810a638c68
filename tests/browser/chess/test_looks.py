"""Boards of chess for who sees, hears or types differently, and on a telephone."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.people import lay_table
from tests.browser.test_every_screen import AXE, COLOURS, SMALL_TARGETS, faults, show_theme
from tests.kit.browsing import PHONE, Visit
from tests.kit.waiting import wait_until

VARIANTS = ("classic", "alice", "dark", "horde")


def test_every_board_is_sound_on_a_telephone(visit: Visit) -> None:
    page = visit(viewport=PHONE, is_mobile=True, has_touch=True, bypass_csp=True)
    wrong: dict[str, object] = {}
    for variant in VARIANTS:
        table = lay_table(page, game="chess", variant=variant, options={"pace": "days"}, robots=["beginner"])
        page.goto(f"/tables/{table}")
        show_theme(page, "light")
        expect(page.locator("cg-board").first).to_be_visible()
        # Whatever the game is called, one finds its rules.
        expect(page.locator(".meta").get_by_role("link", name="Règles du jeu")).to_be_in_viewport(ratio=1)
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


OFF = """board => {
    const [field, side] = [board.getBoundingClientRect(), board.clientWidth / 8];
    return [...board.querySelectorAll('piece')].map((piece) => piece.getBoundingClientRect())
        .map((box) => [(box.left - field.left) / side, (box.top - field.top) / side])
        .filter((place) => place.some((each) => Math.abs(each - Math.round(each)) > 0.05 || each > 7.05));
}"""
"""Pieces that do not stand on a square."""


def test_pieces_stand_on_their_squares_when_the_window_changes_its_size(visit: Visit) -> None:
    page = visit()
    table = lay_table(page, game="chess", variant="classic", options={"pace": "days"}, robots=["beginner"])
    page.goto(f"/tables/{table}")
    board = page.locator("cg-board")
    expect(board.locator("piece")).to_have_count(32)
    wide = board.bounding_box()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    wait_until(lambda: board.bounding_box() != wide, "the smaller board")
    wait_until(lambda: board.evaluate(OFF) == [], "pieces on their squares")


def test_the_rules_show_their_diagrams_in_both_languages(visit: Visit) -> None:
    page = visit("/rules/chess")
    expect(page.get_by_role("heading", name="Sombre")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Dark", exact=True)).to_be_visible()
    expect(page.locator("main figure svg")).to_have_count(5)
