"""What a host knows of a match: SPECTATOR's view, and what SPECTATOR is told after it; no mine of it."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from tablee.doors.minehive import wire
from tablee.doors.minehive.picture import Picture
from tablee.rules.contract import CLOCK, SPECTATOR, Action, Alarm, Away, Back, Illegal, Join, Leave, Seat
from tablee.rules.mines import MinesRules, MinesState
from tablee.rules.mines.model import ClassicOptions, Click


class Played:
    """A match by its rules alone, and the picture that a host keeps of it."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.rules = MinesRules()
        self.state: Any = None
        for fact in self.rules.setup(ClassicOptions(flags=False), [], 0, self.rng):
            self.state = self.rules.evolve(self.state, fact)
        self.picture = Picture(self._sent_view())

    def _sent_view(self) -> Any:
        return wire.view_of(wire.field_of(self.rules.view(self.state, SPECTATOR)))

    def play(self, seat: Seat, action: Action, at: int) -> None:
        """Play it, hand what SPECTATOR is told to the picture, and compare with what SPECTATOR sees."""
        try:
            facts = self.rules.decide(self.state, seat, action, at, self.rng)
        except Illegal:
            return
        told = []
        for fact in facts:
            before, self.state = self.state, self.rules.evolve(self.state, fact)
            told.append(self.rules.tell(before, fact, self.state, SPECTATOR))
        for heard in wire.facts_of(wire.field_of([fact for fact in told if fact is not None])):
            self.picture.take(heard)
        assert shown(self.picture) == shown(Picture(self._sent_view()))


def shown(picture: Picture) -> dict[str, Any]:
    names = ("best", "ended", "opened", "rows", "squares", "worst", "completion")
    players = [(seat, msgspec.structs.astuple(player)) for seat, player in picture.players.items()]
    return {"players": players, **{name: getattr(picture, name) for name in names}}


def comings(names: dict[Seat, str]) -> list[tuple[Seat, Action]]:
    return [(seat, Join(name, 100 * seat)) for seat, name in names.items()]


NAMES = {2: "Adil#", 1: "Aylin", 3: "Kévin"}


@pytest.mark.parametrize("seed", range(5))
def test_the_picture_kept_by_what_is_told_is_what_a_new_view_would_show(seed: int) -> None:
    match = Played(seed)
    for seat, action in comings(NAMES):
        match.play(seat, action, 0)
    at = 0
    while match.state.ended is None:
        at += match.rng.randrange(40_000)
        for name in sorted(match.rules.alarms(match.state)):
            if name != "abandon":
                match.play(CLOCK, Alarm(name), at)
        seat = match.rng.choice(list(NAMES))
        match.play(seat, match.rng.choice([Away(), Back(), Leave(), Click(99, 0)]), at)
        for _ in range(10):
            match.play(seat, Click(match.rng.randrange(30), match.rng.randrange(16)), at)
    assert match.state.ended == "cleared"
    assert match.picture.ended
    assert match.picture.best


def test_the_picture_of_a_match_that_was_given_up_has_the_points_that_are_left() -> None:
    match = Played(1)
    for seat, action in [*comings(NAMES), (1, Click(3, 3)), *[(seat, Away()) for seat in NAMES]]:
        match.play(seat, action, 0)
    match.play(CLOCK, Alarm("abandon"), 10**9)
    assert match.picture.ended
    assert [player.points for player in match.picture.players.values()] == [0, 0, 0]


def test_no_mine_goes_to_a_host_while_the_match_runs() -> None:
    match = Played(2)
    field = wire.field_of(match.rules.view(match.state, SPECTATOR))
    assert "#" not in field
    assert "*" not in field
    assert "truth" not in field
    state: MinesState = match.state
    assert state.truth.decode() not in field
