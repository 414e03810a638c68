"""Who stands where, and why: a pure function of what was played. Every figure has the sum it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

DUEL_MARKS = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1, "0": 0, "-": 0, "Z": 0}
"""How a game for two, or a round without one, ended: won 2, drawn 1, lost 0."""
PLAYED = frozenset("1=0")
ABSENT = frozenset("HZ-")
"""Rounds that somebody did not play by his own doing."""
TIE_BREAKS = (
    "buchholz_cut1", "buchholz", "direct", "wins", "sonneborn", "performance",
    "best", "solos", "tops", "centres", "firsts",
)  # fmt: skip
ONCE = Fraction(1)
OF_DUELS = frozenset(TIE_BREAKS[:6])
OF_BOARDS = frozenset(TIE_BREAKS[6:])


class Part(NamedTuple):
    """A term of somebody's points in a round."""

    name: str
    points: Fraction


class Round(NamedTuple):
    """What a round was to one entrant."""

    number: int
    board: int
    """0 where he had none: a bye, or away."""
    points: Fraction | None
    """None for a bye that is worth the mean of his other rounds, and while the board goes on."""
    mark: str = ""
    """Of a duel, as in a report; of boards `B` for a bye, `Z` away, empty for played."""
    opponents: tuple[int, ...] = ()
    role: int = 0
    rank: int = 0
    own: int = 0
    """What the game itself counted: centres, checkpoints."""
    is_top: bool = False
    """Nobody on the board had more of that."""
    is_solo: bool = False
    """He won, and all the others are level behind him."""
    terms: tuple[Part, ...] = ()


class Entrant(NamedTuple):
    """Somebody who plays, with all that he has played."""

    number: int
    rating: int
    rounds: tuple[Round, ...]
    penalties: tuple[tuple[str, Fraction], ...] = ()
    """Why, and how much is taken."""
    team: str = ""


class Counting(NamedTuple):
    """How rounds are counted."""

    ties: tuple[str, ...]
    best: int = 0
    """So many of the rounds count, the best; 0: all."""
    weights: Mapping[int, Fraction] = {}
    """By round; 1 where none is said."""
    draw: Fraction = Fraction(1, 2)
    """What a draw is worth, in tournaments for two."""


class Counted(NamedTuple):
    """A round in the sum of somebody's points."""

    number: int
    points: Fraction
    weight: Fraction
    counts: bool
    is_mean: bool = False


class Tie(NamedTuple):
    """A tie-break with what it adds up from: a number of a round or an opponent, and its part."""

    name: str
    value: tuple[Fraction, ...]
    parts: tuple[tuple[int, Fraction], ...] = ()


class Line(NamedTuple):
    """One entrant in the standings."""

    place: int
    """Shared where all tie-breaks are equal."""
    entrant: int
    points: Fraction
    rounds: tuple[Counted, ...]
    penalties: tuple[tuple[str, Fraction], ...]
    ties: tuple[Tie, ...]


def standings(entrants: Sequence[Entrant], counting: Counting, rounds: int) -> list[Line]:
    """The lines of everybody, best first, after so many rounds."""
    sums = {entrant.number: _sum(entrant, counting) for entrant in entrants}
    table = _Table(entrants, sums, counting, rounds)
    order = sorted(entrants, key=lambda each: (-sums[each.number].points, each.number))
    lines: list[Line] = []
    for _, group in groupby(order, key=lambda each: sums[each.number].points):
        lines += _placed([each.number for each in group], table, counting.ties, len(lines) + 1)
    return lines


class _Sum(NamedTuple):
    points: Fraction
    rounds: tuple[Counted, ...]


def _sum(entrant: Entrant, counting: Counting) -> _Sum:
    """Rounds with their weights, the best of them where not all count, less the penalties."""
    played = [each.points for each in entrant.rounds if each.points is not None]
    mean = sum(played, Fraction()) / len(played) if played else Fraction()
    found = []
    for each in entrant.rounds:
        is_mean = each.points is None and each.mark == "B"
        points = mean if is_mean else each.points
        if points is not None:
            weight = counting.weights.get(each.number, ONCE)
            found.append(Counted(each.number, points, weight, True, is_mean))
    if counting.best:
        dear = sorted(found, key=lambda each: (-each.points * each.weight, each.number))
        kept = {each.number for each in dear[: counting.best]}
        found = [each._replace(counts=each.number in kept) for each in found]
    counted = [each for each in found if each.counts]
    worth = (each.points if each.weight is ONCE else each.points * each.weight for each in counted)
    total = sum(worth, Fraction())
    taken = sum((amount for _, amount in entrant.penalties), Fraction())
    return _Sum(total - taken, tuple(found))


