"""What people at a table of Diplomacy may see, hear and do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, wraps
from random import Random
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from tablee.rules.contract import MASTER, Action, Fact, Instant, Json, Seat
from tablee.rules.diplomacy.adjustments import owed
from tablee.rules.diplomacy.decision import MASTERLY, alarms, is_alive, refused, waited_for
from tablee.rules.diplomacy.game import (
    Adjudicate,
    Adjudicated,
    Began,
    CameIn,
    ChangeOptions,
    DiplomacyState,
    Disordered,
    ImposeDisorder,
    OptionsChanged,
    Overdue,
    PassedOver,
    Pause,
    Paused,
    Played,
    PositionSet,
    Postponed,
    Reconsider,
    Reconsidered,
    Resume,
    Resumed,
    Save,
    Saved,
    Sealed,
    SetDeadline,
    SetPosition,
    StoodIn,
    Submit,
    Undo,
    Undone,
    Vote,
)
from tablee.rules.diplomacy.legal import LegalOrders, legal_orders
from tablee.rules.diplomacy.model import Order, Season, Situation, Unit, Verdict
from tablee.rules.diplomacy.phases import PHASES, active_roles, centre_counts, year
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import (
    DiplomacyView,
    Mark,
    PlayedView,
    PostponedView,
    ReasonView,
    RoleView,
    SituationView,
    ToldAdjudicated,
    ToldBegan,
    ToldOptionsChanged,
    ToldOverdue,
    ToldPassedOver,
    ToldPaused,
    ToldPositionSet,
    ToldPostponed,
    ToldResumed,
    ToldStoodIn,
    ToldUndone,
    Unwritten,
    VerdictView,
)

T = TypeVar("T")
V = TypeVar("V")
SHOWN_MOST = 512
"""Positions and phases that are kept as they are shown."""


def view(state: DiplomacyState, seat: Seat) -> DiplomacyView:
    """The position and the last phase, which all may know, and the sealed orders of one's own roles."""
    variant = load_variant(state.variant)
    counts = centre_counts(variant, state.situation)
    owing = waited_for(state)
    units = Counter(unit.role for unit in state.situation.units)
    own = range(1, variant.roles + 1) if seat == MASTER else state.roles_of(seat)
    roles = {
        role: RoleView(
            seat=state.holder(role),
            centres=counts[role],
            units=units[role],
            owes=role in owing,
            is_in=role in state.final if state.options.show_in or role in own else None,
        )
        for role in range(1, variant.roles + 1)
    }
    shown = DiplomacyView(
        variant=state.variant,
        advancement=state.advancement,
        year=year(variant, state.advancement),
        season=state.advancement % PHASES,
        situation=show_situation(state.situation),
        victory=state.victory,
        cycles=state.options.cycles,
        choices=state.options.choices,
        deadline=None if state.paused else state.deadline or None,
        paused=bool(state.paused),
        left=max(0, state.deadline - state.paused) if state.paused and state.deadline else None,
        may_undo=state.before is not None and state.ended is None,
        overdue=bool(state.overdue),
        late=tuple(role for role in own if role in state.overdue),
        disorder=tuple(role for role in own if role in state.disorder),
        roles=roles,
        you=seat if seat in state.seats else None,
        orders={role: tuple(map(_order, state.sealed[role])) for role in own if role in state.sealed},
        corrected=tuple(role for role in own if role in state.corrected and role in state.sealed),
        votes=state.votes,
        gone=state.gone,
        last=show_played(state.last) if state.last is not None else None,
        earlier=tuple(map(show_played, state.earlier)),
        ended=state.ended,
        winner=state.winner or None,
        writing=tuple(role for role in own if role in state.writing),
        postponed=tuple(PostponedView(*_known(each, seat)) for each in state.postponed),
        extended=seat in state.extended,
        stood_in=state.stood_in,
        waits_until=_waits_until(state),
    )
    played = () if state.last is None else (*state.earlier, state.last)
    return shown.with_unwritten(
        Unwritten(state.seats, state.options, state.situation, state.deadline, played)
    )


def _waits_until(state: DiplomacyState) -> Instant | None:
    """When the clock comes next, where that is not at the deadline."""
    due = min(alarms(state).values(), default=state.deadline)
    return due if due != state.deadline else None


def _once(make: Callable[[T], V]) -> Callable[[T], V]:
    """Make it once of each thing: the views of all seats, state after state, show the same position."""
    made: dict[int, tuple[T, V]] = {}

    @wraps(make)
    def known(thing: T) -> V:
        found = made.get(id(thing))
        if found is None or found[0] is not thing:
            if len(made) >= SHOWN_MOST:
                made.clear()
            found = made[id(thing)] = (thing, make(thing))
        return found[1]

    return known


