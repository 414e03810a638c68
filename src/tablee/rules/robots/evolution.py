"""What a race of robots is after a fact."""

from __future__ import annotations

from msgspec.structs import replace

from tablee.rules.contract import Fact, Seat
from tablee.rules.robots.model import (
    COLORS,
    Asked,
    Avatar,
    Began,
    BoardSwapped,
    CameBack,
    Clashed,
    ClockMoved,
    Ended,
    Featured,
    Left,
    Placed,
    PlayedRegister,
    Programmed,
    RegisterPlayed,
    RobotsState,
    RoundEnded,
    Spot,
    TakenOver,
    TimeUp,
    WentAway,
    Wished,
)
from tablee.rules.robots.turn import Mecha, placed


def evolve(state: RobotsState | None, fact: Fact) -> RobotsState:
    """The state after a fact."""
    if isinstance(fact, Began):
        return _began(fact)
    assert state is not None
    match fact:
        case Featured(seat, name, color):
            return replace(state, avatars={**state.avatars, seat: Avatar(name, color)})
        case Wished(seat, x, y, azimuth):
            return replace(state, wishes={**state.wishes, seat: Spot(x, y, azimuth)})
        case TimeUp():
            return replace(state, until=None)
        case Placed(places):
            return _placed(state, places)
        case Clashed(_, proposed, at):
            until = at + state.localization if state.localization else None
            return replace(state, wishes={}, proposed=proposed, recalls=state.recalls + 1, until=until)
        case Asked(number, seats, until):
            return replace(state, phase="programming", round=number, asked=seats, cartouches={}, until=until)
        case Programmed(seat, cartouche):
            return replace(state, cartouches={**state.cartouches, seat: cartouche})
        case RegisterPlayed():
            return _played(state, fact)
        case BoardSwapped(old, new):
            return replace(state, board=new, swap=(old, new))
        case RoundEnded(_, robots):
            return replace(state, robots=robots, asked=(), cartouches={}, until=None)
        case WentAway(seat):
            return replace(state, away=(*state.away, seat))
        case CameBack(seat):
            return replace(state, away=_without(state.away, seat))
        case Left(seat):
            return replace(state, left=(*state.left, seat), away=_without(state.away, seat))
        case TakenOver(seat):
            return replace(state, left=_without(state.left, seat), away=_without(state.away, seat))
        case ClockMoved(milliseconds):
            return replace(state, until=None if state.until is None else state.until + milliseconds)
        case Ended(reason, ranks):
            return replace(
                state,
                phase="over",
                ended=reason,
                ranks=ranks,
                until=None,
                proposed={},
                wishes={},
                asked=(),
                cartouches={},
            )
    raise TypeError(fact)


def _began(fact: Began) -> RobotsState:
    avatars = {
        seat: Avatar(f"mécanoïd{number + 1:02}", COLORS[number]) for number, seat in enumerate(fact.seats)
    }
    return RobotsState(
        seats=fact.seats,
        boards=fact.boards,
        names=fact.names,
        starts=fact.starts,
        rounds=fact.rounds,
        localization=fact.localization,
        cartouche=fact.cartouche,
        until=fact.at + fact.localization if fact.localization else None,
        avatars=avatars,
        proposed=fact.proposed,
    )


def _placed(state: RobotsState, places: dict[Seat, Spot]) -> RobotsState:
    """The robots of these seats are there; when all are, they stand ready to race."""
    every = {**state.places, **places}
    robots: tuple[Mecha, ...] = ()
    if len(every) == len(state.seats):
        spots = ((seat, every[seat]) for seat in state.seats)
        robots = tuple(placed(seat, spot.x, spot.y, spot.azimuth) for seat, spot in spots)
    return replace(
        state,
        places=every,
        robots=robots,
        proposed={seat: spot for seat, spot in state.proposed.items() if seat not in places},
        wishes={seat: spot for seat, spot in state.wishes.items() if seat not in places},
    )


def _played(state: RobotsState, fact: RegisterPlayed) -> RobotsState:
    """Each robot is where its last step has brought it; what else became of it is told as the round ends."""
    last = {step.seat: step for step in fact.steps}
    robots = tuple(
        replace(robot, x=step.x, y=step.y, azimuth=step.azimuth, energy=step.energy)
        if (step := last.get(robot.seat)) is not None
        else robot
        for robot in state.robots
    )
    played = PlayedRegister(fact.round, fact.register, fact.steps)
    # A round for which all are frozen follows at once: it is shown with the one in which they froze.
    if fact.register == 1 and (state.asked or not state.played):
        return replace(state, before=state.robots, robots=robots, played=(played,), swap=None)
    return replace(state, robots=robots, played=(*state.played, played))


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)
