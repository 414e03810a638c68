"""Pictures of every screen, in French, wide and narrow: `make screenshots` puts them in docs/pictures."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.browser.diplomacy.gallery import IN_EVERY_LOOK, Gallery
from tests.browser.furnishing import Furnished, Screen
from tests.browser.people import enter
from tests.kit.browsing import DESKTOP, PHONE, address, launch
from tests.kit.process import House

SIZES = {"large": DESKTOP, "telephone": PHONE}
ALSO_DARK = (
    "accueil-membre", "table", "echecs-alice", "robots", "arene", "diplomatie", "regles-demineur", "reglages",
)  # fmt: skip
COLOURS = 256
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
                for name, screen in furnished.screens().items():
                    page = contexts[screen.who].new_page()
                    themes = ("light", "dark") if name in ALSO_DARK else ("light",)
                    for theme in themes:
                        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
                        _show(page, screen)
                        mark = "-sombre" if theme == "dark" else ""
                        page.screenshot(path=into / f"{name}-{size}{mark}.png")
                        print(f"{name}-{size}{mark}", flush=True)
                    page.close()
            _take_diplomacy(browser, house, into)
        finally:
            browser.close()
            house.close()
    _make_small(into)


def _take_diplomacy(browser: Browser, house: House, into: Path) -> None:
    """The board of Diplomacy in its states, in light, dark and a palette for the colour-blind."""
    gallery = Gallery(house)
    for name, (who, path, prepare) in gallery.scenes().items():
        looks = [("light", "usual", "")]
        if name in IN_EVERY_LOOK:
            looks += [("dark", "usual", "-sombre"), ("light", "deuteranopia", "-daltonien")]
        for size, viewport in SIZES.items():
            for theme, palette, mark in looks:
                context = browser.new_context(
                    base_url=address(house, ""), locale="fr-FR", viewport=viewport,  # type: ignore[arg-type]
                    has_touch=size == "telephone", reduced_motion="reduce", color_scheme=theme,  # type: ignore[arg-type]
                )  # fmt: skip
                context.add_init_script(
                    f"localStorage.setItem('tablee-preferences', JSON.stringify({{palette: '{palette}'}}))"
                )
                page = context.new_page()
                enter(page, who)
                _show(page, Screen(path, who))
                prepare(page)
                page.wait_for_timeout(600)
                page.screenshot(path=into / f"{name}-{size}{mark}.png")
                print(f"{name}-{size}{mark}", flush=True)
                context.close()


def _show(page: Page, screen: Screen) -> None:
    screen.show(page)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(600)


def _make_small(folder: Path) -> None:
    """Fewer colours, smaller files."""
    from PIL import Image

    for file in folder.glob("*.png"):
        with Image.open(file) as picture:
            few = picture.convert("RGB").quantize(
                COLOURS,
                # It keeps the colours by which powers are known; the other methods mix them.
                method=Image.Quantize.FASTOCTREE,
                dither=Image.Dither.NONE,
            )
            few.save(file, optimize=True)


if __name__ == "__main__":
    take(Path(sys.argv[1]))
