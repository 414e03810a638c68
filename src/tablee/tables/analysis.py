"""Games of chess that are over, looked at again move by move."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from tablee.rules.chess.analysis import Analysis, analyse
from tablee.rules.contract import SPECTATOR
from tablee.tables.errors import NoAnalysis
from tablee.tables.live import LiveTable
from tablee.tables.workroom import Workroom


async def analysis(
    live: LiveTable, ply: int, tried: Sequence[str], workroom: Workroom, whose: Hashable
) -> Analysis:
    """The position after so many half-moves and what is tried from there. Raises NoAnalysis, BadMove."""
    if live.info.game != "chess":
        raise NoAnalysis()
    if not live.is_over:
        raise NoAnalysis("still_played")
    view = live.view(SPECTATOR)
    played = [view["moves"][str(number)][0] for number in range(min(ply, view["ply"]))]
    return await workroom.do(whose, analyse, view["variant"], view["start"], played, tuple(tried))
