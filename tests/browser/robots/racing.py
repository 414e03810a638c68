"""Racing robots in a browser: a short board, where the robots are, and a way to the next law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.browser.people import lay_table

Place = tuple[int, int, str]
Compose = Callable[[Page, list[str]], None]

LAWS = ((6, 6), (7, 6), (8, 6))
"""Side by side: who has found the first has the others two registers later."""
SHORT: dict[str, Any] = {
    "boardIdx": 0,
    "boardWidth": 12,
    "boardHeight": 12,
    "boardActiveTiles": [
        {"tileType": f"loi_r{number}", "tileLocX": x, "tileLocY": y} for number, (x, y) in enumerate(LAWS, 1)
    ],
}
AZIMUTHS = ("North", "East", "South", "West")
STEPS = {"North": (0, -1), "East": (1, 0), "South": (0, 1), "West": (-1, 0)}
TURNS = {0: [], 1: ["Move_90Right"], 2: ["Move_180Right"], 3: ["Move_90Left"]}
PATIENT = {"cartouche_seconds": 0, "localization_seconds": 0}
"""No time limit: a slow machine loses nothing."""


def make_table(page: Page, variant: str = "race", *robots: str, **options: Any) -> int:
    """A table of one's own on the short board."""
    options = {"boards": [SHORT], **PATIENT, **options}
    return lay_table(page, game="robots", variant=variant, robots=robots, options=options)


def phase(page: Page) -> Locator:
    return page.locator("[data-phase]")


def own(page: Page) -> Locator:
    """The line of one's own robot in the list."""
    return page.locator("[data-robot].mine")


def own_place(page: Page) -> Place:
    """Where one's own robot stands on the board that is shown."""
    number = own(page).get_attribute("data-number")
    robot = page.locator(f'g[data-seat="{number}"]')
    x, y, azimuth = (robot.get_attribute("data-place") or "").split(",")
    return int(x), int(y), azimuth


def way(place: Place, laws: int) -> list[str]:
    """Movements for five registers toward the next laws on a board without obstacles."""
    x, y, azimuth = place
    found: list[str] = []
    for _ in range(5):
        if laws == len(LAWS):
            break
        goal = LAWS[laws]
        wanted = (
            ("East" if goal[0] > x else "West") if goal[0] != x else ("South" if goal[1] > y else "North")
        )
        found += TURNS[(AZIMUTHS.index(wanted) - AZIMUTHS.index(azimuth)) % 4]
        found.append("Move_Ahead")
        azimuth = wanted
        x, y = x + STEPS[azimuth][0], y + STEPS[azimuth][1]
        laws += (x, y) == goal
    return found


def nearest_start(page: Page) -> int:
    """The number of the starting tile that is nearest to the first law."""
    tiles = page.get_by_label("Dalle de départ").locator("option")
    expect(tiles).not_to_have_count(0)
    values = tiles.evaluate_all("(options) => options.map((each) => Number(each.value))")
    (x, y), *_ = LAWS
    return int(min(values, key=lambda each: abs(each % 12 + 1 - x) + abs(each // 12 + 1 - y)))


def expect_started(page: Page, again: Callable[[], None]) -> None:
    """The robots are placed; where another wanted the same tile, one chooses once more."""
    for _ in range(9):
        page.wait_for_function(
            """() => document.querySelector('[data-phase]').dataset.phase !== 'placing'
                || document.querySelector('.desk:has([data-clashed]) [data-place-send]:enabled')"""
        )
        if phase(page).get_attribute("data-phase") != "placing":
            return
        again()
        # The wish is on its way or there: what is seen after this is the answer to it.
        expect(page.locator("[data-place-send]:enabled")).to_have_count(0)
    raise AssertionError("No place was ever free.")


def expect_shown(page: Page, number: int) -> None:
    """Round `number` is asked for, or the race is over."""
    page.wait_for_function(
        """(number) => {
            const shown = document.querySelector('[data-phase]');
            return shown.dataset.phase === 'over' || Number(shown.dataset.round) >= number;
        }""",
        arg=number,
    )


def race(page: Page, compose: Compose, send: Callable[[Page], None]) -> int:
    """Play to the end with whatever hand; gives back how many rounds it took."""
    for number in range(1, 16):
        expect_shown(page, number)
        if number > 1:
            finish_film(page)
        if phase(page).get_attribute("data-phase") == "over":
            return number - 1
        if page.locator("[data-send]").count():
            laws = int(own(page).get_attribute("data-laws") or 0)
            compose(page, way(own_place(page), laws))
            send(page)
    raise AssertionError("The race has no end.")


def finish_film(page: Page) -> None:
    """Skip the film of the last round by the page's own button, and wait until the board shows its end."""
    page.locator('[data-film="toggle"], [data-phase="over"]').first.wait_for()
    page.evaluate("document.querySelector('[data-film=skip]:enabled')?.click()")  # it may end before
    expect(page.locator('[data-film="skip"]:enabled')).to_have_count(0)
