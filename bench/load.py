"""A load generator for Minehive: many players in one process, who click and measure what comes back.

Run by the benchmarks as a process of its own: `python -m bench.load '{"run": "full_speed", …}'` prints its
result as JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import uvloop
from bench.players import Counts, Match, Player, Wire, reach

PASSWORD = "bench"
ENTERING_AT_ONCE = 16
GIVE_UP = 300.0
PORTS = 20_000


class Recorded(msgspec.Struct):
    """One match of one round as it went: who clicked what, and the bytes that each click gave to all."""

    clicks: dict[str, list[str]]
    told: dict[str, str]


def read_recording(file: Path) -> list[list[Recorded]]:
    """All matches of all rounds that were recorded."""
    return msgspec.msgpack.decode(file.read_bytes(), type=list[list[Recorded]])


def write_recording(file: Path, recording: list[list[Recorded]]) -> None:
    file.write_bytes(msgspec.msgpack.encode(recording))


class Load(msgspec.Struct):
    """What a run is asked to do."""

    run: str
    host: str = "127.0.0.1"
    port: int = 0
    pid: int = 0
    matches: int = 10
    players: int = 10
    rounds: int = 1
    window: int = 1
    rate: int = 1000
    seconds: float = 5.0
    connections: int = 1000
    seed: int = 1
    recording: str = ""


# Coming in


async def identify(load: Load, name: str) -> Wire:
    """A connection to the server, identified."""
    wire = await reach(load.host, load.port)
    wire.say(f"REGI#{name}#{PASSWORD}".encode())
    answer = await wire.line()
    if answer[:1] != ["IDOK"]:
        raise RuntimeError(f"REGI of {name} was answered with {'#'.join(answer) or 'a closed connection'}.")
    return wire


async def make_match(load: Load, number: int, counts: Counts, wires: Sequence[Wire], seed: int) -> Match:
    """A new match on the server with its players in it."""
    wires[0].say(b"NWMA")
    answer = await wires[0].line()
    if answer[:1] != ["NWOK"]:
        raise RuntimeError(f"NWMA was answered with {'#'.join(answer) or 'a closed connection'}.")
    match = Match(number, counts, random.Random(seed * 1000 + number))
    for seat, wire in enumerate(wires):
        await sit_down(match, answer[1], int(answer[2]), f"b{number}-{seat}", PASSWORD)
        wire.close()
    return match


async def sit_down(match: Match, host: str, port: int, name: str, password: str) -> None:
    """Join a match and read the board."""
    player = cast(Player, await reach(host, port, Player))
    player.say(f"JOIN#{name}#{password}".encode())
    answer = await player.line()
    if answer[:1] != ["JNOK"]:
        raise RuntimeError(f"JOIN of {name} was answered with {'#'.join(answer) or 'a closed connection'}.")
    left = 17
    while left:
        answer = await player.line()
        left -= 1
        if answer[0] == "IGNB":
            left = int(answer[1])
    player.seat(match, name)


async def in_turn(work: Sequence[Callable[[], Awaitable[Any]]]) -> list[Any]:
    """Do all of it, a few at a time, because the server hashes a bounded number of passwords at once."""
    room = asyncio.Semaphore(ENTERING_AT_ONCE)

    async def one(job: Callable[[], Awaitable[Any]]) -> Any:
        async with room:
            return await job()

    return await asyncio.gather(*(one(job) for job in work))


async def enter(load: Load, counts: Counts, round_number: int) -> list[Match]:
    """All matches of a round with all their players."""
    names = [f"b{m}-{p}" for m in range(load.matches) for p in range(load.players)]
    wires = await in_turn([lambda name=name: identify(load, name) for name in names])  # type: ignore[misc]
    groups = [wires[m * load.players :][: load.players] for m in range(load.matches)]
    seed = load.seed + round_number
    return await in_turn(
        [lambda m=m, g=g: make_match(load, m, counts, g, seed) for m, g in enumerate(groups)]  # type: ignore[misc]
    )


# The runs


async def full_speed(load: Load) -> dict[str, Any]:
    """Every player clicks again as soon as his click is answered, until all boards are open."""
    rounds, recording = [], []
    for round_number in range(load.rounds):
        counts = Counts()
        matches = await enter(load, counts, round_number)
        for match in matches:
            for seat, player in enumerate(match.players):
                player.left = deque(match.squares[seat :: len(match.players)])
                player.window = load.window
        watch = Watch(load.pid)
        for match in matches:
            for player in match.players:
                player.start()
        async with asyncio.timeout(GIVE_UP):
            await asyncio.gather(*(match.over.wait() for match in matches))
            await _settled(counts)
        rounds.append(watch.result(counts))
        recording.append([record(match) for match in matches])
        await asyncio.sleep(0.2)  # the server writes the results of the matches down
    if load.recording:
        write_recording(Path(load.recording), recording)
    return _sum(rounds)


async def replayed(load: Load) -> dict[str, Any]:
    """The clicks of a recording again, at a server that only broadcasts what they gave."""
    rounds = []
    for round_number, recorded in enumerate(read_recording(Path(load.recording))):
        counts, matches = Counts(), []
        for number, played in enumerate(recorded):
            match = Match(number, counts, random.Random(0))
            for name in played.clicks:
                await sit_down(match, load.host, load.port, name, str(round_number))
            for player in match.players:
                player.left = deque(click.encode() for click in played.clicks[player.name.decode()])
                player.window = load.window
            matches.append(match)
        lines = sum(
            told.count("SQRD") * len(played.clicks) for played in recorded for told in played.told.values()
        )
        watch = Watch(load.pid)
        for match in matches:
            for player in match.players:
                player.start()
        async with asyncio.timeout(GIVE_UP):
            while counts.delivered < lines:  # noqa: ASYNC110 - an event would cost every line
                await asyncio.sleep(0.01)
        rounds.append(watch.result(counts))
        for match in matches:
            for player in match.players:
                player.close()
    return _sum(rounds)


async def paced(load: Load) -> dict[str, Any]:
    """Clicks at a given rate over all matches, each timed until the last player of its match has seen it."""
    counts, rounds = Counts(), []
    for round_number in range(load.rounds):
        matches = await enter(load, counts, round_number)
        for match in matches:
            for player in match.players:
                player.watch()
        watch = Watch(load.pid)
        before = counts.clicks, counts.delivered
        await _click_at_rate(load, matches)
        await _settled(counts)
        rounds.append(watch.result(counts))
        rounds[-1]["clicks"] -= before[0]
        rounds[-1]["delivered"] -= before[1]
        if round_number < load.rounds - 1:
            await asyncio.gather(*(_finish(match) for match in matches))
    latencies = sorted(counts.latencies)
    return {**_sum(rounds), **{f"p{p}": 1000 * _quantile(latencies, p) for p in (50, 90, 99)}}


async def _click_at_rate(load: Load, matches: list[Match]) -> None:
    begun, sent, alive = time.perf_counter(), 0, deque(matches)
    while alive and time.perf_counter() - begun < load.seconds:
        due = int((time.perf_counter() - begun) * load.rate)
        while sent < due and alive:
            match = alive.popleft()
            square = match.next_square()
            if square is None or match.over.is_set():
                continue
            match.players[len(match.squares) % len(match.players)].click_timed(square)
            alive.append(match)
            sent += 1
        await asyncio.sleep(0.001)


async def _finish(match: Match) -> None:
    # The match must end before its players can begin another; the rest of the board is opened at once.
    while (square := match.next_square()) is not None:
        match.players[0].say(b"CLIC#" + square)
    async with asyncio.timeout(GIVE_UP):
        await match.over.wait()


async def _settled(counts: Counts) -> None:
    seen = -1
    while counts.delivered != seen:
        seen = counts.delivered
        await asyncio.sleep(0.1)


async def idle(load: Load) -> dict[str, Any]:
    """Connections that only answer RUOK; the memory of the server before and with them."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    wanted = min(load.connections, hard - 100)
    before = resident(load.pid)
    wires: list[Wire] = []
    # One address has some 28,000 ports to connect from; further ones are taken only where they would run out.
    sources = [f"127.0.0.{1 + n // PORTS}" if n >= PORTS else None for n in range(wanted)]
    halfway = before
    for start in range(0, wanted, 100):
        some = sources[start : start + 100]
        wires += await asyncio.gather(*(reach(load.host, load.port, source=source) for source in some))
        if len(wires) <= wanted // 2:
            halfway = resident(load.pid)
    for wire in wires:
        wire.take = lambda data: None
    connected = resident(load.pid)
    watch = Watch(load.pid)
    await asyncio.sleep(load.seconds)
    later, spent = resident(load.pid), watch.result(Counts())
    alive = sum(wire.is_open for wire in wires)
    return {
        "connections": alive,
        "before": before,
        "connected": connected,
        "later": later,
        "bytes_each": (max(connected, later) - before) / max(1, alive),
        # The first ones may fill holes that the start has left; the second half shows what one more costs.
        "bytes_each_more": (max(connected, later) - halfway) / max(1, alive / 2),
        "server_cpu_share": spent["server_cpu"] / spent["seconds"],
    }


