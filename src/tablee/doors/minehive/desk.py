"""The server's side of a match that is a table: what its host asks for is played there from the players'
chairs, and what SPECTATOR is told there, whoever did it, is handed on to the host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

import structlog

from tablee.club.errors import ClubError, WrongPassword
from tablee.doors.minehive.tries import ShutOut
from tablee.rules.contract import Fact, Illegal, Seat
from tablee.rules.mines.model import Click
from tablee.rules.mines.views import (
    MinesView,
    ToldCameBack,
    ToldFellAsleep,
    ToldJoined,
    ToldLeft,
    ToldMissed,
    ToldOpened,
    ToldReturned,
    ToldWentAway,
)
from tablee.store import StoreError, Unavailable
from tablee.tables import Answer, Chair, Listener, Told

if TYPE_CHECKING:
    from tablee.doors.minehive.door import MinehiveDoor

log = structlog.get_logger("tablee.minehive")

NOT_IN = "not_in"
UNAVAILABLE = "unavailable"
ARRIVING = 5.0
"""Seconds that a database which is away has to come back while somebody is let in."""


class Hearer(Protocol):
    """A host, in this process or at the other end of a wire."""

    def told(self, facts: Sequence[Fact]) -> None: ...

    def entered(self, n: int, seat: Seat) -> None: ...

    def put_out(self, seat: Seat) -> None: ...

    def voided(self) -> None: ...

    def played(self, n: int) -> None: ...

    def refused(self, n: int, code: str) -> None: ...


class NotIn(Exception):
    """The rules of this door keep him out: he plays already, here or elsewhere."""


class TableDesk(Listener):
    """One host's desk at one table. Lives from the host's login to its end."""

    def __init__(self, door: MinehiveDoor, looker: Chair, hearer: Hearer, gone: Callable[[], None]) -> None:
        """`looker` is SPECTATOR's chair, for this desk alone; `gone` is called if the table is no more."""
        self._door = door
        self._looker = looker
        self._hearer = hearer
        self._gone = gone
        self._table_id = looker.info.id
        self._chairs: dict[Seat, Chair] = {}
        """Of those who are in by this host."""
        self._returning: set[Seat] = set()
        """Whose JOIN at this host brings them back just now."""
        self._leaving: dict[Seat, asyncio.Task[None]] = {}
        self._shut_out: set[Seat] = set()
        """Whose connection is being closed: what of theirs is still on its way is not played."""
        self._closed = False
        players = self.view().players.items()
        self._seats = {player.name: int(seat) for seat, player in players}
        self._asleep = {int(seat) for seat, player in players if player.present and not player.active}
        looker.listen(self)

    def view(self) -> MinesView:
        """Where the match stands, as SPECTATOR sees it."""
        view: MinesView = self._looker.view()
        return view

    # --- what the host asks -----------------------------------------------------------------------------

    def click(self, n: int, player: str, x: int, y: int) -> None:
        seat = self._seats.get(player, 0)
        chair = self._chairs.get(seat)
        if chair is None or seat in self._shut_out:
            self._hearer.refused(n, NOT_IN)
        else:
            chair.submit(Click(x, y), None, partial(self._clicked, n))

    def join(self, n: int, user: str, password: str, address: str) -> None:
        self._door.spawn(self._join(n, user, password, address))

    def leave(self, player: str) -> None:
        seat = self._seats.get(player, 0)
        self._leaving[seat] = self._door.spawn(self._leave(seat))

    # --- what the house asks ----------------------------------------------------------------------------

    def accounts(self) -> set[int]:
        """Who is in by this host."""
        return {chair.person for chair in self._chairs.values() if chair.person is not None}

    def shut_out(self, account_id: int) -> None:
        """Close the connection of somebody who may not play any more."""
        for seat, chair in self._chairs.items():
            if chair.person == account_id:
                self._shut_out.add(seat)
                self._hearer.put_out(seat)

    # --- what the table says ----------------------------------------------------------------------------

    def told(self, news: Sequence[Told]) -> None:
        facts = [fact for event in news for fact in event.facts]
        self._hearer.told(facts)
        for fact in facts:
            if type(fact) is not ToldOpened:
                self._note(fact)

    def void(self, reason: str) -> None:
        self._hearer.voided()

    def gone(self) -> None:
        self._gone()

    def _note(self, fact: Fact) -> None:
        """Who is called how, and who is AFK."""
        if isinstance(fact, ToldJoined):
            self._seats[fact.name] = fact.seat
        elif isinstance(fact, ToldFellAsleep):
            self._asleep.add(fact.seat)
        elif isinstance(fact, ToldCameBack) and fact.seat in self._asleep:
            self._asleep.discard(fact.seat)
            self._woke_up(fact.seat)
        elif isinstance(fact, ToldReturned | ToldWentAway | ToldLeft):
            self._asleep.discard(fact.seat)

    def _woke_up(self, seat: Seat) -> None:
        """Whoever was AFK by this host and comes back by another is no longer connected here."""
        if seat in self._chairs and seat not in self._returning:
            self._hearer.put_out(seat)

    def _clicked(self, n: int, answer: Answer) -> None:
        error = answer.error
        if error is not None:
            self._hearer.refused(n, error.code if isinstance(error, Illegal) else UNAVAILABLE)
            return
        if answer.is_miss:
            for fact in answer.told:
                if type(fact) is ToldMissed:
                    self._hearer.refused(n, fact.reason)
                    return
        self._hearer.played(n)

    # --- coming and going -------------------------------------------------------------------------------

    async def _join(self, n: int, user: str, password: str, address: str) -> None:
        try:
            seat = await self._enter(user, password, address)
        except (NotIn, ShutOut, ClubError, Illegal):
            self._hearer.refused(n, NOT_IN)
        except StoreError as error:
            log.warning("minehive_join_failed", error=str(error))
            self._hearer.refused(n, UNAVAILABLE)
        else:
            self._hearer.entered(n, seat)

    async def _enter(self, user: str, password: str, address: str) -> Seat:
        door = self._door
        async with door.tries.check(address):
            try:
                account = await door.club.accounts.verify(user, password, address=address)
            except WrongPassword:
                door.tries.failed(address)
                raise
        if account.id in door.entering:
            raise NotIn
        door.entering.add(account.id)
        try:
            match = await door.present.match_of(account.id)
            if match is not None and match.table_id != self._table_id:
                raise NotIn
            seat = await self._sit_down(account.id)
            if await door.club.accounts.is_shut_out(account.id):  # since his password was looked at
                await self._leave(seat)
                raise NotIn
            self._shut_out.discard(seat)
            door.present.out.discard((self._table_id, account.id))
            door.present.playing(account.id)
            return seat
        finally:
            door.entering.discard(account.id)

    async def _sit_down(self, account_id: int) -> Seat:
        """A seat in the match, or again in the one he had, if he is not active in it; then he is present."""
        tables = self._door.tables
        sitting = self._looker.info.seat_of(account_id)
        if sitting is None:
            sitting = await tables.sitting.join(self._table_id, account_id)
            chair = await tables.chair(self._table_id, sitting.seat, account_id)
        else:
            leaving = self._leaving.pop(sitting.seat, None)
            if leaving is not None:
                await asyncio.wait([leaving])
            chair = await tables.chair(self._table_id, sitting.seat, account_id)
            await self._come_back(chair)
        seat = chair.seat
        if seat not in self._chairs:
            await self._be_present(chair)
            self._chairs[seat] = chair
            if self._closed:
                await self._leave(seat)
                raise NotIn
        return seat

    async def _come_back(self, chair: Chair) -> None:
        self._returning.add(chair.seat)
        try:
            if not await chair.come_back():
                raise NotIn
        finally:
            self._returning.discard(chair.seat)

    async def _be_present(self, chair: Chair) -> None:
        chair.stay()
        try:
            async with asyncio.timeout(ARRIVING):
                await chair.arrived()
        except BaseException as trouble:
            chair.close()
            if isinstance(trouble, TimeoutError):
                raise Unavailable("The database is away.") from None
            raise

    async def _leave(self, seat: Seat) -> None:
        chair = self._chairs.pop(seat, None)
        if chair is None:
            return
        chair.close()
        try:
            await chair.closed()
        except (StoreError, ClubError) as error:
            log.warning("minehive_leave_failed", error=str(error))

    # --- the end ----------------------------------------------------------------------------------------

    async def close(self) -> None:
        """The host is gone: whoever was in by it is away."""
        self._closed = True
        self._looker.close()
        await asyncio.gather(*self._leaving.values(), *(self._leave(seat) for seat in list(self._chairs)))

    def put_out(self) -> None:
        """The host has died: its players are out of the match until they join again."""
        self._door.present.out.update((self._table_id, account_id) for account_id in self.accounts())
