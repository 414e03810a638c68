"""Does the ranking of a league put its players in the order of their true strength?

`python -m bench.league [--quick] [--rounds N] [--write FILE]`: robots of chess, each of which plays one move
in so many at random, meet each other with both colours; their games are reckoned as those of members are.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

from tablee.rules.chess.match import played_out
from tablee.rules.chess.robot import ChessRobot
from tablee.skill import NEWCOMER, PROVISIONAL_BELOW, RANKED_AFTER, Strength, margin, reckoned, shown

SLIPS = (0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
"""How many of its moves each robot plays at random: the first is the strongest."""
NODES = 150

Game = tuple[int, int, int]
"""White and Black, as places in SLIPS, and who won; -1 for a draw."""


def played(rounds: int) -> list[Game]:
    """A league in which everybody meets everybody with both colours, `rounds` times."""
    robots = [ChessRobot(depth=1, nodes=NODES, guesses=1, slips=slips) for slips in SLIPS]
    games = []
    for number in range(rounds):
        for place, (white, black) in enumerate(permutations(range(len(SLIPS)), 2)):
            state = played_out("classic", {1: robots[white], 2: robots[black]}, 1_000 * number + place)
            games.append((white, black, -1 if state.winner is None else (white, black)[state.winner - 1]))
            print(f"{len(games)} games", end="\r", flush=True)
    return games


def replayed(games: Sequence[Game]) -> tuple[dict[int, Strength], dict[int, int]]:
    """The strengths after these games, as if members had played them, and how many each has played."""
    strengths: dict[int, Strength] = {}
    counts: dict[int, int] = {}
    for white, black, winner in games:
        ranks = [(who, 1 if winner in (who, -1) else 2) for who in (white, black)]
        strengths |= reckoned(ranks, {white, black}, strengths, 2) or {}
        for who in (white, black):
            counts[who] = counts.get(who, 0) + 1
    return strengths, counts


def ranking(strengths: dict[int, Strength]) -> list[int]:
    """As the house ranks: by what everybody is worth at least."""
    return sorted(strengths, key=lambda who: 2 * strengths[who].sigma - strengths[who].mu)


def spearman(order: Sequence[int]) -> float:
    """How far an order of 0, 1, 2… agrees with that of the numbers: 1 wholly, 0 not at all."""
    n = len(order)
    return 1 - 6 * sum((place - who) ** 2 for place, who in enumerate(order)) / (n * (n * n - 1))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.league", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=Path, help="keep the games in this file")
    asked = parser.parse_args()
    games = played(1 if asked.quick else asked.rounds)
    if asked.write:
        asked.write.write_text(json.dumps({"slips": SLIPS, "games": games}) + "\n")
    for known in sorted({len(games) // 4, len(games) // 2, len(games)}):
        strengths, counts = replayed(games[:known])
        order = [who for who in ranking(strengths) if counts[who] >= RANKED_AFTER]
        agreed = spearman([sorted(order).index(who) for who in order])
        guesses = sum(counts[who] < PROVISIONAL_BELOW for who in order)
        print(f"after {known} games: {len(order)} ranked, {guesses} provisional, Spearman {agreed:.3f}")
    for who in order:
        mu, sigma = strengths.get(who, NEWCOMER)
        print(
            f"  plays {SLIPS[who]:>4.0%} at random: {shown(mu)} ± {margin(sigma)} after {counts[who]} games"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
