"""The checks of a game as a film: what is said of a step, and that it can be played on from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from tablee.rules.conformance.breach import breach, encoded
from tablee.rules.conformance.words import demand
from tablee.rules.contract import SPECTATOR, Fact, Instant, Join, Rules, Seat, View
from tablee.rules.words import LANGUAGES

SAID_MOST = 60
"""Characters of a mark, or of what stands out."""


def check_beat(rules: Rules[Any], told: Sequence[Fact], view: View) -> None:
    """A step is told in few words, and what is counted has a name. Raises Breach."""
    for language in LANGUAGES:
        beat = rules.beat(told, lambda: view, language)
        if max(len(beat.mark), len(beat.accent)) > SAID_MOST:
            breach("a film is told in few words", f"{beat} says too much for a mark.")
        if beat.figures is not None:
            demand(rules, "figure")


def check_resumption(
    rules: Rules[Any],
    options: Any,
    facts: Sequence[Fact],
    names: Mapping[Seat, str],
    state: Any,
    at: Instant,
    rng: Random,
) -> None:
    """The game goes on from here by facts of its own, and its players may go on. Raises Breach."""
    people = {seat: Join(name, robot=seat % 2 == 0) for seat, name in sorted(names.items())}
    resumption = rules.resumed(options, facts, people, at)
    again = msgspec.json.decode(encoded(resumption.facts), type=list[rules.fact_type])  # type: ignore[name-defined]
    gone_on: Any = None
    for fact in again:
        gone_on = rules.evolve(gone_on, fact)
    rules.view(gone_on, SPECTATOR)
    rules.seats(resumption.options)
    if rules.result(gone_on) is not None:
        breach("a game goes on", "played on from a step at which it was not over, it is over.")
    # The other way round is no fault: where all were away, it goes on with people who are there.
    if rules.waiting(state) and not rules.waiting(gone_on):
        breach("a game goes on", "played on from here, it waits for nobody.")
    for seat in rules.waiting(gone_on):
        legal = rules.legal(gone_on, seat)
        action = legal.sample(rng)
        if action is None or not legal.allows(action):
            breach("a game goes on", f"seat {seat} is waited for and may do nothing.")
    if any(due <= at for due in rules.alarms(gone_on).values()):
        breach("a game goes on without haste", "something is due at once.")
