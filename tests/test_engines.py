"""An engine that is installed plays as the strongest robot; one that fails is replaced by our own."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from tests.rules.chess.games import BLACK, WHITE, Game

from tablee.engines import FAILURES_MOST, UciJudge, UciRobot, found, with_engines
from tablee.rules import GAMES, Games
from tablee.rules.chess import ChessRules, Move
from tablee.rules.chess.analysis import analyse
from tablee.rules.chess.boards import BOARDS, read_move
from tablee.rules.chess.review import HouseJudge, looked_at, review

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
    nowhere = "no-such-engine-anywhere"
    assert dict(with_engines(GAMES, nowhere, nowhere)) == dict(GAMES)
    assert rules_of("classic").judge.is_weak


JUDGES_UCI = SPEAKS_UCI.replace(
    'print("bestmove ANSWER", flush=True)',
    'print("info depth 9 score cp 55 nodes 9 pv ANSWER", "bestmove ANSWER", sep="\\n", flush=True)',
)


def rules_of(variant: str, games: Games = GAMES) -> ChessRules:
    rules = games["chess", variant]
    assert isinstance(rules, ChessRules)
    return rules


@pytest.mark.parametrize(
    ("program", "score"),
    [
        (JUDGES_UCI.replace("ANSWER", "a2a3"), 55),
        (JUDGES_UCI.replace("ANSWER", "a2a5"), None),
        ("sys.exit(3)", None),
    ],
)
def test_an_engine_judges_and_where_it_fails_the_house_does(
    tmp_path: Path, program: str, score: int | None
) -> None:
    judge = UciJudge(engine(tmp_path, program), "Tests")
    board = BOARDS["classic"]()
    [verdict] = judge.verdicts([board])
    assert (verdict.score == score) if score else (verdict == looked_at(board))


START = BOARDS["classic"].starting_fen


def test_an_engine_that_fails_again_and_again_is_asked_no_more_and_the_review_says_that_it_is_weak(
    tmp_path: Path,
) -> None:
    begun = tmp_path / "begun"
    judge = UciJudge(engine(tmp_path, f"open({str(begun)!r}, 'a').write('x')\nsys.exit(3)"), "Tests")
    seen = review("classic", START, ["e2e4", "e7e5", "g1f3", "b8c6"], judge, lambda done: None)
    assert (seen.judge, seen.is_weak, seen.unaided) == (HouseJudge().name, True, 0)
    assert len(begun.read_text()) == FAILURES_MOST


def test_a_review_says_how_many_positions_its_engine_could_not_judge(tmp_path: Path) -> None:
    judge = UciJudge(engine(tmp_path, JUDGES_UCI.replace("ANSWER", "a2a3")), "Tests")
    seen = review("classic", START, ["e2e4", "a7a6", "a2a3"], judge, lambda done: None)
    # Of White's two positions both know a2a3; of Black's two neither does.
    assert (seen.judge, seen.is_weak, seen.unaided) == ("Tests", False, 2)


def test_the_advice_in_a_position_is_an_engines_where_there_is_one(tmp_path: Path) -> None:
    judge = UciJudge(engine(tmp_path, JUDGES_UCI.replace("ANSWER", "a2a3")), "Tests")
    advice = analyse("classic", START, [], [], judge).advice
    assert advice is not None
    assert (advice.judge, advice.is_weak, advice.move, advice.score) == ("Tests", False, "a2a3", 55)
    for other, after in ((HouseJudge(), []), (judge, ["e2e4"])):  # where it cannot tell, the house does
        advice = analyse("classic", START, [], after, other).advice
        assert advice is not None
        assert (advice.judge, advice.is_weak) == (HouseJudge().name, True)


@pytest.mark.skipif(found("stockfish") is None, reason="no Stockfish on this machine")
def test_stockfish_finds_the_blunder_of_a_game() -> None:
    played = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
    rules = rules_of("classic", with_engines(GAMES))
    seen = review("classic", BOARDS["classic"].starting_fen, played, rules.judge, lambda done: None)
    assert (seen.judge, seen.is_weak) == ("Stockfish", False)
    [blunder] = [slip for slip in seen.slips if slip.kind == "blunder"]
    assert (blunder.ply, blunder.better[0]) == (6, "g6")
    assert seen.curve[6].wins_in == 1


@pytest.mark.skipif(found("fairy-stockfish") is None, reason="no Fairy-Stockfish on this machine")
def test_fairy_stockfish_is_told_our_horde_and_not_where_it_would_play_another() -> None:
    rules = rules_of("horde", with_engines(GAMES))
    start = BOARDS["horde"]()
    arrived = BOARDS["horde"]("8/p7/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1 -")
    told, ours = rules.judge.verdicts([start, arrived])
    assert start.may_play(read_move(told.line[0]))
    assert len(told.line) > 1, "an engine gives a line"
    assert ours == looked_at(arrived), "a pawn that came to rank 7 may not step twice, which it does not know"