async def registrations(load: Load) -> dict[str, Any]:
    """New names registered as fast as they are taken, and the round trips of another player meanwhile."""
    other = await identify(load, "probe")
    quiet = await _round_trips(other, load.seconds / 2, lambda: True)
    begun, count, refused = time.perf_counter(), 0, 0

    async def newcomer(number: int) -> None:
        nonlocal count, refused
        turn = 0
        while time.perf_counter() - begun < load.seconds:
            wire = await reach(load.host, load.port)
            wire.say(f"REGI#r{number}-{turn}#{PASSWORD}".encode())
            answer = await wire.line()
            turn += 1
            count += answer[:1] == ["IDOK"]
            refused += answer[:1] != ["IDOK"]
            wire.say(b"LEAV")
            wire.close()

    newcomers = [asyncio.create_task(newcomer(n)) for n in range(load.connections)]
    busy = await _round_trips(other, load.seconds, lambda: time.perf_counter() - begun < load.seconds)
    await asyncio.gather(*newcomers)
    elapsed = time.perf_counter() - begun
    result: dict[str, Any] = {"rate": count / elapsed, "refused": refused}
    for name, trips in (("quiet", quiet), ("busy", busy)):
        result |= {f"{name}_p{p}": 1000 * _quantile(sorted(trips), p) for p in (50, 99)}
        result[f"{name}_max"] = 1000 * max(trips)
    return result


