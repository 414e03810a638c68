"""A register and a round: robots move, the board reacts, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec

from tablee.rules.robots.board import TILE_COUNT, Board, number_of
from tablee.rules.robots.cartouche import REGISTERS, Cartouche, Register
from tablee.rules.robots.codes import STANDBY
from tablee.rules.robots.directions import QUARTERS
from tablee.rules.robots.floor import MOST_ENERGY, NOBODY, Floor, Mecha, Stage, Status, Step, placed
from tablee.rules.robots.motion import act, order_of_play
from tablee.rules.robots.reactions import REACTIONS, react

__all__ = [
    "MOST_ENERGY",
    "REACTIONS",
    "Floor",
    "Mecha",
    "Played",
    "Stage",
    "Status",
    "Step",
    "order_of_play",
    "placed",
    "play_register",
    "play_round",
    "run_end",
    "run_register",
]

WOKEN_ENERGY: Final = 4
STANDBY_GAIN: Final = 2
LAW_CODES: Final = ("Enrichment_LawOne", "Enrichment_LawTwo", "Enrichment_LawThree")


class Played(msgspec.Struct, frozen=True):
    """A round as it was played."""

    registers: tuple[tuple[Step, ...], ...]
    """The steps of the five registers; those of the round's end are in the fifth."""
    swap: tuple[int, int] | None
    """The boards before and after, where an action tile swapped them."""
    mechas: tuple[Mecha, ...]


def play_round(
    boards: Sequence[Board],
    current: int,
    mechas: Sequence[Mecha],
    cartouches: Mapping[int, Cartouche],
    round: int,
) -> Played:
    """Play a round to its fifth register and its end. Seats without a cartouche play an empty one."""
    count = max(mecha.seat for mecha in mechas)
    floor = Floor(boards[current], mechas)
    told = []
    for register in range(1, REGISTERS + 1):
        registers = {
            seat: cartouche[register - 1]
            for seat, cartouche in cartouches.items()
            if len(cartouche) >= register
        }
        floor.steps, floor.group = [], 0
        run_register(floor, registers, round, register, count)
        told.append(floor.steps)
    rested = Counter(step.seat for steps in told for step in steps if step.code == STANDBY)
    run_end(floor, {seat for seat, times in rested.items() if times == REGISTERS}, round)
    after = floor.now()
    return Played(tuple(map(tuple, told)), swapped(boards, current, after), after)


def play_register(
    board: Board,
    mechas: Sequence[Mecha],
    registers: Mapping[int, Register],
    round: int,
    register: int,
    count: int,
) -> tuple[tuple[Mecha, ...], tuple[Step, ...]]:
    """Play one register of a game of `count` robots: the robots after it, and what happened."""
    floor = Floor(board, mechas)
    run_register(floor, registers, round, register, count)
    return floor.now(), tuple(floor.steps)


def run_register(
    floor: Floor, registers: Mapping[int, Register], round: int, register: int, count: int
) -> None:
    """Play one register on a floor, which is changed."""
    floor.stage = "robots"
    floor.lost.clear()
    for seat in order_of_play(round, register, count):
        codes = registers.get(seat)
        if codes:
            index = floor.index_of.get(seat, NOBODY)
            if index in floor.racing and index not in floor.lost:
                act(floor, index, codes)
    react(floor)
    floor.stage = "consequences"
    follow(floor, round, register)


def follow(floor: Floor, round: int, register: int) -> None:
    """Step 3: laws found, quests achieved, robots without energy frozen."""
    find_laws(floor)
    achieve(floor, round, register)
    freeze(floor, round)


def find_laws(floor: Floor) -> None:
    """Whoever stands on its next law has it."""
    finders = [index for index in floor.racing if floor.board.law[floor.at[index]] == floor.laws[index] + 1]
    if finders:
        floor.at_once()
        for index in finders:
            floor.tell(index, LAW_CODES[floor.laws[index]])
            floor.laws[index] += 1


