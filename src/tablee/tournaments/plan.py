"""What a tournament is to be: its game, its format, its rounds, how points are made and ties broken."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tablee.rules.contract import Instant, Json, Rules
from tablee.tournaments.standings import OF_BOARDS, OF_DUELS, Counting

NAME_MOST = 50
ROUNDS_MOST = 38
ENTRANTS_MOST = 5_000
Format = Literal["round_robin", "swiss", "knockout", "boards"]
Amount = Annotated[str, Meta(pattern=r"^[0-9]{1,6}(/[1-9][0-9]{0,5})?$")]
"""A fraction, as `3/2`."""

WIN_DRAW = {"results": (Fraction(1), Fraction(1, 2)), "three": (Fraction(3), Fraction(1))}
"""What a win and a draw are worth, in tournaments for two."""


SECRET = frozenset({"code", "seed", "apart"})
"""What of a plan is its organisers' alone: who knows the seed knows rounds that nobody has published."""


def public(plan: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a plan as everybody may read it."""
    return {name: value for name, value in plan.items() if name not in SECRET}


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that organisers choose. `faults` says what does not fit together."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_MOST)]
    game: str
    variant: str
    format: Format
    rounds: Annotated[int, Meta(ge=1, le=ROUNDS_MOST)] = 1
    """Of a round robin it follows from who has entered."""
    description: Annotated[str, Meta(max_length=4_000)] = ""
    options: Json = None
    time_control: Json = None
    rated: bool = True
    in_room: bool = False
    """Played at real boards: there are no tables, and organisers enter the results."""
    double: bool = False
    """A round robin in which everybody meets twice."""
    pairing: Literal["dutch", "house"] = "dutch"
    """Of a Swiss tournament; the house pairs where the Dutch rules have no program, and beyond its bounds."""
    seats: Annotated[int, Meta(ge=0, le=10)] = 0
    """Of a board of several; 0 is as many as the game takes."""
    fill: Annotated[str, Meta(max_length=40)] = ""
    """The robot that sits where a board is not full, and scores nothing; empty: who is too many sits out."""
    best_of: Annotated[int, Meta(ge=1, le=7)] = 1
    """Games of a match in a knockout; level after them: two pairs more, then a lot."""
    third_place: bool = False
    """In a knockout: who lost in the last four plays for the third place."""
    seeding: Literal["rating", "lot"] = "rating"
    """Of a knockout; organisers may list the seeds themselves until its first round is published."""
    top_board: bool = False
    """In the last round the best meet at the first board."""
    points: str = ""
    """`results`, `three`, `places`, `points`, `list`, or a scoring of the game; empty is what is usual."""
    point_list: Annotated[tuple[Annotated[int, Meta(ge=0, le=100_000)], ...], Meta(max_length=10)] = ()
    best: Annotated[int, Meta(ge=0, le=ROUNDS_MOST)] = 0
    """So many rounds count, the best; 0: all."""
    weights: dict[str, Amount] = {}
    """By round, where one is not worth what the others are."""
    ties: tuple[str, ...] = ()
    """Empty is what is usual for the format."""
    limit: Annotated[int, Meta(ge=0, le=ENTRANTS_MOST)] = 0
    """Who enters beyond it waits; 0 is no limit."""
    opens_at: Instant = 0
    closes_at: Instant = 0
    """Entries are taken between the two; 0 is no bound."""
    code: Annotated[str, Meta(max_length=40)] = ""
    """That one must know to enter."""
    timing: Literal["hand", "live", "days"] = "hand"
    """Who cares for the hours: organisers; or the house, with rounds at a sitting or of several days."""
    starts: Annotated[tuple[Instant, ...], Meta(max_length=ROUNDS_MOST)] = ()
    """The hours of the first rounds; the others follow the round before."""
    pause: Annotated[int, Meta(ge=0, le=10_080)] = 10
    """Minutes between the end of a round and the next."""
    review: Annotated[int, Meta(ge=-1, le=43_200)] | None = None
    """Minutes for which a draft is looked at before the house publishes it; -1: organisers publish.
    None is what is usual: at once at a sitting, a day by days."""
    no_show: Annotated[int, Meta(ge=1, le=1_440)] = 10
    """Minutes after the beginning of a game at a sitting, when who is not there has lost it."""
    check_in: Annotated[int, Meta(ge=0, le=1_440)] | None = None
    """Minutes before the first hour in which everybody says that he is there; 0: nobody need.
    None is what is usual: 30 at a sitting, else none."""
    round_days: Annotated[int, Meta(ge=1, le=365)] = 7
    """The length of a round by days."""
    concurrent: bool = False
    """The next round need not wait for the end of the last."""
    rating: Annotated[int, Meta(ge=0, le=9_999)] = 0
    """The least of who enters by himself."""
    robots: Annotated[tuple[str, ...], Meta(max_length=64)] = ()
    """Robots of the house that play along, by strength."""
    apart: Annotated[tuple[tuple[int, int], ...], Meta(max_length=200)] = ()
    """Accounts that should not meet."""
    team_best: Annotated[int, Meta(ge=0, le=20)] = 0
    """So many members of a team count each round; 0 where there are no teams."""
    prize_places: Annotated[int, Meta(ge=0, le=100)] = 0
    """Prizes for so many places."""
    prize_roles: bool = False
    """A prize for the best of each role, colour or seat; who is level shares it."""
    seed: Annotated[int, Meta(ge=0, le=2**62)] = 0
    """Of chance; the house takes one where none is said."""

    @property
    def review_minutes(self) -> int:
        """How long a draft waits for its organisers; -1: until they publish it."""
        usual = {"hand": -1, "live": 0, "days": 24 * 60}[self.timing]
        return usual if self.review is None else self.review

    @property
    def check_in_minutes(self) -> int:
        return (30 if self.timing == "live" else 0) if self.check_in is None else self.check_in

    @property
    def is_duel(self) -> bool:
        """Whether two meet at a time."""
        return self.format != "boards"

    @property
    def rounds_most(self) -> int:
        """How many rounds there may be: in some formats that follows from who comes."""
        return ROUNDS_MOST if self.format in ("round_robin", "knockout") else self.rounds

    def points_of(self, rules: Rules[Any]) -> str:
        """How points are made, by name."""
        return self.points or ("results" if self.is_duel else next(iter(rules.scorings), "places"))

    def ties_of(self, rules: Rules[Any]) -> tuple[str, ...]:
        """What sets apart who has the same points; in a knockout nothing but the matches."""
        if self.ties or self.format == "knockout":
            return self.ties
        if self.format == "swiss":
            return ("buchholz_cut1", "buchholz", "direct", "wins")
        if self.format == "round_robin":
            return ("direct", "sonneborn", "wins")
        return ("best", "solos", "tops", "centres") if rules.scorings else ("firsts", "best")

    def counting(self, rules: Rules[Any]) -> Counting:
        weights = {int(number): Fraction(weight) for number, weight in self.weights.items()}
        draw = WIN_DRAW.get(self.points_of(rules), WIN_DRAW["results"])[1]
        return Counting(self.ties_of(rules), self.best, weights, draw)

    def board_sizes(self, rules: Rules[Any]) -> tuple[int, int]:
        """The fewest and the most at a board of several."""
        options = msgspec.convert(self.options or {}, rules.options_type)
        bounds = rules.seats(options)
        if rules.roles:
            return rules.roles, rules.roles
        most = min(self.seats or bounds.most, bounds.most)
        return max(1, bounds.least), most

    def faults(self, rules: Rules[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Codes of what is wrong, all at once, with what fills in their sentences."""
        try:
            options = msgspec.convert(self.options or {}, rules.options_type)
        except msgspec.ValidationError as error:
            yield "bad_options", {"reason": str(error)}
            return
        bounds = rules.seats(options)
        if self.is_duel and not bounds.least <= 2 <= bounds.most:
            yield "format_unfit", {"format": self.format}
        if self.is_duel and self.points_of(rules) not in WIN_DRAW:
            yield "unknown_points", {"points": self.points}
        known = {"places", "points", "list", *rules.scorings}
        if not self.is_duel and self.points_of(rules) not in known:
            yield "unknown_points", {"points": self.points}
        if self.points_of(rules) == "list" and not self.point_list:
            yield "no_point_list", {}
        allowed = OF_DUELS if self.is_duel else OF_BOARDS
        if self.format == "knockout":
            allowed = frozenset()
            for name in ("best", "weights", "team_best", "top_board", "point_list"):
                if getattr(self, name):
                    yield "unfit", {"what": name, "format": self.format}
            if self.points_of(rules) != "results":
                yield "unfit", {"what": "points", "format": self.format}
        else:
            for name, usual in (("best_of", 1), ("third_place", False), ("seeding", "rating")):
                if getattr(self, name) != usual:
                    yield "unfit", {"what": name, "format": self.format}
        if self.is_duel and self.fill:
            yield "unfit", {"what": "fill", "format": self.format}
        if self.fill and self.fill not in rules.robots:
            yield "unknown_robot", {"strength": self.fill}
        for tie in self.ties:
            if tie not in allowed:
                yield "unknown_tie", {"tie": tie}
        for number in self.weights:
            if not number.isdecimal() or not 1 <= int(number) <= ROUNDS_MOST:
                yield "bad_weight", {"round": number}
        if self.format == "swiss" and not 2 <= self.rounds <= 15:
            yield "bad_rounds", {"least": 2, "most": 15}
        if list(self.starts) != sorted(set(self.starts)) or len(self.starts) > self.rounds_most:
            yield "bad_starts", {}
        if self.timing == "live" and not self.starts:
            yield "no_start", {}
        if self.timing != "hand" and self.in_room:
            yield "timed_in_room", {}
        if self.concurrent and (self.is_duel or self.top_board or self.timing == "live"):
            yield "unfit", {"what": "concurrent", "format": self.format}
        if self.timing == "days" and rules.roles and "cycles" not in (self.options or {}):
            yield "no_cycles", {}
        if self.closes_at and self.opens_at > self.closes_at:
            yield "bad_dates", {}
        for strength in self.robots:
            if strength not in rules.robots:
                yield "unknown_robot", {"strength": strength}
        if len(set(self.robots)) < len(self.robots):
            yield "robots_twice", {}
        if self.in_room and (self.robots or self.fill):
            yield "robots_in_room", {}
