"""Who is called when something happens at a table: calls for the transaction of what causes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import structlog

from tablee.clock import Instant
from tablee.club.calling.calls import call_write, seen_write
from tablee.rules.contract import MASTER, Replace, Rules, Seat, State, Timeout
from tablee.rules.words import LANGUAGES
from tablee.store import Write
from tablee.tables.clocks import Clocks
from tablee.tables.happened import Happened
from tablee.tables.info import HouseTable

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
COMING = 15_000
"""The same before he is pushed: his clock may run."""
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


def people(info: HouseTable) -> dict[Seat, int]:
    """The members who sit at a table, by seat; the master too, at a table that has one."""
    found = {taken.seat: taken.account_id for taken in info.taken if taken.kind == "member"}
    if info.master_id is not None:
        found[MASTER] = info.master_id
    return found


def begun_calls(info: HouseTable, at: Instant) -> list[Write]:
    """The calls that a game has begun, for those who sit there."""
    return [
        call_write(who, "begun", at, table_id=info.id, patience=ARRIVING, push_patience=COMING)
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
    phase = rules.phase(after)
    is_new = before is None or rules.phase(before) != phase
    owed = rules.owed(after)
    is_moved = owed is not None and owed.by != _owed_by(rules, before)
    late = _newly_late(rules, before, after)
    passed = _passed_over(rules, happened)
    writes: list[Write] = []
    if (actor := called.get(happened.seat)) is not None:
        writes.append(seen_write(actor, info.id, happened.at))
    for seat, who in called.items():
        turn = str(phase or happened.seq)
        is_turn = seat in waiting and (is_new or seat not in waited)
        is_master = {"master": True} if seat == MASTER else {}
        # Who was waited for alone knows what he did; where several were, the last of them learns the rest.
        is_known = seat == happened.seat and waited <= {seat}
        if before is not None and not is_known and (is_new or not phase):
            news = news_of(info, rules, happened, seat, who)
            if any(news.values()):
                wait = {} if phase else {"patience": WITH_TURN, "push_patience": WITH_TURN}
                writes.append(
                    call_write(
                        who, "resolved", happened.at, table_id=info.id, what=str(happened.seq),
                        about=news | is_master, **wait,
                    )
                )  # fmt: skip
        if is_turn and seat != MASTER:
            about = {"phase": phase}
            writes.append(call_write(who, "your_turn", happened.at, table_id=info.id, what=turn, about=about))
        by = clocks.until.get(seat) if owed is None else owed.by
        if (is_turn or is_moved) and by is not None:
            writes += _deadlines(info, happened.at, by, who, is_master)
        if seat in late:
            missed: dict[str, Any] = {"by": by}
            writes.append(call_write(who, "late", happened.at, table_id=info.id, what=str(by), about=missed))
        if seat == passed:
            what, about = f"passed {happened.seq}", {"passed": happened.at}
            writes.append(call_write(who, "late", happened.at, table_id=info.id, what=what, about=about))
    return writes


def _passed_over(rules: Rules[Any], happened: Happened) -> Seat | None:
    """Whose clock has run out by an event that has not ended the game: its end is told by itself."""
    action = happened.action
    if not isinstance(action, Timeout) or rules.result(happened.after) is not None:
        return None
    return action.seat


def _newly_late(rules: Rules[Any], before: State | None, after: State) -> frozenset[Seat]:
    """Who has missed a date by this event: it is played when what came in time is read, and not before."""
    late = rules.late(after)
    if before is None or late is None:
        return frozenset()
    known = rules.late(before)
    roles = set(late.roles).difference(() if known is None else known.roles)
    holders = enumerate(rules.holders(after), 1)
    return frozenset(seat for role, seat in holders if role in roles and seat != MASTER)


def _owed_by(rules: Rules[Any], state: State | None) -> Instant | None:
    """The date that the game had set."""
    owed = None if state is None else rules.owed(state)
    return None if owed is None else owed.by


def news_of(
    info: HouseTable, rules: Rules[Any], happened: Happened, seat: Seat, who: int | None
) -> dict[str, list[str]]:
    """What a seat was told by an event, in both languages: it is not known here which of them is read."""
    told = happened.told(seat)
    if told is None:
        return {}
    names = names_for(info, who)
    # The usual sentences come from the facts alone; a view costs as much as the move itself.
    view = None if type(rules).news is Rules.news else happened.view(seat)
    if isinstance(happened.action, Replace) and not info.terms.anonymous:
        names[happened.seat] = happened.action.name  # who sits there from now on
    try:
        return {language: rules.news(told, view, names, language) for language in LANGUAGES}
    except Exception:  # a game without words for something must not keep its players from playing
        log.exception("news_failed", table=info.id, game=info.game)
        return {}


def names_for(info: HouseTable, account_id: int | None) -> dict[Seat, str]:
    """The names at a table that somebody may know, or anybody."""
    return {taken.seat: taken.name for taken in info.seen_by(account_id).seats if taken.name}


def _deadlines(info: HouseTable, at: Instant, by: Instant, who: int, more: dict[str, Any]) -> list[Write]:
    """Calls ahead of the date `by` which somebody must play, as it was set at `at`."""
    if by <= at:
        return []
    whole = by - at
    ahead = NEAR if whole >= SHORT else [round(whole * part) for part in NEAR_PARTS]
    about = {"by": by, "set": at, **more}
    return [
        call_write(
            who, "deadline_near", by - before_end, table_id=info.id, what=f"{by} {number}", about=about
        )
        for number, before_end in enumerate(ahead, 1)
    ]


def deadline_of(rules: Rules[Any], state: State, clocks: Clocks, seat: Seat) -> Instant | None:
    """By when a seat must have played: as the game has set it, else as its clock has."""
    owed = rules.owed(state)
    return clocks.until.get(seat) if owed is None else owed.by


def owes(loaded: LoadedTable, seat: Seat) -> Instant | None:
    """By when a seat still has something to do, or its master to wait for; None where that is done."""
    if loaded.state is None or loaded.is_over:
        return None
    owed = loaded.rules.owed(loaded.state)
    if owed is None:
        is_owing = seat in loaded.waiting()
    else:
        holders = loaded.rules.holders(loaded.state)
        is_owing = seat == MASTER or any(holders[role - 1] == seat for role in owed.roles)
    return deadline_of(loaded.rules, loaded.state, loaded.clocks, seat) if is_owing else None


def press_calls(info: HouseTable, accounts: Iterable[int], spoken: Spoken) -> list[Write]:
    """The calls for a declaration or a letter, for those to whom it is said."""
    kind = "declaration" if spoken.to_role is None else "letter"
    about = {"author": spoken.author_role, "to": spoken.to_role, "message": spoken.id}
    return [
        call_write(who, kind, spoken.at, table_id=info.id, what=str(spoken.id), about=about)
        for who in accounts
    ]
