"""Chains of convoys, without walking a single path: seas are bits, and chains are floods over them."""

from __future__ import annotations

from tablee.rules.diplomacy.variant import Variant, bits, members

KEPT = 100_000
"""How many answers a variant remembers before it forgets them all."""
EXACT = 24
"""So many fleets lying together are asked one by one whether a chain needs them; more than the standard
board has seas. Beyond, the question is as hard as any, and a fleet between the ends counts as needed where
it is on some way from coast to coast that passes no sea twice."""


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


def chain_among(variant: Variant, both: int, origin: int, destination: int) -> int:
    """The fleets that are in some chain from which none could be left out (DATC 6.F.12, 6.G.19).

    Of `both` it is known that each fleet is joined to both coasts.
    """
    if not both & (both - 1):
        return both
    key = (both, origin, destination) if origin < destination else (both, destination, origin)
    found = variant.chains.get(key)
    if found is None:
        if len(variant.chains) >= KEPT:
            variant.chains.clear()
        found = variant.chains[key] = _needed(variant, both, origin, destination)
    return found


def joined_without(variant: Variant, group: int, fleet: int, origin: int, destination: int) -> bool:
    """Whether fleets that lie together, but for one of them, make a chain from one coast to the other."""
    rest = group & ~(1 << fleet)
    if rest.bit_count() > EXACT and is_solid(variant, group):
        return bool(variant.seas_of[origin] & rest and variant.seas_of[destination] & rest)
    return joined(variant, rest, origin, destination)


def is_solid(variant: Variant, group: int) -> bool:
    """Whether fleets that lie together, three at least, would still do so without any one of them."""
    key = (group, 0, 0)
    found = variant.chains.get(key)
    if found is None:
        first = group & -group
        beside = variant.sea_next[first.bit_length() - 1] & group
        way = on_the_way(variant.sea_next, group, first, beside & -beside)
        found = variant.chains[key] = int(way == group)
    return bool(found)


def _needed(variant: Variant, fleets: int, origin: int, destination: int) -> int:
    near, far = variant.seas_of[origin] & fleets, variant.seas_of[destination] & fleets
    sea_next = variant.sea_next
    found = near & far
    # A chain without a short cut touches each coast with one fleet only.
    for ends, others in ((near, far), (far, near)):
        within = flood(sea_next, others, fleets & ~ends)
        for fleet in members(ends & ~found):
            if sea_next[fleet] & within:
                found |= 1 << fleet
    between = fleets & ~near & ~far
    if fleets.bit_count() > EXACT:
        if (near | far).bit_count() > 1 and is_solid(variant, fleets):
            return found | between
        return found | (between & on_the_way(sea_next, fleets, near, far))
    for fleet in members(between):
        if _is_needed(sea_next, fleets, near, far, fleet):
            found |= 1 << fleet
    return found


def _is_needed(sea_next: tuple[int, ...], fleets: int, near: int, far: int, fleet: int) -> bool:
    """Whether a chain without a short cut passes through this fleet, which touches neither end.

    From it an arm must go to each end, neither beside the other. One arm is felt out step by step; the
    other is a flood over what is left, so that a step which leaves it no way out is never taken.
    """
    own = 1 << fleet

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


def on_the_way(sea_next: tuple[int, ...], fleets: int, near: int, far: int) -> int:
    """The fleets on some way from one end to the other that passes no sea twice.

    These are, with the two ends joined to each other, the fleets of the block that holds both ends: a walk
    from the far end (depth 1) drops whatever cannot come back to the near one (depth 0) but by the sea it
    was entered from.
    """
    depth: dict[int, int] = {}
    lowest: dict[int, int] = {}
    todo: dict[int, int] = {}
    kept: list[int] = []
    for first in members(far & fleets):
        path = [first] if first not in depth else []
        for fleet in path:
            depth[fleet], todo[fleet] = 2, sea_next[fleet] & fleets
            lowest[fleet] = 0 if near >> fleet & 1 else 2
            kept.append(fleet)
        while path:
            fleet = path[-1]
            low = todo[fleet] & -todo[fleet]
            todo[fleet] ^= low
            beside = low.bit_length() - 1
            if low and beside not in depth:
                depth[beside], todo[beside] = len(path) + 2, sea_next[beside] & fleets & ~(1 << fleet)
                lowest[beside] = 0 if near >> beside & 1 else 1 if far >> beside & 1 else depth[beside]
                path.append(beside)
                kept.append(beside)
            elif low:
                lowest[fleet] = min(lowest[fleet], depth[beside])
            else:
                path.pop()
                if lowest[fleet] >= depth[fleet] - 1:
                    while kept.pop() != fleet:
                        pass
                elif path:
                    lowest[path[-1]] = min(lowest[path[-1]], lowest[fleet])
    return bits(kept)
