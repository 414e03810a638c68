"""A game of Diplomacy in a few words: for the list of somebody's games, and before he sits down."""

from __future__ import annotations

from collections.abc import Mapping

from tablee.rules.conditions import Condition, counted, plain_conditions
from tablee.rules.contract import Glance
from tablee.rules.diplomacy.adjustments import owed
from tablee.rules.diplomacy.game import DiplomacyOptions
from tablee.rules.diplomacy.model import Season
from tablee.rules.diplomacy.submission import unordered
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import DiplomacyView

ALL_YEARS = 99
"""With so many years to play, the centres decide, and not the calendar."""


def glance(view: DiplomacyView, words: Mapping[str, str]) -> Glance:
    """The roles of a seat, the season, and how many of its units have an order."""
    own = () if view.you is None else view.roles_of(view.you)
    owing = [role for role in own if view.roles[role].owes and view.ended is None]
    due = [_units(view, role) for role in owing]
    is_final = bool(owing) and all(view.roles[role].is_in for role in owing)
    return Glance(
        plays=", ".join(words[f"role.{role}"] for role in own),
        moment=words[f"glance.season_{view.season}"].format(year=view.year),
        given=sum(given for given, _ in due),
        of=sum(of for _, of in due),
        is_in=is_final or (bool(owing) and all(role in view.orders for role in owing)),
        is_final=is_final,
    )


def _units(view: DiplomacyView, role: int) -> tuple[int, int]:
    """How many orders of a role are there, and how many there may be."""
    variant, situation = load_variant(view.variant), view.unwritten.situation
    orders = view.orders.get(role, ())
    if view.advancement % 5 == Season.ADJUSTMENTS:
        due = abs(owed(variant, situation).get(role, 0))
        return min(len(orders), due), due
    due = len(unordered(variant, view.advancement, situation, role, ()))
    return due - len(unordered(variant, view.advancement, situation, role, orders)), due


def conditions(
    options: DiplomacyOptions, victory: int, words: Mapping[str, str], language: str
) -> list[Condition]:
    """The pace first, then what happens to who is late, then how one wins."""
    found = [Condition(words["condition.pace"], _pace(options, words))]
    if options.calendar and not options.archive:
        grace = counted(words, "condition.hour", options.grace) if options.grace else words["condition.none"]
        found += [
            Condition(words["condition.grace"], grace),
            Condition(words["condition.disorder"], _disorder(options, words)),
        ]
        found += plain_conditions(words, options, language, ("robots_stand_in",))
    found.append(Condition(words["condition.victory"], words["condition.centres"].format(n=victory)))
    if options.cycles < ALL_YEARS:
        found.append(Condition(words["option.cycles"], words["condition.years"].format(n=options.cycles)))
    return [*found, *plain_conditions(words, options, language, ("choices",))]


def _pace(options: DiplomacyOptions, words: Mapping[str, str]) -> str:
    if options.archive:
        return words["condition.archive"]
    if options.calendar:
        hour, minute = divmod(options.minute, 60)
        pace = words["condition.dated"].format(
            moves=counted(words, "condition.day", options.moves_days),
            retreats=counted(words, "condition.day", options.retreats_days),
            adjustments=counted(words, "condition.day", options.adjustments_days),
            hour=f"{hour:02}",
            minute=f"{minute:02}",
        )
        return pace if options.weekends else f"{pace}{words['condition.no_weekends']}"
    if options.minutes:
        return counted(words, "condition.minute", options.minutes)
    return words[f"condition.{options.adjudication}"]


def _disorder(options: DiplomacyOptions, words: Mapping[str, str]) -> str:
    phases = ("moves", "retreats", "builds", "removals")
    hit = [phase for phase in phases if getattr(options, f"disorder_{phase}")]
    if not hit:
        return words["condition.never"]
    if len(hit) == len(phases):
        return words["condition.always"]
    return words["condition.in"].format(phases=", ".join(words[f"condition.phase_{each}"] for each in hit))
