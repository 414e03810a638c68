"""The phases of a year: what each resolves to, who must order in it, and when the game is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from tablee.rules.diplomacy.adjustments import owed, resolve_adjustments
from tablee.rules.diplomacy.model import DATC, Choices, Order, Resolution, Season, Situation, Unit
from tablee.rules.diplomacy.movement import resolve_moves
from tablee.rules.diplomacy.retreats import resolve_retreats
from tablee.rules.diplomacy.variant import Variant

PHASES = len(Season)


def season(advancement: int) -> Season:
    return Season(advancement % PHASES)


def year(variant: Variant, advancement: int) -> int:
    return variant.year_zero + 1 + advancement // PHASES


def resolve(
    variant: Variant,
    advancement: int,
    situation: Situation,
    orders: Sequence[Order],
    choices: Choices = DATC,
) -> Resolution:
    """Adjudicate a phase of any kind. Nothing is refused: what is illegal holds, disbands or is void."""
    phase = advancement % PHASES
    if phase == Season.SUMMER_RETREATS:
        return resolve_retreats(variant, situation, orders)
    if phase == Season.WINTER_RETREATS:
        return take_stock(variant, resolve_retreats(variant, situation, orders))
    if situation.dislodged:
        return _without_the_dislodged(variant, advancement, situation, orders, choices)
    if phase == Season.ADJUSTMENTS:
        return resolve_adjustments(variant, situation, orders, choices)
    return resolve_moves(variant, situation, orders, choices)


def _without_the_dislodged(
    variant: Variant, advancement: int, situation: Situation, orders: Sequence[Order], choices: Choices
) -> Resolution:
    """A phase in which nobody can retreat: units that a position has as dislodged are destroyed."""
    found = resolve(variant, advancement, replace(situation, dislodged=()), orders, choices)
    gone = tuple(Unit(unit.role, unit.kind, unit.zone) for unit in situation.dislodged)
    return Resolution(found.situation, found.verdicts, found.destroyed + gone)


def take_stock(variant: Variant, resolution: Resolution) -> Resolution:
    """Winter: centres go to who stands in them, and a power without a centre loses its units."""
    situation = resolution.situation
    ownerships = dict(situation.ownerships)
    for unit in situation.units:
        centre = variant.centre_of[variant.region_of[unit.zone]]
        if centre:
            ownerships[centre] = unit.role
    alive = set(ownerships.values())
    lost: tuple[Unit, ...] = ()
    units = situation.units
    if any(unit.role not in alive for unit in units):
        lost = tuple(unit for unit in units if unit.role not in alive)
        units = tuple(unit for unit in units if unit.role in alive)
    after = replace(situation, ownerships=ownerships, units=units)
    return Resolution(after, resolution.verdicts, resolution.destroyed + lost)


def active_roles(variant: Variant, advancement: int, situation: Situation) -> tuple[int, ...]:
    """The roles that owe orders in this phase, ascending."""
    phase = advancement % PHASES
    if phase == Season.ADJUSTMENTS:
        return tuple(sorted(owed(variant, situation)))
    if phase in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS):
        return tuple(sorted({unit.role for unit in situation.dislodged}))
    return tuple(sorted({unit.role for unit in situation.units}))


def next_phase(
    variant: Variant, advancement: int, situation: Situation, choices: Choices = DATC
) -> tuple[int, Situation, tuple[int, ...]]:
    """The phase after this one in which somebody has something to order, and those passed over before it."""
    passed: list[int] = []
    advancement += 1
    while len(passed) < PHASES and not active_roles(variant, advancement, situation):
        situation = resolve(variant, advancement, situation, (), choices).situation
        passed.append(advancement)
        advancement += 1
    return advancement, situation, tuple(passed)


def centre_counts(variant: Variant, situation: Situation) -> dict[int, int]:
    """How many centres each role owns."""
    owned = Counter(situation.ownerships.values())
    return {role: owned[role] for role in range(1, variant.roles + 1)}


def is_eliminated(situation: Situation, role: int) -> bool:
    """Whether a role has neither a centre nor a unit left."""
    return (
        role not in situation.ownerships.values()
        and all(unit.role != role for unit in situation.units)
        and all(unit.role != role for unit in situation.dislodged)
    )


def victor(variant: Variant, situation: Situation, victory_centres: int) -> int:
    """The role that owns at least so many centres, and more than any other; 0 for none."""
    counts = centre_counts(variant, situation)
    most = max(counts.values())
    best = [role for role, number in counts.items() if number == most]
    return best[0] if most >= victory_centres and len(best) == 1 else 0


def is_last_phase(advancement: int, cycles: int) -> bool:
    """Whether a game of so many years ends with this phase."""
    return advancement + 1 >= cycles * PHASES
