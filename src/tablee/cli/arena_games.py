"""`tablee arena measure`: many games of robots, how long they last and which place at the table wins."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import mean, median
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from tablee.cli.papers import print_json
from tablee.cli.stopping import Stop
from tablee.rules.arena import ArenaOptions, ArenaRules, description_names
from tablee.rules.arena.match import Match, RandomPlayer, play_match
from tablee.rules.arena.robot import STRENGTHS, STRONGEST
from tablee.rules.contract import Robot

RANDOM = "random"
PLAYERS: Mapping[str, Robot] = {RANDOM: RandomPlayer(), **STRENGTHS}


class Measure(msgspec.Struct, frozen=True):
    """What came of the games of one description with so many players."""

    game: str
    players: int
    games: int
    first_seed: int
    rounds_median: float
    rounds_mean: float
    rounds_most: int
    turns_mean: float
    ended: dict[str, int]
    wins_by_place: list[float]
    """In the order of play, the share of games won; a shared win counts in part."""
    won_by_first: float
    """The share of games that seat 1 won, wherever it sat: with `--against`, the robot that was asked for."""
    broken: int
    decisions: int
    p50_ms: float
    """Of a decision, in time of the processor: other work on the machine does not count."""
    p95_ms: float
    slowest_ms: float


def measure_command(
    games_of: Annotated[
        list[str] | None, typer.Argument(help="Names of ours; all of them if none.", metavar="[NAME]...")
    ] = None,
    players: Annotated[
        list[int] | None, typer.Option(min=2, help="How many players; may be given several times.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games of each kind.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the first game.")] = 1,
    robot: Annotated[str, typer.Option(help="Strength of the robots.")] = STRONGEST,
    against: Annotated[
        str | None, typer.Option(help="Two players: the strength of the other, or `random`.")
    ] = None,
    heroes: Annotated[bool, typer.Option("--heroes", help="With heroes.")] = False,
    jobs: Annotated[int, typer.Option(min=0, help="Processes; 0: one a processor.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let robots play whole games: how long they last, which place wins, how long a robot thinks."""
    names = games_of or list(description_names())
    for name in names:
        if name not in description_names():
            raise Stop(f"There is no game “{name}”. There are: {', '.join(description_names())}.")
    for strength in filter(None, (robot, against)):
        if strength not in PLAYERS:
            raise Stop(f"There is no robot “{strength}”. There are: {', '.join(PLAYERS)}.")
    if against is not None and players not in (None, [2]):
        raise Stop("--against is for two players.")
    counts = [2] if against is not None else players or [2, 3, 4, 8]
    options = ArenaOptions(heroes=heroes)
    measured = []
    for name in names:
        most = ArenaRules(name).seats(options).most
        fitting = [count for count in counts if count <= most]
        if not fitting:
            raise Stop(f"The game “{name}” is for {most} players at most.")
        for count in fitting:
            others = [against or robot] * (count - 1)
            measured.append(measure(name, [robot, *others], games, seed, options, jobs))
    if json:
        print_json(msgspec.to_builtins(measured))
    else:
        _print(measured, robot, against)
    if any(each.broken for each in measured):
        raise Stop("A rule was broken.")


def measure(
    name: str, strengths: Sequence[str], games: int, seed: int, options: ArenaOptions, jobs: int = 0
) -> Measure:
    """Play so many games, from this seed on, in so many processes."""
    play = partial(_match, name, tuple(strengths), options)
    seeds = range(seed, seed + games)
    if jobs == 1:
        played = list(map(play, seeds))
    else:
        with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
            played = list(pool.map(play, seeds))
    times = sorted(second * 1000 for game in played for second in game.seconds)
    rounds = [game.rounds for game in played]
    return Measure(
        game=name,
        players=len(strengths),
        games=games,
        first_seed=seed,
        rounds_median=median(rounds),
        rounds_mean=round(mean(rounds), 2),
        rounds_most=max(rounds),
        turns_mean=round(mean(game.turns for game in played), 2),
        ended=dict(Counter(game.reason for game in played)),
        wins_by_place=[round(_share(played, place), 4) for place in range(len(strengths))],
        won_by_first=sum(_win(game, 1) for game in played) / games,
        broken=sum(len(game.broken) for game in played),
        decisions=len(times),
        p50_ms=_quantile(times, 0.5),
        p95_ms=_quantile(times, 0.95),
        slowest_ms=round(times[-1], 2),
    )


def _match(name: str, strengths: tuple[str, ...], options: ArenaOptions, seed: int) -> Match:
    robots = [PLAYERS[strength] for strength in strengths]
    return play_match(ArenaRules(name), robots, seed, options, time.thread_time)


def _share(played: Sequence[Match], place: int) -> float:
    return sum(_win(game, game.places[place]) for game in played) / len(played)


def _win(game: Match, seat: int) -> float:
    """1 for a win, a part of it where the first rank is shared."""
    first = [each for each, rank in game.ranks.items() if rank == 1]
    return 1 / len(first) if seat in first else 0.0


def _quantile(ordered: list[float], share: float) -> float:
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 3)


def _print(measured: Sequence[Measure], robot: str, against: str | None) -> None:
    table = Table(title=f"{robot} against {against}" if against else f"robots “{robot}”")
    for title in ("game", "players", "games", "rounds: median", "mean", "most", "turns", "wins by place, %"):
        table.add_column(title, justify="left" if title == "game" else "right")
    if against:
        table.add_column(f"won by {robot}, %", justify="right")
    for title in ("broken", "p50 ms", "p95 ms"):
        table.add_column(title, justify="right")
    for each in measured:
        won = [f"{100 * each.won_by_first:.1f}"] if against else []
        table.add_row(
            each.game,
            str(each.players),
            str(each.games),
            f"{each.rounds_median:g}",
            f"{each.rounds_mean:.1f}",
            str(each.rounds_most),
            f"{each.turns_mean:.1f}",
            " ".join(f"{100 * share:.0f}" for share in each.wins_by_place),
            *won,
            str(each.broken),
            f"{each.p50_ms:.2f}",
            f"{each.p95_ms:.2f}",
        )
    Console(width=140).print(table)
