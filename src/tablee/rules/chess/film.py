"""A game of chess as a film: moves, captures and checks, and the pieces that are left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tablee.rules.chess.model import Began
from tablee.rules.chess.views import ChessView, ToldEnded, ToldMoved, ToldTakenBack
from tablee.rules.contract import Fact
from tablee.rules.filming import PASSED_OVER, Beat

WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
MARKED = 10
"""Every so many moves the film has a mark."""


def beat(told: Sequence[Fact], view: Callable[[], ChessView], words: Mapping[str, str]) -> Beat:
    """What an event is in the film; one that moves nothing and ends nothing is passed over."""
    mark = accent = ""
    is_stop = False
    for fact in told:
        match fact:
            case Began():
                is_stop, mark = True, words["film.start"]
            case ToldMoved(san=san, took=took):
                is_stop = True
                move = _opened(view())
                mark = words["film.move"].format(move=move) if move else mark
                accent = _accent(san, took, words)
            case ToldTakenBack():
                is_stop, accent = True, words["film.taken_back"]
            case ToldEnded():
                is_stop = True
    return Beat(mark=mark, accent=accent, figures=_material(view())) if is_stop else PASSED_OVER


def _opened(view: ChessView) -> int:
    """The number of a move that White has just played, where it is to be marked."""
    move, second = divmod(view.ply + 1, 2)
    return move if not second and move % MARKED == 0 else 0


def _accent(san: str, took: str, words: Mapping[str, str]) -> str:
    if san.endswith("#"):
        return words["film.mate"]
    if took:
        return words["film.took"]
    return words["film.check"] if san.endswith("+") else ""


def _material(view: ChessView) -> dict[int, int] | None:
    """What the pieces of each side are worth; where some are in the dark, nobody can say."""
    if view.fen is None:
        return None
    letters = "".join(view.boards.values())
    return {
        view.seats.white: sum(WORTH.get(each.lower(), 0) for each in letters if each.isupper()),
        view.seats.black: sum(WORTH.get(each, 0) for each in letters if each.islower()),
    }
