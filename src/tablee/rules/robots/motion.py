"""Step 1 of a register: robots turn, walk and push, one after the other."""

from __future__ import annotations

from tablee.rules.robots.cartouche import Register
from tablee.rules.robots.codes import DISPLACEMENTS, ROTATIONS
from tablee.rules.robots.floor import NOBODY, Floor


def order_of_play(round: int, register: int, count: int) -> list[int]:
    """The seats of a game of `count` robots in the order in which they move in a register of a round."""
    first = round - 1 + register - 1
    return [(first + number) % count + 1 for number in range(count)]


def act(floor: Floor, index: int, register: Register) -> None:
    """A robot does what its register says, to the end."""
    for code in register:
        if code in DISPLACEMENTS:
            walk(floor, index, code)
            continue
        if code in ROTATIONS:
            floor.azimuth[index] = (floor.azimuth[index] + ROTATIONS[code]) % 4
        floor.at_once()
        floor.tell(index, code)


def walk(floor: Floor, index: int, code: str) -> None:
    """A robot goes one tile and pushes who is in its way; where a wall stops the last one nobody moves."""
    heading = (floor.azimuth[index] + DISPLACEMENTS[code]) % 4
    way, taken = floor.board.way, floor.taken
    queue = [(index, way[floor.at[index] * 4 + heading])]
    while (target := queue[-1][1]) >= 0 and taken[target] != NOBODY:
        queue.append((taken[target], way[target * 4 + heading]))
    floor.at_once()
    if target < 0:
        if len(queue) == 1:
            floor.tell(index, "Hustle_Wall")
        else:
            floor.tell_flank(index, "Hustle_Mcnd", heading)
        return
    pushed = [other for other, _ in queue[1:]]
    if pushed:
        for other, _ in queue[:-1]:
            floor.tell_flank(other, "Hustle_Mcnd", heading)
        floor.at_once()
    floor.relocate(queue)
    floor.tell(index, code)
    for other in pushed:
        floor.tell_flank(other, "Hustle_Pusher", heading + 2)
    floor.lost.update(floor.stumble([index, *pushed]))
