"""The steps of a register as the document's three frames carry them: lists of codes, robot by robot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tablee.rules.robots.codes import code_text
from tablee.rules.robots.floor import Stage, Step

Movements = dict[int, list[str]]
"""Codes as on the wire by seat, an empty list where nothing happened."""


class Frames(NamedTuple):
    """What the frames of one register say."""

    robots: Movements
    """RoundRobotMovement."""
    board: Movements
    """RoundBoardMovement, first call: what the board does."""
    after: Movements
    """RoundBoardMovement, second call: what follows from it, and in register 5 from the round's end."""


def frames(steps: Iterable[Step], seats: Sequence[int]) -> Frames:
    """The three frames of a register, in which every one of these seats is listed."""
    told = Frames({seat: [] for seat in seats}, {seat: [] for seat in seats}, {seat: [] for seat in seats})
    for step in steps:
        told[_call(step.stage, step.code)][step.seat].append(code_text(step.code))
    return told


def _call(stage: Stage, code: str) -> int:
    if stage == "robots":
        return 0
    if stage in ("consequences", "end") or code == "Damage_Pothole":
        return 2
    return 1
