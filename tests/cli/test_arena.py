"""`tablee arena` from the shell."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.rules.arena.spoiling import OLD, SMALL, spoiled

from tablee.cli import main
from tablee.rules.arena.exporting import export
from tablee.rules.arena.loading import load, load_ours
from tablee.rules.arena.schema import schema


def tablee(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command; its exit status."""
    monkeypatch.setattr(sys, "argv", ["tablee", "arena", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    file = tmp_path / "faulty.json"
    file.write_text(json.dumps({"mine": spoiled(("board.number_arms", 1), ("trumps.1.cost", "free"))}))
    return str(file)


def test_check_says_what_a_game_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "check", "standard") == 0
    assert capsys.readouterr().out == (
        "standard: 8 arms × 4 columns, 9 rows (3 of the circle), 288 squares, 4 colours, "
        "28 cards in a deck, 11 trumps, 2 to 8 players.\n"
    )


def test_check_says_every_fault_in_the_language_asked_for(
    faulty: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "check", faulty) == 1
    told = capsys.readouterr().err
    assert "$.mine.board.number_arms\u00a0: trouvé 1\u00a0; attendu un entier d’au moins 2." in told
    assert '$.mine.trumps[1].cost\u00a0: trouvé "free"\u00a0; attendu un entier.' in told
    assert tablee(monkeypatch, "check", faulty, "--language", "en") == 1
    assert "$.mine.board.number_arms: found 1, expected an integer of at least 2." in capsys.readouterr().err


def test_check_speaks_json_to_a_program(
    faulty: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "check", faulty, "--json", "--language", "en") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == {}
    assert told["faults"][0] == {
        "path": "$.mine.board.number_arms",
        "found": "1",
        "expected": "an integer of at least 2",
    }


def test_check_exports_old_spellings_in_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "old.json"
    file.write_text(json.dumps(OLD))
    assert tablee(monkeypatch, "check", str(file), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["faults"] == []
    assert told["games"] == {"old": export(load(SMALL, "mine")["mine"])}


def test_check_remarks_on_what_nobody_can_reach_or_pay(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = spoiled(("board.inner_circle_colors", []), ("board.svg.lines.1", []), ("trumps.1.cost", 41))
    del cut["board"]["svg"]
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps({"cut": cut})))
    assert tablee(monkeypatch, "check", "-", "--language", "en") == 0
    printed = capsys.readouterr().out
    assert "No card ever brings a pawn to its aim: walls are between." in printed
    assert "Wind costs 41; a gauge holds 40." in printed


def test_check_warns_of_what_is_left_aside_and_is_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "heroes.json"
    file.write_text(json.dumps(spoiled(("powers", {}), ("number_trumps_per_player", 4))))
    assert tablee(monkeypatch, "check", str(file), "--language", "en") == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("heroes: 2 arms")
    assert "2 warnings" in printed.err
    assert "$.powers: left aside; expected here is one of these keys: colors, board" in printed.err
    assert tablee(monkeypatch, "check", str(file), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["path"] for each in told["warnings"]] == ["$.powers", "$.number_trumps_per_player"]
    file.write_text(json.dumps(spoiled(("powers", {}), ("colors", 3))))
    assert tablee(monkeypatch, "check", str(file), "--language", "en") == 1
    printed = capsys.readouterr()
    assert "1 warning" in printed.err
    assert "1 fault\n$.colors: found 3" in printed.err


def test_draw_writes_a_picture_that_stands_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "crown.svg"
    assert tablee(monkeypatch, "draw", "crown", "--out", str(file)) == 0
    assert len(list(ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}g"))) == 6
    assert tablee(monkeypatch, "draw", "crown") == 0
    assert capsys.readouterr().out == file.read_text()


def test_draw_gives_a_program_the_parts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "draw", "crossroads", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (len(told["turns"]), len(told["elements"]), len(told["colors"])) == (4, 21, 84)


def test_moves_lists_one_card_on_one_square(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = ["moves", "standard", "--card", "Queen", "--color", "BLUE", "--at", "0,7"]
    assert tablee(monkeypatch, *one, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"Queen BLUE 0,7": [[0, 5], [0, 6], [1, 7], [1, 8]]}
    assert tablee(monkeypatch, *one) == 0
    assert capsys.readouterr().out == "Queen BLUE 0,7: 0,5 0,6 1,7 1,8\n"


def test_moves_lists_all_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.json"
    file.write_text(json.dumps({"standard": export(load_ours("standard")), "small": SMALL}))
    assert tablee(monkeypatch, "moves", str(file), "--game", "standard", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) == 7 * 4 * 288
    assert all(squares == sorted(squares) for squares in found.values())
    assert sum(len(squares) for key, squares in found.items() if key.startswith("King BLUE")) == 544


def test_schema_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert tablee(monkeypatch, "schema") == 0
    assert json.loads(capsys.readouterr().out) == schema()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["check", "nowhere.json"], "nowhere.json cannot be read"),
        (["check", "standard", "--language", "de"], "There is no language “de”"),
        (["moves", "standard", "--card", "queen"], "There is no card “queen”. There are: Assassin, Bishop"),
        (["moves", "standard", "--color", "ALL"], "There is no colour “ALL”"),
        (["moves", "standard", "--at", "7"], "“7” is no square"),
        (["moves", "standard", "--at", "-1,2"], "“-1,2” is no square"),
        (["moves", "standard", "--at", "32,0"], "X goes to 31, Y to 8"),
        (["draw", "standard", "--game", "other"], "standard has no game “other”. It has: standard."),
        (["draw", "standard", "--out", "/nowhere/board.svg"], "/nowhere/board.svg cannot be written"),
    ],
)
def test_what_is_wrong_is_said(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert tablee(monkeypatch, *arguments) == 1
    assert sentence in capsys.readouterr().err


def test_a_file_of_several_games_or_with_faults_is_neither_drawn_nor_moved_on(
    tmp_path: Path, faulty: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.json"
    file.write_text(json.dumps({"one": SMALL, "two": OLD}))
    assert tablee(monkeypatch, "draw", str(file)) == 1
    assert "several games; say which with --game: one, two." in capsys.readouterr().err
    assert tablee(monkeypatch, "moves", faulty) == 1
    assert "$.mine.board.number_arms" in capsys.readouterr().err