@_once
def show_situation(situation: Situation) -> SituationView:
    dislodged: dict[int, tuple[tuple[int, int, int], ...]] = {}
    for role, kind, zone, origin in sorted(situation.dislodged):
        dislodged[role] = (*dislodged.get(role, ()), (kind, zone, origin))
    return SituationView(
        ownerships=dict(sorted(situation.ownerships.items())),
        units=_by_role(situation.units),
        dislodged_ones=dislodged,
        fake_units=_by_role(situation.fake_units),
        forbiddens=tuple(sorted(situation.forbiddens)),
    )


def _by_role(units: Iterable[Unit]) -> dict[int, tuple[tuple[int, int], ...]]:
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    for role, kind, zone in sorted(units):
        found[role] = (*found.get(role, ()), (kind, zone))
    return found


@_once
def show_played(played: Played) -> PlayedView:
    """A phase that was resolved: the position before it, and what became of each order."""
    return PlayedView(
        advancement=played.advancement,
        before=show_situation(played.before),
        verdicts=tuple(map(_verdict, played.verdicts)),
        destroyed=played.destroyed,
    )


MARKS: tuple[Mark, ...] = ("dislodged", "paradox", "by_default", "disbanded")


def _verdict(verdict: Verdict) -> VerdictView:
    reason = verdict.reason
    return VerdictView(
        order=_order(verdict.order),
        outcome=verdict.outcome,
        marks=tuple([mark for mark in MARKS if getattr(verdict, mark)]),
        reason=None if reason is None else ReasonView(reason.code, reason.parts),
    )


def _order(order: Order) -> Order:
    """An order in numbers alone, the sign of a convoy too."""
    return Order._make(map(int, order))


def tell(fact: Fact, after: DiplomacyState, seat: Seat) -> Fact | None:
    """A fact as this seat may hear it: sealed orders are their role's, and the master's, business."""
    if isinstance(fact, Sealed | Saved | CameIn | Reconsidered):
        own = seat in (MASTER, after.holder(fact.role))
        if not own and not (isinstance(fact, CameIn | Reconsidered) and after.options.show_in):
            return None
    if isinstance(fact, Overdue | Disordered) and seat != MASTER:
        # Who is late is between him and the master: it tells of orders that are sealed.
        fact = replace(fact, roles=tuple(role for role in fact.roles if after.holder(role) == seat))
    if isinstance(fact, StoodIn):
        return ToldStoodIn(fact.role)
    if isinstance(fact, Postponed):
        return ToldPostponed(fact.deadline, *_known(fact, seat))
    told = _WITHOUT_INSTANT.get(type(fact))
    return fact if told is None else told(*(getattr(fact, name) for name in told.__struct_fields__))


def _known(moved: Postponed, seat: Seat) -> tuple[tuple[Seat, ...], Literal["absence", "extension"] | None]:
    """For whom a deadline has moved and why, as far as this seat may know."""
    return (moved.seats, moved.why) if moved.named or seat in (MASTER, *moved.seats) else ((), None)


_WITHOUT_INSTANT: Mapping[type[Fact], type[Fact]] = MappingProxyType(
    {
        Began: ToldBegan,
        Adjudicated: ToldAdjudicated,
        PassedOver: ToldPassedOver,
        PositionSet: ToldPositionSet,
        Overdue: ToldOverdue,
        OptionsChanged: ToldOptionsChanged,
        Undone: ToldUndone,
        Paused: ToldPaused,
        Resumed: ToldResumed,
    }
)


