"""A whole race against robots: with the mouse, a finger on a phone, the keyboard alone; and two people."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect
from tests.browser.robots.racing import (
    SHORT,
    expect_shown,
    expect_started,
    finish_film,
    make_table,
    nearest_start,
    own,
    own_place,
    phase,
    race,
    way,
)
from tests.kit.browsing import MOVING, PHONE, Visit


def register(page: Page, number: int) -> Locator:
    return page.locator(f'[data-register="{number}"] button')


def expect_registers(page: Page, *wanted: str) -> None:
    """The five registers, as a screen reader says them."""
    for number, text in enumerate(wanted, 1):
        expect(register(page, number)).to_have_attribute("aria-label", f"Registre {number}\u00a0: {text}")


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click_all(page: Page, codes: list[str]) -> None:
    for code in codes:
        page.locator(f'[data-add="{code}"]').click()


def start_anywhere(page: Page) -> None:
    """Take the tile that the house proposes."""
    page.locator("[data-place-send]").click()
    expect_started(page, lambda: page.locator("[data-place-send]").click())


def test_a_whole_race_against_robots_with_the_mouse(visit: Visit) -> None:
    page = visit(**MOVING)
    table = make_table(page, "race", "apprentice", "pilot", seats=3)
    page.goto(f"/tables/{table}")
    tile = page.locator(f'[data-tile="{nearest_start(page)}"]')
    tile.click()
    tile.click()
    send = page.locator("[data-place-send]")
    expect(page.get_by_role("radio", checked=True)).to_have_count(1)
    send.click()
    expect_started(page, send.click)
    rounds = race(page, click_all, lambda page: page.locator("[data-send]").click())
    assert rounds >= 2
    expect(phase(page)).to_have_attribute("data-phase", "over")
    expect(page.get_by_role("region", name="Résultat")).to_be_visible()
    expect(page.locator("[data-robot][data-laws='3']")).not_to_have_count(0)


def test_a_whole_race_against_robots_with_a_finger_on_a_phone(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    table = make_table(page, "race", "apprentice")
    page.goto(f"/tables/{table}")
    page.locator(f'[data-tile="{nearest_start(page)}"]').tap()
    page.locator("[data-place-send]").tap()
    expect_started(page, lambda: page.locator("[data-place-send]").tap())
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]

    def tap_all(page: Page, codes: list[str]) -> None:
        for code in codes:
            page.locator(f'[data-add="{code}"]').tap()

    race(page, tap_all, lambda page: page.locator("[data-send]").tap())
    expect(page.get_by_role("region", name="Résultat")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_whole_race_against_robots_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "race", "apprentice")
    page.goto(f"/tables/{table}")
    keys = {
        "Move_Ahead": "ArrowUp",
        "Move_90Left": "ArrowLeft",
        "Move_90Right": "ArrowRight",
        "Move_180Right": "u",
    }

    def go_to(target: Locator) -> None:
        """By the tabulator, as somebody without a mouse does."""
        for _ in range(80):
            if target.evaluate("(each) => each === document.activeElement"):
                return
            page.keyboard.press("Tab")
        raise AssertionError("The tabulator does not lead there.")

    expect(page.get_by_label("Dalle de départ")).to_be_visible()
    go_to(page.get_by_label("Dalle de départ"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    go_to(page.locator("[data-place-send]"))
    page.keyboard.press("Enter")

    def again() -> None:
        go_to(page.locator("[data-place-send]"))
        page.keyboard.press("Enter")

    expect_started(page, again)

    def type_all(page: Page, codes: list[str]) -> None:
        go_to(register(page, 1))
        for code in codes:
            page.keyboard.press(keys[code])

    race(page, type_all, lambda page: page.keyboard.press("Control+Enter"))
    expect(page.get_by_role("region", name="Résultat")).to_be_visible()


def test_two_people_race_and_neither_sees_the_others_cartouche(visit: Visit) -> None:
    host, guest = visit(), visit()
    heard: list[str] = []
    guest.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    table = make_table(host)
    host.goto(f"/tables/{table}")
    guest.goto(f"/tables/{table}")
    guest.get_by_role("button", name="S’asseoir et jouer").click()
    for page in (host, guest):
        expect(phase(page)).to_have_attribute("data-phase", "placing")
    tile = nearest_start(host)
    for page in (host, guest):
        page.locator(f'[data-tile="{tile}"]').click()
        page.locator("[data-place-send]").click()
    # Both wanted one tile: both are told so, and choose again.
    for page in (host, guest):
        expect(page.locator("[data-clashed]")).to_be_visible()
        page.get_by_label("Dalle de départ").select_option(index=0 if page is host else 1)
        page.locator("[data-place-send]").click()
    for page in (host, guest):
        expect_shown(page, 1)
    click_all(host, way(own_place(host), 0))
    host.locator("[data-send]").click()
    expect(host.locator("[data-sent]")).to_contain_text("Cartouche envoyée")
    line = guest.locator("[data-robot]:not(.mine)")
    expect(line.locator("[data-mark]")).to_have_text("prêt")
    assert "Move_Ahead" not in "".join(heard)
    guest.locator("[data-send]").click()
    for page in (host, guest):
        expect_shown(page, 2)
        finish_film(page)
    assert "Move_Ahead" in "".join(heard)
    assert own_place(host) != own_place(guest)
    assert own(host).get_attribute("data-robot") == line.get_attribute("data-robot")
    for page in (host, guest):
        laws = int(own(page).get_attribute("data-laws") or 0)
        click_all(page, way(own_place(page), laws))
        page.locator("[data-send]").click()
    for page in (host, guest):
        expect_shown(page, 3)


def test_a_cartouche_is_composed_changed_undone_and_dragged(visit: Visit) -> None:
    page = visit()
    page.goto(f"/tables/{make_table(page, 'practice')}")
    start_anywhere(page)
    # Without a limit nothing counts down, least of all from no number.
    expect(page.get_by_role("timer")).to_have_count(0)
    expect(page.locator("main")).not_to_contain_text("NaN")
    click_all(page, ["Move_90Left", "Move_Ahead", "Move_Ahead", "Enrichment_Standby"])
    expect_registers(page, "à gauche, avance", "avance", "veille", "vide", "vide")
    expect(page.locator("[data-capacity]")).to_have_text("Capacité : 2 sur 5")
    expect(page.locator("[data-plan]")).to_contain_text("Si personne ne bouge")
    expect(page.locator("polyline.path")).to_have_count(1)
    # What one points at is replaced; a drag swaps registers, lays movements, and throws away.
    register(page, 2).click()
    click_all(page, ["Move_90Right"])
    expect_registers(page, "à gauche, avance", "à droite, avance", "veille", "vide", "vide")

    def drag(source: Locator, to: tuple[float, float]) -> None:
        page.mouse.move(*middle(source))
        page.mouse.down()
        page.mouse.move(*to, steps=5)
        page.mouse.up()

    drag(register(page, 1), middle(register(page, 5)))
    expect_registers(page, "vide", "à droite, avance", "veille", "vide", "à gauche, avance")
    drag(page.locator('[data-add="Move_Back"]'), middle(register(page, 1)))
    expect_registers(page, "recule", "à droite, avance", "veille", "vide", "à gauche, avance")
    drag(register(page, 3), middle(page.locator("[data-capacity]")))
    expect_registers(page, "recule", "à droite, avance", "vide", "vide", "à gauche, avance")
    page.locator("[data-undo]").click()
    expect_registers(page, "recule", "à droite, avance", "veille", "vide", "à gauche, avance")
    # The keyboard: a register by its number, emptied, undone.
    register(page, 2).focus()
    page.keyboard.press("4")
    expect(register(page, 4)).to_be_focused()
    page.keyboard.press("s")
    page.keyboard.press("5")
    page.keyboard.press("Delete")
    expect_registers(page, "recule", "à droite, avance", "veille", "veille", "vide")
    page.keyboard.press("Backspace")
    expect_registers(page, "recule", "à droite, avance", "veille", "veille", "à gauche, avance")
    # What is composed outlives a reload, and goes with « Tout effacer ».
    page.reload()
    expect_registers(page, "recule", "à droite, avance", "veille", "veille", "à gauche, avance")
    page.locator("[data-clear]").click()
    expect_registers(page, *["vide"] * 5)
    expect(page.locator("polyline.path")).to_have_count(0)
    expect(page.locator("[data-send]")).to_have_text("Envoyer une cartouche vide")


def test_registers_are_dragged_with_a_finger(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"/tables/{make_table(page, 'practice')}")
    start_anywhere(page)
    source = page.locator('[data-add="Move_90Right"]')
    source.scroll_into_view_if_needed()
    client = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = middle(source), middle(register(page, 3))

    def touch(kind: str, *points: dict[str, float]) -> None:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    for part in range(1, 6):
        touch("touchMove", {"x": x + (to_x - x) * part / 5, "y": y + (to_y - y) * part / 5})
    touch("touchEnd")
    expect_registers(page, "vide", "vide", "à droite", "vide", "vide")


def test_what_is_composed_is_sent_just_before_the_time_is_up(visit: Visit) -> None:
    page = visit()
    page.clock.install()
    page.goto(f"/tables/{make_table(page, 'practice', cartouche_seconds=600)}")
    start_anywhere(page)
    expect(page.get_by_role("timer")).to_be_visible()
    click_all(page, ["Move_180Right"])
    expect_registers(page, "demi-tour", *["vide"] * 4)
    before = own_place(page)
    # Ten minutes pass in the page alone: the house would wait much longer than this test.
    page.clock.fast_forward(599_000)
    expect_shown(page, 2)
    finish_film(page)
    assert own_place(page)[:2] == before[:2]
    assert own_place(page)[2] != before[2]


def test_a_robot_is_named_and_painted_before_the_race(visit: Visit) -> None:
    page = visit()
    page.goto(f"/tables/{make_table(page, 'practice')}")
    page.get_by_text("Nom et couleur du robot").click()
    page.get_by_label("Nom du robot").fill("Capucine")
    page.get_by_role("button", name="Enregistrer").click()
    expect(own(page)).to_contain_text("Capucine")
    page.get_by_role("radio", name="rose").locator("..").click()
    expect(own(page).locator(".badge")).to_have_css("background-color", "rgb(204, 121, 167)")
    start_anywhere(page)
    expect(own(page)).to_contain_text("Capucine")


def test_the_order_of_play_is_under_each_register_in_either_language(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "race", "apprentice", "apprentice", seats=3)
    page.goto(f"/tables/{table}")
    start_anywhere(page)
    turns = page.locator("[data-register] .turn")
    expect(turns).to_have_text([f"joue {rank}" for rank in ("1ᵉʳ", "3ᵉ", "2ᵉ", "1ᵉʳ", "3ᵉ")])
    page.goto("/")
    page.get_by_role("button", name="English").click()
    page.goto(f"/tables/{table}")
    expect(turns).to_have_text([f"plays {rank}" for rank in ("1st", "3rd", "2nd", "1st", "3rd")])


def test_a_robot_with_little_energy_may_do_less(visit: Visit) -> None:
    page = visit()
    hole = {"tileType": "nid2poule", "tileLocX": 12, "tileLocY": 11}
    board = {**SHORT, "boardActiveTiles": [*SHORT["boardActiveTiles"], hole]}
    page.goto(f"/tables/{make_table(page, 'practice', boards=[board])}")
    page.get_by_label("Dalle de départ").select_option("143")
    page.get_by_role("radio", name="le nord").locator("..").click()
    start_anywhere(page)
    assert own_place(page) == (12, 12, "North")
    # In and out of the pothole: five times in, in two rounds.
    for number, there in (
        (1, ["Move_Ahead", "Move_Back"] * 2 + ["Move_Ahead"]),
        (2, ["Move_Back", "Move_Ahead"] * 2),
    ):
        click_all(page, there)
        page.locator("[data-send]").click()
        expect_shown(page, number + 1)
        finish_film(page)
    expect(own(page)).to_have_attribute("data-energy", "2")
    expect(page.locator("[data-capacity]")).to_have_text("Capacité : 0 sur 4")
    click_all(page, ["Move_Ahead"] * 5)
    expect(page.locator("[data-said]")).to_contain_text("Un mouvement de trop")
    expect(page.locator("[data-send]")).to_be_disabled()
    register(page, 5).click()
    click_all(page, ["Enrichment_Standby"])
    expect(page.locator("[data-send]")).to_be_enabled()
