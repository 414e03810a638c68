"""The map of Diplomacy in a real browser: zoom, pan, picking by mouse, finger and keys, and what it says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.test_every_screen import AXE, EXAMINATIONS, faults, show_theme
from tests.kit.browsing import PHONE, Visit

from tablee.atlas.form import game_map
from tablee.rules.diplomacy.variant import load_variant, variant_names

Rect = dict[str, float]


def the_map(page: Page) -> Locator:
    found = page.get_by_role("group", name="Carte", exact=True)
    found.scroll_into_view_if_needed()
    expect(found.locator("[data-pick]").first).to_be_attached()
    return found


def sheet(page: Page) -> Rect:
    """Where the drawing lies on the screen, once it lies still."""
    page.wait_for_function("() => !document.querySelector('.map.moving')")
    return _box(page, ".map .sheet")


def window(page: Page) -> Rect:
    return _box(page, ".map")


def _box(page: Page, which: str) -> Rect:
    found: Rect = page.evaluate(
        """which => {
            const {x, y, width, height} = document.querySelector(which).getBoundingClientRect();
            return {x, y, width, height};
        }""",
        which,
    )
    return found


def learn(visit: Visit, variant: str = "standard", **traits: Any) -> Page:
    """The map of the rules, on which every zone can be picked."""
    page = visit("/rules/diplomacy", **traits)
    if variant != "standard":
        page.locator(".explorer select").select_option(variant)
        expect(page.locator(".map [data-pick]")).to_have_count(load_variant(variant).zones)
    the_map(page)
    return page


def test_the_wheel_zooms_about_the_pointer_and_scrolls_the_page_when_all_is_seen(visit: Visit) -> None:
    page = learn(visit)
    at, before = window(page), sheet(page)
    x, y = at["x"] + at["width"] * 0.7, at["y"] + at["height"] * 0.4
    page.mouse.move(x, y)
    for _ in range(4):
        page.mouse.wheel(0, -120)
    page.wait_for_function("width => document.querySelector('.sheet').getBoundingClientRect().width > width",
                           arg=before["width"] * 1.5)  # fmt: skip
    after = sheet(page)
    for side, length, pointer in (("x", "width", x), ("y", "height", y)):
        held = (pointer - before[side]) / before[length]
        assert (pointer - after[side]) / after[length] == pytest.approx(held, abs=0.01)
    for _ in range(9):
        page.mouse.wheel(0, 120)
    page.wait_for_function("width => document.querySelector('.sheet').getBoundingClientRect().width < width",
                           arg=before["width"] * 1.01)  # fmt: skip
    page.wait_for_timeout(500)  # a pause, after which the wheel belongs to the page again
    page.evaluate("() => { scrollBy(0, -200) }")
    whole, before = sheet(page), page.evaluate("scrollY")
    page.mouse.wheel(0, 120)
    page.wait_for_function("before => scrollY > before", arg=before)
    assert sheet(page)["width"] == whole["width"]


def test_dragging_moves_the_map_within_its_bounds_and_picks_nothing(visit: Visit) -> None:
    page = learn(visit)
    whole = sheet(page)
    for times in (1, 2):
        page.get_by_role("button", name="Agrandir").click()
        comes_to(page, "width", whole["width"] * 1.6**times)
    at, before = window(page), sheet(page)
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    drag(page, (x, y), (x - 60, y - 40))
    comes_to(page, "x", before["x"] - 60)
    comes_to(page, "y", before["y"] - 40)
    for _ in range(5):
        drag(page, (x, y), (x + 250, y + 200))
    comes_to(page, "x", at["x"] + 2)
    comes_to(page, "y", at["y"] + 2)
    expect(page.locator(".told")).to_have_text("")


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def test_keys_zoom_shift_and_show_the_whole_map_again(visit: Visit) -> None:
    page = learn(visit)
    whole = sheet(page)
    the_map(page).focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    comes_to(page, "width", whole["width"] * 2.25)
    near = sheet(page)
    page.keyboard.press("ArrowRight")
    comes_to(page, "x", near["x"] - 80)
    page.keyboard.press("-")
    comes_to(page, "width", whole["width"] * 1.5)
    page.keyboard.press("0")
    comes_to(page, "width", whole["width"])


def comes_to(page: Page, what: str, value: float) -> None:
    """Wait until the drawing lies there, or is so wide."""
    page.wait_for_function(
        """([what, value]) =>
            Math.abs(document.querySelector('.sheet').getBoundingClientRect()[what] - value) < 3""",
        arg=[what, value],
    )


def test_two_fingers_zoom_the_map(visit: Visit) -> None:
    page = learn(visit, viewport=PHONE, has_touch=True, is_mobile=True)
    whole, at = sheet(page), window(page)
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    devtools = page.context.new_cdp_session(page)

    def touch(kind: str, apart: float | None) -> None:
        points = (
            [] if apart is None else [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
        )
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 30)
    for apart in (40, 50, 60, 75, 90):
        touch("touchMove", apart)
    touch("touchEnd", None)
    page.wait_for_function(
        "width => document.querySelector('.sheet').getBoundingClientRect().width > width",
        arg=whole["width"] * 2,
    )


def test_a_double_click_goes_closer_where_nothing_is_to_pick(visit: Visit) -> None:
    page = learn(visit)
    whole = sheet(page)
    outside = page.locator(".map .away").first
    outside.scroll_into_view_if_needed()
    at = outside.bounding_box()
    assert at
    page.mouse.dblclick(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.wait_for_function(
        "width => document.querySelector('.sheet').getBoundingClientRect().width > width",
        arg=whole["width"] * 1.5,
    )


@pytest.mark.parametrize(
    "variant",
    [pytest.param(name, marks=pytest.mark.long if name == "standard" else ()) for name in variant_names()],
)
def test_every_zone_is_picked_by_the_keyboard_and_says_its_name(visit: Visit, variant: str) -> None:
    page = learn(visit, variant)
    chart = game_map(variant)
    codes = {region.zone: region.code for region in chart.regions} | {
        coast.zone: coast.code for coast in chart.coasts
    }
    for zone, code in codes.items():
        key = page.locator(f'.map [data-pick="{zone}"]')
        key.focus()
        page.keyboard.press("Enter" if zone % 2 else "Space")
        expect(page.locator(".told")).to_contain_text(f"({code.upper()})")
        assert key.get_attribute("aria-label")


@pytest.mark.parametrize(
    ("variant", "traits"), [("standard", {}), ("detroit", {"viewport": PHONE}), ("lagune", {})]
)
def test_every_region_is_picked_by_a_click_where_its_unit_stands(
    visit: Visit, variant: str, traits: dict[str, Any]
) -> None:
    page = learn(visit, variant, **traits)
    chart, lies, seen = game_map(variant), sheet(page), window(page)
    scale = lies["width"] / chart.width
    for region in chart.regions:
        x, y = lies["x"] + region.unit[0] * scale, lies["y"] + region.unit[1] * scale
        if not (seen["x"] < x < seen["x"] + seen["width"] and 0 < y < page.viewport_size["height"]):  # type: ignore[index]
            page.mouse.wheel(0, 0)
            page.evaluate("y => scrollBy(0, y - innerHeight / 2)", y)
            lies, seen = sheet(page), window(page)
            x, y = lies["x"] + region.unit[0] * scale, lies["y"] + region.unit[1] * scale
        page.mouse.click(x, y)
        expect(page.locator(".told")).to_contain_text(f"({region.code.upper()}")


def test_a_coast_is_meant_where_one_points_at_it(visit: Visit) -> None:
    page = learn(visit)
    chart, lies = game_map("standard"), sheet(page)
    scale = lies["width"] / chart.width
    for coast in chart.coasts:
        page.evaluate("y => scrollBy(0, y - innerHeight / 2)", lies["y"] + coast.unit[1] * scale)
        lies = sheet(page)
        page.mouse.click(lies["x"] + coast.unit[0] * scale, lies["y"] + coast.unit[1] * scale)
        expect(page.locator(".told")).to_contain_text(f"({coast.code.upper()})")
        lies = sheet(page)


def test_small_maps_show_codes_and_large_ones_names(visit: Visit) -> None:
    page = learn(visit)
    expect(page.locator(".map text.code", has_text="PAR")).to_be_visible()
    the_map(page).focus()
    for _ in range(3):
        page.keyboard.press("+")
    expect(page.locator(".map text.name", has_text=re.compile("Bourgogne"))).to_be_visible()
    expect(page.locator(".map text.code")).to_have_count(0)


HIDDEN = """() => {
    // Of a line of text the letters fill about the half.
    const codes = [...document.querySelectorAll('.map text.code')].map((each) => {
        const {left, right, top, height} = each.getBoundingClientRect();
        return {name: each.textContent, left, right, top: top + height * 0.28, bottom: top + height * 0.72};
    });
    const bodies = document.querySelectorAll('.map .token .body');
    const tokens = [...bodies].map((each) => each.getBoundingClientRect());
    const meets = (one, other) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
    return codes.filter((one) => [...codes, ...tokens].some((other) => other !== one && meets(one, other)))
        .map((each) => each.name);
}"""


@pytest.mark.parametrize("width", [390, 600, 1280])
def test_no_code_is_hidden_by_a_unit_or_by_another_code(visit: Visit, width: int) -> None:
    page = learn(visit, viewport={"width": width, "height": 800})
    expect(page.locator(".map text.code")).to_have_count(load_variant("standard").regions)
    assert page.evaluate(HIDDEN) == []


def test_axe_finds_no_serious_fault_in_the_rules_with_their_maps(visit: Visit) -> None:
    page = learn(visit, bypass_csp=True)
    page.add_script_tag(path=AXE)
    for theme, examination in EXAMINATIONS:
        show_theme(page, theme)
        assert faults(page, examination) == [], theme
