"""Robots and tiles as games of the house: the race, and practice for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from tablee.rules.conditions import counted
from tablee.rules.contract import (
    Action,
    Actions,
    Beat,
    Condition,
    Fact,
    Glance,
    Illegal,
    Instant,
    Join,
    Result,
    Resumption,
    Robot,
    Rules,
    Seat,
    Seats,
)
from tablee.rules.robots import decision, evolution, film, hidden, resuming, showing
from tablee.rules.robots.board import BoardDocument, compile_board
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.checking import check_set
from tablee.rules.robots.model import (
    Began,
    PracticeOptions,
    RaceOptions,
    RobotsAction,
    RobotsFact,
    RobotsState,
)
from tablee.rules.robots.picture import picture
from tablee.rules.robots.robot import STRENGTHS
from tablee.rules.robots.starts import starting_tiles
from tablee.rules.robots.troubles import Trouble
from tablee.rules.robots.views import RobotsTold, RobotsView
from tablee.rules.words import load_words

SECOND = 1_000
TROUBLES_SAID = 5
"""Of all that is wrong with a set of boards a refusal says so much; the checker says it all."""

_WORDS = load_words("tablee.rules.robots")


class RaceRules(Rules[RobotsState]):
    """Two to eight robots."""

    name = "robots"
    resumes = True
    variant = "race"
    options_type: ClassVar[type[PracticeOptions]] = RaceOptions
    state_type = RobotsState
    action_type = RobotsAction
    fact_type = RobotsFact
    view_type = RobotsView
    told_type = RobotsTold
    told_to_all: ClassVar[tuple[type[Fact], ...]] = RobotsFact.__args__
    robots: Mapping[str, Robot] = STRENGTHS
    has_clocks = False

    def seats(self, options: RaceOptions) -> Seats:
        return Seats(2, options.seats)

    def setup(self, options: PracticeOptions, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        boards = boards_of(options)
        first = compile_board(boards[0])
        starts = starting_tiles(first)
        return [
            Began(
                seats=tuple(seats),
                boards=boards,
                names=tuple(board if isinstance(board, str) else None for board in options.boards),
                starts=starts,
                proposed=decision.proposals(first, seats, starts),
                rounds=options.rounds,
                localization=options.localization_seconds * SECOND,
                cartouche=options.cartouche_seconds * SECOND,
                at=at,
            )
        ]

    def decide(self, state: RobotsState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        return decision.decide(state, seat, action, at)

    def evolve(self, state: RobotsState | None, fact: Fact) -> RobotsState:
        return evolution.evolve(state, fact)

    def legal(self, state: RobotsState, seat: Seat) -> Actions:
        return showing.RobotsActions(state, seat)

    def view(self, state: RobotsState, seat: Seat) -> RobotsView:
        return showing.view(state, seat)

    def tell(self, before: RobotsState | None, fact: Fact, after: RobotsState, seat: Seat) -> Fact:
        return showing.tell(fact, seat)

    def alarms(self, state: RobotsState) -> dict[str, Instant]:
        return decision.alarms(state)

    def waiting(self, state: RobotsState) -> frozenset[Seat]:
        return frozenset(state.awaited)

    def is_abortable(self, state: RobotsState) -> bool:
        """Until the first round is played."""
        return state.ended is None and state.board == 0 and state.round <= 1 and not state.played

    def result(self, state: RobotsState) -> Result | None:
        if state.ended is None:
            return None
        return Result(ranks=state.ranks, reason=state.ended, rated=len(state.seats) > 1)

    def shuffle_hidden(self, state: RobotsState, seat: Seat, rng: Random) -> RobotsState:
        return hidden.shuffle_hidden(state, seat, rng)

    def beat(self, told: Sequence[Fact], view: Callable[[], RobotsView], language: str) -> Beat:
        return film.beat(told, view, _WORDS[language])

    def picture(self, view: RobotsView) -> str:
        return picture(view)

    def resumed(
        self, options: PracticeOptions, facts: Sequence[Fact], people: Mapping[Seat, Join], at: Instant
    ) -> Resumption:
        return resuming.resumed(options, facts, at)

    def glance(self, view: RobotsView, language: str) -> Glance:
        words = _WORDS[language]
        moment = words[f"glance.{view.phase}"].format(round=view.round)
        if view.you is None:
            return Glance(moment=moment)
        robot = view.robots[view.you.seat]
        owes = view.phase != "over" and robot.rank is None and robot.status in ("racing", "waiting")
        is_there = owes and robot.ready
        return Glance(
            robot.name, moment, int(is_there), int(owes), is_in=is_there, is_final=is_there, until=view.until
        )

    def conditions(self, options: PracticeOptions, language: str) -> list[Condition]:
        words = _WORDS[language]
        boards = shipped_boards()

        def lasting(seconds: int) -> str:
            return counted(words, "condition.second", seconds) if seconds else words["condition.unlimited"]

        named = [
            boards[each].title[language]
            if isinstance(each, str) and each in boards
            else words["condition.own_board"]
            for each in options.boards
        ]
        return [
            Condition(words["condition.cartouche"], lasting(options.cartouche_seconds)),
            Condition(words["condition.start"], lasting(options.localization_seconds)),
            Condition(words["option.rounds"], words["condition.rounds"].format(n=options.rounds)),
            Condition(words["option.boards"], ", ".join(named)),
        ]

    def words(self, language: str) -> Mapping[str, str]:
        return _WORDS[language]


class PracticeRules(RaceRules):
    """One robot alone, for as long as it likes; nothing of it is rated."""

    variant = "practice"
    options_type = PracticeOptions

    def seats(self, options: PracticeOptions) -> Seats:
        return Seats(1, 1)


def boards_of(options: PracticeOptions) -> tuple[BoardDocument, ...]:
    """The boards of a game in order, numbered from 0. Raises Illegal with what is wrong with them."""
    found: list[BoardDocument] = []
    for index, board in enumerate(options.boards):
        if isinstance(board, str):
            if board not in shipped_boards():
                raise Illegal("no_such_board", board=board[:40], boards=", ".join(shipped_boards()))
            board = shipped_boards()[board].document
        found.append(replace(board, boardIdx=index))
    troubles = check_set(found)
    if troubles:
        said = troubles[:TROUBLES_SAID]
        raise Illegal(
            "bad_boards",
            fr=" ".join(_where(trouble) + trouble.fr for trouble in said),
            en=" ".join(_where(trouble) + trouble.en for trouble in said),
            count=len(troubles),
        )
    return tuple(found)


def _where(trouble: Trouble) -> str:
    return "" if trouble.x is None else f"[{trouble.x},{trouble.y}] "
