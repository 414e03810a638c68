"""What people at a race of robots may see, hear and do."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Literal

from tablee.rules.contract import MASTER, Action, Fact, Illegal, Json, Seat
from tablee.rules.robots.board import compile_board, place_of
from tablee.rules.robots.cartouche import REGISTERS, Cartouche, Register, capacity, read_cartouche
from tablee.rules.robots.codes import DISPLACEMENTS, ROTATIONS, STANDBY
from tablee.rules.robots.decision import is_available, read_avatar
from tablee.rules.robots.directions import AZIMUTHS
from tablee.rules.robots.model import (
    COLORS,
    Began,
    Clashed,
    Feature,
    Place,
    Program,
    Programmed,
    RobotsState,
    Spot,
    Wished,
)
from tablee.rules.robots.turn import Mecha, Status, order_of_play
from tablee.rules.robots.views import (
    Bearing,
    OwnView,
    RobotsView,
    RobotView,
    ToldBegan,
    ToldClashed,
    ToldProgrammed,
    ToldWished,
)


def view(state: RobotsState, seat: Seat) -> RobotsView:
    """The race as this seat may know it."""
    # The same objects for the same boards and rounds: whoever compares two views need not look into them.
    return RobotsView(
        phase=state.phase,
        round=state.round,
        rounds=state.rounds,
        until=state.until,
        boards=state.boards,
        names=state.names,
        board=state.board,
        laws=compile_board(state.boards[0]).laws,
        robots={each: _robot(state, number, each) for number, each in enumerate(state.seats, 1)},
        order=_orders(state),
        you=_you(state, seat) if seat in state.seats else None,
        before={
            robot.seat: Bearing(robot.x, robot.y, robot.azimuth, robot.energy, robot.laws, robot.status)
            for robot in state.before
        },
        played=state.played,
        swap=state.swap,
        ended=state.ended,
        ranks=state.ranks or None,
    )


def _robot(state: RobotsState, number: int, seat: Seat) -> RobotView:
    avatar, robot, place = state.avatars[seat], state.robot(seat), state.places.get(seat)
    stands = place if robot is None else robot
    return RobotView(
        number=f"{number:02}",
        name=avatar.name,
        color=avatar.color,
        x=None if stands is None else stands.x,
        y=None if stands is None else stands.y,
        azimuth=None if stands is None else stands.azimuth,
        energy=None if robot is None else robot.energy,
        laws=0 if robot is None else robot.laws,
        start=place,
        status=_status(state, seat, robot),
        ready=_is_ready(state, seat),
        away=seat in state.away,
        rank=state.ranks.get(seat),
    )


def _status(state: RobotsState, seat: Seat, robot: Mecha | None) -> Status | Literal["left", "waiting"]:
    if robot is not None and robot.status == "finished":
        return "finished"
    if seat in state.left:
        return "left"
    return "waiting" if robot is None else robot.status


def _is_ready(state: RobotsState, seat: Seat) -> bool:
    """Whether what is asked for in this phase is there."""
    if state.phase == "placing":
        return seat in state.places or seat in state.wishes
    return seat in state.cartouches


def _orders(state: RobotsState) -> tuple[tuple[Seat, ...], ...]:
    """For each register of the round that is asked for, the seats as their robots move."""
    if state.phase != "programming":
        return ()
    moving = tuple(robot.seat for robot in state.robots if robot.status == "racing")
    return _orders_of(state.round % len(state.seats), state.seats, moving)


@lru_cache(maxsize=1024)
def _orders_of(round: int, seats: tuple[Seat, ...], moving: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    orders = (order_of_play(round, register, len(seats)) for register in range(1, REGISTERS + 1))
    return tuple(
        tuple(seats[number - 1] for number in order if seats[number - 1] in moving) for order in orders
    )


def _you(state: RobotsState, seat: Seat) -> OwnView:
    robot, proposed = state.robot(seat), state.proposed.get(seat)
    return OwnView(
        seat=seat,
        capacity=None if robot is None else capacity(robot.energy),
        cartouche=state.cartouches.get(seat),
        available=state.available if proposed is not None else (),
        proposed=proposed,
        wish=state.wishes.get(seat),
    )


def tell(fact: Fact, seat: Seat) -> Fact:
    """A fact as this seat may hear it: a wish and a cartouche are their owner's business."""
    match fact:
        case Began():
            return ToldBegan(
                seats=fact.seats,
                boards=fact.boards,
                names=fact.names,
                starts=fact.starts,
                proposed=fact.proposed,
                rounds=fact.rounds,
                localization=fact.localization,
                cartouche=fact.cartouche,
            )
        case Clashed(seats, proposed):
            return ToldClashed(seats, proposed)
        case Wished(whose, x, y, azimuth):
            return ToldWished(whose, x, y, azimuth) if seat in (whose, MASTER) else ToldWished(whose)
        case Programmed(whose, cartouche):
            return ToldProgrammed(whose, cartouche) if seat in (whose, MASTER) else ToldProgrammed(whose)
    return fact


