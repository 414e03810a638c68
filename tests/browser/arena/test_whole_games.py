"""A whole game in the arena against robots: with the mouse, a finger on a phone, the keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.arena.walking import Walk, card, expect_over, make_table, square, walk_home
from tests.kit.browsing import MOVING, PHONE, Visit


@pytest.mark.long
def test_a_whole_game_against_three_robots_with_the_mouse(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "crossroads", "greedy", "greedy", "strong")
    page.goto(f"/tables/{table}")
    expect(page.locator("[data-player]")).to_have_count(4)

    def move(page: Page, walk: Walk) -> None:
        card(page, walk).click()
        expect(card(page, walk)).to_have_attribute("aria-pressed", "true")
        square(page, walk.square).hover()
        expect(page.locator("polyline.planned")).to_have_count(1)
        square(page, walk.square).click()

    assert walk_home(page, table, move, Locator.click) >= 4
    expect_over(page)
    # The game again: nobody's hand, and the pawns as they stood.
    page.get_by_role("link", name="Revoir la partie").click()
    page.get_by_role("slider").wait_for()
    expect(page.locator(".pawn")).to_have_count(4)
    expect(page.locator("[data-card]")).to_have_count(0)


def test_a_whole_game_against_a_robot_with_a_finger_on_a_phone(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True, **MOVING)
    table = make_table(page, "crossroads", "greedy")
    page.goto(f"/tables/{table}")

    def move(page: Page, walk: Walk) -> None:
        card(page, walk).tap()
        # The first touch shows the way, and only what confirms it goes.
        square(page, walk.square).tap()
        expect(page.locator("polyline.planned")).to_have_count(1)
        page.locator("[data-go-there]").tap()

    walk_home(page, table, move, Locator.tap)
    expect_over(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_whole_game_against_a_robot_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "crossroads", "greedy")
    page.goto(f"/tables/{table}")

    def focused() -> str | None:
        key: str | None = page.evaluate("document.activeElement.dataset.lit ?? null")
        return key

    def middle(key: str) -> tuple[float, float]:
        box = square(page, key).bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def walk_to(key: str) -> None:
        """By the arrows, as one sees it, first the way that is longer; where they pass it by, with Tab."""
        for _ in range(12):
            at = focused()
            assert at is not None
            if at == key:
                return
            (x, y), (to_x, to_y) = middle(at), middle(key)
            across = "ArrowRight" if to_x > x else "ArrowLeft"
            along = "ArrowDown" if to_y > y else "ArrowUp"
            for arrow in (across, along) if abs(to_x - x) > abs(to_y - y) else (along, across):
                page.keyboard.press(arrow)
                if focused() != at:
                    break
        keys = page.locator("[data-lit]").evaluate_all("(all) => all.map((each) => each.dataset.lit)")
        ahead = keys.index(key) - keys.index(focused())
        for _ in range(abs(ahead)):
            page.keyboard.press("Tab" if ahead > 0 else "Shift+Tab")

    def move(page: Page, walk: Walk) -> None:
        cards = page.locator("[data-card]").evaluate_all(
            "(cards) => cards.map((each) => [each.dataset.card, each.dataset.color])"
        )
        page.keyboard.press(str(cards.index([walk.card, walk.color]) + 1))
        expect(page.locator("[data-lit]:focus")).to_have_count(1)
        walk_to(walk.square)
        assert focused() == walk.square
        page.keyboard.press("Enter")

    def press(target: Locator) -> None:
        expect(target).to_be_enabled()
        for _ in range(80):
            if target.evaluate("(each) => each === document.activeElement"):
                return page.keyboard.press("Enter")
            page.keyboard.press("Tab")
        raise AssertionError("The tabulator does not lead there.")

    walk_home(page, table, move, press)
    expect_over(page)
