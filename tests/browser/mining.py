"""Playing mines in a browser: squares by their place, and the mines as the log of the house has them."""

from __future__ import annotations

import json
import re
import sqlite3

from playwright.sync_api import Locator, Page, expect
from tests.kit.process import House

Square = tuple[int, int]


def table_of(page: Page) -> int:
    """The number of the table that a page shows."""
    page.wait_for_url(re.compile(r"/tables/\d+"))
    found = re.search(r"/tables/(\d+)", page.url)
    assert found
    return int(found[1])


def square(page: Page, at: Square) -> Locator:
    return page.locator(f'[data-x="{at[0]}"][data-y="{at[1]}"]')


def is_hidden(page: Page, at: Square) -> bool:
    return "hidden" in (square(page, at).get_attribute("class") or "").split()


def open_square(page: Page, at: Square) -> None:
    """Click, and wait until the house has answered."""
    square(page, at).click()
    expect(square(page, at)).not_to_have_class(re.compile(r"\b(hidden|opening)\b"))


class Layout:
    """Where the mines of a table are, as its log says."""

    def __init__(self, house: House, table: int) -> None:
        path = house.data / "tablee.sqlite"
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            rows = database.execute("SELECT facts FROM event WHERE table_id = ? ORDER BY seq", (table,))
            facts = [fact for (row,) in rows for fact in json.loads(row)]
        laid = next(fact for fact in facts if fact["is"] == "laid")
        self.width: int = laid["width"]
        self.height: int = laid["height"]
        mines = set(laid["mines"])
        for fact in facts:
            if fact["is"] == "mine_moved":
                mines = mines - {fact["source"]} | {fact["target"]}
        self.mines = {(mine % self.width, mine // self.width) for mine in mines}

    def safe(self) -> list[Square]:
        """Every square without a mine."""
        return [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in self.mines]

    def number(self, at: Square) -> int:
        """How many mines touch a square."""
        return sum(max(abs(at[0] - x), abs(at[1] - y)) == 1 for x, y in self.mines)
