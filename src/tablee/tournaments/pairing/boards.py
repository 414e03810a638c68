"""Boards of several: new people and new roles each round, as far as there are any.

Annealing over places, a place being a board and a role. What it makes dear: meeting again (each time three
times as dear as the time before), a role that one had, pairs that should be kept apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import NamedTuple

from tablee.tournaments.pairing.history import NoPairing

MEETING = 4
"""What it costs that two meet for the second time; the third time three times that."""
ROLE = 20
"""What it costs to have a role again."""
APART = 200
"""What it costs that two sit together who should not."""
ROLES_TIME = 0.3
"""Of the time for a round, so much is kept for roles."""


class Past(NamedTuple):
    """What the rounds before were like, by entrant."""

    met: Mapping[tuple[int, int], int]
    """How often two have met, the smaller number first."""
    roles: Mapping[int, Mapping[int, int]]
    """How often somebody had a role, from 1."""
    apart: frozenset[tuple[int, int]] = frozenset()


def past_of(rounds: Sequence[Sequence[Sequence[int]]], apart: Sequence[tuple[int, int]] = ()) -> Past:
    """The past of rounds, each a list of boards, each board its entrants by role (0: nobody)."""
    met: dict[tuple[int, int], int] = {}
    roles: dict[int, dict[int, int]] = {}
    for boards in rounds:
        for board in boards:
            for pair in combinations(sorted(filter(None, board)), 2):
                met[pair] = met.get(pair, 0) + 1
            for role, entrant in enumerate(board, 1):
                if entrant:
                    had = roles.setdefault(entrant, {})
                    had[role] = had.get(role, 0) + 1
    return Past(met, roles, frozenset((min(pair), max(pair)) for pair in apart))


def sizes_of(entrants: int, least: int, most: int) -> list[int]:
    """How many sit at each board: as few boards as there can be, sizes that differ by at most one.

    Raises NoPairing where that many cannot be seated.
    """
    if entrants < least:
        raise NoPairing(f"{entrants} are fewer than a board needs ({least}).")
    count = -(-entrants // most)
    low, more = divmod(entrants, count)
    if low < least:
        raise NoPairing(f"{entrants} cannot be seated at boards of {least} to {most}.")
    return [low + 1] * more + [low] * (count - more)


def seat(
    entrants: Sequence[int],
    sizes: Sequence[int],
    past: Past,
    rng: Random,
    seconds: float,
    clock: Callable[[], float],
    has_roles: bool = True,
) -> list[list[int]]:
    """The boards of a round, each its entrants in the order of their roles.

    It looks for so many seconds of `clock`, or until nothing is better.
    """
    search = _Search(list(entrants), list(sizes), past, rng, has_roles)
    search.anneal(clock() + seconds, clock)
    return search.dealt()


class _Search:
    """A round on its way: who sits at which board, what it costs, and what one exchange would change."""

    def __init__(
        self, entrants: list[int], sizes: list[int], past: Past, rng: Random, has_roles: bool
    ) -> None:
        rng.shuffle(entrants)
        self._entrants, self._rng, self._has_roles = entrants, rng, has_roles
        self._numbers = {entrant: index for index, entrant in enumerate(entrants)}
        self._past = past
        count = len(entrants)
        self._dear = [[0] * count for _ in range(count)]
        for (one, other), times in past.met.items():
            self._raise(one, other, MEETING * 3 ** (times - 1))
        for one, other in past.apart:
            self._raise(one, other, APART)
        self._boards: list[list[int]] = []
        """Indices of entrants, by board."""
        start = 0
        for size in sizes:
            self._boards.append(list(range(start, start + size)))
            start += size
        self._board_of = [0] * count
        for number, board in enumerate(self._boards):
            for index in board:
                self._board_of[index] = number
        self._deals: dict[tuple[int, ...], tuple[int, list[int]]] = {}

    def _raise(self, one: int, other: int, cost: int) -> None:
        a, b = self._numbers.get(one), self._numbers.get(other)
        if a is not None and b is not None:
            self._dear[a][b] += cost
            self._dear[b][a] += cost

    # --- who sits together --------------------------------------------------------------------------------

    def anneal(self, until: float, clock: Callable[[], float]) -> None:
        """Exchange people between boards, at first even for the worse, until it is good or time is up."""
        boards, board_of, dear, rng = self._boards, self._board_of, self._dear, self._rng
        if len(boards) < 2:
            return
        count = len(board_of)
        # What sitting at each board would cost each entrant.
        at = [[0] * len(boards) for _ in range(count)]
        for index in range(count):
            row = dear[index]
            for number, board in enumerate(boards):
                at[index][number] = sum(row[other] for other in board)
        cost = sum(at[index][board_of[index]] for index in range(count)) // 2
        best_cost, best = cost, [board[:] for board in boards]
        start_at = clock()
        span = max((until - start_at) * (1 - ROLES_TIME if self._has_roles else 1), 1e-9)
        warm, cold = 2.0 * MEETING, 0.25
        heat, step = warm, 0
        random = rng.random
        while best_cost:
            if step % 512 == 0:
                gone = (clock() - start_at) / span
                if gone >= 1:
                    break
                # Four times from warm to cold: one that has settled badly is shaken up again.
                lap = gone * 4 % 1
                heat = warm * (cold / warm) ** lap
            step += 1
            one = int(random() * count)
            here = board_of[one]
            if not at[one][here] and random() < 0.9:
                continue
            other = int(random() * count)
            there = board_of[other]
            if here == there:
                continue
            mine, theirs = at[one], at[other]
            change = mine[there] - mine[here] + theirs[here] - theirs[there] - 2 * dear[one][other]
            if change > 0 and random() >= exp(-change / heat):
                continue
            boards[here][boards[here].index(one)] = other
            boards[there][boards[there].index(other)] = one
            board_of[one], board_of[other] = there, here
            row_one, row_other = dear[one], dear[other]
            for index in range(count):
                shift = row_other[index] - row_one[index]
                if shift:
                    at[index][here] += shift
                    at[index][there] -= shift
            cost += change
            if cost < best_cost:
                best_cost, best = cost, [board[:] for board in boards]
        self._boards = best
        for number, board in enumerate(best):
            for index in board:
                board_of[index] = number
        if self._has_roles:
            self._exchange_for_roles(until, clock)

    # --- who plays what -----------------------------------------------------------------------------------

    def _exchange_for_roles(self, until: float, clock: Callable[[], float]) -> None:
        """Exchange people of boards at which somebody meets or plays again, now with what roles cost."""
        boards, dear, rng = self._boards, self._dear, self._rng

        def meetings(board: list[int]) -> int:
            return sum(dear[one][other] for one, other in combinations(board, 2))

        costs = [meetings(board) + self._deal(board)[0] for board in boards]
        best_cost, best = sum(costs), [board[:] for board in boards]
        step = 0
        while best_cost and (step % 32 or clock() < until):
            step += 1
            bad = [number for number, cost in enumerate(costs) if cost]
            here, there = rng.choice(bad), rng.randrange(len(boards))
            if here == there:
                continue
            a, b = rng.randrange(len(boards[here])), rng.randrange(len(boards[there]))
            new_here, new_there = boards[here][:], boards[there][:]
            new_here[a], new_there[b] = boards[there][b], boards[here][a]
            limit = costs[here] + costs[there] + ROLE
            cost_here, cost_there = meetings(new_here), meetings(new_there)
            if cost_here + cost_there > limit:
                continue
            cost_here += self._deal(new_here)[0]
            cost_there += self._deal(new_there)[0]
            change = cost_here + cost_there - costs[here] - costs[there]
            if change <= 0 or rng.random() < exp(-change):
                boards[here], boards[there] = new_here, new_there
                costs[here], costs[there] = cost_here, cost_there
                if sum(costs) < best_cost:
                    best_cost, best = sum(costs), [board[:] for board in boards]
        self._boards = best

    def _deal(self, board: list[int]) -> tuple[int, list[int]]:
        """The cheapest deal of roles at a board, and who has which; found once for the same people."""
        key = tuple(sorted(board))
        if key not in self._deals:
            roles = self._past.roles
            costs = [
                [
                    ROLE * (3 ** (had - 1))
                    if (had := roles.get(self._entrants[index], {}).get(role, 0))
                    else 0
                    for role in range(1, len(key) + 1)
                ]
                for index in key
            ]
            cost, places = _cheapest(costs, self._rng)
            dealt = [0] * len(key)
            for index, place in zip(key, places, strict=True):
                dealt[place] = index
            self._deals[key] = (cost, dealt)
        return self._deals[key]

    def dealt(self) -> list[list[int]]:
        """Boards of entrants, by role."""
        boards = [self._deal(board)[1] if self._has_roles else board for board in self._boards]
        return [[self._entrants[index] for index in board] for board in boards]


def _cheapest(costs: list[list[int]], rng: Random) -> tuple[int, list[int]]:
    """The cheapest way to give each row a column of its own (the Hungarian method); equals by chance."""
    size = len(costs)
    order = list(range(size))
    rng.shuffle(order)
    shuffled = [[row[column] for column in order] for row in costs]
    potential_row, potential_column = [0] * (size + 1), [0] * (size + 1)
    row_of = [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0] = row
        column = 0
        least = [10**9] * (size + 1)
        seen = [False] * (size + 1)
        way = [0] * (size + 1)
        while row_of[column]:
            seen[column] = True
            current, delta, following = row_of[column], 10**9, 0
            for each in range(1, size + 1):
                if seen[each]:
                    continue
                reduced = shuffled[current - 1][each - 1] - potential_row[current] - potential_column[each]
                if reduced < least[each]:
                    least[each], way[each] = reduced, column
                if least[each] < delta:
                    delta, following = least[each], each
            for each in range(size + 1):
                if seen[each]:
                    potential_row[row_of[each]] += delta
                    potential_column[each] -= delta
                else:
                    least[each] -= delta
            column = following
        while column:
            row_of[column] = row_of[way[column]]
            column = way[column]
    places = [0] * size
    for column in range(1, size + 1):
        places[row_of[column] - 1] = order[column - 1]
    return sum(costs[row][place] for row, place in enumerate(places)), places
