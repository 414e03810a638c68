"""What the database itself says, read without the house's own code, and compared with what players saw."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import asyncpg
from tests.faults.miners import Seen, Square


@dataclass
class Match:
    """One match as its log tells it."""

    order: list[Square] = field(default_factory=list)
    squares: dict[Square, tuple[int, int, str]] = field(default_factory=dict)
    points: Counter[str] = field(default_factory=Counter)
    bonus: Counter[str] = field(default_factory=Counter)
    scores: dict[str, int] | None = None
    faults: list[str] = field(default_factory=list)


def read(url: str, sql: str) -> Sequence[Sequence[Any]]:
    """The rows of a statement, from SQLite or PostgreSQL."""
    if url.startswith("sqlite:///"):
        with sqlite3.connect(f"file:{url.removeprefix('sqlite:///')}?mode=ro", uri=True) as connection:
            return connection.execute(sql).fetchall()

    async def fetch() -> Sequence[Sequence[Any]]:
        connection = await asyncpg.connect(url)
        try:
            return [tuple(row) for row in await connection.fetch(sql)]
        finally:
            await connection.close()

    return asyncio.run(fetch())


def matches(url: str) -> dict[str, Match]:
    """Every Minehive match by name, rebuilt from its facts alone."""
    found: dict[str, Match] = {}
    names: dict[tuple[str, int], str] = {}
    last: dict[str, int] = {}
    rows = read(
        url,
        "SELECT t.name, e.seq, e.facts FROM event e JOIN game_table t ON t.id = e.table_id "
        "WHERE t.door = 'minehive' ORDER BY e.table_id, e.seq",
    )
    for name, seq, facts in rows:
        match = found.setdefault(name, Match())
        if seq != last.get(name, 0) + 1:
            match.faults.append(f"{name}: event {seq} follows {last.get(name, 0)}")
        last[name] = seq
        for fact in json.loads(facts):
            match_fact(match, name, fact, names)
    return found


def match_fact(match: Match, name: str, fact: dict[str, Any], names: dict[tuple[str, int], str]) -> None:
    kind = fact["is"]
    if kind == "joined":
        names[name, fact["seat"]] = fact["name"]
    elif kind == "opened":
        player = names[name, fact["seat"]]
        for x, y, content, points in fact["squares"]:
            if (x, y) in match.squares:
                match.faults.append(f"{name} {x},{y} is opened twice in the log")
            match.squares[x, y] = (content, points, player)
            match.order.append((x, y))
            match.points[player] += points
    elif kind in ("finished", "abandoned"):
        match.scores = {names[name, int(seat)]: score for seat, score in fact["scores"].items()}
        for seat in fact.get("best", ()):
            match.bonus[names[name, seat]] += 50
        for seat in fact.get("worst", ()):
            match.bonus[names[name, seat]] -= 50
        if kind == "abandoned":
            for player in match.scores:
                match.bonus[player] = min(0, match.points[player]) - match.points[player]


def audit(url: str, seen: Seen) -> list[str]:
    """Every way in which the log, the standings and what the players saw contradict each other."""
    found = matches(url)
    faults = list(seen.faults)
    totals: Counter[str] = Counter()
    for name, match in found.items():
        faults += match.faults
        if match.scores is not None:
            for player, score in match.scores.items():
                totals[player] += score
                if score != match.points[player] + match.bonus[player]:
                    faults.append(f"{name}: {player} ends with {score}, clicked {match.points[player]}")
    for name, squares in seen.squares.items():
        for square, shown in squares.items():
            if found[name].squares.get(square) != shown:
                faults.append(f"{name} {square}: seen {shown}, logged {found[name].squares.get(square)}")
    for name, finals in seen.finals.items():
        for player, numbers in finals.items():
            scores = found[name].scores
            if scores is None or scores[player] != numbers[0]:
                faults.append(f"{name}: {player} was told {numbers[0]} points, the log says {scores}")
    for name, told in seen.runs:
        if told:
            order = found[name].order
            start = order.index(told[0]) if told[0] in order else 0
            if order[start : start + len(told)] != told:
                faults.append(f"{name}: a player was told squares in another order than the log's")
    standings = read(
        url,
        "SELECT a.pseudo, s.points FROM standing s JOIN account a ON a.id = s.account_id "
        "WHERE s.game = 'mines' AND s.variant = 'classic'",
    )
    kept: Counter[str] = Counter({str(pseudo): int(points) for pseudo, points in standings})
    for player in sorted({*kept, *totals}):
        if kept[player] != totals[player]:
            ends = [
                f"{name} {match.scores[player]}"
                for name, match in found.items()
                if match.scores and player in match.scores
            ]
            faults.append(f"{player} has {kept[player]} points, his matches give {totals[player]}: {ends}")
    return faults
