"""Who may do what in a tournament, and when: raised where it is not so."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tablee.club.people import Account
from tablee.rules.contract import Fact
from tablee.tournaments import acts
from tablee.tournaments.acts import TournamentState, evolve
from tablee.tournaments.errors import NoSuchTournament, NotNow, TournamentError


def organises(state: TournamentState, who: Account | None) -> bool:
    return who is not None and (who.id in state.organisers or who.is_administrator)


def must_see(state: TournamentState, who: Account | None) -> None:
    """A draft is nobody's but its organisers'; None is the house itself, which may do what is due."""
    if who is not None and state.status == "draft" and not organises(state, who):
        raise NoSuchTournament()


def must_organise(state: TournamentState, who: Account | None) -> None:
    must_see(state, who)
    if who is not None and not organises(state, who):
        raise TournamentError("not_organiser")


def must_not_own(state: TournamentState, who: Account, seats: Sequence[int]) -> None:
    """An organiser who plays leaves his own board to another, where there is one."""
    if who.id in seats and len(state.organisers) > 1 and not who.is_administrator:
        raise TournamentError("own_board")


def must_be_first(state: TournamentState, who: Account) -> None:
    if who.id != state.organisers[0] and not who.is_administrator:
        raise TournamentError("not_first_organiser")


def must_be(state: TournamentState, *wanted: str) -> None:
    if state.status not in wanted:
        raise NotNow("wrong_status", status=state.status)


def moved_up(state: TournamentState) -> list[Fact]:
    """Who waits and now has a place."""
    taken = sum(not entry.waits for entry in state.entries.values())
    free = len(state.entries) if not state.plan.limit else max(0, state.plan.limit - taken)
    return [acts.MovedUp(account) for account in state.waiting[:free]]


def after_check_in(state: TournamentState) -> list[Fact]:
    """Who has not said that he is there is out, and who waits and is there moves up into the places."""
    if state.status != "check_in":
        return []
    gone: list[Fact] = [
        acts.Left(entry.account)
        for entry in state.entries.values()
        if not entry.is_here and not entry.robot and not entry.waits
    ]
    for fact in gone:
        state = evolve(state, fact, state.seq)
    here = {account: entry for account, entry in state.entries.items() if entry.is_here or not entry.waits}
    return [*gone, *moved_up(replace(state, entries=here))]
