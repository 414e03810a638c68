"""Lost connections, a house that dies and comes back, a page that has grown old."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect
from tests.browser.mining import Layout, is_hidden, open_square, square, table_of
from tests.browser.people import join_club, lay_table
from tests.kit.browsing import Complaints, hear_until, visiting
from tests.kit.process import TABLEE, House


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A house that keeps its port when it starts again."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    house = House(tmp_path / "data", "--log-format", "json", "--port", str(port))
    try:
        house.start()
        yield house
    finally:
        house.close()


def clicks(house: House, table: int) -> list[str]:
    """The clicks that the log of a table knows, in order."""
    with sqlite3.connect(f"file:{house.data / 'tablee.sqlite'}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT action FROM event WHERE table_id = ? AND seat > 0 ORDER BY seq", (table,)
        ).fetchall()
    return [action for (action,) in rows if '"click"' in action]


def test_a_click_that_is_pending_when_the_house_dies_is_played_exactly_once(
    own_house: House, browser: Browser, complaints: Complaints
) -> None:
    complaints.expect("WebSocket connection|Failed to load resource|ERR_CONNECTION")
    with visiting(browser, own_house, complaints) as page:
        page.goto("/")
        page.get_by_role("button", name="Jouer tout de suite").click()
        table = table_of(page)
        first = Layout(own_house, table).safe()[0]
        open_square(page, first)
        own_house.kill()
        expect(page.locator('[data-link="lost"]')).to_be_visible()
        layout = Layout(own_house, table)
        hidden = next(
            at
            for at in layout.safe()
            if layout.number(at) > 0 and "hidden" in (square(page, at).get_attribute("class") or "")
        )
        square(page, hidden).click()
        expect(square(page, hidden)).to_have_class(re.compile(r"\bopening\b"))
        expect(page.locator("[data-pending]")).to_be_visible()
        own_house.start()
        expect(square(page, hidden)).not_to_have_class(re.compile(r"\b(hidden|opening)\b"))
        expect(page.locator('[data-link="lost"]')).to_have_count(0)
        expect(page.locator("[data-pending]")).to_have_count(0)
        wanted = f'"x":{hidden[0]},"y":{hidden[1]}'
        assert sum(wanted in click for click in clicks(own_house, table)) == 1
        # The table goes on as before, without a reload.
        after = next(
            at for at in layout.safe() if "hidden" in (square(page, at).get_attribute("class") or "")
        )
        open_square(page, after)


def test_what_others_did_while_one_was_cut_off_is_there_afterwards(
    house: House, browser: Browser, complaints: Complaints
) -> None:
    complaints.expect("WebSocket connection|Failed to load resource|ERR_INTERNET")
    with (
        visiting(browser, house, complaints) as page,
        visiting(browser, house, complaints) as other,
    ):
        page.goto("/")
        page.get_by_role("button", name="Jouer tout de suite").click()
        table = table_of(page)
        other.goto(f"/tables/{table}")
        expect(other.get_by_role("grid")).to_be_visible()
        other.context.set_offline(True)
        expect(other.locator('[data-link="lost"]')).to_be_visible()
        safe = Layout(house, table).safe()[0]
        open_square(page, safe)
        other.context.set_offline(False)
        expect(square(other, safe)).not_to_have_class(re.compile(r"\bhidden\b"))


def test_an_open_page_of_an_older_build_goes_on_and_offers_to_reload(
    house: House, browser: Browser, complaints: Complaints
) -> None:
    with visiting(browser, house, complaints) as page:
        page.route_web_socket(re.compile("/api/v1/live"), _of_a_newer_house)
        page.goto("/")
        expect(page.get_by_text("La maison a une nouvelle version de cette page.")).to_be_visible()
        page.get_by_role("button", name="Jouer tout de suite").click()
        table = table_of(page)
        open_square(page, Layout(house, table).safe()[0])


def _of_a_newer_house(route: WebSocketRoute) -> None:
    """The house says that it has another page than this one."""
    server = route.connect_to_server()
    server.on_message(lambda text: route.send(re.sub(r'"build":"[^"]*"', '"build":"newer"', str(text))))


def test_a_part_of_the_page_that_is_gone_says_so(
    house: House, browser: Browser, complaints: Complaints
) -> None:
    complaints.expect("Failed to load resource.*404|Failed to fetch dynamically imported module")
    with visiting(browser, house, complaints) as page:
        page.goto("/")
        expect(page.get_by_role("button", name="Jouer tout de suite")).to_be_visible()
        page.route(re.compile("/assets/Ranking"), lambda route: route.fulfill(status=404, body=""))
        page.get_by_role("link", name="Classement").first.click()
        expect(page.get_by_text("Cette partie de la page n’a pas pu être chargée.")).to_be_visible()
        expect(page.get_by_role("button", name="Recharger")).to_be_visible()


def test_a_message_whose_answer_was_lost_is_sent_again_and_said_once(
    house: House, browser: Browser, complaints: Complaints
) -> None:
    with visiting(browser, house, complaints) as page:
        cut: list[str] = []

        def deaf(socket: WebSocketRoute) -> None:
            """What is said reaches the house; the first answer to it is lost, and the connection with it."""
            server = socket.connect_to_server()

            def answered(text: str | bytes) -> None:
                message = json.loads(text)
                if message["type"] == "ok" and isinstance(message.get("id"), str) and not cut:
                    cut.append(message["id"])
                    server.close()
                    socket.close()
                elif not (message["type"] == "message" and not cut):
                    socket.send(text)

            server.on_message(answered)

        page.route_web_socket("**/api/v1/live", deaf)
        join_club(page, "Insistante")
        page.goto("/lobby")
        page.get_by_label("Votre message").fill("Une seule fois")
        page.get_by_role("button", name="Envoyer").click()
        expect(page.get_by_label("Votre message")).to_have_value("")
        assert cut
        expect(page.get_by_role("log").get_by_text("Une seule fois")).to_have_count(1)
        page.reload()
        expect(page.get_by_role("log").get_by_text("Une seule fois")).to_have_count(1)


def test_an_open_page_comes_to_the_restored_truth_and_a_click_by_what_it_saw_before_is_refused(
    own_house: House, browser: Browser, complaints: Complaints, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    held: list[str] | None = None
    routes: list[WebSocketRoute] = []

    def late(route: WebSocketRoute) -> None:
        """While `held` is a list, the page does not hear yet what the table is now."""
        routes.append(route)
        server = route.connect_to_server()
        server.on_message(lambda text: hear(route, str(text)))

    def hear(route: WebSocketRoute, text: str) -> None:
        if held is not None and '"type":"table"' in text:
            held.append(text)
        else:
            route.send(text)

    def keep(*words: str) -> None:
        command = [*TABLEE, *words, str(backup), "--data", str(own_house.data)]
        subprocess.run(command, check=True, capture_output=True)

    with visiting(browser, own_house, complaints) as page:
        page.route_web_socket(re.compile("/api/v1/live"), late)
        board = {"width": 9, "height": 9, "mines": 20}
        table = lay_table(page, game="mines", variant="custom", options=board)
        page.goto(f"/tables/{table}")
        layout = Layout(own_house, table)
        before, after, refused = [at for at in layout.safe() if layout.number(at) > 0][:3]
        open_square(page, before)
        keep("backup")
        open_square(page, after)
        held = []
        keep("restore", "--force")
        hear_until(page, lambda: held, "the house to find out by itself")
        assert json.loads(held[0])["epoch"]
        square(page, refused).click()
        expect(page.get_by_text("La maison est revenue à une sauvegarde")).to_be_visible()
        assert is_hidden(page, refused)
        assert not is_hidden(page, after), "the page does not know yet"
        whole, held = held, None
        for text in whole:
            routes[-1].send(text)
        expect(square(page, after)).to_have_class(re.compile(r"\bhidden\b"))
        assert not is_hidden(page, before)
        open_square(page, refused)
        assert len(clicks(own_house, table)) == 2
