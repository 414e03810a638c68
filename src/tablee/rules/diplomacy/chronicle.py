"""A game season by season, as a seat was told it: what was resolved, passed over, set, undone."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tablee.rules.contract import MASTER, Fact, Instant
from tablee.rules.diplomacy.game import Played, Sealed
from tablee.rules.diplomacy.model import Order, Season, Situation, Unit, Verdict
from tablee.rules.diplomacy.phases import centre_counts, year
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import (
    ToldAdjudicated,
    ToldBegan,
    ToldOptionsChanged,
    ToldPassedOver,
    ToldPositionSet,
    ToldUndone,
)


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


class Correction(Struct, frozen=True):
    """Orders that the master gave for a role."""

    at: Instant
    advancement: int
    role: int
    orders: tuple[Order, ...]


class Chronicle:
    """Everything that happened to the position of a table, fact by fact as a seat was told it."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self.corrections: list[Correction] = []
        """Those that the seat was told of."""
        self.centres: dict[int, dict[int, int]] = {}
        """How many centres each role had at the end of a year; the year before the first is the start."""
        self.choices: Literal["DATC", "AFJD"] = "DATC"
        self._variant = ""
        self._advancement = 0
        self._situation = Situation()

    def take(self, told: Fact, at: Instant) -> None:
        """What the seat was told next, and when."""
        number, was, opened = len(self.passages) + 1, self._situation, self._advancement
        match told:
            case ToldBegan():
                self._variant, self.choices = told.variant, told.options.choices
                self._go_on(0, told.situation)
                return
            case ToldOptionsChanged():
                self.choices = told.options.choices
                return
            case Sealed(role, orders, by):
                if by == MASTER:
                    self.corrections.append(Correction(at, opened, role, orders))
                return
            case ToldAdjudicated(advancement, verdicts, destroyed, after):
                found = Passage(number, "adjudicated", advancement, at, was, after, verdicts, destroyed)
                opened = advancement + 1
            case ToldPassedOver(advancement, after):
                found = Passage(number, "passed", advancement, at, was, after)
                opened = advancement + 1
            case ToldPositionSet(after, opened):
                found = Passage(number, "set", opened, at, was, after)
            case ToldUndone(opened):
                found = Passage(number, "undone", opened, at, was, self._take_back(opened))
            case _:
                return
        self.passages.append(found)
        self._go_on(opened, found.after)

    def _take_back(self, advancement: int) -> Situation:
        """Mark what was undone, from the adjudication of the phase that is open again to the last.

        Answers the position before it.
        """
        for index in range(len(self.passages) - 1, -1, -1):
            passage = self.passages[index]
            self.passages[index] = replace(passage, taken_back=True)
            if passage.kind == "adjudicated" and passage.advancement == advancement:
                return passage.before
        raise ValueError(f"Phase {advancement} was never resolved, and is undone.")

    def _go_on(self, advancement: int, situation: Situation) -> None:
        """Note the centres as they are now, and forget the years that are yet to come again."""
        self._advancement, self._situation = advancement, situation
        variant = load_variant(self._variant)
        # Centres change hands in winter: before it they are still those of the year before.
        now = year(variant, advancement) - (advancement % 5 != Season.ADJUSTMENTS)
        self.centres = {each: counts for each, counts in self.centres.items() if each < now}
        self.centres[now] = centre_counts(variant, situation)
