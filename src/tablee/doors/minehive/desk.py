"""The server's side of a match that is a table: what its host asks for is played there, and what is
committed there, by whomever, is told to its host."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

import structlog

from tablee.club.errors import ClubError, WrongPassword
from tablee.doors.minehive.match import Step
from tablee.doors.minehive.tries import ShutOut
from tablee.rules.contract import Away, Back, Fact, Illegal, Seat
from tablee.rules.mines.model import CameBack, Click, MinesState
from tablee.store import StoreError
from tablee.tables import Beside, Happened, LiveTable, Outcome

if TYPE_CHECKING:
    from tablee.doors.minehive.door import MinehiveDoor

log = structlog.get_logger("tablee.minehive")

NOT_IN = "not_in"
UNAVAILABLE = "unavailable"


class Told(Protocol):
    """A host, in this process or at the other end of a wire."""

    def happened(self, steps: Sequence[Step]) -> None: ...

    def entered(self, n: int, seat: Seat) -> None: ...

    def put_out(self, seat: Seat) -> None: ...

    def voided(self) -> None: ...

    def clicked(self, n: int, facts: Sequence[Fact]) -> None: ...

    def refused(self, n: int, code: str) -> None: ...


class NotIn(Exception):
    """The rules of this door keep him out: he plays already, here or elsewhere."""


class TableDesk:
    """One host's desk at one table. Lives from the host's login to its end."""

    def __init__(self, door: MinehiveDoor, live: LiveTable, told: Told) -> None:
        self._door = door
        self._live = live
        self._told = told
        self._seats: dict[str, Seat] = {}
        self._present: dict[Seat, int] = {}
        """Who is in by this host: seat and account."""
        self._returning: set[Seat] = set()
        """Whose JOIN at this host brings them back just now."""
        self._leaving: dict[Seat, asyncio.Task[None]] = {}
        self._shut_out: set[Seat] = set()
        """Whose connection is being closed: what of theirs is still on its way is not played."""
        self._closed = False
        self._unsubscribe = live.subscribe(self._heard)

    @property
    def state(self) -> MinesState:
        return cast(MinesState, self._live.state)

    # --- what the host asks -----------------------------------------------------------------------------

    def click(self, n: int, player: str, x: int, y: int) -> None:
        seat = self._seats.get(player) or self._seat(player)
        if seat in self._shut_out:
            self._told.refused(n, NOT_IN)
            return
        self._live.submit(seat, Click(x, y), None, partial(self._clicked, n))

    def join(self, n: int, user: str, password: str, address: str) -> None:
        self._door.spawn(self._join(n, user, password, address))

    def leave(self, player: str) -> None:
        seat = self._seat(player)
        self._leaving[seat] = self._door.spawn(self._leave(seat))

    # --- what the house asks ----------------------------------------------------------------------------

    def accounts(self) -> set[int]:
        """Who is in by this host."""
        return set(self._present.values())

    def shut_out(self, account_id: int) -> None:
        """Close the connection of somebody who may not play any more."""
        for seat, there in self._present.items():
            if there == account_id:
                self._shut_out.add(seat)
                self._told.put_out(seat)

    # --- what the table says ----------------------------------------------------------------------------

    def _heard(self, events: Sequence[Happened]) -> None:
        self._told.happened([Step(event.facts, cast(MinesState, event.after)) for event in events])
        for event in events:
            if event.void is not None:
                self._told.voided()
            for fact in event.facts[:1]:
                if type(fact) is CameBack:
                    self._came_back(fact.seat, cast(MinesState, event.before))

    def _came_back(self, seat: Seat, before: MinesState) -> None:
        """Whoever was AFK by this host and comes back by another is no longer connected here."""
        player = before.player(seat)
        if player is not None and player.afk and seat in self._present and seat not in self._returning:
            self._told.put_out(seat)

    def _clicked(self, n: int, outcome: Outcome) -> None:
        error = outcome.error
        if error is None:
            self._told.clicked(n, outcome.happened.facts if outcome.happened is not None else ())
        else:
            self._told.refused(n, error.code if isinstance(error, Illegal) else UNAVAILABLE)

    async def _join(self, n: int, user: str, password: str, address: str) -> None:
        try:
            seat = await self._enter(user, password, address)
        except (NotIn, ShutOut, ClubError, Illegal):
            self._told.refused(n, NOT_IN)
        except StoreError as error:
            log.warning("minehive_join_failed", error=str(error))
            self._told.refused(n, UNAVAILABLE)
        else:
            self._told.entered(n, seat)

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
            table_id = self._live.info.id
            match = await door.roll.match_of(account.id)
            if match is not None and match.table_id != table_id:
                raise NotIn
            sitting = self._live.info.seat_of(account.id)
            if sitting is None:
                sitting = await door.tables.join(table_id, account.id)
            else:
                leaving = self._leaving.pop(sitting.seat, None)
                if leaving is not None:
                    await asyncio.wait([leaving])
                await self._come_back(sitting.seat, account.id)
            if sitting.seat not in self._present:
                await door.tables.arrive(table_id, sitting.seat, account.id)
                self._present[sitting.seat] = account.id
                if self._closed:
                    await self._leave(sitting.seat)
                    raise NotIn
            if await door.club.accounts.is_shut_out(account.id):  # since his password was looked at
                await self._leave(sitting.seat)
                raise NotIn
            self._shut_out.discard(sitting.seat)
            door.roll.out.discard((table_id, account.id))
            door.roll.playing(account.id)
            return sitting.seat
        finally:
            door.entering.discard(account.id)

    async def _come_back(self, seat: Seat, account_id: int) -> None:
        """Only for somebody who is not active: away, or AFK."""
        tables, online = self._door.tables, self._door.club.online
        here = Beside([online.row("table", account_id, self._live.info.id, seat)])
        self._returning.add(seat)
        try:
            outcome = await tables.submit(self._live, seat, Back(), beside=here)
        finally:
            self._returning.discard(seat)
        if outcome.happened is not None:
            return
        if seat in await tables.presence.present(self._live.info.id):
            raise NotIn
        # A node that was killed just after it let him in could not say that he is away.
        await tables.submit(self._live, seat, Away())
        await tables.submit(self._live, seat, Back(), beside=here)

    async def _leave(self, seat: Seat) -> None:
        account_id = self._present.pop(seat, None)
        if account_id is None:
            return
        try:
            await self._door.tables.depart(self._live.info.id, seat, account_id)
        except (StoreError, ClubError) as error:
            log.warning("minehive_leave_failed", error=str(error))

    def _seat(self, player: str) -> Seat:
        self._seats = {known.name: known.seat for known in self.state.players}
        return self._seats.get(player, 0)

    # --- the end ----------------------------------------------------------------------------------------

    async def close(self) -> None:
        """The host is gone: whoever was in by it is away."""
        self._closed = True
        self._unsubscribe()
        await asyncio.gather(*self._leaving.values(), *(self._leave(seat) for seat in list(self._present)))

    def put_out(self) -> None:
        """The host has died: its players are out of the match until they join again."""
        table_id = self._live.info.id
        self._door.roll.out.update((table_id, account_id) for account_id in self._present.values())
