"""`tablee fuzz`: random games through the conformance kit, for as long as one likes."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from tablee.cli.stopping import Stop
from tablee.games import find_games
from tablee.rules.conformance import Breach, Report, check_words, fuzz


class Fuzzed(msgspec.Struct):
    """What fuzzing one variant has seen."""

    game: str
    variant: str
    first_seed: int
    games: int = 0
    events: int = 0
    refusals: int = 0
    twins: int = 0
    robot_answers: int = 0
    facts: dict[str, int] = {}
    endings: dict[str, int] = {}
    breach: str | None = None

    def add(self, report: Report) -> None:
        self.games += 1
        self.events += report.events
        self.refusals += report.refusals
        self.twins += report.twins
        self.robot_answers += report.robot_answers
        for fact, times in report.facts.items():
            self.facts[fact] = self.facts.get(fact, 0) + times
        ending = str(report.ended)
        self.endings[ending] = self.endings.get(ending, 0) + 1


def fuzz_command(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    variant: Annotated[str | None, typer.Option(help="Variant; all of them if not given.")] = None,
    seconds: Annotated[float, typer.Option(min=0, help="How long; one game a variant at least.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Seed of the first game.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play random games of GAME and check every promise of the contract on the way."""
    games, troubles = find_games()
    for trouble in troubles:
        typer.echo(trouble, err=True)
    chosen = [v for name, v in games if name == game and variant in (None, v)]
    if not chosen:
        known = ", ".join(f"{name} ({v})" for name, v in games)
        raise Stop(f"There is no such game here. There are: {known}.")
    found = [_fuzz(game, each, seconds / len(chosen), seed) for each in chosen]
    if json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        for each in found:
            _print(each)
    if any(each.breach for each in found):
        raise typer.Exit(1)


def _fuzz(game: str, variant: str, seconds: float, seed: int) -> Fuzzed:
    rules = find_games().games[game, variant]
    fuzzed = Fuzzed(game, variant, seed)
    end = time.monotonic() + seconds
    columns = (TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task = progress.add_task(f"{game} ({variant})", total=None)

        def seen(report: Report) -> None:
            fuzzed.add(report)
            said = f"{game} ({variant}): {fuzzed.games} games, {fuzzed.events} events"
            progress.update(task, description=said)

        try:
            check_words(rules)
            fuzz(rules, seed, lambda: time.monotonic() < end, seen)
        except Breach as breach:
            fuzzed.breach = str(breach)
    return fuzzed


def _print(fuzzed: Fuzzed) -> None:
    name = f"{fuzzed.game} ({fuzzed.variant})"
    typer.echo(
        f"{name}: {fuzzed.games} games from seed {fuzzed.first_seed}, {fuzzed.events} events, "
        f"{fuzzed.refusals} refusals, {fuzzed.twins} pairs of states that look alike, "
        f"{fuzzed.robot_answers} answers of robots."
    )
    if fuzzed.breach:
        again = f"tablee fuzz {fuzzed.game} --variant {fuzzed.variant} --seconds 0 --seed "
        typer.echo(f"{name} breaks a promise: {fuzzed.breach}", err=True)
        typer.echo(f"To see it again: {again}{fuzzed.first_seed + fuzzed.games}", err=True)
    else:
        typer.echo(f"{name} kept every promise.")
