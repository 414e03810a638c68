"""Front ends elsewhere call the AFJD services from a browser: those that the club has named, no others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser
from tests.kit.browsing import PATIENCE
from tests.kit.process import House

PLAYER = {
    "pseudo": "Lea", "password": "motdepasse", "email": "lea@exemple.fr",
    "country": "FRA", "time_zone": "UTC + 1",
}  # fmt: skip
CALLS = """
async ([users, games]) => {
  const login = await fetch(`${users}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ user_name: 'Lea', password: 'motdepasse' }),
  });
  const { AccessToken } = await login.json();
  const game = await fetch(`${games}/games/Raspoutine?pseudo=Lea`, { headers: { AccessToken } });
  const gone = await fetch(`${games}/games/Personne`, { headers: { AccessToken, ServiceSecret: 'x' } });
  return [(await game.json()).name, gone.status];
}
"""


class FrontEnd(BaseHTTPRequestHandler):
    """An empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Diplomatie</title>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[int]:
    """The port of a site that is not the house."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), FrontEnd)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def furnished(data: Path, *options: str) -> Iterator[House]:
    """A house with a player and a game."""
    house = House(data, "--no-demo", "--afjd-ports", "0", *options)
    try:
        house.start()
        at = f"{house.ports['http']}/afjd"
        assert httpx.post(f"{at}/players/players", data=PLAYER).status_code == 201
        who = {"user_name": "Lea", "password": "motdepasse"}
        token = httpx.post(f"{at}/users/login", json=who).json()["AccessToken"]
        made = {"name": "Raspoutine", "pseudo": "Lea"}
        answer = httpx.post(f"{at}/games/games", data=made, headers={"AccessToken": token})
        assert answer.status_code == 201, answer.text
        yield house
    finally:
        house.close()


def called(browser: Browser, origin: str, users: str, games: str) -> object:
    """What a page of this origin gets from the services; the browser's refusal is a text."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.goto(origin)
        return page.evaluate(f"(where) => ({CALLS})(where).catch((error) => String(error))", [users, games])
    finally:
        context.close()


def places(house: House) -> list[tuple[str, str]]:
    main = f"{house.ports['http']}/afjd"
    return [(f"{main}/users", f"{main}/games"), (house.ports["afjd_users"], house.ports["afjd_games"])]


def test_a_page_of_an_origin_that_is_named_calls_the_services_and_one_of_another_does_not(
    tmp_path: Path, browser: Browser, elsewhere: int
) -> None:
    named = f"http://127.0.0.1:{elsewhere}"
    with furnished(tmp_path / "data", "--afjd-origins", f"https://jeux.exemple.fr, {named}") as house:
        for users, games in places(house):
            assert called(browser, named, users, games) == ["Raspoutine", 404]
            other = f"http://localhost:{elsewhere}"
            assert called(browser, other, users, games) == "TypeError: Failed to fetch"


def test_without_the_option_the_browser_refuses_every_page_elsewhere(
    tmp_path: Path, browser: Browser, elsewhere: int
) -> None:
    with furnished(tmp_path / "data") as house:
        for users, games in places(house):
            origin = f"http://127.0.0.1:{elsewhere}"
            assert called(browser, origin, users, games) == "TypeError: Failed to fetch"
