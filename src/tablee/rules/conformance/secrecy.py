"""The check that nobody is shown what he may not know.

The game's own `shuffle_hidden` gives, for a state and a seat, another state that the seat cannot tell apart
(a twin). Whatever leaves the rules for that seat must then be the same bytes for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from tablee.rules.conformance.breach import breach, encoded
from tablee.rules.contract import Action, Fact, Illegal, Instant, Rules, Seat
from tablee.rules.words import LANGUAGES


class Attempt(NamedTuple):
    """An action as it was played: everything `decide` was given, but for the state."""

    seat: Seat
    action: Action
    at: Instant
    seed: int


def told_to(rules: Rules[Any], before: Any, facts: Sequence[Fact], seat: Seat) -> tuple[list[Fact], Any]:
    """What a seat is told of these facts, and the state after them."""
    told: list[Fact] = []
    for fact in facts:
        after = rules.evolve(before, fact)
        heard = rules.tell(before, fact, after, seat)
        if heard is not None:
            told.append(heard)
        before = after
    return told, before


def check_twin(rules: Rules[Any], state: Any, twin: Any, seat: Seat, seed: int) -> None:
    """View, legal actions, turn and result are the same bytes for both states. Raises Breach."""
    if _seen(rules.view(state, seat)) != _seen(rules.view(twin, seat)):
        breach(
            "leak in view", f"seat {seat} sees a difference between two states that it may not tell apart."
        )
    for language in LANGUAGES:
        at_a_glance, mirrored_glance = (
            rules.glance(rules.view(each, seat), language) for each in (state, twin)
        )
        if encoded(at_a_glance) != encoded(mirrored_glance):
            breach("leak in glance", f"{at_a_glance} shows seat {seat} what it may not know.")
    if rules.picture(rules.view(state, seat)) != rules.picture(rules.view(twin, seat)):
        breach("leak in the picture", f"the picture shows seat {seat} what it may not know.")
    legal, other = rules.legal(state, seat), rules.legal(twin, seat)
    if encoded(legal.describe()) != encoded(other.describe()):
        breach("leak in legal", f"the legal actions of seat {seat} describe what it may not know.")
    sample, mirrored = legal.sample(Random(seed)), other.sample(Random(seed))
    if sample != mirrored:
        breach("leak in legal", f"seat {seat} may choose {sample} or {mirrored}, by what it may not know.")
    if sample is not None and not other.allows(sample):
        breach("leak in legal", f"whether seat {seat} may {sample} depends on what it may not know.")
    if rules.waiting(state) != rules.waiting(twin) or rules.result(state) != rules.result(twin):
        breach("leak in turn", f"whose turn it is, or the result, shows seat {seat} what it may not know.")


def check_news(rules: Rules[Any], told: Sequence[Fact], view: Any, seat: Seat) -> list[list[str]]:
    """What letters say of an event to a seat, in each language: whole sentences. Raises Breach."""
    found = []
    for language in LANGUAGES:
        try:
            said = rules.news(told, view, {1: "Ada", 2: "Bob"}, language)
        except Exception as problem:
            breach("letters", f"of {told} a letter to seat {seat} cannot say anything: {problem!r}.")
        if not all(isinstance(line, str) and line.strip() for line in said):
            breach("letters", f"of {told} a letter to seat {seat} says {said!r}.")
        found.append(said)
    return found


def check_event(
    rules: Rules[Any], before: Any, twin: Any, attempt: Attempt, facts: Sequence[Fact] | Illegal, seat: Seat
) -> None:
    """An event says the same of two states that a seat cannot tell apart, unless it shows the difference.

    The event that ends a game may lay everything open: what stays hidden then is for `check_twin` to find.
    Raises Breach.
    """
    try:
        mirrored = rules.decide(twin, attempt.seat, attempt.action, attempt.at, Random(attempt.seed))
    except Illegal as refusal:
        if seat == attempt.seat and (not isinstance(facts, Illegal) or _said(facts) != _said(refusal)):
            breach("leak in refusal", f"“{refusal}” shows seat {seat} what it may not know.")
        return
    if isinstance(facts, Illegal):
        if seat == attempt.seat:
            breach("leak in refusal", f"“{facts}” shows seat {seat} what it may not know.")
        return
    told, after = told_to(rules, before, facts, seat)
    # Why: docs/decisions.md#the-end-may-show-what-was-hidden
    if rules.result(after) is not None:
        return
    for fact in facts:
        heard = encoded(rules.tell(before, fact, rules.evolve(before, fact), seat))
        if heard != encoded(rules.tell(twin, fact, rules.evolve(twin, fact), seat)):
            breach("leak in tell", f"of one and the same {fact} seat {seat} hears what it may not know.")
        break  # the facts that follow were decided for this state, not for its twin
    twin_told, twin_after = told_to(rules, twin, mirrored, seat)
    if rules.result(twin_after) is None:
        _check_moment(rules, before, (told, after), (twin_told, twin_after), seat)
    same_view = _seen(rules.view(after, seat)) == _seen(rules.view(twin_after, seat))
    same_told = encoded(told) == encoded(twin_told)
    if same_view and not same_told:
        breach(
            "leak in tell", f"seat {seat} hears {told} or {twin_told}, but its view is the same after both."
        )
    if same_told and not same_view:
        breach(
            "leak in view", f"seat {seat} hears {told}, and by what it may not know its view differs then."
        )
    if same_told and told:
        said = check_news(rules, told, rules.view(after, seat), seat)
        mirrored_said = check_news(rules, twin_told, rules.view(twin_after, seat), seat)
        if said != mirrored_said:
            breach("leak in letters", f"seat {seat} reads {said} or {mirrored_said}, and may not know which.")
        beats = [
            rules.beat(heard, partial(rules.view, state, seat), LANGUAGES[0])
            for heard, state in ((told, after), (twin_told, twin_after))
        ]
        if beats[0] != beats[1]:
            breach("leak in the film", f"seat {seat} sees {beats[0]} or {beats[1]}, and may not know which.")


def _check_moment(
    rules: Rules[Any], before: Any, one: tuple[list[Fact], Any], other: tuple[list[Fact], Any], seat: Seat
) -> None:
    """What leaves a seat's view as it was is told in both states or in neither: its moment tells too.

    Where the view changes, the event itself shows the difference, as the orders that complete a phase do.
    """
    if bool(one[0]) != bool(other[0]):
        told, after = one if one[0] else other
        if _seen(rules.view(after, seat)) == _seen(rules.view(before, seat)):
            breach("leak in moment", f"seat {seat} hears {told} or nothing, by what it may not know.")


def _seen(view: Any) -> bytes:
    """A view with what it says to doors besides its JSON."""
    return encoded([view, getattr(view, "unwritten", None)])


def _said(refusal: Illegal) -> tuple[str, bytes]:
    return refusal.code, encoded(refusal.parts)
