"""How well does the robot of mines play alone, how long does it think, what do boards without guessing cost?

`python -m bench.mines_robot [--quick] [--boards N]`
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from tablee.cli.mines import measure
from tablee.rules.contract import Join
from tablee.rules.mines import ClassicOptions, Click, MinesRules
from tablee.rules.mines.board import HIDDEN
from tablee.rules.mines.noguess import Effort, generate

AIM = 0.33
SLOWEST_P95_MS = 100.0


def robot(boards: int) -> bool:
    """The share of classic boards, seeds 1 on, that the exact robot clears without a mine."""
    measured = measure(boards, seed=1)
    print(f"  {measured.won} of {boards} boards without a mine: {measured.won_share:.1%} (aim: {AIM:.0%})")
    print(
        f"  {measured.decisions:,} decisions: p50 {measured.p50_ms} ms, p95 {measured.p95_ms} ms (aim: under "
        f"{SLOWEST_P95_MS:.0f} ms), p99 {measured.p99_ms} ms, slowest {measured.slowest_ms} ms"
    )
    return measured.won_share >= AIM and measured.p95_ms < SLOWEST_P95_MS


def without_guessing(boards: int) -> None:
    """What it takes to make a board without guessing, from a random starting square."""
    for width, height, mines in ((9, 9, 10), (16, 16, 40), (30, 16, 99), (30, 16, 120), (60, 40, 480)):
        times: list[float] = []
        effort = Effort()
        for seed in range(1, boards + 1):
            rng = Random(seed)
            begun = time.process_time()
            generate(width, height, mines, rng.randrange(width * height), rng, effort)
            times.append(1000 * (time.process_time() - begun))
        times.sort()
        print(
            f"  {width} × {height} with {mines} mines: "
            f"p50 {times[boards // 2]:.0f} ms, slowest {times[-1]:.0f} ms, "
            f"{effort.repairs / boards:.1f} repairs and {effort.boards / boards:.2f} boards begun for one"
        )


def clicks(matches: int) -> None:
    """What a click costs the rules: `decide` and `evolve`, ten players, random squares."""
    rules, rng = MinesRules(), Random(1)
    times: list[float] = []
    for _ in range(matches):
        state = None
        for fact in rules.setup(ClassicOptions(), (), 0, rng):
            state = rules.evolve(state, fact)
        assert state is not None
        for seat in range(1, 11):
            for fact in rules.decide(state, seat, Join(f"joueur{seat}"), 0, rng):
                state = rules.evolve(state, fact)
        for square in rng.sample(range(480), 480):
            if state.ended or state.shown[square] != HIDDEN:
                continue
            begun = time.perf_counter()
            for fact in rules.decide(state, 1 + square % 10, Click(square % 30, square // 30), 0, rng):
                state = rules.evolve(state, fact)
            times.append(1e6 * (time.perf_counter() - begun))
    times.sort()
    p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"  a click in the rules: p50 {p50:.0f} µs, p99 {p99:.0f} µs over {len(times):,} clicks")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few boards")
    parser.add_argument("--boards", type=int, help="boards for the robot")
    asked = parser.parse_args()
    clicks(2 if asked.quick else 20)
    without_guessing(3 if asked.quick else 30)
    reached = robot(asked.boards or (40 if asked.quick else 1000))
    return 0 if reached or asked.quick else 1


if __name__ == "__main__":
    sys.exit(main())
