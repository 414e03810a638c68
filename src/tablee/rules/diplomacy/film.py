"""A game of Diplomacy as a film: its seasons, who was dislodged, and the centres of each power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablee.rules.contract import Fact
from tablee.rules.diplomacy.game import Ended
from tablee.rules.diplomacy.model import Situation, Verdict
from tablee.rules.diplomacy.phases import centre_counts, year
from tablee.rules.diplomacy.variant import Variant
from tablee.rules.diplomacy.views import (
    ToldAdjudicated,
    ToldBegan,
    ToldPassedOver,
    ToldPositionSet,
    ToldUndone,
)
from tablee.rules.filming import PASSED_OVER, Beat


def beat(variant: Variant, told: Sequence[Fact], words: Mapping[str, str]) -> Beat:
    """What an event is in the film; orders on their way to a resolution are passed over."""
    mark = accent = ""
    situation: Situation | None = None
    is_stop = False
    for fact in told:
        match fact:
            case ToldBegan():
                is_stop, mark, situation = True, words["film.start"], fact.situation
            case ToldAdjudicated():
                is_stop, situation = True, fact.situation
                mark = mark or _season(variant, fact.advancement, words)
                accent = accent or _accent(fact.verdicts, words)
            case ToldPassedOver():
                situation = fact.situation
            case ToldPositionSet():
                is_stop, mark, situation = True, words["film.set"], fact.situation
            case ToldUndone():
                is_stop, mark = True, words["film.undone"]
            case Ended():
                is_stop = True
    if not is_stop:
        return PASSED_OVER
    figures = None if situation is None else centre_counts(variant, situation)
    return Beat(mark=mark, accent=accent, figures=figures)


def _season(variant: Variant, advancement: int, words: Mapping[str, str]) -> str:
    """The name of a phase: "Spring 1901, moves"."""
    return words[f"glance.season_{advancement % 5}"].format(year=year(variant, advancement))


def _accent(verdicts: Sequence[Verdict], words: Mapping[str, str]) -> str:
    """Who was driven out stands out; that two met and neither moved is of every season."""
    return words["film.dislodged"] if any(verdict.dislodged for verdict in verdicts) else ""
