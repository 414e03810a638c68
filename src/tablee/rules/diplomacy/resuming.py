"""A game of Diplomacy that goes on at another table, from the position of a phase and without dates."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from tablee.rules.contract import MASTER, Instant, Resumption, Seat
from tablee.rules.diplomacy.decision import victory_of
from tablee.rules.diplomacy.game import Began, DiplomacyOptions, DiplomacyState, PositionSet
from tablee.rules.diplomacy.variant import load_variant


def resumed(state: DiplomacyState, people: Collection[Seat], at: Instant) -> Resumption:
    """The roles as they were dealt, and the position; a role that had no player goes to the first seat."""
    seats = tuple(sorted(people))
    holders = tuple(seats[0] if holder == MASTER else holder for holder in state.holders)
    old = state.options
    options = DiplomacyOptions(choices=old.choices, victory=old.victory, cycles=old.cycles, sharing="any")
    if len(seats) <= len(holders):
        options = replace(options, sharing="fewer" if len(seats) > 1 else "any")
    board = load_variant(state.variant)
    victory = victory_of(state.variant, options)
    began = Began(state.variant, seats, holders, options, victory, board.start(), at)
    return Resumption(options, [began, PositionSet(state.situation, state.advancement, at)])
