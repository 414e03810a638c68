"""What does it cost to tell one seat of one event: the facts, its view, the merge patch, their bytes?

A random game of each kind is played first; then a seat is told of all its events again and again. The
figures are processor time, the best of many rounds. `python -m bench.telling [--quick] [GAME…]`
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import msgspec

from tablee.rules import GAMES
from tablee.rules.contract import CLOCK, Alarm, Fact, Illegal, Join, Rules, Seat
from tablee.tables.patch import merge_patch

MOST_EVENTS = 400
GAMES_TOLD = {
    "mines": "classic",
    "chess": "classic",
    "robots": "race",
    "arena": "standard",
    "diplomacy": "standard",
}


class Event(NamedTuple):
    """The facts of one event, between the states before and after each."""

    facts: list[Fact]
    states: list[Any]


def random_game(rules: Rules[Any], seed: int) -> list[Event]:
    """A game of robots that choose blindly."""
    rng, at, state, events = Random(seed), 1_700_000_000_000, None, []

    def take(facts: list[Fact]) -> None:
        nonlocal state
        states = [state]
        for fact in facts:
            state = rules.evolve(state, fact)
            states.append(state)
        if facts:
            events.append(Event(facts, states))

    options = rules.options_type()
    room = rules.seats(options)
    take(rules.setup(options, tuple(range(1, room.least + 1)), at, rng))
    for seat in range(room.least + 1, min(room.most, 4) + 1):
        try:
            take(rules.decide(state, seat, Join(f"Joueur{seat}"), at, rng))
        except Illegal:
            break
    while rules.result(state) is None and len(events) < MOST_EVENTS:
        at += 700
        waiting = sorted(rules.waiting(state))
        seat = rng.choice(waiting) if waiting else CLOCK
        action = rules.legal(state, seat).sample(rng) if waiting else None
        if action is None:
            alarms = rules.alarms(state)
            if not alarms:
                continue  # another seat is waited for, too
            name = min(alarms, key=alarms.__getitem__)
            seat, action, at = CLOCK, Alarm(name), alarms[name]
        take(rules.decide(state, seat, action, at, rng))
    return events[1:]


class Telling:
    """A seat that is told of every event of a game, in one way or another."""

    def __init__(self, rules: Rules[Any], events: list[Event], seat: Seat) -> None:
        self.rules = rules
        self.events = events
        self.seat = seat
        self.views = [rules.view(event.states[-1], seat) for event in events]
        self.first = rules.view(events[0].states[0], seat)

    def tell(self) -> list[list[Any]]:
        tell, seat = self.rules.tell, self.seat
        return [
            [
                tell(before, fact, after, seat)
                for before, fact, after in zip(states, facts, states[1:], strict=False)
            ]
            for facts, states in self.events
        ]

    def view(self) -> list[Any]:
        view, seat = self.rules.view, self.seat
        return [view(event.states[-1], seat) for event in self.events]

    def patch(self) -> list[Any]:
        return [
            merge_patch(before, after)
            for before, after in zip([self.first, *self.views], self.views, strict=False)
        ]

    def whole(self) -> list[bytes]:
        encode, rules, seat, sent = msgspec.json.Encoder().encode, self.rules, self.seat, []
        before = self.first
        for facts, states in self.events:
            told = [
                rules.tell(earlier, fact, later, seat)
                for earlier, fact, later in zip(states, facts, states[1:], strict=False)
            ]
            after = rules.view(states[-1], seat)
            patch = merge_patch(before, after)
            sent.append(encode({"facts": told, "patch": patch}))
            before = after
        return sent


def microseconds(work: Callable[[], list[Any]], rounds: int) -> float:
    """Processor time that one event of a game takes, in the best of so many rounds."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.process_time_ns()
        done = work()
        best = min(best, (time.process_time_ns() - begun) / len(done))
    return best / 1000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.telling", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these")
    parser.add_argument("--quick", action="store_true", help="few rounds, to see that it works")
    asked = parser.parse_args()
    rounds = 3 if asked.quick else 60
    print("µs an event  events    tell    view   patch   whole   bytes")
    for name, variant in GAMES_TOLD.items():
        if asked.games and name not in asked.games:
            continue
        rules = GAMES[name, variant]
        telling = Telling(rules, random_game(rules, 1), 1)
        parts = [
            microseconds(work, rounds) for work in (telling.tell, telling.view, telling.patch, telling.whole)
        ]
        size = sum(map(len, telling.whole())) // len(telling.events)
        print(
            f"{name:12}{len(telling.events):7}", *(f"{part:7.1f}" for part in parts), f"{size:7}", flush=True
        )


if __name__ == "__main__":
    main()
