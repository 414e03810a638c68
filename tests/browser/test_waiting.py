"""A table that waits for others: its terms, the board as it will begin, and a code to come in by."""

from __future__ import annotations

from io import BytesIO
from urllib.parse import urlsplit

import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect
from tests.browser.people import ask, come_as_visitor, lay_table
from tests.kit.browsing import DESKTOP, PHONE, Visit

CLOCK = {"kind": "budget", "seconds": 180, "increment": 2}


def read(page: Page) -> str:
    """What the camera of a telephone reads in the code that is shown."""
    picture = Image.open(BytesIO(page.locator("[data-qr]").screenshot())).convert("L")
    (code,) = zxingcpp.read_barcodes(picture)
    return str(code.text)


def test_the_host_sees_the_terms_the_board_and_a_code_that_a_camera_reads(visit: Visit) -> None:
    host = visit()
    table = lay_table(host, game="chess", variant="alice", name="Qui vient ?", time_control=CLOCK)
    host.goto(f"/tables/{table}")
    expect(host.locator("[data-terms]")).to_contain_text("3 minutes")
    expect(host.get_by_role("img", name="Échiquier 2")).to_be_visible()
    expect(host.locator("main [role=timer]")).to_have_count(0)
    # Who has White is not known yet, and what is missing is said whole, on a telephone too.
    expect(host.locator("[data-seat] [data-look]")).to_have_count(0)
    for size in (PHONE, DESKTOP):
        host.set_viewport_size(size)  # type: ignore[arg-type]
        said = host.locator(".state .text")
        assert said.evaluate("it => it.scrollWidth <= it.clientWidth")
    assert urlsplit(read(host)).path == f"/tables/{table}"
    # Who comes by it sits down with one touch.
    guest = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    come_as_visitor(guest)
    guest.goto(read(host))
    guest.get_by_role("button", name="S’asseoir et jouer").tap()
    expect(guest.locator("cg-board").first).to_be_visible()
    expect(host.locator("cg-board").first).to_be_visible()
    expect(host.locator("[data-qr]")).to_have_count(0)


def test_the_code_of_a_private_table_lets_in_who_reads_it(visit: Visit) -> None:
    host = visit()
    table = lay_table(host, game="arena", variant="crossroads", name="Entre nous", access="private", seats=3)
    host.goto(f"/tables/{table}")
    expect(host.locator(".field svg").first).to_be_visible()
    expect(host.get_by_text("0:00")).to_have_count(0)
    guest = visit(read(host))
    guest.get_by_role("button", name="S’asseoir et jouer").click()
    expect(guest.locator("[data-seat]")).to_have_count(2)


def test_a_table_to_which_people_come_by_name_has_no_code(visit: Visit) -> None:
    host = visit()
    table = lay_table(host, game="chess", variant="classic", name="Sur invitation", access="invited")
    host.goto(f"/tables/{table}")
    expect(host.locator("[data-terms]")).to_be_visible()
    expect(host.locator("[data-qr]")).to_have_count(0)


def test_a_player_has_the_colour_and_letter_of_his_power_wherever_he_is_named(visit: Visit) -> None:
    page = visit()
    table = lay_table(page, game="diplomacy", variant="detroit", name="Aux couleurs", robots=["strategist"])
    page.goto(f"/tables/{table}")
    roles = ask(page, "GET", f"/tables/{table}/view")["view"]["roles"]
    powers = ask(page, "GET", "/games/diplomacy/detroit/map")["powers"]
    for power in powers:
        sign = page.locator(f'[data-seat="{roles[str(power["role"])]["seat"]}"] [data-look]')
        expect(sign).to_have_attribute("data-look", power["colour"])
        expect(sign).to_have_text(power["letter"])
