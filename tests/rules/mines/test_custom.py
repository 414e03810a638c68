"""What the table of the page may choose: sizes, flags, chording, boards without guessing."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from tests.rules.mines.matches import NOON, Match

from tablee.rules import rules_of
from tablee.rules.contract import Illegal
from tablee.rules.mines import (
    Chord,
    Click,
    CustomMinesRules,
    CustomOptions,
    Flag,
    Flagged,
    Laid,
    Opened,
    Unflag,
    Unflagged,
)
from tablee.rules.mines.board import numbered, square_name
from tablee.rules.mines.noguess import is_solvable
from tablee.rules.mines.views import ToldFlagged

BOARD = """
*....
.....
....*
"""
RULES = CustomMinesRules()


def test_a_board_has_the_size_and_the_mines_that_were_chosen() -> None:
    (laid,) = RULES.setup(CustomOptions(width=12, height=7, mines=20, seats=3), (), NOON, Random(1))
    assert isinstance(laid, Laid)
    assert (laid.width, laid.height, len(laid.mines), laid.seats) == (12, 7, 20, 3)


def test_a_board_has_room_for_one_safe_square_at_least() -> None:
    RULES.setup(CustomOptions(width=5, height=5, mines=24), (), NOON, Random(1))
    with pytest.raises(Illegal, match="too_many_mines"):
        RULES.setup(CustomOptions(width=5, height=5, mines=25), (), NOON, Random(1))


@pytest.mark.parametrize("options", [{"width": 4}, {"height": 41}, {"seats": 0}, {"seats": 11}, {"depth": 3}])
def test_options_outside_their_bounds_are_no_options(options: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, CustomOptions)


def test_a_flag_is_seen_by_its_owner_alone() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    (fact,) = match.play(1, Flag(0, 0))
    assert fact == Flagged(1, NOON, 0, 0)
    assert RULES.view(match.state, 1).rows["0"] == "FXXXX"
    assert RULES.view(match.state, 2).rows["0"] == "XXXXX"
    assert RULES.tell(None, fact, match.state, 1) == ToldFlagged(1, 0, 0)
    assert RULES.tell(None, fact, match.state, 2) is None


def test_a_flag_protects_from_its_owners_clicks_only() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.play(1, Flag(1, 0))
    with pytest.raises(Illegal, match="flagged"):
        match.click(1, 1, 0)
    match.click(2, 1, 0)
    assert RULES.view(match.state, 1).rows["0"] == "X1XXX"
    player = match.state.player(1)
    assert player is not None
    assert player.flags == ()


def test_a_flag_can_be_taken_away() -> None:
    match = Match(BOARD).join("Ada")
    match.play(1, Flag(0, 0))
    assert match.play(1, Unflag(0, 0)) == [Unflagged(1, NOON, 0, 0)]
    with pytest.raises(Illegal, match="not_flagged"):
        match.play(1, Unflag(0, 0))


def test_a_table_may_do_without_flags_and_chording() -> None:
    match = Match(BOARD, flags=False, chording=False).join("Ada")
    with pytest.raises(Illegal, match="no_flags"):
        match.play(1, Flag(0, 0))
    match.click(1, 1, 0)
    with pytest.raises(Illegal, match="no_chording"):
        match.play(1, Chord(1, 0, ((0, 1),)))


def test_chording_opens_several_squares_in_one_fact() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    (opened,) = match.play(1, Chord(1, 0, ((0, 1), (1, 1))))
    assert opened == Opened(1, NOON, ((0, 1, 1, 1), (1, 1, 1, 1)))


def test_chording_on_a_wrong_flag_hits_the_mine() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    match.play(1, Chord(1, 0, ((0, 0), (0, 1))))
    assert match.points(1) == 1 - 10 + 1


def test_chording_passes_over_what_is_open_already() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.click(1, 1, 0)
    match.click(2, 0, 1)
    (opened,) = match.play(1, Chord(1, 0, ((0, 1), (1, 1))))
    assert isinstance(opened, Opened)
    assert [square[:2] for square in opened.squares] == [(1, 1)]
    with pytest.raises(Illegal, match="late"):
        match.play(1, Chord(1, 0, ((0, 1),)))


def test_chording_needs_squares_that_touch_one_open_number() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    for chord, code in [
        (Chord(1, 0, ((3, 0),)), "not_touching"),
        (Chord(1, 0, ((1, 0),)), "not_touching"),
        (Chord(1, 0, ((0, -1),)), "not_touching"),
        (Chord(2, 2, ((1, 1),)), "not_a_number"),
        (Chord(9, 9, ((1, 1),)), "out_of_range"),
    ]:
        with pytest.raises(Illegal, match=code):
            match.play(1, chord)
    match.play(1, Flag(0, 1))
    with pytest.raises(Illegal, match="flagged"):
        match.play(1, Chord(1, 0, ((0, 1),)))


def test_a_board_without_guessing_is_begun_where_it_says() -> None:
    options = CustomOptions(width=9, height=9, mines=14, no_guess=True)
    assert RULES.setup_is_slow(options)
    (laid,) = RULES.setup(options, (), NOON, Random(4))
    assert isinstance(laid, Laid)
    assert laid.start is not None
    x, y = laid.start
    assert is_solvable(numbered(9, 9, laid.mines), y * 9 + x, 9, 9)
    match = Match(BOARD, start=(4, 0)).join("Ada")
    with pytest.raises(Illegal, match="start_elsewhere"):
        match.click(1, 0, 0)
    assert RULES.view(match.state, 1).start == (4, 0)
    match.play(1, Click(4, 0))
    assert RULES.view(match.state, 1).start is None


def test_too_dense_a_board_without_guessing_is_refused_with_what_would_do() -> None:
    with pytest.raises(Illegal) as refused:
        RULES.setup(CustomOptions(width=9, height=9, mines=40, no_guess=True), (), NOON, Random(1))
    assert (refused.value.code, refused.value.parts) == ("no_guess_too_dense", {"most": 20})


@pytest.mark.parametrize(
    ("x", "y", "name"),
    [
        (0, 0, "A1"),
        (3, 10, "K4"),
        (59, 25, "Z60"),
        (0, 26, "AA1"),
        (4, 39, "AN5"),
        (-1, 5, "-1, 5"),
        (2, -900, "2, -900"),
    ],
)
def test_squares_are_named_by_row_and_column(x: int, y: int, name: str) -> None:
    assert square_name(x, y) == name


def test_a_refusal_names_its_square() -> None:
    rules = rules_of("mines", "custom")
    for language, sentence in (("fr", "La case K4 porte votre drapeau"), ("en", "Square K4 bears your flag")):
        said = rules.words(language)["illegal.flagged"].format(x=3, y=10, square=square_name(3, 10))
        assert said.startswith(sentence)
