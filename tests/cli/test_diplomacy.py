"""`tablee diplomacy` from the shell."""

from __future__ import annotations

import io
import json
import sys
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tablee.cli import main

PROBLEM = """
[units]
France: A PAR, A MAR
Germany: A MUN, A RUH
[orders]
France
A PAR - BUR
A MAR S A PAR - BUR
Germany
A MUN - BUR
"""


def tablee(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command; its exit status."""
    monkeypatch.setattr(sys, "argv", ["tablee", "diplomacy", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


@pytest.fixture
def problem(tmp_path: Path) -> str:
    file = tmp_path / "problem.txt"
    file.write_text(PROBLEM)
    return str(file)


def test_solve_says_what_becomes_of_each_order_and_why(
    problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "solve", problem, "--language", "en") == 0
    printed = capsys.readouterr().out
    assert "G A MUN - BUR : bounced: attack 1 against A PAR - BUR with prevent strength 2" in printed
    assert "G A RUH H : holds with 1" in printed
    assert "France : A MAR, A BUR" in printed or "France : A BUR, A MAR" in printed


def test_solve_speaks_the_json_of_the_solver(
    problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "solve", problem, "--json") == 0
    form = json.loads(capsys.readouterr().out)
    assert form["situation_result"]["units"]["2"] == [[1, 17], [1, 37]]
    assert [verdict["outcome"] for verdict in form["verdicts"]] == [
        "succeeds",
        "succeeds",
        "bounces",
        "succeeds",
    ]
    assert form["active_roles"] == []


def test_report_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(PROBLEM))
    assert tablee(monkeypatch, "report", "-") == 0
    assert "A MUN - BUR ; (échec)" in capsys.readouterr().out


def test_legal_lists_orders(
    problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "legal", problem, "--role", "2") == 0
    printed = capsys.readouterr().out.splitlines()
    assert "A PAR S allemand A MUN - BUR" in printed
    assert not any(line.startswith("A MUN") for line in printed)
    assert tablee(monkeypatch, "legal", problem, "--role", "9") == 1


def test_replay_goes_from_phase_to_phase(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    moves = ("A MAR - SPA\nF BRE - MID", "F MID - POR", "+ F BRE\n+ A MAR")
    file.write_text("".join(f"[orders]\nFrance\n{orders}\n" for orders in moves))
    assert tablee(monkeypatch, "replay", str(file)) == 0
    printed = capsys.readouterr().out
    assert [phase in printed for phase in ("printemps 1901", "automne 1901", "Ajustements 1901")] == [
        True
    ] * 3
    assert "France : centres 5" in printed
    assert tablee(monkeypatch, "replay", str(file), "--json") == 0
    assert len(json.loads(capsys.readouterr().out)) == 3


def test_check_reads_variants_and_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "check", "standard") == 0
    assert "75 regions, 6 special coasts, 34 centres, 7 powers, 22 units" in capsys.readouterr().out
    assert tablee(monkeypatch, "check", "standard", "--json") == 0
    assert json.loads(capsys.readouterr().out)["year_zero"] == 1900
    file = tmp_path / "broken.txt"
    file.write_text("variant broken\n")
    assert tablee(monkeypatch, "check", str(file)) == 1
    assert "broken" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "arguments", "sentence"),
    [
        ("[orders]\nFrance\nA PAR - XXX", ("solve",), "“XXX” is not known"),
        ("[orders]\nFrance\nA PAR - XXX", ("replay",), "“XXX” is not known"),
        ("variant moon", ("report",), "There is no variant “moon”"),
        ("[orders]", ("solve", "--choices", "MOON"), "DATC or AFJD"),
        ("[orders]", ("solve", "--language", "de"), "fr or en"),
    ],
)
def test_what_is_wrong_is_said(
    text: str,
    arguments: tuple[str, ...],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    command, *options = arguments
    assert tablee(monkeypatch, command, "-", *options) == 1
    assert sentence in capsys.readouterr().err


def test_builds_keep_their_unit_in_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "winter.txt"
    file.write_text(
        "phase 4\n[units]\nR: A MOS\n[centres]\nR: MOS, STP, SEV\n[orders]\nRussia\n+ F STP/NC\n+ A SEV"
    )
    assert tablee(monkeypatch, "solve", str(file), "--json") == 0
    solved = json.loads(capsys.readouterr().out)
    assert [verdict["order"] for verdict in solved["verdicts"]] == [
        [6, 8, 80, 0, 0, 0, 2],
        [6, 8, 56, 0, 0, 0, 1],
    ]
    assert solved["situation_result"]["units"] == {"6": [[1, 39], [1, 56], [2, 80]]}
    assert tablee(monkeypatch, "legal", str(file), "--json") == 0
    legal = json.loads(capsys.readouterr().out)
    assert legal["61"] == [[6, 8, 61, 0, 0, 0, 1], [6, 8, 80, 0, 0, 0, 2], [6, 8, 81, 0, 0, 0, 2]]
    problem = {"advancement": 4, "situation": solved["situation_result"], "orders": legal["61"][1:2]}
    problem["situation"] = {"units": {"6": [[1, 39]]}, "ownerships": {"16": 6, "25": 6, "28": 6}}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(problem)))
    assert tablee(monkeypatch, "solve", "-", "--json") == 0
    again = json.loads(capsys.readouterr().out)
    assert again["situation_result"]["units"] == {"6": [[1, 39], [2, 80]]}


def test_json_explains_each_verdict_in_parts(
    problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tablee(monkeypatch, "solve", problem, "--json", "--language", "en") == 0
    bounced = json.loads(capsys.readouterr().out)["verdicts"][2]
    assert bounced["why"] == "bounced: attack 1 against A PAR - BUR with prevent strength 2"
    explanation = bounced["explanation"]
    assert (explanation["code"], explanation["numbers"]) == ("bounced-prevent", {"attack": 1, "prevent": 2})
    assert explanation["orders"]["against"] == [[2, 1, 47, 0, 17]]


def test_retreats_and_adjustments_are_told_in_the_reader_s_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "winter.txt"
    file.write_text("phase 4\n[units]\nF: A BUR, A MUN\n[centres]\nF: PAR\n[orders]\nFrance\n+ A PAR")
    assert tablee(monkeypatch, "solve", str(file)) == 0
    printed = capsys.readouterr().out
    assert "F + A PAR : invalide, ce rôle n’a rien à construire" in printed
    assert "F - A MUN : réussit, l’unité quitte le plateau" in printed
    assert tablee(monkeypatch, "solve", str(file), "--language", "en") == 0
    assert "F - A MUN : succeeds, the unit leaves the board" in capsys.readouterr().out


def test_draw_writes_a_picture_that_stands_alone(
    tmp_path: Path, problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "map.svg"
    assert (
        tablee(monkeypatch, "draw", "standard", "--out", str(out), "--names", "en", "--position", problem)
        == 0
    )
    root = ElementTree.fromstring(out.read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert out.read_text("utf-8").count('class="token"') == 4
    assert "Mid-Atlantic" in out.read_text("utf-8")
    assert tablee(monkeypatch, "draw", "lagune", "--names", "codes") == 0
    assert "APO" in capsys.readouterr().out


def test_draw_lays_out_a_variant_that_nobody_has_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = files("tablee.rules.diplomacy").joinpath("variants", "detroit.txt").read_text(encoding="utf-8")
    mine = tmp_path / "mine.txt"
    mine.write_text(source.replace("variant  detroit", "variant  mine"), encoding="utf-8")
    assert tablee(monkeypatch, "draw", str(mine)) == 0
    laid_out = capsys.readouterr().out
    assert "Fourche" in laid_out
    drawing = str(files("tablee.rules.diplomacy").joinpath("drawings", "detroit.txt"))
    assert tablee(monkeypatch, "draw", str(mine), "--drawing", drawing) == 0
    drawn = capsys.readouterr().out
    assert "Fourche" in drawn
    assert drawn != laid_out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("draw", "standard", "--names", "latin"), "There are no names “latin”"),
        (("draw", "nowhere"), "nowhere cannot be read"),
        (("draw", "lagune", "--drawing", "DETROIT"), "The regions of aba, aca"),
        (("draw", "standard", "--drawing", "PROBLEM"), "is no line of a drawing's head"),
        (
            ("draw", "detroit", "--position", "PROBLEM"),
            "is a position of the variant “standard”, not “detroit”",
        ),
        (("draw", "standard", "--out", "/nowhere/map.svg"), "/nowhere/map.svg cannot be written"),
    ],
)
def test_draw_says_what_is_wrong(
    arguments: tuple[str, ...],
    sentence: str,
    problem: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawing = str(files("tablee.rules.diplomacy").joinpath("drawings", "detroit.txt"))
    given = [{"PROBLEM": problem, "DETROIT": drawing}.get(word, word) for word in arguments]
    assert tablee(monkeypatch, *given) != 0
    assert sentence in capsys.readouterr().err.replace("\n", " ")
