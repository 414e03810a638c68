"""What people at a table of mines may see, hear and do."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from msgspec import UNSET

from tablee.rules.contract import MASTER, Action, Fact, Json, Seat
from tablee.rules.mines.board import EMPTY, FLAG, HIDDEN, around, least_clicks
from tablee.rules.mines.model import (
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
    MinesState,
    Missed,
    Opened,
    Returned,
    Unflag,
    Unflagged,
    WentAway,
)
from tablee.rules.mines.views import (
    MinesTold,
    MinesView,
    PlayerView,
    ToldCameBack,
    ToldFellAsleep,
    ToldFlagged,
    ToldJoined,
    ToldLeft,
    ToldMissed,
    ToldOpened,
    ToldReturned,
    ToldUnflagged,
    ToldWentAway,
)


def view(state: MinesState, seat: Seat) -> MinesView:
    """The board and the players as this seat may know them."""
    width, height = state.width, state.height
    shown = bytearray(state.shown)
    you = state.player(seat)
    if you is not None:
        for square in you.flags:
            shown[square] = FLAG
    return MinesView(
        width=width,
        height=height,
        mines=state.mines,
        safe_left=state.safe_left,
        completion=state.completion,
        multiplier=state.active,
        start=state.start if state.start and not state.opened else None,
        chording=state.chording,
        flags=state.flags,
        seats=state.seats,
        you=you.seat if you else None,
        rows=_rows(shown, width, height),
        openers=_rows(state.openers, width, height),
        players={
            str(p.seat): PlayerView(p.name, p.points, p.total, p.safe, p.mines, p.present, p.active, p.robot)
            for p in state.players
        },
        begun_at=state.begun_at,
        ended_at=state.ended_at,
        ended=state.ended,
        best=state.best,
        worst=state.worst,
        bbbv=least_clicks(state.truth, width, height) if state.ended else None,
        truth=_rows(state.truth, width, height) if state.ended or seat == MASTER else UNSET,
    )


def _rows(board: bytes | bytearray, width: int, height: int) -> dict[str, str]:
    text = board.decode("ascii")
    return {key: text[start : start + width] for key, start in _row_starts(width, height)}


@lru_cache(maxsize=64)
def _row_starts(width: int, height: int) -> tuple[tuple[str, int], ...]:
    return tuple((str(y), y * width) for y in range(height))


def tell(fact: Fact, seat: Seat) -> MinesTold | None:
    """A fact as this seat may hear it."""
    match fact:
        case Opened():
            return ToldOpened(fact.seat, fact.squares, sum([square[3] for square in fact.squares]))
        case Joined():
            return ToldJoined(fact.seat, fact.name, fact.total, fact.robot)
        case WentAway() | Left() | CameBack() | FellAsleep() | Returned():
            return _OF_A_SEAT[type(fact)](fact.seat)
        case Missed() if fact.seat == seat:
            return ToldMissed(fact.seat, fact.reason, fact.x, fact.y)
        case Flagged() if fact.seat == seat:
            return ToldFlagged(fact.seat, fact.x, fact.y)
        case Unflagged() if fact.seat == seat:
            return ToldUnflagged(fact.seat, fact.x, fact.y)
        case ClockMoved() | Finished() | Abandoned():
            return fact
    return None


_OF_A_SEAT: dict[type[Fact], Callable[[Seat], MinesTold]] = {
    WentAway: ToldWentAway,
    Left: ToldLeft,
    CameBack: ToldCameBack,
    FellAsleep: ToldFellAsleep,
    Returned: ToldReturned,
}


class MinesActions:
    """What a player may do: each action by the letters of his `rows` on which it can be done."""

    def __init__(self, state: MinesState, seat: Seat) -> None:
        self._state = state
        self._player = None if state.ended else state.player(seat)

    def allows(self, action: Action) -> bool:
        match action:
            case Click(x, y):
                begun = self._state.opened or self._state.start in (None, (x, y))
                return bool(begun) and self._letter(x, y) == HIDDEN
            case Chord(x, y, squares):
                return (
                    self._state.chording
                    and EMPTY <= self._letter(x, y) < EMPTY + 9
                    and all(max(abs(u - x), abs(v - y)) == 1 for u, v in squares)
                    and all(self._letter(u, v) not in (0, FLAG) for u, v in squares)
                    and any(self._letter(u, v) == HIDDEN for u, v in squares)
                )
            case Flag(x, y):
                return self._state.flags and self._letter(x, y) == HIDDEN
            case Unflag(x, y):
                return self._state.flags and self._letter(x, y) == FLAG
        return False

    def sample(self, rng: Random) -> Action | None:
        """A click most often; now and then a flag or a chord, where the table has them."""
        state, player = self._state, self._player
        if player is None:
            return None
        hidden = [s for s, letter in enumerate(state.shown) if letter == HIDDEN and s not in player.flags]
        kind = rng.random()
        if kind < 0.1 and state.flags and player.flags:
            return Unflag(*self._point(rng.choice(player.flags)))
        if kind < 0.25 and state.flags and len(hidden) > 1:
            return Flag(*self._point(rng.choice(hidden)))
        if kind < 0.4 and state.chording:
            chord = self._some_chord(rng)
            if chord is not None:
                return chord
        if not state.opened and state.start is not None:
            at_start = Click(*state.start)
            return at_start if self.allows(at_start) else Unflag(*state.start)
        if hidden:
            return Click(*self._point(rng.choice(hidden)))
        return Unflag(*self._point(rng.choice(player.flags)))

    def describe(self) -> Json:
        if self._player is None:
            return {}
        state = self._state
        described: dict[str, Json] = {"click": {"on": "X"}}
        if state.start is not None and not state.opened:
            described["click"] = {"on": "X", "only": list(state.start)}
        if state.flags:
            described["flag"] = {"on": "X"}
            described["unflag"] = {"on": "F"}
        if state.chording:
            described["chord"] = {"on": "012345678", "opens": "X"}
        return described

    def _letter(self, x: int, y: int) -> int:
        """The letter that this player sees on a square, 0 off the board or where he does not play."""
        state = self._state
        if self._player is None or not (0 <= x < state.width and 0 <= y < state.height):
            return 0
        square = y * state.width + x
        return FLAG if square in self._player.flags else state.shown[square]

    def _point(self, square: int) -> tuple[int, int]:
        return square % self._state.width, square // self._state.width

    def _some_chord(self, rng: Random) -> Chord | None:
        state = self._state
        numbers = [s for s, letter in enumerate(state.shown) if EMPTY <= letter < EMPTY + 9]
        rng.shuffle(numbers)
        for number in numbers[:20]:
            near = [self._point(s) for s in around(state.width, state.height)[number]]
            closed = tuple(point for point in near if self._letter(*point) == HIDDEN)
            if closed:
                return Chord(*self._point(number), closed)
        return None
