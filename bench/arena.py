"""How fast is reach in the arena beside a plain search, what do a large board, a robot and a game cost?

`python -m bench.arena [--quick] [QUESTION…]`
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, NamedTuple

import msgspec
from tests.rules.arena.large import large_text
from tests.rules.arena.plain import Field, field_of, plain_reach

from tablee.rules.arena import ArenaOptions, ArenaRules
from tablee.rules.arena.board import Board, squares_of, types_of
from tablee.rules.arena.cards import allowed_squares
from tablee.rules.arena.description import Card, Description
from tablee.rules.arena.drawing import draw
from tablee.rules.arena.exporting import export_games
from tablee.rules.arena.ground import grounds
from tablee.rules.arena.loading import load, load_ours
from tablee.rules.arena.match import play_match
from tablee.rules.arena.reach import reach

MEDIAN, MEAN, CARD = 8.0, 6.0, 2.5
"""How many times as fast as the plain search reach should be: over all calls, and for each card."""
LARGE_MEMORY, LARGE_REACH = 50.0, 10.0
"""MB that a board of 40 arms × 10 columns × 60 rows may take, µs that a reach on it may last."""
DECISION = 5.0
"""Milliseconds that 95 of 100 decisions of a robot may take."""
CALLS = 20
NOBODY: frozenset[tuple[int, int]] = frozenset()


class Asked(NamedTuple):
    """One question: where does this card bring a pawn from here?"""

    card: Card
    start: int
    place: tuple[int, int]
    types: int
    mask: int
    colors: frozenset[str]


def questions(description: Description, board: Board, every: int = 1) -> Iterator[Asked]:
    """Every card of every colour on every square, or on one in so many."""
    for card in description.cards:
        for color in description.colors:
            mask = allowed_squares(card, color, board.masks)
            colors = frozenset(card.colors[color])
            for start in range(0, board.squares, every):
                yield Asked(
                    card, start, (start % board.W, start // board.W), types_of(card.types), mask, colors
                )


def timed(call: Callable[..., Any], *arguments: Any, rounds: int) -> float:
    """Microseconds of one call: the best of some rounds of a few calls, since the machine has other work."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.perf_counter_ns()
        for _ in repeat(None, CALLS):
            call(*arguments)
        best = min(best, time.perf_counter_ns() - begun)
    return best / CALLS / 1_000


def ours(board: Board, asked: Asked, rounds: int) -> float:
    card = asked.card
    return timed(reach, board, asked.start, card.steps, asked.types, asked.mask, 0, rounds=rounds)


def plain(field: Field, asked: Asked, rounds: int) -> float:
    card = asked.card
    return timed(plain_reach, field, asked.place, card.steps, card.types, asked.colors, NOBODY, rounds=rounds)


def told(name: str, mine: list[float], other: list[float]) -> tuple[float, float]:
    """Print a line and give how many times as fast: in the median, in the mean."""
    medians = statistics.median(mine), statistics.median(other)
    means = statistics.fmean(mine), statistics.fmean(other)
    ratios = medians[1] / medians[0], means[1] / means[0]
    print(
        f"  {name:<12} median {medians[0]:5.2f} µs, plain {medians[1]:5.2f} ({ratios[0]:4.1f} ×);"
        f" mean {means[0]:5.2f} µs, plain {means[1]:5.2f} ({ratios[1]:4.1f} ×)"
    )
    return ratios


def speed(quick: bool) -> bool:
    """Reach of every card on every square of the standard board, and a plain search after each."""
    description = load_ours("standard")
    board, field = Board(description), field_of(description.board)
    rounds = 3 if quick else 9
    times: dict[str, tuple[list[float], list[float]]] = {}
    gc.disable()
    for asked in questions(description, board, every=5 if quick else 1):
        found = reach(board, asked.start, asked.card.steps, asked.types, asked.mask, 0)
        wanted = plain_reach(field, asked.place, asked.card.steps, asked.card.types, asked.colors)
        if {board.place(square) for square in squares_of(found)} != wanted:
            print(f"  {asked.card.name} from {asked.place}: both do not find the same")
            return False
        mine, other = times.setdefault(asked.card.name, ([], []))
        mine.append(ours(board, asked, rounds))
        other.append(plain(field, asked, rounds))
    gc.enable()
    ratios = [told(name, mine, other) for name, (mine, other) in times.items()]
    median, mean = told(
        "all cards",
        [each for mine, _ in times.values() for each in mine],
        [each for _, other in times.values() for each in other],
    )
    least = min(min(each) for each in ratios)
    print(f"  least of a card {least:.1f} × (aims: median {MEDIAN:g} ×, mean {MEAN:g} ×, a card {CARD:g} ×)")
    return median >= MEDIAN and mean >= MEAN and least >= CARD


def coordinates(quick: bool) -> bool:
    """From a set as an integer to coordinates, which a page needs and a rule does not: apart from reach."""
    description = load_ours("standard")
    board = Board(description)
    gc.disable()
    times = []
    for asked in questions(description, board, every=5 if quick else 1):
        found = reach(board, asked.start, asked.card.steps, asked.types, asked.mask, 0)
        times.append(timed(lambda found=found: [board.place(each) for each in squares_of(found)], rounds=3))
    gc.enable()
    median, mean = statistics.median(times), statistics.fmean(times)
    print(f"  coordinates of a set: median {median:.2f} µs, mean {mean:.2f} µs")
    return True


