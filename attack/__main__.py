"""Hostile scripts against a house of their own: `python -m attack` runs them all, `--list` names them.

Each script has a fresh house on free ports of this machine and goes on for some seconds, while an honest
player from another address measures how long he waits. Printed beside each: his 50th and 99th percentile for
moves, looks at the hall and new connections, what failed for him, the processor time of the house, and its
memory before, at most and after.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from attack.honest import Seen
from attack.target import Target, read, written
from bench.serving import ports_of

FRAME = {"__main__", "honest", "target"}
WANTED_P99 = 20.0
"""Milliseconds an honest player waits at most in 99 of 100 cases, on a quiet machine."""
WANTED_MEMORY = 1.2
"""How much of its memory before the attack the house may have after it."""
SETTLING = 20.0
"""Seconds in which the memory must be back."""
ATTACKER_NICENESS = 10
"""An attacker has a machine of his own: on this one he works with what the house and the player leave him."""


class Outcome(msgspec.Struct):
    """What one script did to the house, and to the honest player beside it."""

    name: str
    answered: str
    seen: Seen
    cpu: float
    """Of one processor, how much the house used during the attack."""
    before: int
    most: int
    after: int
    ended: int = 0
    """The exit code of the script: one that broke down has shown nothing."""

    @property
    def holds(self) -> bool:
        waits = (percentile(times, 99) for times in (self.seen.moves, self.seen.looks, self.seen.arrivals))
        return (
            not self.ended
            and not self.seen.failed
            and all(wait <= WANTED_P99 for wait in waits)
            and self.after <= WANTED_MEMORY * self.before
        )


def scripts() -> dict[str, str]:
    """Every hostile script and what it does."""
    found = {"nobody": "Nobody attacks: what the honest player sees on this machine anyway."}
    for file in sorted(Path(__file__).parent.glob("*.py")):
        if file.stem not in FRAME:
            found[file.stem] = (ast.get_docstring(ast.parse(file.read_text())) or "").partition("\n")[0]
    return found


def percentile(times: list[float], wanted: int) -> float:
    ordered = sorted(times) or [0.0]
    return ordered[min(len(ordered) - 1, len(ordered) * wanted // 100)]


@contextmanager
def house(options: list[str]) -> Iterator[tuple[subprocess.Popen[bytes], Target]]:
    """A house as a club has it on its first day, on free ports."""
    with tempfile.TemporaryDirectory(prefix="tablee-attack-") as folder:
        data, ports_file, log = Path(folder, "data"), Path(folder, "ports.json"), Path(folder, "log")
        command = [str(Path(sys.executable).with_name("tablee")), "serve", "--data", str(data), "--port", "0"]
        command += ["--minehive-port", "0", "--minehive-host-port", "0", "--pawnhub-port", "0"]
        command += ["--pawnhub-plain-port", "0", "--dr2d-port", "0", "--ports-file", str(ports_file)]
        command += ["--log-level", "warning", *options]
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        try:
            bound = ports_of(process, ports_file, log)
            ports = {door: _port(address) for door, address in bound.items()}
            ports["web"] = ports.pop("http")
            pseudo, password = (data / "super-administrator.txt").read_text().split("\n")[:2]
            url = f"http://127.0.0.1:{ports['web']}"
            yield process, Target(url=url, ports=ports, seconds=0.0, admin=(pseudo, password), data=data)
            stalls = [
                line for line in log.read_text().splitlines() if '"level":"warning"' in line.replace(" ", "")
            ]
            for line in stalls[:5]:
                print(f"    the house says: {line[:300]}")
        finally:
            process.terminate()
            process.wait(60)


def _port(address: str) -> int:
    return int(address.partition("://")[2].partition("/")[0].rpartition(":")[2] or address.rpartition(":")[2])


def memory(pid: int) -> int:
    """Bytes of a process in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def cpu(pid: int) -> float:
    """Seconds of processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(name: str, seconds: float, options: list[str]) -> Outcome:
    """One script against a house of its own, with the honest player beside it."""
    with house(options) as (process, target):
        target = msgspec.structs.replace(target, seconds=seconds)
        honest = subprocess.Popen(
            [sys.executable, "-m", "attack.honest", target.url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert honest.stdin is not None
        assert honest.stdout is not None
        try:
            if honest.stdout.readline() != "ready\n":
                raise RuntimeError("the honest player could not begin his game")
            before = most = memory(process.pid)
            begun, used = time.monotonic(), cpu(process.pid)
            attacker = subprocess.Popen(
                [sys.executable, "-m", "attack", "--against", written(target), name],
                stdout=subprocess.PIPE,
                text=True,
                preexec_fn=_give_way,
            )
            while attacker.poll() is None:
                most = max(most, memory(process.pid))
                if time.monotonic() - begun > 3 * seconds + 60:
                    attacker.kill()
                time.sleep(0.05)
            took, used = time.monotonic() - begun, cpu(process.pid) - used
            assert attacker.stdout is not None
            answered = attacker.stdout.read().strip() or f"ended with {attacker.returncode}"
            honest.stdin.close()
            seen = msgspec.json.decode(honest.stdout.read(), type=Seen)
        finally:
            honest.kill()
            honest.wait()
        settled = time.monotonic() + SETTLING
        while (after := memory(process.pid)) > WANTED_MEMORY * before and time.monotonic() < settled:
            time.sleep(0.5)
        return Outcome(name, answered, seen, used / took, before, most, after, attacker.returncode)


def _give_way() -> None:
    os.nice(ATTACKER_NICENESS)


def attack(name: str, target: Target) -> str:
    """Let one script loose, in this process."""
    if name == "nobody":
        time.sleep(target.seconds)
        return "nothing was done"
    script: Any = importlib.import_module(f"attack.{name}")
    return str(asyncio.run(script.attack(target)))


def told(outcome: Outcome) -> str:
    """Some lines on an outcome, for a reader."""
    seen = outcome.seen
    waits = "; ".join(
        f"{what} {percentile(times, 50):.1f} / {percentile(times, 99):.1f} / {max(times, default=0.0):.0f}"
        for what, times in (("moves", seen.moves), ("looks", seen.looks), ("arrivals", seen.arrivals))
    )
    sizes = " → ".join(f"{size / 2**20:.0f}" for size in (outcome.before, outcome.most, outcome.after))
    lines = [
        f"    {outcome.answered}",
        f"    ms p50 / p99 / most of {len(seen.moves)} moves: {waits}",
        f"    processor {outcome.cpu:.0%}; MiB before → most → after: {sizes}",
        *(f"    failed: {failure}" for failure in seen.failed[:3]),
        *(["    the script itself broke down"] if outcome.ended else []),
        f"    {'holds' if outcome.holds else 'DOES NOT HOLD'}",
    ]
    return "\n".join(lines)


def main() -> int:
    known = scripts()
    parser = argparse.ArgumentParser(prog="python -m attack", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--list", action="store_true", help="name the scripts and what they do")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long each goes on")
    parser.add_argument("--json", action="store_true", help="print one JSON line for each at the end")
    parser.add_argument("--against", help=argparse.SUPPRESS)
    asked, options = parser.parse_known_args()
    if unknown := [name for name in asked.names if name not in known]:
        parser.error(f"no such script: {', '.join(unknown)}; there are {', '.join(known)}")
    if asked.against is not None:
        print(attack(asked.names[0], read(asked.against)))
        return 0
    outcomes = []
    for name in asked.names or known:
        print(f"{name}: {known[name]}", flush=True)
        if not asked.list:
            outcomes.append(run(name, asked.seconds, options))
            print(told(outcomes[-1]), flush=True)
    if asked.json:
        for outcome in outcomes:
            waits = {
                what: {
                    "p50": percentile(times, 50),
                    "p99": percentile(times, 99),
                    "most": max(times, default=0.0),
                }
                for what, times in msgspec.to_builtins(outcome.seen).items()
                if what != "failed"
            }
            row = {**msgspec.to_builtins(outcome), "seen": waits, "failed": outcome.seen.failed}
            print(json.dumps({**row, "holds": outcome.holds}))
    weak = [outcome.name for outcome in outcomes if not outcome.holds]
    if weak:
        print(f"The house does not hold as wanted against: {', '.join(weak)}.")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
