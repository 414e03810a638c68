"""How long do the pairing of a round and the standings take? `python -m bench.pairing [--seed 1]`"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from tests.tournaments.swiss import played

from tablee.tournaments.pairing.dutch import is_here, pair_dutch
from tablee.tournaments.pairing.history import POINTS, History, Round
from tablee.tournaments.pairing.house import pair_house
from tablee.tournaments.standings import Counting, Entrant, standings
from tablee.tournaments.standings import Round as Standing

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


def standings_of(players: int, seed: int) -> float:
    """Seconds of processor time for the standings of a Swiss tournament of nine rounds."""
    entrants = [
        Entrant(
            no,
            max(0, 2500 - no),
            tuple(
                Standing(
                    number,
                    number,
                    POINTS[game.mark],
                    game.mark,
                    (game.opponent,) if game.opponent else (),
                    2 if game.colour == "b" else 1,
                )
                for number, game in enumerate(games, 1)
            ),
        )
        for no, games in played(pair_house, players, ROUNDS, seed).items()
    ]
    start = time.process_time()
    standings(entrants, Counting(("buchholz_cut1", "buchholz", "direct", "wins")), ROUNDS)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    print(f"house, 1,000 players: {slowest(pair_house, 1_000, seed):.2f} s")
    print(f"standings, 1,000 players: {standings_of(1_000, seed):.2f} s")
    if is_here():
        slowest(pair_dutch, 10, seed)  # what is loaded once is not counted
        print(f"dutch, 200 players: {slowest(pair_dutch, 200, seed):.2f} s")


if __name__ == "__main__":
    main()
