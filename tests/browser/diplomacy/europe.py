"""Europe in 1901, every power played by one person: moves, a retreat, builds and a removal."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.browser.people import ask, come_as_visitor

from tablee.rules.diplomacy.variant import load_variant

ENGLAND, FRANCE, GERMANY, ITALY, AUSTRIA, RUSSIA, TURKEY = range(1, 8)

Said = dict[int, str]
"""Orders by role, in the classic notation, parted by semicolons; the rest holds."""

SPRING: Said = {
    ENGLAND: "A LVP - YOR; F EDI - NTH",
    FRANCE: "F BRE - MID",
    GERMANY: "A MUN - BUR",
    ITALY: "A VEN - TYR",
    RUSSIA: "F SEV - RUM; F STP sc - BOT",
}
AUTUMN: Said = {FRANCE: "F MID - POR; A PAR - BUR; A MAR S A PAR - BUR", ITALY: "A TYR - MUN"}
"""Burgundy changes hands, and Germany has a unit too many."""
RETREAT: Said = {GERMANY: "A BUR R RUH"}
PHASES = (SPRING, AUTUMN, RETREAT)
"""After one of them it is autumn, after two there is a retreat, after three there are adjustments."""


def zone(code: str) -> int:
    """The number of a place: `par`, `spa/nc`."""
    return load_variant("standard").codes.index(code)


def open_europe(page: Page, phases: int = 0, other: Page | None = None, **options: object) -> int:
    """A table at which one visitor, or two, play all powers, so many phases on; the page shows it."""
    come_as_visitor(page)
    if other:
        come_as_visitor(other)
    table = lay_europe(page, other, **options)
    for said in PHASES[:phases]:
        play_all(page, table, said)
    page.goto(f"/tables/{table}")
    expect(page.locator("[data-hint]")).to_be_visible()
    return table


def lay_europe(page: Page, other: Page | None = None, **options: object) -> int:
    """A table at which whoever this browser is plays all powers, or shares them with another."""
    choices = {"sharing": "any", **options}
    wanted = {"game": "diplomacy", "variant": "standard", "options": choices, "rated": False}
    table = ask(page, "POST", "/tables", wanted)
    if other:
        ask(other, "POST", f"/tables/{table['id']}/join", {})
    if table["status"] == "open":
        ask(page, "POST", f"/tables/{table['id']}/start")
    return int(table["id"])


def view(page: Page, table: int) -> Any:
    return ask(page, "GET", f"/tables/{table}/view")["view"]


def play_all(page: Page, table: int, said: Said) -> None:
    """Final orders for every power that owes some."""
    shown = view(page, table)
    for role, state in shown["roles"].items():
        if state["owes"]:
            submit(page, table, shown, int(role), said.get(int(role), ""))


def submit(page: Page, table: int, shown: Any, role: int, text: str, final: bool = True) -> None:
    asked = {"advancement": shown["advancement"], "situation": shown["situation"], "role": role, "text": text}
    lines = ask(page, "POST", "/games/diplomacy/standard/reading", asked)["lines"]
    assert all(line["fault"] is None for line in lines), lines
    orders = [[*line["order"][:5], bool(line["order"][5]), line["order"][6]] for line in lines]
    action = {"do": "submit", "role": role, "orders": orders, "final": final}
    move = {"action": action, "request_id": f"{shown['advancement']}-{role}-{final}"}
    ask(page, "POST", f"/tables/{table}/play", move)


def choose_power(page: Page, name: str) -> None:
    page.get_by_role("group", name="Puissance").get_by_role("button", name=name).click()


def pick(page: Page, *codes: str) -> None:
    """Click places of the map, one after the other."""
    for code in codes:
        page.locator(f'[data-pick="{zone(code)}"]').click()


def hint(page: Page) -> Locator:
    return page.locator("[data-hint]")


def written(page: Page) -> list[str]:
    """The orders as the list shows them."""
    return page.locator("[data-written]").all_inner_texts()


def state(page: Page) -> Locator:
    return page.locator("[data-state]")
