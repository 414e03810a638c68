"""The informations of a game (document, chapter E.1): as parameters, and as options and terms of a table."""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.doors.afjd.house import view_of
from tablee.doors.afjd.parameters import Param, day, flag, integer, optional, text
from tablee.doors.afjd.refusal import Refusal
from tablee.rules.diplomacy.game import CYCLES_MOST, DiplomacyOptions
from tablee.rules.diplomacy.views import DiplomacyView
from tablee.tables import Chair, HouseTable, Terms
from tablee.tables.calendar import ClubCalendar

Json = Any
NAME_MOST = 50
SPEED_MOST = 365

PARAMS: tuple[Param, ...] = (
    optional(text("description", "anything, at most 10,000 characters", 10_000)),
    optional(text("variant", "standard, or another of ours", 20)),
    flag("archive", "played elsewhere: the master enters everything; no deadline, no rating"),
    flag("anonymous", "nobody but the master learns who plays"),
    flag("silent", "players do not speak to each other"),
    flag("cumulate", "a player may have several roles"),
    flag("fast", "no deadline: the last final orders resolve the phase"),
    day("deadline", "the date on which the phase ends, at 20:00 in the club's zone"),
    optional(integer("speed_moves", "days for a movement phase", 0, SPEED_MOST)),
    flag("cd_possible_moves", "civil disorder is possible in movements"),
    optional(integer("speed_retreats", "days for a retreat phase", 0, SPEED_MOST)),
    flag("cd_possible_retreats", "civil disorder is possible in retreats"),
    optional(integer("speed_adjustments", "days for adjustments", 0, SPEED_MOST)),
    flag("cd_possible_builds", "civil disorder is possible for builds"),
    flag("cd_possible_removals", "civil disorder is possible for removals"),
    flag("play_weekend", "deadlines may fall on a weekend"),
    flag("manual", "the master deals the roles"),
    optional(
        integer(
            "access_code",
            "what a player must know to come in; 0 is no code, 1 the one that there is",
            0,
            999_999_999,
        )
    ),
    optional(integer("access_restriction_reliability", "the least reliability; 0 is none", 0, 100)),
    optional(integer("access_restriction_regularity", "the least regularity; 0 is none", 0, 100)),
    optional(integer("access_restriction_performance", "the least performance; 0 is none", 0, 10_000)),
    optional(integer("nb_max_cycles_to_play", "game years at most", 1, CYCLES_MOST)),
    optional(integer("victory_centers", "centres for a victory", 1, 100)),
)
STATE = optional(integer("current_state", "0 waiting, 1 running, 2 stopped", 0, 2))

OPTIONS = {
    "speed_moves": "moves_days",
    "cd_possible_moves": "disorder_moves",
    "speed_retreats": "retreats_days",
    "cd_possible_retreats": "disorder_retreats",
    "speed_adjustments": "adjustments_days",
    "cd_possible_builds": "disorder_builds",
    "cd_possible_removals": "disorder_removals",
    "play_weekend": "weekends",
    "victory_centers": "victory",
    "nb_max_cycles_to_play": "cycles",
    "archive": "archive",
}
"""Which of our options a field of the document is."""
TERMS = {
    "description": "description",
    "anonymous": "anonymous",
    "silent": "silent",
    "manual": "manual",
    "fast": "fast",
    "access_code": "access_code",
    "access_restriction_reliability": "reliability",
    "access_restriction_regularity": "regularity",
    "access_restriction_performance": "performance",
}
DEFAULTS = DiplomacyOptions(
    choices="AFJD",
    victory=18,
    cycles=99,
    sharing="none",
    calendar=True,
    moves_days=2,
    retreats_days=1,
    adjustments_days=1,
    weekends=False,
    disorder_moves=False,
    disorder_retreats=True,
    disorder_builds=False,
    disorder_removals=True,
)
HAS_CODE = 1
"""What is told of an access code, and means the same code when it comes back: so it is none itself."""


def options_with(before: DiplomacyOptions, terms: Terms, given: dict[str, Any]) -> DiplomacyOptions:
    """The options after what is given; terms that bear on them are those after it."""
    changes = {option: given[field] for field, option in OPTIONS.items() if given.get(field) is not None}
    if given.get("cumulate") is not None:
        changes["sharing"] = "any" if given["cumulate"] else "none"
    after = msgspec.structs.replace(before, **changes)
    return msgspec.structs.replace(after, calendar=not terms.fast and not after.archive)


def terms_with(before: Terms, given: dict[str, Any]) -> Terms:
    """The terms after what is given; raises Refusal 400."""
    changes = {term: given[field] for field, term in TERMS.items() if given.get(field) is not None}
    if changes.get("access_code") == HAS_CODE:
        if not before.access_code:
            raise Refusal(400, "access_code: 1 stands for a code that there is; choose another one")
        del changes["access_code"]
    return msgspec.structs.replace(before, **changes)


def options_of(info: HouseTable, view: DiplomacyView | None) -> DiplomacyOptions:
    """The options of a game: of the one that runs as they are now."""
    if view is not None:
        return view.unwritten.options
    return msgspec.convert(info.options, DiplomacyOptions)


def informations(chair: Chair, calendar: ClubCalendar) -> Json:
    """All the fields of a game; of its access code only whether there is one."""
    info, terms, view = chair.info, chair.info.terms, view_of(chair)
    options = options_of(info, view)
    return {
        "name": info.name,
        "description": terms.description,
        "variant": info.variant,
        "archive": int(options.archive),
        "anonymous": int(terms.anonymous),
        "silent": int(terms.silent),
        "cumulate": int(options.sharing != "none"),
        "fast": int(terms.fast),
        "deadline": deadline_of(info, view, calendar),
        "speed_moves": options.moves_days,
        "cd_possible_moves": int(options.disorder_moves),
        "speed_retreats": options.retreats_days,
        "cd_possible_retreats": int(options.disorder_retreats),
        "speed_adjustments": options.adjustments_days,
        "cd_possible_builds": int(options.disorder_builds),
        "cd_possible_removals": int(options.disorder_removals),
        "play_weekend": int(options.weekends),
        "manual": int(terms.manual),
        "access_code": HAS_CODE if terms.access_code else 0,
        "access_restriction_reliability": terms.reliability,
        "access_restriction_regularity": terms.regularity,
        "access_restriction_performance": terms.performance,
        "current_advancement": 0 if view is None else view.advancement,
        "nb_max_cycles_to_play": options.cycles,
        "victory_centers": options.victory if view is None else view.victory,
        "current_state": {"open": 0, "running": 1}.get(info.status, 2),
    }


def deadline_of(info: HouseTable, view: DiplomacyView | None, calendar: ClubCalendar) -> str:
    """The date on which the phase ends, else the one that the master chose, else the day of creation."""
    ends = 0 if view is None else view.unwritten.deadline
    at = ends or options_of(info, view).first_deadline or info.created_at
    return calendar.day_of(at).isoformat()


def demand_name(name: str) -> str:
    """The name of a game; raises Refusal 400."""
    if not 1 <= len(name) <= NAME_MOST:
        raise Refusal(400, f"name must have 1 to {NAME_MOST} characters, not {len(name)}")
    if not name.isprintable() or name != name.strip():
        raise Refusal(400, "name must be printable, without spaces at its ends")
    if "/" in name or name in (".", ".."):
        raise Refusal(400, "name must not have a slash: it would be lost in the path")
    return name
