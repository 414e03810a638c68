"""What a seat sees, hears and may do."""

from __future__ import annotations

from random import Random

from tests.rules.mines.matches import NOON, Match

from tablee.rules import rules_of
from tablee.rules.contract import MASTER, SPECTATOR
from tablee.rules.mines import Chord, Click, ClockMoved, Flag, Laid, MineMoved, Missed, Unflag

BOARD = """
*....
.....
....*
"""
RULES = rules_of("mines", "custom")


def test_a_view_has_what_a_host_tells_of_each_player() -> None:
    match = Match(BOARD).join("Ada", "Bob", total=40)
    match.click(1, 1, 0)
    match.click(2, 0, 0)
    match.wait(30_000)
    match.click(1, 0, 1)
    view = RULES.view(match.state, 2)
    assert view["players"] == {
        "1": {
            "name": "Ada", "points": 3, "total": 43, "safe": 2, "mines": 0,
            "present": True, "active": True, "robot": False,
        },
        "2": {
            "name": "Bob", "points": -20, "total": 20, "safe": 0, "mines": 1,
            "present": True, "active": False, "robot": False,
        },
    }  # fmt: skip
    assert view["rows"] == {"0": "*1XXX", "1": "1XXXX", "2": "XXXXX"}
    assert (view["you"], view["multiplier"], view["safe_left"], view["completion"]) == (2, 1, 11, 20)


def test_only_the_master_sees_the_mines() -> None:
    match = Match(BOARD).join("Ada")
    assert RULES.view(match.state, MASTER)["truth"] == {"0": "*1000", "1": "11011", "2": "0001*"}
    for seat in (1, SPECTATOR):
        assert "truth" not in RULES.view(match.state, seat)
        assert "*" not in "".join(RULES.view(match.state, seat)["rows"].values())


def test_where_the_mines_lie_is_never_told() -> None:
    match = Match(BOARD).join("Ada")
    laid = match.facts[0]
    assert isinstance(laid, Laid)
    for fact in (laid, MineMoved(0, 1), ClockMoved(5)):
        for seat in (1, SPECTATOR, MASTER):
            assert RULES.tell(None, fact, match.state, seat) is None


def test_a_click_is_told_to_all_with_its_squares_and_its_points() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    (fact,) = match.click(1, 1, 0)
    told = {"is": "opened", "seat": 1, "squares": ((1, 0, 1, 2),), "points": 2}
    for seat in (1, 2, SPECTATOR):
        assert RULES.tell(None, fact, match.state, seat) == told


def test_a_miss_is_told_to_who_missed() -> None:
    state = Match(BOARD).join("Ada", "Bob").state
    fact = Missed(1, NOON, "late", 0, 0)
    assert RULES.tell(state, fact, state, 1) == {"is": "missed", "seat": 1, "reason": "late", "x": 0, "y": 0}
    assert RULES.tell(state, fact, state, 2) is None


def test_legal_actions_are_described_by_the_letters_they_can_be_done_on() -> None:
    match = Match(BOARD).join("Ada")
    assert RULES.legal(match.state, 1).describe() == {
        "click": {"on": "X"},
        "flag": {"on": "X"},
        "unflag": {"on": "F"},
        "chord": {"on": "012345678", "opens": "X"},
    }
    assert RULES.legal(match.state, 2).describe() == {}
    assert RULES.legal(match.state, SPECTATOR).sample(Random(1)) is None
    started = Match(BOARD, start=(4, 0), flags=False, chording=False).join("Ada")
    assert RULES.legal(started.state, 1).describe() == {"click": {"on": "X", "only": [4, 0]}}


def test_what_is_allowed_follows_the_board() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    match.play(1, Flag(0, 0))
    legal = RULES.legal(match.state, 1)
    assert legal.allows(Click(0, 1))
    assert not legal.allows(Click(1, 0))
    assert not legal.allows(Click(0, 0))
    assert not legal.allows(Click(-1, 0))
    assert legal.allows(Unflag(0, 0))
    assert not legal.allows(Unflag(0, 1))
    assert legal.allows(Chord(1, 0, ((0, 1), (1, 1))))
    assert not legal.allows(Chord(1, 0, ((0, 0),)))
    assert not legal.allows(Chord(1, 0, ((3, 0),)))