async def _round_trips(wire: Wire, seconds: float, goes_on: Callable[[], bool]) -> list[float]:
    trips, begun = [], time.perf_counter()
    while time.perf_counter() - begun < seconds and goes_on():
        asked = time.perf_counter()
        wire.say(b"LSAV")
        answer = await wire.line()
        for _ in range(int(answer[1])):
            await wire.line()
        trips.append(time.perf_counter() - asked)
        await asyncio.sleep(0.002)
    return trips


# Measuring


class Watch:
    """Time that passes and time that the server and the generator work."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._cpu = worked(pid)
        self._own = time.process_time()
        self._begun = time.perf_counter()

    def result(self, counts: Counts) -> dict[str, Any]:
        ended = counts.last or time.perf_counter()
        return {
            "delivered": counts.delivered,
            "clicks": counts.clicks,
            "seconds": ended - self._begun,
            "server_cpu": worked(self._pid) - self._cpu,
            "generator_cpu": time.process_time() - self._own,
        }


def worked(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    line = next(x for x in Path(f"/proc/{pid}/status").read_text().splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def record(match: Match) -> Recorded:
    """What a match that was played has told for each click."""
    told: dict[str, str] = {}
    click, name, empty = "", "", set[tuple[int, int]]()
    for line in b"".join(match.stream).decode().split("\n"):
        if not line.startswith("SQRD"):
            continue
        _, column, row, content, _, who = line.split("#")
        x, y = int(column), int(row)
        # A square that touches an empty one of the same player's click belongs to that click.
        if who != name or empty.isdisjoint({(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}):
            click, name, empty = f"{x}#{y}", who, set()
            told[click] = ""
        told[click] += line + "\n"
        if content == "0":
            empty.add((x, y))
    clicks = {player.name.decode(): [click.decode() for click in player.sent] for player in match.players}
    return Recorded(clicks, told)


def _sum(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    return {key: sum(r[key] for r in rounds) for key in rounds[0]}


def _quantile(ordered: list[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else float("nan")


RUNS: dict[str, Callable[[Load], Awaitable[dict[str, Any]]]] = {
    "full_speed": full_speed,
    "replayed": replayed,
    "paced": paced,
    "idle": idle,
    "registrations": registrations,
}


async def main() -> None:
    load = msgspec.json.decode(sys.argv[1], type=Load)
    result = await RUNS[load.run](load)
    sys.stdout.write(msgspec.json.encode(result).decode() + "\n")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(main())
