"""`tablee robots` from the shell."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from tests.rules.robots.plain import board

from tablee.cli import main
from tablee.rules.robots.boards import shipped_boards

Capture = pytest.CaptureFixture[str]


def tablee(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command; its exit status."""
    monkeypatch.setattr(sys, "argv", ["tablee", "robots", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


def written(folder: Path, name: str, value: Any) -> str:
    file = folder / name
    file.write_bytes(msgspec.json.encode(value))
    return str(file)


def test_good_boards_show_their_figures(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert tablee(monkeypatch, "check", *shipped_boards()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" : ")[0] for line in lines] == list(shipped_boards())
    assert "mouvements par les trois lois" in lines[0]


def test_all_errors_of_all_files_are_said_and_the_status_is_1(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    bad = written(tmp_path, "bad.json", board(("presse", 3, 3), ("conv_eSsN", 5, 1)))
    fair = written(tmp_path, "fair.json", board())
    assert tablee(monkeypatch, "check", bad, fair, "cour", "--language", "en") == 1
    said = capsys.readouterr().out
    assert "✗ [3,3] The press is not used in this game." in said
    assert "✗ [5,1] This conveyor (conv_eSsN) leads off the board." in said
    assert "· 0 repair tiles near the way" in said
    assert f"{fair}: 5" in said or f"{fair}: 4" in said


def test_boards_are_checked_together_if_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    one = written(tmp_path, "one.json", board(("action", 4, 4)))
    assert tablee(monkeypatch, "check", one, one) == 0
    assert tablee(monkeypatch, "check", one, one, "--together", "--json") == 1
    checked = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [[trouble["code"] for trouble in each["errors"]] for each in checked] == [[], ["action_shared"]]
    assert checked[1]["figures"]["legs"][1] == 11
    assert tablee(monkeypatch, "check", "usine", "entrepot", "--together") == 0


def test_a_board_may_come_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    raw = io.TextIOWrapper(io.BytesIO(msgspec.json.encode(board())))
    monkeypatch.setattr(sys, "stdin", raw)
    assert tablee(monkeypatch, "check", "-") == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["check", "nowhere.json"], "nowhere.json cannot be read"),
        (["check", "{torn}"], "is no JSON"),
        (["draw", "{bad}"], "The press is not used"),
        (["draw", "cour", "--language", "de"], "There is no language “de”"),
        (["draw", "cour", "--out", "{folder}"], "cannot be written"),
        (["measure", "lune"], "There is no board “lune”"),
        (["measure", "--races", "0", "--plot", "x.svg"], "nothing to plot"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    tmp_path: Path,
) -> None:
    torn = tmp_path / "torn.json"
    torn.write_text("{")
    bad = written(tmp_path, "bad.json", board(("presse", 3, 3)))
    places = {"torn": torn, "bad": bad, "folder": tmp_path}
    assert tablee(monkeypatch, *[each.format(**places) for each in arguments]) != 0
    assert sentence in capsys.readouterr().err


def test_a_board_is_drawn_as_svg_or_as_text(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    out = tmp_path / "gare.svg"
    assert tablee(monkeypatch, "draw", "gare", "--out", str(out), "--starts", "--language", "en") == 0
    title = ElementTree.parse(out).findtext("{http://www.w3.org/2000/svg}title")
    assert title == "The marshalling yard"
    assert tablee(monkeypatch, "draw", "gare", "--text") == 0
    text = capsys.readouterr().out
    assert "nw→" in text
    assert "nid-de-poule" in text
    assert "'" not in text.partition("\n\n")[0]


def test_players_are_measured_alone_and_in_races(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    plot = tmp_path / "shares.svg"
    asked = [
        "measure",
        "cour",
        "--alone",
        "2",
        "--races",
        "4",
        "--players",
        "3",
        "--jobs",
        "1",
        "--seed",
        "5",
    ]
    assert tablee(monkeypatch, *asked, "--plot", str(plot), "--json") == 0
    measured = json.loads(capsys.readouterr().out)
    assert [(each["board"], each["robot"], each["games"]) for each in measured["alone"]] == [
        ("cour", "pilot", 2),
        ("cour", "apprentice", 2),
    ]
    assert all(each["most"] <= 25 and each["unfinished"] == 0 for each in measured["alone"])
    assert measured["together"][0]["races"] == 4
    assert sum(measured["shares"]["firsts"].values()) == 4
    assert list(measured["shares"]["firsts"]) == ["1", "2", "3"]
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    assert tablee(monkeypatch, *asked) == 0
    assert "First places in 4 races" in capsys.readouterr().out