def _placed(group: list[int], table: _Table, ties: Sequence[str], place: int) -> list[Line]:
    """Those who have the same points, by each tie-break in turn; who is equal in all shares a place."""
    values: dict[int, list[Tie]] = {number: [] for number in group}
    tied = [group]
    for name in ties:
        following: list[list[int]] = []
        for level in tied:
            found = (
                table.direct(level) if name == "direct" else {each: table.tie(name, each) for each in level}
            )
            for each in level:
                values[each].append(found[each])
            ordered = sorted(level, key=lambda each: (tuple(-part for part in found[each].value), each))
            following += [list(equal) for _, equal in groupby(ordered, key=lambda each: found[each].value)]
        tied = following
    lines: list[Line] = []
    for level in tied:
        for each in level:
            summed = table.sums[each]
            lines.append(
                Line(
                    place + len(lines) - level.index(each),
                    each,
                    summed.points,
                    summed.rounds,
                    table.entrants[each].penalties,
                    tuple(values[each]),
                )
            )
    return lines


class _Table:
    """What tie-breaks look at; numbers are kept whole, in parts of a common unit, until they are shown."""

    def __init__(
        self, entrants: Iterable[Entrant], sums: Mapping[int, _Sum], counting: Counting, rounds: int
    ) -> None:
        self.entrants = {entrant.number: entrant for entrant in entrants}
        self.sums = sums
        self._draw, self._rounds = counting.draw, rounds
        self._values = {number: self._for_others(entrant) for number, entrant in self.entrants.items()}
        self._parts: dict[int, list[tuple[int, Fraction, bool, int]]] = {}

    def _for_others(self, entrant: Entrant) -> Fraction:
        """His points as his opponents count them: what he missed at the end is a draw each."""
        points = self.sums[entrant.number].points
        by_number = {each.number: each for each in entrant.rounds}
        for number in range(self._rounds, 0, -1):
            last = by_number.get(number)
            if last is not None and last.mark not in ABSENT:
                break
            points += self._draw - (last.points or 0 if last is not None else 0)
        return points

    def _contributions(self, number: int) -> list[tuple[int, Fraction, bool, int]]:
        """Of each round: whom (0 nobody), what he is worth, whether it was one's own absence, the result."""
        if number not in self._parts:
            entrant, own = self.entrants[number], self.sums[number].points
            found = []
            for each in entrant.rounds:
                if each.mark not in DUEL_MARKS:
                    continue
                opponent = each.opponents[0] if each.opponents else 0
                if each.mark in PLAYED:
                    value = self._values[opponent]
                elif opponent:
                    value = min(own, self._values[opponent])
                else:
                    value = min(own, self._draw * self._rounds)
                found.append((opponent, value, each.mark in ABSENT, DUEL_MARKS[each.mark]))
            self._parts[number] = found
        return self._parts[number]

    def tie(self, name: str, number: int) -> Tie:
        return _TIES[name](self, name, number)

    def direct(self, level: list[int]) -> TieByNumber:
        """The points of the games among those who are level, if all of them have met."""
        among = set(level)
        parts: dict[int, list[tuple[int, Fraction]]] = {number: [] for number in level}
        for number in level:
            for each in self.entrants[number].rounds:
                if each.opponents and each.opponents[0] in among and each.points is not None:
                    parts[number].append((each.opponents[0], each.points))
        all_met = len(level) > 1 and all(
            {opponent for opponent, _ in parts[number]} >= among - {number} for number in level
        )
        if not all_met:
            return {number: Tie("direct", (Fraction(),)) for number in level}
        return {
            number: Tie("direct", (sum((points for _, points in found), Fraction()),), tuple(found))
            for number, found in parts.items()
        }

    def buchholz(self, name: str, number: int) -> Tie:
        parts = [(opponent, value) for opponent, value, _, _ in self._contributions(number)]
        return Tie(name, (_total(parts),), tuple(parts))

    def buchholz_cut1(self, name: str, number: int) -> Tie:
        found = self._contributions(number)
        if not found:
            return Tie(name, (Fraction(),))
        absences = [index for index, part in enumerate(found) if part[2]]
        among = absences or range(len(found))
        cut = min(among, key=lambda index: found[index][1])
        parts = [(part[0], part[1]) for index, part in enumerate(found) if index != cut]
        return Tie(name, (_total(parts),), tuple(parts))

    def sonneborn(self, name: str, number: int) -> Tie:
        parts = [
            (opponent, value * Fraction(result, 2))
            for opponent, value, _, result in self._contributions(number)
        ]
        return Tie(name, (_total(parts),), tuple(parts))

    def wins(self, name: str, number: int) -> Tie:
        parts = tuple((each.number, Fraction(1)) for each in self.entrants[number].rounds if each.mark == "1")
        return Tie(name, (Fraction(len(parts)),), parts)

    def performance(self, name: str, number: int) -> Tie:
        games = [each for each in self.entrants[number].rounds if each.mark in PLAYED and each.opponents]
        if not games:
            return Tie(name, (Fraction(),))
        parts = tuple(
            (each.opponents[0], Fraction(self.entrants[each.opponents[0]].rating)) for each in games
        )
        ahead = sum(DUEL_MARKS[each.mark] - 1 for each in games)
        return Tie(name, (_total(parts) / len(games) + Fraction(400 * ahead, len(games)),), parts)

    def best(self, name: str, number: int) -> Tie:
        """The best round, then the next best, and so on."""
        found = sorted(self.sums[number].rounds, key=lambda each: -each.points)
        filled = [each.points for each in found] + [Fraction()] * (self._rounds - len(found))
        return Tie(name, tuple(filled), tuple((each.number, each.points) for each in found))

    def count(self, of: Callable[[Round], int]) -> Callable[[str, int], Tie]:
        def counted(name: str, number: int) -> Tie:
            parts = tuple(
                (each.number, Fraction(of(each)))
                for each in self.entrants[number].rounds
                if each.board and of(each)
            )
            return Tie(name, (_total(parts),), parts)

        return counted


