"""At a table of the arena: who looks on, heroes and their powers, pushes, and a robot that stands in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.arena.walking import (
    Json,
    Walk,
    card,
    expect_turn,
    head,
    make_table,
    seen,
    square,
    way_home,
)
from tests.browser.people import ask
from tests.kit.browsing import Visit
from tests.kit.process import House
from tests.kit.waiting import wait_until

PUBLISHED = Path(__file__).parents[2] / "rules" / "arena" / "published"
PRIVATE = ("hand", "gauge", "trumps", "power", "put_away", "hidden_plays")


def listen(page: Page) -> list[Json]:
    """Every message that comes to a page from now on."""
    heard: list[Json] = []

    def came(frame: str | bytes) -> None:
        heard.append(json.loads(frame))

    page.on("websocket", lambda socket: socket.on("framereceived", came))
    return heard


def walk(page: Page, way: Walk) -> None:
    card(page, way).click()
    square(page, way.square).click()


def step(page: Page, table: int) -> None:
    """Any move at all: a way home, or else a discard."""
    now = seen(page, table)
    way = way_home(now["view"], now["legal"])
    if way is not None:
        walk(page, way)
    else:
        page.locator("[data-card]").first.click()
        page.locator("[data-discard]").click()


def test_two_people_play_one_looks_on_and_no_hand_leaves_its_owner(visit: Visit) -> None:
    host, guest, third = visit(), visit(), visit()
    heard = {page: listen(page) for page in (guest, third)}
    table = make_table(host, "crossroads", seats=2)
    for page in (host, guest, third):
        page.goto(f"/tables/{table}")
    guest.get_by_role("button", name="S’asseoir et jouer").click()
    for page in (host, guest):
        expect(page.locator("[data-card]")).to_have_count(5)
    turn = head(third).get_attribute("data-turn")
    first, second = (host, guest) if head(host).get_attribute("data-mine") is not None else (guest, host)
    # The first turn of two players has one move: it is a discard, and only who made it is told of what.
    first.locator("[data-card]").first.click()
    first.locator("[data-discard]").click()
    expect_turn(second)
    step(second, table)
    expect(third.locator("[data-latest]")).to_contain_text("se défausse d’une carte")
    expect(head(third)).not_to_have_attribute("data-turn", turn or "")
    expect(third.locator("[data-card], [data-trump], [data-gauge]")).to_have_count(0)
    seats = {page: seen(page, table)["seat"] for page in (host, guest)}
    for page, messages in heard.items():
        own = seats.get(page)
        views = [
            message[key]
            for message in messages
            if message.get("table") == table
            for key in ("view", "patch")
            if message.get(key)
        ]
        facts = [fact for message in messages for fact in message.get("facts") or ()]
        assert views
        assert [fact for fact in facts if fact["is"] == "discarded"]
        if own is None:
            assert not [key for view in views for key in PRIVATE if key in view]
        for fact in facts:
            if fact["is"] in ("discarded", "refilled") and fact["seat"] != own:
                assert "card" not in fact
                assert "cards" not in fact
        assert all(view.get("you", own) in (own, None) for view in views)
        # What is in a hand of somebody else is nowhere: every hand that came is one that its owner was dealt.
        hands = [view["hand"] for view in views if "hand" in view]
        assert bool(hands) == (own is not None)
        if own is not None:
            dealt = [card for fact in facts if fact["is"] == "refilled" for card in fact.get("cards", ())]
            had = [*hands[0], *dealt]
            assert all(hand.count(card) <= had.count(card) for hand in hands for card in hand)


def test_a_hero_is_chosen_and_paints_a_square(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "standard", "greedy", options={"heroes": True, "choose_heroes": True})
    page.goto(f"/tables/{table}")
    # Whoever chooses first may take her, the robot too: then another one will do, and nothing is painted.
    offer = page.locator("[data-take]:enabled")
    offer.first.wait_for()
    mine = "Mirindrel" if page.locator('[data-take="Mirindrel"]').count() else "Luni"
    page.locator(f'[data-take="{mine}"]').click()
    expect(page.locator(".mine [data-hero]")).to_have_attribute("data-hero", mine)
    power = page.locator("[data-power]")
    turn = ""
    for _ in range(40):
        turn = expect_turn(page, turn)
        if power.is_enabled():
            break
        if "push" in seen(page, table)["legal"]:
            page.locator("[data-skip]").click()
        else:
            step(page, table)
    power.click()
    if mine == "Luni":
        page.locator("[data-use]").click()
        expect(page.locator(".mine")).to_contain_text("lame secrète")
        return
    page.locator('[data-paint="RED"]').click()
    now = seen(page, table)["view"]
    key = page.locator("[data-lit]").first.get_attribute("data-lit") or ""
    assert key not in now["painted"]
    square(page, key).click()
    expect(page.locator(f'.repainted[data-square="{key}"]')).to_have_attribute("data-color", "RED")
    expect(page.locator("[data-gauge]")).to_have_attribute("data-gauge", str(now["gauge"] - 8))
    expect(power).to_be_disabled()


def test_a_pawn_in_the_mist_is_seen_by_its_player_alone_and_her_power_is_copied(visit: Visit) -> None:
    arline, kharliass = visit(), visit()
    options = {"heroes": True, "choose_heroes": True}
    table = make_table(arline, "standard", seats=2, options=options)
    for page in (arline, kharliass):
        page.goto(f"/tables/{table}")
    kharliass.get_by_role("button", name="S’asseoir et jouer").click()
    wishes = {arline: "Arline", kharliass: "Kharliass"}
    for page in wishes:
        expect(page.locator("[data-take]").first).to_be_visible()
    for page in sorted(
        wishes, key=lambda page: seen(page, table)["view"]["turn"] != seen(page, table)["seat"]
    ):
        page.locator(f'[data-take="{wishes[page]}"]:enabled').click()
    for page, hero in wishes.items():
        expect(page.locator(".mine [data-hero]")).to_have_attribute("data-hero", hero)
    seats = {page: seen(page, table)["seat"] for page in wishes}

    def stage(page: Page) -> list[Json]:
        view = seen(page, table)["view"]
        return [view["turn"], view["round"], view["moves"]]

    def play_until(page: Page, other: Page, name: str) -> None:
        """Both play on, until it is this one's turn and her power can be paid."""
        for _ in range(80):
            now = seen(page, table)
            if now["view"]["turn"] == seats[page] and "use_power" in now["legal"]:
                break
            player = page if now["view"]["turn"] == seats[page] else other
            if "push" in seen(player, table)["legal"]:
                player.locator("[data-skip]").click()
                expect(player.locator("[data-skip]")).to_have_count(0)
                continue
            before = stage(player)
            expect(player.locator("[data-card]:enabled").first).to_be_visible()
            step(player, table)
            while stage(player) == before:
                player.wait_for_timeout(20)
        page.locator(f'[data-power="{name}"]:enabled').click()

    play_until(kharliass, arline, "Kharliass")
    kharliass.locator(f'.pawn[data-seat="{seats[arline]}"]').click()
    expect(kharliass.locator("[data-power]")).to_be_disabled()
    # The page is quicker than the house: the power cannot be used again while it is on its way.
    wait_until(
        lambda: seen(kharliass, table)["view"]["players"][str(seats[kharliass])]["copy"] == "Arline",
        "the copy of her power",
    )

    play_until(arline, kharliass, "Arline")
    arline.locator("[data-use]").click()
    hidden = f'.pawn[data-seat="{seats[arline]}"]'
    expect(kharliass.locator(hidden)).to_have_count(0)
    expect(arline.locator(hidden)).to_have_count(1)
    assert seen(kharliass, table)["view"]["players"][str(seats[arline])].get("pawn") is None
    assert seen(arline, table)["view"]["players"][str(seats[arline])]["pawn"]


