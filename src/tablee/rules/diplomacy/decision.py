"""What follows from an action in a game of Diplomacy, and why it may be refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from tablee.rules.calendar import DAY, HOUR, UTC, Calendar
from tablee.rules.contract import (
    CLOCK,
    MASTER,
    Action,
    Alarm,
    Away,
    Back,
    Fact,
    Illegal,
    Instant,
    Join,
    Leave,
    Postpone,
    Replace,
    Seat,
    TimeGivenBack,
    Timeout,
)
from tablee.rules.diplomacy.adjustments import owed
from tablee.rules.diplomacy.evolution import evolve
from tablee.rules.diplomacy.forms import BadForm, read_situation, write_situation
from tablee.rules.diplomacy.game import (
    Adjudicate,
    Adjudicated,
    CameIn,
    ChangeOptions,
    DeadlineMoved,
    DeadlineSet,
    DiplomacyOptions,
    DiplomacyState,
    Disordered,
    Ended,
    ImposeDisorder,
    Left,
    OptionsChanged,
    Overdue,
    PassedOver,
    Pause,
    Paused,
    PositionSet,
    Postponed,
    Reconsider,
    Reconsidered,
    Respite,
    Resume,
    Resumed,
    Returned,
    RoleTaken,
    Save,
    Saved,
    Sealed,
    SetDeadline,
    SetPosition,
    StoodIn,
    Stop,
    Submit,
    TakenOver,
    Undo,
    Undone,
    Vote,
    Voted,
)
from tablee.rules.diplomacy.model import AFJD, DATC, Choices, Order, Reason, Season
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.phases import (
    PHASES,
    active_roles,
    is_eliminated,
    is_last_phase,
    resolve,
    victor,
)
from tablee.rules.diplomacy.report import say_reason
from tablee.rules.diplomacy.strategy import orders_of
from tablee.rules.diplomacy.validation import Ground, check
from tablee.rules.diplomacy.variant import Variant, load_variant
from tablee.rules.diplomacy.writing import write_order

DEADLINE, GRACE = "deadline", "grace"
AFTER_RESTART = 15 * 60_000
"""A deadline on a date that passed while no node ran is played so long after the restart."""
MASTERLY = (
    Adjudicate | SetPosition | SetDeadline | ImposeDisorder | ChangeOptions | Stop | Undo | Pause | Resume
)


def decide(
    state: DiplomacyState, seat: Seat, action: Action, at: Instant, rng: Random, calendar: Calendar = UTC
) -> list[Fact]:
    """The facts that follow. Raises Illegal."""
    refusal = refused(state, seat, action)
    if refusal is not None:
        raise refusal
    facts = list(_followed(state, _facts(state, seat, action, at, rng, calendar), at, rng))
    facts += _dated(state, facts, at, calendar)
    if isinstance(action, ChangeOptions) and action.deadline:
        for fact in facts:
            state = evolve(state, fact)
        facts += decide(state, seat, SetDeadline(action.deadline), at, rng, calendar)
    return facts


def _dated(
    state: DiplomacyState, facts: Sequence[Fact], at: Instant, calendar: Calendar
) -> Iterator[DeadlineSet]:
    """The deadline of the phase that these facts have opened, where phases end on a date."""
    had = state.options.calendar
    for fact in facts:
        state = evolve(state, fact)
    opened = any(isinstance(fact, Adjudicated | PassedOver | PositionSet | Undone) for fact in facts)
    if state.options.calendar and state.ended is None and (opened or not had):
        yield DeadlineSet(deadline_of(state.options, state.advancement, at, calendar))


def deadline_of(options: DiplomacyOptions, advancement: int, at: Instant, calendar: Calendar) -> Instant:
    """When a phase that opens at `at` ends."""
    phase = advancement % PHASES
    if phase == Season.ADJUSTMENTS:
        days = options.adjustments_days
    elif phase in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS):
        days = options.retreats_days
    else:
        days = options.moves_days
    return calendar.evening(at, days, options.weekends, options.minute)


def alarms(state: DiplomacyState) -> dict[str, Instant]:
    """When the deadline is over, then the grace; after that only players and the master act."""
    if not state.deadline or state.ended is not None or state.paused:
        return {}
    if not state.options.calendar:
        return {DEADLINE: state.deadline}
    if not state.overdue:
        return {DEADLINE: max(state.deadline, state.not_before)}
    if state.grace_over:
        return {}
    return {GRACE: max(state.deadline + state.options.grace * HOUR, state.not_before)}


def grace_until(state: DiplomacyState) -> Instant | None:
    """When the grace of late roles is over; None where it is, and the game waits for them all the same."""
    return alarms(state).get(GRACE)


def late_roles(state: DiplomacyState) -> list[int]:
    """The roles without which the deadline has passed and that are still waited for."""
    if not state.overdue:
        return []
    owing = {*missing_roles(state), *state.writing}
    return [role for role in state.overdue if role in owing]


def refused(state: DiplomacyState, seat: Seat, action: Action) -> Illegal | None:
    """Why this seat may not do this now, or None."""
    if isinstance(action, Away | Back):
        return None
    if state.ended is not None:
        return Illegal("over")
    if isinstance(action, MASTERLY):
        return _refused_to_master(state, seat, action)
    if isinstance(action, Alarm | Timeout | TimeGivenBack | Postpone):
        return _refused_to_clock(state, seat, action)
    if isinstance(action, Join):
        return Illegal("no_joining")
    if isinstance(action, Submit | Save):
        return _refused_orders(state, seat, action)
    if isinstance(action, Reconsider):
        return _refused_to_reconsider(state, seat, action)
    if isinstance(action, Replace) and action.role:
        taken = state.options.sharing == "any" and seat >= 1 and state.holder(action.role) not in (seat, -9)
        return None if taken else Illegal("role_not_alone", role=action.role)
    if seat not in state.seats:
        return Illegal("not_a_player")
    if isinstance(action, Replace):
        return None
    if seat in state.gone:
        return Illegal("gone")
    if isinstance(action, Vote):
        if not is_alive(state, seat):
            return Illegal("eliminated")
        return Illegal("no_change") if (seat in state.votes) == action.draw else None
    return None if isinstance(action, Leave) else Illegal("unknown_action")


def _refused_to_master(state: DiplomacyState, seat: Seat, action: Action) -> Illegal | None:
    if seat != MASTER:
        return Illegal("master_only")
    if isinstance(action, Adjudicate | ImposeDisorder | Undo) and _is_too_late(state, action.meant_for):
        return Illegal("phase_gone")
    if isinstance(action, Adjudicate) and not action.civil_disorder:
        missing = missing_roles(state)
        return Illegal("missing", roles=", ".join(map(str, missing))) if missing else None
    if isinstance(action, SetDeadline):
        return _refused_deadline(state, state.options, action.at)
    if isinstance(action, ImposeDisorder):
        owing = action.role in waited_for(state)
        return None if owing else Illegal("nothing_owed", role=action.role)
    if isinstance(action, Undo):
        return None if state.before is not None else Illegal("nothing_to_undo")
    if isinstance(action, Pause):
        return Illegal("paused") if state.paused else None
    if isinstance(action, Resume):
        return None if state.paused else Illegal("not_paused")
    if isinstance(action, ChangeOptions):
        refusal = _refused_options(state, action.options)
        if refusal is None and action.deadline:
            return _refused_deadline(state, action.options, action.deadline)
        return refusal
    if isinstance(action, SetPosition):
        if not 0 <= action.advancement < state.options.cycles * PHASES:
            return Illegal("bad_advancement", advancement=action.advancement)
        try:
            read_situation(load_variant(state.variant), write_situation(action.situation))
        except BadForm:
            return Illegal("bad_position")
    return None


def _refused_deadline(state: DiplomacyState, options: DiplomacyOptions, at: Instant) -> Illegal | None:
    """Why this phase cannot end then, in a game by these options."""
    if not options.calendar:
        return Illegal("no_calendar")
    if state.paused:
        return Illegal("paused")
    return Illegal("bad_deadline") if not 0 < at < 2**52 else None


# Why: docs/decisions.md#an-action-says-what-it-is-meant-for
def _is_too_late(state: DiplomacyState, meant_for: int | None) -> bool:
    """An action may come late, by a slow line or sent again: another phase is not meant."""
    return meant_for is not None and meant_for != state.advancement


def _refused_options(state: DiplomacyState, options: DiplomacyOptions) -> Illegal | None:
    for name in ("choices", "show_in", "sharing", "deal", "archive"):
        if getattr(options, name) != getattr(state.options, name):
            return Illegal("option_fixed", option=name)
    if options.victory > len(load_variant(state.variant).centres) - 1:
        return Illegal("bad_victory", victory=options.victory)
    return Illegal("no_change_of_options") if options == state.options else None


def _refused_to_clock(state: DiplomacyState, seat: Seat, action: Action) -> Illegal | None:
    if seat != CLOCK:
        return Illegal("clock_only")
    if isinstance(action, Alarm) and action.name not in alarms(state):
        return Illegal("no_such_phase")
    return _refused_postponement(state, action) if isinstance(action, Postpone) else None


def _refused_postponement(state: DiplomacyState, action: Postpone) -> Illegal | None:
    """A date moves while it is ahead, for who owes orders by it: once a phase, or once a game for a seat."""
    if not state.options.calendar or not state.deadline:
        return Illegal("no_calendar")
    if state.paused:
        return Illegal("paused")
    if state.overdue:
        return Illegal("deadline_passed")
    owing = {state.holder(role) for role in waited_for(state) if role not in state.final}
    if not action.seats or not owing.issuperset(action.seats) or MASTER in action.seats:
        return Illegal("no_orders_owed")
    if action.why == "absence":
        moved = any(each.why == "absence" for each in state.postponed)
        return Illegal("postponed_already") if moved or action.after < state.deadline else None
    used = not set(action.seats).isdisjoint(state.extended)
    return Illegal("extension_used") if used else None


def _refused_orders(state: DiplomacyState, seat: Seat, action: Submit | Save) -> Illegal | None:
    """Orders of one's own roles, each legal, one a unit, no more adjustments than are due."""
    role = action.role
    stranger = _refused_to_stranger(state, seat, role)
    if stranger is not None and (seat != MASTER or isinstance(action, Save)):
        return stranger
    if _is_too_late(state, action.meant_for):
        return Illegal("phase_gone")
    variant = load_variant(state.variant)
    if role not in active_roles(variant, state.advancement, state.situation):
        return Illegal("nothing_owed", role=role)
    if role in state.final and seat != MASTER and role not in state.stood_in:
        return Illegal("final", role=role)
    seen: set[int] = set()
    choices, ground = choices_of(state), Ground(variant, state.situation.units)
    for order in action.orders:
        reason = Reason("not-your-role", {"role": order.role}) if order.role != role else None
        reason = reason or check(variant, state.advancement, state.situation, order, choices, ground)
        if reason is not None:
            return order_refused(variant, state, order, reason)
        region = variant.region_of[order.zone]
        if region in seen:
            return order_refused(variant, state, order, Reason("already-ordered", {}))
        seen.add(region)
    if state.advancement % PHASES == Season.ADJUSTMENTS:
        most = abs(owed(variant, state.situation)[role])
        if len(action.orders) > most:
            return Illegal("too_many_orders", most=most, role=role)
    return None


