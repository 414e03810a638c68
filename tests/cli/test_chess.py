"""`tablee chess` from the shell."""

from __future__ import annotations

import json
import sys

import pytest

from tablee.cli import main


def tablee(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command; its exit status."""
    monkeypatch.setattr(sys, "argv", ["tablee", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["classic", "0"], 1),
        (["classic", "3"], 8902),
        (["alice", "2", "--moves", "e2e4 d7d5"], 974),
        (["dark", "1", "--fen", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "--moves", "e2e8"], 0),
        (["dark", "3", "--fen", "8/8/8/8/8/8/4R3/4K3 b - - 0 1"], 0),
        (["alice", "1", "--moves", "e2e4 e7e5 d1h5 g7g6 h5e5"], 0),
        (["horde", "1", "--fen", "8/8/8/8/8/8/3p4/4K3 w - - 0 1 -", "--moves", "e1d2"], 0),
        (["horde", "1", "--fen", "8/pppp4/8/8/8/8/4PPPP/4K3 b - - 0 1 ad"], 6),
        (["classic", "1", "--fen", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "--moves", "A7A8h"], 3),
        (["classic", "1", "--fen", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "--moves", "a7a8n"], 3),
    ],
)
def test_perft_ends_with_the_count(
    arguments: list[str], count: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "chess", "perft", *arguments) == 0
    assert int(capsys.readouterr().out.split()[-1]) == count


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["classic", "1", "--moves", "e2e5"], "e2e5 is not legal"),
        (["classic", "1", "--moves", "e2e4 e2e4"], "e2e4 is not legal"),
        (["dark", "1", "--fen", "8/8/8/8/8/8/4R3/4K3 b - - 0 1", "--moves", "e8e7"], "is not legal"),
        (
            ["dark", "1", "--fen", "4k3/p7/8/8/8/8/4R3/4K3 w - - 0 1", "--moves", "e2e8 a7a6"],
            "a7a6 is not legal",
        ),
        (["alice", "1", "--moves", "e2e4 e7e5 d1h5 g7g6 h5e5 e8e7"], "e8e7 is not legal"),
        (["horde", "1", "--moves", "a2a3 h5h3"], "h5h3 is not legal"),
        (["classic", "1", "--fen", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "--moves", "a7a8"], "a7a8 is not legal"),
        (["classic", "1", "--moves", "castle"], "is not a move"),
        (["bughouse", "1"], "no variant “bughouse”"),
        (["classic", "1", "--fen", "nonsense"], "is no FEN of classic"),
        (["alice", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"], "two boards"),
        (["classic", "1", "--fen", "8/8/8/8/8/8/8/4K3 w - - 0 1"], "0 kings"),
    ],
)
def test_what_cannot_be_counted_ends_in_a_sentence_and_status_one(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert tablee(monkeypatch, "chess", "perft", *arguments) == 1
    assert sentence in capsys.readouterr().err


def test_measure_says_how_many_games_were_won(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["chess", "measure", "dark", "--games", "2", "--robot", "beginner", "--jobs", "1"]
    assert tablee(monkeypatch, *arguments, "--json") == 0
    measured = json.loads(capsys.readouterr().out)
    assert measured["won"] + measured["drawn"] + measured["lost"] == 2
    assert tablee(monkeypatch, *arguments) == 0
    assert "beginner in dark:" in capsys.readouterr().out
    assert tablee(monkeypatch, "chess", "measure", "dark", "--robot", "nobody") == 1
    assert tablee(monkeypatch, "chess", "measure", "nothing") == 1
