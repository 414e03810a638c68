"""What the page says is what the house does: words, names and promises that a player relies on."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.browser.people import join_club
from tests.kit.browsing import Visit


def open_table(page: Page, access: str = "open") -> str:
    """A beginner's table of one's own; gives its address."""
    page.goto("/lobby/new")
    page.get_by_role("button", name="Débutant 9 × 9").click()
    page.locator(f'input[name="access"][value="{access}"]').check()
    page.get_by_role("button", name="Ouvrir la table").click()
    page.wait_for_url(re.compile(r"/tables/\d+"))
    return page.url


def test_to_play_at_once_puts_nothing_at_stake(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Jouer tout de suite").first.click()
    page.wait_for_url(re.compile(r"/tables/\d+"))
    expect(page.locator(".head .chip", has_text="sans classement")).to_be_visible()
    # The robot is called as in the lobby, and squares by the letters and numbers at the edges.
    expect(page.locator('[data-seat="2"]')).to_contain_text("Robot débutant")
    expect(page.get_by_role("main")).not_to_contain_text("Robot-mines")
    expect(page.locator(".columns span").nth(1)).to_have_text("1")
    expect(page.locator('[data-x="3"][data-y="10"]')).to_have_attribute("aria-label", re.compile("^K4, "))


def test_a_table_by_invitation_offers_no_link(visit: Visit) -> None:
    host = visit()
    join_club(host, "Invitante")
    open_table(host, "invited")
    host.get_by_role("button", name="Inviter").click()
    expect(host.get_by_role("dialog")).to_contain_text("n’a pas de lien")
    expect(host.get_by_label("Lien d’invitation")).to_have_count(0)


def test_the_host_renews_a_link_and_who_came_by_the_old_one_is_out(visit: Visit) -> None:
    host = visit()
    join_club(host, "Précautionneuse")
    open_table(host, "private")
    host.get_by_role("button", name="Inviter").click()
    field = host.get_by_label("Lien d’invitation")
    expect(field).to_have_value(re.compile("invitation="))
    old = field.input_value()
    looker = visit(old)
    expect(looker.get_by_role("grid")).to_be_visible()
    host.get_by_role("button", name="Changer le lien").click()
    expect(field).not_to_have_value(old)
    expect(looker.get_by_text(re.compile("Il n’y a pas de table"))).to_be_visible()
    looker.goto(field.input_value())
    expect(looker.get_by_role("grid")).to_be_visible()


def test_the_host_sends_a_robot_away(visit: Visit) -> None:
    host = visit()
    join_club(host, "Seule")
    open_table(host)
    host.get_by_role("button", name="Ajouter un robot").click()
    host.get_by_role("button", name="Ajouter", exact=True).click()
    robot = host.locator('[data-seat="2"]')
    robot.get_by_role("button", name=re.compile("Renvoyer Robot")).click()
    host.get_by_role("dialog").get_by_role("button", name="Renvoyer").click()
    expect(robot).to_contain_text("a quitté la table")


def test_without_flags_the_hint_does_not_speak_of_them(visit: Visit) -> None:
    host = visit()
    join_club(host, "Sansdrapeau")
    host.goto("/lobby/new")
    host.get_by_role("button", name="Débutant 9 × 9").click()
    host.get_by_label("Drapeaux", exact=False).last.uncheck()
    host.get_by_role("button", name="Ouvrir la table").click()
    expect(host.locator(".hint")).to_contain_text("Entrée pour ouvrir")
    expect(host.locator(".hint")).not_to_contain_text(re.compile("drapeau", re.I))


def test_settings_are_in_the_header_for_everybody(visit: Visit) -> None:
    page = visit("/")
    header = page.get_by_role("banner")
    header.get_by_role("link", name="Réglages").click()
    expect(page.get_by_role("heading", name="Réglages", level=1)).to_be_visible()
    expect(page.get_by_text(re.compile("un adversaire trouvé, un message privé ou un avis"))).to_be_visible()
