"""People who come with a browser: they sign up and log in as a person would, or find themselves there."""

from __future__ import annotations

import itertools
from typing import Any

from playwright.sync_api import Page, expect
from tests.kit.browsing import PATIENCE
from tests.kit.process import House

PASSWORD = "une bonne phrase"

OWN = {"X-Tablee": "page", "Accept-Language": "fr"}
"""What the page says with each of its requests."""
COME_IN = """if (location.protocol === 'http:' && Number(localStorage.getItem('arrival')) < %d) {
    localStorage.setItem('arrival', '%d');
    localStorage.setItem('tablee-session', '%d');
}"""
"""The note of the page that somebody is signed in, left once: the rest is the page's affair."""

_arrivals = itertools.count(1)


def sign_up(page: Page, pseudo: str, email: str = "") -> None:
    """Make an account in the page; where an address is given, its confirmation is still to come."""
    page.goto("/account/new")
    page.get_by_label("Pseudo").fill(pseudo)
    page.get_by_label("Mot de passe", exact=True).fill(PASSWORD)
    page.get_by_label("Le mot de passe, encore une fois").fill(PASSWORD)
    if email:
        page.get_by_label("Adresse électronique").fill(email)
    page.get_by_role("button", name="Créer mon compte").click()
    expect(page.get_by_role("link", name=pseudo, exact=True).first).to_be_visible()


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/account/login")
    page.get_by_label("Pseudo ou adresse électronique").fill(name)
    page.get_by_label("Mot de passe", exact=True).fill(password)
    page.get_by_role("main").get_by_role("button", name="Se connecter").click()
    expect(page.get_by_role("button", name="Se déconnecter")).to_be_visible()


def ask(page: Page, method: str, path: str, body: object = None) -> Any:
    """What the house answers whoever this browser is, wherever its page may be; raises if it refuses."""
    answer = page.context.request.fetch(
        f"/api/v1{path}", method=method, data=body, headers=OWN, timeout=PATIENCE
    )
    assert answer.ok, answer.text()
    return answer.json()


def join_club(page: Page, pseudo: str, email: str = "") -> None:
    """An account of one's own, where making it is not the subject; a page is still to be opened."""
    details = {"email": email} if email else {}
    _be(page, "/accounts", pseudo=pseudo, password=PASSWORD, language="fr", **details)


def enter(page: Page, name: str, password: str = PASSWORD) -> None:
    """Log in likewise."""
    _be(page, "/session", name=name, password=password)


def come_as_visitor(page: Page) -> None:
    _be(page, "/visitors", language="fr")


def _be(page: Page, path: str, **who: str) -> None:
    """Get the cookies of somebody, and note as the page does that they are there, when it is next opened."""
    signed = ask(page, "POST", path, {**who, "cookies": True})
    arrival = next(_arrivals)
    page.context.add_init_script(COME_IN % (arrival, arrival, signed["account"]))


def lay_table(page: Page, **table: Any) -> int:
    """A table of a visitor's own, made as the page's own form does it."""
    come_as_visitor(page)
    return int(ask(page, "POST", "/tables", table)["id"])


def super_administrator(house: House) -> tuple[str, str]:
    """The name and the first password, as the house wrote them down when it first started."""
    name, password = (house.data / "super-administrator.txt").read_text(encoding="utf-8").split()
    return name, password
