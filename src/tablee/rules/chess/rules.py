"""Chess and its three variants as games of the house."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

from msgspec.structs import replace

from tablee.rules.chess import decision, dictation, evolution, film, hidden, resuming, showing
from tablee.rules.chess.analysis import Analysis, analyse
from tablee.rules.chess.boards import BOARDS
from tablee.rules.chess.model import (
    Began,
    CameBack,
    ChessAction,
    ChessFact,
    ChessOptions,
    ChessState,
    ClockMoved,
    DrawDeclined,
    DrawOffered,
    Ended,
    Moved,
    Sides,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    WentAway,
)
from tablee.rules.chess.pgn import tags_of, write_pgn
from tablee.rules.chess.review import HouseJudge, Judge, Review, review
from tablee.rules.chess.robot import STRENGTHS
from tablee.rules.chess.views import ChessTold, ChessView
from tablee.rules.conditions import counted, plain_conditions
from tablee.rules.contract import (
    BY_LOT,
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
    Occasion,
    Result,
    Resumption,
    Robot,
    Rules,
    Seat,
    Seats,
)
from tablee.rules.dictation import Written
from tablee.rules.words import load_words

MINUTE = 60_000

_WORDS = load_words("tablee.rules.chess")
_FIRST: Mapping[str, Sides] = {"white": "first", "black": "second", BY_LOT: "random"}


class ChessRules(Rules[ChessState]):
    """One of the four variants."""

    name = "chess"
    options_type = ChessOptions
    state_type = ChessState
    action_type = ChessAction
    fact_type = ChessFact
    view_type = ChessView
    told_type = ChessTold
    told_to_all: ClassVar[tuple[type[Fact], ...]] = (
        Moved,
        DrawOffered,
        DrawDeclined,
        TakebackAsked,
        TakebackDeclined,
        TakenBack,
        WentAway,
        CameBack,
        ClockMoved,
        Ended,
    )

    formats = ("pgn", "fen")
    resumes = True
    resigns = True
    is_analysed = True
    sides = ("white", "black")
    usual_clocks: ClassVar[tuple[Json, ...]] = (
        {"kind": "budget", "seconds": 45 * 60, "increment": 0},
        {"kind": "budget", "seconds": 60, "increment": 0},
        {"kind": "budget", "seconds": 3 * 60, "increment": 2},
        {"kind": "budget", "seconds": 5 * 60, "increment": 3},
        {"kind": "budget", "seconds": 10 * 60, "increment": 0},
        {"kind": "budget", "seconds": 15 * 60, "increment": 10},
        {"kind": "days", "days": 3},
        {"kind": "none"},
    )

    def __init__(
        self,
        variant: str = "classic",
        robots: Mapping[str, Robot] = STRENGTHS,
        judge: Judge = HouseJudge(),  # noqa: B008 - frozen
    ) -> None:
        self.variant = variant
        self.is_laid_open = variant == "dark"
        self.judge = judge
        self.robots = MappingProxyType(dict(robots))

    def with_robots(self, robots: Mapping[str, Robot]) -> ChessRules:
        """The same game with other robots in place of those of the same names."""
        return ChessRules(self.variant, {**self.robots, **robots}, self.judge)

    def with_judge(self, judge: Judge) -> ChessRules:
        """The same game with somebody else who looks at finished games."""
        return ChessRules(self.variant, self.robots, judge)

    def seats(self, options: ChessOptions) -> Seats:
        return Seats(2, 2)

    def setup(self, options: ChessOptions, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        white, black = seats
        if options.sides == "second" or (options.sides == "random" and rng.random() < 0.5):
            white, black = black, white
        live = options.pace == "live"
        limit = options.turn_minutes * MINUTE if live else 0
        return [Began(self._start(options), white, black, live, limit, at)]

    def _start(self, options: ChessOptions) -> str:
        """The position to begin with, as the board writes it; raises Illegal."""
        if not options.start:
            return BOARDS[self.variant].starting_fen
        try:
            board = BOARDS[self.variant](options.start.strip())
        except ValueError:
            raise Illegal("bad_position", fault="FEN") from None
        faults = board.faults()
        if faults or board.ending() is not None:
            raise Illegal("bad_position", fault=faults[0] if faults else "…")
        return board.fen()

    def paced(self, options: ChessOptions, by_days: bool) -> ChessOptions:
        return replace(options, pace="days") if by_days else options

    def again(self, options: ChessOptions, state: ChessState) -> ChessOptions:
        return replace(options, sides="second" if state.white < state.black else "first")

    def with_first_as(self, options: ChessOptions, side: str) -> ChessOptions:
        return replace(options, sides=_FIRST[side])

    def first_plays(self, options: ChessOptions) -> str | None:
        return next(side for side, sides in _FIRST.items() if sides == options.sides)

    def side(self, state: ChessState, seat: Seat) -> str | None:
        return {state.white: "white", state.black: "black"}.get(seat)

    def is_abortable(self, state: ChessState) -> bool:
        """Until each side has moved once."""
        return state.ended is None and len(state.plies) < 2

    def decide(self, state: ChessState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        return decision.decide(self.variant, state, seat, action, at)

    def evolve(self, state: ChessState | None, fact: Fact) -> ChessState:
        return evolution.evolve(self.variant, state, fact)

    def legal(self, state: ChessState, seat: Seat) -> Actions:
        return showing.ChessActions(self.variant, state, seat)

    def view(self, state: ChessState, seat: Seat) -> ChessView:
        return showing.view(self.variant, state, seat)

    def tell(self, before: ChessState | None, fact: Fact, after: ChessState, seat: Seat) -> ChessTold | None:
        return showing.tell(self.variant, fact, seat)

    def alarms(self, state: ChessState) -> dict[str, Instant]:
        return decision.alarms(state)

    def waiting(self, state: ChessState) -> frozenset[Seat]:
        return frozenset() if state.ended else frozenset({state.turn})

    def asked(self, state: ChessState) -> frozenset[Seat]:
        """Whoever a takeback or a draw is asked of."""
        asking = {state.takeback, state.draw_offer} - {None}
        return frozenset() if state.ended else frozenset(state.opponent(seat) for seat in asking if seat)

    def result(self, state: ChessState) -> Result | None:
        if state.ended is None:
            return None
        seats = (state.white, state.black)
        ranks = {seat: 1 if state.winner in (None, seat) else 2 for seat in seats}
        return Result(ranks=ranks, reason=state.ended)

    def shuffle_hidden(self, state: ChessState, seat: Seat, rng: Random) -> ChessState:
        return hidden.shuffle_hidden(self.variant, state, seat, rng)

    def spoken(self, fields: Mapping[str, Json], language: str) -> dict[str, Json]:
        """A move in the letters of the language; one that is not told has no text of its own."""
        said: dict[str, Any] = dict(fields)
        if fields.get("san"):
            said["san"] = dictation.in_letters(fields["san"], language)
        if fields.get("is") == "moved" and not fields["san"]:
            said |= {"is": "moved_unseen", "san": "…"}
            if fields.get("took"):  # what one has lost is said, and where; not by whom
                piece, square = fields["took"][0], fields["took"][1:]
                said |= {"is": "taken_unseen", "lost": piece.lower(), "square": square}
        return said

    def export(self, view: ChessView, kind: str, occasion: Occasion) -> str | None:
        if kind == "pgn":
            return write_pgn(view, tags_of(view, occasion), occasion.left, occasion.review)
        return None if view.fen is None else f"{view.fen}\n"

    def analyse(self, view: ChessView, step: int, tried: Sequence[str]) -> Analysis:
        played = [view.moves[str(number)][0] for number in range(min(step, view.ply))]
        assert view.start is not None, "once a game is over its start is open to all"
        return analyse(self.variant, view.start, played, tried, self.judge)

    def review_steps(self, view: ChessView) -> int:
        return view.ply + 1

    def review(self, view: ChessView, tell: Callable[[int], None]) -> Review:
        assert view.start is not None, "once a game is over its start is open to all"
        played = [view.moves[str(number)][0] for number in range(view.ply)]
        return review(self.variant, view.start, played, self.judge, tell)

    def may_be_rated(self, options: ChessOptions) -> bool:
        return not options.start

    def read(self, view: ChessView, legal: Actions, role: int, text: str, language: str) -> Action | None:
        found = dictation.read(view, legal, text, language)
        return super().read(view, legal, role, text, language) if found is None else found

    def written(self, view: ChessView, role: int, language: str) -> Written:
        """The moves so far as this seat knows them, the last ones."""
        last = []
        for number in range(max(0, view.ply - 6), view.ply):
            move = dictation.in_letters(view.moves[str(number)][1], language) or "…"
            last.append(f"{number // 2 + 1}{'.' if number % 2 == 0 else '…'} {move}")
        return Written(given=tuple(last))

    def phase(self, state: ChessState) -> int:
        return len(state.plies) + 1

    def beat(self, told: Sequence[Fact], view: Callable[[], ChessView], language: str) -> Beat:
        return film.beat(told, view, _WORDS[language])

    def picture(self, view: ChessView) -> str:
        from tablee.rules.chess.picture import picture  # it brings drawings along that few ask for

        return picture(view)

    def resumed(
        self, options: ChessOptions, facts: Sequence[Fact], people: Mapping[Seat, Join], at: Instant
    ) -> Resumption:
        return resuming.resumed(options, facts, at)

    def glance(self, view: ChessView, language: str) -> Glance:
        words = _WORDS[language]
        return Glance(
            plays="" if view.you is None else words[f"side.{view.you}"],
            moment=words["glance.move"].format(move=view.ply // 2 + 1),
        )

    def conditions(self, options: ChessOptions, language: str) -> list[Condition]:
        """Where one may come and go, no single move has a limit of its own."""
        words, is_live = _WORDS[language], options.pace == "live"
        found = [Condition(words["option.pace"], words[f"condition.{options.pace}"])]
        if is_live and options.turn_minutes:
            found.append(
                Condition(
                    words["condition.one_move"], counted(words, "condition.minute", options.turn_minutes)
                )
            )
        return [*found, *plain_conditions(words, options, language, ("sides",))]

    def words(self, language: str) -> Mapping[str, str]:
        return _WORDS[language]