def _refused_to_stranger(state: DiplomacyState, seat: Seat, role: int) -> Illegal | None:
    """Why the orders of a role are not this player's business."""
    if state.options.archive:
        return Illegal("archive")
    if seat not in state.seats:
        return Illegal("not_a_player")
    if seat in state.gone:
        return Illegal("gone")
    return Illegal("not_your_role", role=role) if state.holder(role) != seat else None


def _refused_to_reconsider(state: DiplomacyState, seat: Seat, action: Reconsider) -> Illegal | None:
    """Who said that his orders are final may take that back while the phase lasts."""
    role = action.role
    stranger = _refused_to_stranger(state, seat, role)
    if stranger is not None:
        return stranger
    if _is_too_late(state, action.meant_for):
        return Illegal("phase_gone")
    if role not in state.final or role in state.stood_in:
        return Illegal("not_final", role=role)
    # Where it is seen who is final his clock stands still: nobody gets a fresh one again and again.
    again = state.options.show_in and role in state.reconsidered
    return Illegal("reconsidered_already", role=role) if again else None


def order_refused(variant: Variant, state: DiplomacyState, order: Order, reason: Reason) -> Illegal:
    """A refusal that names the order, in numbers for a program and in a sentence of each language."""
    said = {}
    for language, colon in (("fr", " : "), ("en", ": ")):
        names = names_of(variant, language)
        text = write_order(variant, names, order, state.situation, language)
        said[language] = f"{text}{colon}{say_reason(names, reason, language)}."
    return Illegal(f"order-{reason.code}", order=[int(number) for number in order], **said)


