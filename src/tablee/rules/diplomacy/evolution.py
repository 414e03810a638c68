"""What facts make of the state of a game of Diplomacy."""

from __future__ import annotations

from msgspec.structs import replace

from tablee.rules.contract import CLOCK, MASTER, Fact, Instant, Seat
from tablee.rules.diplomacy.game import (
    Adjudicated,
    Before,
    Began,
    CameIn,
    DeadlineMoved,
    DeadlineSet,
    DiplomacyState,
    Disordered,
    Ended,
    Left,
    OptionsChanged,
    Overdue,
    PassedOver,
    Paused,
    Played,
    PositionSet,
    Postponed,
    Reconsidered,
    Respite,
    Resumed,
    Returned,
    RoleTaken,
    Saved,
    Sealed,
    StoodIn,
    TakenOver,
    Undone,
    Voted,
)
from tablee.rules.diplomacy.model import Order, Situation
from tablee.rules.diplomacy.phases import year
from tablee.rules.diplomacy.variant import load_variant

MINUTE = 60_000


def evolve(state: DiplomacyState | None, fact: Fact) -> DiplomacyState:
    """The state after a fact."""
    if isinstance(fact, Began):
        return DiplomacyState(
            fact.variant,
            fact.seats,
            fact.holders,
            fact.options,
            fact.victory,
            0,
            fact.situation,
            _deadline(fact.options.minutes, fact.at),
        )
    assert state is not None
    match fact:
        case Sealed(role, orders, by):
            disorder, others = _without(state.disorder, role), _without(state.corrected, role)
            corrected = (*others, role) if by == MASTER and state.holder(role) != MASTER else others
            sealed = {**state.sealed, role: orders}
            state = replace(state, sealed=sealed, disorder=disorder, corrected=corrected)
            return replace(state, writing=_without(state.writing, role))
        case Saved(role, orders):
            return _saved(state, role, orders)
        case CameIn(role):
            final = tuple(sorted({*state.final, role}))
            return replace(state, final=final, writing=_without(state.writing, role))
        case Reconsidered(role):
            # Who was late and said that this was all is waited for again, as long as his grace lasts.
            late = {role} if role in state.overdue and not state.grace_over else set()
            state = replace(state, reconsidered=tuple(sorted({*state.reconsidered, role})))
            writing = tuple(sorted({*state.writing, *late}))
            return replace(state, final=_without(state.final, role), writing=writing)
        case Adjudicated(advancement, verdicts, destroyed, situation, at):
            last = Played(advancement, verdicts, destroyed, state.situation, at, situation)
            together = state.last is not None and state.last.at == at
            earlier = (*state.earlier, state.last) if together and state.last is not None else ()
            # What was resolved at one moment is taken back together: only its first phase was decided on.
            before = state.before if together and state.before is not None else _before(state)
            opened = _opened(state, advancement + 1, situation, at)
            opened = replace(opened, lateness=_lateness(state))
            return replace(opened, last=last, earlier=earlier, before=before)
        case PassedOver(advancement, situation, at):
            return _opened(state, advancement + 1, situation, at)
        case PositionSet(situation, advancement, at):
            return replace(_opened(state, advancement, situation, at), before=None)
        case Undone(_, at):
            return _taken_back(state, at)
        case Paused(at):
            return replace(state, paused=at)
        case Resumed(deadline, at):
            not_before = state.not_before and state.not_before + at - state.paused
            return replace(state, deadline=deadline, paused=0, not_before=not_before)
        case Voted(seat, draw):
            votes = {*state.votes, seat} if draw else {*state.votes} - {seat}
            return replace(state, votes=tuple(sorted(votes)))
        case Left(seat):
            kept = {role: orders for role, orders in state.sealed.items() if state.holder(role) != seat}
            final = tuple(role for role in state.final if state.holder(role) != seat)
            votes = {*state.votes} - {seat}
            gone = tuple(sorted({*state.gone, seat}))
            writing = tuple(role for role in state.writing if state.holder(role) != seat)
            state = replace(state, sealed=kept, final=final, votes=tuple(sorted(votes)), gone=gone)
            return replace(state, writing=writing)
        case TakenOver(seat):
            state = replace(_given_back(state, state.roles_of(seat)), lateness=_fresh(state, seat))
            return replace(state, gone=tuple(each for each in state.gone if each != seat))
        case RoleTaken(role, seat):
            holders = (*state.holders[: role - 1], seat, *state.holders[role:])
            seats = tuple(sorted({*state.seats, seat}))
            state = replace(_given_back(state, (role,)), lateness=_fresh(state, seat))
            gone = tuple(each for each in state.gone if each != seat)
            return replace(state, holders=holders, seats=seats, gone=gone)
        case DeadlineMoved(milliseconds):
            return replace(state, deadline=state.deadline + milliseconds)
        case DeadlineSet(deadline):
            state = replace(state, deadline=deadline, overdue=(), grace_over=False, writing=())
            return replace(state, not_before=0)
        case Postponed(deadline, seats, why):
            extended = {*state.extended, *seats} if why == "extension" else state.extended
            postponed = (*state.postponed, fact)
            return replace(state, deadline=deadline, postponed=postponed, extended=tuple(sorted(extended)))
        case Overdue(roles):
            return replace(state, overdue=roles)
        case Disordered(roles, by):
            sealed = {role: orders for role, orders in state.sealed.items() if role not in roles}
            final = tuple(role for role in state.final if role not in roles)
            disorder = tuple(sorted({*state.disorder, *roles}))
            over = state.grace_over or by == CLOCK
            # When the grace is over, what a late role has written by then is what counts.
            writing = () if by == CLOCK else tuple(role for role in state.writing if role not in roles)
            state = replace(state, sealed=sealed, final=final, disorder=disorder, writing=writing)
            return replace(state, grace_over=over)
        case StoodIn(role, orders):
            final, stood_in = tuple(sorted({*state.final, role})), tuple(sorted({*state.stood_in, role}))
            state = replace(state, sealed={**state.sealed, role: orders}, writing=())
            return replace(state, final=final, stood_in=stood_in)
        case Returned(role, at_once):
            if not at_once:
                return replace(state, returning=(*_without(state.returning, role), role))
            state = replace(state, final=_without(state.final, role))
            return _given_back(state, (role,))
        case Respite(until):
            return replace(state, not_before=until)
        case OptionsChanged(options, victory, at):
            renewed = not options.calendar or not state.options.calendar
            paused = at if state.paused and renewed else state.paused
            state = replace(state, options=options, victory=victory, paused=paused)
            if options.calendar:
                return state
            deadline = _deadline(options.minutes, at)
            state = replace(state, deadline=deadline, overdue=(), grace_over=False, writing=())
            return replace(state, not_before=0)
        case Ended(reason, winner):
            state = replace(state, deadline=0, sealed={}, final=(), writing=(), paused=0)
            return replace(state, ended=reason, winner=winner)
    raise TypeError(f"{fact} is no fact of Diplomacy.")


