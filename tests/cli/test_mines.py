"""`tablee mines` and `tablee fuzz` from the shell."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.conformance.pocket import PocketRules
from tests.conformance.test_kit import LeakyView

from tablee.cli import fuzz, main
from tablee.games import FoundGames
from tablee.rules import games_of
from tablee.rules.mines.board import numbered
from tablee.rules.mines.noguess import is_solvable


def tablee(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command; its exit status."""
    monkeypatch.setattr(sys, "argv", ["tablee", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


def test_solve_prints_the_chances_and_the_square_to_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.txt"
    board.write_text("mines 1\n001\n01X\n0XX\n")
    assert tablee(monkeypatch, "mines", "solve", str(board)) == 0
    printed = capsys.readouterr().out
    assert "100" in printed
    assert "Open 1, 2: safe. 2 safe square(s) in all." in printed


def test_solve_speaks_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.txt"
    board.write_text("1X\n1X\n")
    assert tablee(monkeypatch, "mines", "solve", str(board), "--mines", "1", "--json") == 0
    solved = json.loads(capsys.readouterr().out)
    assert solved["chances"] == [[1, 0, 0.5], [1, 1, 0.5]]
    assert solved["safe"] == []
    assert solved["mine"] == 0.5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1X\n1X", "How many mines are there?"),
        ("mines 1\n11\n11", "there is nothing to solve"),
        ("mines 5\n1X\n1X", "board.txt"),
        ("mines 1\n1Z", "“Z” is no square"),
    ],
)
def test_a_board_that_cannot_be_solved_ends_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    sentence: str,
) -> None:
    board = tmp_path / "board.txt"
    board.write_text(text)
    assert tablee(monkeypatch, "mines", "solve", str(board)) == 1
    assert sentence in capsys.readouterr().err


def test_a_file_that_is_not_there_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "mines", "solve", str(tmp_path / "no.txt")) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_a_board_without_guessing_comes_with_its_starting_square(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    size = ("--width", "9", "--height", "9", "--mines", "15")
    assert tablee(monkeypatch, "mines", "generate", *size, "--no-guess", "--start", "4,4", "--json") == 0
    board = json.loads(capsys.readouterr().out)
    assert board["start"] == [4, 4]
    text = "".join(board["rows"])
    truth = numbered(9, 9, [square for square, letter in enumerate(text) if letter == "*"])
    assert truth.decode() == text
    assert is_solvable(truth, 40, 9, 9)


def test_several_boards_are_made_one_a_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    size = ("--width", "5", "--height", "5", "--mines", "4")
    assert tablee(monkeypatch, "mines", "generate", *size, "--count", "3", "--seed", "7") == 0
    printed = capsys.readouterr().out
    assert [line for line in printed.splitlines() if line.startswith("seed")] == [
        "seed 7",
        "seed 8",
        "seed 9",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--width", "5", "--height", "5", "--mines", "25"), "24 mines at most"),
        (("--width", "9", "--height", "9", "--mines", "40", "--no-guess"), "20 mines at most"),
        (("--no-guess", "--start", "30,0"), "no square of this board"),
        (("--start", "3,0"), "--start goes with --no-guess"),
    ],
)
def test_a_board_that_cannot_be_made_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    assert tablee(monkeypatch, "mines", "generate", *arguments) == 1
    assert sentence in capsys.readouterr().err


def test_measure_counts_boards_and_times_decisions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "mines", "measure", "--boards", "4", "--jobs", "1", "--json") == 0
    measured = json.loads(capsys.readouterr().out)
    assert (measured["boards"], measured["first_seed"], measured["robot"]) == (4, 1, "exact")
    assert 0 <= measured["won"] <= 4
    assert measured["decisions"] > 4
    assert tablee(monkeypatch, "mines", "measure", "--robot", "psychic") == 1
    assert "There is no robot “psychic”" in capsys.readouterr().err


def test_fuzz_plays_at_least_one_game_and_says_what_it_saw(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz, "find_games", lambda: FoundGames(games_of(PocketRules()), ()))
    assert tablee(monkeypatch, "fuzz", "pocket", "--seconds", "0") == 0
    assert "pocket (standard) kept every promise." in capsys.readouterr().out
    assert tablee(monkeypatch, "fuzz", "pocket", "--seconds", "0.5", "--seed", "9", "--json") == 0
    (seen,) = json.loads(capsys.readouterr().out)
    assert (seen["first_seed"], seen["breach"]) == (9, None)
    assert seen["games"] > 0


def test_fuzz_fails_with_the_command_that_shows_the_breach_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz, "find_games", lambda: FoundGames(games_of(LeakyView()), ()))
    assert tablee(monkeypatch, "fuzz", "pocket", "--seconds", "0", "--seed", "3") == 1
    said = capsys.readouterr().err
    assert "leak in view" in said
    assert "tablee fuzz pocket --variant standard --seconds 0 --seed 3" in said


def test_a_game_that_is_not_there_cannot_be_fuzzed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "fuzz", "whist") == 1
    said = capsys.readouterr().err
    assert "There are:" in said
    assert "mines (classic), mines (custom)" in said
