"""A tournament as a file: a report of FIDE (TRF16), a table for a spreadsheet, all public facts as JSON."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import msgspec

from tablee.tournaments.acts import TournamentState
from tablee.tournaments.championship.acts import ChampionshipState
from tablee.tournaments.championship.counting import Played
from tablee.tournaments.plan import public
from tablee.tournaments.standings import Counting, Entrant, Line, Round

BOM = "\ufeff"
REPORTED = {"swiss": "Individual: Swiss-System", "round_robin": "Individual: Round-Robin"}
"""Formats of which there is a report, and what it calls them; a match of several games has no place in it."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def trf(
    state: TournamentState, entrants: Sequence[Entrant], lines: Sequence[Line], names: Mapping[int, str]
) -> str:
    """The report of a tournament for two: entrants by number, each round with opponent, colour and result."""
    numbers, places = state.numbers, {line.entrant: line for line in lines}
    began = state.published[0].at if state.published else 0
    date = datetime.fromtimestamp(began / 1000, UTC).strftime("%Y/%m/%d") if began else ""
    head = [f"012 {_ascii(state.plan.name)}", f"042 {date}", f"062 {len(numbers)}", f"092 {_system(state)}"]
    rows = []
    for entrant in sorted(entrants, key=lambda each: numbers[each.number]):
        line = places[entrant.number]
        by_round = {each.number: each for each in entrant.rounds}
        games = "".join(
            f"  {_game(by_round.get(number), numbers)}" for number in range(1, len(state.published) + 1)
        )
        points = f"{float(_played(entrant)):4.1f}"
        rows.append(
            f"001 {numbers[entrant.number]:4d}      {_ascii(names[entrant.number])[:33]:33} "
            f"{min(entrant.rating, 9999):4d} {'':26} {points} {line.place:4d}{games}"
        )
    return "\n".join([*head, *rows, f"XXR {state.rounds or state.plan.rounds}"]) + "\n"


def _system(state: TournamentState) -> str:
    return REPORTED[state.plan.format]


def _played(entrant: Entrant) -> Fraction:
    """Points as a report counts them: 1, ½, 0 for each mark."""
    worth = {"1": 2, "+": 2, "U": 2, "=": 1, "H": 1}
    return Fraction(sum(worth.get(each.mark, 0) for each in entrant.rounds), 2)


def _game(played: Round | None, numbers: Mapping[int, int]) -> str:
    if played is None or not played.mark:
        return "0000 - Z" if played is None or not played.opponents else " " * 8
    if not played.opponents:
        return f"0000 - {played.mark}"
    return f"{numbers[played.opponents[0]]:4d} {'wb'[played.role - 1]} {played.mark}"


def _ascii(text: str) -> str:
    """A report has no accents."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return " ".join(plain.split())


def spreadsheet(
    lines: Sequence[Line], names: Mapping[int, str], rounds: int, columns: Sequence[str] = ()
) -> str:
    """The standings as French spreadsheets want them: semicolons between fields, a comma in decimals.

    Rounds are called R1, R2, … where nothing else is said.
    """
    page = io.StringIO()
    writer = csv.writer(page, delimiter=";", lineterminator="\r\n")
    ties = [tie.name for tie in lines[0].ties] if lines else []
    titles = [_harmless(each) for each in columns] or [f"R{number}" for number in range(1, rounds + 1)]
    writer.writerow(["place", "nom", "points", *titles, *ties])
    for line in lines:
        by_round = {each.number: each.points for each in line.rounds}
        played = [_decimal(by_round[number]) if number in by_round else "" for number in range(1, rounds + 1)]
        safe = _harmless(names[line.entrant])
        writer.writerow(
            [line.place, safe, _decimal(line.points), *played, *(_decimal(tie.value[0]) for tie in line.ties)]
        )
    return BOM + page.getvalue()


def _harmless(text: str) -> str:
    """What no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _decimal(points: Fraction) -> str:
    if points.denominator == 1:
        return str(points.numerator)
    return f"{float(points):.2f}".rstrip("0").replace(".", ",")


def facts(
    number: int,
    state: TournamentState,
    entrants: Sequence[Entrant],
    lines: Sequence[Line],
    counting: Counting,
    names: Mapping[int, str],
) -> bytes:
    """All that everybody may know: whoever likes can reckon the standings again. Points are fractions."""
    form: dict[str, Any] = {
        "tournament": number,
        "plan": public(msgspec.to_builtins(state.plan)),
        "status": state.status,
        "rounds": len(state.published),
        "ties": list(counting.ties),
        "draw": str(counting.draw),
        "best": counting.best,
        "weights": {str(each): str(weight) for each, weight in counting.weights.items()},
        **_reckoned(entrants, lines, names),
    }
    return msgspec.json.encode(form)


def championship_facts(
    number: int,
    state: ChampionshipState,
    played: Sequence[Played],
    entrants: Sequence[Entrant],
    lines: Sequence[Line],
    counting: Counting,
    names: Mapping[int, str],
) -> bytes:
    """The same of a championship: its rounds are the tournaments that are over."""
    form = {
        "championship": number,
        "plan": msgspec.to_builtins(state.plan),
        "status": state.status,
        "tournaments": [each.tournament for each in played],
        "rounds": len(played),
        "ties": list(counting.ties),
        "best": counting.best,
        "weights": {str(each): str(weight) for each, weight in counting.weights.items()},
        **_reckoned(entrants, lines, names),
    }
    return msgspec.json.encode(form)


def _reckoned(entrants: Sequence[Entrant], lines: Sequence[Line], names: Mapping[int, str]) -> dict[str, Any]:
    """What somebody needs to reckon standings, and what came out."""
    return {
        "entrants": [
            {
                "number": entrant.number,
                "name": names[entrant.number],
                "rating": entrant.rating,
                "team": entrant.team,
                "penalties": [str(amount) for _, amount in entrant.penalties],
                "rounds": [
                    {
                        **each._asdict(),
                        "points": None if each.points is None else str(each.points),
                        "terms": [{"term": part.name, "points": str(part.points)} for part in each.terms],
                    }
                    for each in entrant.rounds
                ],
            }
            for entrant in entrants
        ],
        "standings": [
            {"place": line.place, "number": line.entrant, "points": str(line.points)} for line in lines
        ],
    }
