"""How fast is Minehive: delivered lines beside a bare broadcast, latency, growth, memory, registrations?

`python -m bench.minehive [--quick] [QUESTION…]`
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from bench.serving import broadcaster, generate, house


def throughput(quick: bool) -> None:
    """Delivered SQRD lines a second, 10 matches of 10 players, beside a bare broadcast of the same bytes."""
    rounds = 2 if quick else 5
    with house() as server, tempfile.TemporaryDirectory() as folder:
        for window, how in ((1, "each click waits for its answer"), (8, "8 clicks on the way at once")):
            recording = Path(folder, f"recording-{window}")
            ours = server.run("full_speed", rounds=rounds, window=window, recording=str(recording))
            with broadcaster(recording) as peer:
                theirs = generate(msgspec.structs.replace(peer, window=window))
            print(f"  {how}:")
            _line("Tablée, every click durable", ours)
            _line("bare broadcast", theirs)
            wall = _per(ours, "seconds") / _per(theirs, "seconds")
            work = _per(ours, "server_cpu") / _per(theirs, "server_cpu")
            print(f"    ratio {wall:.2f} in time, {work:.2f} in processor time")


def _per(result: dict[str, Any], what: str) -> float:
    return float(result["delivered"] / max(result[what], 0.005))


def _line(name: str, result: dict[str, Any]) -> None:
    per_click = 1e6 * result["server_cpu"] / max(1, result["clicks"])
    print(
        f"    {name:<30} {_per(result, 'seconds'):>9,.0f} lines/s, {_per(result, 'server_cpu'):>9,.0f} lines"
        f" per processor second, {per_click:.0f} µs a click (generator busy"
        f" {100 * result['generator_cpu'] / result['seconds']:.0f} %)"
    )


def latency(quick: bool) -> None:
    """From a click to the last player's receipt, at 1,000 clicks a second over 10 matches of 10 players."""
    with house() as server:
        result = server.run("paced", rate=1000, seconds=4.0, rounds=1 if quick else 3)
    _latency_line("10 matches × 10 players", result)


def _latency_line(name: str, result: dict[str, Any]) -> None:
    clicks, seconds = result["clicks"], result["seconds"]
    quantiles = ", ".join(f"p{p} {result[f'p{p}']:.1f} ms" for p in (50, 90, 99))
    work = 1e6 * result["server_cpu"] / clicks
    print(
        f"    {name:<24} {clicks / seconds:>6,.0f} clicks/s: {quantiles}; {work:.0f} µs of the server a click"
    )


def growth(quick: bool) -> None:
    """The same with 1, 10, 100 and 1,000 matches of 2 players: how the cost of a click grows."""
    for matches in (1, 10, 100) if quick else (1, 10, 100, 1000):
        # A board is used up after some 400 clicks: few matches are played several times over.
        rounds, seconds = (4, 1.0) if matches == 1 else (1, 5.0)
        with house() as server:
            result = server.run("paced", matches=matches, players=2, rounds=rounds, seconds=seconds)
        _latency_line(f"{matches:,} matches", result)


def memory(quick: bool) -> None:
    """Memory of the server for 10,000 idle connections (aim: at most 20 kB each)."""
    with house() as server:
        result = server.run("idle", connections=2000 if quick else 10_000, seconds=12.0)
    before, connected, later = (result[when] / 1e6 for when in ("before", "connected", "later"))
    each, each_more = result["bytes_each"] / 1e3, result["bytes_each_more"] / 1e3
    print(
        f"    {result['connections']:,} connections: {each:.1f} kB each, {each_more:.1f} in the second half"
    )
    print(
        f"    {before:.0f} MB before, {connected:.0f} MB with them, {later:.0f} MB after two rounds of RUOK"
    )
    print(f"    RUOK to all of them every 5 s takes {100 * result['server_cpu_share']:.0f} % of a core")


def registering(quick: bool) -> None:
    """REGI per second, and what argon2 leaves of the event loop's latency (LSAV round trips meanwhile)."""
    with house() as server:
        result = server.run("registrations", connections=32, seconds=3.0 if quick else 8.0)
    print(f"    {result['rate']:.1f} REGI/s, {result['refused']} refused")
    for name in ("quiet", "busy"):
        print(
            f"    LSAV round trip, {name}: p50 {result[f'{name}_p50']:.2f} ms,"
            f" p99 {result[f'{name}_p99']:.2f} ms, longest {result[f'{name}_max']:.2f} ms"
        )


QUESTIONS: dict[str, Callable[[bool], None]] = {
    "throughput": throughput,
    "latency": latency,
    "growth": growth,
    "memory": memory,
    "registering": registering,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller crowds")
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=", ".join(QUESTIONS))
    asked = parser.parse_args()
    unknown = set(asked.questions) - QUESTIONS.keys()
    if unknown:
        parser.error(f"no such question: {', '.join(sorted(unknown))}; there are {', '.join(QUESTIONS)}")
    for name, answer in QUESTIONS.items():
        if not asked.questions or name in asked.questions:
            print(f"{name}: {answer.__doc__}", flush=True)
            answer(asked.quick)


if __name__ == "__main__":
    main()
