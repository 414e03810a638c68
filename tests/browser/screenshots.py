"""Pictures of every screen, in French, wide and narrow: `make screenshots` puts them in docs/pictures."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect, sync_playwright
from tests.browser.browsing import DESKTOP, PHONE, address, launch
from tests.browser.furnishing import Furnished
from tests.houses import House

SIZES = {"large": DESKTOP, "telephone": PHONE}
ALSO_DARK = ("accueil-membre", "table", "regles-demineur", "reglages")
COLOURS = 128
"""A picture of a page needs no more, and is a third of the size."""


def take(into: Path) -> None:
    """Furnish a house, go to every screen, take its picture."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder) / "data")
        browser = launch(playwright)
        try:
            house.start()
            furnished = Furnished(house)
            for size, viewport in SIZES.items():
                contexts: dict[str, BrowserContext] = {}
                for who in ("nobody", "member", "administrator"):
                    context = browser.new_context(
                        base_url=address(house, ""), locale="fr-FR", viewport=viewport,  # type: ignore[arg-type]
                        has_touch=size == "telephone", reduced_motion="reduce", device_scale_factor=1,
                    )  # fmt: skip
                    contexts[who] = context
                furnished.enter(contexts["member"], "Margot")
                furnished.enter_as_administrator(contexts["administrator"])
                for name, (path, who) in furnished.screens().items():
                    page = contexts[who].new_page()
                    themes = ("light", "dark") if name in ALSO_DARK else ("light",)
                    for theme in themes:
                        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
                        _show(page, path)
                        mark = "-sombre" if theme == "dark" else ""
                        page.screenshot(path=into / f"{name}-{size}{mark}.png")
                        print(f"{name}-{size}{mark}", flush=True)
                    page.close()
        finally:
            browser.close()
            house.close()
    _make_small(into)


def _show(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator('[aria-busy="true"]')).to_have_count(0)
    page.locator("main h1, main h2, main .trouble").first.wait_for(state="attached")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(600)


def _make_small(folder: Path) -> None:
    """Fewer colours, smaller files."""
    from PIL import Image

    for file in folder.glob("*.png"):
        with Image.open(file) as picture:
            picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    take(Path(sys.argv[1]))
