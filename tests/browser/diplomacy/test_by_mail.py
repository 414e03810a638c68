"""What comes by mail to be said in an anonymous game waits in the page for one click of its author."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.diplomacy.mastering import Mastered, tab
from tests.browser.people import PASSWORD
from tests.kit.browsing import Visit, newest_code, open_house
from tests.kit.mail import MAILBOX, SERVER, message, proven
from tests.kit.process import House

from tablee.doors.mail.spool import FOLDER, Envelope, lay


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    options = ("--orders-address", MAILBOX, "--orders-authserv", SERVER)
    with open_house(tmp_path_factory, *options) as house:
        yield house


def test_press_and_a_letter_by_mail_wait_for_one_click_each(visit: Visit, house: House) -> None:
    game = Mastered(house, "courrier", anonymous=True)
    names = game.names()
    author, address = game.in_role(1), "auteur@exemple.fr"
    author.http.patch("/account", json={"email": address, "password": PASSWORD}).raise_for_status()
    author.post("/account/confirm", code=newest_code(house, address))
    text = f"presse: La lagune est à moi. Jean\n\nà {names[2]}: Rendez-vous au pont."
    raw = message(MAILBOX, text, address, Subject=f"[table {game.id}]")
    lay(house.data / FOLDER, proven(address).encode() + raw, Envelope((MAILBOX,), address))
    page, his = game.come(visit, author), game.come(visit, game.in_role(2))
    tab(page, "Paroles")
    waiting = page.locator("[data-unsent]")
    expect(waiting).to_contain_text("La lagune est à moi. Jean")
    expect(waiting).to_contain_text(f"Pour : {names[2]}")
    tab(his, "Paroles")
    expect(his.get_by_text("Rendez-vous au pont.")).to_have_count(0)
    waiting.get_by_role("button", name="Jeter").first.click()
    expect(waiting.get_by_text("La lagune est à moi. Jean")).to_have_count(0)
    waiting.get_by_role("button", name="Envoyer").click()
    expect(waiting).to_have_count(0)
    his.get_by_role("group", name="Avec qui parler").get_by_role("button", name=names[1]).click()
    expect(his.get_by_role("log").get_by_text("Rendez-vous au pont.")).to_be_visible()
    assert author.pseudo not in his.content()
