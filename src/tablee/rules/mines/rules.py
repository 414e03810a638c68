"""Shared minesweeper as a game of the house."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from tablee.rules.conditions import plain_conditions
from tablee.rules.contract import (
    MASTER,
    Action,
    Actions,
    Beat,
    Condition,
    Fact,
    Glance,
    Illegal,
    Instant,
    Join,
    Json,
    Result,
    Resumption,
    Robot,
    Rules,
    Seat,
    Seats,
)
from tablee.rules.mines import decision, evolution, film, resuming, showing
from tablee.rules.mines.board import HIDDEN, MINE, mines_of, numbered, random_mines, square_name
from tablee.rules.mines.model import (
    Abandoned,
    CameBack,
    ClassicOptions,
    ClockMoved,
    CustomOptions,
    FellAsleep,
    Finished,
    Flagged,
    Joined,
    Laid,
    Left,
    MinesAction,
    MinesFact,
    MinesState,
    Missed,
    Opened,
    Returned,
    Unflagged,
    WentAway,
)
from tablee.rules.mines.noguess import NoBoard, generate, most_mines
from tablee.rules.mines.picture import picture
from tablee.rules.mines.position import read_position
from tablee.rules.mines.robot import ExactRobot, NoviceRobot
from tablee.rules.mines.solver import random_layout
from tablee.rules.mines.views import MinesTold, MinesView
from tablee.rules.words import load_words

WIDTH, HEIGHT, MINES = 30, 16, 99

_WORDS = load_words("tablee.rules.mines")


class MinesRules(Rules[MinesState]):
    """The board of the Minehive document, for one to ten players."""

    name = "mines"
    resumes = True
    variant = "classic"
    options_type: ClassVar[type[msgspec.Struct]] = ClassicOptions
    version = 2
    state_type = MinesState
    action_type = MinesAction
    fact_type = MinesFact
    view_type = MinesView
    told_type = MinesTold
    misses = (Missed,)
    private = (Flagged, Unflagged)
    has_clocks = False
    told_to_all = (
        Joined,
        WentAway,
        Left,
        CameBack,
        FellAsleep,
        Returned,
        Opened,
        ClockMoved,
        Finished,
        Abandoned,
    )

    robots: Mapping[str, Robot] = MappingProxyType({"exact": ExactRobot(), "novice": NoviceRobot()})

    def seats(self, options: ClassicOptions | CustomOptions) -> Seats:
        return Seats(least=0, most=options.seats)

    def setup(
        self, options: ClassicOptions | CustomOptions, seats: Sequence[Seat], at: Instant, rng: Random
    ) -> list[Fact]:
        mines = random_mines(WIDTH, HEIGHT, MINES, rng)
        return [Laid(WIDTH, HEIGHT, tuple(mines), options.seats, options.chording, options.flags, at)]

    def decide(self, state: MinesState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        return decision.decide(state, seat, action, at, rng)

    def evolve(self, state: MinesState | None, fact: Fact) -> MinesState:
        return evolution.evolve(state, fact)

    def legal(self, state: MinesState, seat: Seat) -> Actions:
        return showing.MinesActions(state, seat)

    def view(self, state: MinesState, seat: Seat) -> MinesView:
        return showing.view(state, seat)

    def tell(self, before: MinesState | None, fact: Fact, after: MinesState, seat: Seat) -> MinesTold | None:
        return showing.tell(fact, seat)

    def alarms(self, state: MinesState) -> dict[str, Instant]:
        return decision.alarms(state)

    def waiting(self, state: MinesState) -> frozenset[Seat]:
        """Everybody who is there: nobody waits for a turn in minesweeper."""
        if state.ended:
            return frozenset()
        return frozenset(player.seat for player in state.players if player.present)

    def result(self, state: MinesState) -> Result | None:
        if state.ended is None:
            return None
        scores = {player.seat: player.points for player in state.players}
        ranks = {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()}
        rated = state.ended == "cleared" and len(scores) > 1
        return Result(ranks=ranks, reason=state.ended, scores=scores, rated=rated)

    def shuffle_hidden(self, state: MinesState, seat: Seat, rng: Random) -> MinesState:
        """Other mines that fit every open number while these are hidden, and others' flags elsewhere."""
        if seat == MASTER:
            return state
        truth = state.truth if state.ended else _other_mines(state, rng)
        hidden = [square for square, letter in enumerate(state.shown) if letter == HIDDEN]
        players = tuple(
            player if player.seat == seat or not state.flags else replace(player, flags=_some(hidden, rng))
            for player in state.players
        )
        return replace(state, truth=truth, players=players)

    def marks(self, state: MinesState, seat: Seat) -> Json:
        player = state.player(seat)
        return None if player is None else list(player.flags)

    def marked(self, state: MinesState, seat: Seat, marks: Json) -> MinesState:
        flags = tuple(sorted({square for square in marks or () if state.shown[square] == HIDDEN}))
        players = tuple(replace(p, flags=flags) if p.seat == seat else p for p in state.players)
        return replace(state, players=players)

    def spoken(self, fields: Mapping[str, Json], language: str) -> dict[str, Json]:
        named = {"square": square_name(fields["x"], fields["y"])} if {"x", "y"} <= fields.keys() else {}
        return {**fields, **named}

    def beat(self, told: Sequence[Fact], view: Callable[[], MinesView], language: str) -> Beat:
        return film.beat(told, view, _WORDS[language])

    def picture(self, view: MinesView) -> str:
        return picture(view)

    def resumed(
        self, options: Any, facts: Sequence[Fact], people: Mapping[Seat, Join], at: Instant
    ) -> Resumption:
        return resuming.resumed(options, facts, people, at)

    def glance(self, view: MinesView, language: str) -> Glance:
        return Glance(moment=_WORDS[language]["glance.cleared"].format(percent=view.completion))

    def conditions(self, options: ClassicOptions | CustomOptions, language: str) -> list[Condition]:
        """Its size is said by the name of this variant, and how many may sit by the table."""
        return plain_conditions(_WORDS[language], options, language, ("flags", "chording"))

    def words(self, language: str) -> Mapping[str, str]:
        return _WORDS[language]


