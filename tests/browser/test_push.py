"""Notifications with the page closed, in a real browser with the real worker.

No push service of the world can be reached from here. So that the browser has a subscription, the methods by
which a page asks for one are replaced (STUB), and give one to a push service of our own on the loopback. What
that service was sent by the house is decrypted, and delivered to the real worker through the DevTools
protocol, as the browser's own push client would.

A browser without a window shows no notifications, whatever it was permitted, and lets nobody click on one. So
the two methods of the worker's registration that show and list them are replaced (TRAY) by a list that keeps
what the worker gave, one for each tag, as a browser does, and so is the count on its icon. The handler of
clicks is called with its event made by hand, and with what the worker knows as `clients` replaced where that
would focus or open a window.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, Worker, expect
from tests.browser.furnishing import Somebody
from tests.browser.people import ask, join_club
from tests.kit.browsing import Visit, address, open_house
from tests.kit.process import House
from tests.kit.push import Browser, PushService, push_service_aside
from tests.kit.waiting import wait_until

STUB = """
    // Chromium without a window says here that it shows no notifications, whatever it was permitted.
    Object.defineProperty(Notification, 'permission', {get: () => 'granted', configurable: true});
    Notification.requestPermission = async () => 'granted';
    const given = %s;
    const KEPT = 'stubbed-subscription';
    const made = () => ({
        endpoint: given.endpoint,
        options: {applicationServerKey: Uint8Array.from(JSON.parse(localStorage.getItem(KEPT))).buffer},
        toJSON: () => ({endpoint: given.endpoint, keys: {p256dh: given.p256dh, auth: given.auth}}),
        unsubscribe: async () => { localStorage.removeItem(KEPT); return true; },
    });
    PushManager.prototype.getSubscription = async () => localStorage.getItem(KEPT) ? made() : null;
    PushManager.prototype.subscribe = async ({userVisibleOnly, applicationServerKey}) => {
        if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error('asked wrongly');
        localStorage.setItem(KEPT, JSON.stringify([...applicationServerKey]));
        return made();
    };
"""
TRAY = """() => {
    let tray = [];
    const registration = self.registration;
    registration.showNotification = async (title, options) => {
        const close = () => { tray = tray.filter((each) => each.tag !== options.tag); };
        close();
        tray.push({title, ...options, timestamp: Date.now(), close});
    };
    navigator.setAppBadge = async (count) => { self.badge = count; };
    navigator.clearAppBadge = async () => { self.badge = 0; };
    registration.getNotifications = async ({tag} = {}) => tray.filter((each) => !tag || each.tag === tag);
}"""
SHOWN = """async () => {
    const found = await self.registration.getNotifications();
    return found.map(({close, timestamp, ...shown}) => shown);
}"""
CLICK = """async ([tag, pages]) => {
    const told = {messages: [], focused: [], opened: []};
    const client = ([url, visibilityState], place) => ({
        url: new URL(url, self.location.origin).href, visibilityState,
        focus: async () => told.focused.push(place),
        postMessage: (message) => told.messages.push(message),
    });
    Object.defineProperty(self, 'clients', {configurable: true, value: {
        matchAll: async () => pages.map(client),
        openWindow: async (url) => told.opened.push(url),
    }});
    const [notification] = await self.registration.getNotifications({tag});
    const event = new Event('notificationclick');
    event.notification = notification;
    let done;
    event.waitUntil = (work) => { done = work; };
    self.dispatchEvent(event);
    await done;
    delete self.clients;
    return told;
}"""
REAL_CLIENT = """async (path) => {
    const [page] = await self.clients.matchAll({type: 'window', includeUncontrolled: true});
    const shown = {url: page.url, visibilityState: 'visible', focus: async () => {}};
    shown.postMessage = (message) => page.postMessage(message);
    Object.defineProperty(self, 'clients', {configurable: true, value: {matchAll: async () => [shown]}});
    await goTo(path);
    delete self.clients;
}"""


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service_aside() as service:
        yield service


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, service: PushService) -> Iterator[House]:
    """A house of the module's own, which may call the push service on this machine."""
    with open_house(
        tmp_path_factory, "--outside-allow", service.machine, "--name", "Les Pions", "--no-demo"
    ) as house:
        yield house


