"""Two people at a board of chess in the page: they sit down, move with the mouse or type."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect
from tests.browser.people import ask, come_as_visitor
from tests.kit.browsing import Visit


def sit_down(
    visit: Visit, variant: str = "classic", time_control: dict[str, Any] | None = None, **options: Any
) -> tuple[int, Page, Page]:
    """A table between two visitors, which begins when both sit: its number, White's page, Black's page."""
    white, black = visit(), visit()
    come_as_visitor(white)
    come_as_visitor(black)
    new: dict[str, Any] = {"game": "chess", "variant": variant, "options": {"sides": "first", **options}}
    if time_control:
        new["time_control"] = time_control
    table = int(ask(white, "POST", "/tables", new)["id"])
    ask(black, "POST", f"/tables/{table}/join", {})
    for page in (white, black):
        page.goto(f"/tables/{table}")
        expect(page.locator("cg-board").first).to_be_visible()
    return table, white, black


def placement(page: Page, board: int = 1) -> Locator:
    return page.locator(f'[data-board="{board}"]')


def middle_of(page: Page, square: str, board: int = 1) -> tuple[float, float]:
    """Where a square is on the screen."""
    place = page.locator(f'[data-board="{board}"] cg-board')
    place.scroll_into_view_if_needed()
    box: FloatRect | None = place.bounding_box()
    assert box is not None
    x, y = "abcdefgh".index(square[0]), 8 - int(square[1])
    if page.locator(f'[data-board="{board}"] .cg-wrap.orientation-black').count():
        x, y = 7 - x, 7 - y
    return box["x"] + box["width"] * (x + 0.5) / 8, box["y"] + box["height"] * (y + 0.5) / 8


def click_move(page: Page, move: str, board: int = 1) -> None:
    page.mouse.click(*middle_of(page, move[:2], board))
    page.mouse.click(*middle_of(page, move[2:4], board))


def drag_move(page: Page, move: str, board: int = 1) -> None:
    page.mouse.move(*middle_of(page, move[:2], board))
    page.mouse.down()
    page.mouse.move(*middle_of(page, move[2:4], board), steps=5)
    page.mouse.up()


def type_move(page: Page, text: str) -> None:
    field = page.get_by_label("Votre coup", exact=True)
    field.fill(text)
    field.press("Enter")


def tab_to(page: Page, target: Locator) -> None:
    """Go there with the Tab key alone."""
    expect(target).to_be_visible()
    for _ in range(80):
        if target.evaluate("place => place === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {target}")


def key_move(page: Page, text: str) -> None:
    """A move in letters, with nothing but the keyboard."""
    tab_to(page, page.get_by_label("Votre coup", exact=True))
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def shows(page: Page, ply: int, san: str) -> None:
    """The list of moves has a move at its place."""
    expect(page.locator(f'[data-ply="{ply}"]')).to_have_text(san)


def play_typed(white: Page, black: Page, moves: str, first: int = 1) -> None:
    """Moves of both in turn, each seen by both before the next."""
    for ply, move in enumerate(moves.split(), first):
        type_move(white if ply % 2 else black, move)
        for page in (white, black):
            expect(page.locator(f'[data-ply="{ply}"]')).to_be_visible()


def ends_with(page: Page, reason: str) -> None:
    expect(page.get_by_role("region", name="Résultat")).to_contain_text(reason)


def rank_of(page: Page) -> str:
    """One's own rank, as the result prints it."""
    mine = page.locator("[data-seat]", has=page.locator(".chip", has_text="vous")).locator(".name")
    name = re.sub(r"\s+", " ", mine.inner_text()).strip()
    return page.locator("[data-rank]", has_text=name).get_attribute("data-rank") or ""
