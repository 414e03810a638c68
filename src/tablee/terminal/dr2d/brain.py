"""A simple brain: the shortest way to a tile, with what the board itself does to a robot that is alone."""

from __future__ import annotations

from collections import deque

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "O": (-1, 0)}
PUSHERS = {"pous_proue": "N", "pous_poupe": "S", "pous_babord": "O", "pous_tribord": "E"}
RIGHT, BEHIND, LEFT = "0x245A, Move_90Right", "0x22B4, Move_180Right", "0x245C, Move_90Left"
AHEAD, BACK, REST = "0x2100, Move_Ahead", "0x21B4, Move_Back", "0x8822, Enrichment_Standby"
TURNS = {RIGHT: 1, BEHIND: 2, LEFT: 3}
REGISTERS = [[AHEAD], [RIGHT, AHEAD], [LEFT, AHEAD], [BEHIND, AHEAD], [BACK], [RIGHT], [LEFT], [BEHIND], []]

Tiles = dict[tuple[int, int], str]
Robot = tuple[int, int, str]
"""x, y and the side that it looks at: N, E, S or O."""


def cartouche(tiles: Tiles, robot: Robot, goal: tuple[int, int], energy: int) -> list[list[str]]:
    """Five registers toward a tile; a robot with little energy rests instead."""
    if energy < 3:
        return [[REST]] * 5
    came: dict[Robot, tuple[Robot, list[str]]] = {}
    ahead, last = deque([robot]), robot
    while ahead:
        last = ahead.popleft()
        if last[:2] == goal and last != robot:
            break
        for register in REGISTERS:
            after = played(tiles, last, register)
            if after is not None and after != robot and after not in came:
                came[after] = (last, register)
                ahead.append(after)
    way: list[list[str]] = []
    while last in came:
        last, register = came[last]
        way.insert(0, register)
    return way[:5]


def played(tiles: Tiles, robot: Robot, register: list[str]) -> Robot | None:
    """The robot after one register and what the board does then; None if it meets a pothole."""
    x, y, side = robot
    for code in register:
        if code in TURNS:
            side = turned(side, TURNS[code])
        else:
            x, y = moved(tiles, x, y, side if code == AHEAD else turned(side, 2))
    tile = tiles.get((x, y), "")
    if tile.startswith("conv_"):
        x, y = moved(tiles, x, y, tile[-1])
        onto = tiles.get((x, y), "")
        if onto.startswith("conv_") and turned(tile[-1], 2) in onto[6:-2]:  # bends turn who comes in by belt
            side = turned(side, "NESO".index(onto[-1]) - "NESO".index(tile[-1]))
    tile = tiles.get((x, y), "")
    side = turned(side, {"pt_tribord": 1, "pt_babord": 3}.get(tile, 0))
    if tile in PUSHERS:
        x, y = moved(tiles, x, y, PUSHERS[tile])
    return None if tiles.get((x, y)) == "nid2poule" else (x, y, side)


def turned(side: str, quarters: int) -> str:
    return "NESO"[("NESO".index(side) + quarters) % 4]


def moved(tiles: Tiles, x: int, y: int, side: str) -> tuple[int, int]:
    """One tile further, unless a wall or the edge is in the way."""
    u, v = x + STEPS[side][0], y + STEPS[side][1]
    blocked = side in walls(tiles.get((x, y), "")) or turned(side, 2) in walls(tiles.get((u, v), ""))
    return (u, v) if 1 <= u <= 12 and 1 <= v <= 12 and not blocked else (x, y)


def walls(tile: str) -> str:
    kind, _, sides = tile.partition("_")
    return {"mur": sides, "murLaser": sides[:1]}.get(kind, "")
