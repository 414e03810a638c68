"""A game as a file for other programs, with what its reader may know and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from tablee.rules.contract import SPECTATOR, Occasion, Seat
from tablee.tables.clocks import SECOND
from tablee.tables.errors import NoExport
from tablee.tables.live import LiveTable


def export(live: LiveTable, seat: Seat, kind: str, site: str) -> str:
    """The game as a file of a kind that it has; once it is over, with all that was hidden.

    Raises NoExport, too while what the file tells is hidden, and NotStarted.
    """
    if kind not in live.rules.formats:
        raise NoExport()
    info = live.info
    began = datetime.fromtimestamp((info.started_at or info.created_at) / SECOND, UTC)
    occasion = Occasion(
        name=info.name,
        site=site,
        began=began.strftime("%Y-%m-%dT%H:%M:%S"),
        players={taken.seat: taken.name for taken in info.seats},
        time_control=msgspec.to_builtins(info.time_control),
    )
    text = live.rules.export(live.view(SPECTATOR if live.is_over else seat), kind, occasion)
    if text is None:
        raise NoExport("export_hidden")
    return text
