"""The controls with which a game is gone through: one set on a screen, never a second beside it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

FORWARD = re.compile(r"^(\w+ )?suivante?$", re.IGNORECASE)
"""However a game calls it: *Suivant*, *Pas suivant*, *Coup suivant*."""


def expect_one_set_of_controls(page: Page, forward: int | None = None) -> None:
    """At most one button that leads on and one line to drag along; `forward` says how many buttons."""
    buttons = page.get_by_role("button", name=FORWARD)
    if forward is not None:
        expect(buttons).to_have_count(forward)
    found = buttons.evaluate_all("all => all.map(each => each.textContent.trim())")
    assert len(found) <= 1, (page.url, found)
    lines = page.get_by_role("slider").evaluate_all("all => all.map(each => each.getAttribute('aria-label'))")
    assert len(lines) <= 1, (page.url, lines)
