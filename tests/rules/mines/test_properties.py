"""What holds in every match, whoever clicks wherever."""

from __future__ import annotations

import contextlib
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.mines.matches import Match

from tablee.rules.contract import Away, Back, Illegal, Join
from tablee.rules.mines import Abandoned, Chord, Click, Finished, Flag, MineMoved, Opened, Unflag
from tablee.rules.mines.board import HIDDEN, MINE, least_clicks, mines_of, numbered, opening

WIDTH, HEIGHT = 6, 5

squares = st.tuples(st.integers(-1, WIDTH), st.integers(-1, HEIGHT))
deeds = st.one_of(
    st.builds(lambda xy: Click(*xy), squares),
    st.builds(lambda xy: Flag(*xy), squares),
    st.builds(lambda xy: Unflag(*xy), squares),
    st.builds(
        lambda xy, near: Chord(xy[0], xy[1], tuple(near)), squares, st.lists(squares, min_size=1, max_size=4)
    ),
    st.just(Away()),
    st.just(Back()),
    st.just(Join("Late")),
)
moves = st.lists(st.tuples(st.integers(1, 4), deeds, st.sampled_from([0, 100, 5_000, 31_000])), max_size=60)


def drawn(mines: set[int]) -> str:
    letters = ["*" if square in mines else "." for square in range(WIDTH * HEIGHT)]
    return "\n".join("".join(letters[y * WIDTH : (y + 1) * WIDTH]) for y in range(HEIGHT))


def played(mines: set[int], course: list[tuple[int, object, int]], seed: int) -> Match:
    match = Match(drawn(mines), seats=4).join("Ada", "Bob")
    match.rng = Random(seed)
    for seat, deed, wait in course:
        match.wait(wait)
        with contextlib.suppress(Illegal):
            match.play(seat, deed)  # type: ignore[arg-type]
    return match


boards = st.sets(st.integers(0, WIDTH * HEIGHT - 1), min_size=1, max_size=WIDTH * HEIGHT - 1)


@settings(deadline=None)
@given(boards, moves, st.integers(0, 2**32))
def test_what_is_shown_is_true_and_counted_once(
    mines: set[int], course: list[tuple[int, object, int]], seed: int
) -> None:
    state = played(mines, course, seed).state
    opened = [square for square, letter in enumerate(state.shown) if letter != HIDDEN]
    assert all(state.shown[square] == state.truth[square] for square in opened)
    assert state.opened == len(opened)
    hit = sum(state.shown[square] == MINE for square in opened)
    assert sum(player.mines for player in state.players) == hit
    assert sum(player.safe for player in state.players) == len(opened) - hit
    assert state.safe_left == len(state.truth) - state.mines - (len(opened) - hit)
    assert (state.ended == "cleared") == (state.safe_left == 0)


@settings(deadline=None)
@given(boards, moves, st.integers(0, 2**32))
def test_mines_are_never_more_or_fewer_and_the_numbers_fit_them(
    mines: set[int], course: list[tuple[int, object, int]], seed: int
) -> None:
    match = played(mines, course, seed)
    assert len(mines_of(match.state.truth)) == len(mines)
    assert match.state.truth == numbered(WIDTH, HEIGHT, mines_of(match.state.truth))
    assert sum(isinstance(fact, MineMoved) for fact in match.facts) <= 1


@settings(deadline=None)
@given(boards, moves, st.integers(0, 2**32))
def test_points_are_those_of_the_squares_times_the_multiplier_and_of_the_end(
    mines: set[int], course: list[tuple[int, object, int]], seed: int
) -> None:
    match = played(mines, course, seed)
    points = {player.seat: 0 for player in match.state.players}
    for fact in match.facts:
        if isinstance(fact, Opened):
            points[fact.seat] += sum(gained for *_, gained in fact.squares)
            times = {gained // (-10 if c < 0 else c or 1) for _, _, c, gained in fact.squares}
            assert len(times) == 1
            assert 1 <= times.pop() <= 4
        elif isinstance(fact, Finished):
            for seat in fact.best:
                points[seat] += 50
            for seat in fact.worst:
                points[seat] -= 50
        elif isinstance(fact, Abandoned):
            points = {seat: min(won, 0) for seat, won in points.items()}
    assert points == {player.seat: player.points for player in match.state.players}


@settings(deadline=None)
@given(boards, moves, st.integers(0, 2**32))
def test_active_players_are_counted_right_and_nobody_is_idle_unseen(
    mines: set[int], course: list[tuple[int, object, int]], seed: int
) -> None:
    state = played(mines, course, seed).state
    assert state.active == sum(player.active for player in state.players)
    assert (state.idle_since is None) == (state.active > 0)
    for player in state.players:
        assert all(state.shown[square] == HIDDEN for square in player.flags)


@settings(deadline=None)
@given(boards, moves, st.integers(0, 2**32))
def test_every_open_square_has_the_opener_who_was_told_of(
    mines: set[int], course: list[tuple[int, object, int]], seed: int
) -> None:
    match = played(mines, course, seed)
    openers = [ord(".")] * (WIDTH * HEIGHT)
    for fact in match.facts:
        if isinstance(fact, Opened):
            for x, y, _, _ in fact.squares:
                openers[y * WIDTH + x] = ord(str(fact.seat))
    assert bytes(openers) == match.state.openers


@settings(deadline=None)
@given(boards)
def test_the_least_clicks_open_everything_and_no_click_among_them_can_be_spared(mines: set[int]) -> None:
    truth = numbered(WIDTH, HEIGHT, mines)
    hidden = b"X" * len(truth)
    opened_by = {
        square: frozenset(opening(truth, hidden, [square], WIDTH, HEIGHT))
        for square, letter in enumerate(truth)
        if letter != MINE
    }
    # What one click opens is either opened by a larger one too, or there is no other way to it.
    needed = {
        opened for opened in opened_by.values() if not any(opened < more for more in opened_by.values())
    }
    assert frozenset().union(*needed) == frozenset(opened_by)
    for spared in needed:
        assert frozenset().union(*(needed - {spared})) != frozenset(opened_by)
    assert least_clicks(truth, WIDTH, HEIGHT) == len(needed)
