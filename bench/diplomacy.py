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
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.diplomacy_differential import PEER, installed, spoken
from tests.rules.diplomacy.boards import generated
from tests.rules.diplomacy.positions import random_orders, random_situation

from tablee.rules.diplomacy import field as core
from tablee.rules.diplomacy.adjudication import settle
from tablee.rules.diplomacy.adjustments import removal_order
from tablee.rules.diplomacy.explanation import explain
from tablee.rules.diplomacy.field import Field
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import Order, Situation
from tablee.rules.diplomacy.movement import resolve_moves
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.notation import Standing
from tablee.rules.diplomacy.variant import Variant, load_variant
from tablee.rules.diplomacy.writing import write_order

STANDARD = load_variant("standard")
ROUNDS = 5
BLOCK = 100
"""So many phases the package and we do in turns, so that a busy machine is equally busy for both."""
AIM_CALLS = 10_000
IS_COMPILED = not str(core.__file__).endswith(".py")
AIM_RATIO = 30 if IS_COMPILED else 20
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
    print(f"  {len(phases)} phases, the core {'compiled' if IS_COMPILED else 'in plain Python'}")
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


def seconds(work: Callable[..., object], every: Sequence[tuple[Any, ...]]) -> float:
    """The least processor time of several rounds, nothing kept: what else the machine does is not asked."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for each in every:
            work(*each)
        best = min(best, time.process_time() - begun)
    return best


def read_and_resolve(situation: Situation, texts: Texts) -> object:
    """The whole call: from texts to verdicts and the next situation."""
    read = Standing.of(STANDARD, situation, 0).read
    orders = [read(text, role) for role, lines in texts for text in lines]
    return resolve_moves(STANDARD, situation, orders)


def from_text(phases: list[Phase], texts: list[Texts]) -> float:
    every = list(zip((situation for situation, _ in phases), texts, strict=True))
    spent = seconds(read_and_resolve, every)
    print(f"  whole call from texts: {len(phases) / spent:,.0f} a second ({_met(len(phases) / spent)})")
    return spent


def _met(calls: float) -> str:
    return f"aim {AIM_CALLS:,}: {'reached' if calls >= AIM_CALLS else 'missed'}"


def parts(phases: list[Phase]) -> None:
    count = len(phases)
    spent = seconds(partial(resolve_moves, STANDARD), phases)
    print(f"  whole call from orders: {count / spent:,.0f} a second ({_met(count / spent)})")
    best = float("inf")
    for _ in range(ROUNDS):
        fields = [Field(STANDARD, *each) for each in phases]
        begun = time.process_time()
        for field in fields:
            settle(field)
        best = min(best, time.process_time() - begun)
    print(f"  pure resolutions: {count / best:,.0f} a second")
    some = phases[: max(20, count // 10)]
    spent = seconds(partial(explain, STANDARD), some)
    print(f"  resolutions explained: {len(some) / spent:,.0f} a second")
    spent = seconds(lambda situation, _: legal_orders(STANDARD, 0, situation), some)
    orders = sum(len(each) for s, _ in some for each in legal_orders(STANDARD, 0, s).values())
    print(
        f"  legal orders of a full position: {len(some) / spent:,.0f} a second, "
        f"{orders / len(some):.0f} orders each"
    )
    every = [(STANDARD, situation, role) for situation, _ in some for role in range(1, 8)]
    spent = seconds(removal_order, every)
    print(f"  civil disorder of a power: {7 * len(some) / spent:,.0f} a second")


def growth(count: int) -> None:
    """The same density of units on larger and larger boards."""
    print("  a large generated board:", end="")
    for units in (10, 34, 100, 300):
        variant = generated(2 * units)
        rng = Random(units)
        phases = [phase(variant, rng, units, units) for _ in range(max(5, count * 10 // units))]
        spent = seconds(partial(resolve_moves, variant), phases)
        print(f" {units} units {spent / len(phases) * 1e6:,.0f} µs", end="")
    print()


def beside(python: str, phases: list[Phase], texts: list[Texts], whole: float) -> None:
    """The package's `set_orders` and `process` on the same phases, block by block in turns with ours."""
    peer = subprocess.Popen([python, str(PEER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert peer.stdin is not None
    assert peer.stdout is not None
    theirs = ours = 0.0
    every = list(zip(phases, texts, strict=True))
    with peer:
        for start in range(0, len(every), BLOCK):
            block = every[start : start + BLOCK]
            for one, _ in block:
                peer.stdin.write(json.dumps(spoken(one)) + "\n")
                peer.stdin.flush()
                theirs += json.loads(peer.stdout.readline())["seconds"]
            begun = time.process_time()
            for (situation, _), text in block:
                read_and_resolve(situation, text)
            ours += time.process_time() - begun
        peer.stdin.close()
    print(
        f"  package diplomacy, set_orders and process: {len(phases) / theirs:,.0f} a second; ours in turns "
        f"with it: {len(phases) / ours:,.0f}: {theirs / ours:.0f} × (aim {AIM_RATIO} ×), at our best "
        f"{theirs / whole:.0f} ×"
    )


if __name__ == "__main__":
    sys.exit(main())
