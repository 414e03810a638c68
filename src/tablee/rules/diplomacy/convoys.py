"""Chains of convoys, without walking a single path: seas are bits, and chains are floods over them."""

from __future__ import annotations

from tablee.rules.diplomacy.variant import Variant, members

KEPT = 100_000
"""How many answers a variant remembers before it forgets them all."""


def flood(sea_next: tuple[int, ...], start: int, fleets: int) -> int:
    """The seas with fleets that can be reached from `start`, through seas with fleets."""
    reached = frontier = start & fleets
    while frontier:
        low = frontier & -frontier
        fresh = sea_next[low.bit_length() - 1] & fleets & ~reached
        reached |= fresh
        frontier = (frontier ^ low) | fresh
    return reached


def joined(variant: Variant, fleets: int, origin: int, destination: int) -> bool:
    """Whether these fleets make a chain from one coast to the other."""
    near, far = variant.seas_of[origin] & fleets, variant.seas_of[destination] & fleets
    if not near or not far:
        return False
    if near & far:
        return True
    return bool(flood(variant.sea_next, near, fleets) & far)


def chain(variant: Variant, fleets: int, origin: int, destination: int) -> int:
    """The fleets that are in some chain from which none could be left out (DATC 6.F.12, 6.G.19)."""
    near, far = variant.seas_of[origin], variant.seas_of[destination]
    both = flood(variant.sea_next, near, fleets) & flood(variant.sea_next, far, fleets)
    return chain_among(variant, both, origin, destination) if both else 0


def chain_among(variant: Variant, both: int, origin: int, destination: int) -> int:
    """The same for fleets of whom it is known that each is joined to both ends."""
    near, far = variant.seas_of[origin], variant.seas_of[destination]
    if not both & (both - 1):
        return both
    key = (both, origin, destination) if origin < destination else (both, destination, origin)
    found = variant.chains.get(key)
    if found is None:
        found = both & near & far
        for fleet in members(both & ~found):
            if _is_needed(variant.sea_next, both, near, far, fleet):
                found |= 1 << fleet
        if len(variant.chains) >= KEPT:
            variant.chains.clear()
        variant.chains[key] = found
    return found


def _is_needed(sea_next: tuple[int, ...], fleets: int, near: int, far: int, fleet: int) -> bool:
    """Whether a chain without a short cut passes through this fleet, which touches one end at most."""
    if far >> fleet & 1:
        near, far = far, near
    own = 1 << fleet
    if near & own:
        rest = fleets & ~near
        return bool(flood(sea_next, sea_next[fleet], rest) & far)

    # From this fleet an arm must go to each end, neither beside the other. One arm is felt out step by step;
    # the other is a flood over what is left, so that a step which leaves it no way out is never taken.
    def feel(tip: int, passed: int, beside: int) -> bool:
        for step in members(sea_next[tip] & fleets & ~far & ~passed & ~own):
            touched = beside | sea_next[step] | 1 << step
            rest = fleets & ~near & ~touched & ~own
            if not flood(sea_next, sea_next[fleet], rest) & far:
                continue
            if near >> step & 1 or feel(step, passed | sea_next[tip] | 1 << tip, touched):
                return True
        return False

    return feel(fleet, own, 0)
