"""An account from its first day to its last, in the page."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.browser.browsing import Complaints, newest_code
from tests.browser.conftest import Visit
from tests.browser.people import PASSWORD, log_in, sign_up
from tests.houses import House


def log_out(page: Page) -> None:
    page.get_by_role("button", name="Se déconnecter").click()
    expect(page.get_by_role("link", name="Se connecter").first).to_be_visible()


def test_somebody_signs_up_confirms_the_address_logs_out_and_in(house: House, visit: Visit) -> None:
    page = visit("/")
    sign_up(page, "Margot", "margot@example.org")
    page.get_by_label("Code reçu par courrier électronique").fill(newest_code(house, "margot@example.org"))
    page.get_by_role("button", name="Confirmer").click()
    expect(page.get_by_text("Votre adresse est confirmée.")).to_be_visible()
    log_out(page)
    log_in(page, "margot@example.org")
    page.goto("/account")
    expect(page.get_by_text("confirmée", exact=True)).to_be_visible()


def test_a_forgotten_password_is_replaced_with_the_code_of_a_letter(house: House, visit: Visit) -> None:
    page = visit("/")
    sign_up(page, "Distrait", "distrait@example.org")
    log_out(page)
    first = newest_code(house, "distrait@example.org")
    page.goto("/account/login")
    page.get_by_role("link", name="Mot de passe oublié ?").click()
    page.get_by_label("Adresse électronique").fill("distrait@example.org")
    page.get_by_role("button", name="Envoyer le code").click()
    expect(page.get_by_text("Si un compte a l’adresse")).to_be_visible()
    code = first
    while code == first:
        code = newest_code(house, "distrait@example.org")
    page.get_by_label(re.compile("^Code")).fill(code)
    page.get_by_label("Nouveau mot de passe", exact=True).fill("une autre phrase")
    page.get_by_label("Le mot de passe, encore une fois").fill("une autre phrase")
    page.get_by_role("button", name="Changer le mot de passe").click()
    expect(page.get_by_role("button", name="Se déconnecter")).to_be_visible()
    log_out(page)
    log_in(page, "Distrait", "une autre phrase")


def test_passwords_are_hidden_and_typed_twice(visit: Visit) -> None:
    page = visit("/account/new")
    first = page.get_by_label("Mot de passe", exact=True)
    again = page.get_by_label("Le mot de passe, encore une fois")
    for field in (first, again):
        expect(field).to_have_attribute("type", "password")
    page.get_by_label("Pseudo").fill("Étourdie")
    first.fill("une bonne phrase")
    again.fill("une bonne phrasr")
    page.get_by_role("button", name="Créer mon compte").click()
    expect(page.get_by_text("Les deux mots de passe ne sont pas les mêmes.")).to_be_visible()
    expect(page).to_have_url(re.compile("/account/new$"))


def test_what_the_house_refuses_is_said_at_its_field(visit: Visit, complaints: Complaints) -> None:
    complaints.expect(r"Failed to load resource.*(409|400|401)")
    page = visit("/")
    sign_up(page, "Unique")
    log_out(page)
    page.goto("/account/new")
    page.get_by_label("Pseudo").fill("unique")
    page.get_by_label("Mot de passe", exact=True).fill(PASSWORD)
    page.get_by_label("Le mot de passe, encore une fois").fill(PASSWORD)
    page.get_by_role("button", name="Créer mon compte").click()
    field = page.get_by_label("Pseudo")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("déjà pris")).to_be_visible()
    page.goto("/account/login")
    page.get_by_label("Pseudo ou adresse électronique").fill("Unique")
    page.get_by_label("Mot de passe", exact=True).fill("pas le bon")
    page.get_by_role("main").get_by_role("button", name="Se connecter").click()
    expect(page.get_by_role("main").get_by_text("mot de passe n’est pas le bon")).to_be_visible()


def test_the_login_leads_back_to_where_one_was_but_to_no_other_site(visit: Visit) -> None:
    page = visit("/")
    sign_up(page, "Retour")
    for asked, end in (("/ranking", "/ranking"), ("//example.org/", "/"), ("https://example.org/", "/")):
        log_out(page)
        page.goto(f"/account/login?next={asked}")
        page.get_by_label("Pseudo ou adresse électronique").fill("Retour")
        page.get_by_label("Mot de passe", exact=True).fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Se connecter").click()
        expect(page.get_by_role("button", name="Se déconnecter")).to_be_visible()
        expect(page).to_have_url(re.compile(f"^http://127.0.0.1:\\d+{end}$"))


def test_the_password_is_changed_and_the_account_is_deleted(visit: Visit, complaints: Complaints) -> None:
    complaints.expect(r"Failed to load resource.*401")
    page = visit("/")
    sign_up(page, "Passager")
    page.goto("/account")
    section = page.get_by_role("region", name="Mot de passe")
    section.get_by_label("Mot de passe actuel").fill(PASSWORD)
    section.get_by_label("Nouveau mot de passe", exact=True).fill("encore une autre")
    section.get_by_label("Le mot de passe, encore une fois").fill("encore une autre")
    section.get_by_role("button", name="Changer le mot de passe").click()
    expect(page.get_by_text("Le mot de passe est changé.").first).to_be_visible()
    log_out(page)
    log_in(page, "Passager", "encore une autre")
    page.goto("/account")
    farewell = page.get_by_role("region", name="Supprimer le compte")
    farewell.get_by_role("button").last.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Mot de passe actuel").fill("encore une autre")
    dialog.get_by_role("button", name=re.compile("Supprimer")).click()
    expect(page.get_by_role("link", name="Se connecter").first).to_be_visible()
    page.goto("/account/login")
    page.get_by_label("Pseudo ou adresse électronique").fill("Passager")
    page.get_by_label("Mot de passe", exact=True).fill("encore une autre")
    page.get_by_role("main").get_by_role("button", name="Se connecter").click()
    expect(page.get_by_role("main").get_by_text("mot de passe n’est pas le bon")).to_be_visible()


def test_settings_change_the_page_at_once_and_follow_the_account(visit: Visit) -> None:
    page = visit("/")
    sign_up(page, "Nuit")
    page.goto("/settings")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_label("Sombre").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    elsewhere = visit("/")
    expect(elsewhere.locator("html")).to_have_attribute("data-theme", "light")
    log_in(elsewhere, "Nuit")
    expect(elsewhere.locator("html")).to_have_attribute("data-theme", "dark")
