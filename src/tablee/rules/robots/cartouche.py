"""The program of a round: what a register may hold, and how many of them a robot's energy allows."""

from __future__ import annotations

from typing import Final

from tablee.rules.contract import Illegal, Json
from tablee.rules.robots.codes import DISPLACEMENTS, ROTATIONS, SIGNALS, STANDBY, read_code

REGISTERS: Final = 5
"""Registers in a round."""

Register = tuple[str, ...]
"""A rotation, a displacement, both in this order; Standby alone; or nothing."""

Cartouche = tuple[Register, ...]
"""At most five registers; those that are missing are empty."""


def capacity(energy: int) -> int:
    """How many registers with a rotation or a displacement a robot of this energy may have in a round."""
    return min(REGISTERS, energy + 2)


def is_movement(register: Register) -> bool:
    """Whether a register counts against the capacity."""
    return bool(register) and register[0] != STANDBY


def read_cartouche(value: Json, energy: int) -> Cartouche:
    """A cartouche as a player or a console gives it, without its lights.

    Raises Illegal: `cartouche_form` where it is no list of lists of codes, `too_many`, `unknown_code`,
    `not_programmable`, `bad_register` or `over_capacity` where it is one that breaks a rule.
    """
    if not isinstance(value, (list, tuple)):
        raise Illegal("cartouche_form")
    for register in value:
        if not isinstance(register, (list, tuple)):
            raise Illegal("cartouche_form")
        for code in register:
            if not isinstance(code, (str, int)) or isinstance(code, bool):
                raise Illegal("cartouche_form")
    if len(value) > REGISTERS:
        raise Illegal("too_many", registers=len(value), most=REGISTERS)
    cartouche = tuple(_read_register(register, number) for number, register in enumerate(value, start=1))
    used = sum(map(is_movement, cartouche))
    if used > capacity(energy):
        raise Illegal("over_capacity", movements=used, capacity=capacity(energy), energy=energy)
    return cartouche


def _read_register(codes: list[Json], number: int) -> Register:
    register = []
    for value in codes:
        try:
            code = read_code(value)
        except ValueError:
            raise Illegal("unknown_code", movement=str(value)[:40], register=number) from None
        if code in SIGNALS:
            continue
        if code not in ROTATIONS and code not in DISPLACEMENTS and code != STANDBY:
            raise Illegal("not_programmable", movement=code, register=number)
        register.append(code)
    if not fits(tuple(register)):
        raise Illegal("bad_register", register=number)
    return tuple(register)


def fits(register: Register) -> bool:
    """Whether codes without lights make a register: one rotation at most, then one displacement at most."""
    match register:
        case ():
            return True
        case (only,):
            return only in ROTATIONS or only in DISPLACEMENTS or only == STANDBY
        case (first, second):
            return first in ROTATIONS and second in DISPLACEMENTS
        case _:
            return False
