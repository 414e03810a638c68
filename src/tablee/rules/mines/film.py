"""A match of mines as a film: what was opened, which mines were hit, and the points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tablee.rules.contract import Fact
from tablee.rules.filming import PASSED_OVER, Beat
from tablee.rules.mines.model import Abandoned, Finished
from tablee.rules.mines.views import MinesView, ToldOpened

QUARTER = 25


def beat(told: Sequence[Fact], view: Callable[[], MinesView], words: Mapping[str, str]) -> Beat:
    """What an event is in the film; people who come and go are passed over."""
    opened = [square for fact in told if isinstance(fact, ToldOpened) for square in fact.squares]
    if not opened and not any(isinstance(fact, Finished | Abandoned) for fact in told):
        return PASSED_OVER
    seen = view()
    hit = any(content < 0 for _, _, content, _ in opened)
    return Beat(
        mark=_mark(seen, len(opened), words),
        accent=words["film.mine"] if hit else "",
        figures={int(seat): player.points for seat, player in seen.players.items()},
    )


def _mark(view: MinesView, opened: int, words: Mapping[str, str]) -> str:
    """Each quarter of the board is a mark, and so is the first square."""
    squares = view.width * view.height
    now = sum(letter not in "XF" for row in view.rows.values() for letter in row)
    before = now - opened
    if opened and not before:
        return words["film.start"]
    reached = 100 * now // squares // QUARTER
    if reached > 100 * before // squares // QUARTER:
        return words["glance.cleared"].format(percent=reached * QUARTER)
    return ""
