"""How heavy and how quick is the map of Diplomacy: sizes, nodes, a click, frames while panning?

`python -m bench.map [--quick]`
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import statistics
import tempfile
from pathlib import Path

import msgspec
from playwright.sync_api import Page, sync_playwright
from tests.browser.diplomacy.europe import choose_power, open_europe, zone
from tests.browser.furnishing import Somebody
from tests.kit.browsing import address, launch
from tests.kit.process import House

from tablee.atlas.form import game_map
from tablee.rules.diplomacy.variant import load_variant, variant_names

ROLES = 7
MOVE = 1
RECORD = """() => {
    window.frames_seen = [];
    let last = performance.now();
    const look = (now) => {
        window.frames_seen.push(now - last);
        last = now;
        window.looking = requestAnimationFrame(look);
    };
    window.looking = requestAnimationFrame(look);
}"""
RECORDED = "() => { cancelAnimationFrame(window.looking); return window.frames_seen.slice(2); }"


def sizes() -> None:
    """What the page loads for a map."""
    for name in variant_names():
        text = msgspec.json.encode(game_map(name))
        packed = len(gzip.compress(text)) / 1000
        print(f"  map of {name:<10} {len(text) / 1000:>7.1f} kB of JSON, {packed:>6.1f} kB gzipped")


def crowded(house: House) -> int:
    """A mastered table whose last phase moved a unit from every centre: 34 units, 34 orders."""
    master = Somebody(house, "Cartographe")
    table: int = master.post(
        "/tables", game="diplomacy", variant="standard", join=False, rated=False,
        options={"sharing": "any", "archive": True}, terms={"mastered": True},
    )["id"]  # fmt: skip
    master.post(f"/tables/{table}/start")
    variant = load_variant("standard")
    units: list[tuple[int, int, int]] = []
    owners: dict[str, int] = {}
    for centre, region in list(enumerate(variant.centres))[1:]:
        role = centre % ROLES + 1
        owners[str(centre)] = role
        # A fleet where the sea is and the region has one shore; everywhere else an army.
        is_fleet = centre % 2 == 0 and bool(variant.fleet_next[region])
        units.append((role, 2 if is_fleet else 1, region))
    situation = {
        "ownerships": owners, "units": units, "dislodged": [], "fake_units": [], "forbiddens": [],
    }  # fmt: skip
    _play(master, table, do="set_position", situation=situation, advancement=0)
    legal = master.http.get(f"/tables/{table}/legal").json()["legal"]["submit"]
    for role, due in legal.items():
        firsts = [min(each, key=lambda order: order[1] != MOVE) for each in due["orders"].values()]
        orders = [[*each[:5], bool(each[5]), each[6]] for each in firsts]
        _play(master, table, do="submit", role=int(role), orders=orders, final=True)
    if not master.http.get(f"/tables/{table}/view").json()["view"]["last"]:
        _play(master, table, do="adjudicate")
    return table


def _play(who: Somebody, table: int, **action: object) -> None:
    move = {"action": action, "request_id": f"b-{action['do']}-{action.get('role', 0)}"}
    answer = who.http.post(f"/tables/{table}/play", json=move)
    assert answer.is_success, answer.text


def frames(page: Page, milliseconds: int) -> list[float]:
    """The time between frames while somebody drags to and fro."""
    box = page.locator(".map").bounding_box() if page.locator(".map").count() else None
    x, y = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) if box else (600.0, 400.0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(RECORD)
    for step in range(milliseconds // 16):
        page.mouse.move(x + (step % 60 - 30) * 4, y + (step % 40 - 20) * 4)
    page.mouse.up()
    found: list[float] = page.evaluate(RECORDED)
    return found


TIMED = """() => {
    window.answers = [];
    addEventListener('pointerup', (event) => {
        const isUnit = event.target.closest('.map');
        const look = () => {
            // What is lit is drawn in the frame after the one that changed it.
            if (isUnit && !document.querySelector('[data-steps].writing')) requestAnimationFrame(look);
            else requestAnimationFrame(() => {
                window.answers.push([Boolean(isUnit), performance.now() - event.timeStamp]);
            });
        };
        requestAnimationFrame(look);
    }, true);
}"""


def clicking(page: Page, clicks: int) -> None:
    """From a click on a unit to its targets lit, and from a click on nothing to a frame, turn by turn."""
    open_europe(page)
    page.evaluate(TIMED)
    unit = page.locator(f'[data-pick="{zone("par")}"]')
    choose_power(page, "France")
    for turn in range(clicks):
        unit.click()
        page.wait_for_function("turn => window.answers.filter(([isUnit]) => isUnit).length > turn", arg=turn)
        page.keyboard.press("Escape")
        page.locator("[data-phase]").click()
        page.wait_for_function(
            "turn => window.answers.filter(([isUnit]) => !isUnit).length > turn", arg=turn + 1
        )
    answers: list[tuple[bool, float]] = page.evaluate("window.answers")
    lit = [took for is_unit, took in answers if is_unit]
    idle = [took for is_unit, took in answers if not is_unit]
    told("from a click to lit targets", lit, "clicks")
    told("from a click on nothing to a frame", idle, "clicks")
    print(f"  ratio of the medians: {statistics.median(lit) / statistics.median(idle):.2f}")


def told(what: str, deltas: list[float], of: str = "frames") -> None:
    ordered = sorted(deltas)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"  {what:<34} median {statistics.median(ordered):.1f} ms, p95 {p95:.1f} ms of {len(ordered)} {of}")


def panning(page: Page, table: int, milliseconds: int) -> None:
    """The map near and crowded, and an empty page, in one run."""
    page.goto(f"/tables/{table}")
    page.get_by_role("tab", name="Saisons").click()
    page.locator(".map [data-order]").first.wait_for(state="attached")
    counted = [page.locator(f".map {each}").count() for each in ("[data-unit]", "[data-order]", "*")]
    print("  on the map: {} units, {} orders drawn, {} nodes of SVG".format(*counted))
    page.locator(".map").scroll_into_view_if_needed()
    for _ in range(2):
        page.get_by_role("button", name="Agrandir").click()
    page.wait_for_timeout(800)
    dragged = frames(page, milliseconds)
    told("frames while the map is dragged", dragged)
    page.goto("about:blank")
    empty = frames(page, milliseconds)
    told("frames of an empty page, likewise", empty)
    slow = [sum(each > 50 for each in found) for found in (dragged, empty)]
    ratio = statistics.median(dragged) / statistics.median(empty)
    print(f"  ratio of the medians: {ratio:.2f}; frames slower than 50 ms: {slow[0]} and {slow[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.map", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a shorter drag")
    quick = parser.parse_args().quick
    sizes()
    folder = Path(tempfile.mkdtemp(prefix="tablee-bench-"))
    house = House(folder / "data", "--no-demo")
    try:
        house.start()
        table = crowded(house)
        with sync_playwright() as playwright:
            browser = launch(playwright)
            context = browser.new_context(base_url=address(house, ""), locale="fr-FR")
            page = context.new_page()
            clicking(page, 10 if quick else 40)
            panning(page, table, 2_000 if quick else 8_000)
            browser.close()
    finally:
        house.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