def push_offered(page: Page, table: int) -> bool:
    """Look for an Assassin until there is somebody to push; False if the game ends before."""
    turn = ""
    while (turn := expect_turn(page, turn)) != "over":
        now = seen(page, table)
        legal: dict[str, Any] = now["legal"]
        if "push" in legal:
            return True
        killers = [each for each in legal["play"] if each["card"] == "Assassin" and each["reach"]]
        others = [each for each in legal["discard"] if each["card"] != "Assassin"]
        if killers:
            target = killers[0]
            walk(page, Walk(target["card"], target["color"], next(iter(target["reach"]))))
        elif others:
            card(page, Walk(others[0]["card"], others[0]["color"], "")).click()
            page.locator("[data-discard]").click()
        else:
            step(page, table)
    return False


def test_an_assassin_pushes_a_pawn_in_two_clicks(visit: Visit) -> None:
    page = visit()
    for _ in range(4):
        table = make_table(page, "standard", "greedy")
        page.goto(f"/tables/{table}")
        if push_offered(page, table):
            break
    now = seen(page, table)
    # Nothing else is possible now.
    expect(page.locator("[data-card]:enabled")).to_have_count(0)
    targets = now["legal"]["push"]["targets"]
    victim = next(iter(targets))
    x, y = targets[victim][0]
    pawn = page.locator(f'.pawn[data-seat="{victim}"]')
    pawn.click()
    square(page, f"{x},{y}").click()
    expect(pawn).to_have_attribute("data-place", f"{x},{y}")
    expect(page.locator("[data-skip]")).to_have_count(0)
    expect(page.locator("[data-latest]")).to_contain_text(f"en {x},{y}")


