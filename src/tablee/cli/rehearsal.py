"""A tournament in a real house that lasts only for it: members, tables, and robots that play for them."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from tablee.clock import HandClock
from tablee.club import Club
from tablee.rules.contract import Robot, Rules
from tablee.store import open_store
from tablee.tables import Tables
from tablee.tables.chair import Chair
from tablee.tournaments.boards import is_closed, standing
from tablee.tournaments.errors import TournamentError
from tablee.tournaments.office import Tournaments
from tablee.tournaments.plan import Plan
from tablee.tournaments.simulating import Course, Crowd, Unplayable, course_of, strengths_of

STEPS_MOST = 50_000
"""Actions, or moments in which nobody acts, after which a game is given up."""
BEGINNING = 1_700_000_000_000
ORGANISER, PASSWORD = "Organisateur", "une répétition"

Choose = Callable[[int, Any, Any, Random], Any]
"""What an account does, from the view and the legal actions of its seat; None to wait."""


async def rehearsed(
    plan: Plan, games: Mapping[tuple[str, str], Rules[Any]], crowd: Crowd, seed: int
) -> Course:
    """One tournament from its first round to its last; the strong have the strong robots of the game.

    Raises Unplayable.
    """
    rules = games[plan.game, plan.variant]
    if plan.in_room or plan.robots:
        raise Unplayable("Robots play for members at tables: a plan in the room, or with robots, is no use.")
    if not rules.robots:
        raise Unplayable("This game has no robots.")
    rng = Random(seed)
    strengths = strengths_of(crowd, rng)
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(f"sqlite:///{Path(folder) / 'house.db'}")
        clock = HandClock(BEGINNING)
        club = Club(store, clock)
        tables = Tables(store, club, clock, Random(seed), dict(games))
        await tables.start()
        try:
            office = Tournaments(tables)
            number, accounts = await _begun(office, club, replace(plan, seed=seed), strengths)
            choose = _by_strength(list(rules.robots.values()), accounts)
            await _played(office, tables, clock, number, (accounts, crowd.away, choose, rng))
            return course_of(await office.state(number), rules, await office.boards(number), accounts)
        finally:
            await tables.stop()
            club.close()
            await store.close()


async def _begun(
    office: Tournaments, club: Club, plan: Plan, strengths: Mapping[int, float]
) -> tuple[int, dict[int, float]]:
    """Its number, and how strong each account in it is."""
    organiser = await club.accounts.create(ORGANISER, PASSWORD, counted=False)
    number = await office.create(organiser, plan)
    await office.announce(organiser, number)
    accounts: dict[int, float] = {}
    for each, strength in strengths.items():
        member = await club.accounts.create(f"Membre{each}", PASSWORD, counted=False)
        await office.enter(member, number)
        accounts[member.id] = strength
    await office.begin(organiser, number)
    return number, accounts


async def _played(
    office: Tournaments,
    tables: Tables,
    clock: HandClock,
    number: int,
    how: tuple[Mapping[int, float], float, Choose, Random],
) -> None:
    accounts, away, choose, rng = how
    organiser = await tables.club.accounts.by_id((await office.state(number)).organisers[0])
    state = await office.state(number)
    for each in range(1, state.rounds + 1):
        if state.plan.format in ("swiss", "boards"):
            for account in accounts:
                if rng.random() < away:
                    await office.go_away(organiser, number, each, account)
        try:
            drafted = await office.pair(organiser, number)
        except TournamentError as error:
            raise Unplayable(f"Round {each}: {error}") from None
        await office.publish(organiser, number, drafted.draft_version)
        await play_round(office, tables, clock, number, choose, rng)
    await office.end(organiser, number)


async def play_round(
    office: Tournaments, tables: Tables, clock: HandClock, tournament: int, choose: Choose, rng: Random
) -> None:
    """Play every table of the last round, and those that follow on them, to the end."""
    while True:
        state = await office.state(tournament)
        boards = await office.boards(tournament)
        if is_closed(state, boards):
            return
        await office.matches.play_on(tournament)
        for board in standing(state, boards):
            if board.result is None and board.table_id is not None:
                await play_out(tables, clock, board.table_id, board.seats, choose, rng)


async def play_out(
    tables: Tables, clock: HandClock, table_id: int, accounts: Sequence[int], choose: Choose, rng: Random
) -> None:
    """Play one table to its end, each seat from its own chair; where all wait, time passes."""
    for step in range(STEPS_MOST):
        loaded = await tables.open(table_id)
        if loaded.is_over or loaded.state is None:
            return
        if await _acted(tables, table_id, accounts, choose, rng, step):
            continue
        alarms = loaded.rules.alarms(loaded.state)
        due = min(alarms.values(), default=clock.now() + 1_000)
        await clock.advance(max(due - clock.now(), 0) + 1)
        await asyncio.sleep(0)
    raise Unplayable(f"A game of robots did not end within {STEPS_MOST} actions.")


async def _acted(
    tables: Tables, table_id: int, accounts: Sequence[int], choose: Choose, rng: Random, step: int
) -> bool:
    """Whether somebody whom the game waits for has done something."""
    loaded = await tables.open(table_id)
    for seat in sorted(loaded.rules.waiting(loaded.state)):
        if 1 <= seat <= len(accounts) and accounts[seat - 1]:
            account = accounts[seat - 1]
            chair = Chair(tables, loaded, seat, account)
            action = choose(account, chair.view(), chair.legal(), rng)
            if action is not None:
                await chair.play(action, f"rehearsal:{step}:{seat}")
                return True
    return False


def _by_strength(robots: Sequence[Robot], accounts: Mapping[int, float]) -> Choose:
    """The robots of a game, the strong ones for the strong."""
    order = sorted(accounts, key=lambda account: accounts[account])
    ranks = {account: index * len(robots) // len(order) for index, account in enumerate(order)}

    def choose(account: int, view: Any, legal: Any, rng: Random) -> Any:
        return robots[ranks[account]].choose(view, legal, rng)

    return choose