def choices_of(state: DiplomacyState) -> Choices:
    return DATC if state.options.choices == "DATC" else AFJD


# --- What happens ---------------------------------------------------------------------------------------


def _facts(
    state: DiplomacyState, seat: Seat, action: Action, at: Instant, rng: Random, calendar: Calendar
) -> Sequence[Fact]:
    match action:
        case Submit(role, orders, final):
            # What the master orders for a player is kept even where the player has ordered the same; so is
            # it where a late one says that what he has saved is all.
            said = seat == MASTER or state.sealed.get(role) != orders or role in state.writing
            facts = _come_back(state, role, seat)
            facts += [Sealed(role, orders, seat)] if said or facts else []
            if final and (facts[:1] == [Returned(role, at_once=True)] or role not in state.final):
                facts.append(CameIn(role))
            return facts
        case Save(role, orders):
            # Empty orders that were given as all there is to say are something; none that are saved are not.
            differs = state.sealed.get(role) != (orders or None)
            return [*_come_back(state, role, seat), Saved(role, orders, seat)] if differs else []
        case Reconsider(role):
            return [Reconsidered(role)]
        case Back():
            away = [role for role in state.stood_in if role not in state.returning]
            return [Returned(role, at_once=False) for role in away if state.holder(role) == seat]
        case Vote(draw):
            return [Voted(seat, draw)]
        case Adjudicate():
            return [_adjudicated(state, at)]
        case SetPosition(situation, advancement):
            return [PositionSet(situation, advancement, at)]
        case Stop():
            return [Ended("stopped")]
        case Leave():
            return [Left(seat)]
        case Replace(role=role):
            # Who comes in has not voted, whatever his predecessor did, or he himself with fewer roles.
            came = RoleTaken(role, seat) if role else TakenOver(seat)
            return [came, *([Voted(seat, False)] if seat in state.votes else [])]
        case SetDeadline(deadline):
            return [DeadlineSet(deadline)]
        case ImposeDisorder(role):
            return [Disordered((role,), seat)] if role not in state.disorder else []
        case ChangeOptions(options):
            return [OptionsChanged(options, victory_of(state.variant, options), at)]
        case Undo() if state.before is not None:
            return [Undone(state.before.advancement, at)]
        case Pause():
            return [Paused(at)]
        case Resume():
            return [Resumed(_deadline_after_pause(state, at, calendar), at)]
        case Postpone(seats, after, why, named):
            options = state.options
            deadline = calendar.evening(max(after, at), 0, options.weekends, options.minute)
            return [Postponed(deadline, seats, why, named)] if deadline > state.deadline else []
        case Alarm(name) if at >= alarms(state)[name]:
            return _rung(state, name, at, rng)
        case Timeout(late):
            owing = [role for role in waited_for(state) if role not in state.final]
            return [CameIn(role) for role in owing if state.holder(role) == late]
        case TimeGivenBack() if state.options.calendar:
            due = alarms(state).values()
            return [Respite(at + AFTER_RESTART)] if any(when <= at for when in due) else []
        case TimeGivenBack(milliseconds) if milliseconds and state.deadline and not state.paused:
            return [DeadlineMoved(milliseconds)]
    return []


