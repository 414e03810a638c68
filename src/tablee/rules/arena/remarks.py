"""What the author of a description should know though nothing forbids it."""

from __future__ import annotations

import msgspec

from tablee.rules.arena.board import TYPES, Board, types_of
from tablee.rules.arena.description import LINE, Description
from tablee.rules.arena.faults import fault_words
from tablee.rules.arena.model import MOST_GAUGE
from tablee.rules.arena.reach import distances


class Remark(msgspec.Struct, frozen=True):
    """A key of `faults.toml` with its values."""

    key: str
    values: dict[str, str | int]

    def said(self, language: str = "en") -> str:
        """The remark as a sentence."""
        return fault_words()[language][self.key].format_map(self.values)


def remarks(description: Description) -> list[Remark]:
    """One where aims are out of reach, and one for each trump that nobody can ever pay."""
    told = [] if _leads_home(description) else [Remark("aim_out_of_reach", {})]
    costly = {trump.base: trump.cost for trump in description.trumps if trump.cost > MOST_GAUGE}
    told += [
        Remark("trump_too_dear", {"name": name, "cost": cost, "most": MOST_GAUGE})
        for name, cost in costly.items()
    ]
    return told


def _leads_home(description: Description) -> bool:
    """Whether some way leads to the aim: from the first arm, since all have the same shape."""
    # There is a card of every colour, so one step of a type goes wherever there is no wall.
    types = types_of([name for card in description.cards for name in card.types])
    # Lines alone lead everywhere where there is a circle: along a column, round, and out again.
    if types & TYPES[LINE] and description.board.circle_rows:
        return True
    board = Board(description)
    return any(board.aims(0) >> square & 1 for square in distances(board, types, 1 << board.starts[0]))
