"""Leaving the club: the person is erased, the row stays so that finished games keep their players."""

from __future__ import annotations

from sqlalchemy import BindParameter, ColumnElement, Table, Text, bindparam, delete, func, select, update

from tablee.clock import Clock
from tablee.club.addresses import Addresses
from tablee.club.codes import drop_codes
from tablee.club.deeds import Deeds
from tablee.club.errors import Refused
from tablee.club.fields import pseudo_key
from tablee.club.people import Account
from tablee.club.sessions import Sessions, account_changed, sessions_changed
from tablee.store import Conflict, Duplicate, Query, Store, Unit, Write
from tablee.store.schema import (
    absence,
    account,
    announcement,
    block,
    call,
    challenge,
    conduct,
    deed,
    device,
    draft,
    event,
    follow_key,
    friendship,
    game_table,
    house_visit,
    message,
    notebook,
    notice,
    outbox,
    reading,
    reply_token,
    seat,
    session,
    snapshot,
    stand_in_vote,
    unsent,
    visit,
    webhook,
    wish,
)

_ERASE = Query(
    update(account)
    .where(account.c.id == bindparam("which"), account.c.deleted_at.is_(None), account.c.role != "super")
    .values(
        role="player",
        pseudo=bindparam("name"),
        pseudo_key=bindparam("key"),
        password_hash=None,
        email=None,
        email_key=None,
        email_confirmed=False,
        email_refused=None,
        first_name="",
        family_name="",
        telephone="",
        country="",
        time_zone="",
        stand_in=False,
        settings="{}",
        banned_until=None,
        deleted_at=bindparam("now"),
    )
)
_WHO: BindParameter[int] = bindparam("who")
_TRACES = [
    Query(delete(friendship).where((friendship.c.low_id == _WHO) | (friendship.c.high_id == _WHO))),
    Query(delete(block).where((block.c.account_id == _WHO) | (block.c.blocked_id == _WHO))),
    Query(delete(challenge).where((challenge.c.from_id == _WHO) | (challenge.c.to_id == _WHO))),
    Query(delete(notice).where((notice.c.account_id == _WHO) | (notice.c.names_id == _WHO))),
    Query(delete(session).where(session.c.account_id == _WHO)),
    Query(delete(reading).where(reading.c.account_id == _WHO)),
    Query(delete(visit).where(visit.c.account_id == _WHO)),
    Query(delete(house_visit).where(house_visit.c.account_id == _WHO)),
    Query(delete(notebook).where(notebook.c.account_id == _WHO)),
    Query(delete(draft).where(draft.c.account_id == _WHO)),
    Query(delete(call).where((call.c.account_id == _WHO) | (call.c.names_id == _WHO))),
    Query(delete(wish).where(wish.c.account_id == _WHO)),
    Query(delete(device).where(device.c.account_id == _WHO)),
    Query(delete(unsent).where(unsent.c.account_id == _WHO)),
    Query(delete(reply_token).where(reply_token.c.account_id == _WHO)),
    Query(delete(conduct).where(conduct.c.account_id == _WHO)),
    Query(delete(absence).where(absence.c.account_id == _WHO)),
    Query(
        delete(stand_in_vote).where(
            (stand_in_vote.c.voter_id == _WHO) | (stand_in_vote.c.candidate_id == _WHO)
        )
    ),
    Query(delete(outbox).where(outbox.c.account_id == _WHO)),
    Query(delete(follow_key).where(follow_key.c.account_id == _WHO)),
    # Those of the whole house stay: they are the house's own.
    Query(delete(webhook).where(webhook.c.owner_id == _WHO, webhook.c.table_id != 0)),
    Query(
        delete(announcement).where(  # what waits at his tables may name him
            announcement.c.table_id.in_(select(seat.c.table_id).where(seat.c.account_id == _WHO))
        )
    ),
    Query(update(deed).where((deed.c.account_id == _WHO) | (deed.c.actor_id == _WHO)).values(address="")),
]
_UNSAY = Query(
    update(message)
    .where(message.c.author_id == _WHO, message.c.deleted_at.is_(None))
    .values(text="", deleted_at=bindparam("now"))
)


