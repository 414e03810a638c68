"""A finished game of each kind, played quickly through the API by whom a browser is."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.browser.diplomacy.strait import play_war
from tests.browser.people import ask, come_as_visitor
from tests.browser.robots.racing import SHORT
from tests.kit.browsing import Visit

MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


def play(page: Page, table: int, action: dict[str, object], number: int) -> None:
    ask(page, "POST", f"/tables/{table}/play", {"action": action, "request_id": f"r{number}"})


def chess(visit: Visit) -> tuple[Page, int]:
    """Mate in four, between two visitors: White's browser."""
    white, black = visit(), visit()
    come_as_visitor(white)
    come_as_visitor(black)
    new = {"game": "chess", "variant": "classic", "options": {"sides": "first"}}
    table = int(ask(white, "POST", "/tables", new)["id"])
    ask(black, "POST", f"/tables/{table}/join", {})
    for number, move in enumerate(MATE.split()):
        play(black if number % 2 else white, table, {"do": "move", "move": move}, number)
    return white, table


def mines(visit: Visit) -> tuple[Page, int]:
    """A small board that one visitor opens square by square."""
    page = visit()
    come_as_visitor(page)
    options = {"width": 6, "height": 6, "mines": 5, "seats": 1}
    table = int(
        ask(page, "POST", "/tables", {"game": "mines", "variant": "custom", "options": options})["id"]
    )
    for number in range(36):
        view = ask(page, "GET", f"/tables/{table}/view")["view"]
        if view["ended"]:
            break
        x, y = next((x, y) for y in range(6) for x in range(6) if view["rows"][str(y)][x] == "X")
        play(page, table, {"do": "click", "x": x, "y": y}, number)
    return page, table


def diplomacy(visit: Visit) -> tuple[Page, int]:
    """A short war with a dislodged fleet, given up after two years."""
    page = visit()
    table = play_war(page)
    ask(page, "POST", f"/tables/{table}/leave")
    return page, table


def robots(visit: Visit) -> tuple[Page, int]:
    """One robot that practises for two rounds."""
    page = visit()
    come_as_visitor(page)
    options = {"boards": [SHORT], "rounds": 2}
    new = {"game": "robots", "variant": "practice", "options": options}
    table = int(ask(page, "POST", "/tables", new)["id"])
    proposed = ask(page, "GET", f"/tables/{table}/view")["view"]["you"]["proposed"]
    play(page, table, {"do": "place", **proposed}, 0)
    for number in (1, 2):
        cartouche = [["Move_90Right"], ["Move_90Right"]]
        play(page, table, {"do": "program", "cartouche": cartouche, "round": number}, number)
    return page, table


def arena(visit: Visit) -> tuple[Page, int]:
    """Two visitors; one passes a few turns, and the other gives up."""
    one, other = visit(), visit()
    come_as_visitor(one)
    come_as_visitor(other)
    new = {"game": "arena", "variant": "crossroads", "seats": 2, "time_control": {"kind": "none"}}
    table = int(ask(one, "POST", "/tables", new)["id"])
    ask(other, "POST", f"/tables/{table}/join", {})
    for number in range(4):
        turn = ask(one, "GET", f"/tables/{table}/view")["waiting"][0]
        play(one if turn == 1 else other, table, {"do": "pass"}, number)
    ask(other, "POST", f"/tables/{table}/leave")
    return one, table


GAMES = {"chess": chess, "mines": mines, "diplomacy": diplomacy, "robots": robots, "arena": arena}
BOARDS = {
    "chess": "cg-board",
    "mines": '[role="grid"]',
    "diplomacy": ".map svg",
    "robots": ".field svg",
    "arena": ".field",
}
"""What is the board of each."""
