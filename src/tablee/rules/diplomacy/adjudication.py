"""Which moves succeed: the DATC's equations (5.B) with partial information.

A decision is 1, 0, or not known yet (−1). Strengths are computed as a least and a most from what is known;
a decision falls as soon as they leave no doubt. What stays open depends on itself: the innermost such knot
is tried both ways, and where it has exactly one solution that is taken, otherwise moves in a circle succeed
and convoys in a paradox fail (Szykman, DATC 4.A.2 d).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from tablee.rules.diplomacy.convoys import joined
from tablee.rules.diplomacy.field import UNKNOWN, Field
from tablee.rules.diplomacy.variant import members

WON, GIVEN, PATH = 0, 1, 2
Decision = tuple[int, int]
"""Which of the three, and the region of the unit it is about."""


def settle(field: Field) -> None:
    """Fill in `won`, `given` and `path` of every order on the field."""
    into, path, won, given, dest = field.into, field.path, field.won, field.given, field.dest
    role_at, target = field.ground.role_at, field.target

    uncertain: list[int] = []
    """Armies whose chain of convoys may be broken."""
    for army, fleets in field.convoys.items():
        if field.by_convoy[army] and path[army]:
            safe = fleets
            for fleet in members(fleets):
                if into[fleet]:
                    safe &= ~(1 << fleet)
            if safe != fleets and not joined(field.variant, safe, army, dest[army]):
                path[army] = UNKNOWN
                uncertain.append(army)

    doubtful: list[int] = []
    """Supporters of whom it is not clear at once whether they are cut."""
    for region in field.supporting:
        attackers = into[region]
        if attackers is None:
            given[region] = 1
            continue
        state = 1
        role, source = role_at[region], target[region]
        for attacker in attackers:
            if role_at[attacker] != role and path[attacker]:
                if attacker != source and path[attacker] > 0:
                    state = 0
                    break
                state = UNKNOWN
        given[region] = state
        if state < 0:
            doubtful.append(region)

    open_moves: list[int] = []
    for region in field.movers:
        if path[region] == 1:
            goal = dest[region]
            if not role_at[goal] and len(into[goal]) == 1:  # type: ignore[arg-type]
                won[region] = 1
                continue
        elif not path[region]:
            continue
        won[region] = UNKNOWN
        open_moves.append(region)
    if not open_moves:
        return

    judge = move_judge(field)
    while True:
        waiting = []
        for region in open_moves:
            verdict = judge(region)
            if verdict < 0:
                waiting.append(region)
            else:
                won[region] = verdict
        if not waiting and not doubtful and not uncertain:
            return
        progress = len(waiting) < len(open_moves)
        open_moves = waiting
        if doubtful:
            for region in doubtful:
                given[region] = judge_support(field, region)
            still = [region for region in doubtful if given[region] < 0]
            progress = progress or len(still) < len(doubtful)
            doubtful = still
        if uncertain:
            for region in uncertain:
                path[region] = judge_path(field, region)
            still = [region for region in uncertain if path[region] < 0]
            progress = progress or len(still) < len(uncertain)
            uncertain = still
        if not open_moves and not doubtful and not uncertain:
            return
        if not progress:
            _untie(field, open_moves, doubtful, uncertain)
            open_moves = [region for region in open_moves if won[region] < 0]
            doubtful = [region for region in doubtful if given[region] < 0]
            uncertain = [region for region in uncertain if path[region] < 0]


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


# --- what depends on itself -----------------------------------------------------------------------------


def _untie(field: Field, moves: list[int], supports: list[int], armies: list[int]) -> None:
    """Decide the innermost knot among decisions that wait for each other."""
    knot = _innermost(
        field, [(WON, r) for r in moves] + [(GIVEN, r) for r in supports] + [(PATH, r) for r in armies]
    )
    solutions = list(islice(_solutions(field, knot), 3))
    for which, region in knot:
        _values(field, which)[region] = UNKNOWN
    stuck = [region for which, region in knot if which == PATH]
    if len(solutions) == 1 or (solutions and not stuck):
        # Several solutions without a convoy are a circle of moves, which succeeds (DATC 5.E).
        best = max(solutions, key=lambda solution: sum(solution.values()))
        for (which, region), value in best.items():
            _values(field, which)[region] = value
    else:
        for region in stuck:
            field.path[region] = 0
            field.paradox.add(region)


def _values(field: Field, which: int) -> list[int]:
    return (field.won, field.given, field.path)[which]


def _judge(field: Field, judge: Callable[[int], int], decision: Decision) -> int:
    which, region = decision
    if which == WON:
        return judge(region)
    return judge_support(field, region) if which == GIVEN else judge_path(field, region)


def _needs(field: Field, decision: Decision) -> Iterator[Decision]:
    """The decisions that appear in the equation of this one."""
    which, region = decision
    if which == PATH:
        for fleet in members(field.convoys.get(region, 0)):
            yield from ((WON, attacker) for attacker in field.into[fleet] or ())
    elif which == GIVEN:
        for attacker in field.into[region] or ():
            yield (WON, attacker) if attacker == field.target[region] else (PATH, attacker)
    else:
        goal = field.dest[region]
        yield (PATH, region)
        yield (WON, goal)
        for unit in (region, goal, *(field.into[goal] or ())):
            yield (PATH, unit)
            yield from ((GIVEN, helper) for helper in field.supports[unit] or ())


def _innermost(field: Field, decisions: list[Decision]) -> list[Decision]:
    """A set of open decisions that need each other and no other open one."""
    judge = move_judge(field)
    needs = {decision: _matter(field, judge, decision, set(decisions)) for decision in decisions}
    reach: dict[Decision, set[Decision]] = {}
    for decision in decisions:
        seen: set[Decision] = set()
        frontier = [decision]
        while frontier:
            for need in needs[frontier.pop()]:
                if need not in seen:
                    seen.add(need)
                    frontier.append(need)
        reach[decision] = seen | {decision}
    first = min(decisions, key=lambda decision: (len(reach[decision]), decision))
    return sorted(reach[first])


MATTER_LIMIT = 8


def _matter(
    field: Field, judge: Callable[[int], int], decision: Decision, undecided: set[Decision]
) -> list[Decision]:
    """The open decisions whose outcome can change this one's, tried out while they are few."""
    asked = sorted({need for need in _needs(field, decision) if need in undecided and need != decision})
    if len(asked) > MATTER_LIMIT:
        return asked
    results = []
    for number in range(1 << len(asked)):
        for place, (which, region) in enumerate(asked):
            _values(field, which)[region] = number >> place & 1
        results.append(_judge(field, judge, decision))
    for which, region in asked:
        _values(field, which)[region] = UNKNOWN
    return [
        need
        for place, need in enumerate(asked)
        if any(results[number] != results[number ^ 1 << place] for number in range(len(results)))
    ]


def _solutions(field: Field, knot: list[Decision]) -> Iterator[dict[Decision, int]]:
    """The assignments of a knot's decisions that agree with all their equations."""
    judge = move_judge(field)

    def attempt() -> Iterator[dict[Decision, int]]:
        set_here: list[Decision] = []
        consistent, moved = True, True
        while consistent and moved:
            moved = False
            for decision in knot:
                values, region = _values(field, decision[0]), decision[1]
                verdict = _judge(field, judge, decision)
                if verdict < 0 or verdict == values[region]:
                    continue
                if values[region] >= 0:
                    consistent = False
                    break
                values[region] = verdict
                set_here.append(decision)
                moved = True
        if consistent:
            free = next((d for d in knot if _values(field, d[0])[d[1]] < 0), None)
            if free is None:
                yield {decision: _values(field, decision[0])[decision[1]] for decision in knot}
            else:
                values, region = _values(field, free[0]), free[1]
                for guess in (1, 0):
                    values[region] = guess
                    yield from attempt()
                    values[region] = UNKNOWN
        for which, region in set_here:
            _values(field, which)[region] = UNKNOWN

    yield from attempt()
