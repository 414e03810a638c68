"""What a player sees first: his games on a telephone, and the terms of a table before he sits down."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.furnishing import Somebody
from tests.browser.people import enter, join_club
from tests.kit.browsing import Visit, hear_until
from tests.kit.process import House

TELEPHONE = {"width": 390, "height": 844}
DAYS = {"kind": "days", "days": 3}
BADGE = """
    Navigator.prototype.setAppBadge = (n) => { window.badge = n; return Promise.resolve(); };
    Navigator.prototype.clearAppBadge = () => { window.badge = 0; return Promise.resolve(); };
"""
"""No test has an icon: what the page asks the browser to write on it is noted instead."""


class Nine:
    """Nora's nine games, of all five kinds, and what else waits for her."""

    def __init__(self, house: House) -> None:
        self.nora, self.otto, self.paul = (Somebody(house, name) for name in ("Nora", "Otto", "Paul"))
        self.later = self.chess(self.nora, "La lente", 5)
        self.soon = self.chess(self.nora, "La pressée", 1)
        self.theirs = self.chess(self.otto, "À Otto de jouer", 4)
        self.open = self._made(
            self.nora, "Qui vient ?", game="chess", variant="alice", time_control=DAYS, rated=False
        )
        self.dated = self._made(
            self.nora, "Les trois lagunes", game="diplomacy", variant="lagune",
            options={"calendar": True, "sharing": "none"},
        )  # fmt: skip
        for player in (self.otto, self.paul):
            player.post(f"/tables/{self.dated}/join")
        self.duel = self._made(self.nora, "Le détroit", game="diplomacy", variant="detroit")
        self.otto.post(f"/tables/{self.duel}/join")
        # Without somebody who plays the match would be given up within two minutes.
        self.mines = self._made(
            self.nora, "Le champ du mardi", game="mines", variant="classic", robots=["novice"]
        )
        self.race = self._made(
            self.nora, "La course", game="robots", variant="race", options={"boards": ["cour"], "seats": 2}
        )
        self.otto.post(f"/tables/{self.race}/join")
        self.arena = self._made(
            self.nora, "Le cirque", game="arena", variant="standard", seats=3, time_control={"kind": "none"}
        )
        for player in (self.otto, self.paul):
            player.post(f"/tables/{self.arena}/join")
        self.finished = self.chess(self.otto, "Finie hier soir", 2)
        self.otto.post(f"/tables/{self.finished}/leave")
        self.invited = self._made(
            self.otto, "Viens donc", game="chess", variant="classic", time_control=DAYS, access="invited"
        )
        self.otto.post(f"/tables/{self.invited}/invite", pseudo="Nora")

    def chess(self, host: Somebody, name: str, days: int) -> int:
        time = {"kind": "days", "days": days}
        table = self._made(host, name, game="chess", variant="classic", time_control=time)
        (self.otto if host is self.nora else self.nora).post(f"/tables/{table}/join")
        return table

    def _made(self, host: Somebody, name: str, **table: Any) -> int:
        return int(host.post("/tables", name=name, **table)["id"])

    def own(self) -> Any:
        return self.nora.http.get("/account/games").raise_for_status().json()


@pytest.fixture(scope="module")
def nine(house: House) -> Nine:
    return Nine(house)


def tables(page: Page) -> list[int]:
    cards = page.locator("article[data-table]")
    return [int(card.get_attribute("data-table") or 0) for card in cards.all()]


