"""Swiss pairings of the house's own: quick for a thousand players, and where the Dutch rules have no program.

Like the Dutch ones they never repeat a game or a bye and give nobody a colour that he cannot have; those with
the same points meet, the upper half of them the lower half. What falls out of a group goes down to the next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from tablee.tournaments.pairing.history import History, NoPairing, Player, Round

WHITE, BLACK = 1, -1
ROUNDS_OF_BETTERING = 10
NEAR = 12
"""How many pairs away a better exchange is looked for, once a pairing had to be mended."""


class _Entrant(NamedTuple):
    """What is asked of a player again and again."""

    place: int
    """By points, then by number; 0 is the best."""
    no: int
    halves: int
    """Points, counted in halves."""
    opponents: frozenset[int]
    had_bye: bool
    due: int
    """The colour he should have: WHITE, BLACK or 0."""
    strength: int
    """Of that wish: 3 must, 2 one more of the other, 1 the other the last time."""
    colours: tuple[int, ...]
    is_top: bool
    """In the last round, with more than half of all points: he may have a colour once more."""


def pair_house(history: History) -> Round:
    """The next round. Raises NoPairing where no pairing keeps the rules."""
    entrants = _entrants(history)
    if len(entrants) < 2:
        raise NoPairing("Fewer than two players are there.")
    apart = {frozenset(pair) for pair in history.apart}
    places = {entrant.no: entrant.place for entrant in entrants}
    barred = [
        {places[no] for no in entrant.opponents if no in places} | {entrant.place} for entrant in entrants
    ]
    for pair in apart:
        if pair <= places.keys():
            one, other = (places[no] for no in (min(pair), max(pair)))
            barred[one].add(other)
            barred[other].add(one)

    def may_meet(one: int, other: int) -> bool:
        if other in barred[one]:
            return False
        a, b = entrants[one], entrants[other]
        return not (a.strength == b.strength == 3 and a.due == b.due) or a.is_top or b.is_top

    for bye in _byes(entrants):
        mates = _matched(entrants, bye, may_meet)
        if mates is not None:
            pairs = [(one, other) for one, other in enumerate(mates) if one < other]
            coloured = [_coloured(entrants[one], entrants[other]) for one, other in pairs]
            return Round(coloured, None if bye is None else entrants[bye].no)
    raise NoPairing("No round keeps the rules with those who are there.")


def _entrants(history: History) -> list[_Entrant]:
    ranked = sorted(history.present, key=lambda player: (-player.points, player.no))
    half = Fraction(history.round - 1, 2)
    return [
        _entrant(place, player, history.is_last and player.points > half)
        for place, player in enumerate(ranked)
    ]


def _entrant(place: int, player: Player, is_top: bool) -> _Entrant:
    colours = tuple(WHITE if game.colour == "w" else BLACK for game in player.results if game.was_played)
    more = sum(colours)
    twice = len(colours) > 1 and colours[-1] == colours[-2]
    due = -1 if more > 0 else 1 if more < 0 else -colours[-1] if colours else 0
    if twice and abs(more) < 2:
        due = -colours[-1]
    strength = 3 if abs(more) > 1 or twice else 2 if more else 1 if colours else 0
    return _Entrant(
        place,
        player.no,
        int(2 * player.points),
        player.opponents,
        player.had_bye,
        due,
        strength,
        colours,
        is_top,
    )


def _byes(entrants: list[_Entrant]) -> Iterator[int | None]:
    """Who may have the bye, the last first; nobody where their number is even."""
    if len(entrants) % 2 == 0:
        yield None
        return
    yield from (entrant.place for entrant in reversed(entrants) if not entrant.had_bye)


def _matched(
    entrants: list[_Entrant], bye: int | None, may_meet: Callable[[int, int], bool]
) -> list[int] | None:
    """Whom each place meets (the bye meets itself); None where not all can be paired."""
    mates = [-1] * len(entrants)
    if bye is not None:
        mates[bye] = bye
    floating: list[int] = []
    for _, group in groupby(
        (entrant for entrant in entrants if entrant.place != bye), key=lambda entrant: entrant.halves
    ):
        floating = _paired_group(
            [*floating, *(entrant.place for entrant in group)], entrants, mates, may_meet
        )
    if floating:
        if not _mended(floating, mates, may_meet):
            return None
        _bettered(entrants, mates, may_meet)
    return mates


def _paired_group(
    group: list[int], entrants: list[_Entrant], mates: list[int], may_meet: Callable[[int, int], bool]
) -> list[int]:
    """The upper half of a group meets the lower; who finds nobody is given back."""
    half = len(group) // 2
    upper, lower = group[:half], deque(group[half:])
    left: list[int] = []
    for one in upper:
        found = _opponent(entrants[one], lower, entrants, may_meet)
        if found is None:
            left.append(one)
            continue
        lower.remove(found)
        mates[one], mates[found] = found, one
    left += lower
    # Who is left of both halves may still meet one another.
    rest: list[int] = []
    while left:
        one = left.pop(0)
        found = _opponent(entrants[one], deque(left), entrants, may_meet)
        if found is None:
            rest.append(one)
        else:
            left.remove(found)
            mates[one], mates[found] = found, one
    return rest


def _opponent(
    one: _Entrant, lower: deque[int], entrants: list[_Entrant], may_meet: Callable[[int, int], bool]
) -> int | None:
    """The first that he may meet and whose wish for a colour goes with his; else the first he may meet."""
    fallback = None
    for seen, other in enumerate(lower):
        if not may_meet(one.place, other):
            continue
        if fallback is None:
            fallback = other
        if not one.due or entrants[other].due != one.due:
            return other
        if seen > NEAR:
            break
    return fallback


def _mended(floating: list[int], mates: list[int], may_meet: Callable[[int, int], bool]) -> bool:
    """Pair those who found nobody by changing as few other pairs as need be (Edmonds' blossoms)."""
    return all(mates[one] != -1 or _augmented(one, mates, may_meet) for one in floating)


def _augmented(root: int, mates: list[int], may_meet: Callable[[int, int], bool]) -> bool:
    """Find a chain of exchanges after which the root has a mate, and make them."""
    count = len(mates)
    parent, base = [-1] * count, list(range(count))
    used = [False] * count
    used[root] = True
    queue = deque([root])
    # The nearest are asked first, so that exchanges stay among neighbours.
    around = sorted(range(count), key=lambda place: abs(place - root))

    def ancestor(one: int, other: int) -> int:
        seen = set()
        while True:
            one = base[one]
            seen.add(one)
            if mates[one] == -1:
                break
            one = parent[mates[one]]
        while base[other] not in seen:
            other = parent[mates[base[other]]]
        return base[other]

    def contract(one: int, stop: int, child: int, blossom: set[int]) -> None:
        while base[one] != stop:
            blossom |= {base[one], base[mates[one]]}
            parent[one] = child
            child = mates[one]
            one = parent[mates[one]]

    while queue:
        one = queue.popleft()
        for other in around:
            if base[one] == base[other] or mates[one] == other or mates[other] == other:
                continue
            if not may_meet(one, other):
                continue
            if other == root or (mates[other] != -1 and parent[mates[other]] != -1):
                stop = ancestor(one, other)
                blossom: set[int] = set()
                contract(one, stop, other, blossom)
                contract(other, stop, one, blossom)
                for place in range(count):
                    if base[place] in blossom:
                        base[place] = stop
                        if not used[place]:
                            used[place] = True
                            queue.append(place)
            elif parent[other] == -1:
                parent[other] = one
                if mates[other] == -1:
                    while other != -1:
                        before = parent[other]
                        after = mates[before]
                        mates[other], mates[before] = before, other
                        other = after
                    return True
                used[mates[other]] = True
                queue.append(mates[other])
    return False


def _bettered(entrants: list[_Entrant], mates: list[int], may_meet: Callable[[int, int], bool]) -> None:
    """After mending: exchange opponents among neighbouring pairs while that brings equals together."""

    def cost(one: int, other: int) -> int:
        a, b = entrants[one], entrants[other]
        clash = min(a.strength, b.strength) if a.due * b.due > 0 else 0
        return 8 * (a.halves - b.halves) ** 2 + clash

    pairs = [(one, other) for one, other in enumerate(mates) if one < other]
    costs = [cost(*pair) for pair in pairs]
    for _ in range(ROUNDS_OF_BETTERING):
        is_better = False
        for index in [place for place, each in enumerate(costs) if each > 3]:
            for near in range(max(0, index - NEAR), min(index + 1 + NEAR, len(pairs))):
                if near == index:
                    continue
                (a, b), (c, d) = pairs[index], pairs[near]
                for first, second in (((a, c), (b, d)), ((a, d), (b, c))):
                    if cost(*first) + cost(*second) >= costs[index] + costs[near]:
                        continue
                    if may_meet(*first) and may_meet(*second):
                        pairs[index], pairs[near] = _ordered(first), _ordered(second)
                        costs[index], costs[near] = cost(*first), cost(*second)
                        is_better = True
                        break
        if not is_better:
            break
    for one, other in pairs:
        mates[one], mates[other] = other, one


def _ordered(pair: tuple[int, int]) -> tuple[int, int]:
    return (min(pair), max(pair))


def _coloured(upper: _Entrant, lower: _Entrant) -> tuple[int, int]:
    """White and Black of a pair: by the stronger wish, then by what they had, then as the higher wants."""
    white, black = (upper.no, lower.no), (lower.no, upper.no)
    if upper.due != lower.due:
        colour = upper.due or -lower.due
        return white if colour == WHITE else black
    if not upper.due:  # nobody has played: the odd numbers have White
        return white if upper.no % 2 else black
    if upper.strength != lower.strength:
        colour = upper.due if upper.strength > lower.strength else -lower.due
        return white if colour == WHITE else black
    wider = abs(sum(upper.colours)) - abs(sum(lower.colours))
    if upper.strength == 3 and wider:
        colour = upper.due if wider > 0 else -lower.due
        return white if colour == WHITE else black
    for mine, theirs in zip(reversed(upper.colours), reversed(lower.colours), strict=False):
        if mine != theirs:
            return white if mine == BLACK else black
    return white if upper.due == WHITE else black
