"""Decisions that wait for each other: the innermost knots among them, and how each is decided.

A knot is tried out. Where exactly one assignment agrees with all its equations, that is taken; otherwise
moves in a circle succeed and convoys in a paradox fail (Szykman, DATC 4.A.2 d).
"""

from __future__ import annotations

from collections.abc import Iterator

from tablee.rules.diplomacy.equations import judge_path, judge_support, move_judge
from tablee.rules.diplomacy.field import UNKNOWN, Field
from tablee.rules.diplomacy.variant import members

WON, GIVEN, PATH = 0, 1, 2
Decision = tuple[int, int]
"""Which of the three, and the region of the unit it is about."""

MATTER_LIMIT = 8
"""Up to so many open decisions in one equation are tried out to see which of them matter to it."""
PATIENCE, PATIENCE_EACH = 20_000, 200
"""How many equations are asked about a knot, and more for each of its decisions, before it is given up as a
paradox. To find the one solution of a knot is as hard as any search; the DATC's take less than a hundred."""


def untie(field: Field, moves: list[int], supports: list[int], armies: list[int]) -> None:
    """Decide the innermost knots among these decisions, of which none can be decided by itself."""
    undecided = [(WON, r) for r in moves] + [(GIVEN, r) for r in supports] + [(PATH, r) for r in armies]
    tangle = _Tangle(field, undecided)
    for outer in closed_sets(tangle.asked):
        for knot in closed_sets({decision: tangle.matter(decision) for decision in outer}):
            tangle.decide(sorted(knot))


def closed_sets(needs: dict[Decision, list[Decision]]) -> list[list[Decision]]:
    """The smallest sets of decisions that need each other and no others (Tarjan's walk, without calls)."""
    index: dict[Decision, int] = {}
    lowest: dict[Decision, int] = {}
    stack: list[Decision] = []
    placed: set[Decision] = set()
    """Decisions whose set is complete."""
    found = []
    for root in needs:
        walk = [] if root in index else [(root, iter(needs[root]))]
        for decision, _ in walk:
            index[decision] = lowest[decision] = len(index)
            stack.append(decision)
        while walk:
            decision, rest = walk[-1]
            need = next(rest, None)
            if need is None:
                walk.pop()
                if walk:
                    above = walk[-1][0]
                    lowest[above] = min(lowest[above], lowest[decision])
                if lowest[decision] == index[decision]:
                    together = [stack.pop()]
                    while together[-1] != decision:
                        together.append(stack.pop())
                    within = set(together)
                    placed |= within
                    if all(each in within for one in together for each in needs[one]):
                        found.append(together)
            elif need not in index:
                index[need] = lowest[need] = len(index)
                stack.append(need)
                walk.append((need, iter(needs[need])))
            elif need not in placed:
                lowest[decision] = min(lowest[decision], index[need])
    return found


class _Tangle:
    """Open decisions on a field, and which open ones appear in the equation of each."""

    def __init__(self, field: Field, undecided: list[Decision]) -> None:
        self.field = field
        self.values = (field.won, field.given, field.path)
        self.judge_move = move_judge(field)
        known = set(undecided)
        self.asked = {
            decision: sorted(known.intersection(self.equation(decision)) - {decision})
            for decision in undecided
        }

    def judge(self, decision: Decision) -> int:
        which, region = decision
        if which == WON:
            return self.judge_move(region)
        return judge_support(self.field, region) if which == GIVEN else judge_path(self.field, region)

    def equation(self, decision: Decision) -> Iterator[Decision]:
        """The decisions that appear in the equation of this one."""
        field = self.field
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

    def matter(self, decision: Decision) -> list[Decision]:
        """The open decisions whose outcome can change this one's, tried out while they are few."""
        asked = self.asked[decision]
        if len(asked) > MATTER_LIMIT:
            return asked
        results = []
        for number in range(1 << len(asked)):
            for place, (which, region) in enumerate(asked):
                self.values[which][region] = number >> place & 1
            results.append(self.judge(decision))
        self.open_again(asked)
        return [
            need
            for place, need in enumerate(asked)
            if any(results[number] != results[number ^ 1 << place] for number in range(len(results)))
        ]

    def open_again(self, decisions: list[Decision]) -> None:
        for which, region in decisions:
            self.values[which][region] = UNKNOWN

    def decide(self, knot: list[Decision]) -> None:
        """Give every decision of a knot its value; with Szykman's rule only its convoys, which fail."""
        within = set(knot)
        # What is asked about but does not matter may have any value while the knot is tried out.
        outside = [need for decision in knot for need in self.asked[decision] if need not in within]
        for which, region in outside:
            self.values[which][region] = 0
        armies = [region for which, region in knot if which == PATH]
        solutions, is_sure = self.solutions(knot, most=2 if armies else len(knot) + 2)
        self.open_again(outside)
        self.open_again(knot)
        if armies and not (is_sure and len(solutions) == 1):
            for region in armies:
                self.field.path[region] = 0
                self.field.paradox.add(region)
            return
        # Several solutions without a convoy are a circle of moves, which succeeds (DATC 5.E).
        best = max(solutions, key=sum, default=[0] * len(knot))
        for (which, region), value in zip(knot, best, strict=True):
            self.values[which][region] = value

    def solutions(self, knot: list[Decision], most: int) -> tuple[list[list[int]], bool]:
        """Assignments that agree with all equations of a knot; whether there are no others, or `most`."""
        users: dict[Decision, list[Decision]] = {decision: [] for decision in knot}
        for decision in knot:
            for need in self.asked[decision]:
                if need in users:
                    users[need].append(decision)
        found: list[list[int]] = []
        patience = PATIENCE + PATIENCE_EACH * len(knot)
        trail: list[Decision] = []
        """What is set, in the order in which it was."""
        guesses: list[tuple[int, Decision]] = []
        """How long the trail was before a guess of 1, and what was guessed."""
        waiting = list(knot)
        while True:
            agrees = True
            while waiting and agrees:
                decision = waiting.pop()
                verdict = self.judge(decision)
                patience -= 1
                which, region = decision
                if verdict < 0 or verdict == self.values[which][region]:
                    continue
                if self.values[which][region] >= 0:
                    agrees = False
                else:
                    self.values[which][region] = verdict
                    trail.append(decision)
                    waiting += users[decision]
            if patience < 0:
                return found, False
            guess = 1
            free = next((d for d in knot if self.values[d[0]][d[1]] < 0), None) if agrees else None
            if free is None:
                if agrees:
                    found.append([self.values[which][region] for which, region in knot])
                if len(found) == most or not guesses:
                    return found, True
                mark, free = guesses.pop()
                self.open_again(trail[mark:])
                del trail[mark:]
                guess = 0
            else:
                guesses.append((len(trail), free))
            self.values[free[0]][free[1]] = guess
            trail.append(free)
            waiting = [free, *users[free]]
