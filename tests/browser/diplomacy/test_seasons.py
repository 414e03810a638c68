"""The seasons of a game of Diplomacy: results on the map and in words, history, the chart of centres."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.browser.controls import expect_one_set_of_controls
from tests.browser.diplomacy.strait import WEST, open_strait, play_phase, play_war, zone
from tests.browser.people import ask
from tests.kit.browsing import Visit

ALL = 10
"""Phases of the war: seven that were resolved, three in which there was nothing to order."""


def shown(page: Page) -> Locator:
    """The heading of the season that is shown."""
    return page.locator("[data-shown]")


def line(page: Page, text: str) -> Locator:
    return page.locator(".report .line").filter(has=page.locator(".text", has_text=text))


def told(page: Page, table: int, season: int) -> Any:
    return ask(page, "GET", f"/tables/{table}/seasons/{season}")


def go_to(page: Page, table: int, season: int) -> None:
    page.goto(f"/tables/{table}?season={season}")
    expect(page.locator(f'[data-shown="{season}"]')).to_be_visible()


def test_req_260_every_phase_of_a_game_is_shown_on_the_map_with_its_report_beside_it(visit: Visit) -> None:
    page = visit()
    table = play_war(page)
    house = ask(page, "GET", f"/tables/{table}/seasons")["seasons"]
    assert [season["advancement"] for season in house] == list(range(ALL))
    go_to(page, table, 1)
    for info in house:
        season = told(page, table, info["number"])
        expect(page.locator(f'[data-shown="{info["number"]}"]')).to_be_visible()
        expect(page.locator("[data-order]")).to_have_count(len(season["played"]["verdicts"]))
        expect(page.locator(".report [data-verdict]")).to_have_count(len(season["played"]["verdicts"]))
        texts = [each["text"] for each in season["lines"] if each["verdict"] is not None]
        assert page.locator(".report .text").all_inner_texts() == texts
        if info["number"] < ALL:
            page.keyboard.press("ArrowRight")
    expect(shown(page)).to_contain_text("Bilan 1702")


def test_the_map_of_a_season_and_its_controls_are_in_the_window_by_a_link_and_by_its_tab(
    visit: Visit,
) -> None:
    page = visit()
    table = play_war(page)
    for size in ({"width": 1280, "height": 800}, {"width": 1920, "height": 1080}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        go_to(page, table, 4)
        atlas = page.locator(".atlas")
        expect(atlas).to_be_in_viewport(ratio=1)
        expect(page.locator(".controls")).to_be_in_viewport(ratio=1)
        expect_one_set_of_controls(page, forward=1)
        page.get_by_role("tab", name="Ordres").click()
        page.evaluate("scrollTo(0, 0)")
        page.get_by_role("tab", name="Saisons").click()
        expect(atlas).to_be_in_viewport(ratio=1)
        expect(page.locator(".controls")).to_be_in_viewport(ratio=1)


def test_req_260_the_history_is_walked_through_by_keys_buttons_and_links(visit: Visit) -> None:
    page = visit()
    table = play_war(page)
    go_to(page, table, 8)
    expect(shown(page)).to_contain_text("Automne 1702")
    page.keyboard.press("ArrowRight")
    expect(shown(page)).to_contain_text("Hiver 1702")
    page.wait_for_url(re.compile(r"season=9\b"))
    page.keyboard.press("Home")
    expect(shown(page)).to_contain_text("Printemps 1701")
    page.keyboard.press("End")
    expect(shown(page)).to_contain_text("Bilan 1702")
    page.keyboard.press("ArrowLeft")
    expect(shown(page)).to_contain_text("Hiver 1702")
    page.get_by_role("button", name="Dernière saison").click()
    expect(shown(page)).to_contain_text("Bilan 1702")
    page.get_by_role("button", name="Première saison").click()
    expect(shown(page)).to_contain_text("Printemps 1701")
    bar = page.get_by_role("navigation", name="Toutes les saisons")
    expect(bar.get_by_role("link")).to_have_count(ALL)
    bar.get_by_role("link", name="Été 1701 : rien à ordonner").click()
    expect(page.get_by_text("Personne n’avait rien à ordonner")).to_be_visible()
    page.wait_for_url(re.compile(r"season=2\b"))
    page.reload()
    expect(shown(page)).to_contain_text("Été 1701")
    # Somebody who only looks on, in a browser of his own, follows the same link.
    stranger = visit(f"/tables/{table}?season=8")
    expect(shown(stranger)).to_contain_text("Automne 1702")
    stranger.goto(f"/tables/{table}?season=4242")
    expect(stranger.get_by_text("Cette saison n’existe pas ; voici la dernière.")).to_be_visible()
    expect(shown(stranger)).to_contain_text("Bilan 1702")


def test_req_260_a_line_of_the_report_and_its_unit_point_at_each_other_and_a_failure_is_explained(
    visit: Visit,
) -> None:
    page = visit()
    table = play_war(page, 1)
    go_to(page, table, 1)
    failed = line(page, "F AIT - NOR")
    expect(failed).to_contain_text("échec : attaque 1 contre F ZEN - NOR")
    expect(page.locator(".report .line.failed")).to_have_count(2)
    # Without colour: an arrow that fails is drawn otherwise, and said so.
    expect(page.locator(".order.failed")).to_have_count(2)
    expect(page.locator(".order.done")).to_have_count(4)
    expect(page.locator(".stepper [data-step]")).to_have_text("Les 6 ordres · 2 échecs")
    failed.click()
    expect(failed).to_have_attribute("aria-pressed", "true")
    expect(page.locator(f'[data-marked="{zone("ait")}"]')).to_have_count(1)
    page.locator(f'[data-unit="{zone("val")}"]').click()
    expect(line(page, "A VAL - ROC")).to_have_attribute("aria-pressed", "true")
    expect(failed).to_have_attribute("aria-pressed", "false")
    page.get_by_label("Seulement les échecs et les délogées").check()
    expect(page.locator(".report .line")).to_have_count(2)


def test_req_260_a_season_is_told_step_by_step_from_before_to_after(visit: Visit) -> None:
    page = visit()
    table = play_war(page, 6)
    go_to(page, table, 8)
    place = page.get_by_role("group", name="Ce que montre la carte")
    place.get_by_role("button", name="Avant").click()
    expect(page.locator("[data-order]")).to_have_count(0)
    expect(page.locator(f'[data-unit="{zone("ait")}"]')).to_have_count(1)
    page.get_by_role("button", name="Pas suivant").click()
    step = page.locator(".stepper [data-step]")
    expect(step).to_have_text(re.compile(r"Pas 1 sur 2 · Sans conflit\s: 5 ordres"))
    expect(page.locator("[data-order]")).to_have_count(5)
    page.get_by_role("button", name="Pas suivant").click()
    expect(step).to_have_text(re.compile(r"Pas 2 sur 2 · mer du Nord\s: Ouest, Levant"))
    expect(page.locator("[data-order]")).to_have_count(8)
    page.get_by_role("button", name="Pas suivant").click()
    expect(page.locator(f'[data-dislodged="{zone("nor")}"]')).to_have_count(1)
    expect(page.locator(f'[data-unit="{zone("nor")}"]')).to_have_count(1)
    expect(page.locator(f'[data-unit="{zone("ait")}"]')).to_have_count(0)
    # The last step of a season leads into the next one, and back.
    page.get_by_role("button", name="Pas suivant").click()
    expect(shown(page)).to_contain_text("Hiver 1702")
    expect(step).to_have_text(re.compile("Pas 1 sur 1"))
    place.get_by_role("button", name="Avant").click()
    page.get_by_role("button", name="Pas précédent").click()
    expect(shown(page)).to_contain_text("Automne 1702")
    expect(step).to_have_text(re.compile("Pas 2 sur 2"))
    expect(page.locator("[data-order]")).to_have_count(8)
    page.get_by_label("Par", exact=True).select_option(label="puissance")
    place.get_by_role("button", name="Avant").click()
    page.get_by_label("Vitesse").select_option(label="× 4")
    page.get_by_role("group", name="Pas à pas").get_by_role("button", name="Pas à pas").click()
    expect(page.locator(f'[data-dislodged="{zone("nor")}"]')).to_have_count(1)
    expect(place.get_by_role("button", name="Après")).to_have_attribute("aria-pressed", "true")


def test_req_260_centres_through_the_years_are_those_of_the_house(visit: Visit) -> None:
    page = visit()
    table = play_war(page)
    centres = ask(page, "GET", f"/tables/{table}/seasons")["centres"]
    assert [year["year"] for year in centres] == [1700, 1701, 1702]
    chart = page.get_by_role("region", name="Centres au fil des années")
    # The chart goes with the season that is shown; what was before the first year is pointed at.
    for season, year in ((10, centres[2]), (5, centres[1]), (None, centres[0])):
        if season is None:
            chart.get_by_role("img").hover(position={"x": 31, "y": 100})
        else:
            go_to(page, table, season)
        expect(chart.locator(f'[data-year="{year["year"]}"]')).to_be_visible()
        for role, count in year["counts"].items():
            expect(chart.locator(f'[data-role="{role}"]')).to_have_attribute("data-count", str(count))
    expect(chart.get_by_text("Victoire :")).to_be_visible()
    chart.get_by_text("La même chose en tableau").click()
    row = chart.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Ouest"))
    assert row.get_by_role("cell").all_inner_texts() == [str(y["counts"][str(WEST)]) for y in centres]


def test_a_season_that_is_resolved_is_announced_and_its_result_offered(visit: Visit) -> None:
    page = visit()
    table = open_strait(page)
    page.goto(f"/tables/{table}")
    looker = visit(f"/tables/{table}")
    expect(looker.locator("[data-unit]")).to_have_count(6)
    play_phase(page, table, 0)
    news = looker.locator("[data-resolved]")
    expect(news).to_contain_text("Printemps 1701 : la saison est résolue.")
    news.get_by_role("button", name="Voir le résultat").click()
    expect(shown(looker)).to_contain_text("Printemps 1701")
    expect(line(looker, "F AIT - NOR")).to_contain_text("échec")
    # Who looks at the newest season is taken along to the next one.
    play_phase(page, table, 1)
    expect(shown(looker)).to_contain_text("Automne 1701")


def test_a_position_that_the_master_has_set_is_in_the_history_as_such(visit: Visit) -> None:
    master, page = visit(), visit()
    table = open_strait(master, mastered=True)
    situation = {"ownerships": {}, "units": [[WEST, 1, zone("dun")]], "dislodged": [], "forbiddens": []}
    action = {"do": "set_position", "advancement": 2, "situation": situation}
    ask(master, "POST", f"/tables/{table}/play", {"action": action, "request_id": "set"})
    go_to(page, table, 1)
    bar = page.get_by_role("navigation", name="Toutes les saisons")
    expect(bar.get_by_role("link")).to_have_text(["A Automne 1701 : position rectifiée par l’arbitre"])
    expect(page.get_by_text("L’arbitre a rectifié la position.").first).to_be_visible()
    expect(page.locator("[data-unit]")).to_have_count(1)
    page.get_by_role("button", name="Avant").click()
    expect(page.locator("[data-unit]")).to_have_count(6)


def test_the_report_is_taken_away_as_text(visit: Visit) -> None:
    page = visit()
    table = play_war(page, 1)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    go_to(page, table, 1)
    page.get_by_role("button", name="Copier le compte rendu").click()
    expect(page.get_by_text("Compte rendu copié.")).to_be_visible()
    report = told(page, table, 1)["report"]
    assert page.evaluate("navigator.clipboard.readText()") == report
    assert "Mouvements printemps 1701" in report
    page.get_by_role("button", name="Copier le lien").click()
    expect(page.get_by_text("Lien copié.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_the_film_goes_from_season_to_season_and_through_its_conflicts(visit: Visit) -> None:
    page = visit()
    table = play_war(page)
    page.goto(f"/tables/{table}/replay?as=spectator")
    expect(page.locator("[data-unit]")).to_have_count(6)
    expect(page.locator("[data-order]")).to_have_count(0)
    told = page.locator(".told")
    for season in ("Printemps 1701", "Automne 1701", "Bilan 1701", "Printemps 1702", "Automne 1702"):
        page.keyboard.press("PageDown")
        expect(told).to_contain_text(season)
        expect(page.locator("[data-order]").first).to_be_attached()
    # The fleet that is thrown out stands out.
    expect(page.locator("[data-accent]")).to_have_text("Unité délogée")
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("La position après.")
    page.keyboard.press("PageUp")
    expect(told).to_contain_text("Printemps 1702")
    # What became of every order stands beside the map.
    expect(page.locator("[data-verdict]").first).to_be_visible()