_FINISHED = select(game_table.c.id).where(game_table.c.status == "over")
_MY_SEATS = seat.c.account_id == _WHO
_MY_GAMES = select(seat.c.table_id).where(_MY_SEATS, seat.c.table_id.in_(_FINISHED))


def _renamed(table: Table, column: str) -> ColumnElement[str]:
    """JSON of a table where he sat, with the name that he had there as `name` replaced."""
    called = (
        select(bindparam("opening", type_=Text) + seat.c.name + bindparam("closing", type_=Text))
        .where(_MY_SEATS, seat.c.table_id == table.c.table_id)
        .limit(1)
        .scalar_subquery()
        .correlate(table)
    )
    return func.replace(table.c[column], called, bindparam("named", type_=Text))


# The one thing that is ever changed in a log, and only when the game is over.
# Why: docs/decisions.md#who-left-is-renamed-in-the-text-of-finished-logs
_RENAME = [
    Query(
        update(event)
        .where(event.c.table_id.in_(_MY_GAMES), (event.c.facts + event.c.action).like(bindparam("pattern")))
        .values(facts=_renamed(event, "facts"), action=_renamed(event, "action"))
    ),
    Query(
        update(snapshot)
        .where(snapshot.c.table_id.in_(_MY_GAMES), snapshot.c.content.like(bindparam("pattern")))
        .values(content=_renamed(snapshot, "content"))
    ),
]
_RENAME_SEATS = Query(
    update(seat)
    .where(_MY_SEATS, seat.c.left_at.is_not(None) | seat.c.table_id.in_(_FINISHED))
    .values(name=bindparam("called"))
)
_OPENING, _CLOSING = '"name":"', '"'


class Leaving:
    def __init__(
        self, store: Store, clock: Clock, sessions: Sessions, addresses: Addresses, deeds: Deeds
    ) -> None:
        self._store = store
        self._clock = clock
        self._sessions = sessions
        self._addresses = addresses
        self._deeds = deeds

    async def delete(self, who: Account, *, by: Account | None = None, address: str = "") -> None:
        """Erase a person: name, address, sessions, friends, messages. Nobody but he or an administrator may.

        Whether he still sits at a table is for the caller to ask first. Raises Refused.
        """
        if by is not None and by.id != who.id:
            if not by.is_administrator:
                raise Refused("not_allowed", role="administrator")
            if who.is_administrator and by.role != "super":
                raise Refused("not_allowed", role="super")
        if who.role == "super":
            raise Refused("last_super")
        if who.is_robot:
            raise Refused("not_allowed", role="player")
        now = self._clock.now()
        ended = await self._sessions.end_acting(who.id)
        traces = [Write(query, {"who": who.id}) for query in _TRACES]
        farewell = await self._addresses.farewell_write(who)
        actor = by.id if by else who.id
        # The address of who deletes is not kept: it would be a trace of who left.
        deed_kept = address if actor != who.id else ""
        number = 0
        while True:
            number += 1
            name = f"Parti-{who.id}" if number == 1 else f"Parti-{who.id}-{number}"
            erase = {"which": who.id, "name": name, "key": pseudo_key(name), "now": now}
            writes = [
                Write(_ERASE, erase, expect=1),
                *drop_codes(who.id, who.email),
                Write(_UNSAY, {"who": who.id, "now": now}),
                *traces,
                *_renaming(who.id, name),
                *ended.writes,
                *farewell,
                await self._deeds.write("delete", actor=actor, account=who.id, address=deed_kept),
            ]
            hints = [account_changed(who.id), sessions_changed(who.id), *ended.hints]
            try:
                await self._store.commit(Unit(writes=writes, hints=hints))
            except Duplicate:
                continue  # somebody took that name as his pseudo
            except Conflict:
                raise Refused("account_gone") from None
            return


def _renaming(account_id: int, name: str) -> list[Write]:
    """The writes that take the name out of the games he played; one that goes on keeps it in its log."""
    parts = {"opening": _OPENING, "closing": _CLOSING, "named": f"{_OPENING}{name}{_CLOSING}"}
    parts["pattern"] = f"%{_OPENING}%"
    logs = [Write(query, {"who": account_id, **parts}) for query in _RENAME]
    return [*logs, Write(_RENAME_SEATS, {"who": account_id, "called": name})]