@pytest.fixture
def own(service: PushService) -> Browser:
    return Browser(service)


def member(visit: Visit, name: str, own: Browser) -> Page:
    page = visit(permissions=["notifications"])
    page.add_init_script(STUB % json.dumps(own.subscription))
    join_club(page, name)
    return page


def turn_on(page: Page) -> None:
    page.goto("/settings")
    page.get_by_role("button", name="Recevoir sur cet appareil").click()
    expect(page.get_by_text("Cet appareil", exact=True)).to_be_visible()


def worker_of(page: Page) -> Worker:
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_until(lambda: bool(page.context.service_workers), "the worker")
    worker = page.context.service_workers[0]
    if not worker.evaluate("Object.hasOwn(self.registration, 'showNotification')"):
        worker.evaluate(TRAY)
    return worker


def deliver(page: Page, data: str) -> None:
    """Give the worker a push message, as the browser does when one has come for it."""
    worker_of(page)
    tools = page.context.new_cdp_session(page)
    found: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found.extend(each["registrationId"] for each in event["registrations"] if not each["isDeleted"])

    tools.on("ServiceWorker.workerRegistrationUpdated", note)
    tools.send("ServiceWorker.enable")
    page.wait_for_function(
        "navigator.serviceWorker.ready.then((worker) => worker.active.state === 'activated')"
    )
    wait_until(lambda: bool(found) or page.evaluate("false"), "the worker's registration")
    origin = page.evaluate("location.origin")
    tools.send(
        "ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": found[0], "data": data}
    )
    tools.detach()


