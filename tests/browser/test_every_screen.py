"""Every screen, light and dark, wide and narrow, for who sees, hears or types differently."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.browser.browsing import DESKTOP, PHONE, Complaints, address
from tests.browser.furnishing import Furnished
from tests.houses import House

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
NOBODY_THERE = "table-inconnue"
PEOPLE = ("nobody", "member", "administrator")


@pytest.fixture(scope="module")
def furnished(house: House) -> Furnished:
    return Furnished(house)


@pytest.fixture(scope="module")
def contexts(browser: Browser, furnished: Furnished) -> Iterator[dict[str, BrowserContext]]:
    """A browser for each kind of person."""
    found = {}
    for who in PEOPLE:
        context = browser.new_context(base_url=address(furnished.house, ""), locale="fr-FR", bypass_csp=True)
        context.set_default_timeout(30_000)
        if who == "member":
            furnished.enter(context, "Margot")
        elif who == "administrator":
            furnished.enter_as_administrator(context)
        found[who] = context
    yield found
    for context in found.values():
        context.close()


def settled(page: Page) -> None:
    """Wait until nothing on the screen says that it is still loading."""
    page.locator("h1:visible, h2:visible").first.wait_for()
    expect(page.locator('[aria-busy="true"]')).to_have_count(0)


def faults(page: Page) -> list[str]:
    found: list[dict[str, Any]] = page.evaluate(
        # The name that is spoken contains the one that is seen: who says what he reads must be understood.
        """async () => (await axe.run(document, {
            resultTypes: ['violations'], rules: {'label-content-name-mismatch': {enabled: true}},
        })).violations"""
    )
    return [
        f"{fault['impact']} {fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault_on_any_screen(
    furnished: Furnished, contexts: dict[str, BrowserContext], complaints: Complaints, theme: str
) -> None:
    complaints.expect("Failed to load resource.*404")
    wrong: dict[str, list[str]] = {}
    pages = {who: context.new_page() for who, context in contexts.items()}
    for page in pages.values():
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
        complaints.watch(page, address(furnished.house, ""))
    for name, (path, who) in furnished.screens().items():
        page = pages[who]
        page.goto(path)
        settled(page) if name != NOBODY_THERE else page.locator(".trouble").wait_for()
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        page.add_script_tag(path=AXE)
        if found := faults(page):
            wrong[name] = found
    for page in pages.values():
        page.close()
    assert not wrong, wrong


def test_no_screen_scrolls_sideways_at_360_pixels(
    furnished: Furnished, contexts: dict[str, BrowserContext]
) -> None:
    wide: dict[str, int] = {}
    pages = {who: context.new_page() for who, context in contexts.items()}
    for name, (path, who) in furnished.screens().items():
        page = pages[who]
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        page.goto(path)
        settled(page) if name != NOBODY_THERE else page.locator(".trouble").wait_for()
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            wide[name] = width
    for page in pages.values():
        page.close()
    assert not wide, wide


SMALL_TARGETS = """() => [...document.querySelectorAll('button, a.button, select, summary, input')]
    .filter((each) => each.checkVisibility({visibilityProperty: true}) && !each.closest('[role=grid]'))
    .map((each) => [each, (each.closest('label') ?? each).getBoundingClientRect()])
    .filter(([each, box]) => box.width > 1 && (box.height < 40 || box.width < 24))
    .map(([each, box]) => `${each.outerHTML.slice(0, 120)} ${box.width} × ${box.height}`)
"""


def test_a_finger_finds_every_button(browser: Browser, furnished: Furnished) -> None:
    small: dict[str, list[str]] = {}
    traits = {"viewport": PHONE, "locale": "fr-FR", "is_mobile": True, "has_touch": True}
    for who in PEOPLE:
        context = browser.new_context(base_url=address(furnished.house, ""), **traits)  # type: ignore[arg-type]
        if who == "member":
            furnished.enter(context, "Margot")
        elif who == "administrator":
            furnished.enter_as_administrator(context)
        page = context.new_page()
        for name, (path, whose) in furnished.screens().items():
            if whose != who:
                continue
            page.goto(path)
            settled(page) if name != NOBODY_THERE else page.locator(".trouble").wait_for()
            if found := page.evaluate(SMALL_TARGETS):
                small[name] = found
        context.close()
    assert not small, small
