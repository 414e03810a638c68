"""Games of Diplomacy made, changed, listed, joined and left in the page."""

from __future__ import annotations

import json
import re
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.diplomacy.mastering import Mastered
from tests.browser.furnishing import Somebody
from tests.browser.people import enter
from tests.kit.browsing import Complaints, Visit, hear_until
from tests.kit.process import House

AT_A_TABLE = re.compile(r"/tables/\d+$")


def test_req_70_a_game_is_made_with_all_its_parameters(visit: Visit, house: House) -> None:
    master = Somebody(house, "Createur")
    page = visit()
    enter(page, master.pseudo)
    page.goto("/lobby/new?game=diplomacy")
    page.get_by_label("Avec moi pour arbitre").check()
    page.get_by_label("Description").fill("Une partie d’hiver.")
    for habit in ("Anonyme", "Muette", "Rôles donnés par l’arbitre"):
        page.get_by_role("checkbox", name=habit).check()
    page.get_by_text("Conditions d’entrée").click()
    for label, text in (
        ("Code d’accès", "4711"),
        ("Fiabilité au moins", "60"),
        ("Régularité au moins", "10"),
        ("Niveau au moins", "900"),
        ("Jours pour les mouvements", "3"),
        ("Jours pour les retraites", "2"),
        ("Jours pour les ajustements", "2"),
        ("Heures de grâce", "12"),
        ("Première date limite", "2031-07-14T20:00"),
        ("Centres pour gagner seul", "17"),
        ("Années de jeu", "8"),
        ("Nom de la table", "Hiver"),
    ):
        page.get_by_label(label).fill(text)
    page.get_by_label("Dates limites en fin de semaine").check()
    page.get_by_text("Si des ordres manquent").click()
    page.get_by_label("Désordre civil aux mouvements").check()
    page.get_by_label("Désordre civil aux suppressions").uncheck()
    page.get_by_text("Autres règles").click()
    page.get_by_label("Nombre de joueurs").select_option("any")
    page.get_by_role("button", name="Ouvrir la table").click()
    expect(page).to_have_url(AT_A_TABLE)
    path = page.url.split("/tables/")[1]
    made = master.http.get(f"/tables/{path}").raise_for_status().json()
    assert made["name"] == "Hiver"
    assert made["terms"] | {"deal": None} == {
        "mastered": True,
        "description": "Une partie d’hiver.",
        "anonymous": True,
        "silent": True,
        "handed_on": False,
        "manual": True,
        "fast": False,
        "absences": True,
        "extensions": True,
        "has_code": True,
        "access_code": 4711,
        "reliability": 60,
        "regularity": 10,
        "performance": 900,
        "deal": None,
    }
    wanted = {
        "calendar": True,
        "moves_days": 3,
        "retreats_days": 2,
        "adjustments_days": 2,
        "grace": 12,
        "victory": 17,
        "cycles": 8,
        "weekends": True,
        "disorder_moves": True,
        "disorder_retreats": True,
        "disorder_builds": False,
        "disorder_removals": False,
        "sharing": "any",
        "first_deadline": 1941818400000,
        "archive": False,
    }
    assert {name: made["options"][name] for name in wanted} == wanted


def test_req_80_a_game_is_changed_and_what_one_leaves_alone_stays(visit: Visit, house: House) -> None:
    terms = {"description": "Une partie d’hiver.", "silent": True, "access_code": 4711}
    game = Mastered(house, "change", start=False, options={"calendar": True, "moves_days": 3}, **terms)
    page = game.come(visit, game.master)
    page.get_by_role("link", name="Modifier la partie").click()
    expect(page.get_by_label("Description")).to_have_value("Une partie d’hiver.")
    page.get_by_label("Nom de la partie").fill("Hiver bis")
    page.get_by_role("checkbox", name="Muette").uncheck()
    page.get_by_label("Jours pour les mouvements").fill("5")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page).to_have_url(AT_A_TABLE)
    expect(page.get_by_role("heading", name="Hiver bis")).to_be_visible()
    changed = game.master.http.get(game.path).raise_for_status().json()
    assert (changed["name"], changed["options"]["moves_days"]) == ("Hiver bis", 5)
    assert changed["terms"]["silent"] is False
    assert changed["terms"]["description"] == "Une partie d’hiver."
    assert changed["terms"]["access_code"] == 4711


