"""What a master does to a running game, as he and his players see it: taken back, paused, corrected, set."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from tests.browser.diplomacy.mastering import Json, Mastered, agree, tab
from tests.browser.diplomacy.strait import play_war
from tests.browser.furnishing import Somebody
from tests.browser.people import enter
from tests.kit.browsing import Visit, hear_until
from tests.kit.process import House

MOVE, HOLD = 1, 4
ARMY, FLEET = 1, 2
FOREST, ISLET, MARCH_EAST, ROCK, OTHER_ISLET = 4, 5, 27, 20, 22


def _give(
    game: Mastered, role: int, *, act: int = HOLD, final: bool = False, by: Somebody | None = None
) -> Json:
    """A player, or somebody for him, gives his units such an order, by another way than the page."""
    player = by or game.in_role(role)
    legal = player.http.get(f"{game.path}/legal").raise_for_status().json()["legal"]["submit"][str(role)]
    orders = [next(each for each in choices if each[1] == act) for choices in legal["orders"].values()]
    action = {"do": "submit", "role": role, "orders": orders, "final": final}
    player.post(f"{game.path}/play", action=action, request_id=f"{role}-{act}-{final}")
    return orders


def _phase(page: Page) -> Locator:
    return page.locator("[data-phase]")


def _state(page: Page, state: str) -> Locator:
    return page.locator(f"[data-state='{state}']")


def test_the_last_resolution_is_taken_back_and_the_players_follow(visit: Visit, house: House) -> None:
    game = Mastered(house, "annulation")
    hers = game.come(visit, game.in_role(1))
    expect(_phase(hers)).to_contain_text("Printemps")
    before = game.view()
    given = {str(role): _give(game, role, act=MOVE, final=True) for role in (1, 2, 3)}
    news = hers.locator("[data-resolved]")
    expect(news).to_contain_text("Printemps")
    expect(_phase(hers)).not_to_contain_text("Printemps")
    page = game.at_the_desk(visit)
    page.get_by_role("button", name="Annuler la dernière résolution").click()
    agree(page, "Annuler la dernière résolution")
    expect(page.get_by_text("La dernière résolution est annulée.")).to_be_visible()
    now = game.view()
    assert (now["advancement"], now["situation"]) == (0, before["situation"])
    assert now["orders"] == given
    assert [role["in"] for role in now["roles"].values()] == [False, False, False]
    # Only once: what was before that is no longer kept.
    expect(page.get_by_role("button", name="Annuler la dernière résolution")).to_have_count(0)

    expect(_phase(hers)).to_contain_text("Printemps")
    expect(news).to_contain_text("L’arbitre a annulé la dernière résolution")
    expect(_state(hers, "saved")).to_be_visible()
    expect(hers.locator("[data-written]")).to_have_count(3)
    news.get_by_role("button", name="Voir les saisons").click()
    expect(hers.get_by_text("L’arbitre est revenu à cette position")).to_be_visible()
    hers.get_by_role("navigation", name="Toutes les saisons").locator("[data-season='1']").click()
    expect(hers.get_by_text("L’arbitre a annulé cette résolution")).to_be_visible()
    tab(hers, "Ordres")
    hers.get_by_role("button", name="Ordres définitifs").click()
    expect(_state(hers, "final")).to_be_visible()


def test_orders_that_arrive_after_the_resolution_are_not_taken_for_the_next_phase(
    visit: Visit, house: House
) -> None:
    game = Mastered(house, "retard")
    hers = visit()
    enter(hers, game.in_role(1).pseudo)
    release: list[Callable[[], None]] = []

    def between(page: WebSocketRoute) -> None:
        """A slow line: orders are on their way until they are let through."""
        server = page.connect_to_server()

        def sent(said: str | bytes) -> None:
            if '"save"' in str(said):
                release.append(lambda: server.send(said))
            else:
                server.send(said)

        page.on_message(sent)

    hers.route_web_socket(re.compile("/api/v1/live$"), between)
    hers.goto(game.path)
    hers.get_by_role("button", name="Tout le reste tient").click()
    hers.wait_for_function("() => document.querySelector('[data-saving=saving]')")
    hear_until(hers, lambda: release, "the orders on their way")
    page = game.at_the_desk(visit)
    page.get_by_role("button", name="Résoudre la phase").click()
    # While the master thinks about it, all orders come in.
    for role in (1, 2, 3):
        _give(game, role, final=True)
    expect(_phase(page)).not_to_contain_text("Printemps")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(_phase(hers)).not_to_contain_text("Printemps")
    now = game.view()
    release[0]()
    expect(hers.get_by_text("Trop tard : la partie n’est plus à cette phase.").first).to_be_visible()
    assert game.view()["orders"] == now["orders"] == {}
    expect(_state(hers, "empty")).to_be_visible()


def test_no_deadline_runs_while_the_game_is_paused(visit: Visit, house: House) -> None:
    game = Mastered(house, "pause", options={"sharing": "none", "minutes": 150})
    hers = game.come(visit, game.in_role(2))
    expect(hers.locator("[data-deadline]")).to_be_visible()
    before = game.view()["deadline"]
    page = game.at_the_desk(visit)
    page.get_by_role("button", name="Mettre en pause").click()
    expect(page.get_by_text(re.compile("aucune date limite ne court. Il restera 2.heures"))).to_be_visible()
    expect(hers.locator("[data-paused]")).to_be_visible()
    expect(hers.locator("[data-left]")).to_contain_text("2 heures")
    expect(hers.locator("[data-deadline]")).to_have_count(0)
    paused = game.view()
    assert (paused["deadline"], paused["paused"]) == (None, True)
    page.get_by_role("button", name="Reprendre").click()
    expect(hers.locator("[data-deadline]")).to_be_visible()
    expect(hers.locator("[data-paused]")).to_have_count(0)
    # What stood still is given back.
    assert game.view()["deadline"] > before
    expect(page.get_by_role("button", name="Mettre en pause")).to_be_visible()


def test_the_late_player_is_told_that_it_is_he_and_until_when(visit: Visit, house: House) -> None:
    game = Mastered(house, "retardataire", options={"sharing": "none", "calendar": True, "grace": 1})
    for role in (1, 2):
        _give(game, role)
    hers, his = game.come(visit, game.in_role(3)), game.come(visit, game.in_role(1))
    soon = int(time.time() * 1000) + 1_500
    game.master.post(f"{game.path}/play", action={"do": "set_deadline", "at": soon}, request_id="soon")
    expect(hers.locator("[data-overdue='you']")).to_contain_text(
        "Vous êtes en retard : donnez vos ordres, dernier délai"
    )
    # In the last hour minutes and seconds run.
    expect(hers.get_by_role("timer")).to_have_text(re.compile(r"^5\d:\d\d$"))
    expect(hers.locator("[data-late]")).to_contain_text("dites quand c’est tout")
    expect(his.locator("[data-overdue='others']")).to_contain_text("les retardataires ont un dernier délai")
    hers.get_by_role("button", name="Tout le reste tient").click()
    expect(_state(hers, "saved")).to_be_visible()
    assert game.view()["advancement"] == 0
    hers.get_by_role("button", name="C’est tout").click()
    expect(_phase(hers)).not_to_contain_text("Printemps")
    expect(hers.locator("[data-overdue]")).to_have_count(0)


def test_a_deadline_waits_for_who_is_away_and_a_day_for_who_asks(visit: Visit, house: House) -> None:
    game = Mastered(house, "absence", options={"sharing": "none", "calendar": True})
    anne, names = game.in_role(1), game.names()
    his = game.come(visit, game.in_role(2))
    before = game.view()["deadline"]
    his.get_by_role("button", name="24 heures de plus").click()
    his.get_by_role("dialog").get_by_role("button", name="Oui, un jour de plus").click()
    expect(his.locator("[data-postponed]")).to_have_text(f"date reportée d’un jour : {names[2]}")
    expect(his.get_by_role("button", name="24 heures de plus")).to_have_count(0)
    moved = game.view()["deadline"]
    assert moved - before == 86_400_000
    hers = game.come(visit, anne, "/account")
    day = time.strftime("%Y-%m-%d", time.localtime(moved / 1000))
    absences = hers.get_by_role("region", name="Absences")
    absences.get_by_label("Premier jour").fill(day)
    absences.get_by_role("button", name="Déclarer").click()
    expect(absences.get_by_text("Choisissez un jour.")).to_be_visible()
    absences.get_by_label("Dernier jour").fill(day)
    absences.get_by_role("button", name="Déclarer").click()
    expect(absences.locator("li")).to_contain_text("a reporté une date")
    expect(absences.locator("[data-days-left]")).to_contain_text("20")
    expect(his.locator("[data-postponed]").nth(1)).to_have_text(f"date reportée : absence ({names[1]})")
    assert game.view()["deadline"] - moved == 86_400_000


def test_in_a_game_by_minutes_the_time_left_runs(visit: Visit, house: House) -> None:
    game = Mastered(house, "minutes", options={"sharing": "none", "minutes": 12})
    hers = game.come(visit, game.in_role(2))
    clock = hers.locator("[data-runs]")
    expect(clock).to_have_text(re.compile(r"^1[01]:\d\d$"))
    shown = clock.text_content()
    expect(clock).not_to_have_text(shown or "")


def test_a_player_sees_that_the_master_has_corrected_her_orders(visit: Visit, house: House) -> None:
    game = Mastered(house, "correction")
    anne = game.in_role(1)
    _give(game, 1)
    hers = game.come(visit, anne)
    expect(_state(hers, "saved")).to_be_visible()
    expect(hers.locator("[data-corrected]")).to_have_count(0)

    page = game.at_the_desk(visit)
    page.get_by_role("button", name=f"Corriger les ordres : {game.names()[1]}").click()
    expect(_state(page, "saved")).to_contain_text("Changez-les et validez pour les corriger")
    written = page.get_by_role("combobox", name="Écrire un ordre")
    written.fill("A ACA - AFO")
    written.press("Enter")
    expect(_state(page, "changed")).to_contain_text("A ACA - AFO n’est pas encore validé")
    expect(page.locator("[data-saving='mine']")).to_have_text("Gardé dans ce navigateur.")
    assert game.view()["corrected"] == []
    expect(hers.locator("[data-corrected]")).to_have_count(0)
    page.get_by_role("button", name="Valider").click()
    expect(page.get_by_text("Ordres corrigés ; le joueur en est averti.")).to_be_visible()
    expect(page.locator("[data-corrected]")).to_contain_text("votre correction")

    # Her page shows what the envelope has now.
    expect(hers.locator("[data-corrected]")).to_contain_text("L’arbitre a corrigé vos ordres")
    expect(_state(hers, "saved")).to_be_visible()
    expect(hers.locator("[data-written]").get_by_text("A ACA - AFO")).to_be_visible()
    hers.reload()
    expect(hers.locator("[data-corrected]")).to_be_visible()
    expect(_state(hers, "saved")).to_be_visible()
    happened = hers.get_by_role("list", name="Ce qui s’est passé")
    expect(happened).to_contain_text(f"L’arbitre a donné les ordres : {game.names()[1]}.")
    kinds = [each["kind"] for each in anne.http.get("/notices").raise_for_status().json()["notices"]]
    assert kinds.count("orders_corrected") == 1
    tab(page, "Arbitre")
    expect(page.locator("[data-role='1']")).to_contain_text("corrigés par vous")


def test_final_orders_that_the_master_corrects_by_lists_are_shown_as_they_are_now(
    visit: Visit, house: House
) -> None:
    game = Mastered(house, "definitifs")
    _give(game, 1, final=True)
    hers = game.come(visit, game.in_role(1))
    sealed = _state(hers, "final")
    expect(sealed).to_be_visible()
    expect(hers.get_by_role("listitem").get_by_text("A ACA T", exact=True)).to_be_visible()
    page = game.at_the_desk(visit)
    page.get_by_role("button", name=f"Corriger les ordres : {game.names()[1]}").click()
    expect(_state(page, "final")).to_contain_text("Vous pouvez encore les corriger")
    page.get_by_label("Ordre de A ACA").select_option("Attaquer")
    page.get_by_label("Destination de A ACA").select_option(label="Forêt d'Ambre")
    page.get_by_role("button", name="Valider").click()
    expect(hers.locator("[data-corrected]")).to_be_visible()
    expect(hers.get_by_role("listitem").get_by_text("A ACA - AFO", exact=True)).to_be_visible()
    expect(sealed).to_be_visible()


def test_who_writes_on_after_a_correction_writes_on_from_it(visit: Visit, house: House) -> None:
    game = Mastered(house, "reprise")
    _give(game, 1)
    hers = game.come(visit, game.in_role(1))
    written = hers.get_by_role("combobox", name="Écrire un ordre")
    written.fill("A ATA - AMA")
    written.press("Enter")
    expect(_state(hers, "saved")).to_be_visible()
    expect(hers.locator("[data-saving='saved']")).to_be_visible()
    corrected = _give(game, 1, act=MOVE, by=game.master)
    expect(hers.locator("[data-corrected]")).to_be_visible()
    expect(_state(hers, "saved")).to_be_visible()
    assert game.view()["orders"]["1"] == corrected
    hers.get_by_role("button", name="Tout effacer").click()
    expect(_state(hers, "empty")).to_be_visible()
    expect(hers.locator("[data-corrected]")).to_have_count(0)


def test_a_master_sees_orders_that_come_in_while_he_looks_at_them(visit: Visit, house: House) -> None:
    game = Mastered(house, "regard")
    page = game.come(visit, game.master)
    expect(_state(page, "empty")).to_contain_text("La maison n’a pas d’ordres pour cette puissance")
    _give(game, 1)
    expect(_state(page, "saved")).to_be_visible()
    expect(page.locator("[data-written]")).to_have_count(3)


def _tool(editor: Locator, name: str) -> None:
    editor.get_by_role("group", name="Ce que l’on pose").get_by_text(name, exact=True).first.click()


def _for(editor: Locator, name: str) -> None:
    editor.get_by_role("group", name="Pour qui").get_by_text(name).click()


def _touch(editor: Locator, zone: int) -> None:
    editor.locator(f"[data-pick='{zone}']").first.click()


def _keep(page: Page) -> None:
    page.get_by_role("button", name="Enregistrer la position").click()
    agree(page, "Enregistrer la position")
    expect(page.get_by_text("La position est enregistrée.")).to_be_visible()


def test_req_230_240_armies_fleets_and_centres_are_set_on_the_map(visit: Visit, house: House) -> None:
    game = Mastered(house, "pose")
    names = game.names()
    hers = game.come(visit, game.in_role(2))
    page = game.at_the_desk(visit)
    before = game.view()["situation"]
    page.get_by_role("button", name="Modifier la position").click()
    editor = page.get_by_role("dialog").first
    _for(editor, names[3])
    _touch(editor, FOREST)
    _tool(editor, "Flotte")
    _for(editor, names[2])
    _touch(editor, MARCH_EAST)
    _tool(editor, "Centre")
    _touch(editor, ROCK)
    # A mistake is taken back.
    _touch(editor, OTHER_ISLET)
    editor.get_by_role("button", name="Annuler", exact=True).click()
    _keep(page)
    now = game.view()["situation"]
    assert now["units"]["3"] == sorted([*before["units"]["3"], [ARMY, FOREST]])
    assert now["units"]["2"] == sorted([*before["units"]["2"], [FLEET, MARCH_EAST]])
    rock = [each["zone"] for each in game.map()["regions"] if each["centre"]].index(ROCK) + 1
    assert now["ownerships"] == {**before["ownerships"], str(rock): 2}
    expect(hers.locator("[data-resolved]")).to_contain_text("L’arbitre a changé la position.")
    expect(hers.locator(f"g[data-unit='{MARCH_EAST}']").first).to_be_visible()


def test_req_240_a_dislodged_unit_and_a_closed_region_are_set(visit: Visit, house: House) -> None:
    game = Mastered(house, "retraite")
    names = game.names()
    hers = game.come(visit, game.in_role(1))
    page = game.at_the_desk(visit)
    page.get_by_role("button", name="Modifier la position").click()
    editor = page.get_by_role("dialog").first
    editor.get_by_label("Phase").select_option("1")
    _for(editor, names[2])
    _touch(editor, ISLET)
    _tool(editor, "Unité délogée")
    _for(editor, names[1])
    editor.get_by_role("combobox", name="Unité délogée").select_option(label="Flotte")
    _touch(editor, ISLET)
    _tool(editor, "Région fermée")
    _touch(editor, OTHER_ISLET)
    _keep(page)
    now = game.view()
    assert now["advancement"] == 1
    assert now["situation"]["dislodged_ones"] == {"1": [[FLEET, ISLET, 0]]}
    assert now["situation"]["forbiddens"] == [OTHER_ISLET]
    expect(hers.locator("[data-hint]")).to_contain_text("délogée")
    expect(hers.locator(f"[data-forbidden='{OTHER_ISLET}']").first).to_be_attached()


def test_a_player_is_removed_from_a_running_game_and_replaced(visit: Visit, house: House) -> None:
    game = Mastered(house, "retrait")
    anne, other = game.in_role(1), Mastered(house, "remplacant", start=False).players[0]
    hers = game.come(visit, anne)
    expect(hers.get_by_role("tab", name="Paroles")).to_be_visible()
    page = game.at_the_desk(visit)
    line = page.locator("[data-role='1']")
    line.get_by_role("button", name=re.compile("^Retirer")).click()
    agree(page, "Retirer")
    expect(line.get_by_text("a quitté la partie", exact=True)).to_be_visible()
    expect(line.get_by_role("button", name=re.compile("^Retirer"))).to_have_count(0)
    assert game.view()["roles"]["1"]["owes"] is False
    # Who is no longer there neither writes nor talks.
    expect(hers.get_by_role("button", name="Ordres définitifs")).to_have_count(0)
    expect(hers.get_by_role("tab", name="Paroles")).to_have_count(0)
    line.get_by_role("button", name=re.compile("^Remplacer")).click()
    page.get_by_label("Nouveau joueur").fill(other.pseudo)
    agree(page, "Remplacer")
    expect(line).to_contain_text(other.pseudo)
    expect(line.get_by_text("a quitté la partie", exact=True)).to_have_count(0)
    his = game.come(visit, other)
    expect(his.locator("[data-own]")).to_contain_text(game.names()[1])
    expect(his.get_by_role("button", name="Ordres définitifs")).to_be_visible()


def test_a_running_game_is_changed_and_goes_on(visit: Visit, house: House) -> None:
    options = {"sharing": "none", "calendar": True, "moves_days": 3}
    game = Mastered(house, "reglages", options=options, description="Une partie d’hiver.")
    given = _give(game, 1)
    before = game.view()
    hers = game.come(visit, game.in_role(1))
    page = game.at_the_desk(visit)
    page.get_by_role("tabpanel").get_by_role("link", name="Modifier la partie").click()
    expect(page.get_by_label("Description")).to_have_value("Une partie d’hiver.")
    page.get_by_label("Nom de la partie").fill("Réglages bis")
    page.get_by_label("Jours pour les mouvements").fill("5")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page).to_have_url(re.compile(rf"{game.path}$"))
    expect(hers.get_by_role("heading", name="Réglages bis")).to_be_visible()
    changed = game.master.http.get(game.path).raise_for_status().json()
    assert (changed["name"], changed["status"]) == ("Réglages bis", "running")
    assert (changed["options"]["moves_days"], changed["options"]["calendar"]) == (5, True)
    now = game.view()
    assert now["orders"] == {"1": given}
    for same in ("advancement", "situation", "roles", "deadline"):
        assert now[same] == before[same]


def test_req_250_a_season_leads_to_the_sandbox_with_its_position_and_orders(visit: Visit) -> None:
    page = visit()
    table = play_war(page, 2)
    page.goto(f"/tables/{table}?season=1")
    told = page.locator(".report .text")
    expect(told).to_have_count(6)
    before = told.all_inner_texts()
    page.get_by_role("link", name="Ouvrir dans le bac à sable").click()
    expect(page).to_have_url(re.compile("/sandbox"))
    expect(page.get_by_role("tab", name="Résultat")).to_have_attribute("aria-selected", "true")
    expect(told).to_have_count(6)
    assert told.all_inner_texts() == before
    page.get_by_role("button", name="Changer les ordres").click()
    expect(page.locator("[data-order]")).to_have_count(6)
    expect(page.locator("[data-phase]")).to_contain_text("Printemps 1701")
