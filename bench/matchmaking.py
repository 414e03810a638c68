"""How long does one wait for an opponent, and how far apart are the two, with a range that widens or not?

`python -m bench.matchmaking [--quick] [--arrivals N] [--seed N] [--plot FILE]`: people come to one queue, at
random moments and of random strength; the house's own `parties` puts them together once a second, as it is
and with a range that stays at ±50.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tablee.tables.matchmaking import RANGE, WIDENS_EVERY, Wish, parties

ARRIVALS = 2_000
EVERY = 4_000
"""Milliseconds between two arrivals, on average."""
SPREAD = 250
"""Standard deviation of the ratings, around 1500."""
PATIENCE = 120_000
"""Who waits for longer goes away."""
ROUND = 1_000


class Waiter(NamedTuple):
    account_id: int
    rating: int
    since: int
    wish: Wish = Wish()


class Outcome(NamedTuple):
    """What became of everybody: waits and differences (a pair counts once) of those who met, and who left."""

    waits: list[int]
    differences: list[int]
    left: int


def arrivals(number: int, seed: int) -> list[Waiter]:
    """People in the order in which they come."""
    rng, at, people = Random(seed), 0.0, []
    for account_id in range(1, number + 1):
        at += rng.expovariate(1 / EVERY)
        people.append(Waiter(account_id, round(rng.gauss(1500, SPREAD)), round(at)))
    return people


def simulate(people: Sequence[Waiter], widens: bool) -> Outcome:
    """One evening at the queue."""
    coming = list(reversed(people))
    queue: list[Waiter] = []
    waits: list[int] = []
    differences: list[int] = []
    left, now = 0, 0
    while coming or queue:
        now += ROUND
        while coming and coming[-1].since <= now:
            queue.append(coming.pop())
        # Where the range does not widen, everybody is as one who has just come.
        asked: list[Any] = [each if widens else each._replace(since=now) for each in queue]
        for pair in parties(asked, 2, now):
            found = {each.account_id for each in pair}
            waits += [now - each.since for each in queue if each.account_id in found]
            differences.append(abs(pair[0].rating - pair[1].rating))
            queue = [each for each in queue if each.account_id not in found]
        gone = [each for each in queue if now - each.since >= PATIENCE]
        left += len(gone)
        queue = [each for each in queue if each not in gone]
    return Outcome(waits, differences, left)


def at_quantile(values: Sequence[int], share: float) -> int:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


# --- the plot ---------------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP, PANEL = 860, 380, 60, 70, 320
COLOURS = {"±50": "#b4500f", "widening": "#1f5fa8"}
DASHES = {"±50": "6 4", "widening": "none"}


def draw(outcomes: dict[str, Outcome], number: int, seed: int) -> str:
    """Two panels: the share of all arrivals that has met somebody within a wait, and within a difference."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="13" role="img">',
        f"<title>{number} arrivals at the queue, seed {seed}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15">Matchmaking simulated: {number:,} arrivals, one every '
        f"{EVERY // 1000} s, ratings 1500 ± {SPREAD}</text>",
    ]
    for place, name in enumerate(outcomes):
        x = LEFT + 200 * place
        parts.append(
            f'<path d="M{x} 44h30" stroke="{COLOURS[name]}" stroke-width="2.5" '
            f'stroke-dasharray="{DASHES[name]}"/><text x="{x + 38}" y="48">{name}</text>'
        )
    waits = {name: [wait / 1000 for wait in each.waits] for name, each in outcomes.items()}
    apart = {name: [float(d) for d in each.differences for _ in (0, 1)] for name, each in outcomes.items()}
    parts += _panel(LEFT, waits, number, 120, 20, "seconds waited")
    parts += _panel(LEFT + PANEL + 100, apart, number, 600, 100, "points between the two")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(
    left: int, curves: dict[str, list[float]], number: int, most: int, step: int, label: str
) -> list[str]:
    height = HEIGHT - TOP - 60
    parts = []
    for tenth in range(0, 11, 2):
        y = TOP + height * (1 - tenth / 10)
        parts.append(f'<path d="M{left} {y:.1f}h{PANEL}" stroke="#d8d8d8"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth * 10} %</text>')
    for value in range(0, most + 1, step):
        x = left + PANEL * value / most
        parts.append(f'<text x="{x:.1f}" y="{TOP + height + 18}" text-anchor="middle">{value}</text>')
    for name, values in curves.items():
        ordered = sorted(values)
        points, met = [], 0
        for dot in range(201):
            while met < len(ordered) and ordered[met] <= most * dot / 200:
                met += 1
            points.append(f"{left + PANEL * dot / 200:.1f},{TOP + height * (1 - met / number):.1f}")
        parts.append(
            f'<polyline points="{" ".join(points)}" fill="none" stroke="{COLOURS[name]}" stroke-width="2.5" '
            f'stroke-dasharray="{DASHES[name]}"/>'
        )
    parts.append(
        f'<text x="{left + PANEL / 2}" y="{HEIGHT - 14}" text-anchor="middle">met an opponent: {label}</text>'
    )
    return parts


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.matchmaking", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="200 arrivals only")
    parser.add_argument("--arrivals", type=int, default=ARRIVALS)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--plot", type=Path, help="draw into this SVG file")
    asked = parser.parse_args()
    number = 200 if asked.quick else asked.arrivals
    people = arrivals(number, asked.seed)
    outcomes = {"±50": simulate(people, widens=False), "widening": simulate(people, widens=True)}
    print(f"  {number} arrivals, range ±{RANGE}, widening by {RANGE} every {WIDENS_EVERY // 1000} s")
    for name, each in outcomes.items():
        print(
            f"  {name:>9}: {len(each.waits)} met, {each.left} left after {PATIENCE // 1000} s; waited p50 "
            f"{at_quantile(each.waits, 0.5) / 1000:.0f} s, p95 {at_quantile(each.waits, 0.95) / 1000:.0f} s; "
            f"apart p50 {at_quantile(each.differences, 0.5)} p95 {at_quantile(each.differences, 0.95)} points"
        )
    if asked.plot is not None:
        asked.plot.write_text(draw(outcomes, number, asked.seed), "utf-8")
    return 0 if len(outcomes["widening"].waits) >= len(outcomes["±50"].waits) else 1


if __name__ == "__main__":
    sys.exit(main())