def test_req_90_a_player_enters_a_game_with_its_code(
    visit: Visit, house: House, complaints: Complaints
) -> None:
    complaints.expect("403|409")
    game = Mastered(house, "code", start=False, access_code=815)
    page = game.come(visit, game.players[0], "/lobby?game=diplomacy")
    line = page.get_by_role("article").filter(has_text="Partie code")
    expect(line.get_by_text("code d’accès")).to_be_visible()
    line.get_by_role("button", name="Rejoindre").click()
    page.get_by_label("Code d’accès").fill("816")
    page.get_by_role("dialog").get_by_role("button", name="Rejoindre").click()
    expect(page.get_by_text("Ce n’est pas le bon code.")).to_be_visible()
    page.get_by_label("Code d’accès").fill("815")
    page.get_by_role("dialog").get_by_role("button", name="Rejoindre").click()
    expect(page).to_have_url(AT_A_TABLE)
    expect(page.get_by_role("region", name="Joueurs").get_by_text("vous")).to_be_visible()


def test_req_100_a_player_leaves_a_game(visit: Visit, house: House) -> None:
    game = Mastered(house, "depart", start=False)
    player = game.players[0]
    game.master.post(f"{game.path}/seats", pseudo=player.pseudo)
    page = game.come(visit, player)
    page.get_by_role("button", name="Quitter la table").click()
    page.get_by_role("dialog").get_by_role("button", name="Quitter la table").click()
    expect(page.get_by_role("button", name="S’asseoir et jouer")).to_be_visible()
    seats = game.master.http.get(game.path).raise_for_status().json()["seats"]
    assert player.pseudo not in [seat["name"] for seat in seats]


@pytest.fixture(scope="module")
def running(house: House) -> Mastered:
    """Under a name that no other game has, whenever the tests of this file are taken up again."""
    return Mastered(house, f"encours-{token_hex(2)}")


def test_req_130_the_list_shows_games_of_every_state_and_is_sifted(
    visit: Visit, house: House, running: Mastered
) -> None:
    waiting = Mastered(house, "attente", start=False, anonymous=True)
    over = Mastered(house, "finie")
    stop = {"action": {"do": "stop"}, "request_id": "stop"}
    over.master.http.post(f"{over.path}/play", json=stop).raise_for_status()
    page = visit("/lobby?game=diplomacy")
    lines = page.get_by_role("article")
    open_game = lines.filter(has_text="Partie attente")
    expect(open_game).to_contain_text("3 places libres")
    expect(open_game).to_contain_text(f"arbitre : {waiting.master.pseudo}")
    expect(open_game).to_contain_text("anonyme")
    expect(lines.filter(has_text=running.name)).to_contain_text("Complet")
    expect(lines.filter(has_text="Partie finie")).to_have_count(0)
    for state, shown, hidden in (
        ("En cours", running.name, "Partie attente"),
        ("Pas commencées", "Partie attente", running.name),
        ("Terminées", "Partie finie", running.name),
    ):
        page.get_by_label("Parties").select_option(label=state)
        expect(lines.filter(has_text=shown)).to_be_visible()
        expect(lines.filter(has_text=hidden)).to_have_count(0)


def test_req_140_a_game_is_chosen_and_all_of_it_is_loaded(visit: Visit, running: Mastered) -> None:
    page = running.come(visit, running.in_role(2), "/lobby?game=diplomacy")
    line = page.get_by_role("article").filter(has_text=running.name)
    line.get_by_role("link", name="Revenir à la table").click()
    expect(page).to_have_url(re.compile(f"{running.path}$"))
    expect(page.get_by_role("heading", name=running.name)).to_be_visible()
    for part in ("Ordres", "Saisons", "Paroles", "Carnet"):
        expect(page.get_by_role("tab", name=part)).to_be_visible()
    units = running.view()["situation"]["units"]
    zones = [zone for of_one in units.values() for _, zone in of_one]
    expect(page.locator(".map g[data-unit]:not([data-pick])")).to_have_count(len(zones))
    for zone in zones:
        expect(page.locator(f'.map g[data-unit="{zone}"]:not([data-pick])')).to_have_count(1)
    # Only one's own units wait for orders.
    mine = {str(zone) for _, zone in units["2"]}
    lit = page.locator("[data-pick]").evaluate_all("all => all.map(each => each.dataset.pick)")
    assert set(lit) == mine


def test_req_150_who_comes_back_to_the_page_is_sent_all_of_the_table_anew(
    visit: Visit, running: Mastered
) -> None:
    page = visit()
    enter(page, running.in_role(1).pseudo)
    heard: list[dict[str, Any]] = []
    page.on("websocket", lambda wire: wire.on("framereceived", lambda text: heard.append(json.loads(text))))
    page.goto(running.path)
    expect(page.get_by_role("tab", name="Ordres")).to_be_visible()
    heard.clear()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    hear_until(page, lambda: any(message["type"] == "table" for message in heard), "the whole table")
    whole = next(message for message in heard if message["type"] == "table")
    assert whole["view"]["situation"] == running.view()["situation"]
    expect(page.get_by_role("tab", name="Ordres")).to_be_visible()
    expect(page.locator(".map g[data-unit]:not([data-pick])").first).to_be_attached()
