"""`tablee tournament`: score games, pair rounds, seat boards and try out plans, in lines of JSON."""

from __future__ import annotations

import asyncio
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Any

import msgspec
import typer

from tablee.cli.papers import print_json, read_text
from tablee.rules.contract import Illegal
from tablee.rules.diplomacy.scoring import SYSTEMS, DiplomacyTally, System
from tablee.rules.scoring import points_of
from tablee.rules.words import LANGUAGES
from tablee.tournaments.pairing.boards import past_of, seat, sizes_of
from tablee.tournaments.pairing.dutch import pair_dutch
from tablee.tournaments.pairing.history import History, NoPairing, Round
from tablee.tournaments.pairing.house import pair_house
from tablee.tournaments.pairing.round_robin import pair_round_robin
from tablee.tournaments.plan import Plan
from tablee.tournaments.points import plain
from tablee.tournaments.simulating import Course, Crowd, simulated

app = typer.Typer(
    no_args_is_help=True, help="Tournaments: score games, pair rounds, seat boards, try out a plan."
)

LINE_MOST = 4_000_000
"""Characters of a line of input."""
PAIRINGS: dict[str, Callable[[History], Round]] = {
    "dutch": pair_dutch,
    "house": pair_house,
    "round_robin": pair_round_robin,
}


@app.command("score")
def score_command(
    system: Annotated[str, typer.Argument(help="The scoring system; `systems` lists them.")],
    explain: Annotated[bool, typer.Option("--explain", help="Add the terms of each score.")] = False,
) -> None:
    """Read ends of games of Diplomacy, a JSON line each, and print their scores, a JSON line each."""
    found = SYSTEMS.get(system)
    if found is None:
        raise _refused(f"There is no system “{system}”. There are: {', '.join(SYSTEMS)}.")
    _answer_lines(lambda line: _scored(found, line, explain))


def _scored(system: System, line: str, explain: bool) -> dict[str, Any]:
    terms = system.terms(msgspec.json.decode(line, type=DiplomacyTally))
    answer: dict[str, Any] = {"scores": [plain(points_of(each)) for each in terms]}
    if explain:
        answer["terms"] = [
            [{"term": term.name, "points": plain(term.points)} for term in each] for each in terms
        ]
    return answer


