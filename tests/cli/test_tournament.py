"""`tablee tournament` from the shell: a line of JSON in, a line out."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tablee.cli import main
from tablee.rules.diplomacy.scoring import SYSTEMS

END = {
    "centres": [10, 8, 6, 5, 5, 0, 0],
    "out": [None, None, None, None, None, 1904, 1906],
    "last_year": 1908,
    "ending": "years",
    "draw": None,
}


@pytest.fixture
def tablee(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command on some lines; its exit status and the lines it printed."""

    def run(*arguments: str, lines: list[Any] | bytes = b"") -> tuple[int, list[Any]]:
        text = (
            lines if isinstance(lines, bytes) else "".join(f"{json.dumps(each)}\n" for each in lines).encode()
        )
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        monkeypatch.setattr(sys, "argv", ["tablee", "tournament", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0), [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_ends_of_games_are_scored_line_by_line(tablee: Any) -> None:
    status, printed = tablee("score", "cdiplo", lines=[END, {**END, "ending": "draw"}])
    assert (status, printed) == (0, [{"scores": [49, 23, 14, 6, 6, 1, 1]}] * 2)
    status, printed = tablee("score", "manorcon", lines=[END])
    assert printed[0]["scores"][0] == pytest.approx(700 * 144 / 414, abs=1e-9)


def test_a_score_is_explained_term_by_term(tablee: Any) -> None:
    _, printed = tablee("score", "cdiplo", "--explain", lines=[END])
    assert printed[0]["terms"][0] == [
        {"term": "presence", "points": 1},
        {"term": "centres", "points": 10},
        {"term": "place", "points": 38},
    ]


def test_a_bad_line_is_answered_and_the_others_too(tablee: Any) -> None:
    good = json.dumps(END).encode()
    status, printed = tablee("score", "omg", lines=b"[1]\n" + good + b"\nnonsense\n\xff\xfe\n" + b"[" * 9999)
    assert status == 1
    assert [sorted(answer) for answer in printed] == [["error"], ["scores"], ["error"], ["error"], ["error"]]


def test_what_there_is_not_is_an_error_line_too(tablee: Any) -> None:
    assert tablee("score", "golf")[0] == tablee("pair", "love")[0] == 1
    status, printed = tablee("boards", "--players", "5", "--size", "7")
    assert (status, list(printed[0])) == (1, ["error"])
    status, printed = tablee("boards", "--players", "0", "--size", "99")
    assert printed == [{"error": "players is 0, not between 1 and 5000. size is 99, not between 2 and 10."}]


def test_the_systems_are_listed_with_their_names(tablee: Any) -> None:
    status, printed = tablee("systems", "--json")
    assert status == 0
    assert [each["id"] for each in printed[0]] == list(SYSTEMS)
    assert printed[0][0] == {
        "id": "cdiplo",
        "code": "CDIP",
        "fr": "C-Diplo",
        "en": "C-Diplo",
        "name": "C-Diplo",
    }


def test_rounds_are_paired(tablee: Any) -> None:
    first = {"rounds": 3, "round": 1, "players": [{"no": no} for no in range(1, 6)], "absent": {"2": "H"}}
    status, printed = tablee("pair", "house", lines=[first, {**first, "round": 2}])
    assert status == 1
    assert printed[0] == {"pairs": [[1, 4], [3, 5]], "bye": None}
    assert list(printed[1]) == ["error"]
    everybody = {"rounds": 5, "round": 1, "players": [{"no": no} for no in range(1, 6)]}
    assert tablee("pair", "round_robin", lines=[everybody])[1] == [{"pairs": [[2, 5], [3, 4]], "bye": 1}]


def test_boards_are_seated(tablee: Any) -> None:
    wish = ["--players", "16", "--size", "5", "--rounds", "2", "--seconds", "0.2", "--seed", "4"]
    status, printed = tablee("boards", *wish)
    assert status == 0
    for boards in printed[0]["rounds"]:
        assert [len(board) for board in boards] == [5, 5, 5]
    assert printed[0]["met"]["more"] == printed[0]["role_twice"] == 0


PLAN = """
game = "chess"
variant = "classic"
format = "swiss"
rounds = 4
players = { number = 9, away = 0.05 }
"""


def test_a_plan_is_tried_out(tablee: Any, tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(PLAN)
    status, [found] = tablee("simulate", str(file), "--runs", "3")
    assert status == 0
    assert (found["runs"], found["rounds"]["mean"], found["met_twice"]["most"]) == (3, 4, 0)
    assert found["byes"]["least"] >= 1
    assert -1 <= found["spearman"]["least"] <= found["spearman"]["most"] <= 1
    assert tablee("simulate", str(file), "--runs", "3")[1] == [found], "the same seeds, the same courses"


def test_boards_are_tried_out_with_points_of_the_game_and_with_robots(tablee: Any, tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        'game = "diplomacy"\nvariant = "lagune"\nformat = "boards"\nrounds = 2\npoints = "places"\n'
        "players = { number = 6 }\n"
    )
    _, [found] = tablee("simulate", str(file), "--runs", "1")
    assert (found["games"]["mean"], found["role_twice"]["most"]) == (4, 0)
    file.write_text(
        'game = "arena"\nvariant = "standard"\nformat = "boards"\nrounds = 1\nseats = 2\n'
        "players = { number = 2 }\n"
    )
    _, [found] = tablee("simulate", str(file), "--runs", "1", "--real")
    assert found["games"]["mean"] == 1


def test_a_knockout_is_tried_out_by_chance_and_in_a_real_house(tablee: Any, tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        PLAN.replace("swiss", "knockout").replace("rounds = 4", "best_of = 2\nthird_place = true")
    )
    _, [found] = tablee("simulate", str(file), "--runs", "3")
    assert (found["rounds"]["mean"], found["byes"]["mean"]) == (4, 7)
    assert found["games"]["least"] >= 18, "nine matches of two games at least"
    file.write_text('game = "arena"\nvariant = "crossroads"\nformat = "knockout"\nplayers = { number = 3 }\n')
    status, [found] = tablee("simulate", str(file), "--runs", "1", "--real")
    assert (status, found.get("rounds", found)) == (0, {"mean": 2, "least": 2, "most": 2})


def test_a_plan_that_does_not_hold_together_is_an_error_line(tablee: Any, tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    for text in (
        "no toml",
        "rounds = 3",
        PLAN.replace("= 4", "= 40"),
        PLAN.replace("= 9", "= 3"),
        PLAN + "x = 1",
    ):
        file.write_text(text)
        status, [found] = tablee("simulate", str(file), "--runs", "1")
        assert (status, list(found)) == (1, ["error"]), text
