"""The state of a table of mines after a fact: no chance, no clock, no decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tablee.rules.contract import Fact, Instant, Seat
from tablee.rules.mines.board import LETTERS, numbered
from tablee.rules.mines.decision import moved_truth
from tablee.rules.mines.model import (
    ABANDON_AFTER,
    Abandoned,
    CameBack,
    ClockMoved,
    FellAsleep,
    Finished,
    Flagged,
    Joined,
    Laid,
    Left,
    MineMoved,
    MinesState,
    Missed,
    Opened,
    Player,
    Returned,
    Stirred,
    Unflagged,
    WentAway,
    seat_letter,
)


def evolve(state: MinesState | None, fact: Fact) -> MinesState:
    """The state after a fact; before the first there is none."""
    if isinstance(fact, Laid):
        return _laid(fact)
    assert state is not None, "the first fact of a table of mines is that they are laid"
    return _EVOLUTIONS[type(fact)](state, fact)


def _laid(fact: Laid) -> MinesState:
    squares = fact.width * fact.height
    return MinesState(
        width=fact.width,
        height=fact.height,
        mines=len(fact.mines),
        seats=fact.seats,
        chording=fact.chording,
        flags=fact.flags,
        start=fact.start,
        truth=numbered(fact.width, fact.height, fact.mines),
        shown=b"X" * squares,
        openers=b"." * squares,
        opened=0,
        safe_left=squares - len(fact.mines),
        players=(),
        active=0,
        idle_since=fact.at,
    )


def _opened(state: MinesState, fact: Opened) -> MinesState:
    width = state.width
    shown, openers = bytearray(state.shown), bytearray(state.openers)
    opener = seat_letter(fact.seat)
    gained = mines = 0
    for x, y, content, points in fact.squares:
        square = y * width + x
        shown[square] = LETTERS[content]
        openers[square] = opener
        gained += points
        if content < 0:
            mines += 1
    opened = len(fact.squares)
    safe = opened - mines
    players = tuple(
        [
            Player(
                p.seat,
                p.name,
                p.total_before,
                max(p.clicked_at, fact.at),
                p.points + gained,
                p.safe + safe,
                p.mines + mines,
                p.present,
                p.afk,
                p.robot,
                p.flags,
            )
            if p.seat == fact.seat
            else p
            for p in state.players
        ]
    )
    if state.flags and any(p.flags for p in players):
        gone = {y * width + x for x, y, _, _ in fact.squares}
        players = tuple(
            p if gone.isdisjoint(p.flags) else replace(p, flags=tuple(f for f in p.flags if f not in gone))
            for p in players
        )
    return replace(
        state,
        shown=bytes(shown),
        openers=bytes(openers),
        opened=state.opened + opened,
        safe_left=state.safe_left - safe,
        players=players,
        begun_at=state.begun_at if state.opened else fact.at,
    )


def _mine_moved(state: MinesState, fact: MineMoved) -> MinesState:
    return replace(state, truth=moved_truth(state, fact))


def _missed(state: MinesState, fact: Missed | Stirred) -> MinesState:
    return _with_player(state, fact.seat, clicked_at=fact.at)


def _flagged(state: MinesState, fact: Flagged) -> MinesState:
    return _with_flags(state, fact.seat, fact.at, lambda flags: flags | {fact.y * state.width + fact.x})


def _unflagged(state: MinesState, fact: Unflagged) -> MinesState:
    return _with_flags(state, fact.seat, fact.at, lambda flags: flags - {fact.y * state.width + fact.x})


def _with_flags(
    state: MinesState, seat: Seat, at: Instant, change: Callable[[set[int]], set[int]]
) -> MinesState:
    player = state.player(seat)
    assert player is not None, "only players have flags"
    flags = tuple(sorted(change(set(player.flags))))
    return _with_player(state, seat, clicked_at=max(player.clicked_at, at), flags=flags)


def _joined(state: MinesState, fact: Joined) -> MinesState:
    player = Player(fact.seat, fact.name, fact.total, fact.at, robot=fact.robot)
    return _counted(replace(state, players=(*state.players, player)), fact.at)


def _went_away(state: MinesState, fact: WentAway | Left) -> MinesState:
    return _counted(_with_player(state, fact.seat, present=False, afk=False), fact.at)


def _came_back(state: MinesState, fact: CameBack) -> MinesState:
    return _counted(_with_player(state, fact.seat, present=True, afk=False, clicked_at=fact.at), fact.at)


def _fell_asleep(state: MinesState, fact: FellAsleep) -> MinesState:
    return _counted(_with_player(state, fact.seat, afk=True), fact.at)


def _returned(state: MinesState, fact: Returned) -> MinesState:
    return _counted(_with_player(state, fact.seat, afk=False, clicked_at=fact.at), fact.at)


def _clock_moved(state: MinesState, fact: ClockMoved) -> MinesState:
    def moved(instant: Instant | None) -> Instant | None:
        return None if instant is None else instant + fact.milliseconds

    players = tuple(replace(p, clicked_at=p.clicked_at + fact.milliseconds) for p in state.players)
    return replace(state, players=players, idle_since=moved(state.idle_since), begun_at=moved(state.begun_at))


def _finished(state: MinesState, fact: Finished) -> MinesState:
    # The fact has no time of its own: it follows from the last click at once.
    ended_at = max(player.clicked_at for player in state.players)
    state = _with_scores(state, fact.scores)
    return replace(state, ended="cleared", ended_at=ended_at, best=fact.best, worst=fact.worst)


def _abandoned(state: MinesState, fact: Abandoned) -> MinesState:
    assert state.idle_since is not None, "a match is abandoned where nobody is active"
    ended_at = state.idle_since + ABANDON_AFTER
    return replace(_with_scores(state, fact.scores), ended="abandoned", ended_at=ended_at)


def _with_scores(state: MinesState, scores: dict[Seat, int]) -> MinesState:
    return replace(state, players=tuple(replace(p, points=scores[p.seat]) for p in state.players))


def _with_player(state: MinesState, seat: Seat, **changes: Any) -> MinesState:
    players = tuple(replace(p, **changes) if p.seat == seat else p for p in state.players)
    return replace(state, players=players)


def _counted(state: MinesState, at: Instant) -> MinesState:
    """The number of active players put right, and since when there is none."""
    active = sum(player.active for player in state.players)
    if active:
        return replace(state, active=active, idle_since=None)
    return replace(state, active=0, idle_since=at if state.idle_since is None else state.idle_since)


_EVOLUTIONS: dict[type[Fact], Callable[[MinesState, Any], MinesState]] = {
    MineMoved: _mine_moved,
    Opened: _opened,
    Missed: _missed,
    Stirred: _missed,
    Flagged: _flagged,
    Unflagged: _unflagged,
    Joined: _joined,
    WentAway: _went_away,
    Left: _went_away,
    CameBack: _came_back,
    FellAsleep: _fell_asleep,
    Returned: _returned,
    ClockMoved: _clock_moved,
    Finished: _finished,
    Abandoned: _abandoned,
}
