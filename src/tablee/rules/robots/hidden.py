"""States of a race that a seat cannot tell apart: the wishes and the cartouches of others are anything."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tablee.rules.contract import Seat
from tablee.rules.robots.model import RobotsState
from tablee.rules.robots.showing import some_cartouche, some_spot


def shuffle_hidden(state: RobotsState, seat: Seat, rng: Random) -> RobotsState:
    """Another state that looks the same from this seat."""
    wishes = {other: spot if other == seat else some_spot(state, rng) for other, spot in state.wishes.items()}
    energies = {robot.seat: robot.energy for robot in state.robots}
    cartouches = {
        other: cartouche if other == seat else some_cartouche(energies[other], rng)
        for other, cartouche in state.cartouches.items()
    }
    return replace(state, wishes=wishes, cartouches=cartouches)