class DiplomacyActions:
    """What a seat may do: for each of its roles the legal orders by unit; a vote; the master's acts."""

    def __init__(self, state: DiplomacyState, seat: Seat) -> None:
        self._state, self._seat = state, seat
        playing = state.ended is None and seat in state.seats and seat not in state.gone
        done = {*state.final} - {*state.stood_in}
        owing = [role for role in waited_for(state) if role not in done] if playing else []
        self._playing = playing
        self._roles = [role for role in owing if state.holder(role) == seat]
        final = [role for role in state.final if playing and state.holder(role) == seat]
        self._final = [role for role in final if refused(state, seat, Reconsider(role)) is None]
        if seat == MASTER and state.ended is None:
            variant = load_variant(state.variant)
            self._roles = list(active_roles(variant, state.advancement, state.situation))

    def allows(self, action: Action) -> bool:
        if not isinstance(action, Submit | Save | Reconsider | Vote | MASTERLY):
            return False
        return refused(self._state, self._seat, action) is None

    def sample(self, rng: Random) -> Action | None:
        """Orders at random, final more often than not, or some of them as if still writing; a vote."""
        state = self._state
        if self._seat == MASTER and state.ended is None:
            if rng.random() < 0.05:
                return SetPosition(state.situation, state.advancement)
            if rng.random() < (0.4 if state.paused else 0.1):
                return self._some_care(rng)
            return Adjudicate(civil_disorder=True)
        if not self._playing:
            return None
        if not self._roles:
            return None  # final already: there is nothing it could be waited for
        if self._final and rng.random() < 0.05:
            return Reconsider(self._final[0])
        if rng.random() < 0.04:
            return Vote(draw=self._seat not in state.votes)
        role = rng.choice(self._roles)
        if rng.random() < 0.2:
            orders = self.some_orders(role, rng)
            return Save(role, orders[: rng.randint(0, len(orders))])
        return Submit(role, self.some_orders(role, rng), final=rng.random() < 0.7)

    def _some_care(self, rng: Random) -> Action:
        """Something that a master does now and then."""
        state = self._state
        owing = waited_for(state)
        if state.paused:
            return Resume()
        if rng.random() < 0.2:
            return Undo() if state.before is not None else Pause()
        if rng.random() < 0.1:
            return Pause()
        if state.options.calendar and rng.random() < 0.3:
            return SetDeadline(state.deadline + rng.randrange(1, 100_000_000))
        if owing and rng.random() < 0.5:
            return ImposeDisorder(rng.choice(owing))
        cycles = state.options.cycles % 99 + 1
        return ChangeOptions(replace(state.options, cycles=cycles))

    def some_orders(self, role: int, rng: Random) -> tuple[Order, ...]:
        """A legal order for each unit, or as many adjustments as are due, at random."""
        choices = list(self.orders(role).values())
        if self._state.advancement % PHASES == Season.ADJUSTMENTS:
            most = abs(owed(load_variant(self._state.variant), self._state.situation)[role])
            choices = rng.sample(choices, min(most, len(choices)))
        return tuple(rng.choice(each) for each in choices)

    def orders(self, role: int) -> LegalOrders:
        """The legal orders of a role, by the zone of the unit or the region to build in."""
        return legal_of(self._state, role)

    def describe(self) -> Json:
        state = self._state
        is_master = self._seat == MASTER and state.ended is None
        if not self._playing and not is_master:
            return {}
        due = {}
        if state.advancement % PHASES == Season.ADJUSTMENTS:
            due = owed(load_variant(state.variant), state.situation)
        submit = {
            str(role): {
                "most": abs(due[role]) if role in due else None,
                "orders": {
                    str(zone): [list(map(int, each)) for each in found]
                    for zone, found in self.orders(role).items()
                },
            }
            for role in self._roles
        }
        if is_master:
            return {"submit": submit, **self._care()}
        found: dict[str, Json] = {"submit": submit}
        if self._final:
            found["reconsider"] = {str(role): {} for role in self._final}
        if is_alive(state, self._seat):
            found["vote"] = {"draw": self._seat not in state.votes}
        return found

    def _care(self) -> Json:
        """What a master may do besides correcting orders."""
        state = self._state
        return {
            "adjudicate": {},
            "set_position": {},
            "stop": {},
            "impose_disorder": {str(role): {} for role in waited_for(state)},
            "change_options": {},
            **({"set_deadline": {}} if state.options.calendar and not state.paused else {}),
            **({"undo": {}} if state.before is not None else {}),
            **({"resume": {}} if state.paused else {"pause": {}}),
        }


def legal_of(state: DiplomacyState, role: int) -> LegalOrders:
    """The legal orders of a role in this state's phase."""
    situation = state.situation
    ownerships = tuple(sorted(situation.ownerships.items()))
    key = (state.advancement % PHASES, situation.units, situation.dislodged, situation.forbiddens, ownerships)
    return _legal(state.variant, role, *key)


@lru_cache(maxsize=256)
def _legal(
    variant: str,
    role: int,
    season: int,
    units: tuple[Any, ...],
    dislodged: tuple[Any, ...],
    forbiddens: tuple[int, ...],
    ownerships: tuple[tuple[int, int], ...],
) -> LegalOrders:
    situation = Situation(dict(ownerships), units, dislodged, (), forbiddens)
    return legal_orders(load_variant(variant), season, situation, role)
