"""The robots answer with what is allowed, beat a player who plays anything, and see only their view."""

from __future__ import annotations

from random import Random

import pytest
from tests.rules.chess.games import BLACK, WHITE, Game

from tablee.rules.chess import VARIANTS, AskTakeback, Move, OfferDraw
from tablee.rules.chess.match import play_match
from tablee.rules.chess.robot import STRENGTHS, imagined


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_club_player_beats_a_random_player(variant: str) -> None:
    games = [play_match(variant, STRENGTHS["player"], seed) for seed in range(2)]
    assert sum(game.points for game in games) >= 1.5


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_club_player_wins_ninety_five_of_a_hundred(variant: str) -> None:
    games = [play_match(variant, STRENGTHS["player"], seed) for seed in range(1, 101)]
    assert sum(game.points == 1 for game in games) >= 95


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_chance_gives_the_same_move(variant: str, strength: str) -> None:
    game = Game(variant)
    chosen = []
    for _ in range(2):
        legal = game.rules.legal(game.state, WHITE)
        action = game.rules.robots[strength].choose(game.view(WHITE), legal, Random(4))
        assert action is not None
        assert legal.allows(action)
        chosen.append(action)
    assert chosen[0] == chosen[1]
    nobody = game.rules.legal(game.state, BLACK)
    assert game.rules.robots[strength].choose(game.view(BLACK), nobody, Random(4)) is None


@pytest.mark.parametrize(
    ("variant", "fen", "move"),
    [
        ("classic", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7"),
        ("classic", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
        ("dark", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8"),
        ("horde", "8/8/8/8/8/8/3p4/4K3 w - - 0 1 -", "e1d2"),
    ],
)
@pytest.mark.parametrize("strength", ["player", "master"])
def test_a_win_in_one_is_taken(variant: str, fen: str, move: str, strength: str) -> None:
    game = Game(variant, fen)
    robot = game.rules.robots[strength]
    action = robot.choose(game.view(WHITE), game.rules.legal(game.state, WHITE), Random(1))
    assert isinstance(action, Move)
    game.do(WHITE, action)
    assert game.state.winner == WHITE
    assert action.move == move or game.state.ended == "mate"


def test_what_a_robot_of_dark_imagines_agrees_with_what_it_sees() -> None:
    for seed in range(30):
        rng = Random(seed)
        game = Game("dark")
        for _ in range(rng.randrange(40)):
            if not game.state.ended:
                game.play(rng.choice(game.rules.legal(game.state, game.state.turn).moves()))  # type: ignore[attr-defined]
        if game.state.ended:
            continue
        seat = game.state.turn
        board = imagined(game.view(seat), rng)
        color = game.state.color_of(seat)
        assert color is not None
        truth = game.view(seat).boards["1"]
        seen = truth.replace("?", "")
        assert sorted(letter for letter in seen if letter.isupper() == color and letter.isalpha()) == sorted(
            piece.symbol() for piece in board.piece_map().values() if piece.color == color
        )
        assert board.king(not color) is not None


def test_a_robot_in_its_turn_grants_a_takeback_and_takes_a_draw_when_it_stands_worse() -> None:
    game = Game().play("e2e4")
    game.do(WHITE, AskTakeback())
    robot = game.rules.robots["player"]
    answer = robot.choose(game.view(BLACK), game.rules.legal(game.state, BLACK), Random(1))
    assert answer == AskTakeback()
    game = Game("classic", "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1")
    game.do(WHITE, OfferDraw())
    answer = robot.choose(game.view(BLACK), game.rules.legal(game.state, BLACK), Random(1))
    assert answer == OfferDraw()
