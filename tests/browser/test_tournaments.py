"""A tournament as its people see it: on a phone, at the organiser's desk, on the wall."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.furnishing import Somebody
from tests.browser.people import enter
from tests.browser.touring import Played
from tests.kit.browsing import Complaints, Visit, hear_until
from tests.kit.process import House

TELEPHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}


def people(house: House, *names: str) -> list[Somebody]:
    return [Somebody(house, name) for name in names]


def test_a_member_enters_on_a_phone_plays_and_sees_his_place_and_why(visit: Visit, house: House) -> None:
    organiser, first, second = people(house, "Tourneuse", "Toussaint", "Tristan")
    cup = Played(
        organiser, [second], name="La coupe du quai", in_room=False, rounds=2,
        options={"pace": "days"}, time_control={"kind": "none"},
    )  # fmt: skip
    page = visit(**TELEPHONE)
    enter(page, "Toussaint")
    page.goto("/tournaments")
    page.get_by_role("link", name="La coupe du quai").tap()
    button = page.get_by_role("button", name="M’inscrire")
    box = button.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < TELEPHONE["viewport"]["height"] / 2, (
        "in the upper half, without a stroke"
    )
    button.tap()
    expect(page.get_by_text("Vous êtes inscrit.")).to_be_visible()
    organiser.post(f"{cup.path}/entries", account=organiser.id)
    cup.begin()
    board = next(each for each in cup.publish(1) if first.id in each["seats"])
    page.goto(cup.path)
    expect(page.get_by_text("Ma partie : ronde 1, table ")).to_be_visible()
    page.get_by_role("link", name="Aller à ma table").tap()
    expect(page).to_have_url(re.compile(rf"/tables/{board['table']}$"))
    other = next(each for each in (organiser, second) if each.id in board["seats"])
    other.post(f"/tables/{board['table']}/leave")
    page.goto(cup.path)
    page.get_by_role("link", name="Pourquoi cette place ?").tap()
    why = page.get_by_role("region", name="Pourquoi Toussaint est à cette place")
    expect(why).to_contain_text(f"gagné, contre {other.pseudo}")
    expect(why.get_by_role("link", name="gagné").first).to_have_attribute("href", f"/tables/{board['table']}")
    expect(page.locator("tr[aria-current=true]")).to_contain_text("Toussaint")
    assert page.evaluate("document.documentElement.scrollWidth") <= TELEPHONE["viewport"]["width"]


def drag(page: Page, one: str, other: str) -> None:
    page.get_by_role("button", name=re.compile(f"^{one}")).drag_to(
        page.get_by_role("button", name=re.compile(f"^{other}"))
    )


def boards(page: Page) -> list[list[str]]:
    found = page.locator("[data-draft-board]").all()
    return [[each.inner_text() for each in board.locator(".name").all()] for board in found]


def test_an_organiser_plans_pairs_moves_two_people_publishes_corrects_and_closes(
    visit: Visit, house: House
) -> None:
    _, *entrants = people(house, "Ondine", "Octave", "Odile", "Oscar", "Olga")
    page = visit()
    enter(page, "Ondine")
    page.goto("/tournaments/new")
    page.get_by_role("radio", name="Échecs").check()
    page.get_by_label("Nombre de rondes").fill("40")
    page.get_by_role("radio", name=re.compile("Dans la salle")).check()
    expect(page.get_by_text("valable jusqu’en janvier 2026")).to_be_visible()
    page.get_by_role("button", name="Préparer le brouillon").click()
    # What is wrong is said at once, each thing where it belongs.
    expect(page.get_by_label("Nom du tournoi")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Nombre de rondes")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Nom du tournoi").fill("Le mardi d’Ondine")
    page.get_by_label("Nombre de rondes").fill("2")
    page.get_by_role("button", name="Préparer le brouillon").click()
    page.get_by_role("button", name="Annoncer le tournoi").click()
    begin = page.get_by_role("button", name="Commencer le tournoi")
    expect(begin).to_be_visible()
    number = int(page.url.split("/")[-2])
    for entrant in entrants:
        entrant.post(f"/tournaments/{number}/entries")
    begin.click()
    page.get_by_role("button", name="Apparier la ronde 1").click()
    expect(page.get_by_role("heading", name="Projet de la ronde 1")).to_be_visible()
    (one, other), (third, fourth) = boards(page)
    # Two people change places: by a touch on each, by the keyboard, and by dragging.
    page.get_by_role("button", name=re.compile(f"^{one}")).click()
    page.get_by_role("button", name=re.compile(f"^{third}")).click()
    hear_until(page, lambda: boards(page) == [[third, other], [one, fourth]], "the exchange")
    page.get_by_role("button", name=re.compile(f"^{third}")).press("Enter")
    page.get_by_role("button", name=re.compile(f"^{one}")).press("Enter")
    hear_until(page, lambda: boards(page) == [[one, other], [third, fourth]], "the way back")
    drag(page, other, fourth)
    hear_until(page, lambda: boards(page) == [[one, fourth], [third, other]], "the drag")
    expect(page.get_by_text("changé à la main")).to_be_visible()
    page.get_by_role("button", name="Publier la ronde 1").click()
    expect(page.locator("article[data-board='1']")).to_contain_text(one)
    # Results of the room; one of them was wrong.
    page.get_by_role("link", name="Organiser", exact=True).click()
    for board, winner in ((1, one), (2, third)):
        page.locator(f"[data-result='{board}']").get_by_role("button", name="Fixer le résultat").click()
        page.get_by_role("radio", name=f"{winner} gagne").check()
        page.get_by_role("button", name="Enregistrer").click()
        expect(page.locator(f"[data-result='{board}']")).to_contain_text("1 – 0")
    page.locator("[data-result='1']").get_by_role("button", name="Corriger").click()
    page.get_by_role("radio", name="Partie nulle").check()
    page.get_by_label("Pourquoi").fill("Mal recopié")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.locator("[data-result='1']")).to_contain_text("½ – ½")
    # A round is paired and taken back, somebody is penalised, and it is closed before its last round.
    page.get_by_role("button", name="Apparier la ronde 2").click()
    page.get_by_role("button", name="Publier la ronde 2").click()
    expect(page.get_by_role("heading", name="Ronde 2", exact=True)).to_be_visible()
    page.get_by_role("link", name="Organiser", exact=True).click()
    page.get_by_role("button", name="Annuler la ronde 2").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Annuler la ronde 2").click()
    expect(dialog).to_contain_text("Dites pourquoi.")
    dialog.get_by_label("Pourquoi").fill("Il est trop tard")
    dialog.get_by_role("button", name="Annuler la ronde 2").click()
    expect(page.get_by_role("button", name="Apparier la ronde 2")).to_be_visible()
    page.locator(f"[data-entry='{entrants[2].id}'] summary").click()
    page.get_by_role("button", name="Pénaliser").click()
    dialog.get_by_label("Points à enlever").fill("1/2")
    dialog.get_by_label("Pourquoi").fill("Téléphone")
    dialog.get_by_role("button", name="Pénaliser").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Clore le tournoi").click()
    dialog.get_by_role("button", name="Clore le tournoi").click()
    expect(page.locator("[data-status=over]")).to_be_visible()
    page.get_by_role("link", name="Classement", exact=True).last.click()
    expect(page.get_by_role("heading", name="Classement final")).to_be_visible()
    page.get_by_role("link", name="Journal").click()
    for said in ("Il est trop tard", "Mal recopié", "Oscar est pénalisé de 1/2", "Le tournoi est terminé."):
        expect(page.get_by_role("main")).to_contain_text(said)


def test_the_screen_on_the_wall_is_large_fits_and_follows(visit: Visit, house: House) -> None:
    organiser, *entrants = people(house, "Murielle", *(f"Mural{n}" for n in range(1, 25)))
    cup = Played(organiser, entrants, name="La nuit des murs", rounds=3)
    cup.begin()
    cup.play(1)
    pairs = cup.publish(2)
    page = visit(f"{cup.path}/wall", **WALL)
    rows = page.locator("[data-wall-board]")
    expect(rows.first).to_be_visible()
    sizes = page.evaluate(
        "[...document.querySelectorAll('[data-wall-board], .wall ol > li')].map((each) =>"
        " parseFloat(getComputedStyle(each).fontSize))"
    )
    assert min(sizes) >= 40, "letters that are read from five metres"
    assert page.evaluate(
        "[...document.querySelectorAll('.wall li')]"
        ".every((each) => each.getBoundingClientRect().bottom <= innerHeight)"
    )
    expect(page.get_by_role("banner")).to_have_count(0)
    assert page.locator("[data-qr]").get_attribute("data-qr") == page.url.removesuffix("/wall")
    # Nobody touches it: a result that is entered elsewhere comes by itself.
    expect(rows.first).not_to_contain_text("1 – 0")
    cup.end_board(pairs[0], marks=["1", "0"])
    expect(rows.filter(has_text="1 – 0").first).to_be_visible()


def test_the_end_of_a_game_in_the_room_is_entered_in_the_games_own_form(
    visit: Visit, house: House, complaints: Complaints
) -> None:
    complaints.expect("400")
    organiser, *entrants = people(house, "Ulysse", "Ursule", "Urbain")
    cup = Played(
        organiser, [organiser, *entrants],
        name="Trois lagunes", game="diplomacy", variant="lagune", format="boards", rounds=1,
    )  # fmt: skip
    cup.begin()
    cup.publish(1)
    page = visit()
    enter(page, "Ulysse")
    page.goto(f"{cup.path}/desk")
    page.get_by_role("button", name="Fixer le résultat").click()
    dialog = page.get_by_role("dialog")
    centres = dialog.get_by_label(re.compile("^Centres d"))
    expect(centres).to_have_count(3)
    for field, count in zip(centres.all(), ("4", "3", "0"), strict=True):
        field.fill(count)
    dialog.get_by_label("Dernière année jouée").fill("1505")
    dialog.get_by_role("button", name="Enregistrer").click()
    # Who has no centre left was out in some year: the house says so, and the form is still there.
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label(re.compile("est éliminé$")).last.fill("1504")
    dialog.get_by_role("button", name="Enregistrer").click()
    expect(page.locator("[data-result='1']")).to_contain_text("1 – 2 – 3")


def test_a_bracket_says_in_words_what_it_draws(visit: Visit, house: House) -> None:
    organiser, *entrants = people(house, "Violaine", "Valère", "Vera", "Victor")
    cup = Played(organiser, entrants, name="Le tableau de Violaine", format="knockout", rounds=1)
    cup.begin()
    board = cup.publish(1)[0]
    cup.end_board(board, marks=["1", "0"])
    page = visit(f"{cup.path}/bracket")
    winner, loser = (each.pseudo for number in board["seats"] for each in entrants if each.id == number)
    expect(page.locator("[data-bracket]")).to_be_visible()
    twin = page.get_by_role("region", name="Le tableau en toutes lettres")
    expect(twin).to_contain_text(f"{winner} contre {loser}. {winner} passe, 1 – 0")
    expect(twin).to_contain_text("est exempt.")


def test_an_evening_by_the_clock_is_planned_and_called_and_somebody_is_replaced(
    visit: Visit, house: House
) -> None:
    wladimir, first, second, _ = people(house, "Wladimir", "Wanda", "Wilfried", "Wassila")
    page = visit()
    enter(page, "Wladimir")
    page.goto("/tournaments/new")
    page.get_by_label("Nom du tournoi").fill("Le jeudi de Wladimir")
    page.get_by_role("radio", name="Échecs").check()
    page.get_by_role("radio", name=re.compile("En une séance")).check()
    page.get_by_role("button", name="Préparer le brouillon").click()
    hour = page.get_by_label("Début de la ronde 1")
    expect(hour).to_have_attribute("aria-invalid", "true")
    hour.fill("2099-05-07T20:00")
    page.get_by_role("button", name="Fixer l’heure de la ronde 2").click()
    page.get_by_label("Début de la ronde 2").fill("2099-05-14T20:00")
    page.get_by_label("Forfait après").fill("15")
    page.get_by_role("button", name="Préparer le brouillon").click()
    page.get_by_role("button", name="Annoncer le tournoi").click()
    page.get_by_role("button", name="Ouvrir l’appel").wait_for()
    number = int(page.url.split("/")[-2])
    for member in (first, second):
        member.post(f"/tournaments/{number}/entries")
    phone = visit(f"/tournaments/{number}/about", **TELEPHONE)
    expect(phone.get_by_text("forfait après 15 minutes d’absence")).to_be_visible()
    expect(phone.get_by_text("appel 30 minutes avant")).to_be_visible()
    enter(phone, "Wanda")
    phone.goto(f"/tournaments/{number}")
    # Who looks at it sees that the check-in is open, and the organiser who has answered: nobody loads anew.
    page.get_by_role("button", name="Ouvrir l’appel").click()
    expect(page.get_by_text("0 sur 2 ont répondu")).to_be_visible()
    phone.get_by_role("button", name="Je suis là").tap()
    expect(phone.get_by_text("Vous êtes noté présent.")).to_be_visible()
    expect(page.get_by_text("1 sur 2 ont répondu")).to_be_visible()
    page.locator(f"[data-entry='{second.id}']").get_by_role("button", name="Noter présent").click()
    expect(page.get_by_text("2 sur 2 ont répondu")).to_be_visible()
    # At another one somebody has to go, and another plays on.
    cup = Played(wladimir, [first, second], name="Le vendredi de Wladimir", format="round_robin", rounds=1)
    wladimir.post(f"{cup.path}/entries")
    cup.begin()
    board = cup.publish(1)[0]
    page.goto(f"{cup.path}/desk")
    page.locator("[data-result='1']").get_by_role("button", name="Remplacer").click()
    dialog = page.get_by_role("dialog")
    gone = next(each for each in (wladimir, first, second) if each.id == board["seats"][1])
    dialog.get_by_role("radio", name=gone.pseudo).check()
    dialog.get_by_role("button", name="Remplacer").click()
    expect(dialog).to_contain_text("Choisissez un membre dans la liste.")
    dialog.get_by_label("Qui vient").fill("Wass")
    dialog.get_by_role("option", name="Wassila").click()
    dialog.get_by_role("button", name="Remplacer").click()
    expect(page.get_by_text("Le remplacement est fait.")).to_be_visible()
    page.get_by_role("link", name="Journal").click()
    expect(page.get_by_role("main")).to_contain_text("Wassila remplace quelqu’un à la table 1, ronde 1.")
