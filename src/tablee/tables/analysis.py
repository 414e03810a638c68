"""Games that are over, looked at again step by step."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from tablee.rules.contract import SPECTATOR
from tablee.tables.errors import NoAnalysis
from tablee.tables.live import LiveTable
from tablee.tables.workroom import Workroom


async def analysis(
    live: LiveTable, step: int, tried: Sequence[str], workroom: Workroom, whose: Hashable
) -> Any:
    """The game after so many steps and what is tried from there, as its rules tell it.

    Raises NoAnalysis, and ValueError where that cannot be played.
    """
    if not live.rules.is_analysed:
        raise NoAnalysis()
    if not live.is_over:
        raise NoAnalysis("still_played")
    return await workroom.do(whose, live.rules.analyse, live.view(SPECTATOR), step, tuple(tried))
