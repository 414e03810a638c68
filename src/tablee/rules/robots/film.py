"""A race as a film: its rounds, who freezes, who reaches a law, and the laws of each robot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tablee.rules.contract import Fact
from tablee.rules.filming import PASSED_OVER, Beat
from tablee.rules.robots.model import Ended, Placed, RegisterPlayed
from tablee.rules.robots.views import RobotsView, ToldBegan

_STRIKING = (
    ("Enrichment_Victory", "arrival"),
    ("Enrichment_QuestAchieved", "arrival"),
    ("Enrichment_Law", "law"),
    ("Enrichment_Frozen", "frozen"),
)
"""By how its code begins, what stands out; the first that happened is said."""


def beat(told: Sequence[Fact], view: Callable[[], RobotsView], words: Mapping[str, str]) -> Beat:
    """What an event is in the film; wishes and cartouches on their way are passed over."""
    mark = ""
    codes: list[str] = []
    is_stop = False
    for fact in told:
        match fact:
            case ToldBegan():
                is_stop, mark = True, words["film.start"]
            case Placed():
                is_stop = True
            case RegisterPlayed(number, _, steps):
                is_stop = True
                mark = mark or words["film.round"].format(round=number)
                codes += [step.code for step in steps]
            case Ended():
                is_stop = True
    if not is_stop:
        return PASSED_OVER
    accent = next(
        (words[f"film.{name}"] for start, name in _STRIKING if any(code.startswith(start) for code in codes)),
        "",
    )
    figures = {seat: robot.laws for seat, robot in view().robots.items()}
    return Beat(mark=mark, accent=accent, figures=figures)
