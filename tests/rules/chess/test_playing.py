"""Moves, premoves, takebacks, and what everybody at the board is shown of them."""

from __future__ import annotations

from random import Random

import chess
import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests.rules.chess.games import BLACK, WHITE, Game

from tablee.rules.chess import (
    BOARDS,
    VARIANTS,
    AskTakeback,
    CancelPremove,
    ChessOptions,
    ChessRules,
    DeclineTakeback,
    Move,
    Moved,
    Premove,
)
from tablee.rules.chess.model import PremoveDropped, position
from tablee.rules.chess.views import Captured, ToldMoved
from tablee.rules.contract import CLOCK, MASTER, SPECTATOR, Alarm, Illegal, Join, Replace, Timeout

# --- sides and moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sides", "white"), [("first", {1}), ("second", {2}), ("random", {1, 2})])
def test_the_option_says_who_is_white(sides: str, white: set[int]) -> None:
    rules, seen = ChessRules(), set()
    for seed in range(20):
        (began,) = rules.setup(ChessOptions(sides=sides), (1, 2), 0, Random(seed))  # type: ignore[arg-type]
        seen.add(rules.evolve(None, began).white)
    assert seen == white


def test_a_live_game_has_ten_minutes_a_turn_unless_the_table_says_otherwise() -> None:
    rules = ChessRules()
    for options, limit in (
        (ChessOptions(), 600_000),
        (ChessOptions(turn_minutes=0), 0),
        (ChessOptions(pace="days"), 0),
    ):
        (began,) = rules.setup(options, (1, 2), 0, Random(1))
        assert rules.evolve(None, began).turn_limit == limit


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("text", ["", "e2e5", "E2", "e7e5", "e2e4q", "../evil", "e2e4" * 500, "\x00", "e1h1"])
def test_a_bad_move_is_refused_and_nothing_changes(variant: str, text: str) -> None:
    game = Game(variant)
    before = game.state
    with pytest.raises(Illegal, match="illegal_move") as refusal:
        game.do(WHITE, Move(text))
    assert len(refusal.value.parts["move"]) <= 8
    assert game.state == before
    assert not game.rules.legal(game.state, WHITE).allows(Move(text))


def test_nobody_moves_out_of_turn_or_at_somebody_elses_board() -> None:
    game = Game()
    with pytest.raises(Illegal, match="not_your_turn"):
        game.do(BLACK, Move("e7e5"))
    for seat in (SPECTATOR, MASTER, 3):
        with pytest.raises(Illegal, match="not_playing"):
            game.do(seat, Move("e2e4"))
    for action in (Join("Zoé"), Replace("Zoé")):
        with pytest.raises(Illegal, match="seats_are_fixed"):
            game.do(BLACK, action)
    for clock_only in (Timeout(WHITE), Alarm("turn")):
        with pytest.raises(Illegal, match="clock_only"):
            game.do(BLACK, clock_only)


def test_the_view_has_all_that_a_board_shows() -> None:
    game = Game().play("e2e4 d7d5 e4d5 d8d5 b1c3 d5e5")
    view = game.view(WHITE)
    assert view.you == "white"
    assert view.turn == "white"
    assert view.boards == {"1": game.state.position.split()[0]}
    assert view.check == "e1"
    assert view.last == "d5e5"
    assert view.captured == Captured(white="p", black="p")
    assert view.moves["2"] == ("e4d5", "exd5")
    assert view.moves["5"] == ("d5e5", "Qe5+")
    assert view.ply == 6
    assert game.view(SPECTATOR) == replace(view, you=None)


def test_alice_shows_two_boards() -> None:
    view = Game("alice").play("e2e4").view(BLACK)
    assert view.boards == {
        "1": "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR",
        "2": "8/8/8/8/4P3/8/8/8",
    }


