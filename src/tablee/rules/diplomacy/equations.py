"""The DATC's equations (5.B) for a move, a support and a convoy, on what is decided so far.

A decision is 1, 0, or not known yet (−1). Strengths are computed as a least and a most from what is known;
an equation answers as soon as they leave no doubt.
"""

from __future__ import annotations

from collections.abc import Callable

from tablee.rules.diplomacy.convoys import joined
from tablee.rules.diplomacy.field import UNKNOWN, Field
from tablee.rules.diplomacy.variant import members


def move_judge(field: Field) -> Callable[[int], int]:
    """The equation of a move, bound to a field."""
    into, path, won, given, dest = field.into, field.path, field.won, field.given, field.dest
    role_at, supports, by_convoy = field.ground.role_at, field.supports, field.by_convoy

    def judge(region: int) -> int:
        way = path[region]
        if not way:
            return 0
        goal = dest[region]
        victim = role_at[goal]
        least = most = 1
        foreign_least = foreign_most = 1
        helpers = supports[region]
        if helpers:
            for helper in helpers:
                state = given[helper]
                if state:
                    most += 1
                    if state > 0:
                        least += 1
                    if role_at[helper] != victim:
                        foreign_most += 1
                        if state > 0:
                            foreign_least += 1
        against_least = against_most = 0
        onward = dest[goal]
        rival = 0
        if victim:
            if victim == role_at[region]:
                foreign_least = foreign_most = 0
            if onward:
                if onward == region and not by_convoy[region] and not by_convoy[goal]:
                    # Head to head: against the other's move, whatever becomes of it.
                    least, most = foreign_least, foreign_most
                    against_least = against_most = 1
                    helpers = supports[goal]
                else:
                    if not by_convoy[goal] and not by_convoy[onward] and dest[onward] == goal:
                        rival = onward
                    helpers = None
                    state = won[goal]
                    if state < 0:
                        least, against_most = foreign_least, 1
                    elif not state:
                        least, most = foreign_least, foreign_most
                        against_least = against_most = 1
            else:
                least, most = foreign_least, foreign_most
                against_least = against_most = 1
                helpers = supports[goal]
            if helpers and against_most:
                for helper in helpers:
                    state = given[helper]
                    if state:
                        against_most += 1
                        if state > 0:
                            against_least += 1
        if most <= against_least:
            return 0
        if way < 0:
            least = 0
        certain = least > against_most
        attackers = into[goal]
        if len(attackers) > 1:  # type: ignore[arg-type]
            for other in attackers:  # type: ignore[union-attr]
                if other == region:
                    continue
                way = path[other]
                if not way:
                    continue
                prevent_least = prevent_most = 1
                helpers = supports[other]
                if helpers:
                    for helper in helpers:
                        state = given[helper]
                        if state:
                            prevent_most += 1
                            if state > 0:
                                prevent_least += 1
                if way < 0:
                    prevent_least = 0
                if other == rival:
                    # It fights head to head with the unit there; if it loses, it prevents nobody.
                    state = won[goal]
                    if state > 0:
                        continue
                    if state:
                        prevent_least = 0
                if most <= prevent_least:
                    return 0
                if least <= prevent_most:
                    certain = False
        return 1 if certain else UNKNOWN

    return judge


def judge_support(field: Field, region: int) -> int:
    """Whether the support given from here counts."""
    role, source = field.ground.role_at[region], field.target[region]
    state = 1
    for attacker in field.into[region] or ():
        if field.ground.role_at[attacker] == role:
            continue
        harm = field.won[attacker] if attacker == source else field.path[attacker]
        if harm > 0:
            return 0
        if harm:
            state = UNKNOWN
    return state


def judge_path(field: Field, army: int) -> int:
    """Whether a chain of fleets that are not dislodged carries this army."""
    safe = possible = field.convoys.get(army, 0)
    for fleet in members(safe):
        for attacker in field.into[fleet] or ():
            state = field.won[attacker]
            if state:
                safe &= ~(1 << fleet)
                if state > 0:
                    possible &= ~(1 << fleet)
    if not joined(field.variant, possible, army, field.dest[army]):
        return 0
    return 1 if joined(field.variant, safe, army, field.dest[army]) else UNKNOWN
