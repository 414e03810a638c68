"""A game is seen again, step by step, and each step has a link."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.browser.mining import Layout, is_hidden, open_square, square
from tests.browser.test_mines_table import make_table
from tests.kit.browsing import Visit
from tests.kit.process import House


def play_to_the_end(house: House, page: Page) -> int:
    table = make_table(page, 6, 6, 5)
    page.goto(f"/tables/{table}")
    expect(page.get_by_role("grid")).to_be_visible()
    for at in Layout(house, table).safe()[:1]:
        open_square(page, at)
    for at in Layout(house, table).safe():
        if is_hidden(page, at):
            open_square(page, at)
    expect(page.get_by_role("region", name="Fin de la partie")).to_be_visible()
    return table


def hidden_squares(page: Page) -> int:
    return page.locator('[role="gridcell"].hidden').count()


def test_a_finished_game_is_replayed_step_by_step_and_a_link_leads_to_its_step(
    house: House, visit: Visit
) -> None:
    page = visit()
    table = play_to_the_end(house, page)
    page.get_by_role("link", name="Revoir la partie").first.click()
    page.wait_for_url(re.compile(f"/tables/{table}/replay"))
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.locator('[role="gridcell"].hidden')).to_have_count(36)
    steps = []
    for step in (1, 2, 3):
        page.get_by_role("button", name="Suivant").click()
        page.wait_for_url(re.compile(f"step={step}$"))
        steps.append(page.url)
    first_open = Layout(house, table).safe()[0]
    expect(square(page, first_open)).not_to_have_class(re.compile(r"\bhidden\b"))
    seen = hidden_squares(page)
    assert 0 < seen < 36
    other = visit(steps[-1])
    expect(square(other, first_open)).not_to_have_class(re.compile(r"\bhidden\b"))
    assert hidden_squares(other) == seen
    other.keyboard.press("End")
    expect(other.locator('[role="gridcell"].hidden')).to_have_count(0)
    other.keyboard.press("Home")
    expect(other.locator('[role="gridcell"].hidden')).to_have_count(36)
    other.get_by_role("button", name="Lecture").click()
    expect(other.locator('[role="gridcell"].hidden')).to_have_count(0)


def test_a_step_that_does_not_exist_shows_the_last_one(house: House, visit: Visit) -> None:
    page = visit()
    table = play_to_the_end(house, page)
    page.goto(f"/tables/{table}/replay?step=4242")
    expect(page.get_by_text("Cette étape n’existe pas ; voici la dernière.")).to_be_visible()
