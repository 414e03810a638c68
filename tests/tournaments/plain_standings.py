"""Standings reckoned a second time, plainly, from nothing but JSON: decimals, loops, no code of the house.

Scores are read as fractions of the strings in the JSON. It knows tournaments for two with a win, a draw and
a loss, and boards of several.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any


def places(text: str) -> dict[int, int]:
    """The place of each entrant, from JSON: `entrants`, `ties`, `rounds`, `draw`, `best`, `weights`."""
    form = json.loads(text)
    people = {each["number"]: each for each in form["entrants"]}
    draw = Fraction(form.get("draw", "1/2"))
    total: dict[int, Fraction] = {}
    lists: dict[int, list[Fraction]] = {}
    for number, each in people.items():
        rounds = each["rounds"]
        known = [Fraction(r["points"]) for r in rounds if r["points"] is not None]
        mean = sum(known, Fraction(0)) / len(known) if known else Fraction(0)
        worth = []
        for r in rounds:
            if r["points"] is not None:
                worth.append((Fraction(r["points"]), r["number"]))
            elif r["mark"] == "B":
                worth.append((mean, r["number"]))
        weights = {int(k): Fraction(v) for k, v in form.get("weights", {}).items()}
        values = [points * weights.get(number_of, 1) for points, number_of in worth]
        values.sort(reverse=True)
        if form.get("best"):
            values = values[: form["best"]]
        lists[number] = sorted((points for points, _ in worth), reverse=True)
        total[number] = sum(values, Fraction(0)) - sum(map(Fraction, each.get("penalties", [])), Fraction(0))

    def seen_by_others(number: int) -> Fraction:
        value = total[number]
        by = {r["number"]: r for r in people[number]["rounds"]}
        at = form["rounds"]
        while at >= 1 and (at not in by or by[at]["mark"] in ("H", "Z", "-")):
            value += draw
            if at in by:
                value -= Fraction(by[at]["points"])
            at -= 1
        return value

    def parts(number: int) -> list[tuple[Fraction, bool, Fraction]]:
        found = []
        for r in people[number]["rounds"]:
            mark = r["mark"]
            if mark not in ("1", "=", "0", "+", "-", "U", "F", "H", "Z"):
                continue
            if mark in ("1", "=", "0"):
                value = seen_by_others(r["opponents"][0])
            elif r["opponents"]:
                value = min(total[number], seen_by_others(r["opponents"][0]))
            else:
                value = min(total[number], draw * form["rounds"])
            share = "1" if mark in ("1", "+", "U", "F") else "1/2" if mark in ("=", "H") else "0"
            found.append((value, mark in ("H", "Z", "-"), Fraction(share)))
        return found

    def value_of(tie: str, number: int) -> Any:
        rounds = people[number]["rounds"]
        if tie == "buchholz":
            return sum(value for value, _, _ in parts(number))
        if tie == "buchholz_cut1":
            found = parts(number)
            if not found:
                return 0
            absent = [value for value, is_absent, _ in found if is_absent]
            return sum(value for value, _, _ in found) - min(absent or [value for value, _, _ in found])
        if tie == "sonneborn":
            return sum(value * share for value, _, share in parts(number))
        if tie == "wins":
            return sum(r["mark"] == "1" for r in rounds)
        if tie == "performance":
            games = [r for r in rounds if r["mark"] in ("1", "=", "0")]
            if not games:
                return 0
            ahead = sum({"1": 1, "=": 0, "0": -1}[r["mark"]] for r in games)
            return Fraction(sum(people[r["opponents"][0]]["rating"] for r in games) + 400 * ahead, len(games))
        if tie == "best":
            return lists[number] + [Fraction(0)] * (form["rounds"] - len(lists[number]))
        key = {"solos": "is_solo", "tops": "is_top", "centres": "own"}.get(tie)
        if key:
            return sum(int(r[key]) for r in rounds if r["board"])
        assert tie == "firsts"
        return sum(r["rank"] == 1 for r in rounds if r["board"])

    def split(group: list[int], ties: list[str]) -> list[list[int]]:
        if len(group) == 1 or not ties:
            return [group]
        if ties[0] == "direct":
            values: dict[int, Any] = {}
            met_all = True
            for number in group:
                games = [r for r in people[number]["rounds"] if r["opponents"] and r["opponents"][0] in group]
                games = [r for r in games if r["points"] is not None]
                values[number] = sum(Fraction(r["points"]) for r in games)
                met_all = met_all and {r["opponents"][0] for r in games} >= set(group) - {number}
            if not met_all:
                return split(group, ties[1:])
        else:
            values = {number: value_of(ties[0], number) for number in group}
        answer = []
        left = list(group)
        while left:
            best = max(values[number] for number in left)
            equal = [number for number in left if values[number] == best]
            answer += split(equal, ties[1:])
            left = [number for number in left if number not in equal]
        return answer

    found: dict[int, int] = {}
    left = list(people)
    while left:
        best = max(total[number] for number in left)
        group = [number for number in left if total[number] == best]
        for equal in split(group, form["ties"]):
            place = len(found) + 1
            for number in equal:
                found[number] = place
        left = [number for number in left if number not in group]
    return found
