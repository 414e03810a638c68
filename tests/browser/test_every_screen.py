"""Every screen, light and dark, wide and narrow, for who sees, hears or types differently."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.browser.furnishing import Furnished
from tests.kit.browsing import DESKTOP, PATIENCE, PHONE, Complaints, address, open_house

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
Theme = Literal["light", "dark"]
PEOPLE = ("nobody", "member", "administrator")


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    """In a house of its own: a screen shows what is told here, and not what other tests have left."""
    with open_house(tmp_path_factory) as house:
        yield Furnished(house)


@pytest.fixture(scope="module")
def contexts(browser: Browser, furnished: Furnished) -> Iterator[dict[str, BrowserContext]]:
    """A browser for each kind of person."""
    found = {}
    for who in PEOPLE:
        context = browser.new_context(
            base_url=address(furnished.house, ""), locale="fr-FR", bypass_csp=True, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE)
        if who == "member":
            furnished.enter(context, "Margot")
        elif who == "administrator":
            furnished.enter_as_administrator(context)
        found[who] = context
    yield found
    for context in found.values():
        context.close()


WHOLE = """{
    resultTypes: ['violations'],
    // The name that is spoken contains the one that is seen: who says what he reads must be understood.
    rules: {'label-content-name-mismatch': {enabled: true}},
}"""
COLOURS = "{resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block']}"
"""All that the theme of a page can change."""

THEMES: tuple[Theme, ...] = ("light", "dark")
EXAMINATIONS = ((THEMES[0], WHOLE), (THEMES[1], COLOURS))


def faults(page: Page, examination: str = WHOLE) -> list[str]:
    found: list[dict[str, Any]] = page.evaluate(
        f"async () => (await axe.run(document, {examination})).violations"
    )
    return [
        f"{fault['impact']} {fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


def show_theme(page: Page, theme: Theme) -> None:
    """Change the theme; what fades from one to the other has done so."""
    page.emulate_media(color_scheme=theme)
    page.locator(f"html[data-theme={theme}]").wait_for(state="attached")
    page.wait_for_function("!document.getAnimations().some((each) => each instanceof CSSTransition)")


@pytest.mark.parametrize(
    "both", [pytest.param(False, id="light or dark"), pytest.param(True, id="both", marks=pytest.mark.long)]
)
def test_axe_finds_no_serious_fault_on_any_screen(
    furnished: Furnished, contexts: dict[str, BrowserContext], complaints: Complaints, both: bool
) -> None:
    """Every other screen in the dark: a theme is a few colours that all screens share."""
    complaints.expect("Failed to load resource.*404")
    wrong: dict[str, list[str]] = {}
    pages = {who: context.new_page() for who, context in contexts.items()}
    for page in pages.values():
        page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
        complaints.watch(page, address(furnished.house, ""))
    for number, (name, screen) in enumerate(furnished.screens().items()):
        page = pages[screen.who]
        examinations = EXAMINATIONS if both else ((THEMES[number % 2], WHOLE),)
        page.emulate_media(color_scheme=examinations[0][0])
        screen.show(page)
        page.add_script_tag(path=AXE)
        for theme, examination in examinations:
            show_theme(page, theme)
            if found := faults(page, examination):
                wrong[f"{name}, {theme}"] = found
    for page in pages.values():
        page.close()
    assert not wrong, wrong


SMALL_TARGETS = """() => [...document.querySelectorAll('button, a.button, select, summary, input')]
    .filter((each) => each.checkVisibility({visibilityProperty: true}) && !each.closest('[role=grid]'))
    .map((each) => [each, (each.closest('label') ?? each).getBoundingClientRect()])
    .filter(([each, box]) => box.width > 1 && (box.height < 40 || box.width < 24))
    .map(([each, box]) => `${each.outerHTML.slice(0, 120)} ${box.width} × ${box.height}`)
"""


def test_on_a_phone_no_screen_scrolls_sideways_and_a_finger_finds_every_button(
    browser: Browser, furnished: Furnished
) -> None:
    wide: dict[str, int] = {}
    small: dict[str, list[str]] = {}
    traits = {
        "viewport": PHONE,
        "locale": "fr-FR",
        "is_mobile": True,
        "has_touch": True,
        "reduced_motion": "reduce",
    }
    for who in PEOPLE:
        context = browser.new_context(base_url=address(furnished.house, ""), **traits)  # type: ignore[arg-type]
        if who == "member":
            furnished.enter(context, "Margot")
        elif who == "administrator":
            furnished.enter_as_administrator(context)
        page = context.new_page()
        for name, screen in furnished.screens().items():
            if screen.who != who:
                continue
            screen.show(page)
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > PHONE["width"]:
                wide[name] = width
            if found := page.evaluate(SMALL_TARGETS):
                small[name] = found
        context.close()
    assert not wide, wide
    assert not small, small
