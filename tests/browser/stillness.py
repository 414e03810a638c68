"""Watching a board while a whole game is played: where it is at every frame, and what leaves the window."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.people import enter
from tests.kit.browsing import MOVING, Visit

SIZES: dict[str, dict[str, Any]] = {
    "1280 × 800": {"viewport": {"width": 1280, "height": 800}},
    "1920 × 1080": {"viewport": {"width": 1920, "height": 1080}},
    "390 × 844": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}

WATCH = """([parts, film]) => {
    const seen = window.stillness = { places: {}, outside: {}, met: {} };
    const said = () => [...document.querySelectorAll('.state, [data-line]')]
        .map((each) => each.innerText.trim()).join(' | ');
    const roof = () => document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    const look = () => {
        for (const [name, selector] of Object.entries(parts)) {
            for (const each of document.querySelectorAll(selector)) {
                const box = each.getBoundingClientRect();
                if (!box.width || !box.height) continue;
                const place = [box.left, box.top, box.width, box.height].map(Math.round).join(' ');
                seen.met[name] = true;
                if (name === 'board') seen.places[place] ??= said();
                const isInside = box.left > -1 && box.right < innerWidth + 1
                    && box.top > roof() - 1 && box.bottom < innerHeight + 1;
                if (!isInside) seen.outside[`${name} ${place}`] ??= said();
            }
        }
        if (film && document.querySelector(film) && document.querySelector('[data-result]')) {
            seen.outside['the result while the film still runs'] ??= said();
        }
        requestAnimationFrame(look);
    };
    look();
}"""


class Screens:
    """One player's browsers at the three sizes, all at one table."""

    def __init__(
        self,
        visit: Visit,
        pseudo: str,
        table: int,
        keeps: dict[str, str] | None = None,
        film: str = "",
        **parts: str,
    ) -> None:
        """`parts` are the selectors of what must stay in sight; `board` is the one that must not move.
        `keeps` is what these browsers remember of an earlier visit; `film` is seen while one runs."""
        self.parts = parts
        self.pages: dict[str, Page] = {}
        for size, traits in SIZES.items():
            page = visit(**traits, **MOVING)
            enter(page, pseudo)
            page.add_init_script(
                f"if (location.protocol === 'http:') Object.assign(localStorage, {json.dumps(keeps or {})})"
            )
            page.goto(f"/tables/{table}")
            expect(page.locator(parts["board"]).first).to_be_visible()
            page.evaluate("document.fonts.ready")
            page.evaluate(WATCH, [parts, film])
            self.pages[size] = page

    def expect(self, selector: str, text: str = "") -> None:
        """Every screen shows it now."""
        for page in self.pages.values():
            found = page.locator(selector).first
            expect(found).to_be_attached()
            if text:
                expect(found).to_contain_text(text)

    def expect_none(self, selector: str) -> None:
        for page in self.pages.values():
            expect(page.locator(selector)).to_have_count(0)

    def expect_result(self, *words: str) -> None:
        """The result with what one does next is in the window, and nobody scrolls for it."""
        for size, page in self.pages.items():
            result = page.locator("[data-result]")
            for word in words:
                expect(result).to_contain_text(word)
            for part in (result, result.get_by_text("Revanche"), result.get_by_text("Revoir la partie")):
                expect(part).to_be_in_viewport(ratio=1)
            assert page.evaluate("scrollY") == 0, f"{size}: the page is scrolled"

    def check(self) -> None:
        """The board was always at one place, and everything always in the window."""
        faults: list[str] = []
        for size, page in self.pages.items():
            seen = page.evaluate("window.stillness")
            if len(seen["places"]) > 1:
                faults += [f"{size}: the board at {place} ({said})" for place, said in seen["places"].items()]
            faults += [f"{size}: out of place, {part} ({said})" for part, said in seen["outside"].items()]
            faults += [f"{size}: never seen, {part}" for part in self.parts if part not in seen["met"]]
        assert not faults, "\n".join(faults)
