"""Minesweeper in the page: with others, alone, with the mouse, a finger, the keyboard, in text."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect
from tests.browser.mining import Layout, Square, is_hidden, open_square, square, table_of
from tests.browser.people import lay_table
from tests.kit.browsing import MOVING, PHONE, Visit
from tests.kit.process import House
from tests.kit.talking import Wire, enter_match, get
from tests.kit.waiting import PATIENCE


def make_table(page: Page, width: int, height: int, mines: int, **options: bool) -> int:
    """A table of one's own."""
    board = {"width": width, "height": height, "mines": mines, **options}
    return lay_table(page, game="mines", variant="custom", options=board)


def scores(page: Page) -> dict[str, str]:
    """The points beside the names, as everybody reads them."""
    found = {}
    for line in page.locator("[data-seat]").all():
        name = line.locator(".name").inner_text().split("\n")[0].strip()
        found[name] = re.sub(r"[^\d−-]", "", line.locator("[data-points]").inner_text()).replace("−", "-")
    return found


def read_all(wire: Wire, lines: list[str]) -> None:
    while line := wire.line():
        lines.append(line)


def test_two_browsers_and_a_tcp_client_play_one_board_to_the_end(house: House, visit: Visit) -> None:
    wire = enter_match(house, "Ada")
    lines: list[str] = []
    reader = threading.Thread(target=read_all, args=(wire, lines), daemon=True)
    reader.start()
    pages = [visit("/lobby", **MOVING), visit("/lobby", **MOVING)]
    status, listed = get(house, "/api/v1/tables?door=minehive")
    assert status == 200
    table = int(re.findall(r'"id":(\d+),"name":"Partie_', listed)[0])
    for page in pages:
        page.goto(f"/tables/{table}")
        page.get_by_role("button", name="S’asseoir et jouer").click()
        expect(page.locator(".chip", has_text="vous")).to_be_visible()
    wire.send("CLIC#0#0")
    expect(square(pages[0], (0, 0))).not_to_have_class(re.compile(r"\bhidden\b"))
    layout = Layout(house, table)
    left = [at for at in layout.safe() if at != (0, 0)]
    for turn, at in enumerate(left[:24]):
        page = pages[turn % 2]
        if is_hidden(page, at):
            open_square(page, at)
    mine = next(iter(sorted(layout.mines)))
    square(pages[1], mine).click()
    expect(square(pages[0], mine)).to_have_class(re.compile(r"\bhit\b"))
    for x, y in left[24:]:
        wire.send(f"CLIC#{x}#{y}")
    for page in pages:
        expect(page.get_by_role("region", name="Fin de la partie")).to_be_visible()
    reader.join(PATIENCE)
    told = [line.split("#") for line in lines if line.startswith("SCPC#")]
    by_wire = {fields[1]: fields[2] for fields in told}
    assert len(by_wire) == 3
    assert scores(pages[0]) == by_wire
    assert scores(pages[1]) == by_wire
    blown_up = [line.split("#")[1] for line in lines if line.endswith("#MostBlownUp")]
    assert len(blown_up) == 1
    assert (
        pages[1]
        .locator("[data-seat]", has=pages[1].locator(".chip", has_text="vous"))
        .inner_text()
        .find(blown_up[0])
        >= 0
    )


def test_a_whole_solo_game_is_played_with_the_keyboard_alone(house: House, visit: Visit) -> None:
    page = visit("/lobby")
    page.get_by_role("link", name="Ouvrir une table").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/lobby/new"))
    # A small board from the ready-made ones, chosen and opened without the mouse.
    page.get_by_role("button", name="Débutant 9 × 9").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Ouvrir la table").focus()
    page.keyboard.press("Enter")
    table = table_of(page)
    expect(page.get_by_role("grid")).to_be_visible()
    cursor = page.locator('[role="gridcell"][tabindex="0"]')
    cursor.focus()
    at = int(cursor.get_attribute("data-x") or 0), int(cursor.get_attribute("data-y") or 0)

    def go(to: Square) -> None:
        nonlocal at
        for key, steps in (("ArrowRight", to[0] - at[0]), ("ArrowDown", to[1] - at[1])):
            back = {"ArrowRight": "ArrowLeft", "ArrowDown": "ArrowUp"}[key]
            for _ in range(abs(steps)):
                page.keyboard.press(key if steps > 0 else back)
        at = to

    page.keyboard.press("Enter")
    expect(square(page, at)).not_to_have_class(re.compile(r"\b(hidden|opening)\b"))
    layout = Layout(house, table)
    flagged = sorted(layout.mines)[0]
    go(flagged)
    page.keyboard.press("f")
    expect(square(page, flagged)).to_have_class(re.compile(r"\bflag\b"))
    for safe in layout.safe():
        if is_hidden(page, safe):
            go(safe)
            page.keyboard.press("Enter")
            expect(square(page, safe)).not_to_have_class(re.compile(r"\b(hidden|opening)\b"))
    ending = page.get_by_role("region", name="Fin de la partie")
    expect(ending).to_contain_text("Plateau déminé")
    expect(ending.locator('[data-count="bbbv"]')).to_have_text(re.compile(r"^\d+$"))
    expect(ending).to_contain_text("1 justes, 0 faux")


