"""`tablee robots`: check and draw boards, measure the players and the boards, play as a console."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from tablee.cli.running import run
from tablee.cli.stopping import Stop
from tablee.rules.robots.board import compile_board
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.checking import check_board, check_set, read_board
from tablee.rules.robots.drawing import draw_picture, draw_text
from tablee.rules.robots.fairness import Shares, draw_shares, shares_of
from tablee.rules.robots.figures import Figures, advice_on, figures_of
from tablee.rules.robots.race import Race, play_race
from tablee.rules.robots.robot import STRENGTHS
from tablee.rules.robots.starts import starting_tiles
from tablee.rules.robots.troubles import Trouble
from tablee.terminal.dr2d.console import Console, play

app = typer.Typer(
    no_args_is_help=True,
    help="Robots and tiles: check and draw boards, measure the players, play as a console.",
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Language = Annotated[str, typer.Option(help="Of what is printed: fr or en.")]


class CheckedFile(msgspec.Struct, frozen=True):
    """What is to be said of one board."""

    file: str
    errors: list[Trouble]
    advice: list[Trouble]
    figures: Figures | None


@app.command("check")
def check_command(
    files: Annotated[
        list[str],
        typer.Argument(help="Boards as JSON, - for standard input, or names of ours.", metavar="FILE…"),
    ],
    together: Annotated[
        bool, typer.Option("--together", help="Check them as the boards of one game, in this order.")
    ] = False,
    language: Language = "fr",
    json: AsJson = False,
) -> None:
    """Say all that is wrong with boards, or their figures; the exit status is 1 if one is refused."""
    _language(language)
    values = [_value(file) for file in files]
    if together:
        found = check_set(values)
        errors = [[each for each in found if each.board == index] for index in range(len(values))]
    else:
        errors = [check_board(value) for value in values]
    checked = [_checked(*each) for each in zip(files, values, errors, strict=True)]
    if json:
        typer.echo(msgspec.json.encode(checked).decode())
    else:
        for each in checked:
            _print_checked(each, language)
    if any(errors):
        raise typer.Exit(1)


def _checked(file: str, value: Any, errors: list[Trouble]) -> CheckedFile:
    if check_board(value):
        return CheckedFile(file, errors, [], None)
    board = compile_board(read_board(value))
    return CheckedFile(file, errors, advice_on(board), figures_of(board))


def _print_checked(checked: CheckedFile, language: str) -> None:
    figures = checked.figures
    if figures is None:
        typer.echo(f"{checked.file}:")
    elif language == "fr":
        typer.echo(
            f"{checked.file} : {figures.way} mouvements par les trois lois {_legs(figures)}, "
            f"dalles de départ : {figures.starts}, dalles actives : {figures.active}, "
            f"lasers : {figures.lasers}, nids-de-poule : {figures.potholes}."
        )
    else:
        typer.echo(
            f"{checked.file}: {figures.way} registers over the three laws {_legs(figures)}, "
            f"starting tiles: {figures.starts}, active tiles: {figures.active}, "
            f"lasers: {figures.lasers}, potholes: {figures.potholes}."
        )
    for mark, troubles in (("✗", checked.errors), ("·", checked.advice)):
        for trouble in troubles:
            place = "" if trouble.x is None else f"[{trouble.x},{trouble.y}] "
            typer.echo(f"  {mark} {place}{trouble.en if language == 'en' else trouble.fr}")


def _legs(figures: Figures) -> str:
    return "(" + " + ".join(map(str, figures.legs)) + ")"


@app.command("draw")
def draw_command(
    file: Annotated[str, typer.Argument(help="A board as JSON, - for standard input, or the name of ours.")],
    out: Annotated[Path, typer.Option(help="Where the SVG goes; - for standard output.")] = Path("-"),
    text: Annotated[bool, typer.Option("--text", help="Draw in letters, for a terminal.")] = False,
    starts: Annotated[bool, typer.Option("--starts", help="Show where a race may start.")] = False,
    language: Language = "fr",
) -> None:
    """Draw a board as an SVG file that stands alone, or as text."""
    _language(language)
    value = _value(file)
    troubles = check_board(value)
    if troubles:
        raise Stop(f"{file}: {' '.join(trouble.en for trouble in troubles)}")
    board = compile_board(read_board(value))
    tiles = starting_tiles(board) if starts else ()
    ours = shipped_boards().get(file)
    drawn = (
        draw_text(board, tiles, language)
        if text
        else draw_picture(board, ours.title[language] if ours else Path(file).stem, tiles)
    )
    _write(out, drawn)


class Alone(msgspec.Struct, frozen=True):
    """Rounds to the third law of a player who practises on a board."""

    board: str
    robot: str
    games: int
    least: int
    median: float
    most: int
    unfinished: int
    milliseconds: float
    """The 95th percentile of a decision."""


class Together(msgspec.Struct, frozen=True):
    """Races on a board: the rounds until the first and until the last but one have arrived."""

    board: str
    races: int
    first: float
    last: float
    firsts: dict[int, float]
    """First places by seat."""
    milliseconds: float


class Measured(msgspec.Struct, frozen=True):
    """All that was measured."""

    alone: list[Alone]
    together: list[Together]
    shares: Shares | None


@app.command("measure")
def measure_command(
    boards: Annotated[
        list[str] | None, typer.Argument(help="Names of boards of ours; all if none is given.")
    ] = None,
    alone: Annotated[int, typer.Option(min=0, help="Practice games of each player on each board.")] = 20,
    races: Annotated[int, typer.Option(min=0, help="Races, over all these boards.")] = 100,
    players: Annotated[int, typer.Option(min=2, max=8, help="Pilots in a race.")] = 8,
    seed: Annotated[int, typer.Option(help="Seed of the first game.")] = 1,
    jobs: Annotated[int, typer.Option(min=0, help="Processes; 0: one a processor.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(help="Where the share of first places by seat goes, as SVG.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Let the players practise and race, and say how many rounds they need and which seat comes first."""
    names = boards or list(shipped_boards())
    for name in names:
        if name not in shipped_boards():
            raise Stop(f"There is no board “{name}”. There are: {', '.join(shipped_boards())}.")
    if plot is not None and not races:
        raise Stop("There is nothing to plot without races.", 2)
    measured = measure(names, alone, races, players, seed, jobs)
    if plot is not None and measured.shares is not None:
        _write(plot, draw_shares(measured.shares))
    if json:
        typer.echo(msgspec.json.encode(measured).decode())
        return
    for one in measured.alone:
        typer.echo(
            f"{one.robot} alone on {one.board}: {one.least} to {one.most} rounds, {one.median:g} in the "
            f"middle of {one.games}; {one.unfinished} unfinished; {one.milliseconds:.1f} ms a decision (p95)"
        )
    for other in measured.together:
        typer.echo(
            f"{players} pilots on {other.board}: the first after {other.first:.1f} rounds, the last after "
            f"{other.last:.1f}, of {other.races} races; {other.milliseconds:.1f} ms a decision (p95)"
        )
    if measured.shares is not None:
        _print_shares(measured.shares)


