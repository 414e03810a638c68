"""An account from its first day to its last, in the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from tests.browser.furnishing import Somebody
from tests.browser.people import PASSWORD, join_club, log_in, sign_up
from tests.kit.browsing import Complaints, Visit, newest_code
from tests.kit.process import House


def log_out(page: Page) -> None:
    page.get_by_role("button", name="Se déconnecter").click()
    expect(page.get_by_role("link", name="Se connecter").first).to_be_visible()


def refused(page: Page, name: str, password: str) -> None:
    """This name and this password let nobody in."""
    page.goto("/account/login")
    page.get_by_label("Pseudo ou adresse électronique").fill(name)
    page.get_by_label("Mot de passe", exact=True).fill(password)
    page.get_by_role("main").get_by_role("button", name="Se connecter").click()
    expect(page.get_by_role("main").get_by_text("mot de passe n’est pas le bon")).to_be_visible()


def fill_in(page: Page | Locator, details: dict[str, str]) -> None:
    """Every parameter of a player but the password, by what the page calls it."""
    for label, text in details.items():
        field = page.get_by_label(re.compile(f"^{label}"))
        if label in ("Pays", "Fuseau horaire"):
            field.select_option(text)
        else:
            field.fill(text)


def filled_in(page: Page | Locator, details: dict[str, str]) -> None:
    for label, text in details.items():
        expect(page.get_by_label(re.compile(f"^{label}"))).to_have_value(text)


def test_req_10_an_account_is_made_with_every_parameter_of_a_player(visit: Visit) -> None:
    page = visit("/account/new")
    details = {
        "Pseudo": "Complète",
        "Pays": "BEL",
        "Fuseau horaire": "UTC + 1",
        "Prénom": "Paule",
        "Nom": "Delvaux",
        "Téléphone": "+3225550100",
    }
    page.get_by_text("Autres renseignements, facultatifs").click()
    page.get_by_label("Mot de passe", exact=True).fill(PASSWORD)
    page.get_by_label("Le mot de passe, encore une fois").fill(PASSWORD)
    page.get_by_label("Adresse électronique").fill("complete@example.org")
    fill_in(page, details)
    page.get_by_role("button", name="Créer mon compte").click()
    expect(page.get_by_text("Bienvenue, Complète !")).to_be_visible()
    page.goto("/account")
    filled_in(page.get_by_role("region", name="Identité"), details)
    address = page.get_by_role("region", name="Adresse électronique")
    expect(address).to_contain_text("complete@example.org")
    expect(address.get_by_text("à confirmer")).to_be_visible()


def test_req_20_every_parameter_of_an_account_is_changed(visit: Visit) -> None:
    page = visit()
    join_club(page, "Avant")
    page.goto("/account")
    details = {
        "Pseudo": "Après",
        "Pays": "CHE",
        "Fuseau horaire": "UTC + 2",
        "Prénom": "Jeanne",
        "Nom": "Rochat",
        "Téléphone": "0102030405",
    }
    identity = page.get_by_role("region", name="Identité")
    fill_in(identity, details)
    identity.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_text("C’est enregistré.")).to_be_visible()
    address = page.get_by_role("region", name="Adresse électronique")
    address.locator("summary").click()
    address.get_by_label("Nouvelle adresse").fill("apres@example.org")
    address.get_by_label("Mot de passe actuel").fill(PASSWORD)
    address.get_by_role("button", name="Changer l’adresse").click()
    expect(page.get_by_text("L’adresse est changée. Un code vient d’y partir.")).to_be_visible()
    page.reload()
    filled_in(identity, details)
    expect(address).to_contain_text("apres@example.org")
    identity.get_by_label("Langue").select_option("en")
    identity.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_role("heading", name="My account")).to_be_visible()


def test_req_30_the_address_is_confirmed_by_the_code_of_the_letter(
    house: House, visit: Visit, complaints: Complaints
) -> None:
    complaints.expect(r"Failed to load resource.*40\d")
    page = visit()
    sign_up(page, "Margot", "margot@example.org")
    right = newest_code(house, "margot@example.org")
    code = page.get_by_label("Code reçu par courrier électronique")
    code.fill("000000" if right != "000000" else "111111")
    page.get_by_role("button", name="Confirmer").click()
    expect(code).to_have_attribute("aria-invalid", "true")
    code.fill(right)
    page.get_by_role("button", name="Confirmer").click()
    expect(page.get_by_text("Votre adresse est confirmée.")).to_be_visible()
    log_out(page)
    log_in(page, "margot@example.org")
    page.goto("/account")
    expect(page.get_by_text("confirmée", exact=True)).to_be_visible()


def test_a_forgotten_password_is_replaced_with_the_code_of_a_letter(house: House, visit: Visit) -> None:
    Somebody(house, "Distrait", email="distrait@example.org")
    first = newest_code(house, "distrait@example.org")
    page = visit("/account/login")
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


def test_req_50_passwords_are_hidden_and_new_ones_typed_twice(visit: Visit) -> None:
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
    again.fill("une bonne phrase")
    page.get_by_role("button", name="Créer mon compte").click()
    expect(page.get_by_text("Bienvenue, Étourdie !")).to_be_visible()
    page.goto("/account")
    change = page.get_by_role("region", name="Mot de passe")
    for label in ("Mot de passe actuel", "Nouveau mot de passe", "Le mot de passe, encore une fois"):
        expect(change.get_by_label(label, exact=True)).to_have_attribute("type", "password")
    change.get_by_label("Mot de passe actuel").fill("une bonne phrase")
    change.get_by_label("Nouveau mot de passe", exact=True).fill("une autre phrase")
    change.get_by_label("Le mot de passe, encore une fois").fill("une autre phrasr")
    change.get_by_role("button", name="Changer le mot de passe").click()
    expect(change.get_by_text("Les deux mots de passe ne sont pas les mêmes.")).to_be_visible()
    log_out(page)
    log_in(page, "Étourdie", "une bonne phrase")


def test_what_the_house_refuses_is_said_at_its_field(
    house: House, visit: Visit, complaints: Complaints
) -> None:
    complaints.expect(r"Failed to load resource.*(409|400|401)")
    Somebody(house, "Unique")
    page = visit("/account/new")
    page.get_by_label("Pseudo").fill("unique")
    page.get_by_label("Mot de passe", exact=True).fill(PASSWORD)
    page.get_by_label("Le mot de passe, encore une fois").fill(PASSWORD)
    page.get_by_role("button", name="Créer mon compte").click()
    field = page.get_by_label("Pseudo")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("déjà pris")).to_be_visible()
    refused(page, "Unique", "pas le bon")


def test_the_login_leads_back_to_where_one_was_but_to_no_other_site(house: House, visit: Visit) -> None:
    Somebody(house, "Retour")
    page = visit()
    for asked, end in (("/ranking", "/ranking"), ("//example.org/", "/"), ("https://example.org/", "/")):
        page.goto(f"/account/login?next={asked}")
        page.get_by_label("Pseudo ou adresse électronique").fill("Retour")
        page.get_by_label("Mot de passe", exact=True).fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Se connecter").click()
        expect(page.get_by_role("button", name="Se déconnecter")).to_be_visible()
        expect(page).to_have_url(re.compile(f"^http://127.0.0.1:\\d+{end}$"))
        log_out(page)


def test_req_40_the_password_is_changed(visit: Visit, complaints: Complaints) -> None:
    complaints.expect(r"Failed to load resource.*401")
    page = visit()
    join_club(page, "Prudente")
    page.goto("/account")
    section = page.get_by_role("region", name="Mot de passe")
    section.get_by_label("Mot de passe actuel").fill(PASSWORD)
    section.get_by_label("Nouveau mot de passe", exact=True).fill("encore une autre")
    section.get_by_label("Le mot de passe, encore une fois").fill("encore une autre")
    section.get_by_role("button", name="Changer le mot de passe").click()
    expect(page.get_by_text("Le mot de passe est changé.").first).to_be_visible()
    log_out(page)
    refused(page, "Prudente", PASSWORD)
    log_in(page, "Prudente", "encore une autre")


def test_req_60_an_account_is_deleted(visit: Visit, complaints: Complaints) -> None:
    complaints.expect(r"Failed to load resource.*401")
    page = visit()
    join_club(page, "Passager")
    page.goto("/account")
    farewell = page.get_by_role("region", name="Supprimer le compte")
    farewell.get_by_role("button").last.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Mot de passe actuel").fill(PASSWORD)
    dialog.get_by_role("button", name=re.compile("Supprimer")).click()
    expect(page.get_by_role("link", name="Se connecter").first).to_be_visible()
    refused(page, "Passager", PASSWORD)


def test_settings_change_the_page_at_once_and_follow_the_account(visit: Visit) -> None:
    page = visit()
    join_club(page, "Nuit")
    page.goto("/settings")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_label("Sombre").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    elsewhere = visit("/")
    expect(elsewhere.locator("html")).to_have_attribute("data-theme", "light")
    log_in(elsewhere, "Nuit")
    expect(elsewhere.locator("html")).to_have_attribute("data-theme", "dark")
