"""Whole games of Diplomacy from the first page to the end: by mouse, in two browsers, by touch."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.diplomacy.strait import BUILD, EAST, HOLD, PHASES, SUPPORT, WEST, Orders, zone
from tests.kit.browsing import MOVING, PHONE, Visit

PHASE = re.compile("Printemps|Été|Automne|Hiver|Bilan")
OVER = re.compile("Résultat")
Touch = Callable[[Locator], None]


def _click(place: Locator) -> None:
    place.click()


def _tap(place: Locator) -> None:
    place.tap()


def _lit(page: Page) -> list[str]:
    found: list[str] = page.locator("[data-pick]").evaluate_all("all => all.map(each => each.dataset.pick)")
    return found


def _phase(page: Page) -> str:
    return page.locator("[data-phase]").first.inner_text()


def _is_over(page: Page) -> bool:
    return page.get_by_role("region", name=OVER).count() > 0


def _pick(page: Page, touch: Touch, place: str | int) -> None:
    touch(page.locator(f'[data-pick="{place}"]'))


def _order_everything(page: Page, touch: Touch) -> set[str]:
    """Some order for all that the map lights up, by the map alone; answers what kinds of phase were met."""
    met = set()
    for own in _lit(page):
        if own not in _lit(page):
            continue  # no more builds or removals are due
        _pick(page, touch, own)
        # While a unit is being ordered one can step back; a removal is written at once.
        if not page.get_by_role("button", name=re.compile("^Revenir")).count():
            met.add("removal")
            continue
        answers = page.locator("[data-steps] .choices .button:not(.quiet)")
        places = [each for each in _lit(page) if each != own]
        empty = [each for each in places if not page.locator(f'.map g[data-unit="{each}"]').count()]
        met.add("build" if not places else "order")
        if empty:
            _pick(page, touch, empty[len(empty) // 2])
            if page.get_by_role("button", name=re.compile("^Revenir")).count():
                touch(answers.first)  # a coast, or by land
        else:
            touch(answers.first)  # hold, disband, or what to build
    return met


def _give(page: Page, touch: Touch) -> None:
    """Make the orders final; a question is answered where one is asked."""
    before = _phase(page)
    touch(page.get_by_role("button", name="Ordres définitifs"))
    question = page.locator("dialog[open]")
    done = page.locator('[data-state="final"]').or_(question.first).or_(page.locator("[data-resolved] .news"))
    expect(done.or_(page.get_by_role("region", name=OVER)).first).to_be_visible()
    if question.count():
        touch(question.get_by_role("button", name="Oui, définitifs"))
        expect(question).to_have_count(0)
    page.wait_for_function(
        """before => document.querySelector('[data-phase]')?.textContent !== before
            || document.querySelector('[data-state="final"]') || document.querySelector('[data-rank]')""",
        arg=before,
    )


def _play_to_the_end(page: Page, touch: Touch) -> tuple[list[str], set[str]]:
    """Phases in which there was something to order, and what was ordered there."""
    phases: list[str] = []
    met: set[str] = set()
    turn = page.get_by_text("À vous de jouer.")
    while True:
        expect(turn.or_(page.get_by_role("region", name=OVER)).first).to_be_visible()
        if _is_over(page):
            return phases, met
        phase = _phase(page)
        if phase in phases or not page.locator("[data-hint]").count():
            page.wait_for_timeout(50)
            continue
        phases.append(phase)
        met |= _order_everything(page, touch)
        _give(page, touch)


def _the_end_is_told(page: Page, reason: str | re.Pattern[str], players: int) -> None:
    result = page.get_by_role("region", name=OVER)
    expect(result.get_by_role("heading")).to_contain_text(reason)
    expect(result.locator("[data-rank]")).to_have_count(players)
    # The chart of the years and the last season are there without looking for them.
    expect(page.get_by_role("region", name="Centres au fil des années")).to_be_visible()
    expect(page.locator(".map [data-order], .map [data-unit]").first).to_be_attached()


@pytest.mark.long
def test_a_game_from_the_first_page_to_the_end_with_six_robots(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="Diplomatie, Standard").click()
    page.get_by_label("Années de jeu").fill("2")
    for _ in range(6):
        page.get_by_role("button", name="Un de plus : Stratège").last.click()
    page.get_by_role("button", name="Ouvrir la table").click()
    expect(page.locator("[data-own]")).to_contain_text("Vous jouez")
    expect(page.locator("[data-hint]")).to_contain_text("Choisissez une unité sur la carte")
    phases, met = _play_to_the_end(page, _click)
    assert phases[:2] == ["Printemps 1901", "Automne 1901"]
    assert phases[-1].endswith("1902")
    assert "order" in met
    _the_end_is_told(page, "Le nombre d’années prévu est joué.", 7)
    page.get_by_role("link", name="Revoir la partie").click()
    expect(page).to_have_url(re.compile(r"/replay"))
    expect(page.locator(".map .sheet")).to_be_visible()


def test_two_people_play_to_a_draw_with_a_retreat_and_builds(visit: Visit) -> None:
    one = visit("/lobby/new?game=diplomacy", **MOVING)
    one.get_by_text("Duel du Détroit").click()
    one.get_by_label("Nom de la table").fill("Duel au soleil")
    one.get_by_role("button", name="Ouvrir la table").click()
    expect(one).to_have_url(re.compile(r"/tables/\d+"))
    two = visit("/lobby?game=diplomacy", **MOVING)
    table = two.get_by_role("article").filter(has_text="Duel au soleil")
    table.get_by_role("button", name="Rejoindre").click()
    expect(one.locator("[data-own]")).to_be_visible()
    expect(two.locator("[data-own]")).to_be_visible()
    pages = {_role_of(page): page for page in (one, two)}
    assert set(pages) == {WEST, EAST}
    seen = []
    for phase in PHASES:
        seen.append(_phase(one))
        for role, orders in zip((WEST, EAST), phase, strict=True):
            if orders:
                _order(pages[role], orders)
                _give(pages[role], _click)
        for page in (one, two):
            expect(page.locator("[data-phase]").first).not_to_have_text(seen[-1])
            expect(page.locator("[data-resolved] .news")).to_be_visible()
    assert seen[-2:] == ["Hiver 1702", "Bilan 1702"]
    for page in (one, two):
        page.get_by_role("button", name="Proposer la nulle").click()
        page.locator("dialog[open]").get_by_role("button").last.click()
    for page in (one, two):
        _the_end_is_told(page, "La partie est nulle, d’un commun accord.", 2)


def _role_of(page: Page) -> int:
    own = page.locator("[data-own] .power").inner_text()
    powers = page.locator("[aria-label='Centres par puissance'] .name").all_inner_texts()
    return powers.index(own.strip()) + 1


def _order(page: Page, orders: Orders) -> None:
    expect(page.locator("[data-hint]")).to_be_visible()
    for act, at, helped, to in orders:
        if act == HOLD:
            continue
        _pick(page, _click, zone(at))
        if act == BUILD:
            # Inland there is nothing to ask.
            kind = page.get_by_role("button", name=re.compile("^Armée" if to == "A" else "^Flotte"))
            if kind.count():
                kind.first.click()
        else:
            for place in (helped, to) if act == SUPPORT else (to,):
                _pick(page, _click, zone(place))
            # Where somebody stands one may attack or support: the same place again attacks.
            if page.get_by_role("button", name=re.compile("^Attaquer")).count():
                _pick(page, _click, zone(to))
    rest = page.get_by_role("button", name="Tout le reste tient")
    if rest.count():
        rest.click()


def test_a_game_on_a_phone_by_touch_alone(visit: Visit) -> None:
    page = visit("/", viewport=PHONE, has_touch=True, is_mobile=True)
    page.get_by_role("link", name="Diplomatie, Le Détroit").tap()
    page.get_by_label("Années de jeu").fill("2")
    page.get_by_role("button", name="Un de plus : Stratège").last.tap()
    page.get_by_role("button", name="Ouvrir la table").tap()
    expect(page.locator("[data-own]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    phases, met = _play_to_the_end(page, _tap)
    assert phases[:2] == ["Printemps 1701", "Automne 1701"]
    assert "order" in met
    _the_end_is_told(page, re.compile("années prévu est joué|gagne seul"), 2)  # the robot may be quick
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
