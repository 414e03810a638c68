"""What happens at a table is told elsewhere, and a calendar follows: added, tried, mended by clicks."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.furnishing import Somebody
from tests.browser.people import ask, enter, join_club, super_administrator
from tests.kit.browsing import Complaints, Visit, address, open_house
from tests.kit.process import House
from tests.kit.waiting import wait_until

Json = Any


class Elsewhere:
    """A web server that takes whatever comes, in a thread of its own: the browser has the loop."""

    def __init__(self) -> None:
        heard: list[Json] = []

        class Taking(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204 if self.path != "/gone" else 404)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self.heard = heard
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Elsewhere]:
    elsewhere = Elsewhere()
    yield elsewhere
    elsewhere.server.shutdown()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, elsewhere: Elsewhere) -> Iterator[House]:
    """A house that may call this one machine."""
    with open_house(tmp_path_factory, "--outside-allow", elsewhere.place) as house:
        yield house


def panel(page: Page, table: int) -> Page:
    page.goto(f"/tables/{table}")
    page.locator("summary").filter(has_text="Annoncer ailleurs").click()
    expect(page.get_by_role("heading", name="Ajouter un webhook")).to_be_visible()
    return page


def test_a_host_has_a_game_told_elsewhere_and_mends_what_is_paused(
    visit: Visit, house: House, elsewhere: Elsewhere, complaints: Complaints
) -> None:
    complaints.expect("status of 400")
    page = visit()
    join_club(page, "Crieuse")
    table = ask(page, "POST", "/tables", {"game": "chess", "variant": "classic", "name": "Au crieur"})["id"]
    panel(page, table)
    page.get_by_label("Forme").select_option("generic")
    page.get_by_label("Adresse", exact=True).fill("https://10.0.0.1/chez-moi")
    page.get_by_role("button", name="Ajouter", exact=True).click()
    expect(page.get_by_text("mène à une machine d’un réseau privé")).to_be_visible()
    page.get_by_label("Adresse", exact=True).fill(f"http://{elsewhere.place}/annonces/abcd")
    page.get_by_role("button", name="Ajouter", exact=True).click()
    assert len(page.get_by_label("Secret de signature", exact=True).input_value()) >= 43
    page.get_by_role("button", name="Je l’ai copié").click()
    hook = page.locator("[data-webhook]")
    expect(hook).to_contain_text(f"{elsewhere.place}/…abcd")
    expect(hook).to_contain_text("actif")
    hook.get_by_role("button", name="Envoyer un essai").click()
    expect(page.get_by_text("L’essai est arrivé.")).to_be_visible()
    assert [said["event"] for said in elsewhere.heard] == ["trial"]
    Somebody(house, "Badaud").post(f"/tables/{table}/join")
    wait_until(lambda: len(elsewhere.heard) == 2, "the announcement that the game has begun")
    assert elsewhere.heard[1]["text"] == [
        "La partie a commencé\u00a0: Échecs.",
        "Joueurs\u00a0: Crieuse, Badaud.",
    ]
    with sqlite3.connect(house.data / "tablee.sqlite", timeout=30, isolation_level=None) as database:
        # The house notes that it was taken after the receiver has it.
        wait_until(
            lambda: database.execute("select due_at, sent_at > added_at from webhook").fetchall() == [(0, 1)],
            "the house to be done with the webhook",
        )
        database.execute("update webhook set paused_at = added_at, tries = 5, error = '404 Unknown Webhook'")
    panel(page, table)
    expect(hook).to_contain_text("en pause")
    expect(hook).to_contain_text("Le serveur a répondu 404. Unknown Webhook")
    hook.get_by_role("button", name="Reprendre").click()
    expect(hook).to_contain_text("actif")
    hook.get_by_role("button", name="Supprimer").click()
    page.get_by_role("dialog").get_by_role("button", name="Supprimer").click()
    expect(page.get_by_text("Aucun webhook pour l’instant.")).to_be_visible()


def test_who_only_plays_there_is_offered_none(visit: Visit, house: House) -> None:
    table = Somebody(house, "Hôtesse").post("/tables", game="chess", variant="classic")["id"]
    page = visit()
    join_club(page, "Simple-joueur")
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="S’asseoir et jouer").click()
    expect(page.get_by_role("main")).to_contain_text("Simple-joueur")
    expect(page.locator("summary").filter(has_text="Annoncer ailleurs")).to_have_count(0)


def test_an_administrator_sees_all_and_adds_one_for_the_house(
    visit: Visit, house: House, elsewhere: Elsewhere
) -> None:
    host = Somebody(house, "Autre-hôte")
    table = host.post("/tables", game="chess", variant="classic", name="Table annoncée")["id"]
    host.post(f"/tables/{table}/webhooks", kind="discord", url=f"http://{elsewhere.place}/gone")
    page = visit()
    enter(page, *super_administrator(house))
    page.goto("/admin/webhooks")
    of_table = page.locator("[data-webhook]").filter(has_text="Table annoncée")
    expect(of_table).to_contain_text("ajouté par Autre-hôte")
    of_table.get_by_role("button", name="Envoyer un essai").click()
    expect(page.get_by_text("Le serveur a répondu 404.")).to_be_visible()
    page.get_by_label("Adresse", exact=True).fill(f"http://{elsewhere.place}/maison")
    page.get_by_role("button", name="Ajouter", exact=True).click()
    of_house = page.locator("[data-webhook]").filter(has_text="Toute la maison")
    expect(of_house).to_contain_text("Discord")
    of_house.get_by_role("button", name="Envoyer un essai").click()
    expect(page.get_by_text("L’essai est arrivé.")).to_be_visible()
    assert "Ceci est un essai" in elsewhere.heard[-1]["content"]
    page.goto("/admin/deeds")
    expect(page.get_by_text("Webhook de la maison ajouté, vers 127.0.0.1")).to_be_visible()


def test_the_addresses_of_calendar_and_feed_are_made_renewed_and_revoked(visit: Visit, house: House) -> None:
    page = visit()
    join_club(page, "Prévoyante")
    page.goto("/settings")
    section = page.locator("#following")
    section.get_by_role("button", name="Créer mes adresses").click()
    calendar = section.get_by_label("Calendrier (iCalendar)", exact=True)
    first = calendar.input_value()
    assert first.startswith(address(house, "/api/v1/me/calendar/"))
    feed = section.get_by_label("Fil (Atom)", exact=True).input_value()
    link = section.get_by_role("link", name="S’abonner au calendrier").get_attribute("href")
    assert link == first.replace("http:", "webcal:")
    assert httpx.get(first).text.startswith("BEGIN:VCALENDAR")
    assert "<feed" in httpx.get(feed).text
    section.get_by_role("button", name="Renouveler").click()
    page.get_by_role("dialog").get_by_role("button", name="Renouveler").click()
    expect(calendar).not_to_have_value(first)
    second = calendar.input_value()
    assert [httpx.get(url).status_code for url in (first, second)] == [404, 200]
    page.reload()
    expect(section.get_by_text("On ne peut plus les montrer")).to_be_visible()
    section.get_by_role("button", name="Révoquer").click()
    page.get_by_role("dialog").get_by_role("button", name="Révoquer").click()
    expect(section.get_by_role("button", name="Créer mes adresses")).to_be_visible()
    assert httpx.get(second).status_code == 404
