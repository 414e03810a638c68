"""A finished game looked through: curve, faults with the better line, accuracy; PGN in and out."""

from __future__ import annotations

import io
from random import Random

import chess.pgn
import pytest
from tests.rules.chess.games import Game

from tablee.rules.chess.boards import BOARDS, BadMove
from tablee.rules.chess.importing import read_game
from tablee.rules.chess.model import ChessOptions
from tablee.rules.chess.pgn import write_pgn
from tablee.rules.chess.review import HouseJudge, review
from tablee.rules.chess.rules import ChessRules
from tablee.rules.contract import SPECTATOR, Illegal

START = BOARDS["classic"].starting_fen
SCHOLAR = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


def test_the_blunder_of_a_game_is_found_with_what_was_better() -> None:
    told: list[int] = []
    found = review("classic", START, SCHOLAR.split(), HouseJudge(), told.append)
    assert told == list(range(1, 9))
    assert found.is_weak
    assert len(found.curve) == 8
    [blunder] = [slip for slip in found.slips if slip.kind == "blunder"]
    assert (blunder.ply, blunder.san) == (6, "Nf6")
    assert blunder.better
    assert found.curve[-1].wins_in == 0
    assert found.accuracy["white"] > found.accuracy["black"]


@pytest.mark.parametrize("variant", ["classic", "alice", "dark", "horde"])
def test_every_variant_can_be_looked_through(variant: str) -> None:
    rules = ChessRules(variant)
    game = Game(variant).play("e2e3")
    found = rules.review(game.view(0), lambda done: None)
    assert len(found.curve) == rules.review_steps(game.view(0)) == 2


def test_a_pgn_has_the_seven_tags_first_and_clocks_ratings_and_evaluations() -> None:
    game = Game("classic").play(SCHOLAR)
    found = review("classic", START, SCHOLAR.split(), HouseJudge(), lambda done: None)
    tags = {"White": "Ada", "WhiteElo": "1640", "TimeControl": "180+2", "Event": "Essai"}
    text = write_pgn(game.view(SPECTATOR), tags, {1: 181_000, 2: 3_661_999}, found)
    names = [line[1:].split(" ")[0] for line in text.splitlines() if line.startswith("[")]
    assert names[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    assert not read.errors
    assert read.headers["WhiteElo"] == "1640"
    first, second = list(read.mainline())[:2]
    assert (first.clock(), second.clock()) == (181.0, 3661.0)
    last = read.end().eval()
    assert last is not None


def test_what_the_house_writes_it_reads_and_foreign_games_too() -> None:
    for variant, moves in (("classic", SCHOLAR), ("alice", "e2e4 d7d5 f1e2"), ("horde", "e2e3 d4e3")):
        game = Game(variant).play(moves)
        found = read_game(write_pgn(game.view(SPECTATOR), {}))
        assert (found.variant, found.moves) == (variant, moves.split())
    foreign = (
        """[Event "x"]\n\n1. e4 {good} (1. d4 d5 (1... Nf6)) e5 $1 2. Nf3! Nc6 ; a remark\n3. Bb5 1/2-1/2"""
    )
    assert read_game(foreign).sans == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    position = "8/P6k/8/8/8/8/7K/8 w - - 0 1"
    assert read_game(position).start == position


@pytest.mark.parametrize(
    "text",
    ["", "1. e5", "nonsense", '[Variant "Atomic"]\n1. e4', "8/8/8/8/8/8/8/8 w - - 0 1", '[FEN "x/y"]\n'],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadMove, match=r"\w"):
        read_game(text)


def test_a_game_may_begin_with_another_position_and_is_not_rated_then() -> None:
    rules = ChessRules("classic")
    options = ChessOptions(start="8/P6k/8/8/8/8/7K/8 w - - 0 1")
    assert (rules.may_be_rated(options), rules.may_be_rated(ChessOptions())) == (False, True)
    [began] = rules.setup(options, (1, 2), 0, Random(1))
    state = rules.evolve(None, began)
    assert rules.view(state, 1).fen == options.start
    for wrong in ("x", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        with pytest.raises(Illegal, match="bad_position"):
            rules.setup(ChessOptions(start=wrong), (1, 2), 0, Random(1))
