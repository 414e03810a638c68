"""`tablee arena measure` from the shell."""

from __future__ import annotations

import json

import pytest
from tests.cli.test_arena import tablee

from tablee.cli import arena_games
from tablee.cli.arena_games import measure
from tablee.rules.arena import ArenaOptions
from tablee.rules.arena.match import Match


def test_measure_says_how_long_games_last_and_which_place_wins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["measure", "crossroads", "crown", "--games", "2", "--jobs", "1"]
    assert tablee(monkeypatch, *arguments, "--json") == 0
    measured = json.loads(capsys.readouterr().out)
    assert [(each["game"], each["players"]) for each in measured] == [
        (name, players) for name in ("crossroads", "crown") for players in (2, 3, 4)
    ]
    for each in measured:
        assert each["broken"] == 0
        assert sum(each["wins_by_place"]) == pytest.approx(1, abs=0.001)
        assert each["rounds_most"] >= each["rounds_median"] >= 1
        assert each["ended"] == {"finished": 2}
    assert tablee(monkeypatch, *arguments) == 0
    assert "wins by place" in capsys.readouterr().out


def test_one_robot_is_measured_against_another(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["measure", "crossroads", "--against", "random", "--games", "3", "--jobs", "1"]
    assert tablee(monkeypatch, *arguments, "--heroes", "--json") == 0
    (measured,) = json.loads(capsys.readouterr().out)
    assert measured["won_by_first"] == 1
    assert tablee(monkeypatch, *arguments) == 0
    assert "strong against random" in capsys.readouterr().out


def test_the_same_seeds_give_the_same_games_in_one_process_or_two() -> None:
    options = ArenaOptions()
    alone, together = (measure("crossroads", ["strong"] * 2, 4, 7, options, jobs) for jobs in (1, 2))
    assert (alone.rounds_mean, alone.wins_by_place, alone.decisions) == (
        together.rounds_mean,
        together.wins_by_place,
        together.decisions,
    )


def test_a_broken_rule_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    game = Match(1, {1: 1, 2: 2}, (1, 2), "finished", 3, 6, ["two pawns share a square"], [0.001])
    monkeypatch.setattr(arena_games, "_match", lambda *_: game)
    assert tablee(monkeypatch, "measure", "crossroads", "--players", "2", "--games", "1", "--jobs", "1") == 1
    assert "A rule was broken." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "There is no game “nowhere”. There are: standard"),
        (["--robot", "genius"], "There is no robot “genius”. There are: random, greedy, strong."),
        (["--against", "genius"], "There is no robot “genius”"),
        (["--against", "greedy", "--players", "3"], "--against is for two players."),
        (["crossroads", "--players", "5"], "The game “crossroads” is for 4 players at most."),
    ],
)
def test_what_cannot_be_measured_is_said(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert tablee(monkeypatch, "measure", *arguments, "--games", "1", "--jobs", "1") == 1
    assert sentence in capsys.readouterr().err
