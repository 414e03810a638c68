"""The sandbox of Diplomacy: any position, phase and orders, resolved, explained, and shared by a link."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from tests.browser.diplomacy.strait import play_war, zone
from tests.kit.browsing import PHONE, Visit


def open_strait_board(page: Page) -> None:
    """The smallest board, at its beginning."""
    page.get_by_label("Variante").select_option("detroit")
    expect(pieces(page)).to_have_count(6)
    expect(page.locator("[data-pick]").first).to_be_attached()


def pieces(page: Page) -> Locator:
    """The units on the map."""
    return page.locator(".map g[data-unit]:not([data-pick])")


def pick(page: Page, *codes: str) -> None:
    for code in codes:
        page.locator(f'[data-pick="{zone(code)}"]').click()


def write(page: Page, text: str) -> None:
    field = page.get_by_role("combobox", name="Écrire un ordre")
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_value("")


def resolve(page: Page) -> None:
    page.get_by_role("button", name="Résoudre").click()
    expect(page.get_by_role("tab", name="Résultat")).to_have_attribute("aria-selected", "true")


def lines(page: Page) -> list[str]:
    return page.locator(".report .text").all_inner_texts()


def phase(page: Page) -> Locator:
    return page.locator("[data-phase]")


def test_req_250_orders_by_mouse_lists_and_text_are_resolved_and_explained(visit: Visit) -> None:
    page = visit("/sandbox")
    open_strait_board(page)
    pick(page, "ait", "nor")
    page.get_by_label("Ordre de F ZEN", exact=False).select_option(label="Attaquer")
    page.get_by_label("Destination de F ZEN", exact=False).select_option(label="mer du Nord")
    write(page, "A BOR - DUN; A YON - TOU")
    expect(page.locator("[data-order]")).to_have_count(4)
    resolve(page)
    assert "F AIT - NOR ; (échec)" in lines(page)
    expect(page.locator(".report")).to_contain_text("attaque 1 contre F ZEN - NOR, qui empêche avec 1")
    expect(page.locator("[data-order]")).to_have_count(6)
    page.get_by_role("button", name="Après").click()
    expect(page.locator(f'.map g[data-unit="{zone("dun")}"]')).to_have_count(1)


def test_req_250_one_goes_on_from_phase_to_phase_back_and_forth_and_starts_again(visit: Visit) -> None:
    page = visit("/sandbox")
    open_strait_board(page)
    first = phase(page).inner_text()
    write(page, "A CLA - FOU")
    resolve(page)
    page.get_by_role("button", name="Continuer").click()
    expect(phase(page)).to_contain_text("Automne")
    expect(page.locator(f'.map g[data-unit="{zone("fou")}"]:not([data-pick])')).to_have_count(1)
    resolve(page)
    page.get_by_role("button", name="Continuer").click()
    expect(phase(page)).to_contain_text("Bilan")
    expect(page.locator("[data-place]")).to_have_text("Phase 3 sur 3")
    page.get_by_role("button", name="Phase précédente").click()
    page.get_by_role("button", name="Phase précédente").click()
    expect(phase(page)).to_have_text(first)
    assert "A CLA - FOU" in lines(page)
    page.get_by_role("button", name="Phase suivante").click()
    expect(phase(page)).to_contain_text("Automne")
    page.get_by_role("button", name="Recommencer").click()
    expect(phase(page)).to_have_text(first)
    expect(page.locator("[data-place]")).to_have_text("Phase 1 sur 1")
    expect(page.locator("[data-order]")).to_have_count(0)


def test_req_250_any_position_and_any_phase_are_set_up_and_resolved(visit: Visit) -> None:
    page = visit("/sandbox")
    open_strait_board(page)
    page.get_by_role("tab", name="Position").click()
    page.get_by_role("button", name="Vider le plateau").click()
    expect(pieces(page)).to_have_count(0)
    page.get_by_label("Phase", exact=True).select_option("4")
    page.locator(".pill", has_text="Armée").click()
    pick(page, "bor", "dun")
    expect(pieces(page)).to_have_count(2)
    page.get_by_role("tab", name="Ordres").click()
    expect(phase(page)).to_contain_text("Bilan")
    resolve(page)
    assert [line for line in lines(page) if "PAR DEFAUT" in line] == [
        "- A BOR ; (détruite) PAR DEFAUT",
        "- A DUN ; (détruite) PAR DEFAUT",
    ]


def test_req_250_a_link_carries_position_phase_and_orders_to_another_browser(visit: Visit) -> None:
    page = visit("/sandbox")
    open_strait_board(page)
    write(page, "A BOR - DUN; F ZEN - NOR")
    page.wait_for_url(re.compile(r"/sandbox#detroit\.1\."))
    other = visit(page.url.removeprefix(re.sub(r"/sandbox.*", "", page.url)))
    expect(other.locator("[data-order]")).to_have_count(2)
    expect(other.get_by_label("Variante")).to_have_value("detroit")
    resolve(other)
    assert "A BOR - DUN" in lines(other)


def test_req_250_the_link_is_copied_and_the_address_can_be_loaded_again(visit: Visit) -> None:
    page = visit("/sandbox", permissions=["clipboard-read", "clipboard-write"])
    open_strait_board(page)
    write(page, "A BOR - DUN")
    page.get_by_role("button", name="Copier le lien").click()
    expect(page.get_by_text("Le lien est copié")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    page.wait_for_url(re.compile(r"/sandbox#detroit\.1\."))
    assert link == page.url
    page.reload()
    expect(page.locator("[data-order]")).to_have_count(1)


def test_req_250_a_broken_link_is_told_in_words_and_one_starts_afresh(visit: Visit) -> None:
    page = visit("/sandbox")
    open_strait_board(page)
    write(page, "A BOR - DUN")
    page.wait_for_url(re.compile(r"/sandbox#detroit\.1\."))
    good = page.url.split("#")[1]
    wrong = good[:-3] + ("A" if good[-3] != "A" else "B") + good[-2:]
    for bad, said in (
        (good[:-4], "incomplet ou abîmé"),
        (wrong, "incomplet ou abîmé"),
        ("%E0%A4%A", "incomplet ou abîmé"),
        ("detroit.1." + "A" * 30_000, "incomplet ou abîmé"),
        (good.replace("detroit.1.", "detroit.9."), "version plus récente"),
    ):
        page.evaluate("fragment => { location.hash = fragment }", bad)
        expect(page.locator("[data-trouble]")).to_contain_text(said)
    page.get_by_role("button", name="Ouvrir le bac à sable").click()
    expect(phase(page)).to_contain_text("Printemps 1901")


def test_req_250_a_season_of_a_game_is_opened_in_the_sandbox(visit: Visit) -> None:
    page = visit()
    table = play_war(page, 2)
    stranger = visit(f"/sandbox?table={table}&season=1")
    expect(stranger.get_by_role("tab", name="Résultat")).to_have_attribute("aria-selected", "true")
    assert "F AIT - NOR ; (échec)" in lines(stranger)
    stranger.get_by_role("button", name="Changer les ordres").click()
    expect(stranger.locator("[data-order]")).to_have_count(6)
    write(stranger, "F ZEN T")
    resolve(stranger)
    assert "F AIT - NOR" in lines(stranger)


def test_req_250_a_season_that_is_not_there_is_told_in_words(visit: Visit, complaints: object) -> None:
    page = visit()
    complaints.expect("404")  # type: ignore[attr-defined]
    page.goto("/sandbox?table=424242&season=1")
    expect(page.locator("[data-trouble]")).to_be_visible()
    page.get_by_role("button", name="Ouvrir le bac à sable").click()
    expect(phase(page)).to_contain_text("Printemps 1901")


def test_req_250_the_sandbox_works_on_a_telephone(visit: Visit) -> None:
    page = visit("/sandbox?variant=detroit", viewport=PHONE, has_touch=True)
    expect(pieces(page)).to_have_count(6)
    page.locator(f'[data-pick="{zone("bor")}"]').tap()
    page.locator(f'[data-pick="{zone("dun")}"]').tap()
    expect(page.locator("[data-order]")).to_have_count(1)
    resolve(page)
    assert "A BOR - DUN" in lines(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_req_250_the_rules_and_the_foot_of_every_page_lead_to_the_sandbox(visit: Visit) -> None:
    page = visit("/rules/diplomacy")
    for where in (page.locator("aside"), page.locator("footer")):
        expect(where.get_by_role("link", name="Bac à sable")).to_have_attribute("href", "/sandbox")
    page.locator("aside").get_by_role("link", name="Bac à sable").click()
    expect(phase(page)).to_contain_text("Printemps 1901")