class RobotsActions:
    """What a player may do: name his robot and choose its place before the race, then program it."""

    def __init__(self, state: RobotsState, seat: Seat) -> None:
        playing = seat in state.seats and state.ended is None and seat not in state.left
        self._state, self._seat = state, seat
        self._features = playing and state.phase == "placing"
        self._owes = playing and seat in state.awaited
        self._robot = state.robot(seat) if self._owes else None

    def allows(self, action: Action) -> bool:
        try:
            match action:
                case Feature():
                    return self._features and bool(read_avatar(action))
                case Place(x, y, _, asking):
                    is_now = asking in (0, self._state.recalls + 1)
                    return self._places and is_now and is_available(self._state, x, y)
                case Program(cartouche, number):
                    return self._robot is not None and (
                        number in (0, self._state.round)
                        and read_cartouche(cartouche, self._robot.energy) is not None
                    )
        except Illegal:
            return False
        return False

    def sample(self, rng: Random) -> Action | None:
        """A wish or a cartouche at random; now and then a name before the race."""
        if self._features and rng.random() < 0.1:
            return Feature(rng.choice(("Robby", "Gort", "R2", "Terminator")), rng.choice(COLORS))
        if self._places:
            spot = some_spot(self._state, rng)
            return Place(spot.x, spot.y, spot.azimuth)
        if self._robot is not None:
            return Program(some_cartouche(self._robot.energy, rng), rng.choice((0, self._state.round)))
        return None

    def describe(self) -> Json:
        """The tiles to choose from, how many movements a cartouche may hold, whether a name may be given."""
        return {
            "place": {"tiles": list(self._state.available)} if self._places else None,
            "program": None if self._robot is None else {"capacity": capacity(self._robot.energy)},
            "feature": self._features,
        }

    @property
    def _places(self) -> bool:
        return self._owes and self._state.phase == "placing"


def some_spot(state: RobotsState, rng: Random) -> Spot:
    """Any starting tile that is free, looking anywhere."""
    return Spot(*place_of(rng.choice(state.available)), rng.choice(AZIMUTHS))


def some_cartouche(energy: int, rng: Random) -> Cartouche:
    """Any cartouche that this energy allows."""
    moving = set(rng.sample(range(REGISTERS), rng.randint(0, capacity(energy))))
    found = [_some_register(rng) if each in moving else _some_rest(rng) for each in range(REGISTERS)]
    return tuple(found[: rng.choice((REGISTERS, REGISTERS, REGISTERS, 0, 2))])


def _some_register(rng: Random) -> Register:
    rotation, displacement = rng.choice(tuple(ROTATIONS)), rng.choice(tuple(DISPLACEMENTS))
    return rng.choice(((rotation,), (displacement,), ("Move_Ahead",), (rotation, displacement)))


def _some_rest(rng: Random) -> Register:
    return rng.choice(((), (STANDBY,)))