def shown(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = worker_of(page).evaluate(SHOWN)
    return found


def await_notification(page: Page, tag: str, body: str | None = None) -> dict[str, Any]:
    found: list[dict[str, Any]] = []

    def look() -> bool:
        found[:] = [each for each in shown(page) if each["tag"] == tag and body in (None, each["body"])]
        return bool(found)

    wait_until(look, f"a notification {tag}")
    return found[0]


def test_an_invitation_is_pushed_shown_by_the_worker_and_leads_to_its_table(
    visit: Visit, house: House, service: PushService, own: Browser
) -> None:
    page = member(visit, "Lointaine", own)
    ask(page, "PUT", "/calling/hours", {"quiet_from": 0, "quiet_until": 0})  # at night, too
    turn_on(page)
    page.goto("/lobby")
    host = Somebody(house, "Invitant")
    table = host.post("/tables", game="chess", variant="classic", name="Chez moi")["id"]
    host.post(f"/tables/{table}/invite", pseudo="Lointaine")
    wait_until(lambda: bool(service.shown_to(own)), "the push message of the invitation")
    (message,) = service.shown_to(own)
    deliver(page, json.dumps(message))
    notification = await_notification(page, f"/tables/{table}")
    assert notification == {
        "title": "Chez moi",
        "body": message["body"],
        "tag": f"/tables/{table}",
        "lang": "fr",
        "data": {"path": f"/tables/{table}"},
        "icon": "/icon-192.png",
        "badge": "/badge-96.png",
        "renotify": True,
    }
    assert notification["body"].startswith("Invitant vous invite à une table")
    worker_of(page).evaluate(REAL_CLIENT, f"/tables/{table}")
    expect(page).to_have_url(address(house, f"/tables/{table}"))
    expect(page.get_by_role("heading", name="Chez moi")).to_be_visible()
    assert page.evaluate("performance.getEntriesByType('navigation').length") == 1, "nothing was loaded anew"


@pytest.mark.parametrize(
    ("pages", "told"),
    [
        ([], {"opened": ["/tables/7"]}),
        ([["/lobby", "visible"]], {"focused": [0], "messages": [{"go": "/tables/7"}]}),
        ([["/tables/9", "visible"]], {"opened": ["/tables/7"]}),
        ([["/tables/9", "hidden"]], {"focused": [0], "messages": [{"go": "/tables/7"}]}),
        (
            [["/lobby", "visible"], ["/tables/7", "hidden"]],
            {"focused": [1], "messages": [{"go": "/tables/7"}]},
        ),
    ],
    ids=["no page", "a free page", "somebody plays there", "a page nobody sees", "the very table"],
)
def test_a_click_goes_to_the_page_of_the_table_to_one_that_is_free_or_to_a_new_one(
    clicked: Page, pages: list[list[str]], told: dict[str, Any]
) -> None:
    deliver(clicked, json.dumps({"title": "T", "body": "B", "path": "/tables/7", "tag": "/tables/7"}))
    await_notification(clicked, "/tables/7")
    found = worker_of(clicked).evaluate(CLICK, ["/tables/7", pages])
    assert found == {"messages": [], "focused": [], "opened": [], **told}
    assert shown(clicked) == [], "it is gone once it was clicked"


@pytest.fixture(scope="module")
def clicked(browser: Chromium, house: House, service: PushService) -> Iterator[Page]:
    """One browser for all clicks, whose worker is there."""
    context = browser.new_context(base_url=address(house, ""), locale="fr-FR", permissions=["notifications"])
    page = context.new_page()
    page.add_init_script(STUB % json.dumps(Browser(service).subscription))
    join_club(page, "Cliqueuse")
    turn_on(page)
    yield page
    context.close()


def test_what_leads_out_of_the_house_leads_nowhere_and_what_cannot_be_read_is_shown_all_the_same(
    clicked: Page,
) -> None:
    for path in ("https://evil.example/x", "//evil.example/x"):
        deliver(clicked, json.dumps({"title": "T", "body": "B", "path": path, "tag": "odd"}))
        await_notification(clicked, "odd")
        assert worker_of(clicked).evaluate(CLICK, ["odd", []]) == {
            "messages": [],
            "focused": [],
            "opened": [],
        }
    deliver(clicked, "{no json")
    assert await_notification(clicked, "/")["data"] == {"path": "/"}
    assert worker_of(clicked).evaluate(CLICK, ["/", []])["opened"] == ["/"]


def test_two_messages_of_one_table_are_one_notification(clicked: Page) -> None:
    for body in ("un", "deux"):
        deliver(clicked, json.dumps({"title": "T", "body": body, "path": "/tables/3", "tag": "/tables/3"}))
        await_notification(clicked, "/tables/3", body)
    notification = await_notification(clicked, "/tables/3", "deux")
    assert notification["renotify"] is False, "it says the same, a moment later"
    assert len(shown(clicked)) == 1
    assert worker_of(clicked).evaluate("self.badge") == 1
    worker_of(clicked).evaluate(CLICK, ["/tables/3", []])


def test_a_browser_that_was_given_another_address_tells_the_house(
    clicked: Page, service: PushService
) -> None:
    before = ask(clicked, "GET", "/push")["devices"]
    fresh = Browser(service)
    worker_of(clicked).evaluate(
        """async ({endpoint, p256dh, auth}) => {
            const event = new ExtendableEvent('pushsubscriptionchange');
            let done;
            event.waitUntil = (work) => { done = work; };
            event.newSubscription = {toJSON: () => ({endpoint, keys: {p256dh, auth}})};
            self.dispatchEvent(event);
            await done;
        }""",
        fresh.subscription,
    )
    (device,) = ask(clicked, "GET", "/push")["devices"]
    assert (len(before), device["this"]) == (1, True)
    assert device["made_at"] > before[0]["made_at"]
    clicked.get_by_role("button", name=re.compile(r"^Essayer\s: ")).click()
    expect(clicked.get_by_text("La notification est partie.")).to_be_visible()
    assert len(service.shown_to(fresh)) == 1


def test_who_signs_out_gets_nothing_more_on_that_device_and_who_comes_back_does(
    visit: Visit, house: House, own: Browser
) -> None:
    page = member(visit, "Sortante", own)
    turn_on(page)
    page.reload()
    expect(page.get_by_text("Cet appareil", exact=True)).to_be_visible()
    page.get_by_role("button", name=re.compile(r"^Ne plus recevoir\s: ")).click()
    expect(page.get_by_role("button", name="Recevoir sur cet appareil")).to_be_visible()
    assert page.evaluate("localStorage.getItem('stubbed-subscription')") is None
    page.get_by_role("button", name="Recevoir sur cet appareil").click()
    expect(page.get_by_text("Cet appareil", exact=True)).to_be_visible()
    page.get_by_role("button", name="Se déconnecter").click()
    page.wait_for_function("localStorage.getItem('stubbed-subscription') === null")
    Somebody(house, "Sortante")
    assert Somebody(house, "Sortante").http.get("/push").json()["devices"] == []


@pytest.mark.parametrize(
    ("lack", "said"),
    [
        ("Object.defineProperty(window, 'isSecureContext', {value: false})", "pas servie en HTTPS"),
        ("delete window.PushManager", "Ce navigateur ne sait pas recevoir"),
        (
            "Object.defineProperty(Notification, 'permission', {get: () => 'denied'})",
            "Ce navigateur refuse les notifications de ce site",
        ),
        (
            "delete window.PushManager;"
            "Object.defineProperty(navigator, 'userAgent', {value: 'Mozilla/5.0 (iPhone) Safari/604.1'})",
            "Sur iPhone et iPad, il faut d’abord installer la page",
        ),
    ],
    ids=["no HTTPS", "no push", "refused", "iPhone"],
)
def test_the_settings_say_why_a_device_takes_no_notifications(visit: Visit, lack: str, said: str) -> None:
    page = visit()
    page.add_init_script(lack)
    join_club(page, f"Sans{abs(hash(lack)) % 10**9}")
    page.goto("/settings")
    section = page.get_by_role("region", name="Notifications, page fermée")
    expect(section.get_by_text(said)).to_be_visible()
    expect(page.get_by_role("button", name="Recevoir sur cet appareil")).to_have_count(0)


def test_letters_notifications_and_quiet_hours_are_chosen_side_by_side(visit: Visit, own: Browser) -> None:
    page = member(visit, "Choisisseuse", own)
    page.goto("/settings")
    page.get_by_label("Notification : Une de mes parties est finie").select_option("off")
    expect(page.get_by_text("C’est noté.").first).to_be_visible()
    page.get_by_label("Une de mes parties est finie", exact=True).select_option("digest")
    page.get_by_label("Début des heures calmes").fill("23:30")
    page.get_by_label("Début des heures calmes").dispatch_event("change")
    wait_until(lambda: ask(page, "GET", "/calling")["quiet_from"] == 23 * 60 + 30, "the hour")
    page.reload()
    expect(page.get_by_label("Notification : Une de mes parties est finie")).to_have_value("off")
    expect(page.get_by_label("Une de mes parties est finie", exact=True)).to_have_value("digest")
    expect(page.get_by_label("Début des heures calmes")).to_have_value("23:30")
    page.get_by_label("Heures calmes").first.uncheck()
    expect(page.get_by_label("Début des heures calmes")).to_have_count(0)
    calling = ask(page, "GET", "/calling")
    assert calling["quiet_from"] == calling["quiet_until"]


def test_installing_is_offered_with_why_where_the_browser_can(visit: Visit) -> None:
    page = visit("/settings")
    section = page.get_by_role("region", name="Installer Les Pions")
    expect(section.get_by_text("comme un programme")).to_be_visible()
    expect(section.get_by_role("button")).to_have_count(0)
    page.evaluate("""() => {
        const offer = new Event('beforeinstallprompt', {cancelable: true});
        offer.prompt = async () => { window.asked = true; };
        window.dispatchEvent(offer);
    }""")
    section.get_by_role("button", name="Installer").click()
    page.wait_for_function("window.asked === true")
    page.evaluate("window.dispatchEvent(new Event('appinstalled'))")
    expect(section).to_have_count(0)
