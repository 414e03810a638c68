"""Tables in two states that a seat cannot tell apart, each kept in a database of its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.kit.pawnhub import PASSWORD
from tests.kit.playing import play
from tests.kit.rooms import Rooms

from tablee.rules.conformance.breach import encoded
from tablee.rules.conformance.secrecy import told_to
from tablee.rules.contract import SPECTATOR, Action, Illegal, Rules, Seat
from tablee.store import Unit, keep_snapshot, open_store
from tablee.tables import TablePlan
from tablee.tables.codec import Counts
from tablee.tables.terms import PLAIN, Terms

Json = Any
MOST_EVENTS = 60


class Case(NamedTuple):
    """A game at a door, observed from a seat."""

    door: str
    rules: Rules[Any]
    seat: Seat
    options: Json
    least: int
    """Events that are played before the twin is made."""
    terms: Terms = PLAIN
    time_control: Json = None

    def __str__(self) -> str:
        return f"{self.door}-{self.rules.name}-{self.rules.variant}-{self.seat}"


class Twins(NamedTuple):
    """A table in two states that look the same from a seat, and what another seat can do in both."""

    table: int
    seat: Seat
    name: str
    account: int
    """Who sits in the observed seat; 0 looks on from outside."""
    states: tuple[Any, Any]
    actor: Seat
    action: Action


async def played(house: Rooms, case: Case) -> Twins:
    """A game with people in all seats, played at random until it has a twin in which another seat can act."""
    rules, rng = case.rules, Random(5)
    tables, accounts = house.tables, house.club.accounts
    host = await accounts.create("Gens0", PASSWORD)
    info = await tables.creating.create(TablePlan(
        rules.name, rules.variant, case.options, host.id, door=case.door, name="Partie_1",
        people=(), terms=case.terms, time_control=case.time_control,
    ))  # fmt: skip
    seats = range(1, info.seats_most + 1)
    people = [await accounts.create(f"Gens{seat}", PASSWORD) for seat in seats]
    for seat, person in zip(seats, people, strict=True):
        await tables.sitting.join(info.id, person.id, seat=seat)
    if (await tables.info(info.id)).status == "open":
        await tables.creating.start(info.id, host.id)
    live = await tables.open(info.id)
    for count in range(MOST_EVENTS):
        found = another(rules, live.state, seats, case.seat, rng) if count >= case.least else None
        if found is not None:
            account = 0 if case.seat == SPECTATOR else people[case.seat - 1].id
            return Twins(info.id, case.seat, f"Gens{case.seat}", account, (live.state, found[0]), *found[1:])
        seat = rng.choice(sorted(live.waiting() - ({case.seat} if rng.random() < 0.5 else set())) or [1])
        action = live.legal(seat).sample(rng)
        if action is not None:
            await play(tables, info.id, seat, action)
    raise AssertionError(f"no twin was found for {case}")


def another(
    rules: Rules[Any], state: Any, seats: range, seat: Seat, rng: Random
) -> tuple[Any, Seat, Action] | None:
    """A twin, with an action of another seat that shows this one no difference; None where there is none.

    An action of which the seat hears is better than one of which it hears nothing.
    """
    silent: tuple[Any, Seat, Action] | None = None
    for _ in range(10):
        twin = rules.shuffle_hidden(state, seat, rng)
        if encoded(twin) == encoded(state):
            continue
        for actor in [each for each in seats if each != seat] * 10:
            action = rules.legal(state, actor).sample(rng)
            if action is None:
                continue
            one, other = (after(rules, each, actor, action, seat) for each in (state, twin))
            if one is not None and other is not None and encoded(one) == encoded(other):
                if one[0]:
                    return twin, actor, action
                silent = twin, actor, action
    return silent


def after(rules: Rules[Any], state: Any, actor: Seat, action: Action, seat: Seat) -> tuple[Any, Any] | None:
    """What a seat hears of an action and sees after it; None for one that cannot be, or ends the game."""
    try:
        told, then = told_to(rules, state, rules.decide(state, actor, action, 0, Random(1)), seat)
    except Illegal:
        return None
    return None if rules.result(then) is not None else (told, rules.view(then, seat))


async def keep(house: Rooms, case: Case, twins: Twins, folder: Path) -> None:
    """Close the house and copy its database twice: with the state as it is, and with the twin."""
    live = await house.tables.open(twins.table)
    counts = Counts(seats={seat: live.version(seat) for seat in range(SPECTATOR, 10)})
    writes = [
        keep_snapshot(
            twins.table, live.seq, case.rules.version,
            live.codec.encode_snapshot(state, live.clocks, counts, live.at),
        )
        for state in twins.states
    ]  # fmt: skip
    await house.close()
    for name, write in zip(("one", "other"), writes, strict=True):
        copy = shutil.copyfile(folder / "first.sqlite", folder / f"{name}.sqlite")
        store = await open_store(copy)
        await store.commit(Unit(writes=[write]))
        await store.close()
