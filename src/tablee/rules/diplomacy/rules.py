"""Diplomacy as a game of the house."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from tablee.rules.calendar import UTC, Calendar
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
    Late,
    NoSuchEnd,
    Owed,
    Result,
    Resumption,
    Robot,
    Rules,
    Scoring,
    Seat,
    Seats,
    sentences,
)
from tablee.rules.dictation import Written
from tablee.rules.diplomacy import decision, dictation, evolution, film, glancing, resuming, showing
from tablee.rules.diplomacy.chronicle import Chronicle
from tablee.rules.diplomacy.game import (
    Adjudicated,
    Began,
    ChangeOptions,
    DeadlineMoved,
    DeadlineSet,
    DiplomacyAction,
    DiplomacyFact,
    DiplomacyOptions,
    DiplomacyState,
    Disordered,
    Ended,
    Left,
    OptionsChanged,
    Overdue,
    PassedOver,
    Paused,
    PositionSet,
    Postponed,
    Respite,
    Resumed,
    Returned,
    RoleTaken,
    Saved,
    Sealed,
    SetPosition,
    StoodIn,
    Submit,
    TakenOver,
    Undone,
    Voted,
)
from tablee.rules.diplomacy.phases import centre_counts, is_eliminated, year
from tablee.rules.diplomacy.report import WORDS, letter_lines, phase_name
from tablee.rules.diplomacy.robot import Strategist
from tablee.rules.diplomacy.scoring import SYSTEMS, DiplomacyTally, End
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import DiplomacyTold, DiplomacyView, ToldAdjudicated, ToldPassedOver

MINUTES_OF_A_DAY = 1_440
LATE_TOO_OFTEN = 2
"""Deadlines missed in a row after which somebody else may be asked."""
CROWD = 5
"""Where any number may play, so many times the powers are places enough."""


def _dealt(roles: int, seats: Sequence[Seat], rng: Random, archive: bool) -> tuple[Seat, ...]:
    """The roles dealt round the seats; in an archive those without a player are the master's."""
    order = list(range(roles))
    rng.shuffle(order)
    holders = [MASTER] * roles
    for index, role in enumerate(order):
        if index < len(seats) or not archive:
            holders[role] = seats[index % len(seats)]
    return tuple(holders)


