"""Ways to a game of chess and out of it: three clicks, a friend, an abort, a robot, typed promotions."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.browser.chess.boards import placement, shows, sit_down, type_move
from tests.browser.people import ask, come_as_visitor, join_club
from tests.kit.browsing import Visit, hear_until


def wait_for_three_plus_two(page: Page) -> None:
    """Three clicks on the first page."""
    page.goto("/")
    page.locator("[data-game=chess]").click()
    page.locator('[data-time="3+2"]').click()
    page.get_by_role("button", name="Contre la prochaine personne").click()


def test_three_clicks_each_lead_two_members_to_a_rated_game_of_three_plus_two(visit: Visit) -> None:
    one, other = visit(), visit()
    join_club(one, "Éclair")
    join_club(other, "Tonnerre")
    wait_for_three_plus_two(one)
    expect(one.get_by_role("status").filter(has_text="partie classée")).to_be_visible()
    wait_for_three_plus_two(other)
    for page in (one, other):
        page.wait_for_url(re.compile(r"/tables/\d+$"))
        expect(page.locator("cg-board").first).to_be_visible()
        expect(page.locator("[role=timer]")).to_have_count(2)
    assert one.url == other.url
    table = ask(one, "GET", f"/tables/{one.url.rsplit('/', 1)[1]}")
    assert (table["rated"], table["unrated"]) == (True, None)
    assert table["time_control"]["seconds"] == 180
    # Nobody has moved: it can be called off, and nobody has lost.
    other.get_by_role("button", name="Annuler la partie").click()
    for page in (one, other):
        expect(page.get_by_text("Partie annulée avant d’avoir vraiment commencé").first).to_be_visible()
    assert ask(one, "GET", "/players/Éclair")["standings"] == []


def test_three_clicks_challenge_a_friend_or_lead_to_a_robot_of_a_strength(visit: Visit) -> None:
    asker, friend = visit(), visit()
    join_club(asker, "Trois-clics")
    join_club(friend, "Un-ami")
    ask(asker, "POST", "/friends", {"pseudo": "Un-ami"})
    ask(friend, "POST", "/friends", {"pseudo": "Trois-clics"})
    asker.goto("/")
    asker.locator("[data-game=chess]").click()
    asker.locator('[data-time="3+2"]').click()
    asker.locator('[data-friend="Un-ami"]').click()
    expect(asker.get_by_text("Un défi est parti pour Un-ami.")).to_be_visible()
    (challenge,) = ask(friend, "GET", "/challenges")["challenges"]
    assert (challenge["game"], challenge["time_control"]["seconds"], challenge["rated"]) == (
        "chess",
        180,
        True,
    )
    asker.goto("/")
    asker.locator("[data-game=chess]").click()
    asker.locator('[data-time="3+2"]').click()
    asker.locator("[data-robot=beginner]").click()
    asker.wait_for_url(re.compile(r"/tables/\d+$"))
    info = ask(asker, "GET", f"/tables/{asker.url.rsplit('/', 1)[1]}")
    assert (info["seats"][1]["robot"], info["time_control"]["seconds"]) == ("beginner", 180)


def test_after_both_have_moved_one_resigns_and_no_longer_aborts(visit: Visit) -> None:
    _, white, black = sit_down(visit)
    expect(white.get_by_role("button", name="Annuler la partie")).to_be_visible()
    type_move(white, "e4")
    shows(black, 1, "e4")
    type_move(black, "e5")
    shows(white, 2, "e5")
    for page in (white, black):
        expect(page.get_by_role("button", name="Abandonner")).to_be_visible()
        expect(page.get_by_role("button", name="Annuler la partie")).to_have_count(0)


def test_a_friend_is_challenged_with_a_colour_and_a_time(visit: Visit) -> None:
    asker, friend = visit(), visit()
    join_club(asker, "Provocante")
    join_club(friend, "Provoqué")
    ask(asker, "POST", "/friends", {"pseudo": "Provoqué"})
    ask(friend, "POST", "/friends", {"pseudo": "Provocante"})
    asker.goto("/friends")
    asker.get_by_role("button", name="Défier Provoqué").click()
    dialog = asker.get_by_role("dialog")
    dialog.get_by_label("Jeu").select_option(label="Échecs")
    dialog.get_by_label("Pendule").select_option(index=3)
    dialog.get_by_label("Votre couleur").select_option("black")
    dialog.get_by_label("Partie classée").uncheck()
    dialog.get_by_role("button", name="Lancer le défi").click()
    friend.goto("/friends")
    expect(friend.get_by_text(re.compile("sa couleur.: Noirs · amicale"))).to_be_visible()
    friend.get_by_role("button", name="Relever le défi de Provocante").click()
    friend.wait_for_url(re.compile(r"/tables/\d+$"))
    table = int(friend.url.rsplit("/", 1)[1])
    info = ask(friend, "GET", f"/tables/{table}")
    assert (info["time_control"]["seconds"], info["time_control"]["increment"]) == (300, 3)
    assert info["rated"] is False
    assert ask(friend, "GET", f"/tables/{table}/view")["view"]["you"] == "white"


def test_a_robot_is_played_without_a_clock_and_grants_a_takeback_after_its_reply(visit: Visit) -> None:
    page = visit()
    come_as_visitor(page)
    new = {
        "game": "chess", "variant": "classic", "robots": ["beginner"], "rated": False, "side": "white",
        "time_control": {"kind": "none"}, "options": {"pace": "days"},
    }  # fmt: skip
    table = int(ask(page, "POST", "/tables", new)["id"])
    page.goto(f"/tables/{table}")
    expect(page.locator("[role=timer]")).to_have_count(0)
    type_move(page, "e4")
    expect(page.locator('[data-ply="2"]')).to_be_visible()
    page.get_by_role("button", name=re.compile("reprendre", re.IGNORECASE)).first.click()
    expect(page.locator("[data-ply]")).to_have_count(0)
    expect(placement(page)).to_have_attribute("data-placement", re.compile("PPPPPPPP/RNBQKBNR$"))


def test_what_the_page_writes_can_be_typed(visit: Visit) -> None:
    start = "1n5k/P7/8/8/8/8/P7/7K w - - 0 1"
    for text, written in (("axb8=C", "axb8=C"), ("a8=D", "a8=D"), ("1. a8=T+", "a8=T")):
        _, white, black = sit_down(visit, start=start)
        type_move(white, text)
        shows(black, 1, written)
        assert ask(white, "GET", f"/tables/{white.url.rsplit('/', 1)[1]}/view")["view"]["ply"] == 1


def test_a_finished_game_is_looked_through(visit: Visit) -> None:
    table, white, black = sit_down(visit)
    for seat, (page, move) in enumerate(((white, "f3"), (black, "e5"), (white, "g4"), (black, "Dh4")), 1):
        type_move(page, move)
        expect((white if page is black else black).locator(f'[data-ply="{seat}"]')).to_be_visible()
    white.locator("[data-begin-review]").click()
    review = white.locator("[data-review]")
    hear_until(white, lambda: review.count() == 1, "the review")
    expect(review).to_contain_text("Précision des Blancs")
    review.get_by_role("button", name=re.compile("2\\. *g4|2\\..g4")).click()
    expect(white.locator('[data-ply="3"]')).to_have_attribute("aria-current", "step")
    assert "%eval" in white.evaluate(
        "t => fetch(`/api/v1/tables/${t}/export.pgn`).then(r => r.text())", table
    )


def test_the_end_of_dark_shows_both_sights_beside_the_truth_and_spectators_nothing_before(
    visit: Visit,
) -> None:
    table, white, black = sit_down(visit, "dark")
    looker = visit(f"/tables/{table}")
    expect(placement(looker)).to_have_attribute("data-placement", "/".join(["?" * 8] * 8))
    type_move(white, "e4")
    type_move(black, "d5")
    type_move(white, "exd5")
    expect(black.locator("[data-announced]")).to_contain_text("un pion en d5")
    ask(black, "POST", f"/tables/{table}/leave", {})
    for page in (white, black, looker):
        expect(page.locator("[data-sights] svg")).to_have_count(3)
