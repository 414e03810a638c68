"""What the browser tests share: one browser a process, one house a module, and watched pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.kit.browsing import PATIENCE, Complaints, Visit, launch, visiting
from tests.kit.process import House

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One a module: playwright keeps an event loop running, in which no other test could run its own."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with its demonstration tables, as it comes from `make run`."""
    house = House(tmp_path_factory.mktemp("club") / "data", "--log-format", "json")
    try:
        house.start()
        yield house
    finally:
        house.close()


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Fails the test if a page complained and the test did not expect it."""
    complaints = Complaints()
    yield complaints
    complaints.check()


@pytest.fixture
def visit(browser: Browser, house: House, complaints: Complaints) -> Iterator[Visit]:
    """Open a browser of somebody's own at the house."""
    with ExitStack() as stack:

        def open_page(path: str = "/", **traits: Any) -> Page:
            page = stack.enter_context(visiting(browser, house, complaints, **traits))
            page.goto(path)
            return page

        yield open_page
