"""`tablee mines`: what a developer wants of minesweeper from the shell."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, Any, TypeVar

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress

from tablee.cli.papers import read_text
from tablee.cli.stopping import Stop
from tablee.rules.mines.board import FLAG, HIDDEN, around, mines_of, numbered, random_mines
from tablee.rules.mines.guess import best_guess
from tablee.rules.mines.noguess import Effort, NoBoard, generate
from tablee.rules.mines.position import Contradiction, read_position
from tablee.rules.mines.rules import HEIGHT, MINES, WIDTH, MinesRules
from tablee.rules.mines.solo import Solo, play_alone
from tablee.rules.mines.solver import Chances, chances
from tablee.rules.mines.text import BadBoard, read_board, write_board

app = typer.Typer(no_args_is_help=True, help="Minesweeper: solve a board, make one, measure the robot.")

T = TypeVar("T")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option(help="Seed of the first board.")]


# --- solve ----------------------------------------------------------------------------------------------


@app.command("solve")
def solve_command(
    file: Annotated[Path, typer.Argument(help="Board as text, a line a row; - for standard input.")],
    mines: Annotated[
        int | None, typer.Option(min=0, help="Mines in all; else the file's line `mines N`.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Print the chance of a mine on every hidden square, and the square that the robot would open."""
    try:
        board = read_board(read_text(file))
    except BadBoard as error:
        raise Stop(f"{file}: {error}") from None
    in_all = board.mines if mines is None else mines
    if in_all is None:
        raise Stop("How many mines are there? Give --mines N, or a line `mines N` in the file.")
    position = read_position(board.shown, board.width, board.height, in_all)
    if not position.hidden:
        raise Stop("Every square of this board is open: there is nothing to solve.")
    try:
        known = chances(position)
    except Contradiction as error:
        raise Stop(f"{file}: {error}") from None
    safe = sorted(known.safe)
    if all(letter in (HIDDEN, FLAG) for letter in board.shown):
        square = 0
    else:
        square = safe[0] if safe else best_guess(position, known, around(board.width, board.height))
    x, y = square % board.width, square // board.width
    if json:
        form = {
            "square": [x, y],
            "mine": known.mine[square],
            "safe": [[s % board.width, s // board.width] for s in safe],
            "chances": [[s % board.width, s // board.width, p] for s, p in sorted(known.mine.items())],
        }
        typer.echo(msgspec.json.encode(form).decode())
        return
    typer.echo(_with_percents(board.shown, board.width, known))
    how = "safe" if known.mine[square] == 0 else f"a mine with {known.mine[square]:.1%}"
    typer.echo(f"Open {x}, {y}: {how}. {len(safe)} safe square(s) in all.")


def _with_percents(shown: bytes, width: int, known: Chances) -> str:
    """The board with the chance of a mine, in percent, on hidden squares."""
    cells = [
        f"{known.mine[square] * 100:4.0f}" if square in known.mine else f"   {chr(letter)}"
        for square, letter in enumerate(shown)
    ]
    lines = ["".join(cells[start : start + width]) for start in range(0, len(cells), width)]
    return "\n".join(
        ["Chance of a mine in percent; one figure after three spaces is an open number.", *lines]
    )


# --- generate -------------------------------------------------------------------------------------------


@app.command("generate")
def generate_command(
    width: Annotated[int, typer.Option(min=5, max=60, help="Squares in a row.")] = WIDTH,
    height: Annotated[int, typer.Option(min=5, max=40, help="Rows.")] = HEIGHT,
    mines: Annotated[int, typer.Option(min=1, help="Mines.")] = MINES,
    no_guess: Annotated[bool, typer.Option("--no-guess", help="A board that needs no guess.")] = False,
    start: Annotated[str | None, typer.Option(help="Where a board without guessing begins: X,Y.")] = None,
    count: Annotated[int, typer.Option(min=1, help="How many boards.")] = 1,
    seed: Seed = 1,
    json: AsJson = False,
) -> None:
    """Make boards, on request such that no guess is ever needed from the starting square."""
    if mines >= width * height:
        raise Stop(f"A board of {width} × {height} has {width * height - 1} mines at most.")
    given = _square(start, width, height) if start is not None else None
    if given is not None and not no_guess:
        raise Stop("--start goes with --no-guess: any other board may be begun anywhere.")
    make = partial(_made, width, height, mines, no_guess, given)
    for board in _with_progress(map(make, range(seed, seed + count)), count, "boards"):
        if json:
            typer.echo(msgspec.json.encode(board).decode())
            continue
        if board["start"] is not None:
            x, y = board["start"]
            spent = f"{board['seconds']:.2f} s, {board['repairs']} repairs"
            typer.echo(f"seed {board['seed']}, start {x},{y} ({spent})")
        else:
            typer.echo(f"seed {board['seed']}")
        typer.echo(f"mines {mines}\n" + "\n".join(board["rows"]) + "\n")


def _made(
    width: int, height: int, mines: int, no_guess: bool, start: int | None, seed: int
) -> dict[str, Any]:
    rng = Random(seed)
    effort = Effort()
    begun = time.perf_counter()
    if no_guess:
        start = rng.randrange(width * height) if start is None else start
        try:
            laid = generate(width, height, mines, start, rng, effort)
        except NoBoard as error:
            raise Stop(str(error)) from None
    else:
        laid = random_mines(width, height, mines, rng)
    truth = numbered(width, height, laid)
    return {
        "seed": seed,
        "width": width,
        "height": height,
        "mines": len(mines_of(truth)),
        "start": None if start is None else [start % width, start // width],
        "rows": write_board(truth, width).splitlines(),
        "boards": effort.boards,
        "repairs": effort.repairs,
        "seconds": round(time.perf_counter() - begun, 4),
    }


def _square(text: str, width: int, height: int) -> int:
    x, _, y = text.partition(",")
    if not (x.strip().isdecimal() and y.strip().isdecimal() and int(x) < width and int(y) < height):
        raise Stop(f"“{text}” is no square of this board: give X,Y up to {width - 1},{height - 1}.")
    return int(y) * width + int(x)


# --- measure --------------------------------------------------------------------------------------------


class Measure(msgspec.Struct, frozen=True):
    """What the robot did on many boards."""

    robot: str
    boards: int
    first_seed: int
    won: int
    won_share: float
    decisions: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    slowest_ms: float
    seconds: float


@app.command("measure")
def measure_command(
    boards: Annotated[int, typer.Option(min=1, help="How many boards.")] = 1000,
    seed: Seed = 1,
    robot: Annotated[str, typer.Option(help="Strength of the robot.")] = "exact",
    jobs: Annotated[int, typer.Option(min=0, help="Processes; 0: one a processor.")] = 0,
    json: AsJson = False,
) -> None:
    """Let the robot play classic boards alone: how many it clears without a mine, and how long it thinks."""
    if robot not in MinesRules.robots:
        raise Stop(f"There is no robot “{robot}”. There are: {', '.join(MinesRules.robots)}.")
    measured = measure(boards, seed, robot, jobs)
    if json:
        typer.echo(msgspec.json.encode(measured).decode())
        return
    typer.echo(f"{measured.won} of {boards} boards without a mine: {measured.won_share:.1%}")
    typer.echo(
        f"{measured.decisions} decisions: p50 {measured.p50_ms} ms, p95 {measured.p95_ms} ms, "
        f"p99 {measured.p99_ms} ms, slowest {measured.slowest_ms} ms"
    )


def measure(boards: int, seed: int, robot: str = "exact", jobs: int = 0) -> Measure:
    """Play so many boards, from this seed on, in so many processes."""
    begun = time.perf_counter()
    with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        games = pool.map(partial(_alone, robot), range(seed, seed + boards))
        played = list(_with_progress(games, boards, "boards"))
    times = sorted(second * 1000 for game in played for second in game.seconds)
    won = sum(game.won for game in played)
    return Measure(
        robot=robot,
        boards=boards,
        first_seed=seed,
        won=won,
        won_share=won / boards,
        decisions=len(times),
        p50_ms=_quantile(times, 0.5),
        p95_ms=_quantile(times, 0.95),
        p99_ms=_quantile(times, 0.99),
        slowest_ms=round(times[-1], 2),
        seconds=round(time.perf_counter() - begun, 1),
    )


def _alone(robot: str, seed: int) -> Solo:
    return play_alone(seed, MinesRules.robots[robot], time.perf_counter)


def _quantile(ordered: list[float], share: float) -> float:
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 2)


def _with_progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items, with a bar on the terminal's standard error while they come."""
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            progress.advance(task)
            yield item
