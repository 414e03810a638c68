"""A year resolved in the page (REQ_260): every phase, with every kind of order, and its result to look at."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.browser.diplomacy.europe import (
    AUSTRIA,
    ENGLAND,
    FRANCE,
    GERMANY,
    ITALY,
    RUSSIA,
    SPRING,
    Said,
    choose_power,
    open_europe,
    play_all,
    state,
    submit,
    view,
    zone,
)
from tests.kit.browsing import MOVING, Visit
from tests.kit.waiting import wait_until

NAMES = {
    ENGLAND: "Angleterre",
    FRANCE: "France",
    GERMANY: "Allemagne",
    ITALY: "Italie",
    AUSTRIA: "Autriche",
    RUSSIA: "Russie",
}


def order_here(page: Page, table: int, role: int, text: str) -> None:
    """Write the orders of a power in the page and make them final; where a question is asked, answer it."""
    phase = view(page, table)["advancement"]
    choose_power(page, NAMES[role])
    field = page.get_by_role("combobox", name="Écrire un ordre")
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_value("")
    page.get_by_role("button", name="Ordres définitifs").click()
    question = page.locator("dialog[open]")

    def is_final() -> bool:
        if question.count():
            question.get_by_role("button", name="Oui, définitifs").click()
            expect(question).to_have_count(0)
        page.wait_for_timeout(100)
        now = view(page, table)
        return bool(now["advancement"] != phase or now["roles"][str(role)]["in"])

    wait_until(is_final, "the orders to be final")


def play_here(page: Page, table: int, here: Said, elsewhere: Said) -> None:
    """Some powers order in the page, after the others, so that the last of them resolves the phase."""
    now = view(page, table)
    for role, standing in now["roles"].items():
        if standing["owes"] and int(role) not in here:
            submit(page, table, now, int(role), elsewhere.get(int(role), ""))
    for role, text in here.items():
        order_here(page, table, role, text)


def see_result(page: Page, season: str) -> list[str]:
    """Follow the announcement to the result; what the report says of every order."""
    news = page.locator("[data-resolved]")
    expect(news).to_contain_text(season)
    news.get_by_role("button", name="Voir le résultat").click()
    expect(page.locator("[data-shown]")).to_contain_text(season)
    expect(page.locator(".map [data-order]").first).to_be_attached()
    return page.locator(".report .text").all_inner_texts()


def test_req_260_every_phase_is_resolved_with_every_kind_of_order(visit: Visit) -> None:
    page = visit(**MOVING)
    table = open_europe(page)
    play_all(page, table, {**SPRING, AUSTRIA: "A VIE - GAL"})
    expect(page.locator("[data-phase]")).to_have_text("Automne 1901")

    play_here(
        page,
        table,
        {
            ENGLAND: "F LON T; F NTH C A YOR - NWY; A YOR - NWY",
            FRANCE: "A PAR - BUR; A MAR S A PAR - BUR",
            GERMANY: "F KIE S A BER",
        },
        {ITALY: "A TYR - MUN", AUSTRIA: "A BUD - RUM; A GAL S A BUD - RUM"},
    )
    moves = see_result(page, "Automne 1901")
    for said in ("F LON T", "F NTH C A YOR - NWY", "A YOR - NWY", "A PAR - BUR", "A MAR S A PAR - BUR"):
        assert said in moves
    assert "F KIE S A BER" in moves
    assert [line for line in moves if "délogée" in line] == [
        "A BUR T ; (délogée) PAR DEFAUT",
        "F RUM T ; (délogée) PAR DEFAUT",
    ]

    page.get_by_role("tab", name="Ordres").click()
    play_here(page, table, {GERMANY: "A BUR R RUH", RUSSIA: "F RUM A"}, {})
    assert see_result(page, "Hiver 1901") == ["A BUR R RUH", "F RUM A"]

    page.get_by_role("tab", name="Ordres").click()
    play_here(page, table, {GERMANY: "- A RUH", RUSSIA: "+ F SEV"}, {})
    settled = see_result(page, "Bilan 1901")
    assert "- A RUH" in settled
    assert "+ F SEV" in settled

    page.get_by_role("tab", name="Ordres").click()
    expect(page.locator("[data-phase]")).to_have_text("Printemps 1902")
    choose_power(page, "Allemagne")
    expect(state(page)).to_have_attribute("data-state", "empty")
    for code, here in (("nwy", 1), ("bur", 1), ("sev", 1), ("rum", 1), ("ruh", 0)):
        unit = page.locator(f'.map g[data-unit="{zone(code)}"]:not([data-pick])')
        expect(unit).to_have_count(here)
