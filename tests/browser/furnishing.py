"""A house in which something goes on: members, friends, letters, finished and running games, long names."""

from __future__ import annotations

from typing import Any, NamedTuple

import httpx
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.arena.walking import some_action
from tests.browser.mining import Layout
from tests.browser.people import PASSWORD, enter, super_administrator
from tests.kit.browsing import address
from tests.kit.http import NO_CERTIFICATES
from tests.kit.process import House
from tests.kit.waiting import PATIENCE

HOLD = 4
LONG_NAME = "Anne-Sophie-de-La-Tour-Auvergn"
"""As long as a name may be."""


class Screen(NamedTuple):
    """An address, as whom one looks (nobody, member, administrator), and what one clicks there."""

    path: str
    who: str
    clicks: tuple[str, ...] = ()

    def show(self, page: Page) -> None:
        """Go there, and wait until nothing says that it is still loading."""
        page.goto(self.path)
        for name in ("", *self.clicks):
            page.locator("main h1:visible, main h2:visible, main .trouble:visible").first.wait_for()
            if name:
                page.locator("[role=tab], button, summary").filter(has_text=name, visible=True).first.click()
            expect(page.locator('[aria-busy="true"]')).to_have_count(0)


class Somebody:
    """A member who uses the API as a program would."""

    def __init__(self, house: House, pseudo: str, password: str = PASSWORD, **details: str) -> None:
        self.pseudo = pseudo
        self.http = httpx.Client(base_url=address(house, "/api/v1"), timeout=PATIENCE, verify=NO_CERTIFICATES)
        answer = self.http.post("/accounts", json={"pseudo": pseudo, "password": password, **details})
        if answer.status_code == 409:
            answer = self.http.post("/session", json={"name": pseudo, "password": password})
        signed = answer.raise_for_status().json()
        self.id: int = signed["account"]
        self.http.headers["Authorization"] = f"Bearer {signed['access']}"

    def put(self, path: str, **body: Any) -> None:
        answer = self.http.put(path, json=body)
        assert answer.is_success, answer.text

    def post(self, path: str, **body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.is_success, answer.text
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
        self.diplomacy = self._mastered_game(self.lucien, "Le détroit, par correspondance")
        self.mastered = self._mastered_game(self.margot, "La seconde guerre du détroit")
        for kind in ("discord", "generic"):
            url = "https://salon.exemple.invalid/api/webhooks/1234/AbCd"
            self.margot.post(f"/tables/{self.mastered}/webhooks", kind=kind, url=url)
        self.drawn = self._drawn_game()
        self.race = self._race(rounds=1)
        self.starting = self._race(rounds=0)
        self.alice = self._chess("alice", "e2e4 e7e5 g1f3 b8c6 f1c4 d7d6 c2c3 g8f6")
        self.dark = self._chess("dark", "e2e4 d7d5 g1f3 c8g4 e4d5 d8d5")
        self.arena = self._arena(rounds=6)
        self.heroes = self._arena(rounds=0)
        self.cup = self._cup()
        self.knockout = self._knockout()
        self.championship = self.margot.post("/championships", name="Le championnat de l’année")["id"]
        self.margot.put(f"/championships/{self.championship}/tournaments/{self.knockout}")
        self.waiting = self.margot.post(
            "/tables", game="diplomacy", variant="lagune", name="Pas encore commencée", join=False,
            options={"sharing": "none"}, terms={"mastered": True, "manual": True, "access_code": 815},
        )["id"]  # fmt: skip

    def _befriend(self) -> None:
        self.margot.post("/friends", pseudo="Lucien")
        self.lucien.post(f"/friends/{self.margot.id}/accept")
        self.long.post("/friends", pseudo="Margot")

    def _talk(self) -> None:
        for who, text in (
            (self.lucien, "Bonsoir à tous, qui veut jouer"),
            (self.margot, "Moi, dans dix minutes. J’apporte les biscuits."),
            (self.long, "Je regarde seulement, ne vous occupez pas de moi, je finis mon thé et j’arrive."),
        ):
            who.post("/channels/global/messages", text=text)
        self.lucien.post(f"/channels/private:{self.margot.id}/messages", text="Tu viendras jeudi au club…")
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
        self.margot.post(f"/channels/table:{table}/messages", text="Attention au coin en haut à droite.")
        self.long.post(f"/channels/table:{table}/messages", text="Trop tard…")
        return table

    def _mastered_game(self, master: Somebody, name: str) -> int:
        """A spring of Diplomacy in which nobody gave orders; with press, letters, and orders half written."""
        players = [each for each in (self.margot, self.lucien, self.long) if each is not master]
        table: int = master.post(
            "/tables", game="diplomacy", variant="detroit", name=name, join=False,
            options={"calendar": True, "sharing": "none"},
            terms={"mastered": True, "description": "Une partie calme, sans retard."},
        )["id"]  # fmt: skip
        path = f"/tables/{table}"
        for player in players:
            master.post(f"{path}/seats", pseudo=player.pseudo)
        master.post(f"{path}/start")
        seen = master.http.get(f"{path}/view").raise_for_status().json()["view"]
        seats = {each["name"]: each["seat"] for each in master.http.get(path).json()["seats"]}
        roles = {role["seat"]: int(number) for number, role in seen["roles"].items()}
        for player in players:
            role = roles[seats[player.pseudo]]
            player.post(f"{path}/press", role=role, text="Que les vents nous soient favorables.")
            player.post(f"{path}/letters", role=role, to=3 - role, text="Laissons la mer du Nord vide.")
        master.post(f"{path}/play", action={"do": "adjudicate", "civil_disorder": True}, request_id="spring")
        seen = master.http.get(f"{path}/view").raise_for_status().json()["view"]
        for player in players:
            role = roles[seats[player.pseudo]]
            holds = [
                [role, HOLD, zone, 0, 0, False, 0] for _, zone in seen["situation"]["units"][str(role)][1:]
            ]
            player.post(
                f"{path}/play", action={"do": "save", "role": role, "orders": holds}, request_id="saved"
            )
        return table

    def _drawn_game(self) -> int:
        """Won by all three at once: their names make a long line."""
        options = {"sharing": "none"}
        table: int = self.margot.post("/tables", game="diplomacy", variant="lagune", options=options)["id"]
        everybody = (self.margot, self.lucien, self.long)
        for who in everybody[1:]:
            who.post(f"/tables/{table}/join")
        for who in everybody:
            vote = {"do": "vote", "draw": True}
            who.post(f"/tables/{table}/play", action=vote, request_id=f"draw-{who.id}")
        return table

    def _race(self, rounds: int) -> int:
        """Three robots after so many rounds; before the first, nobody has chosen a starting tile."""
        table: int = self.margot.post(
            "/tables", game="robots", variant="race", name="Le grand prix des dalles", options={
                "seats": 3, "boards": ["usine", "entrepot"],
                "cartouche_seconds": 0, "localization_seconds": 0,
            },
        )["id"]  # fmt: skip
        players = (self.margot, self.lucien, self.long)
        for player in players[1:]:
            player.post(f"/tables/{table}/join")
        for number in range(rounds + 1 if rounds else 0):
            for player in players:
                if number:
                    action = {"do": "program", "cartouche": [["Move_Ahead"], ["Move_90Left", "Move_Ahead"]]}
                else:
                    seen = player.http.get(f"/tables/{table}/view").raise_for_status().json()["view"]
                    action = {"do": "place", **seen["you"]["proposed"]}
                player.post(f"/tables/{table}/play", action=action, request_id=f"{player.id}-{number}")
        return table

    def _chess(self, variant: str, moves: str) -> int:
        """A game of Margot with White and Lucien after these moves."""
        table: int = self.margot.post(
            "/tables", game="chess", variant=variant, name="Le coin des échecs",
            # Nobody is lost for being away while others are looked at.
            options={"pace": "days"}, time_control={"kind": "none"},
        )["id"]  # fmt: skip
        self.lucien.post(f"/tables/{table}/join")
        for number, move in enumerate(moves.split()):
            player = (self.margot, self.lucien)[number % 2]
            player.post(f"/tables/{table}/play", action={"do": "move", "move": move}, request_id=f"m{number}")
        return table

    def _arena(self, rounds: int) -> int:
        """Three in the arena after so many rounds, in Margot's turn; before the first, heroes are chosen."""
        players = {each.pseudo: each for each in (self.margot, self.lucien, self.long)}
        table: int = self.margot.post(
            "/tables", game="arena", variant="standard", name="Les jeux du cirque", seats=3,
            options={"heroes": True, "choose_heroes": not rounds}, time_control={"kind": "none"},
        )["id"]  # fmt: skip
        for player in (self.lucien, self.long):
            player.post(f"/tables/{table}/join")
        sitting = self.margot.http.get(f"/tables/{table}").raise_for_status().json()["seats"]
        seats = {each["seat"]: players[each["name"]] for each in sitting}
        for number in range(200):
            seen = self.margot.http.get(f"/tables/{table}/view").raise_for_status().json()
            turn = seats[seen["view"]["turn"]]
            if turn is self.margot and seen["view"]["round"] >= rounds:
                break
            if turn is not self.margot:
                seen = turn.http.get(f"/tables/{table}/view").raise_for_status().json()
            action = some_action(seen["view"], seen["legal"])
            turn.post(f"/tables/{table}/play", action=action, request_id=f"arena-{table}-{number}")
        return table

    def _cup(self) -> int:
        """A tournament in the room that Margot organises and plays: a round is over, the next is drafted."""
        cup: int = self.margot.post(
            "/tournaments", name="La coupe de la rentrée", game="chess", variant="classic", format="swiss",
            rounds=2, in_room=True, description="Jeudi à vingt heures, salle du Lion d’or.",
        )["id"]  # fmt: skip
        path = f"/tournaments/{cup}"
        self.margot.post(f"{path}/announce")
        for who in (self.margot, self.lucien, self.long):
            who.post(f"{path}/entries")
        self.margot.post(f"{path}/begin")
        draft = self.margot.post(f"{path}/rounds/1/pair")
        self.margot.post(f"{path}/rounds/1/publish", version=draft["version"])
        self.margot.post(f"{path}/rounds/1/boards/1/result", marks=["=", "="])
        self.margot.post(f"{path}/entries/{self.long.id}/penalties", points="1/2", reason="Arrivée en retard")
        self.margot.post(f"{path}/rounds/2/pair")
        return cup

    def _knockout(self) -> int:
        """One of three, in the room: a bye, a game, and the final that is over."""
        number: int = self.margot.post(
            "/tournaments", name="Le petit tableau", game="chess", variant="classic", format="knockout",
            in_room=True,
        )["id"]  # fmt: skip
        path = f"/tournaments/{number}"
        self.margot.post(f"{path}/announce")
        for who in (self.margot, self.lucien, self.long):
            who.post(f"{path}/entries")
        self.margot.post(f"{path}/begin")
        for turn in (1, 2):
            draft = self.margot.post(f"{path}/rounds/{turn}/pair")
            self.margot.post(f"{path}/rounds/{turn}/publish", version=draft["version"])
            self.margot.post(f"{path}/rounds/{turn}/boards/1/result", marks=["1", "0"])
        self.margot.post(f"{path}/end")
        return number

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
        page = context.new_page()
        enter(page, who, password)
        page.close()

    def enter_as_administrator(self, context: BrowserContext) -> None:
        self.enter(context, *super_administrator(self.house))

    def screens(self) -> dict[str, Screen]:
        """Every screen by name: where it is, and as whom it is looked at."""
        return {
            "accueil": Screen("/", "nobody"),
            "accueil-membre": Screen("/", "member"),
            "mes-parties": Screen("/me", "member"),
            "salon": Screen("/lobby", "member"),
            "salon-terminees": Screen("/lobby?status=over", "nobody"),
            "nouvelle-table": Screen("/lobby/new", "member"),
            "table": Screen(f"/tables/{self.running}", "member"),
            "table-spectateur": Screen(f"/tables/{self.running}", "nobody"),
            "table-terminee": Screen(f"/tables/{self.finished}", "member"),
            "table-inconnue": Screen("/tables/424242", "nobody"),
            "reprise": Screen(f"/tables/{self.finished}/replay?step=9", "nobody"),
            "profil": Screen("/players/Margot", "nobody"),
            "profil-autre": Screen("/players/Lucien", "member"),
            "classement": Screen("/ranking?game=mines&variant=custom", "member"),
            "tournois": Screen("/tournaments", "member"),
            "tournoi": Screen(f"/tournaments/{self.cup}/about", "nobody"),
            "tournoi-rondes": Screen(f"/tournaments/{self.cup}/rounds", "member"),
            "tournoi-classement": Screen(f"/tournaments/{self.cup}/standings?why={self.long.id}", "member"),
            "tournoi-grille": Screen(f"/tournaments/{self.cup}/cross", "member"),
            "tournoi-organiser": Screen(f"/tournaments/{self.cup}/desk", "member"),
            "tournoi-tableau": Screen(f"/tournaments/{self.knockout}/bracket", "member"),
            "championnat": Screen(f"/championships/{self.championship}", "member"),
            "tournoi-mur": Screen(f"/tournaments/{self.cup}/wall", "nobody"),
            "tournoi-nouveau": Screen("/tournaments/new", "member"),
            "amis": Screen("/friends", "member"),
            "messages": Screen("/messages", "member"),
            "conversation": Screen(f"/messages?with={self.lucien.id}", "member"),
            "avis": Screen("/notices", "member"),
            "regles": Screen("/rules", "nobody"),
            "regles-demineur": Screen("/rules/mines", "nobody"),
            "regles-diplomatie": Screen("/rules/diplomacy", "nobody"),
            "regles-robots": Screen("/rules/robots", "nobody"),
            "robots-nouvelle-partie": Screen("/lobby/new?game=robots", "member"),
            "robots-depart": Screen(f"/tables/{self.starting}", "member", ("Nom et couleur du robot",)),
            "robots": Screen(f"/tables/{self.race}", "member", ("Le récit de la manche", "Légende")),
            "robots-texte": Screen(f"/tables/{self.race}", "member", ("En texte", "Ordre de jeu")),
            "robots-spectateur": Screen(f"/tables/{self.race}", "nobody"),
            "robots-reprise": Screen(f"/tables/{self.race}/replay?step=9", "nobody"),
            "regles-echecs": Screen("/rules/chess", "nobody"),
            "echecs-alice": Screen(f"/tables/{self.alice}", "member"),
            "echecs-alice-texte": Screen(f"/tables/{self.alice}", "member", ("En texte",)),
            "echecs-noir": Screen(f"/tables/{self.dark}", "member"),
            "regles-arene": Screen("/rules/arena", "nobody"),
            "arene-nouvelle-partie": Screen("/lobby/new?game=arena", "member"),
            "arene-heros": Screen(f"/tables/{self.heroes}", "member"),
            "arene": Screen(f"/tables/{self.arena}", "member"),
            "arene-texte": Screen(f"/tables/{self.arena}", "member", ("En texte",)),
            "arene-spectateur": Screen(f"/tables/{self.arena}", "nobody"),
            "arene-reprise": Screen(f"/tables/{self.arena}/replay?step=9", "nobody"),
            "nouvelle-partie": Screen("/lobby/new?game=diplomacy", "member"),
            "diplomatie-avant": Screen(f"/tables/{self.waiting}", "member"),
            "diplomatie-modifier": Screen(f"/tables/{self.waiting}/change", "member"),
            "diplomatie": Screen(f"/tables/{self.diplomacy}", "member"),
            "diplomatie-terminee": Screen(f"/tables/{self.drawn}", "member"),
            "diplomatie-essai": Screen(f"/tables/{self.diplomacy}", "member", ("Et si…",)),
            "diplomatie-texte": Screen(f"/tables/{self.diplomacy}", "member", ("Tous les ordres en texte",)),
            "diplomatie-spectateur": Screen(f"/tables/{self.diplomacy}", "nobody"),
            "diplomatie-saisons": Screen(f"/tables/{self.diplomacy}?season=1", "member", ("En texte",)),
            "diplomatie-paroles": Screen(f"/tables/{self.diplomacy}", "member", ("Paroles", "Arbitre")),
            "diplomatie-carnet": Screen(f"/tables/{self.diplomacy}", "member", ("Carnet",)),
            "diplomatie-arbitre": Screen(f"/tables/{self.mastered}", "member", ("Arbitre",)),
            "diplomatie-position": Screen(
                f"/tables/{self.mastered}", "member", ("Arbitre", "Modifier la position", "Par listes")
            ),
            "bac-a-sable": Screen("/sandbox", "nobody"),
            "bac-a-sable-position": Screen("/sandbox?variant=detroit", "nobody", ("Position",)),
            "bac-a-sable-resultat": Screen("/sandbox?variant=detroit", "nobody", ("Résoudre",)),
            "atelier": Screen("/robots/editor", "nobody"),
            "atelier-essai": Screen("/robots/editor", "nobody", ("Essayer",)),
            "atelier-dalles": Screen("/robots/editor", "nobody", ("Les dalles",)),
            "atelier-fichier": Screen("/robots/editor", "nobody", ("Fichier",)),
            "atelier-ouvrir": Screen("/robots/editor", "nobody", ("Ouvrir",)),
            "atelier-arenes": Screen("/arena/editor", "nobody"),
            "inscription": Screen("/account/new", "nobody"),
            "connexion": Screen("/account/login", "nobody"),
            "mot-de-passe-oublie": Screen("/account/recovery", "nobody"),
            "compte": Screen("/account", "member"),
            "reglages": Screen("/settings", "member"),
            "table-annonces": Screen(f"/tables/{self.mastered}", "member", ("Annoncer ailleurs",)),
            "administration": Screen("/admin", "administrator"),
            "administration-comptes": Screen("/admin/accounts", "administrator"),
            "administration-compte": Screen(f"/admin/accounts/{self.lucien.id}", "administrator"),
            "administration-tables": Screen("/admin/tables", "administrator"),
            "administration-courrier": Screen("/admin/outbox", "administrator"),
            "administration-webhooks": Screen("/admin/webhooks", "administrator"),
            "administration-journal": Screen("/admin/deeds", "administrator"),
            "rien-ici": Screen("/nulle-part", "nobody"),
        }