def _deadline_after_pause(state: DiplomacyState, at: Instant, calendar: Calendar) -> Instant:
    """The deadline with the time that was left: on a date, in the evening at the hour of the others."""
    if not state.deadline:
        return 0
    moved = state.deadline + at - state.paused
    if not state.options.calendar or state.overdue:
        return moved
    if (at - state.paused) * (DAY // HOUR) <= state.deadline - state.paused:
        return state.deadline  # a minute's pause is not worth a day
    return calendar.evening(moved - 1, 0, state.options.weekends, state.options.minute)


def _come_back(state: DiplomacyState, role: int, seat: Seat) -> list[Fact]:
    """Who gives orders for a role of his own has it back from the robot at once."""
    return [Returned(role, at_once=True)] if role in state.stood_in and seat != MASTER else []


def _stood_in(state: DiplomacyState, role: int, rng: Random) -> StoodIn:
    """What the robot orders for somebody who is away; it knows the position, as everybody does."""
    variant = load_variant(state.variant)
    return StoodIn(role, tuple(orders_of(variant, state.advancement, state.situation, role, rng)))


def _rung(state: DiplomacyState, name: str, at: Instant, rng: Random) -> list[Fact]:
    """What the clock brings: without dates the phase is over; with them late roles get their grace."""
    missing = missing_roles(state)
    if not state.options.calendar or not missing:
        return [_adjudicated(state, at)]
    if name == DEADLINE:
        return [Overdue(tuple(missing), at)]
    if state.options.robots_stand_in:
        return [_stood_in(state, role, rng) for role in missing]
    return [Disordered(tuple(role for role in missing if _may_fall(state, role)), CLOCK)]


def _may_fall(state: DiplomacyState, role: int) -> bool:
    """Whether civil disorder is possible for what this role owes."""
    options, phase = state.options, state.advancement % PHASES
    if phase == Season.ADJUSTMENTS:
        builds = owed(load_variant(state.variant), state.situation)[role] > 0
        return options.disorder_builds if builds else options.disorder_removals
    if phase in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS):
        return options.disorder_retreats
    return options.disorder_moves