def _other_mines(state: MinesState, rng: Random) -> bytes:
    position = read_position(state.shown, state.width, state.height, state.mines)
    mines = mines_of(state.truth)
    hit = [square for square in mines if state.shown[square] == MINE]
    return numbered(state.width, state.height, [*hit, *random_layout(position, mines, rng)])


def _some(squares: Sequence[int], rng: Random) -> tuple[int, ...]:
    return tuple(sorted(rng.sample(squares, rng.randint(0, min(3, len(squares))))))


class CustomMinesRules(MinesRules):
    """A board of one's own size, on request one that can be opened without guessing."""

    variant = "custom"
    options_type: ClassVar[type[msgspec.Struct]] = CustomOptions

    def setup(self, options: Any, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        width, height = options.width, options.height
        if options.mines >= width * height:
            raise Illegal("too_many_mines", most=width * height - 1)
        start = None
        if options.no_guess:
            start = (rng.randrange(width), rng.randrange(height))
            try:
                mines = generate(width, height, options.mines, start[1] * width + start[0], rng)
            except NoBoard:
                raise Illegal("no_guess_too_dense", most=most_mines(width, height)) from None
        else:
            mines = random_mines(width, height, options.mines, rng)
        laid = Laid(width, height, tuple(mines), options.seats, options.chording, options.flags, at, start)
        return [laid]

    def setup_is_slow(self, options: Any) -> bool:
        return bool(options.no_guess)

    def conditions(self, options: ClassicOptions | CustomOptions, language: str) -> list[Condition]:
        words = _WORDS[language]
        size = words["condition.size"].format_map(msgspec.structs.asdict(options))
        customs = plain_conditions(words, options, language, ("no_guess", "flags", "chording"))
        return [Condition(words["condition.board"], size), *customs]
