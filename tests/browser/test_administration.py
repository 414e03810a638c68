"""Administration in the page: whether all is well, and what is set right there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.furnishing import Somebody
from tests.browser.people import enter, join_club, log_in, super_administrator
from tests.kit.browsing import Complaints, Visit
from tests.kit.process import House


@pytest.fixture
def chief(house: House, visit: Visit) -> Page:
    page = visit()
    enter(page, *super_administrator(house))
    return page


def account_of(chief: Page, name: str) -> None:
    chief.goto(f"/admin/accounts?search={name}")
    chief.get_by_role("main").get_by_role("link", name=name).first.click()
    expect(chief.get_by_role("heading", name=name, exact=True)).to_be_visible()


def test_the_first_screen_says_that_all_is_well(chief: Page) -> None:
    chief.goto("/admin")
    expect(chief.get_by_role("heading", name="Tout va bien.")).to_be_visible()
    expect(chief.get_by_text("SQLite — en ordre")).to_be_visible()


def test_others_are_politely_refused(visit: Visit) -> None:
    page = visit("/admin/accounts")
    expect(page.get_by_text("réservée à ses administrateurs")).to_be_visible()


def test_an_administrator_is_named_and_dismissed_and_the_log_says_so(chief: Page, house: House) -> None:
    Somebody(house, "Suppléante")
    account_of(chief, "Suppléante")
    for role in ("administrateur", "simple membre"):
        chief.get_by_role("button", name="Changer de rôle").click()
        dialog = chief.get_by_role("dialog")
        dialog.get_by_role("radio", name=role).first.check()
        dialog.get_by_role("button", name="Changer de rôle").click()
        expect(chief.get_by_text(f"Rôle donné ({role})").first).to_be_visible()


def test_somebody_is_shut_out_at_once_and_let_in_again(
    chief: Page, visit: Visit, complaints: Complaints
) -> None:
    complaints.expect("401")
    rude = visit()
    join_club(rude, "Malpoli")
    rude.goto("/settings")
    account_of(chief, "Malpoli")
    chief.get_by_role("button", name="Exclure").click()
    dialog = chief.get_by_role("dialog")
    dialog.get_by_label("Pour combien de temps").select_option("ever")
    dialog.get_by_label("Raison").fill("insultes")
    dialog.get_by_role("button", name="Exclure").click()
    expect(chief.get_by_text("exclu pour toujours")).to_be_visible()
    expect(chief.get_by_text("insultes")).to_be_visible()
    expect(rude.get_by_role("link", name="Se connecter").first).to_be_visible()
    chief.get_by_role("button", name="Lever l’exclusion").click()
    expect(chief.get_by_text("exclu pour toujours")).to_have_count(0)
    log_in(rude, "Malpoli")


def test_acting_as_somebody_is_shown_until_it_ends(chief: Page, house: House) -> None:
    Somebody(house, "Absente")
    account_of(chief, "Absente")
    chief.get_by_role("button", name="Agir en son nom").click()
    chief.get_by_role("dialog").get_by_role("button", name="Agir en son nom").click()
    banner = chief.locator(".banner", has_text="Vous agissez au nom d’Absente.")
    expect(banner).to_be_visible()
    banner.get_by_role("button", name="Redevenir moi-même").click()
    expect(banner).to_have_count(0)


def test_an_account_is_erased_only_by_typing_its_name(chief: Page, house: House) -> None:
    Somebody(house, "Éphémère")
    account_of(chief, "Éphémère")
    chief.get_by_role("button", name="Supprimer le compte").click()
    dialog = chief.get_by_role("dialog")
    erase = dialog.get_by_role("button", name="Supprimer le compte")
    expect(erase).to_be_disabled()
    dialog.get_by_role("textbox").fill("Éphémère")
    erase.click()
    expect(chief.get_by_text("Le compte d’Éphémère est supprimé.")).to_be_visible()


def test_the_outbox_shows_a_letter_without_its_code(chief: Page, house: House) -> None:
    Somebody(house, "Lettrée", email="lettree@example.org")
    chief.goto("/admin/outbox")
    expect(chief.get_by_text("lettree@example.org")).to_be_visible()
