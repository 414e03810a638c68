"""A game of chess as a file for other programs, with what its reader may know and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

from tablee.rules.chess.pgn import write_pgn
from tablee.rules.contract import SPECTATOR, Json, Seat
from tablee.tables.clocks import DAY, SECOND, Budget, Days, NoClock, PerMove, TimeControl
from tablee.tables.errors import NoExport
from tablee.tables.live import LiveTable


def pgn(live: LiveTable, seat: Seat, site: str) -> str:
    """The game as PGN; once it is over, with all that was hidden. Raises NoExport, NotStarted."""
    view = _view(live, seat)
    info = live.info
    began = datetime.fromtimestamp((info.started_at or info.created_at) / SECOND, UTC)
    players = {side: info.at(number) for side, number in view["seats"].items()}
    tags = {
        "Event": info.name,
        "Site": site,
        "Date": began.strftime("%Y.%m.%d"),
        "Round": "-",
        "White": players["white"].name if players["white"] else "?",
        "Black": players["black"].name if players["black"] else "?",
        "UTCTime": began.strftime("%H:%M:%S"),
        "TimeControl": _clock_tag(info.time_control),
    }
    return write_pgn(view, tags)


def fen(live: LiveTable, seat: Seat) -> str:
    """The position now. Raises NoExport, too while it is hidden, and NotStarted."""
    text = _view(live, seat)["fen"]
    if text is None:
        raise NoExport("export_hidden")
    return f"{text}\n"


def _view(live: LiveTable, seat: Seat) -> Json:
    if live.info.game != "chess":
        raise NoExport()
    return live.view(SPECTATOR if live.is_over else seat)


def _clock_tag(control: TimeControl) -> str:
    """As the PGN standard writes it: `2700`, `300+3`, `1/86400` for so much a move, `-` for none."""
    match control:
        case Budget(seconds, increment):
            return f"{seconds}+{increment}" if increment else str(seconds)
        case PerMove(seconds):
            return f"1/{seconds}"
        case Days(days):
            return f"1/{round(days * DAY / SECOND)}"
        case NoClock():
            return "-"