def _print_shares(shares: Shares) -> None:
    said = ", ".join(f"{seat:02} {100 * count / shares.races:.1f} %" for seat, count in shares.firsts.items())
    typer.echo(f"First places in {shares.races} races: {said}")
    typer.echo(
        f"A fair share is {100 / len(shares.firsts):.1f} % ± {100 * shares.margin:.1f}; "
        f"χ² {shares.chi_square:.1f}, {'within' if shares.is_fair else 'beyond'} the {shares.critical} "
        "of chance alone."
    )


Job = tuple[str, str, int, int]
"""A board, a player, how many of them, a seed."""


def measure(
    boards: Sequence[str], alone: int, races: int, players: int, seed: int = 1, jobs: int = 0
) -> Measured:
    """Play all of this, from this seed on, in so many processes; progress goes to a terminal."""
    single: list[Job] = [
        (board, robot, 1, seed + number) for board in boards for robot in STRENGTHS for number in range(alone)
    ]
    many: list[Job] = [
        (boards[number % len(boards)], "pilot", players, seed + number) for number in range(races)
    ]
    played: list[tuple[Job, Race]] = []
    with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        todo = [*single, *many]
        for job, race in zip(todo, pool.map(_race, todo), strict=True):
            played.append((job, race))
            if sys.stderr.isatty():
                print(f"\r{len(played)} of {len(todo)} games", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    groups: dict[tuple[str, str, int], list[Race]] = {}
    for (board, robot, count, _), race in played:
        groups.setdefault((board, robot, count), []).append(race)
    raced = [race for (_, _, count, _), race in played if count > 1]
    return Measured(
        alone=[_alone(board, robot, group) for (board, robot, count), group in groups.items() if count == 1],
        together=[_together(board, group) for (board, _, count), group in groups.items() if count > 1],
        shares=shares_of(raced) if raced else None,
    )


def _race(job: Job) -> Race:
    board, robot, count, seed = job
    return play_race((board,), (STRENGTHS[robot],) * count, seed, time.process_time)


def _alone(board: str, robot: str, races: Sequence[Race]) -> Alone:
    rounds = [race.rounds for race in races]
    return Alone(
        board=board,
        robot=robot,
        games=len(races),
        least=min(rounds),
        median=statistics.median(rounds),
        most=max(rounds),
        unfinished=sum(race.reason != "quest" for race in races),
        milliseconds=_thought(races),
    )


def _together(board: str, races: Sequence[Race]) -> Together:
    arrived = [sorted(each[0] for each in race.arrived.values() if each is not None) for race in races]
    return Together(
        board=board,
        races=len(races),
        first=statistics.mean(
            rounds[0] if rounds else race.rounds for rounds, race in zip(arrived, races, strict=True)
        ),
        last=statistics.mean(race.rounds for race in races),
        firsts=shares_of(races).firsts,
        milliseconds=_thought(races),
    )


def _thought(races: Sequence[Race]) -> float:
    """The 95th percentile of the time of a decision, in milliseconds of the processor."""
    every = sorted(seconds for race in races for seconds in race.thought)
    return 1000 * every[len(every) * 95 // 100]


@app.command("console")
def console_command(
    url: Annotated[str, typer.Argument(help="Where the house is: ws://HOST:PORT/dr2d.", metavar="URL")],
    name: Annotated[str, typer.Option(help="Of the robot; the house gives it one if not given.")] = "",
    token: Annotated[
        str, typer.Option(help="Token of a member to play as; a visitor without.", envvar="TABLEE_TOKEN")
    ] = "",
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print what happens.")] = False,
) -> None:
    """Play one game as a DR2D console with a simple brain."""
    player = Console(name, (lambda line: None) if quiet else typer.echo)
    try:
        run(play(url, player, token))
    except OSError as error:
        raise Stop(f"The house cannot be reached: {error}.") from None
    if not player.over:
        raise Stop("The house closed the connection before the game was over.")


# --- reading and writing --------------------------------------------------------------------------------


def _value(file: str) -> Any:
    """What a file says, or one of our boards by its name."""
    if file in shipped_boards():
        return shipped_boards()[file].document
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error}.") from None
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Stop(f"{file} is no JSON: {error}.") from None


def _write(out: Path, text: str) -> None:
    if str(out) == "-":
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Stop(f"{out} cannot be written: {error}.") from None


def _language(language: str) -> None:
    if language not in ("fr", "en"):
        raise Stop(f"There is no language “{language}”: fr or en.")
