"""Every game has one film: one set of controls, the board inside the window, a link to each step."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.controls import expect_one_set_of_controls
from tests.browser.finished import BOARDS, GAMES, chess, mines
from tests.browser.people import ask
from tests.kit.browsing import Visit

SIZES = [{"width": 1280, "height": 800}, {"width": 1920, "height": 1080}, {"width": 390, "height": 844}]

LOOKS_BACK = {"chess": "", "diplomacy": "?season=4"}
"""Where a table itself goes back through its game: to analyse it, or for the report of a season."""


def expect_board_inside(page: Page, game: str) -> None:
    """All of the board is to be seen at once, above the line of the film."""
    board = page.locator("[data-stage]").locator(BOARDS[game]).first
    expect(board).to_be_visible()
    box, bar = board.bounding_box(), page.locator("section.bar").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= bar["y"] + 1, (game, page.viewport_size, box, bar)
    assert box["x"] + box["width"] <= page.viewport_size["width"]  # type: ignore[index]
    assert bar["y"] + bar["height"] <= page.viewport_size["height"] + 1  # type: ignore[index]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_one_film_with_its_board_inside_the_window(visit: Visit, game: str) -> None:
    page, table = GAMES[game](visit)
    page.goto(f"/tables/{table}/replay")
    for size in SIZES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect_board_inside(page, game)
    marks = page.locator('[data-film="mark"]')
    if marks.count():  # on a telephone, too, one reads to which season or round one goes
        box = marks.bounding_box()
        assert box is not None
        assert box["width"] >= 60
    expect(page.locator("[data-timeline]")).to_have_count(1)
    expect(page.locator('[data-film="toggle"]')).to_have_count(1)
    expect(page.locator("[data-curves]")).to_have_count(1)
    expect_one_set_of_controls(page, forward=1)
    # Every step forward, by the keyboard alone, up to the last; and back to the first at once.
    last = page.locator("[data-scenes]")
    for _ in range(120):
        if page.locator('[data-film="next"]').is_disabled():
            break
        before = (last.get_attribute("data-place"), last.get_attribute("data-scene"))
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "([place, scene]) => { const now = document.querySelector('[data-scenes]').dataset;"
            " return now.place !== place || now.scene !== scene; }",
            arg=list(before),
        )
    expect(page.locator('[data-film="next"]')).to_be_disabled()
    expect_board_inside(page, game)
    page.keyboard.press("Home")
    expect(last).to_have_attribute("data-place", "0")
    page.keyboard.press("PageDown")
    expect(last).not_to_have_attribute("data-place", "0")
    # Played by itself to the end, as fast as it goes.
    page.keyboard.press("Home")
    page.get_by_label("Vitesse").select_option("8")
    page.get_by_role("button", name="Lecture").click()
    expect(page.locator('[data-film="next"]')).to_be_disabled()
    # The table of a finished game has none of its own, and leads here.
    page.goto(f"/tables/{table}")
    expect(page.get_by_role("link", name="Revoir la partie")).to_be_visible()
    expect(page.locator("[data-film]")).to_have_count(0)
    if game in LOOKS_BACK:
        page.goto(f"/tables/{table}{LOOKS_BACK[game]}")
    expect_one_set_of_controls(page, forward=1 if game in LOOKS_BACK else 0)


def test_a_link_leads_to_its_step_and_one_that_does_not_exist_to_the_last(visit: Visit) -> None:
    page, table = chess(visit)
    page.goto(f"/tables/{table}/replay?step=4")
    board = page.locator('[data-board="1"]')
    expect(board).to_have_attribute("data-placement", re.compile("^r1bqkbnr|^rnbqkbnr"))
    shown = board.get_attribute("data-placement") or ""
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("step=5"))
    link = page.url
    after = board.get_attribute("data-placement") or ""
    assert after != shown
    other = visit(link)
    expect(other.locator('[data-board="1"]')).to_have_attribute("data-placement", after)
    other.keyboard.press("End")
    expect(other.locator("[data-accent]")).to_have_text("Mat")
    other.goto(f"/tables/{table}/replay?step=4242")
    expect(other.get_by_text("Cette étape n’existe pas ; voici la dernière.")).to_be_visible()


def test_a_step_is_taken_along_as_a_file_that_other_programs_open(
    visit: Visit, browser: Browser, tmp_path: Path
) -> None:
    page, table = mines(visit)
    page.goto(f"/tables/{table}/replay?step=3")
    with page.expect_download() as started:
        page.locator("[data-picture]").click()
    started.value.save_as(tmp_path / "step.svg")
    drawn = ElementTree.parse(tmp_path / "step.svg").getroot()
    assert len(drawn.findall("{http://www.w3.org/2000/svg}rect")) > 36
    # A browser that never saw the page paints it from the disk.
    alone = browser.new_page()
    alone.goto((tmp_path / "step.svg").as_uri())
    box = alone.locator("svg").first.bounding_box()
    alone.close()
    assert box is not None
    assert box["width"] == 144


def test_a_link_shows_a_picture_to_programs_that_ask_for_one(visit: Visit) -> None:
    page, table = chess(visit)
    found = page.request.get(f"/tables/{table}/replay?step=3", headers={"Accept": "*/*"})
    head = found.text()
    picture = re.search(r'property="og:image" content="([^"]+)"', head)
    assert picture is not None
    assert 'property="og:title"' in head
    path = picture[1].replace("&amp;", "&")
    painted = page.request.get(path[path.index("/api/") :])
    assert painted.headers["content-type"] == "image/png"
    assert painted.body().startswith(b"\x89PNG")


def test_a_finished_game_is_played_on_from_a_step(visit: Visit) -> None:
    page, table = chess(visit)
    page.goto(f"/tables/{table}/replay?step=4")
    page.locator("[data-resume]").click()
    page.locator("[data-resume-start]").click()
    page.wait_for_url(re.compile(r"/tables/\d+$"))
    assert not page.url.endswith(f"/{table}")
    expect(page.locator('[data-ply="3"]')).to_be_visible()
    new = int(page.url.rsplit("/", 1)[1])
    # Three half-moves are played, so the robot of the other seat has the turn, and goes on.
    expect(page.locator('[data-ply="4"]')).to_be_visible()
    info = ask(page, "GET", f"/tables/{new}")
    assert (info["rated"], info["seats"][1]["robot"]) == (False, "beginner")


def test_what_happened_while_one_was_away_is_shown_first(visit: Visit) -> None:
    page, table = chess(visit)
    film = ask(page, "GET", f"/tables/{table}/film?as=seat")
    # The house says where he left: here it is told for it, since nobody waits half an hour for a test.
    page.route(
        re.compile(rf"/api/v1/tables/{table}/film\?.*as=seat"),
        lambda route: route.fulfill(json={**film, "since": 5}),
    )
    page.goto(f"/tables/{table}")
    page.wait_for_url(re.compile(r"/replay\?"))
    expect(page.locator("[data-since]")).to_have_text(re.compile("Depuis votre dernière visite · 3 étapes"))
    expect(page.locator('[data-film="next"]')).to_be_disabled()
    # Seen once, the table itself comes up.
    page.get_by_role("link", name="À la table").click()
    page.wait_for_url(re.compile(rf"/tables/{table}$"))
    expect(page.get_by_role("region", name="Résultat")).to_be_visible()
    assert page.url.endswith(f"/tables/{table}")
