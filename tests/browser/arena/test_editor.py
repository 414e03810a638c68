"""The workshop of arenas: a description pasted, mended and tried, with mouse, finger and keyboard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.browser.people import join_club
from tests.kit.browsing import PHONE, Visit
from tests.rules.arena.large import large_text

from tablee.rules.arena.exporting import export
from tablee.rules.arena.loading import load_ours

Json = Any
PUBLISHED = Path(__file__).parents[2] / "rules" / "arena" / "published"


def text_of(*games: tuple[str, Json]) -> str:
    return json.dumps(dict(games), indent=2, ensure_ascii=False)


def crossroads(**board: Json) -> Json:
    """Our small game, with parts of its board changed."""
    described = export(load_ours("crossroads"))
    return {**described, "board": {**described["board"], **board}}


def desk(page: Page) -> Locator:
    return page.get_by_label("Description (JSON)")


def expect_verdict(page: Page, wanted: str) -> None:
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", wanted)


def expect_drawn(page: Page, name: str) -> None:
    expect(page.locator(f"[data-drawn={json.dumps(name, ensure_ascii=False)}] svg")).to_be_visible()


def fault(page: Page, path: str) -> Locator:
    return page.locator(f"[data-fault={json.dumps(path, ensure_ascii=False)}]")


def chosen_text(page: Page) -> str:
    return str(desk(page).evaluate("(area) => area.value.slice(area.selectionStart, area.selectionEnd)"))


def expect_lit(page: Page, *squares: str) -> None:
    """These squares are lit, and no others."""
    expect(page.locator("[data-lit]")).to_have_count(len(squares))
    for square in squares:
        expect(page.locator(f'[data-lit="{square}"]')).to_be_attached()


def test_a_faulty_description_is_mended_drawn_and_tried(visit: Visit) -> None:
    page = visit("/arena/editor")
    expect_verdict(page, "right")
    expect_drawn(page, "mon arène")

    # Everything that is wrong is told at once; the last right drawing stays, marked as such.
    faulty = crossroads(arms_width="trois", arms_colors=["GREEN,PINK,ORANGE", "GREEN,PURPLE,ORANGE"])
    desk(page).fill(text_of(("chez moi", faulty)))
    expect_verdict(page, "faulty")
    width = fault(page, '$["chez moi"].board.arms_width')
    expect(width).to_contain_text('"trois"')
    expect(width).to_contain_text("un entier")
    colour = fault(page, '$["chez moi"].board.arms_colors[0]')
    expect(colour).to_contain_text("une des couleurs GREEN, ORANGE, PURPLE")
    expect(page.locator("[data-old]")).to_be_visible()

    # A fault leads to its place in the text.
    colour.get_by_role("button", name="Ligne").click()
    expect(desk(page)).to_be_focused()
    assert chosen_text(page) == '"GREEN,PINK,ORANGE"'
    width.get_by_role("button", name="Ligne").click()
    assert chosen_text(page) == '"arms_width": "trois"'

    # What is no JSON says where, too.
    desk(page).fill('{\n  "chez moi": {,}\n}')
    expect(fault(page, "$").get_by_role("button", name="Ligne 2")).to_be_visible()

    desk(page).fill(text_of(("chez moi", crossroads())))
    expect_verdict(page, "right")
    expect_drawn(page, "chez moi")
    expect(page.locator("[data-old]")).to_have_count(0)
    expect(page.locator("[data-square]")).to_have_count(84)
    expect(page.locator("[data-measures]")).to_contain_text("84 cases")

    # The draft is there again after a reload.
    page.reload()
    expect_drawn(page, "chez moi")

    # A card is tried: what is lit is what the rules say.
    page.locator("[data-tool=from]").select_option("standard")
    expect_drawn(page, "standard")
    expect(page.locator("[data-remark=name]")).to_be_visible()
    page.get_by_label("Carte", exact=True).select_option("Queen")
    page.get_by_label("Couleur", exact=True).select_option("BLUE")
    page.locator("#square-0-7").click()
    expect(page.locator('[data-seat="1"]')).to_have_attribute("data-place", "0,7")
    expect_lit(page, "0,5", "0,6", "1,7", "1,8")
    # By the keyboard: from square to square, and onto one.
    page.locator('[data-lit="0,6"]').focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator('[data-lit="0,5"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator('[data-seat="1"]')).to_have_attribute("data-place", "0,5")
    expect(page.locator("[data-lit]:focus")).to_have_count(1)

    page.locator("[data-tool=back]").click()
    expect_drawn(page, "chez moi")


def test_a_file_with_two_games_and_a_huge_board_are_shown_on_a_phone(visit: Visit, tmp_path: Path) -> None:
    page = visit("/arena/editor", viewport=PHONE, has_touch=True, is_mobile=True)
    expect_drawn(page, "mon arène")
    two = tmp_path / "deux.json"
    two.write_text(text_of(("petit", crossroads()), ("grand", export(load_ours("crown")))), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(two)
    expect_drawn(page, "petit")
    page.get_by_role("button", name="grand", exact=True).tap()
    expect_drawn(page, "grand")
    expect(page.locator("[data-square]")).to_have_count(330)
    page.locator("#square-2-9").tap()
    expect(page.locator('[data-seat="1"]')).to_have_attribute("data-place", "2,9")
    with page.expect_download() as saved:
        page.locator("[data-tool=save]").tap()
    assert Path(saved.value.path()).read_text("utf-8") == two.read_text("utf-8")

    # A stranger has 5,000 squares, a member as many as a board may have.
    huge = tmp_path / "large.json"
    huge.write_text(large_text())
    page.locator("input[type=file]").set_input_files(huge)
    expect(fault(page, "$.large.board")).to_contain_text("5000 cases au plus en tout")
    join_club(page, "Architecte")
    page.goto("/arena/editor")
    expect_drawn(page, "large")
    expect(page.locator("[data-measures]")).to_contain_text("cases")
    # The ground of so many squares is some hundred shapes.
    assert page.locator(".frame svg path").count() < 2_000
    page.get_by_label("Colonne (x)").fill("399")
    page.get_by_label("Ligne (y)").fill("59")
    expect(page.locator('[data-seat="1"]')).to_have_attribute("data-place", "399,59")
    expect(page.locator("[data-reach]")).to_be_visible()
    page.get_by_role("button", name="Rapprocher").tap()
    expect(page.get_by_role("button", name="Voir tout le plateau")).to_be_enabled()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_left_aside_stands_apart_from_what_is_to_be_mended(visit: Visit) -> None:
    page = visit("/arena/editor")
    text = (PUBLISHED / "with-heroes.json").read_text(encoding="utf-8")
    desk(page).fill(text)
    expect_verdict(page, "right")
    expect(page.locator("[data-warnings]")).to_have_text("12 avertissements")
    aside = page.get_by_role("region", name="Laissé de côté")
    powers = aside.locator('[data-warning="$.powers"]')
    expect(powers).to_contain_text("une de ces clés")
    powers.get_by_role("button", name="Ligne").click()
    assert chosen_text(page).startswith('"powers"')
    expect(page.get_by_role("region", name="À corriger")).to_have_count(0)

    desk(page).fill(text.replace('"number_arms": 4', '"number_arms": 1'))
    expect_verdict(page, "faulty")
    expect(fault(page, "$.board.number_arms")).to_be_visible()
    expect(aside.locator("[data-warning]")).to_have_count(12)