def test_nine_games_on_a_telephone(visit: Visit, nine: Nine) -> None:
    page = visit(viewport=TELEPHONE, has_touch=True)
    page.add_init_script(BADGE)
    enter(page, "Nora")
    page.goto("/")
    expect(page.get_by_role("heading", name="Mes parties", exact=True)).to_be_visible()
    cards = page.locator("article[data-table]")
    expect(cards).to_have_count(9)
    # A robot plays on in one of them, and what moved last goes before the others.
    hear_until(
        page,
        lambda: tables(page) == [game["table"] for game in nine.own()["games"]],
        "the same order",
    )
    own = nine.own()
    assert tables(page)[-1] == nine.open
    waiting = own["waiting"]
    # The one that waits soonest is seen without a finger's stroke, and nothing hangs over the edge.
    first = cards.first
    expect(first).to_contain_text("La course")  # its clock runs by seconds
    box = first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= TELEPHONE["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= TELEPHONE["width"]
    expect(page).to_have_title(re.compile(rf"^\({waiting}\) "))
    assert page.evaluate("window.badge") == waiting
    # What each of them says, in the words of its game.
    chess = page.locator(f"article[data-table='{nine.soon}']")
    expect(chess).to_contain_text("Échecs · Blancs · coup 1")
    expect(chess).to_contain_text("À vous de jouer")
    expect(chess.get_by_role("timer")).to_have_text(re.compile(r"\d+:\d\d|1 j 0 h"))
    dated = page.locator(f"article[data-table='{nine.dated}']")
    expect(dated).to_contain_text("Printemps 1501, mouvements")
    expect(dated).to_contain_text("Vos ordres sont attendus")
    expect(dated.locator("[data-orders]")).to_have_text("Aucun ordre donné")
    expect(page.locator(f"article[data-table='{nine.theirs}']")).to_contain_text("On attend Otto")
    expect(page.locator(f"article[data-table='{nine.mines}']")).to_contain_text("Chacun joue quand il veut")
    expect(page.locator(f"article[data-table='{nine.arena}']")).to_contain_text("tour 1")
    expect(page.locator(f"article[data-table='{nine.open}']")).to_contain_text("1 place prise sur 2")
    # Somebody moves, and it is told here without a reload.
    move = {"action": {"do": "move", "move": "e2e4"}, "request_id": "e4"}
    nine.otto.post(f"/tables/{nine.theirs}/play", **move)
    expect(page).to_have_title(re.compile(rf"^\({waiting + 1}\) "))
    expect(page.locator(f"article[data-table='{nine.theirs}']")).to_contain_text("Otto joue e4.")
    assert page.evaluate("window.badge") == waiting + 1
    # What ended while she was away.
    ended = page.locator(f"[data-finished='{nine.finished}']")
    expect(ended).to_contain_text("depuis votre dernière visite")
    expect(ended).to_contain_text("vous avez gagné")
    page.reload()
    expect(ended).to_be_visible()
    # An invitation is answered where it stands.
    page.get_by_role("button", name="Accepter : Viens donc").click()
    expect(page).to_have_url(re.compile(rf"/tables/{nine.invited}$"))
    page.goto("/me")
    expect(page.get_by_role("heading", level=1, name="Mes parties")).to_be_visible()
    expect(page.locator("article[data-table]")).to_have_count(10)
    expect(page.get_by_role("heading", name="Invitations")).to_have_count(0)


def test_an_invitation_is_declined_where_it_stands(visit: Visit, house: House) -> None:
    page = visit()
    join_club(page, "Quentin")
    host = Somebody(house, "Insistante")
    table = host.post("/tables", game="chess", variant="classic", name="Non merci")["id"]
    page.goto("/me")
    expect(page.get_by_text("Vous ne jouez à rien en ce moment.")).to_be_visible()
    host.post(f"/tables/{table}/invite", pseudo="Quentin")
    expect(page.get_by_text("Insistante vous invite")).to_be_visible()
    page.get_by_role("button", name="Décliner : Non merci").click()
    expect(page.get_by_text("Insistante vous invite")).to_have_count(0)


def test_the_keyboard_goes_from_game_to_game(visit: Visit, nine: Nine) -> None:
    page = visit()
    enter(page, "Nora")
    page.goto("/me")
    first = page.locator("article[data-table] h3 a").first
    first.focus()
    page.keyboard.press("Tab")
    expect(page.locator("article[data-table] h3 a").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/tables/\d+$"))


def test_the_title_says_nothing_to_who_does_not_want_it(visit: Visit, nine: Nine) -> None:
    page = visit()
    enter(page, "Paul")
    page.goto("/me")
    expect(page).to_have_title(re.compile(r"^\(\d+\) Mes parties"))
    page.goto("/settings")
    page.get_by_label(re.compile("Dire dans le titre")).uncheck()
    expect(page).to_have_title(re.compile("^Réglages"))


def term(page: Page, name: str) -> Any:
    """What the card says under a name."""
    return page.locator("dl.terms:visible div", has=page.locator("dt", has_text=name)).locator("dd")


def test_the_terms_of_diplomacy_by_days_stand_under_the_button(visit: Visit, house: House) -> None:
    host = Somebody(house, "Arbitre-Rose")
    table = host.post(
        "/tables", game="diplomacy", variant="lagune", name="La partie de Rose", join=False,
        options={"calendar": True, "sharing": "none", "grace": 12, "robots_stand_in": True},
        terms={"mastered": True, "anonymous": True, "silent": True, "description": "Pour débutants."},
    )["id"]  # fmt: skip
    page = visit(viewport=TELEPHONE)
    join_club(page, "Lectrice")
    page.goto(f"/tables/{table}")
    button = page.get_by_role("button", name="S’asseoir et jouer")
    expect(button).to_be_visible()
    expect(page.get_by_text("Pour débutants.")).to_be_visible()
    expect(term(page, "Rythme")).to_contain_text("mouvements : 2 jours")
    expect(term(page, "Délai de grâce")).to_have_text("12 heures après la date limite")
    expect(term(page, "Désordre civil")).to_have_text("après la grâce, à toutes les phases")
    expect(term(page, "Un robot remplace les absents")).to_have_text("oui")
    expect(term(page, "Victoire")).to_contain_text("centres")
    expect(term(page, "Arbitre")).to_have_text("Arbitre-Rose")
    expect(term(page, "Anonymat")).to_contain_text("personne, sauf l’arbitre")
    expect(term(page, "Paroles")).to_have_text("partie muette")
    expect(term(page, "Classement")).to_contain_text("non.")  # an anonymous game never counts
    expect(term(page, "Absences déclarées")).to_contain_text("passe après elles")
    expect(term(page, "Délai de 24 heures")).to_have_text("une fois par joueur")
    expect(term(page, "Qui joue")).to_have_text("personne encore")
    above, below = button.bounding_box(), term(page, "Rythme").bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]
    assert above["y"] + above["height"] <= TELEPHONE["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= TELEPHONE["width"]
    button.click()
    expect(page.locator("[data-seat] .chip", has_text="vous")).to_be_visible()
    expect(button).to_have_count(0)
    expect(term(page, "Rythme")).to_contain_text("mouvements : 2 jours")


def test_who_joins_a_game_by_days_from_the_lobby_reads_its_terms_first(visit: Visit, house: House) -> None:
    host = Somebody(house, "Lente")
    table = host.post(
        "/tables", game="chess", variant="classic", name="Trois jours par coup", rated=False,
        time_control={**DAYS, "weekends": False, "grace": 6},
    )["id"]  # fmt: skip
    page = visit()
    join_club(page, "Patiente")
    page.goto("/lobby?game=chess")
    line = page.locator("article.line", has_text="Trois jours par coup")
    line.get_by_role("button", name="Rejoindre").click()
    dialog = page.get_by_role("dialog", name="Avant de vous asseoir")
    expect(term(page, "Pendule")).to_have_text("3 jours par coup")
    expect(term(page, "Fins de semaine")).to_have_text("ne comptent pas")
    expect(term(page, "Délai de grâce")).to_have_text("6 heures")
    expect(term(page, "Rythme")).to_have_text("par correspondance : chacun va et vient")
    expect(term(page, "Qui joue")).to_have_text("Lente")
    expect(term(page, "Classement")).to_contain_text("non.")
    dialog.get_by_role("button", name="Rejoindre").click()
    expect(page).to_have_url(re.compile(rf"/tables/{table}$"))


def test_a_live_table_is_joined_at_once_and_its_terms_are_a_click_away(visit: Visit, house: House) -> None:
    host = Somebody(house, "Démineuse")
    table = host.post(
        "/tables", game="mines", variant="custom", name="Grand champ", robots=["novice"],
        options={"width": 40, "height": 30, "mines": 200},
    )["id"]  # fmt: skip
    page = visit(f"/tables/{table}")
    expect(page.locator("dl.terms:visible")).to_have_count(0)
    page.get_by_text("Les conditions de la partie").click()
    expect(term(page, "Plateau")).to_have_text("40 × 30 cases, 200 mines")
    expect(term(page, "Places")).to_contain_text("on entre à tout moment")
    page.get_by_role("button", name="S’asseoir et jouer").click()
    expect(page.locator("[data-seat] .chip", has_text="vous")).to_be_visible()
    other = visit("/lobby?game=mines")
    line = other.locator("article.line", has_text="Grand champ")
    line.get_by_role("button", name="Rejoindre").click()
    expect(other).to_have_url(re.compile(rf"/tables/{table}$"))
