"""Letters for who is not looking: chosen in the settings, at the table, and stopped by the link in each."""

from __future__ import annotations

import re
import sqlite3
from email import message_from_bytes, policy
from email.message import EmailMessage

from playwright.sync_api import expect
from tests.browser.furnishing import Somebody
from tests.browser.people import sign_up
from tests.kit.browsing import Visit, newest_code
from tests.kit.process import House
from tests.kit.waiting import wait_until

CLIPPED = """selects => selects.filter(select => {
    const style = getComputedStyle(select), pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const words = pen.measureText(select.selectedOptions[0].text).width, arrow = 16;
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return words + arrow > room;
}).map(select => select.selectedOptions[0].text)"""
"""What is chosen in lists that are too narrow to show it."""


def letters(house: House, to: str, about: str) -> list[EmailMessage]:
    """The letters to somebody with these words in their subject, as they lie in the folder of the house."""
    found = []
    for file in sorted((house.data / "mail").glob("*.eml")):
        message = message_from_bytes(file.read_bytes(), policy=policy.default)
        if to in str(message["To"]) and about in str(message["Subject"]):
            found.append(message)
    return found


def part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def test_an_invitation_is_written_to_who_is_elsewhere_and_its_link_stops_such_letters(
    visit: Visit, house: House
) -> None:
    page = visit("/")
    sign_up(page, "Lointain", "lointain@exemple.fr")
    page.goto("/account")
    page.get_by_label(re.compile("code", re.IGNORECASE)).first.fill(newest_code(house, "lointain@exemple.fr"))
    page.get_by_role("button", name="Confirmer", exact=True).click()
    page.goto("/settings")
    invited = page.get_by_label("On m’invite, me défie ou veut être mon ami", exact=True)
    expect(invited).to_have_value("now")
    expect(page.get_by_label(re.compile("La sécurité de mon compte"))).to_be_disabled()
    page.get_by_label("On m’écrit en privé", exact=True).select_option("off")
    page.reload()
    expect(page.get_by_label("On m’écrit en privé", exact=True)).to_have_value("off")
    host = Somebody(house, "Invitant")
    table = host.post("/tables", game="chess", variant="classic", name="Chez moi")["id"]
    host.post(f"/tables/{table}/invite", pseudo="Lointain")
    wait_until(lambda: bool(letters(house, "lointain@", "Chez moi")), "the invitation by letter")
    (letter,) = letters(house, "lointain@", "Chez moi")
    assert "Invitant vous invite" in part(letter, "plain")
    assert f"/tables/{table}" in part(letter, "html")
    stop = next(line for line in part(letter, "plain").splitlines() if "ce genre de lettre" in line)
    page.evaluate("url => { location.href = url }", stop.rpartition(" ")[2])  # it is no screen of the page
    expect(page.get_by_role("heading", name="Ne plus recevoir de lettres")).to_be_visible()
    page.get_by_role("button", name="Arrêter").click()
    expect(page.get_by_text("C’est fait.")).to_be_visible()
    page.get_by_role("link", name="Vos réglages").click()
    expect(page.get_by_label("On m’invite, me défie ou veut être mon ami", exact=True)).to_have_value("off")
    # What he chooses at the table goes before what he chose for all, until he lets it be as everywhere.
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="S’asseoir et jouer").click()
    page.locator("summary").filter(has_text="Lettres et notifications de cette table").click()
    begun = page.get_by_label("La partie commence", exact=True)
    expect(begun).to_have_value("")
    for width in (1920, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.locator(".kinds select").evaluate_all(CLIPPED) == []
    begun.select_option("digest")
    page.get_by_role("button", name="Tout comme partout").click()
    expect(begun).to_have_value("")
    expect(page.get_by_role("button", name="Tout comme partout")).to_have_count(0)
    # A server has said that there is no such address.
    with sqlite3.connect(house.data / "tablee.sqlite", timeout=30, isolation_level=None) as database:
        why = "5.1.1 No such user"
        database.execute("update account set email_refused = ? where pseudo = 'Lointain'", (why,))
    page.goto("/settings")
    assert page.locator(".kinds select").evaluate_all(CLIPPED) == []  # on the telephone that it still is
    said = page.get_by_role("alert").filter(has_text=f"Votre adresse refuse nos lettres\u00a0: {why}")
    expect(said.get_by_role("link", name="Mon adresse")).to_be_visible()
