"""The sixth game in a browser: it brings no page, and is played on the plain board all the same."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect
from tests.browser.people import ask, join_club
from tests.browser.stillness import Screens
from tests.browser.test_every_screen import AXE, EXAMINATIONS, SMALL_TARGETS, faults, show_theme
from tests.kit.browsing import PATIENCE, PHONE, Visit
from tests.kit.process import House
from tests.kit.waiting import wait_until
from tests.sixth_game.players import best_column

TURN = "À vous de jouer."


def grid(page: Page) -> list[str]:
    """The board as the page shows it, a letter a square."""
    rows = page.locator("[data-rows=rows] tbody tr").all()
    return [
        "".join(square.get_attribute("data-letter") or "" for square in row.locator("td").all())
        for row in rows
    ]


def sit_down(page: Page) -> None:
    """From the first page to a board against a robot, in two clicks."""
    page.get_by_role("button", name="Puissance 4", exact=True).click()
    page.get_by_role("button", name="Jouer tout de suite").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator(".state")).to_contain_text(TURN)
    expect(page.locator("[data-moves] button:enabled").first).to_be_visible()


def play(page: Page, column: int) -> None:
    """Play, and wait until it is one's turn again or all is over."""
    before = "".join(grid(page)).count(".")
    page.get_by_role("button", name=f"Colonne {column}", exact=True).click()
    page.wait_for_function(
        "before => document.querySelectorAll('[data-letter=\".\"]').length <= before - 2"
        " || !document.querySelector('[data-moves]')",
        arg=before,
    )


def play_to_the_end(page: Page) -> None:
    while page.locator("[data-moves]").count():
        expect(
            page.locator("[data-moves] button:enabled").first.or_(page.locator("[data-outcome]"))
        ).to_be_visible()
        if page.locator("[data-moves]").count():
            play(page, best_column(grid(page), 1))


def test_a_visitor_plays_it_to_the_end_against_its_robot_and_sees_it_again(visit: Visit) -> None:
    page = visit("/")
    sit_down(page)
    play_to_the_end(page)
    expect(page.get_by_text("Quatre jetons alignés")).to_be_visible()
    expect(page.get_by_text("Débutant joue en colonne").first).to_be_visible()
    page.get_by_role("link", name=re.compile("Revoir")).first.click()
    expect(page.locator("[data-step]")).to_be_visible()
    expect(page.locator("[data-rows=rows] [data-letter='.']")).to_have_count(42)
    page.get_by_role("button", name="Fin", exact=True).click()
    expect(page.locator("[data-letter=X]").nth(3)).to_be_visible()
    expect(page.locator("[data-moves]")).to_have_count(0)
    # It has the film of every game for nothing, and a picture; that it cannot be played on, it says itself.
    expect(page.locator("[data-timeline]")).to_have_count(1)
    expect(page.locator("[data-resume]")).to_have_count(0)
    with page.expect_download() as started:
        page.locator("[data-picture]").click()
    assert started.value.path().read_text().count("<text") >= 7


def test_somebody_else_watches_it_in_english(visit: Visit) -> None:
    page = visit("/")
    sit_down(page)
    other = visit(urlsplit(page.url).path)
    other.get_by_role("button", name="English").click()
    expect(other.locator("[data-rows=rows]")).to_be_visible()
    expect(other.locator("[data-moves]")).to_have_count(0)
    play(page, 4)
    expect(other.locator("[data-letter=X]")).to_have_count(1)
    expect(other.get_by_text(re.compile(r"plays column 4\.")).first).to_be_visible()
    expect(other.get_by_role("heading", name="The game in words")).to_be_visible()


def test_it_is_played_with_the_keyboard_alone_and_read_as_a_table(visit: Visit) -> None:
    page = visit("/")
    sit_down(page)
    page.get_by_role("button", name="Colonne 3", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[data-letter=X]")).to_have_count(1)
    expect(page.get_by_role("table", name="Grille")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Colonne 4")).to_be_attached()
    expect(page.get_by_role("rowheader", name="Ligne 6")).to_be_attached()


def test_nothing_on_its_screens_is_hard_to_see_or_to_hear(visit: Visit) -> None:
    page = visit("/", bypass_csp=True)
    sit_down(page)
    play(page, 4)
    found = {}
    for path in (page.url, "/rules/puissance4", "/lobby/new?game=puissance4"):
        page.goto(path)
        page.locator("h1").wait_for()
        page.add_script_tag(path=AXE)
        for theme, examination in EXAMINATIONS:
            show_theme(page, theme)
            found[f"{path}, {theme}"] = faults(page, examination)
    assert {path: each for path, each in found.items() if each} == {}


def test_on_a_phone_it_fits_and_a_finger_finds_every_button(visit: Visit) -> None:
    page = visit("/", viewport=PHONE, is_mobile=True, has_touch=True)
    sit_down(page)
    play(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate(
        "document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth"
    )
    assert page.evaluate(SMALL_TARGETS) == []


def test_its_board_stands_still_from_the_first_move_to_the_last(visit: Visit) -> None:
    page = visit()
    join_club(page, "Quatre-immobile")
    wanted = {"game": "puissance4", "variant": "classic", "name": "Sans trembler", "robots": ["novice"]}
    table = int(ask(page, "POST", "/tables", wanted)["id"])
    screens = Screens(
        visit, "Quatre-immobile", table,
        board="[data-rows=rows]", status="p.state", button="[data-moves] button",
    )  # fmt: skip

    def see() -> Any:
        return ask(page, "GET", f"/tables/{table}/view")

    while (now := see())["waiting"]:
        column = best_column(list(now["view"]["rows"]), now["seat"])
        move = {"action": {"do": "drop", "column": column}, "request_id": str(now["version"])}
        ask(page, "POST", f"/tables/{table}/play", move)
        wait_until(lambda: see()["waiting"] in ([], [now["seat"]]), "the robot's move")
    screens.expect("[data-result]")
    screens.check()
    screens.expect_result("Quatre jetons alignés")


def test_a_table_of_ones_own_with_its_options_is_opened_from_the_form(visit: Visit) -> None:
    page = visit("/lobby/new?game=puissance4")
    page.get_by_label("Largeur").fill("5")
    page.get_by_label("Hauteur").fill("4")
    page.get_by_role("button", name=re.compile("Ouvrir|Créer")).last.click()
    page.wait_for_url("**/tables/*")
    expect(page.get_by_text("Puissance 4").first).to_be_visible()


def test_its_rules_are_read_from_its_words(house: House, visit: Visit) -> None:
    page = visit("/rules/puissance4")
    expect(page.get_by_text("Qui aligne le premier quatre de ses jetons")).to_be_visible(timeout=PATIENCE)
    page.goto("/rules/whist")
    expect(page.get_by_text("La maison ne connaît pas ce jeu.")).to_be_visible()
