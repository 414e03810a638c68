"""What the author of a description should know though nothing forbids it."""

from __future__ import annotations

from tablee.rules.arena.board import TYPES, Board, types_of
from tablee.rules.arena.description import LINE, Description
from tablee.rules.arena.model import MOST_GAUGE
from tablee.rules.arena.reach import distances


def remarks(description: Description) -> list[str]:
    """A sentence for each aim out of reach and each trump that nobody can ever pay."""
    board = Board(description)
    # There is a card of every colour, so one step of a type goes wherever there is no wall.
    types = types_of([name for card in description.cards for name in card.types])
    # Lines alone lead everywhere where there is a circle: along a column, round, and out again.
    is_open = bool(types & TYPES[LINE] and board.circle_rows)
    told = [
        f"From arm {arm} no card ever brings a pawn to its aim."
        for arm, start in enumerate(board.starts)
        if not is_open
        and not any(board.aims(arm) >> square & 1 for square in distances(board, types, 1 << start))
    ]
    costly = {trump.base: trump.cost for trump in description.trumps if trump.cost > MOST_GAUGE}
    told += [f"{name} costs {cost}; a gauge holds {MOST_GAUGE}." for name, cost in costly.items()]
    return told
