"""Notifications, sounds and the title: each only for who wants it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.furnishing import Somebody
from tests.browser.people import join_club
from tests.kit.browsing import Visit, address
from tests.kit.process import House

# A browser without a desktop shows no notifications and plays no tones: what the page asks of it is noted.
NOTED = """
    window.noted = {notifications: [], tones: 0};
    window.Notification = class {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        constructor(title, options) { window.noted.notifications.push(options.body); }
        close() {}
    };
    const made = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        window.noted.tones += 1;
        return made.call(this);
    };
"""
LOOKS_ELSEWHERE = """() => {
    Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


@pytest.fixture
def friend(house: House) -> Somebody:
    return Somebody(house, "Fernand")


def member(visit: Visit, name: str) -> Page:
    page = visit(permissions=["notifications"])
    page.add_init_script(NOTED)
    join_club(page, name)
    return page


def notifications(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.noted.notifications")
    return found


def tones(page: Page) -> int:
    return int(page.evaluate("window.noted.tones"))


def write_to(friend: Somebody, name: str, text: str) -> None:
    other = friend.http.get(f"/players/{name}").raise_for_status().json()["id"]
    friend.post(f"/channels/private:{other}/messages", text=text)


def test_who_looks_elsewhere_is_notified_of_a_message_once_it_is_wanted(
    visit: Visit, friend: Somebody
) -> None:
    page = member(visit, "Prévenue")
    page.goto("/settings")
    expect(page.get_by_label("Me prévenir par une notification du navigateur")).not_to_be_checked()
    page.evaluate(LOOKS_ELSEWHERE)
    write_to(friend, "Prévenue", "Sans bruit")
    expect(page.get_by_text("Fernand : Sans bruit")).to_be_visible()
    assert notifications(page) == []
    page.get_by_label("Me prévenir par une notification du navigateur").check()
    write_to(friend, "Prévenue", "Tu viens ?")
    page.wait_for_function("window.noted.notifications.length")
    assert notifications(page) == ["Fernand\u00a0: Tu viens ?"]


def test_an_invitation_is_notified_with_the_name_of_who_invites(
    visit: Visit, friend: Somebody, house: House
) -> None:
    page = member(visit, "Conviée")
    page.goto("/settings")
    page.get_by_label("Me prévenir par une notification du navigateur").check()
    page.evaluate(LOOKS_ELSEWHERE)
    table = friend.post("/tables", game="mines", variant="classic", name="Chez Fernand")["id"]
    friend.post(f"/tables/{table}/invite", pseudo="Conviée")
    page.wait_for_function("window.noted.notifications.length")
    [text] = notifications(page)
    assert text.startswith("Fernand vous invite à la table «\u00a0Chez Fernand\u00a0»")
    page.goto("/notices")
    page.get_by_role("main").get_by_role("link", name=text).click()
    expect(page).to_have_url(address(house, f"/tables/{table}"))


def test_sounds_are_heard_only_by_who_wants_them(visit: Visit, friend: Somebody) -> None:
    page = member(visit, "Attentive")
    page.goto("/settings")
    page.get_by_role("button", name="À vous de jouer").click()
    assert tones(page) == 2
    write_to(friend, "Attentive", "Ding")
    page.wait_for_function("window.noted.tones === 4")
    page.get_by_label("Jouer des sons").uncheck()
    expect(page.get_by_role("button", name="À vous de jouer")).to_be_disabled()
    write_to(friend, "Attentive", "Chut")
    expect(page.get_by_text("Fernand : Chut")).to_be_visible()
    assert tones(page) == 4
