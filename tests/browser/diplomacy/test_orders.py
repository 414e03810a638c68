"""Orders of Diplomacy (REQ_160): by mouse, by lists, by text, by keys; saved, final, tried."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.diplomacy.europe import (
    FRANCE,
    GERMANY,
    RUSSIA,
    choose_power,
    hint,
    open_europe,
    pick,
    state,
    view,
    written,
    zone,
)
from tests.browser.people import ask
from tests.kit.browsing import PHONE, Complaints, Visit

WRITE = "Écrire un ordre"


def lit(page: Page) -> set[int]:
    return {
        int(zone) for zone in page.locator("[data-pick]").evaluate_all("all => all.map(e => e.dataset.pick)")
    }


def row(page: Page, unit: str) -> Locator:
    return page.locator(f'[data-unit="{unit}"]').and_(page.locator("li"))


def write(page: Page, text: str) -> None:
    field = page.get_by_role("combobox", name=WRITE)
    field.fill(text)
    field.press("Enter")


def test_req_160_a_unit_then_its_target_is_a_move_and_only_legal_targets_light(visit: Visit) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    assert lit(page) == {zone("bre"), zone("mar"), zone("par")}
    pick(page, "par")
    expect(hint(page)).to_contain_text("A Paris")
    reached = {"par", "bre", "bur", "gas", "pic"}
    helped = {"bre", "mar", "mun"}  # who could be supported into a neighbour of Paris
    assert lit(page) == {zone(code) for code in reached | helped}
    pick(page, "bur")
    assert written(page) == ["A PAR - BUR"]
    expect(page.locator(f'[data-order="{zone("par")}"]')).to_have_count(1)
    expect(hint(page)).to_contain_text("2 unités")


def test_req_160_supports_take_three_clicks(visit: Visit) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    pick(page, "mar", "par", "bur")
    pick(page, "par", "bre", "bre")
    assert written(page) == ["A MAR S A PAR - BUR", "A PAR S F BRE"]
    choose_power(page, "Italie")
    pick(page, "ven", "tri", "tri")  # a foreign unit is rather attacked
    assert written(page) == ["A VEN - TRI"]
    pick(page, "ven", "tri")
    page.get_by_role("button", name="Soutenir Trieste sur place").click()
    assert written(page) == ["A VEN S F TRI"]
    pick(page, "ven", "mun")  # there is one place where the two can meet
    assert written(page) == ["A VEN S allemand A MUN - TYR"]


def test_req_160_a_convoy_is_offered_with_the_move_or_ordered_in_three_clicks(visit: Visit) -> None:
    page = visit()
    open_europe(page, phases=1)
    choose_power(page, "Angleterre")
    pick(page, "yor", "nwy")
    page.get_by_role("button", name="Convoyer avec F NTH").click()
    assert sorted(written(page)) == ["A YOR - NWY", "F NTH C A YOR - NWY"]
    pick(page, "nth", "yor", "bel")
    assert "F NTH C A YOR - BEL" in written(page)


def test_req_160_the_way_is_asked_only_where_there_are_two(visit: Visit) -> None:
    page = visit()
    open_europe(page, phases=1)
    choose_power(page, "Angleterre")
    pick(page, "yor", "edi")
    expect(hint(page)).to_contain_text("par terre ou par convoi")
    page.get_by_role("button", name="par convoi").click()
    assert "A YOR - EDI par convoi" in written(page)
    pick(page, "yor", "wal")
    assert "A YOR - WAL" in written(page)


def test_req_160_a_coast_is_asked_only_where_there_are_two(visit: Visit) -> None:
    page = visit()
    open_europe(page, phases=1)
    choose_power(page, "France")
    pick(page, "mid", "spa")
    expect(hint(page)).to_contain_text("Sur quelle côte")
    page.get_by_role("button", name="côte sud", exact=True).click()
    assert written(page) == ["F MID - SPA sc"]
    pick(page, "mid", "spa", "spa/nc")
    assert written(page) == ["F MID - SPA nc"]
    pick(page, "mid", "por")
    assert written(page) == ["F MID - POR"]


def test_req_160_escape_steps_back_and_the_same_unit_cancels(visit: Visit) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    units = lit(page)
    pick(page, "mar", "par")
    page.keyboard.press("Escape")
    expect(hint(page)).to_contain_text("A Marseille : choisissez où elle va")
    page.keyboard.press("Escape")
    assert lit(page) == units
    pick(page, "par", "par")
    assert lit(page) == units
    assert written(page) == []


def test_req_160_lists_and_text_and_map_change_the_same_orders(visit: Visit) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    paris = row(page, "A PAR")
    paris.get_by_label("Ordre de A PAR").select_option("Soutenir offensivement")
    assert zone("mar") in lit(page)  # the map waits for the same answer as the list
    paris.get_by_label("Unité aidée par A PAR").select_option("A MAR · Marseille")
    paris.get_by_label("Destination de A PAR").select_option("Bourgogne")
    assert written(page) == ["A PAR S A MAR - BUR"]
    write(page, "A MAR - BUR")
    pick(page, "bre", "mid")
    assert written(page) == ["F BRE - MID", "A MAR - BUR", "A PAR S A MAR - BUR"]
    expect(row(page, "F BRE").get_by_label("Destination de F BRE")).to_have_value(
        row(page, "F BRE")
        .get_by_label("Destination de F BRE")
        .locator("option", has_text="Atlantique moyen")
        .get_attribute("value")
        or ""
    )
    paris.get_by_label("Ordre de A PAR").select_option("Tenir")
    assert written(page)[-1] == "A PAR T"
    page.get_by_text("Tous les ordres en texte").click()
    assert page.get_by_label("Vos ordres, un par ligne").input_value().splitlines() == written(page)


def test_req_160_typing_narrows_the_list_of_possible_orders(visit: Visit) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    field = page.get_by_role("combobox", name=WRITE)
    field.press_sequentially("marseille s par")
    options = page.get_by_role("listbox", name="Ordres possibles").get_by_role("option")
    expect(options.first).to_be_visible()
    assert options.all_inner_texts()[0].startswith("A MAR S A PAR")
    field.press_sequentially(" bour")
    expect(options).to_have_text(["A MAR S A PAR - BUR"])
    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", options.first.get_attribute("id") or "")
    field.press("Enter")
    expect(field).to_have_value("")
    assert written(page) == ["A MAR S A PAR - BUR"]


def test_req_160_several_orders_at_once_are_read_and_faults_stand_at_their_unit_in_words(
    visit: Visit,
) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    write(page, "A PAR - BUR; A MAR - Moscou; F BRE - trois petits tours")
    expect(row(page, "A MAR").get_by_role("alert")).to_contain_text("MOS")
    expect(page.get_by_role("alert").filter(has_text="trois petits tours")).to_be_visible()
    assert written(page) == ["A PAR - BUR"]
    expect(page.get_by_role("combobox", name=WRITE)).to_have_value(
        "A MAR - Moscou ; F BRE - trois petits tours"
    )
    pick(page, "mar", "spa")
    expect(row(page, "A MAR").get_by_role("alert")).to_have_count(0)


def test_req_160_what_is_written_while_the_house_reads_is_kept(visit: Visit) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    held: list[Route] = []
    page.route("**/reading", lambda route: held.append(route), times=1)
    with page.expect_request("**/reading"):
        write(page, "A PAR - BUR; F BRE - nulle part")
    field = page.get_by_role("combobox", name=WRITE)
    field.press_sequentially("; A MAR - S")
    held[0].continue_()
    expect(page.locator("[data-written]")).to_have_text(["A PAR - BUR"])
    expect(field).to_have_value("F BRE - nulle part ; A MAR - S")


def test_req_160_units_without_an_order_are_listed_until_all_the_rest_holds(visit: Visit) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    pick(page, "par", "bur")
    expect(page.locator(".row.missing button")).to_have_text(["F BRE", "A MAR", "Tout le reste tient"])
    page.get_by_role("button", name="Tout le reste tient").click()
    assert written(page) == ["F BRE T", "A MAR T", "A PAR - BUR"]
    expect(page.locator(".row.missing")).to_have_count(0)


def test_req_160_each_change_is_saved_at_once_and_outlives_the_page(visit: Visit) -> None:
    page = visit()
    table = open_europe(page)
    choose_power(page, "France")
    expect(state(page)).to_have_attribute("data-state", "empty")
    pick(page, "par", "bur")
    expect(state(page)).to_have_attribute("data-state", "saved")
    expect(state(page)).to_contain_text("1 sur 3")
    expect(page.locator("[data-saving=saved]")).to_be_visible()
    assert [order[1:5] for order in view(page, table)["orders"][str(FRANCE)]] == [
        [1, zone("par"), 0, zone("bur")]
    ]
    assert view(page, table)["roles"][str(FRANCE)]["in"] is False
    page.evaluate("() => localStorage.clear()")
    page.reload()
    choose_power(page, "France")
    expect(page.locator("[data-written]")).to_have_text(["A PAR - BUR"])
    pick(page, "par", "pic")
    expect(page.locator("[data-saving=saved]")).to_be_visible()
    assert [order[4] for order in view(page, table)["orders"][str(FRANCE)]] == [zone("pic")]
    page.get_by_role("button", name="Tout effacer").click()
    expect(state(page)).to_have_attribute("data-state", "empty")
    expect(page.locator("[data-saving=saved]")).to_be_visible()
    assert str(FRANCE) not in view(page, table)["orders"]


def test_req_160_a_draft_of_before_is_a_suggestion_that_counts_only_when_it_is_taken(visit: Visit) -> None:
    page = visit()
    table = open_europe(page)
    for power, role in (("France", FRANCE), ("Allemagne", GERMANY)):
        home = "par" if role == FRANCE else "mun"
        order = [role, 1, zone(home), 0, zone("bur"), 0, 0]
        ask(page, "PUT", f"/tables/{table}/drafts/{role}", {"advancement": 0, "orders": [order]})
        page.reload()
        choose_power(page, power)
    suggestion = page.locator("[data-suggestion]")
    expect(suggestion).to_contain_text("A MUN - BUR")
    assert view(page, table)["orders"] == {}
    suggestion.get_by_role("button", name="Le jeter").click()
    expect(suggestion).to_have_count(0)
    choose_power(page, "France")
    suggestion.get_by_role("button", name="Le prendre pour ordres").click()
    expect(state(page)).to_have_attribute("data-state", "saved")
    assert [*view(page, table)["orders"]] == [str(FRANCE)]
    page.reload()
    choose_power(page, "Allemagne")
    expect(state(page)).to_have_attribute("data-state", "empty")
    expect(suggestion).to_have_count(0)


def test_req_160_each_order_says_whether_it_is_saved_and_what_it_lacks(visit: Visit) -> None:
    page = visit()
    open_europe(page)
    choose_power(page, "France")
    pick(page, "mar", "par", "bur")
    support = row(page, "A MAR")
    expect(support.get_by_role("note")).to_have_text(
        "A PAR n’a pas l’ordre d’aller vers Bourgogne : cette aide ne sert pas encore."
    )
    expect(support).to_contain_text("✓")
    pick(page, "par", "bur")
    expect(support.get_by_role("note")).to_have_count(0)


def test_req_160_what_is_written_while_the_house_is_away_is_saved_when_it_is_back(
    visit: Visit, complaints: Complaints
) -> None:
    complaints.expect("ERR_INTERNET_DISCONNECTED")
    page = visit()
    table = open_europe(page)
    choose_power(page, "France")
    page.context.set_offline(True)
    page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    pick(page, "par", "bur")
    expect(state(page)).to_have_attribute("data-state", "changed")
    page.context.set_offline(False)
    expect(state(page)).to_have_attribute("data-state", "saved")
    assert [*view(page, table)["orders"]] == [str(FRANCE)]


def test_req_160_final_orders_are_explained_kept_and_may_be_taken_back(visit: Visit) -> None:
    page = visit()
    table = open_europe(page)
    choose_power(page, "France")
    pick(page, "par", "bur")
    page.get_by_role("button", name="Ordres définitifs").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("2 unités sont sans ordre : elles tiendront.")
    question.get_by_role("button", name="Annuler").click()
    assert view(page, table)["roles"][str(FRANCE)]["in"] is False
    page.get_by_role("button", name="Ordres définitifs").click()
    question.get_by_role("button", name="Oui, définitifs").click()
    choose_power(page, "France")
    expect(state(page)).to_have_attribute("data-state", "final")
    expect(page.get_by_role("button", name="Ordres définitifs")).to_have_count(0)
    expect(page.locator(".sealed li")).to_have_text(["A PAR - BUR"])
    assert view(page, table)["roles"][str(FRANCE)]["in"] is True
    page.get_by_role("button", name="Reprendre mes ordres").click()
    expect(state(page)).to_have_attribute("data-state", "saved")
    pick(page, "par", "pic")
    expect(state(page)).to_have_attribute("data-state", "saved")
    assert view(page, table)["roles"][str(FRANCE)]["in"] is False


def test_req_160_a_dislodged_unit_retreats_or_is_disbanded(visit: Visit) -> None:
    page = visit()
    table = open_europe(page, phases=2)
    assert view(page, table)["advancement"] == 3
    expect(page.locator("[data-phase]")).to_have_text("Hiver 1901")
    assert lit(page) == {zone("bur")}
    pick(page, "bur")
    assert lit(page) == {
        zone(code) for code in ("bur", "bel", "gas", "pic", "ruh")
    }  # not Munich, Paris, Marseille
    pick(page, "ruh")
    assert written(page) == ["A BUR R RUH"]
    pick(page, "bur")
    page.get_by_role("button", name="Disperser").click()
    assert written(page) == ["A BUR A"]
    expect(state(page)).to_have_attribute("data-state", "saved")
    assert view(page, table)["orders"][str(GERMANY)][0][1] == 7


def test_req_160_builds_ask_army_or_fleet_and_the_coast_in_one_step(visit: Visit) -> None:
    page = visit()
    table = open_europe(page, phases=3)
    choose_power(page, "Russie")
    expect(hint(page)).to_contain_text("construire une unité")
    assert lit(page) == {zone("stp"), zone("sev")}
    pick(page, "stp")
    expect(hint(page)).to_have_text("Que construire à Saint-Pétersbourg ?")
    page.get_by_role("button", name="Flotte (côte nord)").click()
    assert written(page) == ["+ F STP nc"]
    assert lit(page) == {zone("stp")}  # no more than is due
    pick(page, "stp")
    assert written(page) == []
    row(page, "SEV").get_by_label("Ordre de SEV").select_option("Construire\u00a0: Armée")
    assert written(page) == ["+ A SEV"]
    expect(state(page)).to_have_attribute("data-state", "saved")
    assert view(page, table)["orders"][str(RUSSIA)] == [[RUSSIA, 8, zone("sev"), 0, 0, 0, 1]]


def test_req_160_exactly_the_removals_owed_are_taken(visit: Visit) -> None:
    page = visit()
    table = open_europe(page, phases=3)
    choose_power(page, "Allemagne")
    expect(hint(page)).to_contain_text("devez supprimer une unité")
    expect(page.get_by_role("button", name="Ordres définitifs")).to_be_disabled()
    pick(page, "ruh")
    assert written(page) == ["- A RUH"]
    assert lit(page) == {zone("ruh")}
    write(page, "- F KIE")
    expect(row(page, "F KIE").get_by_role("alert")).to_contain_text("Une seule suppression est due")
    expect(state(page)).to_have_attribute("data-state", "saved")
    assert view(page, table)["orders"][str(GERMANY)][0][:3] == [GERMANY, 9, zone("ruh")]


def test_req_160_a_trial_against_supposed_orders_leaves_the_real_ones_alone(visit: Visit) -> None:
    page = visit()
    table = open_europe(page, phases=1)
    choose_power(page, "France")
    pick(page, "par", "bur", "bur")
    page.get_by_role("button", name="Et si…").click()
    result = page.locator("[data-result]")
    expect(result.locator("li.failed")).to_contain_text("A PAR - BUR")
    expect(result.locator("li.failed")).to_contain_text("attaque 1 contre A BUR T")  # why, in words
    pick(page, "mar", "par", "bur")
    expect(result.locator("li.done").filter(has_text="✓ A PAR - BUR")).to_be_visible()
    expect(result.locator("li.failed")).to_contain_text("A BUR T")
    write(page, "A BUR - MUN")
    expect(result.locator("li.done")).to_contain_text(["A MAR S A PAR - BUR", "A PAR - BUR", "A BUR - MUN"])
    page.get_by_role("button", name="Quitter l’essai").click()
    assert written(page) == ["A PAR - BUR"]
    assert [order[4] for order in view(page, table)["orders"][str(FRANCE)]] == [zone("bur")]
    page.get_by_role("button", name="Et si…").click()
    expect(result.locator("li.failed")).to_contain_text("A PAR - BUR")
    pick(page, "mar", "par", "bur")
    expect(result.locator("li.done").filter(has_text="A MAR S A PAR - BUR")).to_be_visible()
    page.get_by_role("button", name="Prendre ces ordres pour miens").click()
    expect(page.locator("[data-written]")).to_have_text(["A MAR S A PAR - BUR", "A PAR - BUR"])


def test_req_160_keys_alone_order_everything(visit: Visit) -> None:
    page = visit()
    table = open_europe(page)

    def tab_to(selector: str) -> None:
        for _ in range(150):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"no key leads to {selector}")

    tab_to(".roles button:nth-child(2)")
    page.keyboard.press("Enter")
    tab_to("input[role=combobox]")
    page.keyboard.type("par bur")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[data-written]")).to_have_text(["A PAR - BUR"])
    tab_to('li[data-unit="A MAR"] select')
    page.keyboard.type("Tenir")
    page.keyboard.press("Tab")
    expect(page.locator("[data-written]")).to_have_text(["A MAR T", "A PAR - BUR"])
    page.locator(".map").focus()
    tab_to(f'[data-pick="{zone("bre")}"]')
    page.keyboard.press("Enter")
    tab_to(f'[data-pick="{zone("mid")}"]')
    page.keyboard.press(" ")
    expect(page.locator("[data-written]")).to_have_text(["F BRE - MID", "A MAR T", "A PAR - BUR"])
    expect(state(page)).to_have_attribute("data-state", "saved")
    assert len(view(page, table)["orders"][str(FRANCE)]) == 3


def test_a_draw_is_voted_for_and_taken_back(visit: Visit) -> None:
    page = visit()
    table = open_europe(page, other=visit(), sharing="fewer")
    page.get_by_role("button", name="Proposer la nulle").click()
    page.get_by_role("dialog").get_by_role("button", name="Annuler").click()
    assert view(page, table)["votes"] == []
    page.get_by_role("button", name="Proposer la nulle").click()
    page.get_by_role("dialog").get_by_role("button", name="Je suis pour").click()
    expect(page.get_by_text("Un joueur est pour la nulle.")).to_be_visible()
    assert view(page, table)["votes"] == [1]
    page.get_by_role("button", name="Retirer mon accord à la nulle").click()
    expect(page.get_by_role("button", name="Proposer la nulle")).to_be_visible()
    assert view(page, table)["votes"] == []


def test_orders_are_written_on_a_phone_with_the_map_in_sight(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True)
    open_europe(page)
    choose_power(page, "Angleterre")
    for code in ("lon", "nth"):
        page.locator(f'[data-pick="{zone(code)}"]').tap()
    assert written(page) == ["F LON - NTH"]
    page.get_by_text("Tous les ordres en texte").scroll_into_view_if_needed()
    expect(page.locator(".map")).to_be_in_viewport()
    # Who types needs the room: there is a keyboard on the screen.
    page.get_by_role("combobox", name=WRITE).tap()
    page.get_by_text("Tous les ordres en texte").scroll_into_view_if_needed()
    expect(page.locator(".map")).not_to_be_in_viewport()
    page.get_by_role("combobox", name=WRITE).blur()
    expect(page.locator(".map")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
