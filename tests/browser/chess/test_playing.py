"""What surrounds the moves: keyboard, premoves, promotion, agreements, looking back, lost lines, flags."""

from __future__ import annotations

import re

from playwright.sync_api import WebSocketRoute, expect
from tests.browser.chess.boards import (
    click_move,
    ends_with,
    key_move,
    middle_of,
    placement,
    play_typed,
    rank_of,
    shows,
    sit_down,
    tab_to,
    type_move,
)
from tests.browser.controls import expect_one_set_of_controls
from tests.kit.browsing import Complaints, Visit, hear_until

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def test_a_game_is_played_with_the_keyboard_alone(visit: Visit) -> None:
    _, white, black = sit_down(visit)
    # A letter typed at the board goes into the field.
    tab_to(white, white.get_by_role("group", name="Échiquier", exact=True))
    white.keyboard.type("f3")
    white.keyboard.press("Enter")
    shows(black, 1, "f3")
    key_move(black, "e7-e5")
    shows(white, 2, "e5")
    key_move(white, "Cg4")
    expect(white.get_by_text("Le coup « Cg4 » n’est pas possible.")).to_be_visible()
    white.keyboard.press("Control+A")
    key_move(white, "bonjour")
    expect(white.get_by_text("« bonjour » n’est pas un coup.")).to_be_visible()
    white.keyboard.press("Control+A")
    key_move(white, "g4")
    shows(black, 3, "g4")
    key_move(black, "Dh4")
    for page in (white, black):
        ends_with(page, "Échec et mat")
    # The game again, step by step.
    tab_to(white, white.get_by_role("group", name="Échiquier", exact=True))
    white.keyboard.press("Home")
    expect(placement(white)).to_have_attribute("data-placement", START)
    white.keyboard.press("ArrowRight")
    expect(placement(white)).to_have_attribute(
        "data-placement", "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR"
    )
    expect(white.locator('[data-ply="1"]')).to_have_attribute("aria-current", "step")
    white.keyboard.press("End")
    expect(placement(white)).to_have_attribute("data-placement", re.compile("6Pq"))


def test_the_position_is_read_and_played_in_text(visit: Visit) -> None:
    _, white, black = sit_down(visit)
    white.get_by_role("button", name="En texte").click()
    twin = white.get_by_role("region", name="La position en texte")
    expect(twin).to_contain_text("Noirs : Roi e8 ; Dame d8 ; Tour a8, h8")
    expect(twin).to_contain_text("Cavalier g1 → f3, h3")
    type_move(white, "Cf3")
    shows(black, 1, "Cf3")
    expect(twin).to_contain_text("Cavalier b1, f3")
    expect(white.get_by_text("Vous jouez Cf3.")).to_be_attached()
    expect(black.locator("[data-announced]")).to_contain_text("joue Cf3")


def test_a_premove_is_played_at_ones_turn_and_nobody_else_knows_it(visit: Visit) -> None:
    _, white, black = sit_down(visit)
    click_move(black, "e7e5")
    expect(black.locator(".chip", has_text="Coup prévu : e7e5")).to_be_visible()
    expect(black.locator("square.current-premove")).to_have_count(2)
    expect(white.get_by_text("Coup prévu")).to_have_count(0)
    black.get_by_role("button", name="Annuler le coup prévu").click()
    expect(black.locator("square.current-premove")).to_have_count(0)
    type_move(black, "c5")
    expect(black.locator(".chip", has_text="Coup prévu : c7c5")).to_be_visible()
    click_move(white, "e2e4")
    for page in (white, black):
        shows(page, 2, "c5")
    expect(black.locator("square.current-premove")).to_have_count(0)


def test_a_pawn_becomes_what_its_owner_chooses(visit: Visit) -> None:
    _, white, black = sit_down(visit)
    play_typed(white, black, "a4 b5 axb5 a6 bxa6 h6 a7 h5")
    click_move(white, "a7b8")
    dialog = white.get_by_role("dialog", name="Le pion devient…")
    dialog.get_by_role("button", name="Annuler").click()
    expect(placement(white).locator("cg-board piece.white.pawn")).to_have_count(8)
    expect(white.locator('[data-ply="9"]')).to_have_count(0)
    click_move(white, "a7b8")
    dialog.get_by_role("button", name="Cavalier").click()
    for page in (white, black):
        shows(page, 9, "axb8=C")
    expect(placement(black)).to_have_attribute("data-placement", re.compile("^rNbqkbnr/"))
    type_move(black, "h4")
    shows(white, 10, "h4")


