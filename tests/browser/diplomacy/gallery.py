"""Diplomacy as pictures show it: a great game some years old, a club's game with its master, the sandbox."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.diplomacy.mastering import Mastered, tab
from tests.browser.furnishing import Somebody
from tests.kit.process import House

Json = Any
YEARS = 2
PATIENCE = 1_000
"""So often one looks whether the robots are done."""
MOVE, HOLD = 1, 4
IN_EVERY_LOOK = (
    "diplomatie",
    "diplomatie-ordres",
    "diplomatie-resultat",
    "diplomatie-historique",
    "diplomatie-arbitre",
    "diplomatie-bac-a-sable",
)
"""In light, in dark, and in a palette for the colour-blind."""


def play_on(player: Somebody, table: int, is_enough: Callable[[Json], bool]) -> Json:
    """Some order for each unit, a move in every other year, until that is enough; the robots think more."""
    for look in range(PATIENCE):
        view = player.http.get(f"/tables/{table}/view").raise_for_status().json()["view"]
        if view["ended"] or is_enough(view):
            return view
        legal = player.http.get(f"/tables/{table}/legal").json()["legal"].get("submit", {})
        if not legal:
            time.sleep(0.05)  # the robots think
        for role, due in legal.items():
            orders = [_some(each, view["year"] % 2 == 1) for each in due["orders"].values()]
            orders = orders[: due["most"]] if due["most"] is not None else orders
            action = {"do": "submit", "role": int(role), "orders": orders, "final": True}
            move = {"action": action, "request_id": f"on-{look}-{role}"}
            player.http.post(f"/tables/{table}/play", json=move).raise_for_status()
    raise AssertionError("never enough")


def _some(orders: list[list[int]], is_restless: bool) -> list[object]:
    wanted = [order for order in orders if order[1] == (MOVE if is_restless else HOLD)] or orders
    role, act, zone, helped, to, via, kind = wanted[len(wanted) // 2]
    return [role, act, zone, helped, to, bool(via), kind]


class Gallery:
    """What the pictures need, and how to come to each of them."""

    def __init__(self, house: House) -> None:
        self.margot = Somebody(house, "Margot")
        robots = ["strategist"] * 6
        self.great: int = self.margot.post(
            "/tables", game="diplomacy", variant="standard", robots=robots, rated=False, name="Jeudi soir"
        )["id"]  # fmt: skip
        play_on(self.margot, self.great, lambda view: view["advancement"] >= 5 * YEARS)
        self.club = Mastered(house, "hiver", description="Une partie d’hiver, une phase par soirée.")
        one, two, three = (self.club.in_role(role) for role in (1, 2, 3))
        one.post(
            f"{self.club.path}/press", role=1, text="La lagune est à tout le monde : nous le prouverons."
        )
        two.post(f"{self.club.path}/press", role=2, text="Surtout à qui a des bateaux.")
        three.post(f"{self.club.path}/letters", role=3, to=[1], text="On se partage les îles au printemps ?")
        one.post(
            f"{self.club.path}/letters",
            role=1,
            to=[3],
            text="D’accord, si votre flotte reste au port jusque-là.",
        )
        three.post(
            f"{self.club.path}/letters",
            role=3,
            to=[1],
            text="Promis. À l’automne, nous sommes trois contre un.",
        )

    def scenes(self) -> dict[str, tuple[str, str, Callable[[Page], None]]]:
        """By name: who looks, at which address, and what is done there first."""
        great, club = f"/tables/{self.great}", self.club.path
        player, master = self.club.in_role(1).pseudo, self.club.master.pseudo
        return {
            "diplomatie": ("Margot", great, lambda page: None),
            "diplomatie-ordres": ("Margot", great, _write_orders),
            "diplomatie-resultat": ("Margot", f"{great}?season={self._spring()}", _show_orders),
            "diplomatie-historique": ("Margot", f"{great}?season={self._spring()}", _scroll_to_chart),
            "diplomatie-paroles": (player, club, _talk),
            "diplomatie-arbitre": (master, club, lambda page: tab(page, "Arbitre")),
            "diplomatie-position": (master, club, _edit_position),
            "diplomatie-bac-a-sable": ("Margot", f"{great}?season={self._spring()}", _open_in_sandbox),
        }

    def _spring(self) -> int:
        """The number of a spring some years into the game."""
        seasons = self.margot.http.get(f"/tables/{self.great}/seasons").raise_for_status().json()["seasons"]
        return max(int(each["number"]) for each in seasons if each["advancement"] == 5 * (YEARS - 1))


def _write_orders(page: Page) -> None:
    units = page.locator("[data-pick]")
    expect(units.first).to_be_visible()
    for zone in units.evaluate_all("all => all.map(each => each.dataset.pick)")[:-1]:
        # By key: on a phone the units of neighbours lie so close that a click may mean either.
        page.locator(f'[data-pick="{zone}"]').press("Enter")
        own = page.locator("[data-pick]").evaluate_all("all => all.map(each => each.dataset.pick)")
        target = next(
            other
            for other in own
            if other != zone and not page.locator(f'.map g[data-unit="{other}"]').count()
        )
        page.locator(f'[data-pick="{target}"]').press("Enter")
        page.keyboard.press("Escape")
    page.locator("[data-pick]").last.press("Enter")


def _show_orders(page: Page) -> None:
    expect(page.locator(".map [data-order]").first).to_be_attached()


def _scroll_to_chart(page: Page) -> None:
    page.get_by_role("region", name="Centres au fil des années").evaluate(
        "it => it.scrollIntoView({block: 'end'})"
    )


def _talk(page: Page) -> None:
    tab(page, "Paroles")
    page.get_by_role("group", name="Avec qui parler").get_by_role("button").nth(2).click()


def _edit_position(page: Page) -> None:
    tab(page, "Arbitre")
    page.get_by_role("button", name="Modifier la position").click()
    expect(page.locator("dialog[open] .map .sheet")).to_be_visible()


def _open_in_sandbox(page: Page) -> None:
    page.get_by_role("link", name="Ouvrir dans le bac à sable").click()
    expect(page.locator("[data-phase]")).to_be_visible()
    expect(page.locator(".map [data-order]").first).to_be_attached()