TieByNumber = dict[int, Tie]

_TIES: dict[str, Callable[[_Table, str, int], Tie]] = {
    "buchholz": _Table.buchholz,
    "buchholz_cut1": _Table.buchholz_cut1,
    "sonneborn": _Table.sonneborn,
    "wins": _Table.wins,
    "performance": _Table.performance,
    "best": _Table.best,
    "solos": lambda table, name, number: table.count(lambda each: each.is_solo)(name, number),
    "tops": lambda table, name, number: table.count(lambda each: each.is_top)(name, number),
    "centres": lambda table, name, number: table.count(lambda each: each.own)(name, number),
    "firsts": lambda table, name, number: table.count(lambda each: each.rank == 1)(name, number),
}


def _total(parts: Iterable[tuple[int, Fraction]]) -> Fraction:
    return sum((value for _, value in parts), Fraction())


# --- teams and prizes -----------------------------------------------------------------------------------


class TeamLine(NamedTuple):
    """A team: the sum of the best of its members each round."""

    place: int
    team: str
    points: Fraction
    rounds: tuple[tuple[int, Fraction, tuple[int, ...]], ...]
    """By round: the points, and the members whose they are."""


def team_standings(
    entrants: Sequence[Entrant], lines: Sequence[Line], counting: Counting, best: int
) -> list[TeamLine]:
    """Teams, best first; each round the best so many of their members count, with the round's weight."""
    scored = {line.entrant: {each.number: each for each in line.rounds} for line in lines}
    teams: dict[str, list[int]] = {}
    for entrant in entrants:
        if entrant.team:
            teams.setdefault(entrant.team, []).append(entrant.number)
    found = []
    for team, members in teams.items():
        rounds = []
        for number in sorted({number for member in members for number in scored[member]}):
            in_it = [
                (scored[member][number].points, -member) for member in members if number in scored[member]
            ]
            counted = sorted(in_it, reverse=True)[:best]
            weight = counting.weights.get(number, Fraction(1))
            points = weight * sum((points for points, _ in counted), Fraction())
            rounds.append((number, points, tuple(-member for _, member in counted)))
        found.append(TeamLine(0, team, sum((points for _, points, _ in rounds), Fraction()), tuple(rounds)))
    found.sort(key=lambda line: (-line.points, line.team))
    places = [1 + sum(other.points > line.points for other in found) for line in found]
    return [line._replace(place=place) for line, place in zip(found, places, strict=True)]


class Prize(NamedTuple):
    """What somebody has won."""

    name: str
    """`place.1`, `role.3`, or what the organisers call it."""
    winners: tuple[int, ...]
    value: Fraction | None


def prizes(
    entrants: Sequence[Entrant],
    lines: Sequence[Line],
    places: int = 0,
    roles: int = 0,
    free: Sequence[tuple[str, int]] = (),
    *,
    is_duel: bool = False,
) -> list[Prize]:
    """By place; the best of each role (who is level shares it); and what organisers give freely.

    The best of a role has the best single game with it, of a colour the most points with it.
    """
    found = [
        Prize(f"place.{place}", tuple(line.entrant for line in lines if line.place == place), None)
        for place in range(1, places + 1)
    ]
    found = [prize for prize in found if prize.winners]
    for role in range(1, roles + 1):
        worth: dict[int, Fraction] = {}
        for entrant in entrants:
            games = [
                each.points
                for each in entrant.rounds
                if each.role == role and each.board and each.points is not None and not each.mark.strip("1=0")
            ]
            if games:
                worth[entrant.number] = sum(games, Fraction()) if is_duel else max(games)
        if worth:
            best = max(worth.values())
            winners = sorted(number for number, points in worth.items() if points == best)
            found.append(Prize(f"role.{role}", tuple(winners), best))
    return found + [Prize(name, (number,), None) for name, number in free]
