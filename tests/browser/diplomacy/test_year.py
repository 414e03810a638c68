"""A year of Diplomacy by hand, phase by phase in the page; and who is always late is replaced there."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect
from tests.browser.diplomacy.europe import (
    AUTUMN,
    RETREAT,
    SPRING,
    choose_power,
    hint,
    open_europe,
    state,
    view,
)
from tests.browser.diplomacy.mastering import Mastered
from tests.browser.furnishing import Somebody
from tests.kit.browsing import Visit
from tests.kit.process import House

from tablee.rules.diplomacy.variant import load_variant

POWERS = {role: power.name_fr for role, power in enumerate(load_variant("standard").powers) if role}
WINTER = {3: "- F KIE", 6: "+ A SEV"}


def order_by_hand(page: Page, text: str) -> None:
    """What somebody writes, each order seen to be saved; then all the rest, then final."""
    for order in filter(None, text.split("; ")):
        field = page.get_by_role("combobox", name="Écrire un ordre")
        field.fill(order)
        field.press("Enter")
    if text:
        expect(state(page)).to_have_attribute("data-state", "saved")
    rest = page.get_by_role("button", name=re.compile("^Tout le reste"))
    if rest.count():
        rest.click()
        expect(state(page)).to_have_attribute("data-state", "saved")
    page.get_by_role("button", name="Ordres définitifs").click()
    question = page.get_by_role("dialog").get_by_role("button", name="Oui, définitifs")
    # Builds that are not ordered are given up, which is asked back.
    if "+" not in text and page.get_by_role("dialog").count():
        question.click()


@pytest.mark.long
def test_a_year_is_played_by_hand(visit: Visit) -> None:
    page = visit()
    table = open_europe(page)
    for advancement, said in ((0, SPRING), (2, AUTUMN), (3, RETREAT), (4, WINTER)):
        shown = view(page, table)
        assert shown["advancement"] == advancement
        owing = [int(role) for role, each in shown["roles"].items() if each["owes"]]
        for number, role in enumerate(owing, 1):
            choose_power(page, POWERS[role])
            expect(hint(page)).to_be_visible()
            order_by_hand(page, said.get(role, ""))
            if number < len(owing):
                choose_power(page, POWERS[role])
                expect(state(page)).to_have_attribute("data-state", "final")
        expect(page.locator("[data-resolved]")).to_be_visible()
        page.wait_for_function(f"() => !document.querySelector('[data-state=final]') && {advancement} >= 0")
    expect(page.locator("[data-phase]")).to_have_text("Printemps 1902")
    assert view(page, table)["year"] == 1902


def test_somebody_who_is_always_late_is_replaced_by_one_click_each(visit: Visit, house: House) -> None:
    game = Mastered(house, "absent", options={"sharing": "none", "calendar": True, "grace": 0})
    ready = Somebody(house, "Zoe-absent")
    ready.http.patch("/account", json={"stand_in": True}).raise_for_status()
    away = game.in_role(1)
    for number, draw in enumerate((True, False)):
        away.post(f"{game.path}/play", action={"do": "vote", "draw": draw}, request_id=f"vote-{number}")
    for number in range(2):
        before = game.view()["advancement"]
        for role, each in game.view()["roles"].items():
            if role != "1" and each["owes"]:
                action = {"do": "submit", "role": int(role), "orders": []}
                game.in_role(int(role)).post(
                    f"{game.path}/play", action=action, request_id=f"{number}-{role}"
                )
        soon = int(time.time() * 1000) + 300
        game.master.post(
            f"{game.path}/play", action={"do": "set_deadline", "at": soon}, request_id=f"{number}"
        )
        while game.view()["advancement"] == before:
            time.sleep(0.05)
    page = game.come(visit, game.master)
    vacancy = page.locator("[data-vacancy]")
    expect(vacancy).to_contain_text(f"{game.names()[1]} a manqué deux dates limites de suite")
    vacancy.get_by_role("button", name=f"Inviter {ready.pseudo}").click()
    expect(vacancy.get_by_text("invitation envoyée", exact=True)).to_be_visible()
    his = game.come(visit, ready, "/notices")
    his.get_by_role("link", name=re.compile("On vous propose de remplacer")).click()
    his.get_by_role("button", name="Reprendre la place").click()
    expect(his.locator("[data-own]")).to_contain_text(game.names()[1])
    expect(page.locator("[data-vacancy]")).to_have_count(0)
    for each in (page, his):
        happened = each.get_by_role("list", name="Ce qui s’est passé")
        expect(happened).to_contain_text(f"{ready.pseudo} prend la relève.")
        expect(happened).to_contain_text(f"{away.pseudo} a voté sur la nulle.")
