"""How many rounds a tournament has: as its plan says, or as follows from who has come."""

from __future__ import annotations

from tablee.tournaments.pairing import knockout, round_robin
from tablee.tournaments.plan import Plan


def rounds_to_play(plan: Plan, entrants: int) -> int:
    if plan.format == "round_robin":
        return round_robin.rounds_of(entrants, plan.double)
    if plan.format == "knockout":
        return knockout.rounds_of(entrants)
    return plan.rounds
