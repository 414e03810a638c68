"""Pictures of every letter of the house, in both languages, wide and narrow.

`python -m tests.browser.letters FOLDER`
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.kit.browsing import open_browser
from tests.kit.letters import Gallery
from tests.kit.mail import House

from tablee.clock import HandClock

WIDTHS = (600, 390)


async def letters(folder: Path, language: str) -> dict[str, tuple[str, str]]:
    """The text and the HTML of each, by what it is about."""
    clock = HandClock()
    house = await House.open(
        folder / f"{language}.sqlite", clock, folder / language, name="Le club de la Marne"
    )
    house.club.home = "https://jeux.exemple.fr"
    try:
        gallery = Gallery(house, clock)
        await gallery.fill(language)
    finally:
        await house.close()
    return {
        name: (f"{letter.subject}\n\n{letter.text}", letter.html or "")
        for name, letter in gallery.found.items()
    }


def take(into: Path) -> None:
    """A text, and a picture for each width, of each letter."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        found = {language: asyncio.run(letters(Path(folder), language)) for language in ("fr", "en")}
    with open_browser() as browser:
        for language, each in found.items():
            for name, (text, html) in each.items():
                (into / f"{name}-{language}.txt").write_text(text, encoding="utf-8")
                for width in WIDTHS:
                    page = browser.new_page(viewport={"width": width, "height": 400})
                    page.set_content(html)
                    page.screenshot(path=into / f"{name}-{language}-{width}.png", full_page=True)
                    page.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]))