def _given_back(state: DiplomacyState, roles: tuple[int, ...]) -> DiplomacyState:
    """The robot no longer plays these roles."""
    stood_in = tuple(role for role in state.stood_in if role not in roles)
    returning = tuple(role for role in state.returning if role not in roles)
    return replace(state, stood_in=stood_in, returning=returning)


def _fresh(state: DiplomacyState, seat: Seat) -> dict[Seat, int]:
    """The lateness of all but one."""
    return {each: number for each, number in state.lateness.items() if each != seat}


def _lateness(state: DiplomacyState) -> dict[Seat, int]:
    """How many deadlines in a row each seat has missed, with the one of the phase that is resolved now."""
    found = dict(state.lateness)
    for seat in state.seats:
        roles = state.roles_of(seat)
        if any(role in state.overdue for role in roles):
            found[seat] = found.get(seat, 0) + 1
        elif any(
            (role in state.sealed or role in state.final) and role not in state.stood_in for role in roles
        ):
            found.pop(seat, None)
    return found


def _saved(state: DiplomacyState, role: int, orders: tuple[Order, ...]) -> DiplomacyState:
    """A player's own orders as far as they are written."""
    sealed = {each: given for each, given in state.sealed.items() if each != role}
    corrected = _without(state.corrected, role)
    if not orders:
        return replace(state, sealed=sealed, corrected=corrected, writing=_without(state.writing, role))
    late = {role} if role in state.overdue else set()
    return replace(
        state,
        sealed={**sealed, role: orders},
        corrected=corrected,
        disorder=_without(state.disorder, role),
        writing=tuple(sorted({*state.writing, *late})),
    )


def _without(roles: tuple[int, ...], role: int) -> tuple[int, ...]:
    return tuple(each for each in roles if each != role)


def _before(state: DiplomacyState) -> Before:
    at, last, earlier = state.advancement, state.last, state.earlier
    return Before(at, state.situation, state.sealed, last, earlier, state.corrected)


def _taken_back(state: DiplomacyState, at: Instant) -> DiplomacyState:
    """The phase as it was before it was resolved, with the orders of those who still play, none final."""
    before = state.before
    assert before is not None
    sealed = {role: orders for role, orders in before.sealed.items() if state.holder(role) not in state.gone}
    opened = _opened(state, before.advancement, before.situation, at)
    was = replace(opened, sealed=sealed, corrected=before.corrected, before=None)
    return replace(was, last=before.last, earlier=before.earlier)


def _opened(state: DiplomacyState, advancement: int, situation: Situation, at: Instant) -> DiplomacyState:
    """A phase begins, with no orders yet."""
    deadline = _deadline(state.options.minutes, at)
    state = _given_back(state, state.returning)
    return replace(
        state,
        out=_out(state, advancement, situation),
        advancement=advancement,
        situation=situation,
        sealed={},
        final=(),
        deadline=deadline,
        overdue=(),
        grace_over=False,
        disorder=(),
        not_before=0,
        paused=at if state.paused else 0,
        corrected=(),
        writing=(),
        postponed=(),
        reconsidered=(),
    )


def _out(state: DiplomacyState, advancement: int, situation: Situation) -> dict[int, int]:
    """Who is without a centre, and since which year: that of the phase before the one that begins now."""
    owners = {*situation.ownerships.values()}
    found = year(load_variant(state.variant), max(0, advancement - 1))
    return {
        role: state.out.get(role, found) for role in range(1, len(state.holders) + 1) if role not in owners
    }


def _deadline(minutes: int, at: Instant) -> Instant:
    return at + minutes * MINUTE if minutes else 0
