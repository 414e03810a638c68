"""Every way in which a game of each variant ends, and what each is worth."""

from __future__ import annotations

import typing
from pathlib import Path

import pytest
from tests.rules.chess.games import BLACK, MINUTE, WHITE, Game

from tablee.rules.chess import VARIANTS, ClaimDraw, OfferDraw
from tablee.rules.chess.model import DeclineDraw, Reason
from tablee.rules.contract import CLOCK, Away, Back, Illegal, Leave, TimeGivenBack, Timeout

BACK_AND_FORTH = "g1f3 g8f6 f3g1 f6g8 "


@pytest.mark.parametrize(
    ("variant", "fen", "moves", "end"),
    [
        ("classic", None, "f2f3 e7e5 g2g4 d8h4", ("mate", BLACK)),
        ("classic", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", ("stalemate", None)),
        ("classic", "7k/8/8/8/8/8/6p1/6K1 w - - 0 1", "g1g2", ("material", None)),
        ("alice", None, "e2e4 d7d5 f1e2 d5e4 e2b5", ("mate", WHITE)),
        ("alice", None, "e2e4 e7e5 d1h5 g7g6 h5e5", ("mate", WHITE)),
        ("alice", "8/8/8/8/8/8/6pk/K7|7n/8/8/8/8/8/8/8 b - - 0 1", "g2g1q", (None, None)),
        ("alice", "7k/8/8/8/8/8/8/K6p|8/8/8/8/8/8/8/8 w - - 0 1", "a1a2", (None, None)),
        ("alice", "7k/8/8/8/8/8/1p6/K7|8/8/8/8/8/8/8/8 w - - 0 1", "a1b2", ("material", None)),
        ("dark", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8", ("king_taken", WHITE)),
        ("dark", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", (None, None)),
        ("dark", "5brk/4p1pr/4P1Pp/8/7P/8/8/4K3 w - - 0 1", "h4h5", ("stalemate", None)),
        ("horde", "8/8/8/8/8/8/3p4/4K3 w - - 0 1 -", "e1d2", ("horde_taken", WHITE)),
        ("horde", "8/8/8/8/p7/P7/8/4K3 w - - 0 1 -", "e1e2", ("stalemate", None)),
        ("horde", "8/8/8/8/8/1q6/2p5/K7 b - - 0 1 -", "c2c1q", ("mate", BLACK)),
        ("horde", "8/8/8/8/8/8/p7/K6N w - - 0 1 -", "a1a2", ("horde_taken", WHITE)),
    ],
)
def test_a_position_ends_the_game(
    variant: str, fen: str | None, moves: str, end: tuple[str | None, int | None]
) -> None:
    assert Game(variant, fen).play(moves).end == end


def test_the_last_of_the_horde_taken_counts_before_anything_else() -> None:
    game = Game("horde", "8/8/8/8/8/8/3p4/4K3 w - - 149 90 -").play("e1d2")
    assert game.end == ("horde_taken", WHITE)


@pytest.mark.parametrize("variant", ["classic", "alice", "horde"])
def test_three_times_the_same_position_is_a_draw_for_who_claims_it(variant: str) -> None:
    start = {
        "classic": None,
        "alice": None,
        "horde": "8/8/8/8/8/8/q7/4K1N1 w - - 0 1 -",
    }[variant]
    back_and_forth = {
        "classic": BACK_AND_FORTH,
        "alice": BACK_AND_FORTH,
        "horde": "g1f3 a2a3 f3g1 a3a2 ",
    }[variant]
    game = Game(variant, start).play(back_and_forth)
    with pytest.raises(Illegal, match="nothing_to_claim"):
        game.do(WHITE, ClaimDraw())
    game.play(back_and_forth)
    assert game.view(WHITE).claimable == "threefold"
    assert "claim_draw" in game.can(WHITE)["can"]
    assert "claim_draw" not in game.can(BLACK)["can"]
    with pytest.raises(Illegal, match="not_your_turn"):
        game.do(BLACK, ClaimDraw())
    game.do(WHITE, ClaimDraw())
    assert game.end == ("threefold", None)


@pytest.mark.parametrize("variant", ["classic", "alice", "dark"])
def test_five_times_the_same_position_is_a_draw_unasked(variant: str) -> None:
    game = Game(variant).play(BACK_AND_FORTH * 3).play("g1f3 g8f6 f3g1")
    assert game.end == (None, None)
    assert game.play("f6g8").end == ("fivefold", None)


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("classic", "7k/8/8/8/8/8/R7/K7 w - - {} 90"),
        ("alice", "7k/8/8/8/8/8/R7/K7|8/8/8/8/8/8/8/8 w - - {} 90"),
        ("dark", "7k/8/8/8/8/8/R7/K7 w - - {} 90"),
        ("horde", "8/8/8/7q/8/8/R7/K7 w - - {} 90 -"),
    ],
)
def test_moves_without_a_capture_or_a_pawn_are_counted(variant: str, fen: str) -> None:
    game = Game(variant, fen.format(99)).play("a2b2")
    assert not game.rules.result(game.state)
    if variant == "dark":
        assert game.view(BLACK).claimable is None
        with pytest.raises(Illegal, match="no_claims"):
            game.do(BLACK, ClaimDraw())
    else:
        game.do(BLACK, ClaimDraw())
        assert game.end == ("fifty", None)
    assert Game(variant, fen.format(149)).play("a2b2").end == ("seventy_five", None)


def test_mate_comes_before_seventy_five_moves() -> None:
    assert Game("classic", "7k/8/5KQ1/8/8/8/8/8 w - - 149 90").play("g6g7").end == ("mate", WHITE)


@pytest.mark.parametrize("variant", VARIANTS)
def test_both_agree_to_a_draw(variant: str) -> None:
    game = Game(variant)
    game.do(WHITE, OfferDraw())
    assert game.view(BLACK).draw_offer == "white"
    with pytest.raises(Illegal, match="offered_already"):
        game.do(WHITE, OfferDraw())
    game.do(BLACK, OfferDraw())
    assert game.end == ("agreement", None)


def test_an_offer_stands_over_ones_own_move_and_falls_with_the_answer() -> None:
    game = Game()
    game.do(WHITE, OfferDraw())
    game.play("e2e4")
    assert game.view(BLACK).draw_offer == "white"
    game.play("e7e5")
    assert game.view(BLACK).draw_offer is None
    game.do(WHITE, OfferDraw())
    game.do(BLACK, DeclineDraw())
    with pytest.raises(Illegal, match="no_offer"):
        game.do(BLACK, DeclineDraw())
    with pytest.raises(Illegal, match="offered_already"):
        game.do(WHITE, OfferDraw())
    game.play("g1f3 g8f6")
    game.do(WHITE, OfferDraw())
    assert game.state.draw_offer == WHITE


@pytest.mark.parametrize("variant", VARIANTS)
def test_who_gives_up_loses(variant: str) -> None:
    game = Game(variant)
    game.do(WHITE, Leave())
    assert game.end == ("resigned", BLACK)
    result = game.rules.result(game.state)
    assert result is not None
    assert result.ranks == {WHITE: 2, BLACK: 1}
    with pytest.raises(Illegal, match="over"):
        game.do(BLACK, Leave())


@pytest.mark.parametrize(
    ("variant", "fen", "late", "end"),
    [
        ("classic", None, WHITE, ("time", BLACK)),
        ("classic", "7k/8/8/8/8/8/R7/K7 w - - 0 1", WHITE, ("time_without_material", None)),
        ("classic", "7k/8/8/8/8/8/R7/K7 b - - 0 1", BLACK, ("time", WHITE)),
        ("alice", "7k/8/8/8/8/8/R7/K7|8/8/8/8/8/8/8/8 w - - 0 1", WHITE, ("time_without_material", None)),
        ("dark", "7k/8/8/8/8/8/R7/K7 w - - 0 1", WHITE, ("time", BLACK)),
        ("horde", "8/8/8/8/8/8/n7/K7 w - - 0 1", WHITE, ("time_without_material", None)),
        ("horde", "8/8/8/8/8/8/q7/4K3 w - - 0 1", WHITE, ("time", BLACK)),
        ("horde", "8/8/8/8/8/8/n7/K7 b - - 0 1", BLACK, ("time", WHITE)),
    ],
)
def test_whose_time_is_up_loses_unless_the_other_cannot_win(
    variant: str, fen: str | None, late: int, end: tuple[str, int | None]
) -> None:
    game = Game(variant, fen)
    game.do(CLOCK, Timeout(late))
    assert game.end == end


def test_a_single_turn_has_its_limit_in_live_games() -> None:
    game = Game(turn_limit=10 * MINUTE)
    game.at += 9 * MINUTE
    game.play("e2e4")
    game.at += 10 * MINUTE - 1
    assert game.ring() == []
    game.at += 1
    game.ring()
    assert game.end == ("turn_time", WHITE)


def test_who_stays_away_for_a_minute_of_a_live_game_loses() -> None:
    game = Game()
    game.do(BLACK, Away())
    assert game.view(WHITE).away == {2: game.at + MINUTE}
    game.at += MINUTE - 1
    assert game.ring() == []
    game.at += 1
    game.ring()
    assert game.end == ("absent", WHITE)


def test_who_comes_back_in_time_plays_on() -> None:
    game = Game()
    game.do(BLACK, Away())
    game.at += MINUTE - 1
    game.do(BLACK, Back())
    game.at += MINUTE
    assert game.ring() == []
    assert game.view(WHITE).away == {}


def test_a_move_shows_that_somebody_is_there() -> None:
    game = Game()
    game.do(WHITE, Away())
    game.play("e2e4")
    assert game.state.away == {}


def test_a_game_by_days_knows_neither_absence_nor_a_limit() -> None:
    game = Game(live=False)
    assert game.do(WHITE, Away()) == []
    game.at += 40 * 24 * 60 * MINUTE
    assert game.ring() == []
    assert game.view(WHITE).turn_until is None


def test_time_during_which_the_house_stood_still_is_given_back() -> None:
    game = Game(turn_limit=MINUTE)
    game.do(WHITE, Away())
    game.do(CLOCK, TimeGivenBack(5 * MINUTE))
    game.at += 5 * MINUTE
    assert game.ring() == []
    game.at += MINUTE
    game.ring()
    assert game.state.ended is not None


def test_every_reason_is_met_in_these_tests() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [reason for reason in typing.get_args(Reason) if f'"{reason}"' not in source] == []