def test_moves_are_taken_back_and_draws_agreed_and_a_rematch_follows(visit: Visit) -> None:
    table, white, black = sit_down(visit)
    play_typed(white, black, "e4 e5")
    black.get_by_role("button", name="Reprendre le coup").click()
    white.get_by_role("button", name="Accorder").click()
    for page in (white, black):
        expect(page.locator('[data-ply="2"]')).to_have_count(0)
        expect(placement(page)).to_have_attribute("data-placement", re.compile("^rnbqkbnr/pppppppp/8/8/4P3"))
    type_move(black, "c5")
    shows(white, 2, "c5")
    white.get_by_role("button", name="Proposer la nulle").click()
    black.get_by_role("button", name="Refuser la nulle").click()
    expect(white.get_by_text("Vous proposez la nulle.")).to_have_count(0)
    black.get_by_role("button", name="Proposer la nulle").click()
    white.get_by_role("button", name="Accepter la nulle").click()
    for page in (white, black):
        ends_with(page, "Nulle par accord")
    # And once more, with the other colours.
    white.get_by_role("button", name="Revanche").click()
    expect(white.get_by_text("Revanche proposée")).to_be_visible()
    black.get_by_role("button", name="Accepter la revanche").click()
    for page in (white, black):
        page.wait_for_url(lambda url: not url.endswith(f"/tables/{table}"))
    expect(placement(white).locator(".orientation-black")).to_be_visible()
    type_move(black, "d4")
    shows(white, 1, "d4")


def test_one_looks_back_while_the_game_goes_on_and_takes_it_along(visit: Visit) -> None:
    table, white, black = sit_down(visit)
    play_typed(white, black, "e4 e5 Cf3")
    late = visit(f"/tables/{table}")
    late.locator('[data-ply="1"]').click()
    expect(placement(late)).to_have_attribute(
        "data-placement", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    )
    expect_one_set_of_controls(black, forward=1)
    black.get_by_role("button", name="Coup précédent").click()
    expect(black.get_by_text("Vous regardez la position après 2 demi-coups.")).to_be_visible()
    expect(black.get_by_label("Votre coup", exact=True)).to_have_count(0)
    black.get_by_role("button", name="Revenir à la partie").click()
    type_move(black, "Cc6")
    shows(white, 4, "Cc6")
    expect(placement(late)).to_have_attribute("data-placement", re.compile("4P3/8/PPPP1PPP/RNBQKBNR$"))
    white.get_by_text("Emporter la partie").click()
    with white.expect_download() as download:
        white.get_by_role("button", name="Télécharger le PGN").click()
    pgn = download.value.path().read_text()
    assert "1. e4 e5 2. Nf3 Nc6 *" in re.sub(r"\s*\{[^}]*\}", "", pgn)  # beside each move, its clock
    assert '[Variant "Standard"]' in pgn
    white.context.grant_permissions(["clipboard-read", "clipboard-write"])
    white.get_by_role("button", name="Copier la FEN").click()
    expect(white.get_by_text("Position copiée.")).to_be_visible()
    assert white.evaluate("navigator.clipboard.readText()").startswith("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/")


def test_who_was_cut_off_finds_the_game_where_it_is(visit: Visit, complaints: Complaints) -> None:
    complaints.expect("WebSocket connection|Failed to load resource|ERR_INTERNET")
    _, white, black = sit_down(visit)
    play_typed(white, black, "e4 e5")
    black.context.set_offline(True)
    expect(black.locator('[data-link="lost"]')).to_be_visible()
    expect(white.get_by_text(re.compile("a perdu la connexion. Forfait dans"))).to_be_visible()
    type_move(white, "Cf3")
    shows(white, 3, "Cf3")
    black.context.set_offline(False)
    shows(black, 3, "Cf3")
    expect(white.get_by_text(re.compile("a perdu la connexion. Forfait dans"))).to_have_count(0)
    click_move(black, "b8c6")
    shows(white, 4, "Cc6")


def test_moves_that_arrive_all_at_once_are_shown_in_order(visit: Visit) -> None:
    table, white, black = sit_down(visit)
    late = visit()
    held: list[str] = []
    lines: list[WebSocketRoute] = []

    def hold(line: WebSocketRoute) -> None:
        lines.append(line)
        server = line.connect_to_server()
        server.on_message(lambda text: held.append(str(text)) if '"update"' in str(text) else line.send(text))

    late.route_web_socket("**/api/v1/live", hold)
    late.goto(f"/tables/{table}")
    expect(late.locator("cg-board")).to_be_visible()
    play_typed(white, black, "e4 e5 Cf3 Cc6 Fb5")
    hear_until(late, lambda: len(held) == 5, "the five moves")
    for text in held:
        lines[-1].send(text)
    for ply, san in enumerate(("e4", "e5", "Cf3", "Cc6", "Fb5"), 1):
        shows(late, ply, san)
    expect(placement(late)).to_have_attribute(
        "data-placement", "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"
    )


def test_a_flag_falls_though_the_browser_is_closed(visit: Visit) -> None:
    _, white, black = sit_down(visit, time_control={"kind": "budget", "seconds": 5, "increment": 0})
    white.context.close()
    ends_with(black, "Temps écoulé")
    expect(black.locator('[data-side="white"]').get_by_role("timer")).to_have_text("0:00.0")
    assert rank_of(black) == "1"


def test_an_impossible_move_of_the_mouse_goes_back(visit: Visit) -> None:
    _, white, black = sit_down(visit)
    click_move(white, "e2e5")
    white.mouse.click(*middle_of(white, "e7"))
    expect(placement(white)).to_have_attribute("data-placement", START)
    click_move(white, "e2e4")
    shows(black, 1, "e4")
    white.get_by_role("button", name="Retourner").click()
    expect(placement(white).locator(".orientation-black")).to_be_visible()
