"""Every statement that tables send to the store, in one place."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    true,
    union,
    update,
)
from sqlalchemy import exists as sql_exists

from tablee.store import Query, upsert
from tablee.store.schema import (
    account,
    announcement,
    call,
    challenge,
    departure,
    draft,
    event,
    game_table,
    handover,
    invitation,
    mark,
    message,
    notebook,
    notice,
    outbox,
    outcome,
    presence,
    queue_entry,
    reading,
    reply_token,
    seat,
    snapshot,
    stand_in_vote,
    standing,
    tally,
    unsent,
    visit,
    webhook,
    wish,
)

# Parameters that are no values of columns begin with b_: the names of columns are taken in an update.

# --- tables -----------------------------------------------------------------------------------------------

# With the names that host and players have now; the log keeps those that they had.
_tables = select(game_table, account.c.pseudo.label("host_name")).outerjoin(
    account, account.c.id == game_table.c.host_id
)
_seats = (
    select(seat, account.c.pseudo, account.c.kind, standing.c.mu, standing.c.rated)
    .join(game_table, game_table.c.id == seat.c.table_id)
    .outerjoin(account, account.c.id == seat.c.account_id)
    .outerjoin(
        standing,
        and_(
            standing.c.account_id == seat.c.account_id,
            standing.c.game == game_table.c.game,
            standing.c.variant == game_table.c.variant,
        ),
    )
)

TABLE = Query(_tables.where(game_table.c.id == bindparam("b_id")))
SEATS = Query(_seats.where(seat.c.table_id == bindparam("b_id")))
SEATS_OF_MANY = Query(_seats.where(seat.c.table_id.in_(bindparam("b_ids", expanding=True))))

ADD_TABLE = Query(insert(game_table))
HOSTED = Query(
    select(func.count().label("number")).where(
        game_table.c.host_id == bindparam("b_host_id"), game_table.c.status.in_(("open", "running"))
    )
)
ADD_SEAT = Query(insert(seat))
PUT_SEAT = Query(upsert(seat))
DROP_SEAT = Query(
    delete(seat).where(seat.c.table_id == bindparam("b_id"), seat.c.seat == bindparam("b_seat"))
)
LEAVE_SEAT = Query(
    update(seat)
    .where(seat.c.table_id == bindparam("b_id"), seat.c.seat == bindparam("b_seat"))
    .values(left_at=bindparam("b_left_at"))
)

# A seat that somebody goes on in is still who was seen there: of two who come for it, one gets it.
STILL_SEATED = Query(
    update(seat)
    .where(
        seat.c.table_id == bindparam("b_id"),
        seat.c.seat == bindparam("b_seat"),
        seat.c.account_id == bindparam("b_account_id"),
        seat.c.joined_at == bindparam("b_joined_at"),
    )
    .values(seat=seat.c.seat)
)
SEEN_SEAT = Query(
    update(seat)
    .where(seat.c.table_id == bindparam("b_table_id"), seat.c.account_id == bindparam("b_account_id"))
    .values(seen_at=bindparam("b_at"))
)
LOOK = Query(
    update(presence)
    .where(
        presence.c.node_id == bindparam("b_node"),
        presence.c.place == "table",
        presence.c.account_id == bindparam("b_account_id"),
        presence.c.table_id == bindparam("b_table_id"),
    )
    .values(looks=bindparam("b_looks"))
)
DEPARTED = Query(upsert(departure))
REPLACED = Query(upsert(departure, change=["at"]))
DEPARTURES = Query(
    select(departure, account.c.pseudo)
    .outerjoin(account, account.c.id == departure.c.account_id)
    .where(departure.c.table_id == bindparam("b_id"))
)
HELD_FIRST = Query(upsert(handover, change=()))
HANDED_OVER = Query(upsert(handover))

# Taking a seat before the game begins: the row of the table is touched first, which makes nodes take turns;
# then the seat goes only to somebody who has none.
TOUCH_OPEN = Query(
    update(game_table)
    .where(game_table.c.id == bindparam("b_id"), game_table.c.status == "open")
    .values(status="open")
)
TAKE_SEAT = Query(
    insert(seat).from_select(
        ["table_id", "seat", "account_id", "name", "robot", "joined_at", "left_at"],
        select(
            bindparam("b_table_id", type_=seat.c.table_id.type),
            bindparam("b_seat", type_=seat.c.seat.type),
            bindparam("b_account_id", type_=seat.c.account_id.type),
            bindparam("b_name", type_=seat.c.name.type),
            bindparam("b_robot", type_=seat.c.robot.type),
            bindparam("b_joined_at", type_=seat.c.joined_at.type),
            literal(None, type_=seat.c.left_at.type),
        ).where(
            ~sql_exists(
                select(seat.c.seat).where(
                    seat.c.table_id == bindparam("b_table_id", type_=seat.c.table_id.type),
                    seat.c.account_id == bindparam("b_account_id", type_=seat.c.account_id.type),
                    bindparam("b_robot", type_=seat.c.robot.type).is_(None),
                )
            )
        ),
    )
)

_sitting = (
    select(func.count())
    .select_from(seat)
    .where(seat.c.table_id == bindparam("b_id"), seat.c.left_at.is_(None))
    .scalar_subquery()
)
STARTED = Query(
    update(game_table)
    .where(
        game_table.c.id == bindparam("b_id"),
        game_table.c.status == "open",
        # Whoever left or came while the deal was made is not in it: then it is made again.
        _sitting == bindparam("b_seats"),
    )
    .values(status="running", started_at=bindparam("b_at"))
)
ENDED = Query(
    update(game_table)
    .where(game_table.c.id == bindparam("b_id"), game_table.c.status == "running")
    .values(status="over", ended_at=bindparam("b_at"), result=bindparam("b_result"), due_at=None)
)
CLOSED = Query(
    update(game_table)
    .where(game_table.c.id == bindparam("b_id"), game_table.c.status == "open")
    .values(status="closed", ended_at=bindparam("b_at"), result=bindparam("b_result"), due_at=None)
)
NEW_HOST = Query(
    update(game_table).where(game_table.c.id == bindparam("b_id")).values(host_id=bindparam("b_host_id"))
)
NEW_LINK = Query(
    update(game_table)
    .where(game_table.c.id == bindparam("b_id"), game_table.c.access == "private")
    .values(invitation=bindparam("b_invitation"))
)

_terms = func.coalesce(game_table.c.terms, "") == bindparam("b_was_terms")
_before = and_(game_table.c.id == bindparam("b_id"), _terms)
_new_terms: dict[str, Any] = {name: bindparam(f"b_{name}") for name in ("terms", "mastered", "anonymous")}
SET_TERMS = Query(
    update(game_table).where(_before, game_table.c.status.in_(("open", "running"))).values(**_new_terms)
)
CHANGE_OPEN = Query(
    update(game_table)
    .where(_before, game_table.c.status == "open", game_table.c.options == bindparam("b_was_options"))
    .values(
        **_new_terms,
        options=bindparam("b_options"),
        name=bindparam("b_name"),
        name_key=bindparam("b_name_key"),
        variant=bindparam("b_variant"),
        rated=bindparam("b_rated"),
        seats_least=bindparam("b_seats_least"),
        seats_most=bindparam("b_seats_most"),
    )
)
CHANGE_RUNNING = Query(
    update(game_table)
    .where(_before, game_table.c.status == "running")
    .values(
        **_new_terms,
        options=bindparam("b_options"),
        name=bindparam("b_name"),
        name_key=bindparam("b_name_key"),
    )
)
ERASE = [
    Query(delete(table).where(column == bindparam("b_id")))
    for table, column in (
        (event, event.c.table_id),
        (snapshot, snapshot.c.table_id),
        (mark, mark.c.table_id),
        (seat, seat.c.table_id),
        (outcome, outcome.c.table_id),
        (departure, departure.c.table_id),
        (handover, handover.c.table_id),
        (invitation, invitation.c.table_id),
        (visit, visit.c.table_id),
        (notebook, notebook.c.table_id),
        (draft, draft.c.table_id),
        (call, call.c.table_id),
        (wish, wish.c.table_id),
        (unsent, unsent.c.table_id),
        (reply_token, reply_token.c.table_id),
        (stand_in_vote, stand_in_vote.c.table_id),
        (tally, tally.c.table_id),
        (announcement, announcement.c.table_id),
        (webhook, webhook.c.table_id),
    )
]
ERASE_TALK = [
    Query(delete(table).where(table.c.channel.in_(bindparam("b_channels", expanding=True))))
    for table in (message, reading)
]
ERASE_READING = Query(delete(reading).where(reading.c.channel.like(bindparam("b_pattern"))))
ERASE_TABLE = Query(delete(game_table).where(game_table.c.id == bindparam("b_id")))

# --- time -------------------------------------------------------------------------------------------------

SET_DUE = Query(
    update(game_table).where(game_table.c.id == bindparam("b_id")).values(due_at=bindparam("b_due_at"))
)
MOVE_DUE = Query(
    update(game_table)
    .where(game_table.c.id == bindparam("b_id"), game_table.c.seq == bindparam("b_seq"))
    .values(due_at=bindparam("b_due_at"))
)
_due = (
    select(game_table.c.id)
    .where(game_table.c.due_at <= bindparam("b_now"), game_table.c.status == "running")
    .order_by(game_table.c.due_at)
    .limit(bindparam("b_limit"))
)
# A node that finds a table due puts the time on by a lease, so that the others leave it alone meanwhile.
CLAIM_DUE = Query(
    update(game_table)
    .where(game_table.c.id.in_(_due.with_for_update(skip_locked=True).scalar_subquery()))
    .values(due_at=bindparam("b_until"))
    .returning(game_table.c.id)
)
TIMED = Query(
    select(game_table.c.id)
    .where(game_table.c.status == "running", game_table.c.due_at.is_not(None))
    .order_by(game_table.c.id)
)
WITH_ROBOTS = Query(
    select(seat.c.table_id)
    .join(game_table, game_table.c.id == seat.c.table_id)
    .where(game_table.c.status == "running", seat.c.robot.is_not(None), seat.c.left_at.is_(None))
    .distinct()
)
LOOKED_AT = Query(
    update(game_table)
    .where(
        game_table.c.id.in_(bindparam("b_ids", expanding=True)),
        game_table.c.status.in_(("open", "running")),
    )
    .values(looked_at=bindparam("b_at"))
)
_to_sweep = (
    select(game_table.c.id)
    .where(game_table.c.sweep_at <= bindparam("b_now"))
    .order_by(game_table.c.sweep_at)
    .limit(bindparam("b_limit"))
)
CLAIM_SWEEP = Query(
    update(game_table)
    .where(game_table.c.id.in_(_to_sweep.with_for_update(skip_locked=True).scalar_subquery()))
    .values(sweep_at=bindparam("b_until"))
    .returning(game_table.c.id, game_table.c.looked_at, game_table.c.warned_at, game_table.c.sweep_at)
)
SWEEP_AGAIN = Query(
    update(game_table).where(game_table.c.id == bindparam("b_id")).values(sweep_at=bindparam("b_sweep_at"))
)
WARNED = Query(
    update(game_table)
    .where(
        game_table.c.id == bindparam("b_id"),
        game_table.c.status.in_(("open", "running")),
        game_table.c.sweep_at == bindparam("b_claimed"),
    )
    .values(warned_at=bindparam("b_at"), sweep_at=bindparam("b_sweep_at"))
)
_later = {
    column: game_table.c[column] + bindparam("b_by", type_=game_table.c[column].type)
    for column in ("looked_at", "sweep_at", "warned_at")
}
SWEEP_LATER = Query(update(game_table).where(game_table.c.status.in_(("open", "running"))).values(**_later))
HEADS = Query(
    select(game_table.c.id, game_table.c.seq).where(game_table.c.id.in_(bindparam("b_ids", expanding=True)))
)

# --- the log ----------------------------------------------------------------------------------------------

EVENT_BY_REQUEST = Query(
    select(event.c.seq).where(
        event.c.table_id == bindparam("table_id"),
        event.c.seat == bindparam("seat"),
        event.c.request_id == bindparam("request_id"),
    )
)

# --- presence ---------------------------------------------------------------------------------------------

DROP_PRESENCE = Query(
    delete(presence).where(
        presence.c.node_id == bindparam("b_node"),
        presence.c.place == "table",
        presence.c.account_id == bindparam("b_account_id"),
        presence.c.table_id == bindparam("b_table_id"),
    )
)
PRESENT_ELSEWHERE = Query(
    select(presence.c.node_id)
    .where(
        presence.c.place == "table",
        presence.c.table_id == bindparam("b_table_id"),
        presence.c.seat == bindparam("b_seat"),
        presence.c.node_id.not_in(bindparam("b_nodes", expanding=True)),
    )
    .limit(1)
)
PRESENT = Query(
    select(presence.c.account_id, presence.c.seat)
    .where(presence.c.place == "table", presence.c.table_id == bindparam("b_table_id"))
    .distinct()
)

# --- lobby ------------------------------------------------------------------------------------------------

INVITED = Query(
    select(invitation.c.account_id).where(
        invitation.c.table_id == bindparam("b_id"), invitation.c.account_id == bindparam("b_account_id")
    )
)
INVITE = Query(upsert(invitation))
UNINVITE = Query(
    delete(invitation).where(
        invitation.c.table_id == bindparam("b_id"), invitation.c.account_id == bindparam("b_account_id")
    )
)


def _room(table: FromClause) -> ColumnElement[bool]:
    """One sits down before the game, or in it where all come and go, in a seat that nobody has had."""
    had = select(func.count()).where(seat.c.table_id == table.c.id).scalar_subquery()
    return and_(had < table.c.seats_most, or_(table.c.status == "open", table.c.seats_least == 0))


def _group(table: FromClause) -> ColumnElement[int]:
    """What can be joined comes first, then games with people, then those that robots play alone."""
    person = select(seat.c.seat).where(
        seat.c.table_id == table.c.id, seat.c.robot.is_(None), seat.c.left_at.is_(None)
    )
    return case((_room(table), 0), (sql_exists(person), 1), else_=2)


def lobby(
    *, game: bool, variant: bool, door: bool, before: bool, free: bool, guest: bool, grouped: bool
) -> Query:
    """The listing of tables with those filters that are asked for: newest first, perhaps in their groups."""
    visible = game_table.c.access == "open"
    if guest:
        invited = select(invitation.c.account_id).where(
            invitation.c.table_id == game_table.c.id, invitation.c.account_id == bindparam("b_account_id")
        )
        visible = or_(visible, and_(game_table.c.access == "invited", sql_exists(invited)))
    group = _group(game_table)
    earlier = game_table.c.id < bindparam("b_before")
    if grouped:
        last = game_table.alias()
        reached = select(_group(last)).where(last.c.id == bindparam("b_before")).scalar_subquery()
        earlier = or_(group > func.coalesce(reached, 0), and_(group == func.coalesce(reached, 0), earlier))
    statement = (
        _tables.where(visible, game_table.c.status.in_(bindparam("b_status", expanding=True)))
        .where(game_table.c.game == bindparam("b_game") if game else true())
        .where(game_table.c.variant == bindparam("b_variant") if variant else true())
        .where(game_table.c.door == bindparam("b_door") if door else true())
        .where(earlier if before else true())
        .where(_room(game_table) if free else true())
        .order_by(*([group] if grouped else []), game_table.c.id.desc())
        .limit(bindparam("b_limit"))
    )
    return Query(statement)


_mine = select(seat.c.table_id).where(seat.c.account_id == bindparam("b_account_id"))
OF_ACCOUNT = Query(
    _tables.where(
        or_(
            game_table.c.id.in_(_mine),
            (game_table.c.host_id == bindparam("b_account_id")) & game_table.c.mastered,
        ),
        game_table.c.status.in_(bindparam("b_status", expanding=True)),
        game_table.c.id < bindparam("b_before"),
    )
    .order_by(game_table.c.id.desc())
    .limit(bindparam("b_limit"))
)

# One list of numbers, not two conditions: each half then finds its rows by its own index.
_led = select(game_table.c.id).where(game_table.c.host_id == bindparam("b_account_id"), game_table.c.mastered)
# Those that go on come before those that wait for players.
OWN_GAMES = Query(
    _tables.where(
        game_table.c.id.in_(union(_mine.where(seat.c.left_at.is_(None)), _led)),
        game_table.c.status.in_(("open", "running")),
    )
    .order_by(game_table.c.status.desc(), game_table.c.id.desc())
    .limit(bindparam("b_limit"))
)
_ended = select(outcome.c.table_id).where(
    outcome.c.account_id == bindparam("b_account_id"), outcome.c.at > bindparam("b_since")
)
FINISHED_SINCE = Query(
    _tables.where(
        game_table.c.id.in_(union(_ended, _led)),
        game_table.c.status == "over",
        game_table.c.ended_at > bindparam("b_since"),
    )
    .order_by(game_table.c.ended_at.desc())
    .limit(bindparam("b_limit"))
)
OWN_OUTCOMES = Query(
    select(outcome.c.table_id, outcome.c.rank, outcome.c.rating_before, outcome.c.rating_after).where(
        outcome.c.account_id == bindparam("b_account_id"),
        outcome.c.table_id.in_(bindparam("b_ids", expanding=True)),
    )
)
INVITATIONS = Query(
    _tables.add_columns(invitation.c.at.label("invited_at"))
    .join(invitation, invitation.c.table_id == game_table.c.id)
    .where(
        invitation.c.account_id == bindparam("b_account_id"),
        game_table.c.status.in_(("open", "running")),
    )
    .order_by(invitation.c.at.desc())
    .limit(bindparam("b_limit"))
)
ASKED_TO_STAND_IN = Query(
    _tables.add_columns(stand_in_vote.c.seat.label("wanted"))
    .join(stand_in_vote, stand_in_vote.c.table_id == game_table.c.id)
    .where(
        stand_in_vote.c.candidate_id == bindparam("b_account_id"),
        stand_in_vote.c.voter_id == 0,
        game_table.c.status == "running",
    )
    .limit(bindparam("b_limit"))
)
_asked_to = and_(
    stand_in_vote.c.table_id == bindparam("b_id"),
    stand_in_vote.c.candidate_id == bindparam("b_account_id"),
    stand_in_vote.c.voter_id == 0,
)
ASKED_TO = Query(select(stand_in_vote.c.seat).where(_asked_to))
STANDS_NOT_IN = Query(delete(stand_in_vote).where(_asked_to))
INVITATION_NOTICES = Query(
    select(notice.c.id, notice.c.kind, notice.c.about, notice.c.read_at)
    .where(notice.c.account_id == bindparam("b_account_id"), notice.c.kind.in_(("invitation", "stand_in")))
    .order_by(notice.c.id.desc())
    .limit(bindparam("b_limit"))
)
READ_NOTICE = Query(
    update(notice)
    .where(notice.c.id == bindparam("b_id"), notice.c.read_at.is_(None))
    .values(read_at=bindparam("b_at"))
)

# --- matchmaking ------------------------------------------------------------------------------------------

ENTER_QUEUE = Query(upsert(queue_entry))
LEAVE_QUEUE = Query(delete(queue_entry).where(queue_entry.c.account_id == bindparam("b_account_id")))
MATCHED = Query(
    delete(queue_entry).where(
        queue_entry.c.account_id == bindparam("b_account_id"), queue_entry.c.since == bindparam("b_since")
    )
)
QUEUE = Query(select(queue_entry).order_by(queue_entry.c.since))
QUEUED = Query(select(queue_entry).where(queue_entry.c.account_id == bindparam("b_account_id")))
LEAVE_QUEUE_OF_NODE = Query(delete(queue_entry).where(queue_entry.c.node_id == bindparam("b_node")))
LEAVE_QUEUE_BEFORE = Query(delete(queue_entry).where(queue_entry.c.since <= bindparam("b_since")))

# --- when the clock of the house was set ------------------------------------------------------------------

MOVE_QUEUE = Query(update(queue_entry).values(since=queue_entry.c.since + bindparam("b_step")))
MOVE_CHALLENGES = Query(
    update(challenge)
    .where(challenge.c.status == "open")
    .values(expires_at=challenge.c.expires_at + bindparam("b_step"))
)
MOVE_OUTBOX = Query(
    update(outbox).where(outbox.c.due_at.is_not(None)).values(due_at=outbox.c.due_at + bindparam("b_step"))
)

# --- challenges -------------------------------------------------------------------------------------------

CHALLENGES_SENT = Query(
    select(func.count().label("number")).where(
        challenge.c.from_id == bindparam("b_account_id"),
        challenge.c.status == "open",
        challenge.c.expires_at > bindparam("b_now"),
    )
)
ADD_CHALLENGE = Query(insert(challenge))
CHALLENGE = Query(select(challenge).where(challenge.c.id == bindparam("b_id")))
CHALLENGE_IN_SLOT = Query(select(challenge).where(challenge.c.slot == bindparam("b_slot")))
CHALLENGES_OF = Query(
    select(challenge)
    .where(
        or_(
            challenge.c.from_id == bindparam("b_account_id"),
            challenge.c.to_id == bindparam("b_account_id"),
        ),
        or_(
            and_(challenge.c.status == "open", challenge.c.expires_at > bindparam("b_now")),
            challenge.c.ended_at > bindparam("b_since"),
        ),
    )
    .order_by(challenge.c.id.desc())
    .limit(200)
)
END_CHALLENGE = Query(
    update(challenge)
    .where(
        challenge.c.id == bindparam("b_id"),
        challenge.c.status == "open",
        challenge.c.expires_at > bindparam("b_after"),
    )
    .values(
        status=bindparam("b_status"),
        slot=bindparam("b_slot"),
        ended_at=bindparam("b_at"),
        table_id=bindparam("b_table_id"),
    )
)
CHALLENGES_EXPIRED = Query(
    select(challenge)
    .where(challenge.c.status == "open", challenge.c.expires_at <= bindparam("b_now"))
    .order_by(challenge.c.id)
    .limit(200)
)
