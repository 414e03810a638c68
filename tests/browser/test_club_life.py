"""Friends, messages, notices, profiles and rankings between two browsers."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.browser.people import join_club
from tests.kit.browsing import Complaints, Visit


def test_two_people_become_friends_and_write_to_each_other(visit: Visit) -> None:
    colette, gaston = visit(), visit()
    join_club(colette, "Colette")
    join_club(gaston, "Gaston")
    gaston.goto("/settings")
    colette.goto("/friends")
    colette.get_by_label("Pseudo").fill("Gaston")
    colette.get_by_role("button", name="Envoyer la demande").click()
    expect(colette.get_by_role("button", name="Retirer la demande à Gaston")).to_be_visible()
    # The other one learns of it without doing anything.
    expect(gaston.get_by_role("link", name=re.compile("^Amis")).locator(".count")).to_have_text("1")
    gaston.get_by_role("link", name=re.compile("^Amis")).click()
    gaston.get_by_role("button", name="Accepter la demande de Colette").click()
    for page, other in ((gaston, "Colette"), (colette, "Gaston")):
        expect(page.get_by_role("link", name=f"Écrire à {other}")).to_be_visible()
    colette.get_by_role("link", name="Écrire à Gaston").click()
    colette.get_by_role("textbox").last.fill("Une partie ce soir ?")
    colette.keyboard.press("Enter")
    expect(colette.get_by_text("Une partie ce soir ?").first).to_be_visible()
    expect(gaston.get_by_role("link", name=re.compile("^Messages")).locator(".count")).to_have_text("1")
    gaston.get_by_role("link", name=re.compile("^Messages")).click()
    gaston.get_by_role("main").get_by_text("Colette").first.click()
    expect(gaston.get_by_role("main").get_by_text("Une partie ce soir ?").last).to_be_visible()
    expect(gaston.get_by_role("link", name=re.compile("^Messages")).locator(".count")).to_have_count(0)
    gaston.get_by_role("textbox").last.fill("Volontiers, à neuf heures.")
    gaston.keyboard.press("Enter")
    expect(colette.get_by_text("Volontiers, à neuf heures.").last).to_be_visible()


def test_a_friend_is_challenged_to_chess_and_gives_a_rematch(visit: Visit) -> None:
    blanche, noir = visit(), visit()
    join_club(blanche, "Blanchette")
    join_club(noir, "Noiraud")
    blanche.goto("/friends")
    blanche.get_by_label("Pseudo").fill("Noiraud")
    blanche.get_by_role("button", name="Envoyer la demande").click()
    noir.goto("/friends")
    noir.get_by_role("button", name="Accepter la demande de Blanchette").click()
    blanche.get_by_role("button", name="Défier Noiraud").click()
    dialog = blanche.get_by_role("dialog")
    dialog.get_by_label("Jeu").select_option(label="Échecs")
    expect(dialog.get_by_label("Pendule").locator("option").first).to_have_text("45 minutes")
    dialog.get_by_label("Votre couleur").select_option("white")
    dialog.get_by_role("button", name="Lancer le défi").click()
    expect(blanche.get_by_role("button", name="Retirer le défi à Noiraud")).to_be_visible()
    noir.get_by_role("button", name="Relever le défi de Blanchette").click()
    noir.wait_for_url(re.compile(r"/tables/\d+$"))
    table = noir.url
    expect(blanche.get_by_role("button", name="Retirer le défi à Noiraud")).to_have_count(0)
    blanche.goto(table)
    noir.evaluate(
        """async (table) => fetch(`/api/v1${new URL(table).pathname}/leave`,
            {method: 'POST', headers: {'X-Tablee': 'page'}})""",
        table,
    )
    blanche.get_by_role("button", name="Revanche", exact=True).click()
    expect(blanche.get_by_text("Revanche proposée à Noiraud")).to_be_visible()
    noir.get_by_role("button", name="Accepter la revanche").click()
    for page in (blanche, noir):
        page.wait_for_url(lambda url: "/tables/" in url and url != table)
    assert blanche.url == noir.url


def test_a_blocked_person_is_not_heard(visit: Visit) -> None:
    quiet, loud = visit(), visit()
    join_club(quiet, "Paisible")
    join_club(loud, "Bruyant")
    quiet.goto("/players/Bruyant")
    quiet.get_by_role("button", name=re.compile("Bloquer")).first.click()
    dialog = quiet.get_by_role("dialog")
    if dialog.count():
        dialog.get_by_role("button", name=re.compile("Bloquer")).click()
    expect(quiet.get_by_role("button", name=re.compile("Débloquer"))).to_be_visible()
    loud.goto("/lobby")
    loud.get_by_label("Votre message").fill("ÉCOUTEZ-MOI")
    loud.get_by_role("button", name="Envoyer", exact=True).click()
    expect(loud.get_by_role("log")).to_contain_text("ÉCOUTEZ-MOI")
    quiet.goto("/lobby")
    quiet.get_by_label("Votre message").fill("Bonsoir")
    quiet.get_by_role("button", name="Envoyer", exact=True).click()
    expect(quiet.get_by_role("log")).to_contain_text("Bonsoir")
    expect(quiet.get_by_role("log")).not_to_contain_text("ÉCOUTEZ-MOI")


def test_an_invitation_to_a_private_table_arrives_as_a_notice_and_leads_there(
    visit: Visit, complaints: Complaints
) -> None:
    complaints.expect("Failed to load resource.*404")  # to a stranger the table does not exist
    host, guest = visit(), visit()
    join_club(host, "Hôtesse")
    join_club(guest, "Convive")
    guest.goto("/settings")
    host.goto("/lobby/new")
    host.get_by_role("button", name="Débutant 9 × 9").click()
    host.locator('input[name="access"][value="private"]').check()
    host.get_by_role("button", name="Ouvrir la table").click()
    host.wait_for_url(re.compile(r"/tables/\d+"))
    address = host.url
    stranger = visit(address)
    expect(stranger.get_by_text(re.compile("Il n’y a pas de table"))).to_be_visible()
    host.get_by_role("button", name="Inviter").click()
    expect(host.get_by_label("Lien d’invitation")).to_have_value(re.compile("invitation="))
    link = host.get_by_label("Lien d’invitation").input_value()
    host.get_by_label("Nom d’un membre").fill("Convive")
    host.get_by_role("button", name="Envoyer l’invitation").click()
    expect(guest.get_by_role("link", name=re.compile("^Avis")).locator(".count")).to_have_text("1")
    guest.get_by_role("link", name=re.compile("^Avis")).click()
    guest.get_by_role("main").get_by_role("link", name=re.compile("table", re.I)).first.click()
    guest.get_by_role("button", name="S’asseoir et jouer").click()
    expect(guest.locator(".chip", has_text="vous")).to_be_visible()
    # Whoever has the link comes in without being invited by name, and speaks.
    stranger.goto(link)
    expect(stranger.get_by_role("grid")).to_be_visible()
    stranger.get_by_role("button", name="S’asseoir et jouer").click()
    written = "Merci du lien, voyez <b> https://exemple.fr/a?b=1. javascript:alert(1)"
    stranger.get_by_label("Votre message").fill(written)
    stranger.get_by_role("button", name="Envoyer", exact=True).click()
    said = guest.get_by_role("log")
    expect(said).to_contain_text(written)
    link_there = said.get_by_role("link", name="https://")
    expect(link_there).to_have_attribute("href", "https://exemple.fr/a?b=1")
    expect(link_there).to_have_attribute("rel", re.compile("nofollow noopener"))
    expect(said.get_by_role("link", name="javascript")).to_have_count(0)


def test_two_people_who_wait_are_seated_together(visit: Visit) -> None:
    one, other = visit("/"), visit("/")
    one.get_by_role("button", name="Contre la prochaine personne").click()
    expect(one.get_by_role("button", name=re.compile("attendre", re.I))).to_be_visible()
    other.get_by_role("button", name="Contre la prochaine personne").click()
    for page in (one, other):
        page.wait_for_url(re.compile(r"/tables/\d+"))
    assert one.url == other.url
    expect(one.locator("[data-seat]")).to_have_count(2)


def test_a_profile_and_the_ranking_tell_of_a_game_that_was_played(
    visit: Visit, complaints: Complaints
) -> None:
    complaints.expect("Failed to load resource.*404")
    page = visit("/players/Personne-du-tout")
    expect(page.get_by_role("main").get_by_text(re.compile("Personne-du-tout")).first).to_be_visible()
    join_club(page, "Solitaire")
    page.goto("/players/Solitaire")
    expect(page.get_by_role("heading", name="Solitaire")).to_be_visible()
    page.goto("/ranking")
    expect(page.get_by_role("heading", name="Classement")).to_be_visible()
