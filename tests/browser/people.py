"""People who come with a browser: they sign up and log in as a person would."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect
from tests.kit.browsing import address
from tests.kit.process import House

PASSWORD = "une bonne phrase"


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


def lay_table(page: Page, **table: Any) -> int:
    """A table of a visitor's own, made as the page's own form does it."""
    page.goto("/lost")
    return int(
        page.evaluate(
            """async (table) => {
                const ask = (path, body) => fetch('/api/v1' + path, {
                    method: 'POST', body: JSON.stringify(body),
                    headers: {'Content-Type': 'application/json', 'X-Tablee': 'page'},
                }).then((answer) => answer.json());
                await ask('/visitors', {cookies: true});
                localStorage.setItem('tablee-session', '1');
                return (await ask('/tables', table)).id;
            }""",
            table,
        )
    )


def super_administrator(house: House) -> tuple[str, str]:
    """The name and the first password, as the house wrote them down when it first started."""
    name, password = (house.data / "super-administrator.txt").read_text(encoding="utf-8").split()
    return name, password


def enter(house: House, context: BrowserContext, name: str, password: str) -> None:
    """Give a browser the cookies of somebody, as logging in would."""
    page = context.new_page()
    page.goto(address(house, "/lost"))
    page.evaluate(
        """async ([name, password]) => {
            const answer = await fetch('/api/v1/session', {
                method: 'POST', body: JSON.stringify({name, password, cookies: true}),
                headers: {'Content-Type': 'application/json', 'X-Tablee': 'page'},
            });
            localStorage.setItem('tablee-session', String((await answer.json()).account));
        }""",
        [name, password],
    )
    page.close()
