"""The workshop of boards, from an empty board to a played race: with mouse, finger and keyboard."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.kit.browsing import PHONE, Complaints, Visit

AXE = Path(__file__).parents[3] / "web/node_modules/axe-core/axe.min.js"
LAWS = {"loi_r1": (6, 1), "loi_r2": (7, 1), "loi_r3": (8, 1)}
"""Close together, so that a race is short."""


def cell(page: Page, x: int, y: int) -> Locator:
    return page.locator(f'[data-tile="{(y - 1) * 12 + x - 1}"]')


def expect_tile(page: Page, x: int, y: int, name: str) -> None:
    expect(cell(page, x, y)).to_have_attribute("data-is", name)


def take(page: Page, kind: str, name: str | None = None) -> None:
    """A tile from the palette: its kind, and which one."""
    page.locator(f'[data-kind="{kind}"]').click()
    if name is not None:
        page.locator(f'[data-way="{name}"]').click()


def verdict(page: Page) -> Locator:
    return page.locator("[data-verdict]")


def expect_verdict(page: Page, wanted: str) -> None:
    expect(verdict(page)).to_have_attribute("data-verdict", wanted)


def tool(page: Page, name: str) -> Locator:
    return page.locator(f'[data-tool="{name}"]')


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, *stations: Locator) -> None:
    """Press the mouse on the first and let it go on the last."""
    page.mouse.move(*middle(stations[0]))
    page.mouse.down()
    for station in stations[1:]:
        page.mouse.move(*middle(station), steps=6)
    page.mouse.up()


def import_board(page: Page, text: str) -> None:
    tool(page, "file").click()
    page.get_by_label("Plateau en JSON").fill(text)
    page.get_by_role("button", name="Importer ce texte").click()


def board_of(*tiles: tuple[str | int, int, int], **more: int) -> str:
    active = [{"tileType": kind, "tileLocX": x, "tileLocY": y} for kind, x, y in tiles]
    return json.dumps(
        {"boardIdx": 0, "boardWidth": 12, "boardHeight": 12, "boardActiveTiles": active, **more}
    )


def exported(page: Page) -> dict[str, Any]:
    """The board as the page gives it away."""
    tool(page, "file").click()
    text = page.get_by_label("Plateau en JSON").input_value()
    page.get_by_role("dialog").get_by_role("button", name="Fermer").click()
    board: dict[str, Any] = json.loads(text)
    return board


def playable(*more: tuple[str | int, int, int]) -> str:
    return board_of(*((name, x, y) for name, (x, y) in LAWS.items()), *more)


def test_from_an_empty_board_to_a_played_race(visit: Visit) -> None:
    page = visit("/robots/editor")
    expect_verdict(page, "faulty")
    expect(page.locator('[data-fault="law_missing"]')).to_have_count(3)
    expect(tool(page, "play")).to_be_disabled()
    for name, (x, y) in LAWS.items():
        take(page, "law", name)
        cell(page, x, y).click()
        expect_tile(page, x, y, name)
    expect_verdict(page, "playable")
    expect(page.locator('[data-figure="way"]')).to_have_text("16 registres")

    # A stroke lays a belt; one undo takes all of it back, one redo lays it again.
    take(page, "belt", "conv_eOsE")
    drag(page, cell(page, 2, 6), cell(page, 5, 6))
    for x in range(2, 6):
        expect_tile(page, x, 6, "conv_eOsE")
    tool(page, "undo").click()
    for x in range(2, 6):
        expect_tile(page, x, 6, "neutre")
    tool(page, "redo").click()
    expect_tile(page, 5, 6, "conv_eOsE")

    # A tile is dragged from the palette onto the board; the other button of the mouse erases.
    drag(page, page.locator('[data-kind="repair"]'), cell(page, 10, 5))
    expect_tile(page, 10, 5, "clef_1rep")
    cell(page, 2, 6).click(button="right")
    expect_tile(page, 2, 6, "neutre")
    expect_verdict(page, "playable")

    # The test drive: put down, composed by hand, then by the pilot until the first law is found.
    page.locator('[data-part="try"]').click()
    cell(page, 6, 12).click()
    state = page.locator("[data-robot]")
    expect(state).to_have_attribute("data-robot", "6,12,North")
    page.locator('[data-add="Move_Ahead"]').click()
    page.get_by_role("button", name="Jouer cette manche").click()
    expect(state).to_have_attribute("data-robot", "6,11,North")
    page.locator('[data-film="skip"]').click()
    expect(page.locator('g[data-seat="1"]')).to_have_attribute("data-place", "6,11,North")
    for _ in range(6):
        if state.get_attribute("data-laws") != "0":
            break
        before = state.get_attribute("data-robot") or ""
        page.locator("[data-suggest]").click()
        expect(page.locator('[data-register="1"] button')).not_to_have_attribute(
            "aria-label", re.compile("vide")
        )
        page.get_by_role("button", name="Jouer cette manche").click()
        expect(state).not_to_have_attribute("data-robot", before)
    expect(state).not_to_have_attribute("data-laws", "0")

    tool(page, "play").click()
    page.get_by_role("button", name="Ouvrir la table").click()
    page.wait_for_url(re.compile(r"/tables/\d+"))
    expect_tile(page, 6, 1, "loi_r1")
    expect_tile(page, 5, 6, "conv_eOsE")
    play_to_the_end(page)


def play_to_the_end(page: Page) -> None:
    """Take the starting tile that is proposed, and hand in empty cartouches until the other has won."""
    over = page.locator('[data-phase="over"]')
    ask = page.locator("[data-place-send]:enabled, [data-send]:enabled")
    for _ in range(60):
        expect(ask.or_(over).first).to_be_visible()
        if over.count():
            return
        ask.click()
    expect(over).to_be_visible()


def tab_to(page: Page, target: Locator, back: bool = False) -> None:
    """Press Tab until the target has the focus, as who has no mouse does."""
    expect(target).to_be_visible()
    for _ in range(80):
        if target.evaluate("each => each === document.activeElement"):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    expect(target).to_be_focused()


def test_the_keyboard_alone_draws_checks_and_plays(visit: Visit) -> None:
    page = visit("/robots/editor")
    expect_verdict(page, "faulty")
    at = (1, 1)
    tab_to(page, cell(page, *at))

    def go(x: int, y: int) -> None:
        nonlocal at
        for forward, back, steps in (
            ("ArrowRight", "ArrowLeft", x - at[0]),
            ("ArrowDown", "ArrowUp", y - at[1]),
        ):
            for _ in range(abs(steps)):
                page.keyboard.press(forward if steps > 0 else back)
        at = (x, y)
        expect(cell(page, x, y)).to_be_focused()

    for number, (x, y) in enumerate(LAWS.values(), 1):
        if number > 1:
            # From the board on to the laws of the palette: an arrow key takes the next, and back again.
            tab_to(page, page.locator(f'[data-way="loi_r{number - 1}"] input'))
            page.keyboard.press("ArrowRight")
            expect(page.locator(f'[data-way="loi_r{number}"] input')).to_be_checked()
            tab_to(page, cell(page, *at), back=True)
        go(x, y)
        page.keyboard.press("Enter" if number % 2 else "Space")
        expect_tile(page, x, y, f"loi_r{number}")
    expect_verdict(page, "playable")

    # A wall is turned on the board, picked up, laid elsewhere, erased, and had back.
    tab_to(page, page.locator('[data-kind="law"] input'))
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator('[data-kind="wall"] input')).to_be_focused()
    tab_to(page, cell(page, *at), back=True)
    go(8, 5)
    page.keyboard.press("Enter")
    expect_tile(page, 8, 5, "mur_N")
    page.keyboard.press("r")
    expect_tile(page, 8, 5, "mur_E")
    page.keyboard.press("p")
    go(9, 5)
    page.keyboard.press("Enter")
    expect_tile(page, 9, 5, "mur_E")
    page.keyboard.press("Delete")
    expect_tile(page, 9, 5, "neutre")
    page.keyboard.press("Control+z")
    expect_tile(page, 9, 5, "mur_E")
    page.keyboard.press("Control+y")
    expect_tile(page, 9, 5, "neutre")
    expect_verdict(page, "playable")

    tab_to(page, tool(page, "play"), back=True)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Course contre des robots"))
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("M’entraîner seul")).to_be_checked()
    tab_to(page, page.get_by_role("button", name="Ouvrir la table"))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/tables/\d+"))
    expect_tile(page, 8, 5, "mur_E")
    tab_to(page, page.locator("[data-place-send]"))
    page.keyboard.press("Enter")
    expect(page.locator('[data-phase="programming"]')).to_be_visible()


def test_a_faulty_board_shows_all_its_errors_at_their_tiles(visit: Visit) -> None:
    page = visit("/robots/editor")
    expect_verdict(page, "faulty")
    import_board(
        page,
        board_of(
            ("conv_eOsE", 12, 3),
            ("conv_eOsE", 5, 6),
            ("mur_O", 6, 6),
            ("mur_N", 5, 5),
            ("mur_E", 5, 5),
            ("presse", 2, 2),
            ("machin", 3, 3),
            ("loi_r1", 1, 1),
            ("loi_r1", 4, 4),
            ("loi_r2", 13, 2),
            ("mur_NE", 1, 12),
        ),
    )
    wanted = {
        "belt_edge": 1, "belt_wall": 1, "twice": 1, "press": 1, "unknown": 1, "law_twice": 1, "outside": 1,
        "law_missing": 2, "pocket": 1,
    }  # fmt: skip
    for code, times in wanted.items():
        expect(page.locator(f'[data-fault="{code}"]')).to_have_count(times)
    expect(page.locator("[data-fault]")).to_have_count(sum(wanted.values()))
    expect(verdict(page)).to_contain_text("10 erreurs")
    expect(page.locator("g.fault")).to_have_count(7)
    expect(tool(page, "play")).to_be_disabled()

    # An error leads to its tile, and the tile says what is wrong with it.
    page.locator('[data-fault="belt_wall"] button').click()
    expect(cell(page, 5, 6)).to_be_focused()
    expect(cell(page, 5, 6)).to_have_attribute("aria-label", re.compile("mène contre un mur"))

    # What is off the board is taken away at once; drawing over a place mends it.
    page.get_by_role("button", name="Retirer ce qui est hors du plateau").click()
    expect(page.locator('[data-fault="outside"]')).to_have_count(0)
    cell(page, 5, 5).click(button="right")
    expect(page.locator('[data-fault="twice"]')).to_have_count(0)
    tool(page, "clear").click()
    expect(page.locator("[data-fault]")).to_have_count(3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ceci n’est pas un plateau", "Ce n’est pas du JSON."),
        ("[1, 2]", "Ce n’est pas un plateau"),
        ('{"boardIdx": 0}', "Il manque la liste boardActiveTiles."),
        (board_of(("loi_r1", 1, 1), ("loi_r2", 2.5, 1)), "La dalle no 2 de la liste"),  # type: ignore[arg-type]
    ],
)
def test_a_text_that_is_no_board_is_refused_and_nothing_is_lost(visit: Visit, text: str, said: str) -> None:
    page = visit("/robots/editor")
    take(page, "pothole")
    cell(page, 4, 4).click()
    import_board(page, text)
    expect(page.get_by_role("dialog")).to_contain_text(said)
    page.get_by_role("dialog").get_by_role("button", name="Fermer").click()
    expect_tile(page, 4, 4, "nid2poule")


def test_a_board_is_turned_and_mirrored_unless_it_has_a_conveyor_with_two_entries(visit: Visit) -> None:
    page = visit("/robots/editor")
    import_board(
        page, playable(("conv_eOsS", 3, 2), ("murLaser_OE", 1, 5), ("pt_babord", 2, 9), (0x0414, 11, 12))
    )
    expect_tile(page, 11, 12, "pous_poupe")
    before = exported(page)
    tool(page, "turn").click()
    expect_tile(page, 11, 3, "conv_eNsO")
    expect_tile(page, 8, 1, "murLaser_NS")
    expect_tile(page, 4, 2, "pt_babord")
    for _ in range(3):
        tool(page, "turn").click()
    expect_tile(page, 3, 2, "conv_eOsS")
    assert exported(page) == before
    tool(page, "mirror").click()
    expect_tile(page, 10, 2, "conv_eEsS")
    expect_tile(page, 12, 5, "murLaser_EO")
    expect_tile(page, 11, 9, "pt_tribord")
    tool(page, "mirror").click()
    assert exported(page) == before
    take(page, "junction")
    cell(page, 9, 9).click()
    expect(tool(page, "turn")).to_have_count(0)
    expect(tool(page, "mirror")).to_have_count(0)
    expect(page.locator("[data-not-turned]")).to_be_visible()


def test_a_draft_survives_a_reload_and_boards_are_kept_by_name(visit: Visit) -> None:
    page = visit("/robots/editor")
    tool(page, "open").click()
    page.get_by_role("button", name=re.compile("^L’usine")).click()
    expect_verdict(page, "playable")
    shipped = exported(page)
    assert len(shipped["boardActiveTiles"]) > 20
    page.reload()
    expect_verdict(page, "playable")
    assert exported(page) == shipped
    tool(page, "keep").click()
    page.get_by_label("Nom", exact=True).fill("Mon usine")
    page.get_by_role("button", name="Garder", exact=True).last.click()
    expect(page.get_by_text("Gardé sous le nom « Mon usine ».")).to_be_visible()
    tool(page, "clear").click()
    expect_verdict(page, "faulty")
    tool(page, "open").click()
    page.get_by_role("button", name="Mon usine", exact=True).click()
    expect_verdict(page, "playable")
    assert exported(page) == shipped

    # Where a table is opened one's own boards lie beside those of the house.
    page.goto("/lobby/new?game=robots")
    own = page.locator('[data-own="Mon usine"]')
    own.get_by_role("button", name="Jouer sur ce plateau").click()
    expect(own).to_contain_text("choisi")
    page.goto("/robots/editor")
    tool(page, "open").click()
    page.get_by_role("button", name="Supprimer « Mon usine »").click()
    expect(page.get_by_role("button", name="Mon usine", exact=True)).to_have_count(0)


def test_a_file_is_saved_and_read_again(visit: Visit, tmp_path: Path) -> None:
    page = visit("/robots/editor")
    import_board(page, playable(("nid2poule", 3, 3)))
    expect_tile(page, 3, 3, "nid2poule")
    tool(page, "file").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Enregistrer le fichier").click()
    saved = tmp_path / "plateau.json"
    download.value.save_as(saved)
    page.get_by_role("dialog").get_by_role("button", name="Fermer").click()
    tool(page, "clear").click()
    expect_tile(page, 3, 3, "neutre")
    tool(page, "file").click()
    page.locator('input[type="file"]').set_input_files(saved)
    expect_tile(page, 3, 3, "nid2poule")
    assert json.loads(saved.read_text())["boardActiveTiles"][0] == {
        "tileType": "0x8001, loi_r1",
        "tileLocX": 6,
        "tileLocY": 1,
    }


def test_fingers_place_and_draw_on_a_phone(visit: Visit) -> None:
    page = visit("/robots/editor", viewport=PHONE, has_touch=True, is_mobile=True)
    expect_verdict(page, "faulty")
    page.locator('[data-kind="pothole"]').tap()
    cell(page, 6, 6).tap()
    expect_tile(page, 6, 6, "nid2poule")
    touch = page.context.new_cdp_session(page)

    def finger(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    cell(page, 2, 9).scroll_into_view_if_needed()
    finger("touchStart", *middle(cell(page, 2, 9)))
    for x in (3, 4, 5):
        finger("touchMove", *middle(cell(page, x, 9)))
    finger("touchEnd")
    for x in range(2, 6):
        expect_tile(page, x, 9, "nid2poule")

    expect_verdict(page, "faulty")

    # A tile is pulled straight up from the strip below the board: along the strip a finger would scroll.
    source = page.locator('[data-kind="law"]')
    source.scroll_into_view_if_needed()
    across, down = middle(source)
    above = min(range(1, 13), key=lambda column: abs(middle(cell(page, column, 11))[0] - across))
    goal = middle(cell(page, above, 11))[1]
    finger("touchStart", across, down)
    for part in range(1, 9):
        finger("touchMove", across, down + (goal - down) * part / 8)
    finger("touchEnd")
    expect_tile(page, above, 11, "loi_r1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_workshop(visit: Visit, theme: str) -> None:
    page = visit("/robots/editor", color_scheme=theme, bypass_csp=True)
    page.add_script_tag(path=AXE)
    found = []
    for part in ("draw", "try", "tiles"):
        page.locator(f'[data-part="{part}"]').click()
        if part == "try":
            cell(page, 6, 6).click()
            expect(page.locator("[data-robot]")).to_be_visible()
        faults = page.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then((all) => all.violations)"
        )
        found += [
            (part, fault["id"], fault["nodes"][0]["html"][:160])
            for fault in faults
            if fault["impact"] in ("serious", "critical")
        ]
    assert not found


def test_boards_with_an_action_tile_are_played_together(visit: Visit) -> None:
    page = visit("/robots/editor")
    import_board(page, playable(("clef_2rep", 2, 2)))
    expect_verdict(page, "playable")
    tool(page, "keep").click()
    page.get_by_label("Nom", exact=True).fill("L’envers")
    page.get_by_role("dialog").get_by_role("button", name="Garder").click()
    import_board(page, playable(("action", 6, 6)))
    expect_tile(page, 6, 6, "action")
    expect_verdict(page, "playable")
    tool(page, "play").click()
    page.get_by_label("Deuxième plateau").select_option(label="L’envers")
    page.get_by_label("M’entraîner seul").check()
    page.get_by_role("button", name="Ouvrir la table").click()
    page.wait_for_url(re.compile(r"/tables/\d+"))
    expect_tile(page, 6, 6, "action")
    expect(page.get_by_text("Plateau 1 sur 2")).to_be_visible()


def test_a_house_that_does_not_answer_loses_no_board(visit: Visit, complaints: Complaints) -> None:
    complaints.expect("Failed to load resource|ERR_FAILED")
    page = visit("/robots/editor")
    expect_verdict(page, "faulty")
    page.route("**/api/v1/robots/**", lambda route: route.abort())
    take(page, "pothole")
    cell(page, 3, 7).click()
    expect(page.locator(".side .trouble")).to_be_visible()
    expect(tool(page, "play")).to_be_disabled()
    page.unroute("**/api/v1/robots/**")
    cell(page, 4, 7).click()
    expect_verdict(page, "faulty")
    expect_tile(page, 3, 7, "nid2poule")
