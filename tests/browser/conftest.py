"""What the browser tests share: one browser and one house for all that follow on, and watched pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.kit.browsing import PATIENCE, Complaints, Visit, open_browser, open_house, visiting
from tests.kit.process import House

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Gone when a test of another kind follows: playwright keeps an event loop running, beside which no other
    test could run its own."""
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with its demonstration tables, as it comes from `make run`. Many tests share it: a name of
    somebody or of a table belongs to one of them. A module that needs other settings opens its own."""
    with open_house(tmp_path_factory) as house:
        yield house


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Fails the test if a page complained and the test did not expect it."""
    complaints = Complaints()
    yield complaints
    complaints.check()


@pytest.fixture
def visit(browser: Browser, house: House, complaints: Complaints) -> Iterator[Visit]:
    """Open a browser of somebody's own at the house: at an address, or with nothing in it yet."""
    with ExitStack() as stack:

        def open_page(path: str | None = None, **traits: Any) -> Page:
            page = stack.enter_context(visiting(browser, house, complaints, **traits))
            if path is not None:
                page.goto(path)
            return page

        yield open_page
