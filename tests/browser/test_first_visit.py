"""Somebody opens the page for the first time."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.mining import Layout, open_square, table_of
from tests.kit.browsing import Visit
from tests.kit.process import House


def test_a_visitor_plays_within_two_clicks_of_the_first_page(house: House, visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Jouer tout de suite").click()
    table = table_of(page)
    expect(page.get_by_role("grid")).to_be_visible()
    safe = Layout(house, table).safe()[0]
    open_square(page, safe)
    expect(page.locator("[data-seat] .chip", has_text="vous")).to_be_visible()


def test_a_visitor_who_signs_up_keeps_the_game(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Jouer tout de suite").click()
    table = table_of(page)
    expect(page.get_by_role("grid")).to_be_visible()
    page.get_by_role("link", name="Créer un compte").first.click()
    page.get_by_label("Pseudo").fill("Nouvelle")
    page.get_by_label("Mot de passe", exact=True).fill("une bonne phrase")
    page.get_by_label("Le mot de passe, encore une fois").fill("une bonne phrase")
    page.get_by_role("button", name="Créer mon compte").click()
    expect(page.get_by_role("link", name="Nouvelle", exact=True).first).to_be_visible()
    page.goto(f"/tables/{table}")
    mine = page.locator("[data-seat]", has=page.locator(".chip", has_text="vous"))
    expect(mine).to_contain_text("Nouvelle")


def test_a_visitor_speaks_at_the_table_and_is_heard(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Jouer tout de suite").click()
    table = table_of(page)
    other = visit(f"/tables/{table}")
    page.get_by_label("Votre message").fill("Bonjour à toute la table")
    page.get_by_role("button", name="Envoyer", exact=True).click()
    for each in (page, other):
        expect(each.get_by_role("log")).to_contain_text("Bonjour à toute la table")
    expect(other.locator(".state")).to_contain_text("Vous regardez")


def test_the_page_is_in_english_one_click_away_and_stays_so(visit: Visit) -> None:
    page = visit("/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("button", name="Play at once")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Play at once")).to_be_visible()


def test_the_browser_of_the_visitor_says_in_which_language_the_page_begins(visit: Visit) -> None:
    expect(visit("/", locale="en-GB").get_by_role("button", name="Play at once")).to_be_visible()
    expect(visit("/", locale="de-DE").get_by_role("button", name="Jouer tout de suite")).to_be_visible()


def test_both_games_are_on_the_first_page_and_can_be_opened(visit: Visit) -> None:
    page = visit("/")
    for game in ("Démineur", "Diplomatie"):
        expect(page.get_by_role("heading", name=game, exact=True)).to_be_visible()
    page.goto("/lobby/new?game=diplomacy")
    expect(page.get_by_text("Une soirée sur la Lagune")).to_be_visible()


def test_a_visitor_sits_down_against_six_robots_at_a_map(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Diplomatie", exact=True).click()
    expect(page.get_by_text("Diplomatie, contre 6 robots")).to_be_visible()
    page.get_by_role("button", name="Jouer tout de suite").click()
    table_of(page)
    expect(page.get_by_role("group", name="Carte", exact=True)).to_be_visible()
    expect(page.locator(".map g[data-unit]:not([data-pick])")).to_have_count(22)


def test_an_address_that_leads_nowhere_says_so(visit: Visit) -> None:
    page = visit("/nulle/part")
    expect(page.get_by_role("heading", name="Rien ici")).to_be_visible()
    page.get_by_role("link", name="Retour à l’accueil").click()
    expect(page.get_by_role("button", name="Jouer tout de suite")).to_be_visible()
