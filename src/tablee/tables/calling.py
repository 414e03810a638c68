"""Who is called when something happens at a table: calls for the transaction of what causes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import structlog

from tablee.clock import Instant
from tablee.club.calling.calls import call_write, seen_write
from tablee.rules.contract import MASTER, Rules, Seat, State
from tablee.rules.words import LANGUAGES
from tablee.store import Write
from tablee.tables.clocks import Clocks
from tablee.tables.happened import Happened
from tablee.tables.info import TableInfo

if TYPE_CHECKING:
    from tablee.tables.loaded import LoadedTable
    from tablee.tables.press import Spoken

log = structlog.get_logger("tablee.tables")

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
SHORT = 2 * DAY
"""Of a time that is shorter than this, parts of it are near the end; else these many hours."""
NEAR = (24 * HOUR, 3 * HOUR)
NEAR_PARTS = (0.25, 0.05)
ARRIVING = MINUTE
"""Who sits down at a table that begins is given so long to see it before he is written to."""
WITH_TURN = 3 * DAY
"""What others did at a table where one plays after the other waits for the letter that says: your turn."""


def calls_of(loaded: LoadedTable, events: Iterable[Happened], clocks: Clocks) -> list[Write]:
    """The calls that some events of a table cause, for their own transaction."""
    writes: list[Write] = []
    for happened in events:
        if happened.before is None:
            writes += begun_calls(loaded.info, happened.at)
        if loaded.is_by_days:
            writes += _moved_on(loaded, happened, clocks)
    return writes


def people(info: TableInfo) -> dict[Seat, int]:
    """The members who sit at a table, by seat; the master too, at a table that has one."""
    found = {taken.seat: taken.account_id for taken in info.taken if taken.kind == "member"}
    if info.master_id is not None:
        found[MASTER] = info.master_id
    return found


def begun_calls(info: TableInfo, at: Instant) -> list[Write]:
    """The calls that a game has begun, for those who sit there."""
    return [
        call_write(who, "begun", at, table_id=info.id, patience=ARRIVING)
        for seat, who in people(info).items()
        if seat != MASTER
    ]


def _moved_on(loaded: LoadedTable, happened: Happened, clocks: Clocks) -> list[Write]:
    info, rules, before, after = loaded.info, loaded.rules, happened.before, happened.after
    waited = frozenset[Seat]() if before is None else rules.waiting(before)
    waiting = rules.waiting(after)
    called = people(info)
    if not called:
        return []
    # Every player knows the phase, so that it is read off one view for all.
    one = min(called)
    phase = rules.phase(happened.view(one))
    is_new = before is None or rules.phase(rules.view(before, one)) != phase
    is_moved = _is_moved(rules, before, after)
    writes: list[Write] = []
    if (actor := called.get(happened.seat)) is not None:
        writes.append(seen_write(actor, info.id, happened.at))
    for seat, who in called.items():
        turn = str(phase or happened.seq)
        is_turn = seat in waiting and (is_new or seat not in waited)
        is_master = {"master": True} if seat == MASTER else {}
        if before is not None and seat != happened.seat and (is_new or not phase):
            news = _news(info, rules, happened, seat, who)
            if any(news.values()):
                wait = None if phase else WITH_TURN
                writes.append(
                    call_write(
                        who, "resolved", happened.at, table_id=info.id, what=str(happened.seq),
                        about=news | is_master, patience=wait,
                    )
                )  # fmt: skip
        if is_turn and seat != MASTER:
            about = {"phase": phase}
            writes.append(call_write(who, "your_turn", happened.at, table_id=info.id, what=turn, about=about))
        if is_turn or is_moved:
            writes += _deadlines(info, rules, happened, clocks, seat, who, is_master)
    return writes


def _is_moved(rules: Rules[Any], before: State | None, after: State) -> bool:
    """Whether the game has set another date."""
    was, owed = None if before is None else rules.owed(before), rules.owed(after)
    return owed is not None and (was is None or was.by != owed.by)


def _news(info: TableInfo, rules: Rules[Any], happened: Happened, seat: Seat, who: int) -> dict[str, Any]:
    """What a seat was told by an event, in both languages: it is not known here which of them is read."""
    told = happened.told(seat)
    if told is None:
        return {}
    names = names_for(info, who)
    view = happened.view(seat)
    try:
        return {language: rules.news(told, view, names, language) for language in LANGUAGES}
    except Exception:  # a game without words for something must not keep its players from playing
        log.exception("news_failed", table=info.id, game=info.game)
        return {}


def names_for(info: TableInfo, account_id: int) -> dict[Seat, str]:
    """The names at a table that somebody may know."""
    return {taken.seat: taken.name for taken in info.seen_by(account_id).seats if taken.name}


def _deadlines(
    info: TableInfo,
    rules: Rules[Any],
    happened: Happened,
    clocks: Clocks,
    seat: Seat,
    who: int,
    more: dict[str, Any],
) -> list[Write]:
    """Calls ahead of the date by which a seat must play, which this event has set."""
    by = deadline_of(rules, happened.after, clocks, seat)
    if by is None or by <= happened.at:
        return []
    whole = by - happened.at
    ahead = NEAR if whole >= SHORT else [round(whole * part) for part in NEAR_PARTS]
    about = {"by": by, **more}
    writes = [
        call_write(
            who, "deadline_near", by - before_end, table_id=info.id, what=f"{by} {number}", about=about
        )
        for number, before_end in enumerate(ahead, 1)
    ]
    if rules.owed(happened.after) is not None and seat != MASTER:
        writes.append(call_write(who, "late", by, table_id=info.id, what=str(by), about=about))
    return writes


def deadline_of(rules: Rules[Any], state: State, clocks: Clocks, seat: Seat) -> Instant | None:
    """By when a seat must have played: as the game has set it, else as its clock has."""
    owed = rules.owed(state)
    return clocks.until.get(seat) if owed is None else owed.by


def press_calls(info: TableInfo, accounts: Iterable[int], spoken: Spoken) -> list[Write]:
    """The calls for a declaration or a letter, for those to whom it is said."""
    kind = "declaration" if spoken.to_role is None else "letter"
    about = {"author": spoken.author_role, "to": spoken.to_role, "message": spoken.id}
    return [
        call_write(who, kind, spoken.at, table_id=info.id, what=str(spoken.id), about=about)
        for who in accounts
    ]
