"""A game in the arena as a film: its rounds, who is pushed, who arrives, and how far everybody has to go."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tablee.rules.arena.model import Ended, Finished, Resigned, Returned, StoodIn, TurnEnded
from tablee.rules.arena.views import ArenaView, ToldDealt, ToldPushed, ToldRefilled, ToldTurnBegan
from tablee.rules.contract import Fact
from tablee.rules.filming import PASSED_OVER, Beat

_QUIET = (ToldTurnBegan, TurnEnded, ToldRefilled, StoodIn, Returned)


def beat(told: Sequence[Fact], view: Callable[[], ArenaView], words: Mapping[str, str]) -> Beat:
    """What an event is in the film; that a turn goes round is passed over."""
    begun = next((fact for fact in told if isinstance(fact, ToldTurnBegan)), None)
    if begun is None and all(isinstance(fact, _QUIET) for fact in told):
        return PASSED_OVER
    seen = view()
    mark = words["film.start"] if any(isinstance(fact, ToldDealt) for fact in told) else ""
    if begun is not None and not mark and begun.seat == _first(seen):
        mark = words["film.round"].format(round=begun.round)
    figures = {
        seat: player.steps_home for seat, player in seen.players.items() if player.steps_home is not None
    }
    return Beat(mark=mark, accent=_accent(told, words), figures=figures)


def _first(view: ArenaView) -> int | None:
    """With whose turn a round begins."""
    return next((seat for seat in view.order if view.players[seat].rank is None), None)


def _accent(told: Sequence[Fact], words: Mapping[str, str]) -> str:
    for fact in told:
        match fact:
            case Finished():
                return words["film.arrival"]
            case ToldPushed():
                return words["film.pushed"]
            case Resigned():
                return words["film.resigned"]
            case Ended():
                return ""
    return ""
