"""How soon after the last cartouche all eight consoles have heard a whole round, with many games at once.

`bench.robots` asks it. Beside it the bare echo of the same frames: a WebSocket without a game behind it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
from bench.robots_consoles import Load, Result
from bench.serving import house

AIM_GAMES = 500
THINK_SECONDS = 20.0
"""Up to so long for a cartouche where there are that many games, less where there are fewer."""


def loaded(load: Load) -> Result:
    """One run of the generator."""
    command = [sys.executable, "-m", "bench.robots_consoles", msgspec.json.encode(load).decode()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"The run failed:\n{done.stderr}")
    return msgspec.json.decode(done.stdout, type=Result)


def echoed(load: Load, recorded: list[str]) -> Result:
    """The same load on the bare peer, with the frames that one console of the house was sent."""
    with tempfile.TemporaryDirectory(prefix="tablee-bench-") as folder:
        file = Path(folder, "frames.json")
        file.write_text(json.dumps(recorded))
        command = [sys.executable, "-m", "bench.robots_peer", str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as peer:
            assert peer.stdout is not None
            try:
                there = msgspec.structs.replace(load, port=int(peer.stdout.readline()), pid=peer.pid)
                return loaded(there)
            finally:
                peer.terminate()


def served(games: int, rounds: int) -> bool:
    """Both, side by side."""
    think = THINK_SECONDS * games / AIM_GAMES
    # A game fills at once, and nobody is too slow for a house that is busy: that would be another question.
    options = ("--dr2d-seats", "8", "--dr2d-reply-seconds", "120", "--dr2d-cartouche-seconds", "600")
    with house(*options, "--dr2d-localization-seconds", "600") as server:
        load = Load(_port(server.ports["dr2d"]), server.pid, games, rounds, think)
        ours = loaded(load)
    theirs = echoed(load, ours.recorded)
    print(f"  {games} games of 8 consoles at once, {rounds} rounds each, up to {think:g} s for a cartouche:")
    for name, result in (("Tablée, every round durable", ours), ("a bare echo, the same frames", theirs)):
        delays = sorted(result.delays)
        print(
            f"    {name:<28} p50 {_ms(delays, 50):>8,.1f} ms, p99 {_ms(delays, 99):>8,.1f} ms,"
            f" {result.frames / result.seconds:>8,.0f} frames/s,"
            f" {1e6 * result.server_cpu / result.frames:>5.0f} µs of the server a frame"
            f" (generator busy {100 * result.generator_cpu / result.seconds:.0f} %)"
        )
    ratio = _ms(sorted(ours.delays), 99) / _ms(sorted(theirs.delays), 99)
    work = (ours.server_cpu / ours.frames) / (theirs.server_cpu / theirs.frames)
    print(f"    ratio {ratio:.1f} of p99, {work:.1f} of processor time a frame")
    return len(ours.delays) == len(theirs.delays) == games * rounds


def _ms(delays: list[float], percent: int) -> float:
    return 1000 * delays[min(len(delays) - 1, len(delays) * percent // 100)]


def _port(address: str) -> int:
    return int(address.rpartition(":")[2].partition("/")[0])
