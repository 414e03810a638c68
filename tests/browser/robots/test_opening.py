"""Opening a race in the page: boards by picture, several of them, one from a file; and boards that swap."""

from __future__ import annotations

import json

from playwright.sync_api import expect
from tests.browser.mining import table_of
from tests.browser.robots.racing import SHORT, expect_shown, finish_film, make_table, phase
from tests.kit.browsing import Visit


def test_a_visitor_races_a_robot_within_two_clicks(visit: Visit) -> None:
    page = visit("/rules/robots")
    page.get_by_role("button", name="Jouer tout de suite").click()
    table_of(page)
    page.locator("[data-place-send]").click()
    expect(page.locator("[data-phase='programming']")).to_be_visible()


def test_a_race_is_opened_on_two_boards_that_go_together(visit: Visit) -> None:
    page = visit("/lobby/new?game=robots")
    boards = page.locator("[data-board]")
    expect(boards).not_to_have_count(0)
    first = page.locator('[data-board="usine"]')
    first.get_by_role("button", name="Jouer sur ce plateau").click()
    page.locator('[data-board="entrepot"]').get_by_role("button", name="Ajouter").click()
    chosen = page.locator("[data-chosen] li")
    expect(chosen).to_have_count(2)
    page.get_by_role("button", name="Avancer").click()
    expect(chosen.first).to_contain_text("L’entrepôt")
    page.get_by_role("button", name="Ouvrir la table").click()
    table_of(page)
    # Before anybody else has come, the boards of the race are shown.
    pictures = page.get_by_role("img", name="Le plateau")
    expect(pictures).to_have_count(2)
    expect(pictures.first).to_have_attribute("aria-label", "Le plateau «\u00a0L’entrepôt\u00a0»")


def test_a_board_from_a_file_is_checked_and_raced_on(visit: Visit) -> None:
    page = visit("/lobby/new?game=robots&variant=practice")
    file = page.locator('input[type="file"]')
    wrong = {**SHORT, "boardActiveTiles": SHORT["boardActiveTiles"][:2]}
    for content, told in (
        ("{", "ce n’est pas du JSON"),
        ("[1]", "forme d’un plateau"),
        (json.dumps(wrong), "ne peut pas servir"),
    ):
        file.set_input_files({"name": "b.json", "mimeType": "application/json", "buffer": content.encode()})
        expect(page.locator(".trouble", has_text=told)).to_be_visible()
    file.set_input_files(
        {"name": "b.json", "mimeType": "application/json", "buffer": json.dumps(SHORT).encode()}
    )
    expect(page.locator("[data-chosen] li")).to_have_count(1)
    page.get_by_role("button", name="Ouvrir la table").click()
    table_of(page)
    expect(phase(page)).to_have_attribute("data-phase", "placing")
    expect(page.locator('[data-is="loi_r1"]')).to_have_attribute("data-tile", str(5 * 12 + 5))


def test_an_action_tile_swaps_the_boards_before_ones_eyes(visit: Visit) -> None:
    page = visit()
    action = {"tileType": "action", "tileLocX": 12, "tileLocY": 11}
    hole = {"tileType": "nid2poule", "tileLocX": 3, "tileLocY": 3}
    boards = [
        {**SHORT, "boardActiveTiles": [*SHORT["boardActiveTiles"], action]},
        {**SHORT, "boardIdx": 1, "boardActiveTiles": [*SHORT["boardActiveTiles"], hole]},
    ]
    page.goto(f"/tables/{make_table(page, 'practice', boards=boards)}")
    page.get_by_label("Dalle de départ").select_option("143")
    page.get_by_role("radio", name="le nord").locator("..").click()
    page.locator("[data-place-send]").click()
    expect(phase(page)).to_have_attribute("data-phase", "programming")
    expect(page.get_by_text("plateau 1 sur 2")).to_be_visible()
    page.locator('[data-add="Move_Ahead"]').click()
    page.locator("[data-send]").click()
    expect_shown(page, 2)
    finish_film(page)
    expect(page.get_by_text("plateau 2 sur 2")).to_be_visible()
    expect(page.locator('[data-is="nid2poule"]')).to_have_count(1)
    expect(page.locator("[data-line]")).to_contain_text("Le plateau change")
    page.locator('[data-film="previous"]').click()
    expect(page.get_by_text("plateau 1 sur 2")).to_be_visible()
    expect(page.locator('[data-is="action"]')).to_have_count(1)
