"""The round played back: step by step, in words, for who comes late, watches, or sees the game again."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.browser.controls import expect_one_set_of_controls
from tests.browser.robots.racing import (
    SHORT,
    expect_shown,
    expect_started,
    finish_film,
    make_table,
    own,
    own_place,
    phase,
    way,
)
from tests.kit.browsing import MOVING, Visit


def film(page: Page, name: str) -> None:
    page.locator(f'[data-film="{name}"]').click()


def scene(page: Page) -> int:
    return int(page.locator("[data-scene]").get_attribute("data-scene") or 0)


def expect_scene(page: Page, number: int) -> None:
    expect(page.locator("[data-scene]")).to_have_attribute("data-scene", str(number))


def place(page: Page, seat: str = "1") -> str:
    return page.locator(f'g[data-seat="{seat}"]').get_attribute("data-place") or ""


def play_one_round(page: Page, table: int) -> None:
    page.goto(f"/tables/{table}")
    page.locator("[data-place-send]").click()
    expect_started(page, lambda: page.locator("[data-place-send]").click())
    for code in way(own_place(page), 0):
        page.locator(f'[data-add="{code}"]').click()
    page.locator("[data-send]").click()
    expect_shown(page, 2)


def test_a_round_is_played_paused_stepped_through_skipped_and_seen_again(visit: Visit) -> None:
    page = visit(**MOVING)
    page.clock.install()
    play_one_round(page, make_table(page, "practice"))
    finish_film(page)
    there = own_place(page)
    total = scene(page)
    assert total >= 5
    expect_one_set_of_controls(page, forward=1)
    film(page, "first")
    expect_scene(page, 0)
    expect(page.locator("[data-line]")).to_contain_text("les robots se mettent en route")
    start = place(page)
    film(page, "next")
    expect_scene(page, 1)
    expect(page.locator("[data-line]")).to_contain_text("Registre 1")
    # One goes by oneself: the line is spoken. While the film runs it is not.
    expect(page.locator("[data-line]")).to_have_attribute("aria-live", "polite")
    film(page, "previous")
    expect_scene(page, 0)
    assert place(page) == start
    page.locator('[data-film="speed"]').select_option(label="× 0,5")
    # The page's clock stands still here: however slow the machine is, the film does not end in between.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    film(page, "toggle")
    expect(page.locator("[data-line]")).to_have_attribute("aria-live", "off")
    expect_scene(page, 0)
    page.clock.run_for(1_300)
    expect_scene(page, 1)
    film(page, "toggle")
    expect(page.locator('[data-film="toggle"]')).to_have_text("Lire")
    page.clock.run_for(5_000)
    expect_scene(page, 1)
    page.clock.resume()
    # Every step has its line, and a line leads to its step.
    page.get_by_text("Le récit de la manche").click()
    lines = page.locator("[data-account] li")
    expect(lines).to_have_count(total + 1)
    lines.nth(2).get_by_role("button").click()
    expect_scene(page, 2)
    page.locator('[data-film="speed"]').select_option(label="× 4")
    film(page, "toggle")
    expect_scene(page, total)
    expect(page.locator('[data-film="toggle"]')).to_have_text("Revoir")
    assert own_place(page) == there
    # How fast one likes it is kept.
    page.reload()
    expect(page.locator('[data-film="speed"]')).to_have_value("4")


def test_who_comes_later_sees_where_the_robots_are_and_may_see_the_round_again(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "race", "apprentice")
    play_one_round(page, table)
    finish_film(page)
    other = visit(f"/tables/{table}")
    expect(other.locator('[data-film="toggle"]')).to_have_text("Revoir")
    number = own(page).get_attribute("data-number") or ""
    assert place(other, number) == ",".join(str(part) for part in own_place(page))
    expect(other.locator("[data-idle]")).to_contain_text("composent leurs cartouches")
    expect(other.locator("[data-send]")).to_have_count(0)
    film(other, "first")
    expect_scene(other, 0)
    # A round that is played while one watches is shown by itself.
    page.locator("[data-send]").click()
    expect_shown(other, 3)
    expect(other.locator("[data-line]")).not_to_be_empty()
    finish_film(other)
    finish_film(page)
    assert place(other, number) == ",".join(str(part) for part in own_place(page))


def test_a_race_is_seen_again_round_by_round(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "practice", rounds=2)
    play_one_round(page, table)
    finish_film(page)
    after_one = place(page)
    page.locator("[data-send]").click()
    expect(phase(page)).to_have_attribute("data-phase", "over")
    page.goto(f"/tables/{table}/replay")
    # The rounds are marks of the one line, and told scene by scene by the same buttons.
    marks = page.get_by_label("Aller à")
    marks.select_option(label="Manche 1")
    expect(page.locator("[data-scenes]")).not_to_have_attribute("data-scenes", "1")
    assert place(page) == after_one
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".told")).to_contain_text("Registre")
    marks.select_option(label="Départ")
    expect(page.locator("[data-scenes]")).to_have_attribute("data-scenes", "1")
    page.keyboard.press("End")
    expect(page.locator('[data-film="next"]')).to_be_disabled()
    expect(page.locator("[data-send]")).to_have_count(0)


def test_the_board_in_text_says_what_is_around_ones_robot(visit: Visit) -> None:
    page = visit()
    play_one_round(page, make_table(page, "practice"))
    finish_film(page)
    x, y, _ = own_place(page)
    goal = page.locator('[data-is="loi_r1"]')
    expect(goal).to_have_attribute("aria-label", re.compile("votre but$"))
    expect(page.locator('[aria-label*="peut être choisie"]')).to_have_count(0)
    page.get_by_role("button", name="En texte").click()
    twin = page.get_by_role("region", name="Le plateau en texte")
    expect(twin).to_contain_text(f"[{x}, {y}]")
    expect(twin).to_contain_text("Loi 1 : [6, 6]")
    expect(twin.locator("[data-around] li")).to_have_count(4)
    expect(twin.get_by_role("cell", name="Première loi")).to_be_visible()
    expect(page.locator("[data-summary]")).to_have_text(
        re.compile(rf"Manche 1 jouée\. Votre robot\s: \[{x}, {y}\]")
    )


def test_who_was_frozen_sees_by_what_and_what_happens_at_once_is_told_in_sentences(visit: Visit) -> None:
    page = visit()
    crossing = (("murLaser_OE", 10, 10), ("murLaser_NS", 12, 5), ("mur_S", 12, 10))
    tiles = [{"tileType": kind, "tileLocX": x, "tileLocY": y} for kind, x, y in crossing]
    board = {**SHORT, "boardActiveTiles": [*SHORT["boardActiveTiles"], *tiles]}
    page.goto(f"/tables/{make_table(page, 'practice', boards=[board])}")
    page.get_by_label("Dalle de départ").select_option("142")
    page.get_by_role("radio", name="le nord").locator("..").click()
    page.locator("[data-place-send]").click()
    # North twice, then east: there two beams cross, until it freezes. The round after is played at once.
    for code in ("Move_Ahead", "Move_Ahead", "Move_90Right", "Move_Ahead"):
        page.locator(f'[data-add="{code}"]').click()
    page.locator("[data-send]").click()
    expect_shown(page, 3)
    finish_film(page)
    line = page.locator("[data-line]")
    expect(line).to_contain_text("se réveille")
    page.get_by_text("Le récit de la manche").click()
    expect(page.locator("[data-account] li", has_text="laser")).to_have_count(7)
    page.locator("[data-account] li", has_text="laser").nth(1).get_by_role("button").click()
    expect(phase(page)).to_have_text(re.compile("Manche 1"))
    expect(line).to_have_text(re.compile(r"^Registre 3 .*laser.*\. \S.*laser.*\.$"))


def test_robots_do_not_glide_for_who_wants_less_motion(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    play_one_round(page, make_table(page, "practice"))
    finish_film(page)
    glides = page.locator("g[data-seat]").first.evaluate(
        "(robot) => getComputedStyle(robot).transitionDuration"
    )
    assert all(float(part.strip().removesuffix("s")) < 0.001 for part in glides.split(","))
