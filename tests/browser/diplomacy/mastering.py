"""Games of Diplomacy with a master, made as a program would, and browsers that come to them."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page
from tests.browser.furnishing import Somebody
from tests.browser.people import enter
from tests.kit.browsing import Visit
from tests.kit.process import House

Json = Any


class Mastered:
    """A game on the small map of three powers: its master, its players, and who plays which role."""

    def __init__(self, house: House, name: str, *, start: bool = True, **terms: Json) -> None:
        self.house = house
        self.master = Somebody(house, f"Arbitre-{name}")
        self.players = [Somebody(house, f"{first}-{name}") for first in ("Anne", "Bruno", "Chloe")]
        options = terms.pop("options", {"sharing": "none"})
        self.name = f"Partie {name}"
        self.id: int = self.master.post(
            "/tables",
            game="diplomacy",
            variant="lagune",
            name=self.name,
            options=options,
            join=False,
            terms={"mastered": True, **terms},
        )["id"]
        self.path = f"/tables/{self.id}"
        if start:
            for player in self.players:
                self.master.post(f"{self.path}/seats", pseudo=player.pseudo)
            self.master.post(f"{self.path}/start")
            view = self.master.http.get(f"{self.path}/view").raise_for_status().json()["view"]
            self.roles = {role["seat"]: int(number) for number, role in view["roles"].items()}

    def role_of(self, player: Somebody) -> int | None:
        info = player.http.get(self.path).raise_for_status().json()
        return self.roles.get(info["my_seat"])  # none for who has left

    def in_role(self, role: int) -> Somebody:
        return next(each for each in self.players if self.role_of(each) == role)

    def view(self) -> Json:
        """As the master sees it."""
        return self.master.http.get(f"{self.path}/view").raise_for_status().json()["view"]

    def map(self) -> Json:
        return self.master.http.get("/games/diplomacy/lagune/map").raise_for_status().json()

    def names(self) -> dict[int, str]:
        """What the powers are called, by role."""
        return {power["role"]: power["fr"] for power in self.map()["powers"]}

    def declare(self, role: int, text: str) -> None:
        self.in_role(role).post(f"{self.path}/press", role=role, text=text)

    def write(self, role: int, to: int | list[int], text: str) -> None:
        self.in_role(role).post(f"{self.path}/letters", role=role, to=to, text=text)

    def come(self, visit: Visit, who: Somebody, path: str | None = None, **traits: Json) -> Page:
        """A browser in which somebody is logged in, at the table unless elsewhere."""
        page = visit(**traits)
        enter(page, who.pseudo)
        page.goto(path or self.path)
        return page

    def at_the_desk(self, visit: Visit) -> Page:
        """The master's browser, at his own table."""
        page = self.come(visit, self.master)
        tab(page, "Arbitre")
        return page


def agree(page: Page, act: str) -> None:
    """Answer the question whether one really wants it."""
    page.get_by_role("dialog").last.get_by_role("button", name=act).click()


def tab(page: Page, name: str) -> None:
    """Open a part of the room beside the map."""
    page.get_by_role("tab", name=name).click()
