"""How fast are the chess boards and the moves through the whole server, and how well do the robots play?

`python -m bench.chess [--quick] [--games N] [--running N] [QUESTION…]`
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable

import chess
import msgspec
from bench.chess_load import Load, Result
from bench.serving import house

from tablee.cli.chess import measure
from tablee.rules.chess.boards import BOARDS, VARIANTS
from tablee.rules.chess.perft import perft, perft_played_out

AIMS = {"classic": 0.9, "alice": 0.4, "dark": 0.9, "horde": 0.9}
WON = 95
PUBLISHED = {4: 197_281, 5: 4_865_609}
"""Perft of classic chess from the start, as published on the Chess Programming Wiki."""


def counted(depth: int) -> bool:
    """Classic chess counts what is published."""
    found = perft(BOARDS["classic"](), depth)
    print(f"  perft classic {depth}: {found:,} (published: {PUBLISHED[depth]:,})")
    return found == PUBLISHED[depth]


def speed(rounds: int, depth: int) -> bool:
    """Positions a second of each board, every last move played out, beside `chess.Board`, in turns."""
    boards: dict[str, type[chess.Board]] = {"the library": chess.Board, **BOARDS}
    best = dict.fromkeys(boards, 0.0)
    for _ in range(rounds):
        for name, board in boards.items():
            begun = time.process_time()
            nodes = perft_played_out(board(), depth)
            best[name] = max(best[name], nodes / (time.process_time() - begun))
    reached = True
    for name, rate in best.items():
        share = rate / best["the library"]
        aim = f" (aim: {AIMS[name]:.1f})" if name in AIMS else ""
        print(f"  {name}: {rate:,.0f} positions a second, {share:.2f} of the library's{aim}")
        reached = reached and share >= AIMS.get(name, 0.0)
    return reached


def robots(games: int) -> bool:
    """Games won against a player who plays anything."""
    reached = True
    for variant in VARIANTS:
        measured = measure(variant, "player", games)
        print(f"  player in {variant}: {measured.won} of {games} won (aim: {WON} of 100)")
        reached = reached and measured.won * 100 >= WON * games
    return reached


def served(games: int, plies: int) -> bool:
    """Moves a second through the whole server (decoded, decided, durable, told to both) with so many running
    games, beside a bare peer that sends the same bytes; memory of a running game."""
    with house() as server:
        ours = _loaded(Load(_port(server.ports["pawnhub_plain"]), server.pid, games, plies))
    command = [sys.executable, "-m", "bench.chess_peer"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as peer:
        assert peer.stdout is not None
        try:
            theirs = _loaded(Load(int(peer.stdout.readline()), peer.pid, games, plies))
        finally:
            peer.terminate()
    print(f"  {games} running games, each move waits for its answer:")
    _served_line("Tablée, every move durable", ours)
    _served_line("a bare peer, the same bytes", theirs)
    wall, work = _rate(ours) / _rate(theirs), _cost(theirs) / _cost(ours)
    print(f"    ratio {wall:.3f} in time, {work:.3f} in processor time")
    running = (ours.begun - ours.connected) / games / 1024
    played = (ours.ended - ours.begun) / games / 1024
    print(f"    a running game: {running:.1f} KiB besides its connections, {played:.1f} more after its moves")
    return ours.moves > 0


def _loaded(load: Load) -> Result:
    command = [sys.executable, "-m", "bench.chess_load", msgspec.json.encode(load).decode()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"The run failed:\n{done.stderr}")
    return msgspec.json.decode(done.stdout, type=Result)


def _served_line(name: str, result: Result) -> None:
    print(
        f"    {name:<28} {_rate(result):>9,.0f} moves/s, {_cost(result):>6.0f} µs of the server a move"
        f" (generator busy {100 * result.generator_cpu / result.seconds:.0f} %)"
    )


def _rate(result: Result) -> float:
    return result.moves / result.seconds


def _cost(result: Result) -> float:
    return 1e6 * result.server_cpu / max(1, result.moves)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.chess", description=__doc__)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help="counted, speed, served, robots")
    parser.add_argument("--quick", action="store_true", help="smaller and shorter")
    parser.add_argument("--games", type=int, default=100, help="games of a robot in each variant")
    parser.add_argument("--running", type=int, default=0, help="running games at the server")
    asked = parser.parse_args()
    running = asked.running or (50 if asked.quick else 1_000)
    questions: dict[str, Callable[[], bool]] = {
        "counted": lambda: counted(4 if asked.quick else 5),
        "speed": lambda: speed(3 if asked.quick else 10, 3),
        "served": lambda: served(running, 20 if asked.quick else 60),
        "robots": lambda: robots(4 if asked.quick else asked.games),
    }
    unknown = set(asked.questions) - questions.keys()
    if unknown:
        parser.error(f"there is no question {', '.join(sorted(unknown))}: {', '.join(questions)}")
    passed = [ask() for name, ask in questions.items() if not asked.questions or name in asked.questions]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
