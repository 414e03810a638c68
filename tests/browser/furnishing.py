"""A house in which something goes on: members, friends, letters, finished and running games, long names."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import BrowserContext
from tests.browser.browsing import address
from tests.browser.mining import Layout
from tests.browser.people import PASSWORD, enter, super_administrator
from tests.houses import House

LONG_NAME = "Anne-Sophie-de-La-Tour-Auvergn"
"""As long as a name may be."""


class Somebody:
    """A member who uses the API as a program would."""

    def __init__(self, house: House, pseudo: str, password: str = PASSWORD, **details: str) -> None:
        self.pseudo = pseudo
        self.http = httpx.Client(base_url=address(house, "/api/v1"), timeout=30)
        answer = self.http.post("/accounts", json={"pseudo": pseudo, "password": password, **details})
        if answer.status_code == 409:
            answer = self.http.post("/session", json={"name": pseudo, "password": password})
        signed = answer.raise_for_status().json()
        self.id: int = signed["account"]
        self.http.headers["Authorization"] = f"Bearer {signed['access']}"

    def post(self, path: str, **body: Any) -> Any:
        answer = self.http.post(path, json=body).raise_for_status()
        return answer.json() if answer.content else None


class Furnished:
    """What the furnished house holds, by the numbers that its addresses have."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.margot = Somebody(
            house, "Margot", email="margot@example.org", country="FRA", first_name="Margot"
        )
        self.lucien = Somebody(house, "Lucien", country="BEL")
        self.long = Somebody(house, LONG_NAME, country="CHE")
        self._befriend()
        self._talk()
        self.finished = self._finished_game()
        for _ in range(3):
            self._finished_game(width=6, mines=4)
        self.running = self._running_game()
        self.private = self.margot.post(
            "/tables", game="mines", variant="custom", options={"no_guess": True, "width": 16, "mines": 40},
            access="private", name="Entre amis",
        )["id"]  # fmt: skip
        self.lucien.post(f"/tables/{self.running}/invite", pseudo="Margot")

    def _befriend(self) -> None:
        self.margot.post("/friends", pseudo="Lucien")
        self.lucien.post(f"/friends/{self.margot.id}/accept")
        self.long.post("/friends", pseudo="Margot")

    def _talk(self) -> None:
        for who, text in (
            (self.lucien, "Bonsoir à tous, qui pour une partie ?"),
            (self.margot, "Moi, dans dix minutes. J’apporte les biscuits."),
            (self.long, "Je regarde seulement, ne vous occupez pas de moi : je finis mon thé et j’arrive."),
        ):
            who.post("/channels/global/messages", text=text)
        self.lucien.post(f"/channels/private:{self.margot.id}/messages", text="Tu viens jeudi au club ?")
        self.margot.post(f"/channels/private:{self.lucien.id}/messages", text="Oui, après le dîner.")
        self.lucien.post(f"/channels/private:{self.margot.id}/messages", text="Parfait, je garde une table.")

    def _finished_game(self, width: int = 16, mines: int = 40) -> int:
        options = {"width": width, "height": width, "mines": mines}
        table: int = self.margot.post(
            "/tables", game="mines", variant="custom", options=options, name="La belle du mardi"
        )["id"]
        self.lucien.post(f"/tables/{table}/join")
        players = (self.margot, self.lucien)
        self._click(players[0], table, Layout(self.house, table).safe()[0])
        self._click(players[1], table, sorted(Layout(self.house, table).mines)[3])
        for turn, at in enumerate(Layout(self.house, table).safe()):
            if not self._click(players[turn % 5 % 2], table, at):
                break
        return table

    def _running_game(self) -> int:
        table: int = self.lucien.post(
            "/tables", game="mines", variant="classic", name="Table ouverte à tous"
        )["id"]
        for who in (self.margot, self.long):
            who.post(f"/tables/{table}/join")
        self._click(self.lucien, table, Layout(self.house, table).safe()[0])
        layout = Layout(self.house, table)
        players = (self.lucien, self.margot, self.long)
        for turn, at in enumerate(layout.safe()[:170]):
            self._click(players[turn // 7 % 3], table, at)
        for who, at in zip(players, sorted(layout.mines), strict=False):
            self._click(who, table, at)
        self.margot.post(f"/channels/table:{table}/messages", text="Attention au coin en haut à droite !")
        self.long.post(f"/channels/table:{table}/messages", text="Trop tard…")
        return table

    def _click(self, who: Somebody, table: int, at: tuple[int, int]) -> bool:
        """Click; False once the game is over."""
        move = {
            "action": {"do": "click", "x": at[0], "y": at[1]},
            "request_id": f"{who.pseudo[:4]}-{at[0]}-{at[1]}",
        }
        answer = who.http.post(f"/tables/{table}/play", json=move)
        return answer.status_code == 200 or answer.json()["error"]["parts"].get("reason") != "over"

    def enter(self, context: BrowserContext, who: str, password: str = PASSWORD) -> None:
        """Give a browser the cookies of somebody, as logging in would."""
        enter(self.house, context, who, password)

    def enter_as_administrator(self, context: BrowserContext) -> None:
        self.enter(context, *super_administrator(self.house))

    def screens(self) -> dict[str, tuple[str, str]]:
        """Every screen by name: its address, and as whom it is looked at (nobody, member, administrator)."""
        return {
            "accueil": ("/", "nobody"),
            "accueil-membre": ("/", "member"),
            "salon": ("/lobby", "member"),
            "salon-terminees": ("/lobby?status=over", "nobody"),
            "nouvelle-table": ("/lobby/new", "member"),
            "table": (f"/tables/{self.running}", "member"),
            "table-spectateur": (f"/tables/{self.running}", "nobody"),
            "table-terminee": (f"/tables/{self.finished}", "member"),
            "table-inconnue": ("/tables/424242", "nobody"),
            "reprise": (f"/tables/{self.finished}/replay?step=9", "nobody"),
            "profil": ("/players/Margot", "nobody"),
            "profil-autre": ("/players/Lucien", "member"),
            "classement": ("/ranking?game=mines&variant=custom", "member"),
            "amis": ("/friends", "member"),
            "messages": ("/messages", "member"),
            "conversation": (f"/messages?with={self.lucien.id}", "member"),
            "avis": ("/notices", "member"),
            "regles": ("/rules", "nobody"),
            "regles-demineur": ("/rules/mines", "nobody"),
            "inscription": ("/account/new", "nobody"),
            "connexion": ("/account/login", "nobody"),
            "mot-de-passe-oublie": ("/account/recovery", "nobody"),
            "compte": ("/account", "member"),
            "reglages": ("/settings", "member"),
            "administration": ("/admin", "administrator"),
            "administration-comptes": ("/admin/accounts", "administrator"),
            "administration-compte": (f"/admin/accounts/{self.lucien.id}", "administrator"),
            "administration-tables": ("/admin/tables", "administrator"),
            "administration-courrier": ("/admin/outbox", "administrator"),
            "administration-journal": ("/admin/deeds", "administrator"),
            "rien-ici": ("/nulle-part", "nobody"),
        }
