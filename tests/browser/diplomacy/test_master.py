"""The table of a master of Diplomacy: players, deadlines, resolution, corrections, the position."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect
from tests.browser.diplomacy.mastering import Mastered, agree, tab
from tests.kit.browsing import PHONE, Complaints, Visit
from tests.kit.process import House


def test_req_90_the_master_puts_players_into_the_game(
    visit: Visit, house: House, complaints: Complaints
) -> None:
    complaints.expect("404")
    game = Mastered(house, "entree", start=False, access_code=12)
    page = game.come(visit, game.master)
    players = page.get_by_role("region", name="Joueurs")
    page.get_by_label("Pseudo").fill("Personne-de-ce-nom")
    page.get_by_role("button", name="Mettre dans la partie").click()
    expect(page.get_by_text(re.compile("Personne-de-ce-nom")).first).to_be_visible()
    first, second, third = (player.pseudo for player in game.players)
    # While the house still answers for one, the next name is being written.
    held: list[Route] = []
    page.route("**/seats", lambda route: held.append(route), times=1)
    page.get_by_label("Pseudo").fill(first)
    with page.expect_request("**/seats"):
        page.get_by_role("button", name="Mettre dans la partie").click()
    page.get_by_label("Pseudo").fill(second)
    held[0].continue_()
    expect(page.get_by_role("status").get_by_text(first)).to_be_visible()
    expect(page.get_by_label("Pseudo")).to_have_value(second)
    for pseudo in (second, third):
        page.get_by_label("Pseudo").fill(pseudo)
        page.get_by_role("button", name="Mettre dans la partie").click()
        expect(players.get_by_role("link", name=pseudo)).to_be_visible()
    expect(players.get_by_role("link", name=first)).to_be_visible()


def test_req_100_the_master_takes_a_player_out_who_comes_back_by_herself(visit: Visit, house: House) -> None:
    game = Mastered(house, "sortie", start=False)
    anne = game.players[0]
    for player in game.players:
        game.master.post(f"{game.path}/seats", pseudo=player.pseudo)
    page = game.come(visit, game.master)
    players = page.get_by_role("region", name="Joueurs")
    page.get_by_role("button", name=f"Renvoyer {anne.pseudo}").click()
    agree(page, "Renvoyer")
    expect(players.get_by_role("link", name=anne.pseudo)).to_have_count(0)
    expect(players.get_by_role("link", name=game.players[1].pseudo)).to_be_visible()
    hers = game.come(visit, anne)
    hers.get_by_role("button", name="S’asseoir et jouer").click()
    expect(hers.get_by_role("button", name="Quitter la table")).to_be_visible()
    expect(players.get_by_role("link", name=anne.pseudo)).to_be_visible()


def test_req_110_a_game_is_started_by_its_master_for_all(visit: Visit, house: House) -> None:
    game = Mastered(house, "effacee", start=False)
    page = game.come(visit, game.master)
    expect(page.get_by_text("Il manque des joueurs")).to_be_visible()
    for player in game.players:
        game.master.post(f"{game.path}/seats", pseudo=player.pseudo)
    hers = game.come(visit, game.players[0])
    expect(hers.get_by_text("On attend que l’hôte commence.")).to_be_visible()
    page.get_by_role("button", name="Commencer la partie").click()
    expect(page.get_by_role("tab", name="Arbitre")).to_be_visible()
    expect(hers.get_by_role("tab", name="Ordres")).to_be_visible()
    expect(hers.locator("[data-hint]")).to_be_visible()
    assert game.master.http.get(game.path).raise_for_status().json()["status"] == "running"


def test_the_master_deals_the_roles_of_a_manual_game(visit: Visit, house: House) -> None:
    game = Mastered(house, "distribution", start=False, manual=True)
    for player in game.players:
        game.master.post(f"{game.path}/seats", pseudo=player.pseudo)
    page = game.come(visit, game.master)
    for name, player in zip(game.names().values(), reversed(game.players), strict=True):
        page.get_by_label(name).select_option(label=player.pseudo)
    page.get_by_role("button", name="Enregistrer les rôles").click()
    expect(page.get_by_text("Les rôles sont donnés.")).to_be_visible()
    page.get_by_role("button", name="Commencer la partie").click()
    tab(page, "Arbitre")
    expect(page.locator("[data-role='1']")).to_contain_text(game.players[2].pseudo)
    expect(page.locator("[data-role='3']")).to_contain_text(game.players[0].pseudo)


def test_missing_orders_are_named_before_the_phase_is_forced(visit: Visit, house: House) -> None:
    game = Mastered(house, "force")
    page = game.at_the_desk(visit)
    expect(page.locator("[data-orders='missing']")).to_have_count(3)
    page.get_by_role("button", name="Résoudre la phase").click()
    expect(page.get_by_role("dialog").last).to_contain_text(", ".join(game.names().values()))
    page.get_by_role("dialog").last.get_by_role("button", name="Annuler").click()
    assert game.view()["advancement"] == 0
    page.get_by_role("button", name="Résoudre la phase").click()
    agree(page, "Résoudre avec désordre civil")
    expect(page.get_by_role("status").get_by_text("La phase est résolue.")).to_be_visible()
    assert game.view()["advancement"] > 0


def test_one_role_is_put_into_civil_disorder_and_its_player_replaced(visit: Visit, house: House) -> None:
    game = Mastered(house, "desordre")
    other = Mastered(house, "banc", start=False).players[0]
    page = game.at_the_desk(visit)
    line = page.locator("[data-role='1']")
    line.get_by_role("button", name=re.compile("désordre civil")).click()
    agree(page, "Désordre civil")
    expect(line.get_by_text("désordre civil", exact=True)).to_be_visible()
    line.get_by_role("button", name=re.compile("^Remplacer")).click()
    page.get_by_label("Nouveau joueur").fill(other.pseudo)
    expect(page.get_by_role("option", include_hidden=True)).to_have_count(1)
    # The whole name is there: no list covers the button.
    agree(page, "Remplacer")
    expect(line).to_contain_text(other.pseudo)


def test_the_deadline_is_changed_in_the_time_of_the_club(visit: Visit, house: House) -> None:
    game = Mastered(house, "echeance", options={"sharing": "none", "calendar": True})
    # A browser far away: the club's time counts.
    page = game.come(visit, game.master, timezone_id="America/Guadeloupe")
    tab(page, "Arbitre")
    page.get_by_label("Nouvelle date limite").fill("2031-07-14T20:00")
    page.get_by_role("button", name="Changer").click()
    expect(page.get_by_text("La phase finit lundi 14 juillet 2031 à 20:00 (Europe/Paris).")).to_be_visible()
    assert game.view()["deadline"] == 1941818400000


def test_req_230_centres_are_changed_by_lists(visit: Visit, house: House) -> None:
    game = Mastered(house, "centres")
    page = game.at_the_desk(visit)
    before = game.view()["situation"]["ownerships"]
    page.get_by_role("button", name="Modifier la position").click()
    page.get_by_text("Par listes").click()
    centres = [each["fr"]["text"] for each in game.map()["regions"] if each["centre"]]
    lost, freed = (next(centre for centre, role in before.items() if role == of) for of in (1, 3))
    for centre, owner in ((lost, "2"), (freed, "0")):
        name = centres[int(centre) - 1]
        whose = f"Propriétaire d’{name}" if name[0] in "AEIOUÉÎ" else f"Propriétaire de {name}"
        page.get_by_label(whose, exact=True).select_option(owner)
    page.get_by_role("button", name="Enregistrer la position").click()
    agree(page, "Enregistrer la position")
    expect(page.get_by_text("La position est enregistrée.")).to_be_visible()
    after = game.view()["situation"]["ownerships"]
    assert after == {centre: role for centre, role in before.items() if centre != freed} | {lost: 2}


def test_req_240_units_are_placed_and_erased_on_the_map(visit: Visit, house: House) -> None:
    game = Mastered(house, "unites")
    page = game.at_the_desk(visit)
    before = game.view()["situation"]["units"]
    zone = before["1"][0][1]
    page.get_by_role("button", name="Modifier la position").click()
    editor = page.get_by_role("dialog").first
    editor.get_by_text("Gomme").click()
    editor.locator(f"[data-pick='{zone}']").first.click()
    editor.get_by_text("Par listes").click()
    form = editor.get_by_role("form", name="Ajouter une unité")
    form.get_by_label("Pour qui").select_option("3")
    form.get_by_role("button", name="Ajouter").click()
    editor.get_by_label("Phase").select_option("2")
    page.get_by_role("button", name="Enregistrer la position").click()
    agree(page, "Enregistrer la position")
    expect(page.get_by_text("La position est enregistrée.")).to_be_visible()
    now = game.view()
    assert now["advancement"] == 2
    assert zone not in [unit[1] for unit in now["situation"]["units"].get("1", [])]
    assert len(now["situation"]["units"]["3"]) == len(before["3"]) + 1


def test_req_120_the_game_is_stopped_after_one_question(visit: Visit, house: House) -> None:
    game = Mastered(house, "arret")
    page = game.come(visit, game.master, viewport=PHONE)
    tab(page, "Arbitre")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Arrêter la partie").click()
    agree(page, "Arrêter la partie")
    expect(page.get_by_text("La partie est terminée.").first).to_be_visible()
    assert game.view()["ended"] == "stopped"
