"""A real browser at a real house: pages fail their test when console, policy or network complain."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Response,
    sync_playwright,
)
from tests.kit.process import House
from tests.kit.waiting import wait_until

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has the same engine without the window that nobody sees, and does a fifth of the work."""
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
MOVING = {"reduced_motion": "no-preference"}
"""For who likes to see things move. The others do not: drawing what lies between two positions is much of the
work of a browser, so one game of each kind is played with motion and the rest without."""
PATIENCE = 120_000
"""Milliseconds that a browser may take on a busy machine."""
Visit = Callable[..., Page]
"""Opens a page of somebody's own at the house."""


def launch(playwright: Playwright) -> Browser:
    """Debian's chromium; a machine without one fails here and says how to get it."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found, "The browser tests need chromium: `make chromium` installs it."
    return playwright.chromium.launch(executable_path=found, args=FLAGS, timeout=PATIENCE)


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@contextmanager
def open_house(folders: pytest.TempPathFactory, *options: str) -> Iterator[House]:
    """A running house in a new folder, into which as many people may come from one address as tests send."""
    crowds = ("--accounts-an-hour", "100000", "--visitors-an-hour", "100000")
    house = House(folders.mktemp("club") / "data", "--log-format", "json", *crowds, *options)
    try:
        house.start()
        yield house
    finally:
        house.close()


def address(house: House, path: str = "/") -> str:
    host, port = house.address("http")
    return f"http://{host}:{port}{path}"


class Complaints:
    """What went wrong in a page without a test looking at it."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.expected: list[re.Pattern[str]] = []

    def expect(self, pattern: str) -> None:
        """This test causes such a complaint on purpose."""
        self.expected.append(re.compile(pattern))

    def watch(self, page: Page, own: str) -> None:
        def spoke(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self.found.append(f"console {message.type}: {message.text} ({message.location['url']})")

        def answered(response: Response) -> None:
            # The page renews a token that is refused and asks again: that it was refused once is no fault.
            if response.url == f"{own}/api/v1/session/refresh" and response.ok:
                self.found = [each for each in self.found if "status of 401" not in each]

        def asked(request: Request) -> None:
            if not request.url.startswith((own, own.replace("http", "ws", 1), "data:", "blob:")):
                self.found.append(f"a request elsewhere: {request.url}")

        page.on("console", spoke)
        page.on("pageerror", lambda error: self.found.append(f"an error of the page: {error}"))
        page.on("request", asked)
        page.on("response", answered)

    def check(self) -> None:
        left = [each for each in self.found if not any(known.search(each) for known in self.expected)]
        assert not left, left


@contextmanager
def visiting(browser: Browser, house: House, complaints: Complaints, **traits: Any) -> Iterator[Page]:
    """A browser of somebody's own, with its own cookies; in French and without motion unless told."""
    traits = {"viewport": DESKTOP, "locale": "fr-FR", "reduced_motion": "reduce", **traits}
    context: BrowserContext = browser.new_context(base_url=address(house, ""), **traits)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints.watch(page, address(house, "").removesuffix("/"))
    _listen_after_going(page)
    try:
        yield page
    finally:
        context.close()


def _listen_after_going(page: Page) -> None:
    """Make `goto` wait until the page hears what others do: a word said earlier would be missed by right."""
    go = page.goto

    def goto(url: str, **how: Any) -> Response | None:
        answer = go(url, **how)
        if answer is not None and answer.headers.get("content-type", "").startswith("text/html"):
            page.locator("html[data-live=listening]").wait_for(state="attached")
        return answer

    page.goto = goto  # type: ignore[method-assign]


def hear_until(page: Page, is_true: Callable[[], object], what: str) -> None:
    """Wait for what comes through the routes that a test laid: served while playwright works."""

    def is_heard() -> bool:
        page.wait_for_timeout(20)
        return bool(is_true())

    wait_until(is_heard, what)


def newest_code(house: House, to: str) -> str:
    """The six digits of the newest letter to somebody, from the folder where the house puts its mail."""
    found: list[str] = []

    def look() -> bool:
        for letter in sorted((house.data / "mail").glob("*.eml"), key=_age):
            message = message_from_bytes(letter.read_bytes(), policy=policy.default)
            if message["To"] and to in message["To"]:
                body = message.get_body(("plain",))
                assert body is not None
                found.extend(re.findall(r"\b\d{6}\b", body.get_content()))
        return bool(found)

    wait_until(look, f"a letter to {to}")
    return found[-1]


def _age(file: Path) -> tuple[int, str]:
    return file.stat().st_mtime_ns, file.name