def test_a_robot_stands_in_for_who_lets_turns_pass_until_he_is_back(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "standard", "greedy", time_control={"kind": "move", "seconds": 1})
    page.goto(f"/tables/{table}")
    standing_in = page.locator("[data-standing-in]")
    expect(standing_in).to_be_visible()
    expect(page.locator(".mine [data-stood-in]")).to_be_visible()
    standing_in.get_by_role("button", name="Reprendre la main").click()
    expect(standing_in).to_have_count(0)


def test_the_arena_is_played_as_text_too(visit: Visit) -> None:
    page = visit()
    table = make_table(page, "crossroads", "greedy")
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="En texte").click()
    for _ in range(4):
        expect_turn(page)
        squares = page.locator("[data-go]:enabled")
        if squares.count():
            break
        page.locator("[data-card]").first.click()
        page.locator("[data-discard]").click()
    key = squares.first.get_attribute("data-go")
    squares.first.click()
    expect(page.locator("[data-player].mine")).to_have_attribute("data-pawn", key or "")


def test_what_an_author_says_of_trumps_and_cards_is_read_at_the_table(visit: Visit, house: House) -> None:
    files = house.data / "arena"
    files.mkdir(exist_ok=True)
    told = (PUBLISHED / "with-heroes.json").read_text(encoding="utf-8")
    (files / "duel.json").write_text(told, encoding="utf-8")
    page = visit()
    wait_until(lambda: _is_offered(page, "duel"), "the club's own arena")
    table = make_table(page, "duel", "greedy")
    page.goto(f"/tables/{table}")
    wind = page.locator('[data-trump="Wind"]')
    expect(wind.locator("[data-saying]")).to_have_text("One more move.")
    expect(wind).to_have_attribute("title", "One more move.")
    card = page.locator('[data-card="Scout"], [data-card="Bishop"], [data-card="Assassin"]').first
    expect(card).to_have_attribute("title", re.compile(r"square"))
    page.get_by_role("button", name="En texte").click()
    twin = page.locator("[data-twin=trumps]")
    expect(twin).to_contain_text("Wind")
    expect(twin).to_contain_text("One more move.")
    expect(twin).to_contain_text("The target does not move on some colours.")
    # Ours are in the language of the page.
    page.goto(f"/tables/{make_table(page, 'standard', 'greedy')}")
    said = {str(each.get_attribute("title")) for each in page.locator("[data-trump]").all()}
    expect(page.locator("[data-trump]")).to_have_count(4)
    assert all(re.search("cible|coup|Chaque", each) for each in said)


def _is_offered(page: Page, variant: str) -> bool:
    games = ask(page, "GET", "/games")
    return any(each["variant"] == variant for each in games["games"])
