"""What the end of a game is worth in a tournament: the systems of the clubs, each on a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from tablee.rules.diplomacy.report import WORDS
from tablee.rules.scoring import Term, points_of, shared_places

Year = Annotated[int, Meta(ge=0, le=1_000_000)]


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people say that a game came to, in the order of the roles; `faults` says what cannot be."""

    centres: Annotated[tuple[Annotated[int, Meta(ge=0, le=1_000)], ...], Meta(min_length=2, max_length=100)]
    out: tuple[Year | None, ...]
    """The first winter without a centre."""
    last_year: Year
    ending: Literal["solo", "draw", "years"]
    draw: tuple[int, ...] | None = None
    """Who shares a draw, from 0 on; None for all who are left."""
    first_year: Year = 1901
    board: Annotated[int, Meta(ge=1, le=1_000)] = 34
    """Centres that there are, owned or not."""

    def faults(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Codes of what no game can come to, with what fills in their sentences; roles count from 1."""
        first, last = self.first_year, self.last_year
        if len(self.out) != len(self.centres):
            yield "lengths", {"centres": len(self.centres), "out": len(self.out)}
            return
        if not any(self.centres):
            yield "no_centres", {}
        if sum(self.centres) > self.board:
            yield "too_many_centres", {"centres": sum(self.centres), "board": self.board}
        if last < first:
            yield "years_turned", {"first": first, "last": last}
        for role, (centres, out) in enumerate(zip(self.centres, self.out, strict=True), 1):
            if centres and out is not None:
                yield "alive_and_out", {"role": role, "out": out}
            elif not centres and out is None:
                yield "dead_without_year", {"role": role}
            elif out is not None and not first <= out <= last:
                yield "out_when", {"role": role, "out": out, "first": first, "last": last}
        if self.ending == "solo" and len(self.tops) != 1:
            yield "solo_shared", {}
        if self.draw is not None:
            if self.ending != "draw":
                yield "draw_of_none", {"ending": self.ending}
            elif not self.draw or len(set(self.draw)) != len(self.draw):
                yield "draw_twice", {}
            elif not set(self.draw).issubset(self.survivors):
                yield "draw_of_dead", {}

    @property
    def most(self) -> int:
        return max(self.centres)

    @property
    def tops(self) -> list[int]:
        """Who has most centres."""
        return [role for role, number in enumerate(self.centres) if number == self.most]

    @property
    def survivors(self) -> list[int]:
        return [role for role, number in enumerate(self.centres) if number]

    @property
    def lead(self) -> int:
        """Centres of the sole top before the next; 0 where the top is shared."""
        return self.most - sorted(self.centres)[-2]

    def years(self, role: int) -> int:
        """How many years after the first somebody was out, or the game over."""
        out = self.out[role]
        return (self.last_year if out is None else out) - self.first_year


class DiplomacyTally(End, frozen=True, forbid_unknown_fields=True):
    """What a game came to. Raises ValueError where no game can end so."""

    def __post_init__(self) -> None:
        faults = list(self.faults())
        if faults:
            # Programs count from 0, and have no words for powers.
            said = [
                parts | {"role": f"Power {parts['role'] - 1}"} if "role" in parts else parts
                for _, parts in faults
            ]
            sentences = [WORDS["en"][f"fault.{code}"] for code, _ in faults]
            raise ValueError(
                " ".join(each.format(**parts) for each, parts in zip(sentences, said, strict=True))
            )


Amounts = list[Fraction]
Reckoning = Callable[[DiplomacyTally, Amounts], Amounts]
"""What each power gets, from how it stands and what everybody has so far."""


class Part(NamedTuple):
    """One line of a system."""

    name: str
    reckon: Reckoning


class System(NamedTuple):
    """A way to score: what a solo is worth to its winner and to the others, and what any other end is."""

    name: str
    code: str
    """As the AFJD calls it; empty for a system that it does not have."""
    solo: Callable[[DiplomacyTally], Fraction] | None
    """None where a solo is an end like any other."""
    parts: tuple[Part, ...]
    losers: Part | None = None

    def terms(self, tally: DiplomacyTally) -> list[list[Term]]:
        powers = range(len(tally.centres))
        if tally.ending == "solo" and self.solo is not None:
            rest = [] if self.losers is None else self._of((self.losers,), tally)
            winner = tally.tops[0]
            won = [Term("solo", self.solo(tally))]
            return [won if role == winner else rest[role] if rest else [] for role in powers]
        return self._of(self.parts, tally)

    def _of(self, parts: Sequence[Part], tally: DiplomacyTally) -> list[list[Term]]:
        found: list[list[Term]] = [[] for _ in tally.centres]
        for part in parts:
            so_far = [points_of(terms) for terms in found]
            for terms, points in zip(found, part.reckon(tally, so_far), strict=True):
                if points:
                    terms.append(Term(part.name, points))
        return found

    def scores(self, tally: DiplomacyTally) -> Amounts:
        return [points_of(terms) for terms in self.terms(tally)]


# --- parts ----------------------------------------------------------------------------------------------


def _each(amount: Callable[[DiplomacyTally, int], Fraction | int]) -> Reckoning:
    return lambda tally, _: [Fraction(amount(tally, role)) for role in range(len(tally.centres))]


def _everybody(points: int) -> Part:
    return Part("presence", _each(lambda tally, role: points))


def _centres(each: Fraction | int = 1) -> Part:
    return Part("centres", _each(lambda tally, role: each * tally.centres[role]))


def _survival(points: int) -> Part:
    return Part("survival", _each(lambda tally, role: points if tally.centres[role] else 0))


def _table(*points: int) -> Part:
    """Points by number of centres; beyond the table one more for each."""
    last = len(points) - 1
    return Part(
        "centres",
        _each(
            lambda tally, role: points[min(tally.centres[role], last)] + max(0, tally.centres[role] - last)
        ),
    )


def _places(*prizes: int | Fraction, dead: Literal["share", "by_year", "nothing"] = "share") -> Part:
    """What the places hold. The dead are level, or the later the better, or get nothing."""

    def reckon(tally: DiplomacyTally, _: Amounts) -> Amounts:
        by_year = dead == "by_year"
        worths = [
            (number, tally.years(role) if by_year and not number else 0)
            for role, number in enumerate(tally.centres)
        ]
        found = shared_places(worths, prizes)
        if dead == "nothing":
            return [points if tally.centres[role] else Fraction() for role, points in enumerate(found)]
        return found

    return Part("place", reckon)


def _near(distance: int, whole: Callable[[DiplomacyTally], Fraction | int]) -> Part:
    """Shared evenly by all who are within so many centres of the top; the top itself is within 0."""

    def reckon(tally: DiplomacyTally, _: Amounts) -> Amounts:
        near = [number >= tally.most - distance for number in tally.centres]
        return [Fraction(whole(tally)) / sum(near) if is_near else Fraction() for is_near in near]

    return Part("near" if distance else "top", reckon)


def _by_shares(whole: int, *shares: Fraction | int) -> Part:
    """Divided by shares: those of the top, of who is one centre behind it, of who is two."""

    def reckon(tally: DiplomacyTally, _: Amounts) -> Amounts:
        behind = [tally.most - number for number in tally.centres]
        weights = [
            Fraction(shares[gap]) if gap < len(shares) and tally.centres[role] else Fraction()
            for role, gap in enumerate(behind)
        ]
        return [whole * weight / sum(weights) for weight in weights]

    return Part("near", reckon)


def _top(sole: int, shared: int) -> Part:
    """For the one at the top, or for each of several there."""
    return Part(
        "top",
        _each(
            lambda tally, role: 0 if role not in tally.tops else sole if len(tally.tops) == 1 else shared,
        ),
    )


def _levy(tally: DiplomacyTally, so_far: Amounts) -> Amounts:
    """A sole top takes from each other its lead over the second, but no more than half of what he has."""
    if not tally.lead:
        return [Fraction() for _ in so_far]
    top = tally.tops[0]
    taken = [
        Fraction() if role == top else min(Fraction(tally.lead), has / 2) for role, has in enumerate(so_far)
    ]
    return [sum(taken, Fraction()) if role == top else -amount for role, amount in enumerate(taken)]


def _pike(tally: DiplomacyTally, role: int) -> int:
    """The more nobody is close behind, the more a sole top gets; who is close gets something too."""
    one, two = (tally.most - gap in tally.centres for gap in (1, 2))
    behind = tally.most - tally.centres[role]
    if behind == 0:
        return 4 if len(tally.tops) > 1 else 6 if one else 10 if two else 12
    return {1: 4, 2: 2}.get(behind, 0) if tally.centres[role] else 0


def _proportion(
    whole: Callable[[DiplomacyTally], int],
    weight: Callable[[DiplomacyTally, int], int],
    dead_count: bool = True,
) -> Part:
    """The whole divided by weight among the survivors; the dead make it smaller, where they count."""

    def reckon(tally: DiplomacyTally, _: Amounts) -> Amounts:
        total = sum(weight(tally, number) for number in tally.centres if number or dead_count)
        return [
            Fraction(whole(tally) * weight(tally, number), total) if number else Fraction()
            for number in tally.centres
        ]

    return Part("proportion", reckon)


def _after_death(reckon: Callable[[int], Fraction | int]) -> Part:
    """For the dead alone, by the years that they were there."""
    return Part("years", _each(lambda tally, role: 0 if tally.centres[role] else reckon(tally.years(role))))


def _years(reckon: Callable[[int], Fraction | int]) -> Part:
    return Part("years", _each(lambda tally, role: reckon(tally.years(role))))


def _draw_share(tally: DiplomacyTally, role: int) -> Fraction:
    among = tally.survivors if tally.draw is None else tally.draw
    return Fraction(100, len(among)) if role in among else Fraction()


def _boucher(tally: DiplomacyTally, role: int) -> Fraction:
    dead = len(tally.centres) - len(tally.survivors)
    return Fraction(dead or Fraction(1, 2)) if tally.centres[role] else Fraction()


def _calhammer(tally: DiplomacyTally, role: int) -> int:
    return 100 // len(tally.survivors) if tally.centres[role] else 0


def _classic_top(tally: DiplomacyTally, _: Amounts, at_most: int = 7) -> Amounts:
    tops = tally.tops
    share = Fraction(48, len(tops)) if len(tops) <= at_most else Fraction()
    return [share if role in tops else Fraction() for role in range(len(tally.centres))]


def _bangkok(tally: DiplomacyTally) -> int:
    """Points of a share; 420 where seven play."""
    return 420 + 30 * (len(tally.centres) - 7)


def _bangkok_centre(tally: DiplomacyTally) -> Fraction:
    return Fraction(_bangkok(tally), 4) * Fraction(34 * len(tally.centres), 7 * tally.board)


def _manorcon(tally: DiplomacyTally, number: int) -> int:
    return number * number + 4 * number + tally.board // len(tally.centres)


def _manorcon_16(tally: DiplomacyTally, number: int) -> int:
    return number * number + 4 * number + 16


def _constant(points: int) -> Callable[[DiplomacyTally], Fraction]:
    return lambda tally: Fraction(points)


# --- the systems ----------------------------------------------------------------------------------------

_TENTH, _HALF = Fraction(1, 10), Fraction(1, 2)
_NAMUR = _table(0, 5, 9, 12, 14, 16, 18)
_CDIPLO = (_everybody(1), _centres(), _places(38, 14, 7))
_CARNAGE = tuple(range(7000, 0, -1000))
_BANGKOK_DEAD = Part(
    "years", _each(lambda tally, role: 0 if tally.centres[role] else Fraction(3 * tally.years(role), 10))
)
_PIKE_YEARS: Callable[[int], Fraction] = lambda years: (years + 1) * _TENTH  # noqa: E731
_MANORCON_DEAD = _after_death(lambda years: years * _TENTH)
_MANORCON_LOSERS = _years(lambda years: years * _TENTH)
_CLASSIC = (_centres(10), _survival(30))
_CLASSIC_DEAD, _CLASSIC_LOSERS = _after_death(lambda years: years), _years(lambda years: years)
_BOUCHER, _CALHAMMER = Part("survival", _each(_boucher)), Part("survival", _each(_calhammer))

SYSTEMS: Mapping[str, System] = MappingProxyType(
    {
        system.name: system
        for system in (
            System("cdiplo", "CDIP", _constant(73), _CDIPLO),
            System("cdiplo-namur", "CNAM", _constant(85), (_everybody(1), _NAMUR, _places(38, 14, 7))),
            System(
                "win-namur", "WNAM", _constant(82), (_NAMUR, _near(0, _constant(18)), _near(2, _constant(18)))
            ),
            System(
                "diplo-ligue", "DLIG", None, (_places(16, 14, 12, 10, 8, 6, 4, dead="nothing"), _top(4, 1))
            ),
            System(
                "omg",
                "NOMG",
                _constant(100),
                (
                    _survival(9),
                    _centres(Fraction(3, 2)),
                    _places(Fraction(9, 2), 3, Fraction(3, 2)),
                    Part("levy", _levy),
                ),
            ),
            System("boucher", "BOUC", _constant(7), (_BOUCHER,)),
            System(
                "bangkok",
                "BANG",
                lambda tally: Fraction(4000 * _bangkok(tally), 420),
                (
                    _near(0, _bangkok),
                    _near(1, _bangkok),
                    _near(2, _bangkok),
                    Part("centres", _each(lambda tally, role: tally.centres[role] * _bangkok_centre(tally))),
                    _everybody(105),
                    _survival(315),
                ),
            ),
            System(
                "manorcon",
                "MANO",
                lambda tally: Fraction(75 * len(tally.centres)),
                (_proportion(lambda tally: 100 * len(tally.centres), _manorcon),),
            ),
            System("calhammer", "CALH", _constant(100), (_CALHAMMER,)),
            System("cdiplo-100", "", _constant(100), _CDIPLO),
            System("cdiplo-80", "", _constant(80), (_centres(), _places(25, 14, 7))),
            System(
                "squares",
                "",
                _constant(100),
                (_proportion(lambda tally: 100, lambda tally, number: number * number),),
            ),
            System("draw-size", "", _constant(100), (Part("draw", _each(_draw_share)),)),
            System("carnage", "", _constant(28034), (_centres(), _places(*_CARNAGE, dead="by_year"))),
            System("carnage-equal", "", _constant(28034), (_centres(), _places(*_CARNAGE))),
            System(
                "carnage-2023",
                "",
                _constant(28034),
                (
                    _centres(),
                    _places(*_CARNAGE, dead="by_year"),
                    Part("lead", _each(lambda tally, role: 300 * tally.lead if role in tally.tops else 0)),
                ),
            ),
            System(
                "carnage-centres",
                "",
                _constant(39028),
                (_centres(500), _places(*range(7007, 0, -1001), dead="by_year")),
                _everybody(1000),
            ),
            System(
                "manorcon-75",
                "",
                _constant(75),
                (_proportion(lambda tally: 100, _manorcon_16), _MANORCON_DEAD),
                _MANORCON_LOSERS,
            ),
            System(
                "manorcon-100",
                "",
                _constant(100),
                (_proportion(lambda tally: 100, _manorcon_16), _MANORCON_DEAD),
                _MANORCON_LOSERS,
            ),
            System(
                "manorcon-v2",
                "",
                _constant(100),
                (_proportion(lambda tally: 100, _manorcon_16, dead_count=False), _MANORCON_DEAD),
                _MANORCON_LOSERS,
            ),
            System(
                "bangkok-41",
                "",
                _constant(41),
                (_centres(), _survival(3), _BANGKOK_DEAD, _by_shares(12, 3, 2, 1)),
                _centres(_HALF),
            ),
            System(
                "olympic",
                "",
                _constant(46),
                (_centres(), _survival(3), _BANGKOK_DEAD, _by_shares(12, 4, Fraction(3, 2), _HALF)),
            ),
            System(
                "bangkok-pike",
                "",
                _constant(60),
                (_centres(), _survival(3), _after_death(_PIKE_YEARS), Part("near", _each(_pike))),
                _years(_PIKE_YEARS),
            ),
            System(
                "world-classic",
                "",
                _constant(420),
                (*_CLASSIC, Part("top", _classic_top), _CLASSIC_DEAD),
                _CLASSIC_LOSERS,
            ),
            System(
                "summer-classic",
                "",
                _constant(420),
                (*_CLASSIC, Part("top", lambda tally, so_far: _classic_top(tally, so_far, 2)), _CLASSIC_DEAD),
                _CLASSIC_LOSERS,
            ),
        )
    }
)
"""By name; the AFJD's nine first."""
USUAL = "cdiplo"