def large(quick: bool) -> bool:
    """A board of 24,000 squares beside the standard one: to load, to keep, to draw, and reach on it."""
    texts = {
        "standard": export_games({"standard": load_ours("standard")}),
        "large": large_text(),
    }
    kept: dict[str, float] = {}
    middle: dict[str, float] = {}
    for name, text in texts.items():
        begun = time.perf_counter()
        description = load(text)[name]
        loaded = time.perf_counter()
        board = Board(description)
        ready = time.perf_counter()
        picture = draw(description, name)
        drawn = time.perf_counter()
        kept[name], peak = memory(text, name)
        every = max(1, board.squares // (100 if quick else 400))
        gc.disable()
        times = [ours(board, asked, 3) for asked in questions(description, board, every)]
        gc.enable()
        middle[name] = statistics.median(times)
        print(
            f"  {name:<9} {board.squares:>6,} squares: read in {1_000 * (loaded - begun):.0f} ms, tables in"
            f" {1_000 * (ready - loaded):.0f} ms, {kept[name]:.2f} MB kept ({peak:.2f} at the most)\n"
            f"            drawn in {1_000 * (drawn - ready):.0f} ms ({len(picture) / 1e6:.2f} MB);"
            f" reach: median {middle[name]:.2f} µs, mean {statistics.fmean(times):.2f} µs,"
            f" p95 {sorted(times)[int(0.95 * len(times))]:.2f} µs"
        )
    print(
        f"  large beside standard: {kept['large'] / kept['standard']:.0f} × the memory, "
        f"{middle['large'] / middle['standard']:.0f} × the time of a reach for 83 × the squares "
        f"(aims: {LARGE_MEMORY:g} MB, {LARGE_REACH:g} µs)"
    )
    return kept["large"] < LARGE_MEMORY and middle["large"] <= LARGE_REACH


def robots(quick: bool) -> bool:
    """What a robot's decision takes, in time of the processor, on the standard board and on the large one."""
    reached = True
    games = {"standard": load_ours("standard"), "large": load(large_text())["large"]}
    for name, description in games.items():
        rules = ArenaRules(name, description)
        for strength, robot in rules.robots.items():
            seconds: list[float] = []
            turns = rounds = 0
            for seed in range(1, 2 if quick or name == "large" else 11):
                match = play_match(rules, [robot] * 4, seed, ArenaOptions(), time.thread_time)
                if match.broken:
                    print(f"  {name}, seed {seed}: {match.broken[0]}")
                    return False
                seconds += match.seconds
                turns += match.turns
                rounds = max(rounds, match.rounds)
            times = sorted(1_000 * each for each in seconds)
            p95 = times[int(0.95 * len(times))]
            print(
                f"  {name:<9} {strength:<7} {len(times):>5} decisions in {turns} turns, {rounds} rounds at"
                f" most: median {statistics.median(times):.2f} ms, p95 {p95:.2f} (aim: {DECISION:g}),"
                f" slowest {times[-1]:.1f}"
            )
            reached = reached and p95 < DECISION
    return reached


def games(quick: bool) -> bool:
    """What a running game keeps in memory, as it is read from the log; the board is there once for all."""
    rules = ArenaRules("standard")
    count = 50 if quick else 500
    texts = []
    for seed in range(count):
        state = None
        rng = random.Random(seed)
        for fact in rules.setup(ArenaOptions(), range(1, 5), 0, rng):
            state = rules.evolve(state, fact)
        texts.append(msgspec.json.encode(state))
    gc.collect()
    tracemalloc.start()
    kept = [msgspec.json.decode(text, type=rules.state_type) for text in texts]
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(
        f"  a game of four on the standard board: {taken / len(kept) / 1024:.1f} KiB,"
        f" {statistics.fmean(map(len, texts)) / 1024:.1f} KiB as JSON"
    )
    text = large_text()
    grounds.clear()
    gc.collect()
    tracemalloc.start()
    crowd = ArenaRules("large", load(text)["large"])
    strong = crowd.robots["strong"]
    match = play_match(crowd, [strong] * 40, 1, ArenaOptions(rounds=2), time.thread_time)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(
        f"  the large board after {len(match.seconds)} decisions of forty robots: {taken / 1e6:.1f} MB"
        f" with all that rules and robots have worked out (aim: {LARGE_MEMORY:g})"
    )
    return taken / 1e6 < LARGE_MEMORY


def memory(text: str, name: str) -> tuple[float, float]:
    """Megabytes that a description and its board keep, and that they took at the most on the way."""
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    description = load(text)[name]
    board = Board(description)
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert board.plan is description.board
    return (after - before) / 1e6, (peak - before) / 1e6


QUESTIONS: dict[str, Callable[[bool], bool]] = {
    "speed": speed,
    "coordinates": coordinates,
    "large": large,
    "robots": robots,
    "games": games,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.arena", description=__doc__)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=", ".join(QUESTIONS))
    parser.add_argument("--quick", action="store_true", help="fewer squares, fewer rounds")
    asked = parser.parse_args()
    unknown = set(asked.questions) - QUESTIONS.keys()
    if unknown:
        parser.error(f"there is no question {', '.join(sorted(unknown))}: {', '.join(QUESTIONS)}")
    passed = [
        ask(asked.quick) for name, ask in QUESTIONS.items() if not asked.questions or name in asked.questions
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