def victory_of(variant: str, options: DiplomacyOptions) -> int:
    """Centres for a solo."""
    return options.victory or (len(load_variant(variant).centres) - 1) // 2 + 1


def _followed(state: DiplomacyState, facts: Sequence[Fact], at: Instant, rng: Random) -> Iterator[Fact]:
    """The facts, and all that they bring about: adjudications, phases passed over, the end."""
    for fact in facts:
        yield fact
        state = evolve(state, fact)
        if isinstance(fact, Adjudicated):
            ending = _ending(state, fact.advancement)
            if ending is not None:
                yield ending
                return
    while facts and state.ended is None and not isinstance(facts[0], Undone):
        follows = _agreed(state) or _robot_s(state, rng) or _passed(state, at)
        if follows is None:
            return
        yield follows
        phase, state = state.advancement, evolve(state, follows)
        ending = None if state.ended is not None else _ending(state, phase)
        if ending is not None:
            yield ending
            return


def _robot_s(state: DiplomacyState, rng: Random) -> StoodIn | None:
    """What the robot orders next, in a phase that has opened, for roles that it plays for others."""
    owing = [role for role in state.stood_in if role not in state.sealed and role in waited_for(state)]
    return _stood_in(state, owing[0], rng) if owing else None


def _agreed(state: DiplomacyState) -> Ended | None:
    """The end that those who still play agree on: a draw, or that none of them is left."""
    electors = [seat for seat in state.seats if seat not in state.gone and is_alive(state, seat)]
    if not electors:
        return None if state.options.archive else Ended("abandoned")
    return Ended("draw") if all(seat in state.votes for seat in electors) else None


def is_alive(state: DiplomacyState, seat: Seat) -> bool:
    """Whether a player has a role with a unit or a centre left."""
    return any(not is_eliminated(state.situation, role) for role in state.roles_of(seat))


def _passed(state: DiplomacyState, at: Instant) -> Fact | None:
    """What becomes of a phase in which nobody is waited for any more; None where somebody is."""
    variant = load_variant(state.variant)
    if not active_roles(variant, state.advancement, state.situation):
        after = resolve(variant, state.advancement, state.situation, (), choices_of(state)).situation
        return PassedOver(state.advancement, after, at)
    return _adjudicated(state, at) if _is_complete(state) else None


def _is_complete(state: DiplomacyState) -> bool:
    """Whether the phase need not wait: all orders are final, or late ones are there at last and whole."""
    if state.overdue and not state.writing and not missing_roles(state):
        return True
    if not _anybody_plays(state):
        return False  # robots among themselves take the time that the table has
    done = {*state.final, *state.disorder}
    return state.options.adjudication == "final" and done.issuperset(waited_for(state))


def _anybody_plays(state: DiplomacyState) -> bool:
    """Whether somebody plays a role that the robot does not play for him."""
    if not state.stood_in:
        return True
    playing = (role for role in range(1, len(state.holders) + 1) if role not in state.stood_in)
    return any(
        state.holder(role) not in (MASTER, *state.gone) and not is_eliminated(state.situation, role)
        for role in playing
    )


def _adjudicated(state: DiplomacyState, at: Instant) -> Adjudicated:
    """The phase resolved with the orders that are there."""
    orders = [order for role in sorted(state.sealed) for order in state.sealed[role]]
    variant = load_variant(state.variant)
    found = resolve(variant, state.advancement, state.situation, orders, choices_of(state))
    return Adjudicated(state.advancement, found.verdicts, found.destroyed, found.situation, at)


def _ending(state: DiplomacyState, advancement: int) -> Ended | None:
    """Whether the game ends with this phase, which has just been resolved."""
    variant = load_variant(state.variant)
    if advancement % PHASES == Season.WINTER_RETREATS:
        role = victor(variant, state.situation, state.victory)
        if role:
            return Ended("solo", state.holder(role))
    return Ended("cycles") if is_last_phase(advancement, state.options.cycles) else None


def missing_roles(state: DiplomacyState) -> list[int]:
    """The roles that are waited for, and have neither orders nor an excuse."""
    there = {*state.sealed, *state.final, *state.disorder}
    return [role for role in waited_for(state) if role not in there]


def waited_for(state: DiplomacyState) -> tuple[int, ...]:
    """The roles that owe orders in this phase and have somebody to give them."""
    if state.ended is not None:
        return ()
    active = active_roles(load_variant(state.variant), state.advancement, state.situation)
    return tuple(role for role in active if state.holder(role) not in state.gone)
