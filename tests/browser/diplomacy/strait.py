"""A short war in the Strait, one person playing both powers: a bounce, builds, a fleet that retreats."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.browser.people import ask, come_as_visitor

from tablee.rules.diplomacy.variant import load_variant

WEST, EAST = 1, 2
MOVE, SUPPORT, HOLD, RETREAT, BUILD = 1, 2, 4, 6, 8
ARMY, FLEET = 1, 2

Orders = list[tuple[int, str, str, str]]
"""Type, where the unit is, whom it supports, where to; a build has the kind in place of the last."""

PHASES: list[tuple[Orders, Orders]] = [
    # Spring 1701: both fleets want the North Sea, and neither gets it.
    (
        [(MOVE, "ait", "", "nor"), (MOVE, "bor", "", "dun"), (MOVE, "cla", "", "fou")],
        [(MOVE, "zen", "", "nor"), (MOVE, "val", "", "roc"), (MOVE, "yon", "", "tou")],
    ),
    # Autumn 1701
    (
        [(MOVE, "ait", "", "hul"), (HOLD, "dun", "", ""), (HOLD, "fou", "", "")],
        [(MOVE, "zen", "", "ors"), (HOLD, "roc", "", ""), (HOLD, "tou", "", "")],
    ),
    # Adjustments 1701: a fleet each.
    ([(BUILD, "ait", "", "F")], [(BUILD, "zen", "", "F")]),
    # Spring 1702: the East takes the North Sea.
    (
        [(HOLD, "ait", "", ""), (HOLD, "hul", "", ""), (HOLD, "dun", "", ""), (HOLD, "fou", "", "")],
        [(MOVE, "ors", "", "nor"), (HOLD, "zen", "", ""), (HOLD, "roc", "", ""), (HOLD, "tou", "", "")],
    ),
    # Autumn 1702: and is thrown out of it.
    (
        [
            (MOVE, "ait", "", "nor"),
            (SUPPORT, "hul", "ait", "nor"),
            (HOLD, "dun", "", ""),
            (HOLD, "fou", "", ""),
        ],
        [(HOLD, "nor", "", ""), (HOLD, "zen", "", ""), (HOLD, "roc", "", ""), (HOLD, "tou", "", "")],
    ),
    # Winter 1702: the fleet retreats to an island that nobody owns.
    ([], [(RETREAT, "nor", "", "ile")]),
    # Adjustments 1702: the East builds for the island.
    ([], [(BUILD, "val", "", "A")]),
]


def open_strait(page: Page, mastered: bool = False) -> int:
    """A table at which one visitor plays both powers, or is the master of a game played elsewhere."""
    come_as_visitor(page)
    wanted: dict[str, object] = {"game": "diplomacy", "variant": "detroit", "rated": False}
    if mastered:
        wanted |= {"join": False, "options": {"archive": True}, "terms": {"mastered": True}}
    else:
        wanted |= {"options": {"sharing": "any"}}
    table = ask(page, "POST", "/tables", wanted)
    if table["status"] == "open":
        ask(page, "POST", f"/tables/{table['id']}/start")
    return int(table["id"])


def play_phase(page: Page, table: int, phase: int) -> None:
    """Both powers order; the second to be final resolves the phase."""
    for role, orders in zip((WEST, EAST), PHASES[phase], strict=True):
        if orders:
            forms = [_form(role, *each) for each in orders]
            action = {"do": "submit", "role": role, "orders": forms, "final": True}
            move = {"action": action, "request_id": f"phase-{phase}-{role}"}
            ask(page, "POST", f"/tables/{table}/play", move)


def play_war(page: Page, phases: int = len(PHASES)) -> int:
    """The number of a table at which so many phases are resolved."""
    table = open_strait(page)
    for phase in range(phases):
        play_phase(page, table, phase)
    return table


def zone(code: str) -> int:
    """The number of a place of the Strait."""
    return 0 if not code else load_variant("detroit").codes.index(code)


def _form(role: int, act: int, at: str, helped: str, to: str) -> list[object]:
    if act == BUILD:
        return [role, act, zone(at), 0, 0, False, ARMY if to == "A" else FLEET]
    return [role, act, zone(at), zone(helped), zone(to), False, 0]
