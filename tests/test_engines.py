"""An engine that is installed plays as the strongest robot; one that fails is replaced by our own."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from tests.rules.chess.games import BLACK, WHITE, Game

from tablee.engines import UciRobot, with_engines
from tablee.rules import GAMES
from tablee.rules.chess import Move

SPEAKS_UCI = """
for line in sys.stdin:
    word = line.split()[0] if line.strip() else ""
    if word == "uci":
        print("id name Tests", "uciok", sep="\\n", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print("bestmove ANSWER", flush=True)
    elif word == "quit":
        break
"""


def engine(folder: Path, program: str) -> str:
    """A program of its own, as an engine is."""
    file = folder / "engine"
    file.write_text(f"#!{sys.executable}\nimport sys\n{program}")
    file.chmod(0o755)
    return str(file)


@pytest.mark.parametrize(
    ("program", "plays_it"),
    [
        (SPEAKS_UCI.replace("ANSWER", "a2a3"), True),
        (SPEAKS_UCI.replace("ANSWER", "a2a5"), False),
        ("sys.exit(3)", False),
        ("print('nonsense', flush=True)", False),
    ],
)
def test_the_engines_move_is_played_if_it_can_be(tmp_path: Path, program: str, plays_it: bool) -> None:
    games = with_engines(GAMES, engine(tmp_path, program))
    robot = games["chess", "classic"].robots["master"]
    assert isinstance(robot, UciRobot)
    game = Game()
    legal = game.rules.legal(game.state, WHITE)
    action = robot.choose(game.view(WHITE), legal, Random(1))
    assert action is not None
    assert legal.allows(action)
    assert (action == Move("a2a3")) == plays_it
    assert robot.choose(game.view(BLACK), game.rules.legal(game.state, BLACK), Random(1)) is None


def test_only_the_strongest_of_classic_chess_asks_the_engine(tmp_path: Path) -> None:
    games = with_engines(GAMES, engine(tmp_path, SPEAKS_UCI))
    assert games.keys() == GAMES.keys()
    changed = {key for key in games if any(isinstance(r, UciRobot) for r in games[key].robots.values())}
    assert changed == {("chess", "classic")}
    assert [isinstance(r, UciRobot) for r in games["chess", "classic"].robots.values()] == [
        False,
        False,
        True,
    ]


def test_without_an_engine_the_games_are_as_they_were() -> None:
    assert with_engines(GAMES, "no-such-engine-anywhere") is GAMES
