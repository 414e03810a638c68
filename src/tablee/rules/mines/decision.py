"""What follows from an action at a table of mines, or why it is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Literal, NoReturn

from tablee.rules.contract import (
    CLOCK,
    Action,
    Alarm,
    Away,
    Back,
    Fact,
    Illegal,
    Instant,
    Join,
    Leave,
    Replace,
    Seat,
    TimeGivenBack,
    Timeout,
)
from tablee.rules.mines.board import EMPTY, HIDDEN, MINE, around, numbered, opening, square_name
from tablee.rules.mines.model import (
    ABANDON_AFTER,
    AFK_AFTER,
    BONUS,
    FLAG_GRAIN,
    MINE_POINTS,
    MISS_GRAIN,
    Abandoned,
    CameBack,
    Chord,
    Click,
    ClockMoved,
    FellAsleep,
    Finished,
    Flag,
    Flagged,
    Joined,
    Left,
    MineMoved,
    MinesState,
    Missed,
    Opened,
    Player,
    Returned,
    Stirred,
    Unflag,
    Unflagged,
    WentAway,
)


def decide(state: MinesState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
    """The facts that follow from an action. Raises Illegal."""
    try:
        decision = _DECISIONS[type(action)]
    except KeyError:
        raise Illegal("unknown_action") from None
    return decision(state, seat, action, at, rng)


def alarms(state: MinesState) -> dict[str, Instant]:
    """AFK of every active player, and the end where nobody is."""
    if state.ended:
        return {}
    due = {f"afk:{player.seat}": player.clicked_at + AFK_AFTER for player in state.players if player.active}
    if state.idle_since is not None:
        due["abandon"] = state.idle_since + ABANDON_AFTER
    return due


# --- clicks ---------------------------------------------------------------------------------------------
# Whoever clicks is there: an AFK player returns first and counts in that very click, and so does one whom
# the house believed disconnected.


def _click(state: MinesState, seat: Seat, action: Click, at: Instant, rng: Random) -> list[Fact]:
    player = _playing(state, seat)
    x, y = action.x, action.y
    if not (0 <= x < state.width and 0 <= y < state.height):
        return _missed(player, "out_of_range", x, y, at)
    square = y * state.width + x
    if state.shown[square] != HIDDEN:
        return _missed(player, "late", x, y, at)
    if square in player.flags:
        _refuse_flagged(x, y)
    facts = _presence(player, at)
    truth = state.truth
    if not state.opened:
        if state.start is not None and (x, y) != state.start:
            raise Illegal("start_elsewhere", **_at(state.start[0], state.start[1]))
        if truth[square] == MINE:
            moved = _move_mine(state, square, rng)
            facts.append(moved)
            truth = moved_truth(state, moved)
    return facts + _opened(state, player, (square,), truth, at)


def _chord(state: MinesState, seat: Seat, action: Chord, at: Instant, rng: Random) -> list[Fact]:
    player = _playing(state, seat)
    if not state.chording:
        raise Illegal("no_chording")
    x, y = action.x, action.y
    width, height = state.width, state.height
    if not (0 <= x < width and 0 <= y < height):
        return _missed(player, "out_of_range", x, y, at)
    number = y * width + x
    if not EMPTY <= state.shown[number] < EMPTY + 9:
        raise Illegal("not_a_number", **_at(x, y))
    near = around(width, height)[number]
    wanted: list[int] = []
    for u, v in action.squares:
        square = v * width + u
        if not (0 <= u < width and 0 <= v < height) or square not in near:
            raise Illegal("not_touching", **_at(u, v))
        if square in player.flags:
            _refuse_flagged(u, v)
        if state.shown[square] == HIDDEN:
            wanted.append(square)
    if not wanted:
        return _missed(player, "late", x, y, at)
    return _presence(player, at) + _opened(state, player, wanted, state.truth, at)


def _opened(
    state: MinesState, player: Player, squares: Sequence[int], truth: bytes, at: Instant
) -> list[Fact]:
    width = state.width
    times = state.active if player.active else state.active + 1
    rows: list[tuple[int, int, int, int]] = []
    safe = mines = gained = 0
    for square in opening(truth, state.shown, squares, width, state.height):
        letter = truth[square]
        if letter == MINE:
            content, points = -1, MINE_POINTS * times
            mines += 1
        else:
            content = letter - EMPTY
            points = (content or 1) * times
            safe += 1
        gained += points
        rows.append((square % width, square // width, content, points))
    facts: list[Fact] = [Opened(player.seat, at, tuple(rows))]
    if safe == state.safe_left:
        facts.append(_finish(state, player.seat, gained, safe, mines))
    return facts


def _finish(state: MinesState, last: Seat, gained: int, safe: int, mines: int) -> Finished:
    """The end, with what the last click brought to `last` already counted."""
    scores = {p.seat: p.points + (gained if p.seat == last else 0) for p in state.players}
    best: tuple[Seat, ...] = ()
    worst: tuple[Seat, ...] = ()
    if len(state.players) >= 2:
        best = _most({p.seat: p.safe + (safe if p.seat == last else 0) for p in state.players})
        worst = _most({p.seat: p.mines + (mines if p.seat == last else 0) for p in state.players})
    for seat in best:
        scores[seat] += BONUS
    for seat in worst:
        scores[seat] -= BONUS
    return Finished(best, worst, scores)


def _most(counts: dict[Seat, int]) -> tuple[Seat, ...]:
    most = max(counts.values())
    return tuple(seat for seat, count in counts.items() if count == most) if most > 0 else ()


def _move_mine(state: MinesState, square: int, rng: Random) -> MineMoved:
    free = [other for other, letter in enumerate(state.truth) if letter != MINE]
    return MineMoved(square, free[rng.randrange(len(free))])


def moved_truth(state: MinesState, moved: MineMoved) -> bytes:
    """The truth of the board once a mine has gone elsewhere."""
    mines = [square for square, letter in enumerate(state.truth) if letter == MINE and square != moved.source]
    return numbered(state.width, state.height, [*mines, moved.target])


def _flag(state: MinesState, seat: Seat, action: Flag | Unflag, at: Instant, rng: Random) -> list[Fact]:
    player = _playing(state, seat)
    if not state.flags:
        raise Illegal("no_flags")
    x, y = action.x, action.y
    if not (0 <= x < state.width and 0 <= y < state.height):
        return _missed(player, "out_of_range", x, y, at)
    square = y * state.width + x
    if state.shown[square] != HIDDEN:
        return _missed(player, "late", x, y, at)
    if isinstance(action, Flag):
        if square in player.flags:
            _refuse_flagged(x, y)
        return [*_stirred(player, at), Flagged(seat, at, x, y)]
    if square not in player.flags:
        raise Illegal("not_flagged", **_at(x, y))
    return [*_stirred(player, at), Unflagged(seat, at, x, y)]


def _stirred(player: Player, at: Instant) -> list[Fact]:
    """Who flags is there. AFK comes at most ten seconds early to who does nothing else."""
    if player.active and at - player.clicked_at >= FLAG_GRAIN:
        return [Stirred(player.seat, at)]
    return _presence(player, at)


def _missed(
    player: Player, reason: Literal["late", "out_of_range"], x: int, y: int, at: Instant
) -> list[Fact]:
    """A click that opens nothing still shows that somebody is there.

    It is written down where that matters: where it ends an absence, or where the last activity that was
    written down is a second old. A hail of late clicks costs the log one line a second, and AFK comes at
    most a second early.
    """
    if player.active and at - player.clicked_at < MISS_GRAIN:
        if reason == "late":
            raise Illegal("late")
        raise Illegal("out_of_range", x=x, y=y)
    return [*_presence(player, at), Missed(player.seat, at, reason, x, y)]


def _presence(player: Player, at: Instant) -> list[Fact]:
    if not player.present:
        return [CameBack(player.seat, at)]
    if player.afk:
        return [Returned(player.seat, at)]
    return []


def _playing(state: MinesState, seat: Seat) -> Player:
    if state.ended:
        raise Illegal("over")
    player = state.player(seat)
    if player is None:
        raise Illegal("not_joined")
    return player


def _at(x: int, y: int) -> dict[str, Any]:
    """A square in a refusal: for programs, and by its name for people."""
    return {"x": x, "y": y, "square": square_name(x, y)}


def _refuse_flagged(x: int, y: int) -> NoReturn:
    raise Illegal("flagged", **_at(x, y))


# --- coming and going -----------------------------------------------------------------------------------


def _join(state: MinesState, seat: Seat, action: Join, at: Instant, rng: Random) -> list[Fact]:
    if state.ended:
        raise Illegal("over")
    player = state.player(seat)
    if player is not None:
        if player.name != action.name:
            raise Illegal("seat_taken", name=player.name)
        if player.active:
            raise Illegal("already_joined")
        return [CameBack(seat, at)]
    if not 1 <= seat <= state.seats:
        raise Illegal("full", seats=state.seats)
    return [Joined(seat, action.name, action.total, at, action.robot)]


def _back(state: MinesState, seat: Seat, action: Back, at: Instant, rng: Random) -> list[Fact]:
    player = state.player(seat)
    if player is None:
        raise Illegal("not_joined")
    return [] if player.active or state.ended else [CameBack(seat, at)]


def _away(state: MinesState, seat: Seat, action: Away, at: Instant, rng: Random) -> list[Fact]:
    player = state.player(seat)
    if player is None:
        raise Illegal("not_joined")
    return [WentAway(seat, at)] if player.present and not state.ended else []


def _leave(state: MinesState, seat: Seat, action: Leave, at: Instant, rng: Random) -> list[Fact]:
    player = _playing(state, seat)
    return [Left(seat, at)] if player.present else []


def _replace(state: MinesState, seat: Seat, action: Replace, at: Instant, rng: Random) -> list[Fact]:
    # The points of a seat are added to the total of the one account that made them.
    raise Illegal("no_replacement")


# --- time -----------------------------------------------------------------------------------------------


def _alarm(state: MinesState, seat: Seat, action: Alarm, at: Instant, rng: Random) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    if at < alarms(state).get(action.name, at + 1):
        return []
    if action.name == "abandon":
        return [Abandoned({player.seat: min(player.points, 0) for player in state.players})]
    return [FellAsleep(int(action.name.removeprefix("afk:")), at)]


def _timeout(state: MinesState, seat: Seat, action: Timeout, at: Instant, rng: Random) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    raise Illegal("no_player_clock")


def _time_given_back(
    state: MinesState, seat: Seat, action: TimeGivenBack, at: Instant, rng: Random
) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    return [] if state.ended or not action.milliseconds else [ClockMoved(action.milliseconds)]


_DECISIONS: dict[type[Action], Callable[[MinesState, Seat, Any, Instant, Random], list[Fact]]] = {
    Click: _click,
    Chord: _chord,
    Flag: _flag,
    Unflag: _flag,
    Join: _join,
    Back: _back,
    Away: _away,
    Leave: _leave,
    Replace: _replace,
    Alarm: _alarm,
    Timeout: _timeout,
    TimeGivenBack: _time_given_back,
}
