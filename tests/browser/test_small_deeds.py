"""What is done now and then: ending a session, parting from a friend, handing the house over."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect
from tests.browser.furnishing import Somebody
from tests.browser.people import enter, join_club, super_administrator
from tests.kit.browsing import Complaints, Visit, hear_until, open_house
from tests.kit.process import House
from tests.kit.waiting import wait_until

NOBODY_LISTENS = "smtp://127.0.0.1:9"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose mail server does not answer, and that is handed over."""
    with open_house(tmp_path_factory, "--smtp", NOBODY_LISTENS) as house:
        yield house


def test_one_session_is_closed_and_that_browser_knows_at_once(visit: Visit, complaints: Complaints) -> None:
    complaints.expect("401")
    here, there = visit(), visit()
    join_club(here, "Double")
    enter(there, "Double")
    there.goto("/settings")
    here.goto("/account")
    ends = here.get_by_role("button", name=re.compile("^Clore la session"))
    expect(ends).to_have_count(1)
    ends.click()
    expect(ends).to_have_count(0)
    expect(there.get_by_role("link", name="Se connecter").first).to_be_visible()
    expect(here.get_by_role("button", name="Se déconnecter")).to_be_visible()


def test_a_request_is_taken_back_and_a_friend_parted_from(visit: Visit, house: House) -> None:
    page = visit()
    join_club(page, "Volage")
    timid, loyal = Somebody(house, "Timide"), Somebody(house, "Loyale")
    page.goto("/friends")
    for name in ("Timide", "Loyale"):
        page.get_by_label("Pseudo").fill(name)
        page.get_by_role("button", name="Envoyer la demande").click()
        expect(page.get_by_role("button", name=f"Retirer la demande à {name}")).to_be_visible()
    page.get_by_role("button", name="Retirer la demande à Timide").click()
    expect(page.get_by_role("button", name="Retirer la demande à Timide")).to_have_count(0)
    assert timid.http.get("/friends").json() == {"friends": []}
    me = loyal.http.get("/friends").json()["friends"][0]["person"]["id"]
    loyal.post(f"/friends/{me}/accept")
    page.get_by_role("button", name="Retirer Loyale de mes amis").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Rester amis").click()
    expect(page.get_by_role("link", name="Écrire à Loyale")).to_be_visible()
    page.get_by_role("button", name="Retirer Loyale de mes amis").click()
    dialog.get_by_role("button", name="Ne plus être amis").click()
    expect(page.get_by_role("link", name="Écrire à Loyale")).to_have_count(0)
    assert loyal.http.get("/friends").json() == {"friends": []}


def test_an_answer_that_comes_late_does_not_undo_what_was_told_meanwhile(visit: Visit, house: House) -> None:
    page = visit()
    join_club(page, "Lente")
    quick = Somebody(house, "Prompte")
    page.goto("/friends")
    expect(page.get_by_text("Pas encore d’amis ici")).to_be_visible()
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if route.request.method == "GET":
            held.append((route, route.fetch()))
        else:
            route.continue_()

    page.route("**/api/v1/friends", hold)
    page.get_by_label("Pseudo").fill("Prompte")
    ask = page.get_by_role("button", name="Envoyer la demande")
    ask.click()
    expect(page.get_by_role("button", name="Retirer la demande à Prompte")).to_be_visible()
    hear_until(page, lambda: held, "the list of before she accepts")
    asker = quick.http.get("/friends").json()["friends"][0]["person"]["id"]
    quick.post(f"/friends/{asker}/accept")
    expect(page.get_by_role("link", name="Écrire à Prompte")).to_be_visible()
    expect(ask).to_be_disabled()
    ((route, answer),) = held
    route.fulfill(response=answer)
    expect(ask).to_be_enabled()
    expect(page.get_by_role("link", name="Écrire à Prompte")).to_be_visible()


def test_who_was_here_is_said_unless_one_keeps_it_to_oneself(visit: Visit, house: House) -> None:
    discreet = visit()
    join_club(discreet, "Discrète")
    curious = visit()
    discreet.goto("/settings")
    discreet.get_by_label("Montrer mes visites").uncheck()
    expect(discreet.get_by_text("C’est noté.")).to_be_visible()
    Somebody(house, "Ouverte")
    discreet.close()
    curious.goto("/players/Ouverte")
    expect(curious.get_by_text(re.compile("dernière visite le"))).to_be_visible()
    curious.goto("/players/Discrète")
    expect(curious.get_by_role("heading", name="Discrète")).to_be_visible()
    expect(curious.get_by_text("Membre depuis")).to_be_visible()
    expect(curious.get_by_text(re.compile("dernière visite le"))).to_have_count(0)