def number_one(page: Page, house: House, table: int) -> tuple[Square, list[Square]]:
    """Open a square that touches one mine; gives back where it is, and its neighbours."""
    layout = Layout(house, table)
    number = next(at for at in layout.safe() if layout.number(at) == 1 and 0 < at[0] < 7 and 0 < at[1] < 7)
    open_square(page, number)
    return number, [
        (x, y)
        for x in range(number[0] - 1, number[0] + 2)
        for y in range(number[1] - 1, number[1] + 2)
        if (x, y) != number
    ]


def test_a_number_whose_flags_are_set_opens_its_neighbours(house: House, visit: Visit) -> None:
    page = visit()
    table = make_table(page, 8, 8, 6, chording=True)
    page.goto(f"/tables/{table}")
    number, near = number_one(page, house, table)
    layout = Layout(house, table)
    for mine in (at for at in near if at in layout.mines):
        square(page, mine).click(button="right")
        expect(square(page, mine)).to_have_class(re.compile(r"\bflag\b"))
    square(page, number).click()
    for safe in (at for at in near if at not in layout.mines):
        expect(square(page, safe)).not_to_have_class(re.compile(r"\bhidden\b"))


def test_a_flag_that_is_still_on_its_way_counts_for_its_number(house: House, visit: Visit) -> None:
    page = visit()
    held: list[Callable[[], None]] = []
    is_slow = False

    def between(line: WebSocketRoute) -> None:
        """What the house says stays on its way while the line is slow."""
        server = line.connect_to_server()
        server.on_message(lambda said: held.append(lambda: line.send(said)) if is_slow else line.send(said))

    page.route_web_socket("**/api/v1/live", between)
    table = make_table(page, 8, 8, 6, chording=True)
    page.goto(f"/tables/{table}")
    number, near = number_one(page, house, table)
    layout = Layout(house, table)
    is_slow = True
    for mine in (at for at in near if at in layout.mines):
        square(page, mine).click(button="right")
        expect(square(page, mine)).to_have_class(re.compile(r"\bflag waiting\b"))
    square(page, number).click()
    closed = [at for at in near if at not in layout.mines]
    for at in closed:
        expect(square(page, at)).to_have_class(re.compile(r"\bopening\b"))
    is_slow = False
    for arrives in held:
        arrives()
    for at in closed:
        expect(square(page, at)).not_to_have_class(re.compile(r"\b(hidden|opening)\b"))


def test_flags_are_nobody_elses_business(house: House, visit: Visit) -> None:
    page = visit()
    table = make_table(page, 9, 9, 10)
    page.goto(f"/tables/{table}")
    square(page, (4, 4)).click(button="right")
    expect(square(page, (4, 4))).to_have_class(re.compile(r"\bflag\b"))
    other = visit(f"/tables/{table}")
    expect(square(other, (4, 4))).to_have_class(re.compile(r"\bhidden\b"))
    square(page, (4, 4)).click()
    expect(page.get_by_text(re.compile("E5 porte votre drapeau"))).to_be_visible()


def test_a_finger_opens_and_a_long_press_flags(house: House, visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    table = make_table(page, 9, 9, 10)
    page.goto(f"/tables/{table}")
    cell = square(page, (2, 2))
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None
    assert box["width"] >= 28
    client = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(cell).to_have_class(re.compile(r"\bflag\b"))
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(cell).to_have_class(re.compile(r"\bflag\b"))
    safe = Layout(house, table).safe()[0]
    square(page, safe).tap()
    expect(square(page, safe)).not_to_have_class(re.compile(r"\b(hidden|opening)\b"))


def test_the_board_is_played_in_text(house: House, visit: Visit) -> None:
    page = visit()
    table = make_table(page, 8, 8, 8)
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="En texte").click()
    x, y = Layout(house, table).safe()[3]
    name = f"{'ABCDEFGH'[y]}{x + 1}"
    field = page.get_by_label("Case", exact=True)
    field.fill(name)
    field.press("Enter")
    expect(page.get_by_text(re.compile(rf"^{name}\s: "))).to_be_visible()
    field.fill("Z99")
    field.press("Enter")
    expect(page.get_by_text(re.compile("hors du plateau"))).to_be_visible()


def test_one_watches_sits_down_leaves_and_comes_back(visit: Visit) -> None:
    page = visit()
    table = make_table(page, 9, 9, 10)
    other = visit(f"/tables/{table}")
    expect(other.locator(".state")).to_contain_text("Vous regardez cette partie.")
    other.get_by_role("button", name="S’asseoir et jouer").click()
    expect(other.locator(".chip", has_text="vous")).to_be_visible()
    other.get_by_role("button", name="Quitter la table").click()
    other.get_by_role("dialog").get_by_role("button", name="Quitter la table").click()
    other.get_by_role("button", name="Revenir dans la partie").click()
    expect(other.locator(".chip", has_text="vous")).to_be_visible()


def test_a_board_for_which_the_window_has_room_is_seen_whole(visit: Visit) -> None:
    page = visit()
    options = {"width": 16, "height": 16, "mines": 40}
    table = lay_table(page, game="mines", variant="custom", options=options)
    page.goto(f"/tables/{table}")
    expect(page.get_by_role("grid")).to_be_visible()
    for size in ({"width": 1280, "height": 800}, {"width": 1920, "height": 1080}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.wait_for_function(
            "[...document.querySelectorAll('.frame')].every((it) => it.scrollHeight <= it.clientHeight)"
        )