class DiplomacyRules(Rules[DiplomacyState]):
    """One variant; with fewer players than powers, the powers are dealt round."""

    name = "diplomacy"
    version = 5
    resumes = True
    has_master = True
    postpones = True
    guarded = (SetPosition,)
    options_type: ClassVar[type[msgspec.Struct]] = DiplomacyOptions
    state_type = DiplomacyState
    action_type = DiplomacyAction
    fact_type = DiplomacyFact
    view_type = DiplomacyView
    told_type = DiplomacyTold
    told_to_all = (
        Began,
        Adjudicated,
        PassedOver,
        PositionSet,
        Voted,
        Left,
        TakenOver,
        RoleTaken,
        DeadlineMoved,
        DeadlineSet,
        Postponed,
        Overdue,
        Disordered,
        StoodIn,
        Returned,
        Respite,
        OptionsChanged,
        Undone,
        Paused,
        Resumed,
        Ended,
    )
    robots: Mapping[str, Robot] = MappingProxyType({"strategist": Strategist()})
    scorings: Mapping[str, Scoring] = SYSTEMS
    tally_type = DiplomacyTally

    def __init__(self, variant: str = "standard", calendar: Calendar = UTC) -> None:
        self.variant = variant
        self.calendar = calendar
        board = load_variant(variant)
        self.roles = board.roles
        self._words = {
            language: {
                **words,
                f"name.{variant}": f"{words['name']}, {board.names[language == 'en']}",
                **{
                    f"role.{role}": power.name_en if language == "en" else power.name_fr
                    for role, power in enumerate(board.powers)
                    if role
                },
                **{
                    f"illegal.order-{key.removeprefix('reason.')}": f"{{{language}}}"
                    for key in words
                    if key.startswith("reason.")
                },
            }
            for language, words in WORDS.items()
        }

    def punctual(self, before: DiplomacyState, fact: Fact) -> dict[Seat, bool]:
        """With a phase resolved by a date, who had his orders there at the deadline."""
        if not isinstance(fact, Adjudicated) or not before.options.calendar:
            return {}
        owing = [role for role in decision.waited_for(before) if role not in before.stood_in]
        owing += [role for role in before.overdue if role in before.stood_in]
        seats = {before.holder(role) for role in owing} - {MASTER}
        return {seat: not any(role in before.overdue for role in before.roles_of(seat)) for seat in seats}

    def dated(self, calendar: Calendar) -> DiplomacyRules:
        return DiplomacyRules(self.variant, calendar)

    def by_days(self, options: DiplomacyOptions) -> bool:
        """Unless phases end within a day: one that ends when all orders are there may take weeks."""
        return not 0 < options.minutes < MINUTES_OF_A_DAY

    def seats(self, options: DiplomacyOptions) -> Seats:
        roles = load_variant(self.variant).roles
        least = {"fewer": min(2, roles), "none": roles, "any": 1}[options.sharing]
        return Seats(
            least=0 if options.archive else least,
            most=CROWD * roles if options.sharing == "any" else roles,
        )

    def setup(self, options: DiplomacyOptions, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        board = load_variant(self.variant)
        if options.victory > len(board.centres) - 1:
            raise Illegal("bad_victory", victory=options.victory)
        holders = options.deal or _dealt(board.roles, seats, rng, options.archive)
        if options.archive:
            holders += (MASTER,) * (board.roles - len(holders))
        known = {*seats, MASTER} if options.archive else {*seats}
        if len(holders) != board.roles or not known.issuperset(holders):
            raise Illegal("bad_deal")
        victory = decision.victory_of(self.variant, options)
        began = Began(self.variant, tuple(seats), holders, options, victory, board.start(), at)
        if not options.calendar:
            return [began]
        chosen = options.first_deadline if options.first_deadline > at else 0
        return [began, DeadlineSet(chosen or decision.deadline_of(options, 0, at, self.calendar))]

    def decide(
        self, state: DiplomacyState, seat: Seat, action: Action, at: Instant, rng: Random
    ) -> list[Fact]:
        return decision.decide(state, seat, action, at, rng, self.calendar)

    def evolve(self, state: DiplomacyState | None, fact: Fact) -> DiplomacyState:
        return evolution.evolve(state, fact)

    def legal(self, state: DiplomacyState, seat: Seat) -> Actions:
        return showing.DiplomacyActions(state, seat)

    def view(self, state: DiplomacyState, seat: Seat) -> DiplomacyView:
        return showing.view(state, seat)

    def tell(
        self, before: DiplomacyState | None, fact: Fact, after: DiplomacyState, seat: Seat
    ) -> Fact | None:
        return showing.tell(fact, after, seat)

    def alarms(self, state: DiplomacyState) -> dict[str, Instant]:
        return decision.alarms(state)

    def waiting(self, state: DiplomacyState) -> frozenset[Seat]:
        """Who owes orders; whether they are final already counts only where the table shows it."""
        if state.ended is not None:
            return frozenset()
        if state.paused:
            return frozenset({MASTER})  # who goes on with it; nobody's time runs
        hidden = not state.options.show_in
        owing = [role for role in decision.waited_for(state) if hidden or role not in state.final]
        owing = [role for role in owing if role not in state.stood_in]
        master = {MASTER} if state.options.adjudication == "master" else set()
        return frozenset({state.holder(role) for role in owing} | master)

    def result(self, state: DiplomacyState) -> Result | None:
        """A solo's winner before all others; survivors of a draw alike; otherwise by centres."""
        if state.ended is None:
            return None
        counts = centre_counts(load_variant(self.variant), state.situation)
        playing = [seat for seat in state.seats if state.roles_of(seat)]  # the others only sit there
        scores = {seat: sum(counts[role] for role in state.roles_of(seat)) for seat in playing}
        worth = dict(scores)
        if state.ended == "solo":
            worth = {seat: int(seat == state.winner) for seat in playing}
        elif state.ended == "draw":
            worth = {
                seat: int(any(not is_eliminated(state.situation, role) for role in state.roles_of(seat)))
                for seat in playing
            }
        ranks = {seat: 1 + sum(other > value for other in worth.values()) for seat, value in worth.items()}
        rated = state.ended in ("solo", "draw", "cycles") and len(playing) > 1
        rated = rated and not state.options.archive
        return Result(
            ranks=ranks, reason=state.ended, scores=scores, rated=rated, tally=self._tally(state, counts)
        )

    def _tally(self, state: DiplomacyState, counts: Mapping[int, int]) -> Json | msgspec.UnsetType:
        """What tournaments score; nothing where a master has left a position that no game comes to."""
        board = load_variant(self.variant)
        last = year(board, state.last.advancement if state.last is not None else 0)
        try:
            tally = DiplomacyTally(
                centres=tuple(counts.values()),
                out=tuple(
                    None if number else min(last, state.out.get(role, last))
                    for role, number in counts.items()
                ),
                last_year=last,
                ending="solo" if state.ended == "solo" else "draw" if state.ended == "draw" else "years",
                first_year=year(board, 0),
                board=len(board.centres) - 1,
            )
        except ValueError:
            return msgspec.UNSET
        return msgspec.json.decode(msgspec.json.encode(tally))  # lists, as it is read from a log

    def judged(self, given: Json) -> Result:
        """From centres, years of elimination and the last year; a solo is one where it is not said."""
        board = load_variant(self.variant)
        usual = {"first_year": year(board, 0), "board": len(board.centres) - 1, "ending": "years"}
        try:
            end = msgspec.convert({**usual, **given}, End)
        except (msgspec.ValidationError, TypeError) as error:
            raise NoSuchEnd([("form", {"reason": str(error)})]) from None
        if "ending" not in given and len(end.tops) == 1 and 2 * end.most > end.board:
            end = replace(end, ending="solo")
        faults = list(end.faults())
        if len(end.centres) != self.roles:
            faults.insert(0, ("powers", {"given": len(end.centres), "roles": self.roles}))
        if faults:
            raise NoSuchEnd(faults)
        if end.ending == "solo":
            worth = [int(centres == end.most) for centres in end.centres]
        elif end.ending == "draw":
            among = set(end.survivors if end.draw is None else end.draw)
            worth = [int(role in among) for role in range(self.roles)]
        else:
            worth = list(end.centres)
        return Result(
            ranks={role: 1 + sum(other > mine for other in worth) for role, mine in enumerate(worth, 1)},
            reason=end.ending,
            scores=dict(enumerate(end.centres, 1)),
            tally=msgspec.json.decode(msgspec.json.encode(end)),
        )

    def shuffle_hidden(self, state: DiplomacyState, seat: Seat, rng: Random) -> DiplomacyState:
        """Other orders for all other roles and, where that is secret, others of them final."""
        if seat == MASTER or state.ended is not None:
            return state
        if state.overdue or state.disorder:
            return self._shuffle_late(state, seat, rng)
        sealed = {role: orders for role, orders in state.sealed.items() if state.holder(role) == seat}
        final = {role for role in state.final if state.holder(role) == seat}
        owing = decision.waited_for(state)
        others = [role for role in owing if state.holder(role) != seat]
        for role in others:
            if role in state.stood_in or rng.random() < 0.7:
                holder = showing.DiplomacyActions(state, state.holder(role))
                orders = holder.some_orders(role, rng)
                sealed[role] = orders[: rng.randint(0, len(orders))]
        final |= {role for role in others if role in state.stood_in}
        shown = state.options.show_in
        final |= {role for role in others if (role in state.final if shown else rng.random() < 0.5)}
        if others and final.issuperset(owing) and not final.issubset(state.final):
            final.discard(others[0])  # all final would have been adjudicated
        return replace(state, sealed=dict(sorted(sealed.items())), final=tuple(sorted(final)))

    def _shuffle_late(self, state: DiplomacyState, seat: Seat, rng: Random) -> DiplomacyState:
        """Once somebody is late the last missing orders resolve the phase: only what they say differs."""
        sealed = {
            role: orders
            if state.holder(role) == seat
            else showing.DiplomacyActions(state, state.holder(role)).some_orders(role, rng)
            for role, orders in state.sealed.items()
        }
        return replace(state, sealed=sealed)

    def holders(self, state: DiplomacyState) -> tuple[Seat, ...]:
        return state.holders

    def one_role_each(self, options: DiplomacyOptions) -> bool:
        return options.sharing == "none"

    def dealt(self, options: DiplomacyOptions, seats: Sequence[Seat]) -> DiplomacyOptions | None:
        """In an archive roles may have no player."""
        if (not seats or 0 in seats) and not options.archive:
            return None
        return replace(options, deal=tuple(seats))

    def hurried(self, options: DiplomacyOptions) -> DiplomacyOptions:
        """A fast game knows no dates."""
        return replace(options, calendar=False)

    def options_in_force(self, state: DiplomacyState) -> DiplomacyOptions:
        return state.options

    def changing(self, options: DiplomacyOptions) -> ChangeOptions:
        return ChangeOptions(options)

    def acts_for(self, state: DiplomacyState, action: Action) -> int:
        """A master who corrects the orders of a player."""
        return action.role if isinstance(action, Submit) else 0

    def news(
        self, told: Sequence[Fact], view: DiplomacyView, names: Mapping[Seat, str], language: str
    ) -> list[str]:
        """What became of one's own orders; of everybody's, for who has no role."""
        variant = load_variant(self.variant)
        said: list[str] = []
        for fact in told:
            if not isinstance(fact, ToldAdjudicated):
                continue
            phase = phase_name(variant, fact.advancement, language)
            played = next((p for p in view.unwritten.played if p.advancement == fact.advancement), None)
            own = () if view.you is None else view.roles_of(view.you)
            lines: list[str] = []
            if played is not None:
                lines += letter_lines(
                    variant, fact.advancement, played.before, fact.verdicts, fact.destroyed, own, language
                )
            key = "letter.adjudicated" if own and lines else "letter.adjudicated_all"
            said += [self._words[language][key].format(phase=phase), *lines]
        return said

    def latest(
        self, told: Sequence[Fact], view: DiplomacyView, names: Mapping[Seat, str], language: str
    ) -> str:
        """The phase that was resolved, or what else became of the game; orders of one's own are no news."""
        words = self._words[language]
        # What follows from something by itself is less than what it follows from.
        newest = [*reversed(told)]
        newest.sort(key=lambda fact: isinstance(fact, DeadlineSet | ToldPassedOver))
        for fact in newest:
            if isinstance(fact, ToldAdjudicated):
                phase = phase_name(load_variant(self.variant), fact.advancement, language)
                return words["letter.adjudicated_all"].format(phase=phase)
            if not isinstance(fact, Saved | Sealed):
                fields = msgspec.to_builtins(fact)
                if "role" in fields:
                    fields["role"] = words.get(f"role.{fields['role']}", fields["role"])
                return next(sentences(self, fields, names, language))
        return ""

    def beat(self, told: Sequence[Fact], view: Callable[[], DiplomacyView], language: str) -> Beat:
        return film.beat(load_variant(self.variant), told, self._words[language])

    def resumed(
        self, options: DiplomacyOptions, facts: Sequence[Fact], people: Mapping[Seat, Join], at: Instant
    ) -> Resumption:
        state: DiplomacyState | None = None
        for fact in facts:
            state = self.evolve(state, fact)
        assert state is not None, "a game has begun with its first fact"
        return resuming.resumed(state, people, at)

    def glance(self, view: DiplomacyView, language: str) -> Glance:
        return glancing.glance(view, self._words[language])

    def conditions(self, options: DiplomacyOptions, language: str) -> list[Condition]:
        victory = decision.victory_of(self.variant, options)
        return glancing.conditions(options, victory, self._words[language], language)

    def owed(self, state: DiplomacyState) -> Owed | None:
        return Owed(state.deadline, tuple(decision.missing_roles(state))) if state.deadline else None

    def read(self, view: DiplomacyView, legal: Actions, role: int, text: str, language: str) -> Action | None:
        return dictation.read(view, role, text, language)

    def finishing(self, view: DiplomacyView, role: int, final: bool, language: str) -> list[Action]:
        return dictation.finishing(view, role, final)

    def written(self, view: DiplomacyView, role: int, language: str) -> Written:
        return dictation.written(view, role, language)

    def is_abortable(self, state: DiplomacyState) -> bool:
        """Until the first phase is resolved; a game that is only recorded here was played elsewhere."""
        return state.ended is None and state.last is None and not state.options.archive

    def phase(self, state: DiplomacyState) -> int:
        return state.advancement

    def late(self, state: DiplomacyState) -> Late | None:
        roles = tuple(decision.late_roles(state))
        return Late(roles, decision.grace_until(state)) if roles else None

    def absentees(self, state: DiplomacyState) -> frozenset[Seat]:
        late = (seat for seat, number in state.lateness.items() if number >= LATE_TOO_OFTEN)
        return frozenset(seat for seat in late if seat not in state.gone and state.ended is None)

    def chronicle(self) -> Chronicle:
        return Chronicle()

    def words(self, language: str) -> Mapping[str, str]:
        return self._words[language]
