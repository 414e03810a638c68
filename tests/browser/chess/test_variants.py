"""A game of each variant between two browsers, to its end."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.browser.chess.boards import (
    click_move,
    drag_move,
    ends_with,
    placement,
    play_typed,
    rank_of,
    shows,
    sit_down,
    type_move,
)
from tests.kit.browsing import Visit, hear_until
from tests.rules.chess.games import BLACK, WHITE, Game

from tablee.rules.chess import ChessRules
from tablee.rules.contract import SPECTATOR


def test_a_fool_is_mated_with_the_mouse_and_sees_afterwards_what_was_wrong(visit: Visit) -> None:
    _, white, black = sit_down(visit)
    drag_move(white, "f2f3")
    shows(black, 1, "f3")
    click_move(black, "e7e5")
    shows(white, 2, "e5")
    click_move(white, "g2g4")
    shows(black, 3, "g4")
    drag_move(black, "d8h4")
    for page in (white, black):
        shows(page, 4, "Dh4#")
        ends_with(page, "Échec et mat")
        expect(page.locator("square.check")).to_be_visible()
    assert (rank_of(white), rank_of(black)) == ("2", "1")
    # White looks at the position before the mistake, and tries something else.
    white.locator('[data-ply="3"]').click()
    white.get_by_role("button", name="Analyser la partie").click()
    analysis = white.get_by_role("region", name="Analyse")
    # Who says so is an engine where the machine has one.
    expect(analysis).to_contain_text(
        re.compile("(La maison|Stockfish) jouerait Dh4#. Les Noirs gagnent en 1")
    )
    click_move(white, "e5e4")
    expect(analysis).to_contain_text("Essai : e4")
    type_move(white, "fxe4")
    expect(analysis).to_contain_text("Essai : e4 fxe4")
    expect(placement(white)).to_have_attribute(
        "data-placement", "rnbqkbnr/pppp1ppp/8/8/4P1P1/8/PPPPP2P/RNBQKBNR"
    )
    analysis.get_by_role("button", name="Retirer le dernier essai").click()
    expect(analysis).not_to_contain_text("fxe4")
    analysis.get_by_role("button", name="Fermer l’analyse").click()
    expect(placement(white)).to_have_attribute(
        "data-placement", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR"
    )


def test_a_piece_of_alice_changes_board_and_mates_there(visit: Visit) -> None:
    _, white, black = sit_down(visit, "alice")
    white.mouse.click(1, 1)
    click_move(white, "e2e4")
    expect(placement(black, 1)).to_have_attribute(
        "data-placement", "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"
    )
    expect(placement(black, 2)).to_have_attribute("data-placement", "8/8/8/8/4P3/8/8/8")
    expect(placement(black, 2).locator("square.crossed")).to_be_visible()
    expect(placement(black, 1).locator("cg-auto-pieces piece.pawn")).to_be_visible()
    click_move(black, "d7d5")
    shows(white, 2, "d5")
    click_move(white, "f1e2")
    shows(black, 3, "Fe2")
    click_move(black, "d5e4", board=2)
    shows(white, 4, "dxe4")
    expect(placement(white, 1)).to_have_attribute("data-placement", re.compile("/4p3/"))
    click_move(white, "e2b5", board=2)
    for page in (white, black):
        shows(page, 5, "Fb5#")
        ends_with(page, "Échec et mat")
    assert (rank_of(white), rank_of(black)) == ("1", "2")
    # No engine knows Alice: the house looks the game through itself, and says that it is weak.
    white.locator("[data-begin-review]").click()
    review = white.locator("[data-review]")
    hear_until(white, lambda: review.count() == 1, "the review")
    expect(review.locator("[data-weak]")).to_contain_text("sans moteur")
    white.locator('[data-ply="2"]').click()
    white.get_by_role("button", name="Analyser la partie").click()
    expect(white.get_by_role("region", name="Analyse").locator("[data-weak]")).to_be_visible()


def test_the_king_of_dark_is_taken_and_a_spectator_sees_an_empty_board_until_then(visit: Visit) -> None:
    table, white, black = sit_down(visit, "dark")
    spectator = visit(f"/tables/{table}")
    game = Game("dark")
    sight = ChessRules("dark")

    def all_see() -> None:
        for page, seat in ((white, WHITE), (black, BLACK), (spectator, SPECTATOR)):
            seen = sight.view(game.state, seat).boards["1"]
            expect(placement(page)).to_have_attribute("data-placement", seen)
            expect(placement(page).locator("square.fog")).to_have_count(seen.count("?"))

    all_see()
    for ply, (page, move) in enumerate(
        ((white, "e2e4"), (black, "f7f6"), (white, "d1h5"), (black, "a7a6")), 1
    ):
        click_move(page, move)
        expect(spectator.locator(f'[data-ply="{ply}"]')).to_be_visible()
        game.play(move)
        all_see()
    for ply in range(1, 5):
        expect(spectator.locator(f'[data-ply="{ply}"]')).to_have_text("?coup caché")
    expect(spectator.get_by_text("joue un coup caché").first).to_be_visible()
    expect(black.locator("square.check")).to_have_count(0)
    click_move(white, "h5e8")
    for page in (white, black, spectator):
        ends_with(page, "Le roi est pris")
        # Afterwards everything is laid open, to the players and to who has looked on.
        expect(placement(page)).to_have_attribute(
            "data-placement", "rnbqQbnr/1pppp1pp/p4p2/8/4P3/8/PPPP1PPP/RNB1KBNR"
        )
        shows(page, 2, "f6")
    black.get_by_role("button", name="Ce que je voyais").click()
    expect(placement(black)).to_have_attribute("data-placement", re.compile(r"\?"))
    black.get_by_role("button", name="Au début").click()
    expect(placement(black)).to_have_attribute(
        "data-placement", sight.view(Game("dark").state, BLACK).boards["1"]
    )
    black.get_by_role("button", name="Tout voir").click()
    expect(placement(black)).to_have_attribute(
        "data-placement", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    )


def test_the_horde_is_given_up(visit: Visit) -> None:
    _, white, black = sit_down(visit, "horde")
    expect(placement(white)).to_have_attribute(
        "data-placement", "ppp2ppp/pppppppp/pppppppp/pppppppp/3pp3/8/PPPPPPPP/RNBQKBNR"
    )
    play_typed(white, black, "d2d3 e4d3 Dxd3")
    expect(white.locator('[data-side="white"] [data-taken]')).to_have_attribute(
        "aria-label", re.compile("Pion × 1")
    )
    black.get_by_role("button", name="Abandonner").click()
    black.get_by_role("dialog").get_by_role("button", name="Abandonner").click()
    for page in (white, black):
        ends_with(page, "Abandon")
    assert (rank_of(white), rank_of(black)) == ("1", "2")


def test_a_robot_answers_at_a_table_that_one_opens_oneself(visit: Visit) -> None:
    page = visit("/lobby/new?game=chess&variant=alice")
    page.get_by_role("button", name="Entre amis").click()
    page.get_by_label("Les Blancs", exact=True).select_option("first")
    page.get_by_role("button", name="Un de plus : Débutant").click()
    page.get_by_role("button", name="Ouvrir la table").click()
    expect(page.locator("cg-board")).to_have_count(2)
    click_move(page, "a2a3")
    expect(page.locator('[data-ply="2"]')).to_be_visible()