def test_legal_moves_come_by_origin_with_what_promotes() -> None:
    game = Game("classic", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    can = game.can(WHITE)
    assert can["moves"] == {"a1": ["a2", "b1", "b2"], "a7": ["a8", "b8"]}
    assert can["promotes"] == {"a7": ["a8", "b8"]}
    with pytest.raises(Illegal):
        game.do(WHITE, Move("a7a8"))
    game.do(WHITE, Move("A7B8H"))
    assert game.state.plies[-1].san == "axb8=N"
    assert game.state.plies[-1].took == "nb8"


def test_en_passant_says_where_the_pawn_was() -> None:
    game = Game("classic", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1").play("d7d5 e5d6")
    assert game.state.plies[-1].took == "pd5"


# --- premoves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_premove_is_played_at_once_when_it_is_legal(variant: str) -> None:
    moves = ("e2e4", "d5d4" if variant == "horde" else "e7e5")
    if variant == "horde":
        moves = ("e2e3", "h5h4")
    game = Game(variant)
    game.do(BLACK, Premove(moves[1]))
    assert game.ring() == []
    game.play(moves[0])
    (played,) = game.ring()
    assert isinstance(played, Moved)
    assert played.premove
    assert (played.seat, played.move) == (BLACK, moves[1])
    assert game.state.premoves == {}
    assert game.state.turn == WHITE


def test_a_premove_that_cannot_be_played_is_dropped_and_its_owner_told() -> None:
    game = Game()
    game.do(BLACK, Premove("e7d6"))
    game.play("e2e4")
    assert game.ring() == [PremoveDropped(BLACK, "e7d6")]
    assert game.state.turn == BLACK


def test_a_premove_replaces_the_one_before_and_can_be_cancelled() -> None:
    game = Game()
    game.do(BLACK, Premove("e7e5"))
    game.do(BLACK, Premove("d7d5"))
    assert game.view(BLACK).premove == "d7d5"
    game.do(BLACK, CancelPremove())
    assert game.view(BLACK).premove is None
    with pytest.raises(Illegal, match="no_premove"):
        game.do(BLACK, CancelPremove())
    with pytest.raises(Illegal, match="your_turn"):
        game.do(WHITE, Premove("e2e4"))
    for text in ("e2e4", "e7e4", "e7e8q", "a8b7", ""):
        with pytest.raises(Illegal, match="illegal_move"):
            game.do(BLACK, Premove(text))


def test_premoves_are_nobody_elses_business() -> None:
    game = Game()
    before = {seat: game.view(seat) for seat in (WHITE, SPECTATOR)}
    (fact,) = game.do(BLACK, Premove("e7e5"))
    for seat, seen in before.items():
        assert game.view(seat) == seen
        assert game.rules.tell(None, fact, game.state, seat) is None
    game.play("e2e4")
    (played,) = game.ring()
    told = game.rules.tell(None, played, game.state, WHITE)
    assert isinstance(told, ToldMoved)
    assert told.premove is UNSET


def test_what_may_be_premoved_depends_on_ones_own_pieces_alone() -> None:
    full = Game("classic", "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1").can(WHITE)
    crowded = Game("classic", "r3k2r/pppppppp/8/8/8/8/8/R3K2R b KQkq - 0 1").can(WHITE)
    assert full["premoves"] == crowded["premoves"]
    assert "g1" in full["premoves"]["e1"]
    assert "c1" in full["premoves"]["e1"]


# --- takebacks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["classic", "alice", "horde"])
def test_a_move_is_taken_back_by_agreement(variant: str) -> None:
    game = Game(variant)
    start = game.state.position
    game.play("g1f3")
    game.do(WHITE, AskTakeback())
    assert game.view(BLACK).takeback == "white"
    with pytest.raises(Illegal, match="asked_already"):
        game.do(WHITE, AskTakeback())
    game.do(BLACK, AskTakeback())
    assert game.state.position == start
    assert game.state.plies == ()
    assert game.state.turn == WHITE


def test_in_ones_own_turn_the_answer_goes_too() -> None:
    game = Game().play("e2e4 e7e5 g1f3 b8c6")
    wanted = Game().play("e2e4 e7e5").state
    game.do(WHITE, AskTakeback())
    game.do(BLACK, AskTakeback())
    assert (game.state.position, game.state.plies, game.state.keys) == (
        wanted.position,
        wanted.plies,
        wanted.keys,
    )


def test_a_takeback_is_declined_by_a_word_or_by_a_move() -> None:
    game = Game().play("e2e4")
    game.do(WHITE, AskTakeback())
    with pytest.raises(Illegal, match="no_takeback_asked"):
        game.do(WHITE, DeclineTakeback())
    game.do(BLACK, DeclineTakeback())
    assert game.state.takeback is None
    with pytest.raises(Illegal, match="asked_already"):
        game.do(WHITE, AskTakeback())
    game.play("e7e5 g1f3")
    game.do(WHITE, AskTakeback())
    game.play("b8c6")
    assert game.state.takeback is None


def test_nothing_is_taken_back_before_one_has_moved_nor_in_the_dark() -> None:
    with pytest.raises(Illegal, match="nothing_to_take_back"):
        Game().do(WHITE, AskTakeback())
    with pytest.raises(Illegal, match="nothing_to_take_back"):
        Game().play("e2e4").do(BLACK, AskTakeback())
    with pytest.raises(Illegal, match="no_takeback"):
        Game("dark").play("e2e4").do(WHITE, AskTakeback())


def test_an_alarm_that_is_not_due_does_nothing() -> None:
    game = Game(turn_limit=1_000)
    for name in ("turn", "premove", "absent:1", "absent:x", ""):
        assert game.do(CLOCK, Alarm(name)) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_board_that_is_kept_after_a_move_is_the_one_of_its_fen(variant: str) -> None:
    rng = Random(9)
    for _ in range(3):
        game = Game(variant)
        for _ in range(80):
            if game.state.ended:
                break
            kept = position(variant, game.state.position)
            read = BOARDS[variant](game.state.position)
            assert (kept.fen(), kept.key(), kept.ending()) == (read.fen(), read.key(), read.ending())
            assert kept.board_fen() == chess.BaseBoard.board_fen(kept)
            moves = sorted(move.uci() for move in kept.generate_legal_moves())
            assert moves == sorted(move.uci() for move in read.generate_legal_moves())
            game.play(rng.choice(moves))
            assert kept.fen() == read.fen(), "nobody moves on a board that is kept"
