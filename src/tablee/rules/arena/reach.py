"""Where a pawn can go: sets of squares as integers, spread step by step."""

from __future__ import annotations

from tablee.rules.arena.board import Board, squares_of


def reach(board: Board, start: int, steps: int, types: int, allowed: int, occupied: int = 0) -> int:
    """The squares where a pawn may land that makes up to so many steps of these types.

    Every square stepped on is `allowed`; `occupied` ones are passed over, not landed on; staying is no move.
    """
    near = board.near[types]
    found = edge = near[start] & allowed
    if steps == 1 or not edge:
        return found & ~occupied
    while True:
        square = edge.bit_length() - 1
        beyond = near[square]
        edge ^= 1 << square
        while edge:
            square = edge.bit_length() - 1
            beyond |= near[square]
            edge ^= 1 << square
        if steps == 2:
            return (found | beyond & allowed) & ~(occupied | 1 << start)
        edge = beyond & allowed & ~(found | 1 << start)
        if not edge:
            return found & ~occupied
        found |= edge
        steps -= 1


def path(board: Board, start: int, end: int, steps: int, types: int, allowed: int) -> list[int]:
    """The squares of a shortest way from one square to another, both included; empty where there is none."""
    near = board.near[types]
    came_from = {start: start}
    edge = [start]
    for _ in range(steps):
        found = []
        for square in edge:
            for beyond in squares_of(near[square] & allowed):
                if beyond not in came_from:
                    came_from[beyond] = square
                    found.append(beyond)
        if end in came_from or not found:
            break
        edge = found
    if end not in came_from or end == start:
        return []
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


def distances(board: Board, types: int, sources: int, most: int | None = None) -> dict[int, int]:
    """The least number of steps from these squares to each, walls kept, colours and pawns ignored.

    Squares that are not reached, or only in more than `most` steps, are left out.
    """
    near = board.near[types]
    seen = sources
    edge = squares_of(sources)
    counted = dict.fromkeys(edge, 0)
    away = 0
    while edge and away != most:
        beyond = 0
        for square in edge:
            beyond |= near[square]
        beyond &= ~seen
        seen |= beyond
        away += 1
        edge = squares_of(beyond)
        counted.update(dict.fromkeys(edge, away))
    return counted