@app.command("systems")
def systems_command(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the scoring systems of Diplomacy."""
    from tablee.rules.diplomacy.report import WORDS

    listed = [
        {
            "id": name,
            "code": system.code or None,
            **{each: WORDS[each][f"scoring.{name}"] for each in LANGUAGES},
        }
        for name, system in SYSTEMS.items()
    ]
    if json:
        print_json([{**each, "name": each["fr"]} for each in listed])
        return
    for each in listed:
        typer.echo(f"{each['id']:16} {each['code'] or '':5} {each['en']}")


@app.command("pair")
def pair_command(
    how: Annotated[str, typer.Argument(help="dutch, house or round_robin.")],
) -> None:
    """Read tournaments, a JSON line each, and print the pairs of their next round, a JSON line each."""
    pairing = PAIRINGS.get(how)
    if pairing is None:
        raise _refused(f"There is no pairing “{how}”. There are: {', '.join(PAIRINGS)}.")

    def paired(line: str) -> dict[str, Any]:
        found = pairing(msgspec.json.decode(line, type=History))
        return {"pairs": found.pairs, "bye": found.bye}

    _answer_lines(paired)


@app.command("boards")
def boards_command(
    players: Annotated[int, typer.Option(help="How many come.")],
    size: Annotated[int, typer.Option(help="Seats of a board.")] = 7,
    rounds: Annotated[int, typer.Option(help="How many rounds.")] = 1,
    seconds: Annotated[float, typer.Option(help="Processor time for a round, at most.")] = 2.0,
    seed: Annotated[int, typer.Option(help="Of chance.")] = 1,
) -> None:
    """Seat people at boards, round by round, so that few meet twice and nobody has a role twice."""
    faults = [
        f"{what} is {value}, not between {least} and {most}."
        for what, value, least, most in (
            ("players", players, 1, 5_000),
            ("size", size, 2, 10),
            ("rounds", rounds, 1, 50),
            ("seconds", seconds, 0, 600),
        )
        if not least <= value <= most
    ]
    if faults:
        raise _refused(" ".join(faults))
    rng = Random(seed)
    made: list[list[list[int]]] = []
    byes = dict.fromkeys(range(1, players + 1), 0)
    try:
        for _ in range(rounds):
            out = sorted(byes, key=lambda no: (byes[no], -no))[: players % size]
            for no in out:
                byes[no] += 1
            present = [no for no in byes if no not in out]
            past = past_of(made)
            made.append(
                seat(present, sizes_of(len(present), size, size), past, rng, seconds, time.process_time)
            )
    except NoPairing as error:
        raise _refused(str(error)) from None
    past = past_of(made)
    print_json(
        {
            "rounds": made,
            "met": {
                "twice": sum(times == 2 for times in past.met.values()),
                "more": sum(times > 2 for times in past.met.values()),
            },
            "role_twice": sum(times - 1 for had in past.roles.values() for times in had.values()),
        }
    )


@app.command("simulate")
def simulate_command(
    plan: Annotated[Path, typer.Argument(help="The plan, a TOML file; - for standard input.")],
    runs: Annotated[int, typer.Option(help="How many tournaments.")] = 20,
    real: Annotated[bool, typer.Option("--real", help="Let robots play in a real house.")] = False,
    seed: Annotated[int, typer.Option(help="Of the first tournament.")] = 1,
) -> None:
    """Play tournaments by a plan, by chance or by robots, and say what they were like."""
    # What only this command needs brings half of the house along.
    from tablee.games import find_games
    from tablee.tournaments.errors import BadPlan, TournamentError

    if not 1 <= runs <= 10_000:
        raise _refused(f"runs is {runs}, not between 1 and 10000.")
    try:
        given = tomllib.loads(read_text(plan))
        crowd = msgspec.convert(given.pop("players", None), Crowd)
        wanted = msgspec.convert({"name": "Simulation", **given}, Plan)
        rules = find_games().games.get((wanted.game, wanted.variant))
        if rules is None:
            raise ValueError(f"There is no game “{wanted.game}” with a variant “{wanted.variant}”.")
        if faults := list(wanted.faults(rules)):
            raise BadPlan(faults)
        tally = diplomacy_tally if wanted.points_of(rules) in rules.scorings else None
        if real:
            from tablee.cli.rehearsal import rehearsed

            games = find_games().games
            courses = [asyncio.run(rehearsed(wanted, games, crowd, seed + run)) for run in range(runs)]
        else:
            courses = [
                simulated(wanted, rules, crowd, seed + run, time.process_time, tally) for run in range(runs)
            ]
    except (ValueError, Illegal, TournamentError) as error:  # what is no TOML is a ValueError too
        raise _refused(str(error)) from None
    print_json(_summed_up(courses))


def _summed_up(courses: list[Course]) -> dict[str, Any]:
    """The mean of every figure over all runs, with the least and the most."""
    found: dict[str, Any] = {"runs": len(courses)}
    for field in Course.__struct_fields__:
        values = [getattr(course, field) for course in courses]
        found[field] = {
            "mean": round(sum(values) / len(values), 4),
            "least": round(min(values), 4),
            "most": round(max(values), 4),
        }
    return found


def diplomacy_tally(form: Sequence[float], rng: Random) -> Any:
    """An end of a game: centres by how well each has played, years of elimination for who has none."""
    weights = [2 ** ((each - max(form)) / 150) * rng.uniform(0.6, 1.4) for each in form]
    centres = [int(34 * weight / sum(weights)) for weight in weights]
    centres[weights.index(max(weights))] += 34 - sum(centres)
    most = max(centres)
    solo = most >= 18 and centres.count(most) == 1
    out = [None if number else rng.randint(1902, 1908) for number in centres]
    return {"centres": centres, "out": out, "last_year": 1908, "ending": "solo" if solo else "years"}


def _refused(sentence: str) -> typer.Exit:
    """The end of a command whose input does not fit, said as a line of JSON."""
    print_json({"error": sentence})
    return typer.Exit(1)


# --- lines in, lines out --------------------------------------------------------------------------------


def _answer_lines(answer: Callable[[str], dict[str, Any]]) -> None:
    """A line of JSON for each line of standard input; what is wrong with one does not concern the others."""
    failed = False
    for line in _lines():
        try:
            if len(line) > LINE_MOST:
                raise ValueError(f"The line is longer than {LINE_MOST} characters.")
            print_json(answer(line))
        except (ValueError, RecursionError) as error:  # what msgspec refuses is a ValueError
            print_json({"error": str(error)})
            failed = True
    if failed:
        raise typer.Exit(1)


def _lines() -> Iterator[str]:
    """The lines of standard input that are not empty; bytes that are no UTF-8 make a bad line, not an end."""
    for raw in sys.stdin.buffer:
        line = raw.decode("utf-8", errors="replace").strip()
        if line:
            yield line
