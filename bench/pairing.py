"""How long does the pairing of a round take? `python -m bench.pairing [--seed 1]`"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from tests.tournaments.swiss import played

from tablee.tournaments.pairing.dutch import is_here, pair_dutch
from tablee.tournaments.pairing.history import History, Round
from tablee.tournaments.pairing.house import pair_house

ROUNDS = 9


def slowest(pairing: Callable[[History], Round], players: int, seed: int) -> float:
    """Seconds of processor time for the slowest round of a tournament played by chance."""
    took: list[float] = []

    def timed(history: History) -> Round:
        start = time.process_time()
        found = pairing(history)
        took.append(time.process_time() - start)
        return found

    played(timed, players, ROUNDS, seed)
    return max(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    print(f"house, 1,000 players: {slowest(pair_house, 1_000, seed):.2f} s")
    if is_here():
        slowest(pair_dutch, 10, seed)  # what is loaded once is not counted
        print(f"dutch, 200 players: {slowest(pair_dutch, 200, seed):.2f} s")


if __name__ == "__main__":
    main()
