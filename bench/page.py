"""How fast and how light is the page: sizes, click to painted square beside a bare WebSocket, memory?

`python -m bench.page [--quick]`
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.browser.furnishing import Somebody
from tests.browser.mining import Layout, table_of
from tests.kit.browsing import address, launch
from tests.kit.process import House

from tablee.doors.web.page import BUILT

BOARD = {"width": 60, "height": 40, "mines": 300, "no_guess": False}

PAINTED = """async ([x, y]) => {
    const square = document.querySelector(`[data-x="${x}"][data-y="${y}"]`);
    const begun = performance.now();
    const opened = new Promise((done) => {
        const look = () => (/\\b(hidden|opening)\\b/.test(square.className) ? null : done());
        new MutationObserver(look).observe(square, {attributes: true, attributeFilter: ['class']});
    });
    square.click();
    await opened;
    // The first frame after the change, and the end of that frame: now it is on the screen.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - begun;
}"""
BARE = """async ([table, x, y]) => {
    if (!window.bare) {
        window.bare = new WebSocket(location.origin.replace('http', 'ws') + '/api/v1/live');
        await new Promise((done) => (window.bare.onmessage = done));
    }
    const begun = performance.now();
    const answered = new Promise((done) => {
        window.bare.onmessage = (event) => JSON.parse(event.data).type === 'played' && done();
    });
    window.bare.send(JSON.stringify({
        type: 'play', table, action: {do: 'click', x, y}, request_id: `bare-${x}-${y}`,
    }));
    await answered;
    return performance.now() - begun;
}"""


def sizes() -> None:
    """What a first visit loads, and all there is."""
    gzipped: dict[str, int] = json.loads((BUILT / "build.json").read_text())["gzipped"]
    index = (BUILT / "index.html").read_text()
    shell = {name for name in gzipped if name in index or name == "index.html"}
    font = {name for name in gzipped if "latin-wght-normal" in name}
    board = {name for name in gzipped if name.startswith(("assets/Board-", "assets/TableScreen-"))}
    code = {name for name in gzipped if not name.endswith(".woff2")}
    for what, names in (
        ("the shell (limit 150 kB)", shell),
        ("its font", font),
        ("table and board of mines, their own files", board),
        ("every screen and game, without fonts", code),
    ):
        print(f"  {what:<44} {sum(gzipped[name] for name in names) / 1000:>7.1f} kB gzipped")


def clicks(page: Page, house: House, count: int) -> None:
    """The same kind of move, painted by the page and answered on a bare WebSocket, in turns."""
    page.goto("/")
    table = _table(page)
    page.goto(f"/tables/{table}")
    page.get_by_role("grid").wait_for()
    layout = Layout(house, table)
    page.evaluate(PAINTED, list(layout.safe()[0]))
    layout = Layout(house, table)
    numbers = [at for at in layout.safe() if layout.number(at) > 0]
    painted: list[float] = []
    bare: list[float] = []
    for turn, at in enumerate(numbers):
        if len(bare) >= count:
            break
        if "hidden" not in (
            page.locator(f'[data-x="{at[0]}"][data-y="{at[1]}"]').get_attribute("class") or ""
        ):
            continue
        if turn % 2:
            painted.append(page.evaluate(PAINTED, list(at)))
        else:
            bare.append(page.evaluate(BARE, [table, *at]))
    ours, theirs = statistics.median(painted), statistics.median(bare)
    print(
        f"  click to painted square, {BOARD['width']} × {BOARD['height']}:"
        f" median {ours:.1f} ms of {len(painted)}"
    )
    print(f"  the same move on a bare WebSocket of the same page: median {theirs:.1f} ms of {len(bare)}")
    print(f"  ratio {ours / theirs:.2f} (a frame of the screen is 16.7 ms of it)")


def memory(page: Page, house: House, moves: int) -> None:
    """The heap of the page before and after so many moves of somebody else."""
    other = Somebody(house, "Joueuse")
    options = {**BOARD, "mines": 1300}  # so dense that a click opens one square
    table = other.post("/tables", game="mines", variant="custom", options=options)["id"]
    page.goto(f"/tables/{table}")
    page.get_by_role("grid").wait_for()
    before = _heap(page)
    played = 0
    for at in Layout(house, table).safe():
        if played >= moves:
            break
        move = {"action": {"do": "click", "x": at[0], "y": at[1]}, "request_id": f"m-{at[0]}-{at[1]}"}
        while (answer := other.http.post(f"/tables/{table}/play", json=move)).status_code == 429:
            page.wait_for_timeout(1000)  # nobody may play faster than the house lets him
        played += answer.status_code == 200
    page.wait_for_timeout(1500)
    after = _heap(page)
    print(
        f"  JavaScript heap after collection: {before:.1f} MB before, {after:.1f} MB after {played:,} moves"
    )


def _heap(page: Page) -> float:
    devtools = page.context.new_cdp_session(page)
    devtools.send("HeapProfiler.collectGarbage")
    used: dict[str, Any] = devtools.send("Runtime.getHeapUsage")
    return float(used["usedSize"]) / 1e6


def _table(page: Page) -> int:
    page.evaluate(
        """async (options) => {
            const ask = (path, body) => fetch('/api/v1' + path, {
                method: 'POST', body: JSON.stringify(body),
                headers: {'Content-Type': 'application/json', 'X-Tablee': 'page'},
            }).then((answer) => answer.json());
            await ask('/visitors', {cookies: true});
            localStorage.setItem('tablee-session', '1');
            const table = await ask('/tables', {game: 'mines', variant: 'custom', options});
            location.assign(`/tables/${table.id}`);
        }""",
        BOARD,
    )
    return table_of(page)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.page", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer clicks and moves")
    quick = parser.parse_args().quick
    sizes()
    folder = Path(tempfile.mkdtemp(prefix="tablee-bench-"))
    house = House(folder / "data", "--no-demo")
    try:
        house.start()
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_context(base_url=address(house, ""), locale="fr-FR").new_page()
            clicks(page, house, 20 if quick else 100)
            memory(page, house, 200 if quick else 1000)
            browser.close()
    finally:
        house.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
