"""A game season by season, from its facts: what was resolved, passed over, changed by the master, undone."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tablee.rules.contract import Fact, Instant
from tablee.rules.diplomacy.evolution import evolve
from tablee.rules.diplomacy.game import Adjudicated, DiplomacyState, PassedOver, Played, PositionSet, Undone
from tablee.rules.diplomacy.model import Season, Situation, Unit, Verdict
from tablee.rules.diplomacy.phases import centre_counts, year
from tablee.rules.diplomacy.variant import load_variant


class Passage(Struct, frozen=True):
    """One step of a game."""

    number: int
    """From 1, in the order in which it happened: it is never another's."""
    kind: Literal["adjudicated", "passed", "set", "undone"]
    advancement: int
    """The phase that was resolved or passed over; else the one that is open afterwards."""
    at: Instant
    before: Situation
    after: Situation
    verdicts: tuple[Verdict, ...] = ()
    destroyed: tuple[Unit, ...] = ()
    taken_back: bool = False
    """Whether the master has undone it since."""

    def played(self) -> Played:
        return Played(self.advancement, self.verdicts, self.destroyed, self.before, self.at, self.after)


class Chronicle:
    """Everything that happened to the position of a table, fact by fact."""

    def __init__(self) -> None:
        self.state: DiplomacyState | None = None
        self.passages: list[Passage] = []
        self.centres: dict[int, dict[int, int]] = {}
        """How many centres each role had at the end of a year; the year before the first is the start."""

    def take(self, fact: Fact, at: Instant) -> None:
        """The next fact of the log, and when it came."""
        before, self.state = self.state, evolve(self.state, fact)
        if before is None:
            self._count()
            return
        number, was, state = len(self.passages) + 1, before.situation, self.state
        match fact:
            case Adjudicated(advancement, verdicts, destroyed, after):
                found = Passage(number, "adjudicated", advancement, at, was, after, verdicts, destroyed)
            case PassedOver(advancement, after):
                found = Passage(number, "passed", advancement, at, was, after)
            case PositionSet(after, advancement):
                found = Passage(number, "set", advancement, at, was, after)
            case Undone(advancement):
                self._take_back(advancement)
                found = Passage(number, "undone", advancement, at, was, state.situation)
            case _:
                return
        self.passages.append(found)
        self._count()

    def _take_back(self, advancement: int) -> None:
        """Mark what was undone: from the adjudication of the phase that is open again, to the last."""
        for index in range(len(self.passages) - 1, -1, -1):
            passage = self.passages[index]
            self.passages[index] = replace(passage, taken_back=True)
            if passage.kind == "adjudicated" and passage.advancement == advancement:
                return

    def _count(self) -> None:
        """Note the centres as they are now, and forget the years that are yet to come again."""
        state = self.state
        assert state is not None
        variant = load_variant(state.variant)
        # Centres change hands in winter: before it they are still those of the year before.
        now = year(variant, state.advancement) - (state.advancement % 5 != Season.ADJUSTMENTS)
        self.centres = {each: counts for each, counts in self.centres.items() if each < now}
        self.centres[now] = centre_counts(variant, state.situation)
