"""How fast is the engine of Diplomacy, beside the PyPI package and as boards grow?

`python -m bench.diplomacy [--quick] [--phases N] [--peer PYTHON]`; the package is looked for in PYTHON, else
it is installed into a temporary environment of its own; without it the ratios are left out.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random

from bench.diplomacy_differential import PEER, installed, spoken
from tests.rules.diplomacy.boards import generated
from tests.rules.diplomacy.positions import random_orders, random_situation

from tablee.rules.diplomacy.adjudication import settle
from tablee.rules.diplomacy.adjustments import removal_order
from tablee.rules.diplomacy.explanation import explain
from tablee.rules.diplomacy.field import Field
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import Order, Situation
from tablee.rules.diplomacy.movement import resolve_moves
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.notation import Standing, write_order
from tablee.rules.diplomacy.variant import Variant, load_variant

STANDARD = load_variant("standard")
ROUNDS = 5
AIM_CALLS = 10_000
AIM_RATIO = 20
Phase = tuple[Situation, list[Order]]
Texts = list[tuple[int, list[str]]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.diplomacy", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few phases, to see that it works")
    parser.add_argument("--phases", type=int, default=0, help="movement phases (default 2000, quick 100)")
    parser.add_argument("--peer", default="", help="a Python that has the package diplomacy")
    asked = parser.parse_args()
    rng = Random(4)
    phases = [phase(STANDARD, rng, 22, 34) for _ in range(asked.phases or (100 if asked.quick else 2000))]
    texts = [text_of(each) for each in phases]
    gc.collect()
    gc.freeze()  # the phases themselves are not what is measured
    whole = from_text(phases, texts)
    parts(phases)
    growth(10 if asked.quick else 100)
    with tempfile.TemporaryDirectory() as room:
        python = asked.peer or installed(Path(room))
        if python:
            beside(python, phases, texts, whole)
    return 0


def phase(variant: Variant, rng: Random, least: int, most: int) -> Phase:
    situation = random_situation(variant, rng, least, most)
    return situation, random_orders(variant, situation, rng)


def text_of(one: Phase) -> Texts:
    """The orders as players write them, by role."""
    situation, orders = one
    names = names_of(STANDARD, "en")
    found: dict[int, list[str]] = defaultdict(list)
    for order in orders:
        found[order.role].append(write_order(STANDARD, names, order, situation, "en"))
    return sorted(found.items())


def seconds(work: Callable[[], object]) -> float:
    """The least processor time of several rounds: what else the machine does is not asked."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def read_and_resolve(situation: Situation, texts: Texts) -> object:
    """The whole call: from texts to verdicts and the next situation."""
    read = Standing.of(STANDARD, situation, 0).read
    orders = [read(text, role) for role, lines in texts for text in lines]
    return resolve_moves(STANDARD, situation, orders)


def from_text(phases: list[Phase], texts: list[Texts]) -> float:
    every = list(zip((situation for situation, _ in phases), texts, strict=True))
    spent = seconds(lambda: [read_and_resolve(*each) for each in every])
    print(f"  whole call from texts: {len(phases) / spent:,.0f} a second")
    return spent


def parts(phases: list[Phase]) -> None:
    count = len(phases)
    spent = seconds(lambda: [resolve_moves(STANDARD, *each) for each in phases])
    reached = "reached" if count / spent >= AIM_CALLS else "missed"
    print(f"  whole call from orders: {count / spent:,.0f} a second (aim {AIM_CALLS:,}: {reached})")
    best = float("inf")
    for _ in range(ROUNDS):
        fields = [Field(STANDARD, *each) for each in phases]
        begun = time.process_time()
        for field in fields:
            settle(field)
        best = min(best, time.process_time() - begun)
    print(f"  pure resolutions: {count / best:,.0f} a second")
    some = phases[: max(20, count // 10)]
    spent = seconds(lambda: [explain(STANDARD, *each) for each in some])
    print(f"  resolutions explained: {len(some) / spent:,.0f} a second")
    spent = seconds(lambda: [legal_orders(STANDARD, 0, situation) for situation, _ in some])
    orders = sum(len(each) for s, _ in some for each in legal_orders(STANDARD, 0, s).values())
    print(
        f"  legal orders of a full position: {len(some) / spent:,.0f} a second, "
        f"{orders / len(some):.0f} orders each"
    )
    spent = seconds(lambda: [removal_order(STANDARD, s, role) for s, _ in some for role in range(1, 8)])
    print(f"  civil disorder of a power: {7 * len(some) / spent:,.0f} a second")


def growth(count: int) -> None:
    """The same density of units on larger and larger boards."""
    print("  a large generated board:", end="")
    for units in (10, 34, 100, 300):
        variant = generated(2 * units)
        rng = Random(units)
        phases = [phase(variant, rng, units, units) for _ in range(max(5, count * 10 // units))]
        spent = seconds(lambda chosen=phases, on=variant: [resolve_moves(on, *each) for each in chosen])  # type: ignore[misc]
        print(f" {units} units {spent / len(phases) * 1e6:,.0f} µs", end="")
    print()


def beside(python: str, phases: list[Phase], texts: list[Texts], whole: float) -> None:
    """The package's `set_orders` and `process` on the same phases, phase by phase beside ours."""
    peer = subprocess.Popen([python, str(PEER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert peer.stdin is not None
    assert peer.stdout is not None
    theirs = ours = 0.0
    with peer:
        for one, text in zip(phases, texts, strict=True):
            peer.stdin.write(json.dumps(spoken(one)) + "\n")
            peer.stdin.flush()
            theirs += json.loads(peer.stdout.readline())["seconds"]
            begun = time.perf_counter()
            read_and_resolve(one[0], text)
            ours += time.perf_counter() - begun
        peer.stdin.close()
    print(
        f"  package diplomacy, set_orders and process: {len(phases) / theirs:,.0f} a second; ours in turns "
        f"with it: {len(phases) / ours:,.0f}: {theirs / ours:.0f} × (aim {AIM_RATIO} ×), at our best "
        f"{theirs / whole:.0f} ×"
    )


if __name__ == "__main__":
    sys.exit(main())
