"""The icons of the installed page, drawn from web/public/icon.svg: `make icons` puts them beside it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from playwright.sync_api import Browser
from tests.kit.browsing import open_browser

CORNER = 'rx="14" '
"""Of the icon's own square: where a system cuts the corners itself, the square is left whole."""
SAFE = "translate(32 32) scale(.8) translate(-32 -32)"
"""A mask may cut away all but the middle: what is drawn there keeps clear of its edge."""


def draw(public: Path) -> None:
    """Write every icon that is no drawing itself."""
    icon = (public / "icon.svg").read_text(encoding="utf-8")
    with open_browser() as browser:
        for size in (192, 512):
            _picture(browser, icon, size, public / f"icon-{size}.png")
        _picture(browser, icon.replace(CORNER, ""), 180, public / "apple-touch-icon.png")
        _picture(browser, _in_the_middle(icon), 512, public / "icon-maskable-512.png")
        _picture(browser, _shape(icon), 96, public / "badge-96.png")


def _in_the_middle(icon: str) -> str:
    """The same drawing, smaller, on a square that fills the picture."""
    ground, drawing = _parts(icon)
    return f'{ground.replace(CORNER, "")}<g transform="{SAFE}">{drawing}</g></svg>'


def _shape(icon: str) -> str:
    """The drawing alone, in one colour: a system only looks where something is drawn."""
    ground, drawing = _parts(icon)
    opening = ground[: ground.index("<rect")]
    white = re.sub(r'(fill|stroke)="#[0-9a-f]{6}"', r'\1="#ffffff"', drawing)
    holes = re.sub(r'<circle ([^>]*)fill="#ffffff"', r'<circle \1fill="#000000"', white)
    mask = f'<mask id="holes"><g>{holes}</g></mask>'
    return f'{opening}{mask}<rect width="64" height="64" fill="#ffffff" mask="url(#holes)"/></svg>'


def _parts(icon: str) -> tuple[str, str]:
    """What comes up to the end of the ground, and what is drawn on it."""
    end = icon.index("/>", icon.index("<rect")) + 2
    assert CORNER in icon[:end]
    return icon[:end], icon[end:].removesuffix("</svg>\n").removesuffix("</svg>")


def _picture(browser: Browser, drawing: str, size: int, file: Path) -> None:
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:{size}px}}</style>{drawing}")
    page.screenshot(path=file, omit_background=True)
    page.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
