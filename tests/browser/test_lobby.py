"""The lobby in the page: tables as they come, opponents, a table of one's own, talk."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.people import ask, enter, join_club, super_administrator
from tests.kit.browsing import Complaints, Visit, open_house
from tests.kit.process import House

AT_A_TABLE = re.compile(r"/tables/\d+$")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in whose lobby there is nothing yet but what it brings itself."""
    with open_house(tmp_path_factory) as house:
        yield house


def test_a_table_appears_in_the_lobby_of_others_as_it_is_made(visit: Visit) -> None:
    watcher, maker = visit("/lobby?door=web"), visit("/lobby/new")
    expect(watcher.get_by_text("Aucune table ne correspond à ces filtres.")).to_be_visible()
    maker.get_by_role("button", name="Débutant 9 × 9").click()
    maker.get_by_label("Nom de la table").fill("Chez Églantine")
    maker.get_by_role("button", name="Ouvrir la table").click()
    expect(maker).to_have_url(AT_A_TABLE)
    line = watcher.get_by_role("article").filter(has_text="Chez Églantine")
    line.get_by_role("button", name="Rejoindre").click()
    expect(watcher).to_have_url(maker.url)


def test_filters_are_kept_in_the_address(visit: Visit) -> None:
    page = visit("/lobby")
    page.get_by_label("Porte").select_option("queue")
    expect(page).to_have_url(re.compile(r"/lobby\?door=queue$"))
    page.reload()
    expect(page.get_by_label("Porte")).to_have_value("queue")
    page.get_by_role("button", name="Retirer les filtres").click()
    expect(page.get_by_role("article").filter(has_text="Petit démineur sans hasard")).to_be_visible()


def test_two_who_wait_are_brought_to_one_table_wherever_they_are(visit: Visit) -> None:
    one, two = visit("/"), visit("/lobby")
    one.get_by_role("button", name="Contre la prochaine personne").click()
    expect(one.get_by_text("En attente d’un adversaire")).to_be_visible()
    one.get_by_role("link", name="Règles").first.click()
    expect(one).to_have_url(re.compile("/rules$"))
    two.get_by_role("button", name="Attendre un adversaire").click()
    expect(two).to_have_url(AT_A_TABLE)
    expect(one).to_have_url(two.url)


def test_who_waits_is_seen_in_the_lobby_and_met_with_one_click(visit: Visit) -> None:
    one, two = visit(), visit("/lobby")
    join_club(one, "Patiente")
    join_club(two, "Passante")
    clock = {"kind": "budget", "seconds": 180, "increment": 2}
    wish = {"game": "chess", "variant": "classic", "time_control": clock, "rated": True}
    ask(one, "PUT", "/queue", wish)
    two.goto("/lobby")
    line = two.locator('[data-sought="classic"]')
    expect(line).to_contain_text("Échecs · 3+2")
    expect(line).to_contain_text("partie classée · 1 personne attend")
    line.get_by_role("button", name="Jouer").click()
    expect(two).to_have_url(AT_A_TABLE)
    table = ask(one, "GET", "/queue")["table"]
    assert two.url.endswith(f"/{table}")
    # Both are through: nobody is sought any more.
    assert ask(one, "GET", "/queue/sought") == {"sought": []}
    ask(two, "POST", f"/tables/{table}/leave")
    # What somebody is worth stands beside the name at the next table.
    ask(one, "POST", "/tables", {**wish, "name": "Encore une", "rated": True})
    two.goto("/lobby")
    line = two.get_by_role("article").filter(has_text="Encore une")
    expect(line.locator("[data-rating]")).to_have_text(re.compile(r"^1\s\d{3}\s\?$"))


def test_who_no_longer_waits_is_not_matched(visit: Visit) -> None:
    one, two = visit("/"), visit("/")
    one.get_by_role("button", name="Contre la prochaine personne").click()
    one.get_by_role("button", name="Ne plus attendre").click()
    expect(one.get_by_role("button", name="Jouer tout de suite")).to_be_visible()
    two.get_by_role("button", name="Contre la prochaine personne").click()
    expect(two.get_by_text("Personne d’autre n’attend")).to_be_visible()
    two.get_by_role("button", name="Ne plus attendre").click()


def test_what_the_rules_refuse_stands_at_its_field(visit: Visit, complaints: Complaints) -> None:
    complaints.expect("409")
    page = visit("/lobby/new?game=mines&variant=custom")
    page.get_by_role("button", name="Débutant 9 × 9").click()
    mines = page.get_by_role("spinbutton", name="Mines")
    mines.fill("81")
    page.get_by_role("button", name="Ouvrir la table").click()
    expect(page.get_by_text("Trop de mines : 80 au plus sur ce plateau.")).to_be_visible()
    expect(mines).to_be_focused()
    mines.fill("80")
    page.get_by_role("button", name="Ouvrir la table").click()
    expect(page).to_have_url(AT_A_TABLE)


def test_members_talk_all_read_and_an_administrator_takes_a_message_away(house: House, visit: Visit) -> None:
    member, reader, chief = visit(), visit("/lobby"), visit()
    join_club(member, "Bavarde")
    member.goto("/lobby")
    member.get_by_label("Votre message").fill("Quelqu’un pour une partie ?")
    member.get_by_role("button", name="Envoyer").click()
    expect(reader.get_by_role("log")).to_contain_text("Quelqu’un pour une partie ?")
    expect(reader.get_by_label("Votre message")).to_have_count(0)
    enter(chief, *super_administrator(house))
    chief.goto("/lobby")
    chief.get_by_role("button", name="Retirer ce message de Bavarde").click()
    expect(reader.get_by_role("log")).not_to_contain_text("Quelqu’un pour une partie ?")
