"""The board never moves and never leaves the screen: a whole game of each kind, watched at three sizes."""

from __future__ import annotations

from itertools import count
from typing import Any

from playwright.sync_api import Page
from tests.browser.arena.walking import seen, some_action
from tests.browser.diplomacy import europe
from tests.browser.mining import Layout
from tests.browser.people import ask, join_club
from tests.browser.robots.racing import SHORT, way
from tests.browser.stillness import Screens
from tests.kit.browsing import Visit
from tests.kit.process import House

MATE = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
STATUS = "p.state"
CLOCK = "main [role=timer]"
_requests = count()


def play(page: Page, table: int, **action: Any) -> None:
    move = {"action": action, "request_id": f"still-{next(_requests)}"}
    ask(page, "POST", f"/tables/{table}/play", move)


def sit_down(visit: Visit, first: str, second: str, **table: Any) -> tuple[int, Page, Page]:
    """A table of two members, and browsers of theirs through which a test plays without a page."""
    one, two = visit(), visit()
    join_club(one, first)
    join_club(two, second)
    number = int(ask(one, "POST", "/tables", table)["id"])
    ask(two, "POST", f"/tables/{number}/join", {})
    return number, one, two


def test_chess(visit: Visit) -> None:
    table, white, black = sit_down(
        visit, "Immobile-blanche", "Immobile-noir", game="chess", variant="classic", name="Sans bouger",
        options={"sides": "first"}, time_control={"kind": "budget", "seconds": 2700, "increment": 5},
    )  # fmt: skip
    screens = Screens(
        visit, "Immobile-blanche", table,
        board='[data-board="1"]', status=STATUS, clock=CLOCK, button=".asks button, .agreements button",
    )  # fmt: skip
    for ply, move in enumerate(MATE, 1):
        play(white if ply % 2 else black, table, do="move", move=move)
        screens.expect(f'[data-ply="{ply}"]')
        if ply == 4:
            play(black, table, do="offer_draw")
            screens.expect(".agreements .button")
    screens.expect("[data-result]")
    screens.check()
    screens.expect_result("Immobile-blanche", "Échec et mat")


def test_chess_on_two_boards(visit: Visit) -> None:
    table, white, black = sit_down(
        visit, "Alice-une", "Alice-deux", game="chess", variant="alice", name="De l’autre côté",
        options={"sides": "first"}, time_control={"kind": "budget", "seconds": 2700, "increment": 5},
    )  # fmt: skip
    screens = Screens(
        visit, "Alice-une", table,
        board=".boards", status=STATUS, clock=CLOCK, button=".asks button, .agreements button",
    )  # fmt: skip
    for ply, move in enumerate(("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "d7d6"), 1):
        play(white if ply % 2 else black, table, do="move", move=move)
        screens.expect(f'[data-ply="{ply}"]')
    ask(black, "POST", f"/tables/{table}/leave")
    screens.expect("[data-result]")
    screens.check()
    screens.expect_result("Alice-une", "Abandon")


def test_mines(visit: Visit, house: House) -> None:
    table, one, two = sit_down(
        visit, "Sans-trembler", "Main-sure", game="mines", variant="custom", name="Le grand champ",
        options={"width": 30, "height": 16, "mines": 30},
    )  # fmt: skip
    screens = Screens(
        visit, "Sans-trembler", table,
        board=".frame", status=STATUS, clock='[data-count="time"]',
        mines='[data-count="mines"]', button=".switch",
    )  # fmt: skip
    play(one, table, do="click", x=15, y=8)
    layout = Layout(house, table)
    x, y = sorted(layout.mines)[0]
    play(two, table, do="click", x=x, y=y)
    for turn, (x, y) in enumerate(layout.safe()):
        view = seen(one, table)["view"]
        if view.get("ended"):
            break
        if view["rows"][str(y)][x] == "X":
            play((one, two)[turn % 2], table, do="click", x=x, y=y)
    screens.expect("[data-result]")
    screens.check()
    screens.expect_result("Plateau déminé")


def toward(view: Any, capacity: int) -> list[list[str]]:
    """A cartouche on the way to the next laws, as far as the robot's energy goes."""
    robot = view["robots"][str(view["you"]["seat"])]
    registers: list[list[str]] = [[]]
    for movement in way((robot["x"], robot["y"], robot["azimuth"]), robot["laws"])[:capacity]:
        registers[-1].append(movement)
        if movement == "Move_Ahead":
            registers.append([])
    return registers[:-1] or registers


def test_robots(visit: Visit) -> None:
    table, one, two = sit_down(
        visit, "Robote-immobile", "Robot-au-nom-assez-long-ma-foi",
        game="robots", variant="race", name="Course sur place",
        options={"seats": 2, "boards": [SHORT], "cartouche_seconds": 600, "localization_seconds": 600},
    )  # fmt: skip
    screens = Screens(
        visit, "Robote-immobile", table, {"tablee-robots-speed": "4"}, "[data-film=skip]:enabled",
        board=".sheet > .field", status=STATUS, clock=CLOCK, button="[data-send], [data-place-send]",
    )  # fmt: skip
    for page in (one, two):
        play(page, table, do="place", **seen(page, table)["view"]["you"]["proposed"])
    for number in count(1):
        screens.expect(f'[data-round="{number}"], [data-result]')
        now = seen(one, table)
        if now["view"]["phase"] == "over":
            break
        play(two, table, do="program", round=number, cartouche=[["Move_Ahead"], ["Move_90Left"]])
        capacity = now["legal"]["program"]["capacity"]
        play(one, table, do="program", round=number, cartouche=toward(now["view"], capacity))
    screens.expect("[data-result]")
    screens.check()
    screens.expect_result("Robote-immobile", "Quête achevée")


def test_arena(visit: Visit) -> None:
    table, one, two = sit_down(
        visit, "Titane-immobile", "Titan-immobile",
        game="arena", variant="crossroads", name="Sans faux pas", seats=2,
        time_control={"kind": "budget", "seconds": 2700, "increment": 5},
    )  # fmt: skip
    screens = Screens(
        visit, "Titane-immobile", table,
        board=".field", status=STATUS, clock="[data-round] [role=timer]", button="[data-pass], [data-card]",
    )  # fmt: skip
    for _ in range(200):
        now = seen(one, table)
        if now["view"].get("ended"):
            break
        mover, now = (one, now) if now["view"]["turn"] == now["view"]["you"] else (two, seen(two, table))
        play(mover, table, **some_action(now["view"], now["legal"]))
    screens.expect("[data-result]")
    screens.check()
    screens.expect_result("Titane-immobile", "Titan-immobile")


def test_diplomacy(visit: Visit) -> None:
    one = visit()
    join_club(one, "Europe-immobile")
    table = europe.lay_europe(one, minutes=60)
    screens = Screens(
        visit, "Europe-immobile", table,
        board=".map", status=STATUS, clock=CLOCK, button=".give .button",
    )  # fmt: skip
    for said in europe.PHASES:
        europe.play_all(one, table, said)
    play(one, table, do="vote", draw=True)
    screens.expect("[data-result]")
    screens.check()
    screens.expect_result("Europe-immobile")
