"""Who goes on for somebody who left a game of Diplomacy: the code that is asked, the letters one reads."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.diplomacy.mastering import Mastered, tab
from tests.browser.furnishing import Somebody
from tests.browser.people import enter
from tests.kit.browsing import Complaints, Visit
from tests.kit.process import House


@pytest.mark.parametrize("handed_on", [True, False])
def test_a_replacement_is_told_whether_letters_are_handed_on_and_reads_them_or_not(
    visit: Visit, house: House, handed_on: bool
) -> None:
    game = Mastered(house, "relais" if handed_on else "coupure", handed_on=handed_on)
    names = game.names()
    game.write(2, 1, "Je vous laisse la passe.")
    gone = game.in_role(1)
    seat = gone.http.get(game.path).raise_for_status().json()["my_seat"]
    gone.post(f"{game.path}/leave")
    newcomer = Somebody(house, f"Relève-{game.id}")
    game.master.post(f"{game.path}/seats", pseudo=newcomer.pseudo, seat=seat)
    page = game.come(visit, newcomer)
    about = page.get_by_role("region", name="À propos de cette partie")
    told = {True: "lettres transmises au remplaçant", False: "ne lit pas les lettres d’avant lui"}
    expect(about.locator(".chip", has_text=told[handed_on])).to_be_visible()
    tab(page, "Paroles")
    people = page.get_by_role("group", name="Avec qui parler")
    people.get_by_role("button", name=names[2]).click()
    before = page.get_by_role("log").get_by_text("Je vous laisse la passe.")
    expect(before).to_have_count(1 if handed_on else 0)
    # What is written from now on is read in either case.
    game.in_role(2).post(f"{game.path}/letters", role=2, to=1, text="Bienvenue à bord.")
    expect(page.get_by_role("log").get_by_text("Bienvenue à bord.")).to_be_visible()
    expect(before).to_have_count(1 if handed_on else 0)


def test_a_seat_that_was_left_is_taken_with_the_code_of_the_table(
    visit: Visit, house: House, complaints: Complaints
) -> None:
    complaints.expect("403|409")
    host, *others = (Somebody(house, f"{name}-code") for name in ("Ida", "Jules", "Katia"))
    table = host.post(
        "/tables", game="diplomacy", variant="lagune", name="À mot couvert", options={"sharing": "none"},
        terms={"access_code": 815},
    )["id"]  # fmt: skip
    for other in others:
        other.post(f"/tables/{table}/join", access_code=815)
    others[0].post(f"/tables/{table}/leave")
    newcomer = Somebody(house, "Louise-code")
    page = visit()
    enter(page, newcomer.pseudo)
    page.goto(f"/tables/{table}")
    take = page.get_by_role("button", name="Prendre cette place")
    expect(take).to_be_visible()
    expect(page.get_by_text("Toutes les places sont prises.")).to_have_count(0)
    take.click()
    dialog = page.get_by_role("dialog")
    code = dialog.get_by_label("Code d’accès")
    code.fill("816")
    dialog.get_by_role("button", name="Prendre cette place").click()
    expect(dialog.get_by_text("Ce n’est pas le bon code.")).to_be_visible()
    assert newcomer.http.get(f"/tables/{table}").raise_for_status().json().get("my_seat") is None
    code.fill("815")
    dialog.get_by_role("button", name="Prendre cette place").click()
    expect(dialog).to_have_count(0)
    mine = page.locator("[data-seat]", has=page.locator(".chip", has_text="vous"))
    expect(mine).to_contain_text(newcomer.pseudo)
    expect(page.locator("[data-own]")).to_be_visible()
    expect(page.get_by_role("button", name="Prendre cette place")).to_have_count(0)