def achieve(floor: Floor, round: int, register: int) -> None:
    """Whoever has three laws has achieved its quest and leaves the board; the first is the victor."""
    arrived = [index for index in floor.racing if floor.laws[index] == len(LAW_CODES)]
    if not arrived:
        return
    rank = 1 + sum(mecha.status == "finished" for mecha in floor.mechas)
    floor.at_once()
    for index in arrived:
        floor.take_off(index)
        floor.mechas[index] = msgspec.structs.replace(
            floor.mechas[index], status="finished", rank=rank, arrived=(round, register)
        )
        floor.tell(index, "Enrichment_QuestAchieved")
    if rank == 1:
        floor.at_once()
        for index in arrived:
            floor.tell(index, "Enrichment_Victory")


def freeze(floor: Floor, round: int) -> None:
    """Whoever has no energy left is frozen: off the board, and listed on its starting tile."""
    spent = [index for index in floor.racing if floor.energy[index] == 0]
    if spent:
        floor.at_once()
        for index in spent:
            floor.take_off(index)
            x, y, azimuth = floor.mechas[index].start
            floor.at[index], floor.azimuth[index] = number_of(x, y), QUARTERS[azimuth]
            floor.mechas[index] = msgspec.structs.replace(
                floor.mechas[index], status="frozen", frozen_in=round
            )
            floor.tell(index, "Enrichment_Frozen")


def run_end(floor: Floor, rested: AbstractSet[int], round: int) -> None:
    """Repairs, the gain of those seats that stood by in all five registers, and wake-ups."""
    floor.stage = "end"
    repair(floor)
    gain(floor, rested)
    wake(floor, round)


def repair(floor: Floor) -> None:
    """Whoever stands on a repair tile gains its energy."""
    floor.at_once()
    for index in floor.racing:
        energy = floor.board.repair[floor.at[index]]
        if energy and floor.energy[index] < MOST_ENERGY:
            floor.energy[index] = min(MOST_ENERGY, floor.energy[index] + energy)
            floor.tell(index, f"Enrichment_EnergyX{energy}")


def gain(floor: Floor, rested: AbstractSet[int]) -> None:
    """Whoever did nothing but stand by gains energy."""
    floor.at_once()
    for index in floor.racing:
        if floor.mechas[index].seat in rested and floor.energy[index] < MOST_ENERGY:
            floor.energy[index] = min(MOST_ENERGY, floor.energy[index] + STANDBY_GAIN)
            floor.tell(index, STANDBY)


def wake(floor: Floor, round: int) -> None:
    """Whoever froze in an earlier round comes back, in the order of their numbers."""
    frozen = [index for index, mecha in enumerate(floor.mechas) if mecha.status == "frozen"]
    for index in sorted(frozen, key=lambda index: floor.mechas[index].seat):
        if floor.mechas[index].frozen_in < round:
            place = nearest_free(floor, floor.at[index])
            floor.at[index] = place
            floor.taken[place] = index
            floor.racing.append(index)
            floor.energy[index] = WOKEN_ENERGY
            floor.mechas[index] = msgspec.structs.replace(floor.mechas[index], status="racing", frozen_in=0)
            floor.at_once()
            floor.tell(index, "Enrichment_WakeUp")


def nearest_free(floor: Floor, start: int) -> int:
    """The free tile nearest to one by walking, the one with the smallest number of equals."""
    ring = {start}
    seen = {start}
    while ring:
        free = [tile for tile in ring if floor.taken[tile] == NOBODY]
        if free:
            return min(free)
        near = {floor.board.way[tile * 4 + direction] for tile in ring for direction in range(4)}
        ring = {tile for tile in near if tile >= 0} - seen
        seen |= ring
    # A start walled in with somebody on it: the board's checker refuses such a board, a test drive may not.
    return next(tile for tile in range(TILE_COUNT) if floor.taken[tile] == NOBODY)


def swapped(boards: Sequence[Board], current: int, mechas: Sequence[Mecha]) -> tuple[int, int] | None:
    """The boards before and after, if a robot on an action tile swaps them."""
    actions = boards[current].actions
    if len(boards) > 1 and any(
        mecha.status == "racing" and actions[number_of(mecha.x, mecha.y)] for mecha in mechas
    ):
        return current, (current + 1) % len(boards)
    return None
