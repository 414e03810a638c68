"""Press, diplomatic messages and the notebook of a game of Diplomacy, in real browsers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.diplomacy.mastering import Mastered, tab
from tests.kit.browsing import PHONE, Visit
from tests.kit.process import House


def _say(page: Page, label: str | re.Pattern[str], text: str) -> None:
    page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Envoyer").click()
    expect(page.get_by_role("log").get_by_text(text)).to_be_visible()


def _unread(page: Page) -> Locator:
    """The count at the tab of talk."""
    return page.get_by_role("tab", name="Paroles").locator("[data-unread]")


def _open_letters(page: Page, name: str) -> None:
    page.get_by_role("group", name="Avec qui parler").get_by_role("button", name=name).click()


@pytest.fixture(scope="module")
def game(house: House) -> Mastered:
    return Mastered(house, "paroles")


@pytest.fixture(scope="module")
def names(game: Mastered) -> dict[int, str]:
    return game.names()


def test_req_170_a_declaration_is_posted(visit: Visit, game: Mastered, names: dict[int, str]) -> None:
    page = game.come(visit, game.in_role(1))
    tab(page, "Paroles")
    _say(page, "Votre déclaration à tous", "La lagune est à tout le monde.")
    expect(page.get_by_label("Votre déclaration à tous")).to_have_value("")
    press = game.in_role(3).http.get(f"{game.path}/press").raise_for_status().json()["spoken"]
    assert (press[0]["author"], press[0]["text"]) == (1, "La lagune est à tout le monde.")
    # The master declares too.
    master = game.come(visit, game.master)
    tab(master, "Paroles")
    _say(master, "Votre déclaration à tous", "Bonne partie à tous.")


def test_req_190_declarations_are_read_by_all_and_then_are_not_new(
    visit: Visit, game: Mastered, names: dict[int, str]
) -> None:
    game.declare(3, "Je reste neutre.")
    page = game.come(visit, game.in_role(2))
    expect(_unread(page)).to_be_visible()
    tab(page, "Paroles")
    said = page.get_by_role("log")
    expect(said.get_by_text("Je reste neutre.")).to_be_visible()
    expect(said.get_by_text(names[3]).last).to_be_visible()
    expect(_unread(page)).to_have_count(0)
    # What is said comes by itself: nobody asks for it anew.
    expect(page.get_by_role("button", name="Recharger")).to_have_count(0)
    page.reload()
    tab(page, "Paroles")
    expect(said.get_by_text("Je reste neutre.")).to_be_visible()
    expect(page.locator("[data-unread]")).to_have_count(0)


def test_req_210_a_new_declaration_is_announced(visit: Visit, house: House) -> None:
    game = Mastered(house, "presse")
    name = game.names()[1]
    page = game.come(visit, game.in_role(2))
    expect(page.get_by_role("tab", name="Paroles")).to_be_visible()
    expect(page.locator("[data-hint]")).to_be_visible()
    game.declare(1, "J’arrive.")
    # To who looks at the orders: a passing sentence, a count at the tab, a count in the title.
    expect(page.get_by_text(f"Presse, {name} : J’arrive.")).to_be_visible()
    expect(_unread(page)).to_have_text(re.compile("^1"))
    expect(page).to_have_title(re.compile("✉ 1 "))
    # To who is not at the table: a notice.
    away = game.come(visit, game.in_role(3), "/notices")
    expect(away.get_by_role("main").get_by_text("Partie presse").first).to_be_visible()


def test_req_180_a_message_is_sent_to_several_and_to_nobody_else(
    visit: Visit, game: Mastered, names: dict[int, str]
) -> None:
    page = game.come(visit, game.in_role(1))
    tab(page, "Paroles")
    _open_letters(page, names[2])
    page.get_by_text("Envoyer aussi à").click()
    page.get_by_role("checkbox", name="Arbitre").check()
    _say(page, re.compile("^Message pour"), "Je vous laisse la côte.\nSans arrière-pensée.")
    master = game.come(visit, game.master)
    tab(master, "Paroles")
    _open_letters(master, names[1])
    expect(master.get_by_role("log").get_by_text("Je vous laisse la côte.")).to_be_visible()
    # The third power has heard nothing.
    answer = game.in_role(3).http.get(f"{game.path}/letters").raise_for_status().json()
    assert answer["spoken"] == []


def test_req_200_a_message_is_unread_until_it_is_read(
    visit: Visit, game: Mastered, names: dict[int, str]
) -> None:
    game.write(3, 2, "Parlons de la passe.\nÀ deux.")
    page = game.come(visit, game.in_role(2), viewport=PHONE)
    tab(page, "Paroles")
    button = page.get_by_role("group", name="Avec qui parler").get_by_role("button", name=names[3])
    expect(button.locator("[data-unread]")).to_have_text(re.compile("^1"))
    button.click()
    expect(page.get_by_role("log").get_by_text("À deux.")).to_be_visible()
    expect(button.locator("[data-unread]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.reload()
    tab(page, "Paroles")
    expect(button).to_be_visible()
    expect(button.locator("[data-unread]")).to_have_count(0)


def test_req_220_a_new_message_is_announced(visit: Visit, house: House) -> None:
    game = Mastered(house, "lettres")
    name = game.names()[1]
    page = game.come(visit, game.in_role(2))
    expect(page.locator("[data-hint]")).to_be_visible()
    game.write(1, [2, 3], "Entre nous.")
    expect(page.get_by_text(re.compile(rf"^Message d(e |’){name}\s: Entre nous\.$"))).to_be_visible()
    expect(_unread(page)).to_have_text(re.compile("^1"))
    expect(page).to_have_title(re.compile("✉ 1 "))
    away = game.come(visit, game.in_role(3), "/notices")
    expect(away.get_by_role("main").get_by_text("Partie lettres").first).to_be_visible()


def test_what_is_not_sent_is_kept_for_each_correspondent(visit: Visit, house: House) -> None:
    game = Mastered(house, "brouillon")
    names = game.names()
    page = game.come(visit, game.in_role(1))
    tab(page, "Paroles")
    people = page.get_by_role("group", name="Avec qui parler")
    people.get_by_role("button", name=names[2]).click()
    page.get_by_label(f"Message pour : {names[2]}").fill("À moitié écrit")
    people.get_by_role("button", name=names[3]).click()
    expect(page.get_by_label(f"Message pour : {names[3]}")).to_have_value("")
    page.reload()
    tab(page, "Paroles")
    people.get_by_role("button", name=names[2]).click()
    expect(page.get_by_label(f"Message pour : {names[2]}")).to_have_value("À moitié écrit")


def test_a_silent_game_leaves_the_line_to_the_master(visit: Visit, house: House) -> None:
    game = Mastered(house, "muette", silent=True)
    page = game.come(visit, game.in_role(1))
    tab(page, "Paroles")
    expect(page.get_by_text("Seule la ligne avec l’arbitre est ouverte.")).to_be_visible()
    people = page.get_by_role("group", name="Avec qui parler").get_by_role("button")
    expect(people).to_have_text([re.compile("Presse"), re.compile("Arbitre")])
    expect(page.get_by_label("Votre déclaration à tous")).to_have_count(0)
    people.nth(1).click()
    _say(page, "Message pour : Arbitre", "Puis-je changer mes ordres ?")


def test_an_anonymous_game_never_shows_a_name(visit: Visit, house: House) -> None:
    game = Mastered(house, "masque", anonymous=True)
    one, two = game.come(visit, game.in_role(1)), game.come(visit, game.in_role(2))
    tab(one, "Paroles")
    _say(one, "Votre déclaration à tous", "Devinez qui je suis.")
    tab(two, "Paroles")
    expect(two.get_by_role("log").get_by_text("Devinez qui je suis.")).to_be_visible()
    assert game.in_role(1).pseudo not in two.content()
    expect(two.get_by_text("Joueur anonyme").first).to_be_visible()


def test_a_table_of_diplomacy_has_no_free_chat(visit: Visit, house: House) -> None:
    game = Mastered(house, "sans-chat")
    page = game.come(visit, game.in_role(1))
    expect(page.get_by_role("tab", name="Paroles")).to_be_visible()
    expect(page.get_by_role("region", name="Discussion")).to_have_count(0)


def test_the_notebook_is_saved_by_itself_and_only_one_s_own(visit: Visit, house: House) -> None:
    game = Mastered(house, "carnet")
    page = game.come(visit, game.in_role(1))
    tab(page, "Carnet")
    page.get_by_label("Vos notes").fill("Se méfier du sud.")
    expect(page.get_by_text("Enregistré", exact=True)).to_be_visible()
    page.reload()
    tab(page, "Carnet")
    expect(page.get_by_label("Vos notes")).to_have_value("Se méfier du sud.")
    other = game.come(visit, game.in_role(2))
    tab(other, "Carnet")
    expect(other.get_by_label("Vos notes")).to_have_value("")


def test_a_message_to_several_names_all_to_whom_it_went(visit: Visit, house: House) -> None:
    game = Mastered(house, "destinataires")
    names = game.names()
    game.write(1, [2, 3], "À vous deux.")
    game.write(1, 2, "À toi seul.")
    page = game.come(visit, game.in_role(2))
    tab(page, "Paroles")
    _open_letters(page, names[1])
    said = page.get_by_role("log").get_by_role("listitem")
    expect(said.filter(has_text="À vous deux.")).to_contain_text(f"À : vous, {names[3]}")
    expect(said.filter(has_text="À toi seul.")).to_be_visible()
    expect(page.locator("[data-addressees]")).to_have_count(1)
    hers = game.come(visit, game.in_role(1))
    tab(hers, "Paroles")
    _open_letters(hers, names[3])
    expect(hers.locator("[data-addressees]")).to_have_text(f"À : {names[2]}, {names[3]}")


def test_what_was_said_long_ago_is_reached(visit: Visit, house: House) -> None:
    game = Mastered(house, "anciens")
    speakers = [(0, game.master), *((role, game.in_role(role)) for role in (1, 2, 3))]
    for n in range(51):
        for role, speaker in speakers:
            speaker.post(f"{game.path}/press", role=role, text=f"Parole {n} de {role}.")
    page = game.come(visit, game.in_role(1))
    tab(page, "Paroles")
    log = page.get_by_role("log")
    expect(log.get_by_text("Parole 50 de 3.")).to_be_visible()
    expect(log.get_by_text("Parole 0 de 0.")).to_have_count(0)
    log.get_by_role("button", name="Plus anciens").click()
    expect(log.get_by_text("Parole 0 de 0.")).to_have_count(1)
    expect(log.get_by_role("button", name="Plus anciens")).to_have_count(0)
    expect(log.get_by_text("Parole 50 de 3.")).to_have_count(1)