def test_a_robot_and_a_visitor_have_a_page_too(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Jouer tout de suite").click()
    page.wait_for_url(re.compile(r"/tables/\d+"))
    seats = page.locator("[data-seat]")
    expect(seats).to_have_count(2)
    names = [text.split("\n")[0] for text in seats.locator(".name").all_inner_texts()]
    visitor = next(name for name in names if name.startswith("Visiteur-"))
    robot = next(name for name in names if name != visitor)
    expect(seats.get_by_role("link")).to_have_count(0)
    page.goto(f"/players/{visitor}")
    expect(page.get_by_text("Un visiteur joue sans compte")).to_be_visible()
    assert robot == "Robot débutant"
    page.goto("/players/Robot-mines-novice")
    expect(page.get_by_text("Un joueur de la maison, toujours prêt.")).to_be_visible()


def test_a_message_taken_away_leaves_an_open_conversation(visit: Visit, house: House) -> None:
    page = visit()
    join_club(page, "Lectrice")
    rude = Somebody(house, "Grossier")
    other = rude.http.get("/players/Lectrice").json()["id"]
    said = rude.post(f"/channels/private:{other}/messages", text="Une grossièreté")
    rude.post(f"/channels/private:{other}/messages", text="Une excuse")
    page.goto("/messages?to=Grossier")
    expect(page.get_by_role("log")).to_contain_text("Une grossièreté")
    chief = Somebody(house, *super_administrator(house))
    chief.http.delete(f"/admin/messages/{said['id']}").raise_for_status()
    expect(page.get_by_role("log")).not_to_contain_text("Une grossièreté")
    expect(page.get_by_role("log")).to_contain_text("Une excuse")


def test_mail_that_could_not_be_sent_says_why_and_is_tried_again(visit: Visit, house: House) -> None:
    Somebody(house, "Injoignable", email="injoignable@example.org")
    chief = visit()
    enter(chief, *super_administrator(house))
    chief.goto("/admin/outbox")
    line = chief.locator("li", has_text="injoignable@example.org").first

    def refresh_until(pattern: str) -> None:
        """The list is as it was when one looked: one looks until it says so."""

        def says() -> bool:
            chief.get_by_role("button", name="Actualiser").click()
            line.locator(".chip").wait_for()
            # A try counts when it begins; why it failed is known when it has.
            return re.search(pattern, line.inner_text()) is not None and line.locator(".error").count() > 0

        wait_until(says, pattern)

    refresh_until("1 essai")
    expect(line.locator(".error")).to_be_visible()
    line.get_by_role("button", name="Réessayer maintenant").click()
    refresh_until("2 essais")
    expect(line.locator(".error")).to_be_visible()


def test_trouble_of_the_database_the_bus_or_a_node_is_said_first(visit: Visit, house: House) -> None:
    chief = visit()
    enter(chief, *super_administrator(house))

    def ill(route: Route) -> None:
        health = route.fetch().json()
        health |= {"trouble": "no space left on the disk", "bus_trouble": "no answer for 40 s"}
        health["nodes"].append({**health["nodes"][0], "id": "n-gone", "this": False, "seen_at": 1})
        route.fulfill(json=health)

    chief.route("**/api/v1/admin/health", ill)
    chief.goto("/admin")
    state = chief.get_by_role("main").get_by_role("status")
    for said in ("no space left on the disk", "no answer for 40 s", "n-gone"):
        expect(state).to_contain_text(said)
    expect(chief.get_by_role("heading", name="Tout va bien.")).to_have_count(0)


def test_notices_of_every_kind_are_sentences_and_the_house_changes_hands(visit: Visit, house: House) -> None:
    heir, chief = visit(), visit()
    join_club(heir, "Héritière")
    enter(chief, *super_administrator(house))
    account = Somebody(house, "Héritière")
    chief.goto(f"/admin/accounts/{account.id}")
    _choose_role(chief, "administrateur")
    heir.goto("/notices")
    expect(heir.get_by_text("Vous êtes maintenant administrateur de la maison.")).to_be_visible()
    chief.reload()
    _choose_role(chief, "super-administrateur")
    expect(heir.get_by_text("La maison est maintenant la vôtre : vous en êtes responsable.")).to_be_visible()
    # Whoever has handed the house over is an administrator still, and cannot take it back alone.
    expect(chief.get_by_role("button", name="Changer de rôle")).to_have_count(0)
    heir.goto("/admin")
    expect(heir.get_by_role("link", name="Courrier")).to_be_visible()


def _choose_role(chief: Page, role: str) -> None:
    chief.get_by_role("button", name="Changer de rôle").click()
    dialog = chief.get_by_role("dialog")
    dialog.get_by_role("radio", name=re.compile(role)).first.check()
    dialog.get_by_role("button", name="Changer de rôle").click()
    expect(dialog).to_be_hidden()


def test_a_token_for_a_program_is_good_for_what_was_chosen_and_never_administers(visit: Visit) -> None:
    page = visit()
    join_club(page, "Automate")
    page.goto("/account")
    bots = page.get_by_role("region", name="Jetons pour robots")
    choices = bots.get_by_role("checkbox")
    expect(choices).to_have_count(2)
    assert choices.evaluate_all("all => all.map(each => each.value)") == ["play", "chat"]
    for number, unchecked in enumerate(((), ("Écrire",), ("Jouer", "Écrire"))):
        for name in unchecked:
            bots.get_by_role("checkbox", name=re.compile(name)).uncheck()
        bots.get_by_label("Nom du jeton").fill(f"Programme {number}")
        bots.get_by_role("button", name="Créer un jeton").click()
        bots.get_by_role("button", name=re.compile("not|gard|copi", re.IGNORECASE)).last.click()
    for text in ("joue, écrit ·", "joue ·", "lit seulement ·"):
        expect(bots.get_by_text(text).first).to_be_visible()
