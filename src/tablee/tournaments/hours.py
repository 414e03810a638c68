"""When a round begins and ends, as the plan says: pure."""

from __future__ import annotations

from tablee.clock import Instant
from tablee.tournaments.acts import TournamentState

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
DRAWN_AFTER = 3 * DAY
"""A game for two that runs on for so long after its round, and that no organiser has decided, is a draw."""


def start_of(state: TournamentState, number: int) -> Instant | None:
    """When a round begins; None while that is not known."""
    plan = state.plan
    if number <= len(plan.starts):
        return plan.starts[number - 1]
    if number == 1:
        return 0
    if plan.concurrent:
        return state.published[number - 2].at if number - 2 < len(state.published) else None
    before = state.published[number - 2] if number - 2 < len(state.published) else None
    if before is None or not before.closed_at:
        return None
    return before.closed_at + plan.pause * MINUTE


def check_in_at(state: TournamentState) -> Instant | None:
    """When the check-in opens by itself."""
    plan = state.plan
    if not plan.starts or not plan.check_in_minutes:
        return None
    return plan.starts[0] - plan.check_in_minutes * MINUTE


def end_of(state: TournamentState, number: int) -> Instant:
    """When a round by days is over."""
    return state.published[number - 1].at + state.plan.round_days * DAY
