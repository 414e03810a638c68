"""A game as PGN, written from a view: what its reader may not know is not in it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tablee.rules.chess.boards import BOARDS
from tablee.rules.chess.review import Point, Review
from tablee.rules.chess.views import ChessView
from tablee.rules.contract import Json, Occasion

NAMES = {"classic": "Standard", "alice": "Alice", "dark": "Dark", "horde": "Pawn Hub Horde"}
"""The variant's tag. Our horde is black and stands otherwise than the Horde of other houses."""
UNSEEN = "--"
DAY_SECONDS = 86_400
_WIDTH = 80


def tags_of(view: ChessView, occasion: Occasion) -> dict[str, str]:
    """The tags that tell where, when and by whom a game was played."""
    day, time = occasion.began.split("T")
    seats = (("White", view.seats.white), ("Black", view.seats.black))
    ratings = {f"{side}Elo": str(occasion.ratings[seat]) for side, seat in seats if seat in occasion.ratings}
    return {
        "Event": occasion.name,
        "Site": occasion.site,
        "Date": day.replace("-", "."),
        "Round": "-",
        "White": occasion.players.get(view.seats.white, "?"),
        "Black": occasion.players.get(view.seats.black, "?"),
        **ratings,
        "UTCTime": time,
        "TimeControl": _clock_tag(occasion.time_control),
    }


def _clock_tag(control: Json) -> str:
    """As the PGN standard writes it: `2700`, `300+3`, `1/86400` for so much a move, `-` for none."""
    match control:
        case {"kind": "budget", "seconds": seconds, "increment": increment}:
            return f"{seconds}+{increment}" if increment else str(seconds)
        case {"kind": "move", "seconds": seconds}:
            return f"1/{seconds}"
        case {"kind": "days", "days": days}:
            return f"1/{round(days * DAY_SECONDS)}"
    return "-"


def write_pgn(
    view: ChessView,
    tags: Mapping[str, str],
    left: Mapping[int, int] = MappingProxyType({}),
    review: Review | None = None,
) -> str:
    """The game of a view; `tags` give Event, Site, Date, Round, White and Black where they are known.

    A move of Dark that the view hides is `--`, the null move. `left` is what was on the clock after each
    half-move, in milliseconds and from 1 on; with a review there is what each position is worth.
    """
    variant = view.variant
    result = result_of(view)
    known = {name: tags.get(name, "?") for name in ("Event", "Site", "Date", "Round", "White", "Black")}
    if "Date" not in tags:
        known["Date"] = "????.??.??"
    known["Result"] = result  # the seven tags of the standard come first, in its order
    known |= {name: text for name, text in tags.items() if name not in known}
    known["Variant"] = NAMES[variant]
    start = view.start or BOARDS[variant].starting_fen
    if start != BOARDS[variant].starting_fen or variant in ("alice", "horde"):
        known |= {"SetUp": "1", "FEN": start}
    if view.ended is not None:
        known["Termination"] = view.ended.replace("_", " ")
    head = "\n".join(f'[{name} "{_escaped(text)}"]' for name, text in known.items())
    return f"{head}\n\n{_wrapped([*_movetext(view, start, left, review), result])}\n"


def result_of(view: ChessView) -> str:
    """`1-0`, `0-1`, `1/2-1/2`, or `*` while it goes on."""
    if view.ended is None:
        return "*"
    return {"white": "1-0", "black": "0-1"}.get(view.winner or "", "1/2-1/2")


def _movetext(view: ChessView, start: str, left: Mapping[int, int], review: Review | None) -> list[str]:
    fields = start.split(" ")
    black_first, number = fields[1] == "b", int(fields[5])
    words = []
    for ply in range(view.ply):
        half = ply + black_first
        if half % 2 == 0:
            words.append(f"{number + half // 2}.")
        elif ply == 0:
            words.append(f"{number}...")
        words.append(view.moves[str(ply)][1] or UNSEEN)
        said = []
        if review is not None and ply + 1 < len(review.curve):
            said.append(f"[%eval {_worth(review.curve[ply + 1])}]")
        if ply + 1 in left:
            said.append(f"[%clk {_clock(left[ply + 1])}]")
        if said:
            words += ["{", *" ".join(said).split(" "), "}"]
    return words


def _worth(point: Point) -> str:
    """In pawns, for White; `#3` where a mate is forced."""
    return f"#{point.wins_in}" if point.wins_in is not None else f"{point.score / 100:.2f}"


def _clock(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _escaped(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: list[str]) -> str:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)
