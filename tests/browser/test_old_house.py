"""A house in which there is more of everything than one page shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.crowding import MANY, crowd
from tests.browser.furnishing import Somebody
from tests.browser.people import PASSWORD, enter, super_administrator
from tests.kit.browsing import Complaints, open_house, visiting
from tests.kit.process import House


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Léonie and Basile have been here for years; the house was shut for a moment to write that down."""
    with open_house(tmp_path_factory) as house:
        leonie, basile = Somebody(house, "Léonie"), Somebody(house, "Basile")
        house.stop()
        crowd(house.data, leonie.id, basile.id)
        house.start()
        yield house


Open = Callable[[str], Page]


@contextmanager
def _opened(browser: Browser, house: House, name: str, password: str) -> Iterator[Open]:
    """One page for all that somebody looks at; what a page complains of fails the test that comes last."""
    complaints = Complaints()
    with visiting(browser, house, complaints) as page:
        enter(page, name, password)

        def go(path: str) -> Page:
            page.goto(path)
            return page

        yield go
    complaints.check()


@pytest.fixture(scope="module")
def leonie(browser: Browser, house: House) -> Iterator[Open]:
    with _opened(browser, house, "Léonie", PASSWORD) as go:
        yield go


@pytest.fixture(scope="module")
def chief(browser: Browser, house: House) -> Iterator[Open]:
    with _opened(browser, house, *super_administrator(house)) as go:
        yield go


def test_a_ranking_has_pages_and_says_who_is_shown(leonie: Open) -> None:
    page = leonie("/ranking?game=mines&variant=classic")
    expect(page.get_by_text(f"Joueurs 1 à 50 sur {MANY + 1}")).to_be_visible()
    expect(page.locator("tbody tr").first).to_contain_text("Ancien-00")
    # One's own line is at the foot where it is on another page.
    expect(page.locator("tfoot")).to_contain_text("Léonie")
    page.get_by_role("button", name="Suivants").click()
    expect(page.get_by_text(f"Joueurs 51 à {MANY + 1} sur {MANY + 1}")).to_be_visible()
    expect(page.get_by_text("Page 2 sur 2")).to_be_visible()
    expect(page.get_by_role("button", name="Suivants")).to_be_disabled()
    expect(page.locator("tbody tr.mine")).to_contain_text("Léonie")
    expect(page.locator("tfoot")).to_have_count(0)
    page.get_by_role("radio", name="Points").check()
    expect(page.locator("tbody tr").first).to_contain_text(f"Ancien-{MANY - 1}")
    expect(page.get_by_text(f"Joueurs 1 à 50 sur {MANY + 1}")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "pages", "first", "last"),
    [
        ("/players/Léonie", 3, "Soirée 59", "Soirée 00"),
        ("/notices", 3, "Rang 60.", "Rang 1."),
        ("/lobby?status=over", 3, "Soirée 59", "Soirée 00"),
    ],
)
def test_lists_go_on_where_one_asks_for_more(
    leonie: Open, path: str, pages: int, first: str, last: str
) -> None:
    page = leonie(path)
    expect(page.get_by_text(first).first).to_be_visible()
    expect(page.get_by_text(last)).to_have_count(0)
    for _ in range(pages - 1):
        page.get_by_role("button", name="Voir plus").click()
    expect(page.get_by_text(last).first).to_be_visible()


def test_a_notice_of_any_kind_is_a_sentence(leonie: Open) -> None:
    page = leonie("/notices")
    for said in (
        "L’administrateur Cheffe a agi en votre nom.",
        "Une session (Firefox sur Linux) a été close par précaution",
        "Vous n’êtes plus administrateur.",
        "Un avis de la maison (from_the_future).",
    ):
        expect(page.get_by_text(said).first).to_be_visible()
    page.get_by_role("button", name="Tout marquer comme lu").click()
    expect(page.get_by_role("button", name="Marquer comme lu")).to_have_count(0)


@pytest.mark.parametrize(
    ("path", "first", "last"),
    [("/admin/accounts", "Ancien-59", "Basile"), ("/admin/deeds", "Ancien-59", "Ancien-00")],
)
def test_lists_of_the_administration_go_on_too(chief: Open, path: str, first: str, last: str) -> None:
    page = chief(path)
    expect(page.get_by_role("main").get_by_text(first).first).to_be_visible()
    expect(page.get_by_role("main").get_by_text(last)).to_have_count(0)
    page.get_by_role("button", name="Voir plus").click()
    expect(page.get_by_role("main").get_by_text(last).first).to_be_visible()


def test_older_things_said_come_when_asked_for(leonie: Open) -> None:
    page = leonie("/lobby")
    said = page.get_by_role("log")
    expect(said).to_contain_text("Parole 59")
    expect(said).not_to_contain_text("Parole 00")
    said.get_by_role("button").first.click()
    expect(said).to_contain_text("Parole 00")
    page = leonie("/messages?to=Basile")
    letters = page.get_by_role("log")
    expect(letters).to_contain_text("Lettre 59")
    expect(letters).not_to_contain_text("Lettre 00")
    letters.get_by_role("button").first.click()
    expect(letters).to_contain_text("Lettre 00")
