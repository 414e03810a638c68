"""A table told to those who listen: encoded once for each seat, whoever and however many listen there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from tablee.rules.contract import SPECTATOR, Seat
from tablee.tables import Chair, Listener, Told
from tablee.tables.press import Spoken

from ..shapes import spoken_shape
from ..tables.shapes import table_shape
from .messages import Marked, SpokenNews, TableGone, TableNews, Update, Whole

if TYPE_CHECKING:
    from ..house import House

Json = Any
_encode = msgspec.json.Encoder().encode
RECOUNT_AFTER = 1.0
"""Seconds in which spectators who come and go are told as one change: a crowd is not told of each one."""


class Hearer(Protocol):
    """Whoever is told."""

    def send_text(self, text: str) -> None: ...


class Listening:
    """One hearer on his chair, and up to which version of his seat he knows the table."""

    __slots__ = ("_leave", "chair", "hearer", "info_told", "invitation", "version")

    def __init__(
        self, hearer: Hearer, chair: Chair, invitation: str | None, leave: Callable[[Listening], None]
    ) -> None:
        self.hearer = hearer
        self.chair = chair
        self.invitation = invitation
        self.version = 0
        self.info_told = ""
        """The text by which he last learned who sits where. Another such text is sent only where it differs:
        the mere moment of a frame would tell him of somebody whom he may not know."""
        self._leave = leave

    def close(self) -> None:
        self._leave(self)
        self.chair.close()


class Feed:
    """One table and all who listen to it through this door, by seat."""

    def __init__(self, house: House, chair: Chair, gone: Callable[[], None]) -> None:
        self.table_id = chair.info.id
        self._house = house
        self._gone = gone
        self._chair = chair
        self._by_seat: dict[Seat, _AtSeat] = {}
        self._info = chair.info
        self._present: frozenset[Seat] = frozenset()
        self._reading = asyncio.Lock()
        self._spectators_told = 0
        self._recount: asyncio.TimerHandle | None = None
        self._unwatch = house.tables.looks.watch(self.table_id)

    @property
    def listenings(self) -> list[Listening]:
        return [listening for there in self._by_seat.values() for listening in there.listenings]

    def spectators(self) -> int:
        there = self._by_seat.get(SPECTATOR)
        return 0 if there is None else len(there.listenings)

    def listen(
        self, hearer: Hearer, chair: Chair, since: int | None, invitation: str | None = None
    ) -> Listening:
        """Tell a hearer all there is, or all since a version, and from then on every event."""
        there = self._by_seat.get(chair.seat)
        if there is None:
            there = self._by_seat[chair.seat] = _AtSeat(self, chair.of_nobody())
        listening = Listening(hearer, chair, invitation, self._leave)
        listening.version = chair.version
        updates = None if since is None else chair.since(since)
        if updates is None:
            self.show(listening)
        else:
            self._tell_info_to(listening)
            last = len(updates) - 1
            for place, update in enumerate(updates):
                message = Update(
                    table=self.table_id,
                    version=update.version,
                    at=update.at,
                    facts=update.told,
                    patch=update.patch,
                    **(there.now() if place == last else {}),
                )
                hearer.send_text(_encode(message).decode())
        there.listenings.append(listening)
        self._count_later()
        return listening

    def show(self, listening: Listening) -> None:
        """Send a hearer the whole table."""
        chair = listening.chair
        listening.info_told = self._info_text(chair.person)
        message = Whole(
            table=self.table_id,
            seat=None if chair.seat == SPECTATOR else chair.seat,
            version=listening.version,
            now=chair.now(),
            info=table_shape(self._house, self._info, chair.person, self._present),
            view=chair.view() if chair.has_begun else None,
            epoch=self._house.epoch_text(self._by_seat[chair.seat].chair.epoch),
            **self._by_seat[chair.seat].now(),
        )
        listening.hearer.send_text(_encode(message).decode())

    async def read_info(self) -> None:
        """Who sits where, who is here or the status may have changed: say so to everybody if it has."""
        async with self._reading:  # of two readings the later one is the truth, however long the first takes
            info = await self._house.tables.info(self.table_id)
            present = frozenset(await self._house.tables.presence.present(info.id))
            if info != self._info or present != self._present:
                self._info, self._present = info, present
                self._turn_out()
                self._tell_info()

    def look_at_info(self) -> None:
        """Something has happened: who was replaced hears no more of it, and the others who sits there now."""
        if self._chair.info != self._info:
            self._info = self._chair.info
            self._turn_out()
            asyncio.get_running_loop().call_soon(self._tell_info)

    async def read_link(self) -> None:
        """The link was renewed: who looks on by the old one, and by nothing else, hears no more."""
        tables = self._house.tables
        info = await tables.read_info(self.table_id)
        for listening in self.listenings:
            if listening.invitation is not None and not await tables.admission.may_enter(
                info, listening.chair.person, listening.invitation
            ):
                self.send_away(listening)

    def send_away(self, listening: Listening) -> None:
        """The table is no longer this hearer's to hear of."""
        listening.hearer.send_text(_encode(TableGone(table=self.table_id)).decode())
        listening.close()

    def tell_spoken(self, spoken: Spoken) -> None:
        """What is said in roles is told to those who have one: a letter to who wrote it and who is meant."""
        text = ""
        for listening in self.listenings:
            person = listening.chair.person
            if listening.chair.seat == SPECTATOR or person is None:
                continue
            roles = listening.chair.roles
            meant = spoken.to_role is None or spoken.to_role in roles or spoken.author_role in roles
            if roles and meant and not self._is_before(spoken, person):
                text = text or _encode(SpokenNews(table=self.table_id, spoken=spoken_shape(spoken))).decode()
                listening.hearer.send_text(text)

    def _is_before(self, spoken: Spoken, account_id: int) -> bool:
        """Whether a letter, told once more, is from before somebody came to his seat."""
        sitting = self._info.seat_of(account_id)
        if spoken.to_role is None or sitting is None or self._info.terms.handed_on:
            return False
        return spoken.at <= sitting.joined_at

    def _count_later(self) -> None:
        """Everybody is told in a moment how many look on, if by then it is another number."""
        if self._recount is None and self.spectators() != self._spectators_told:
            self._recount = asyncio.get_running_loop().call_later(RECOUNT_AFTER, self._count)

    def _count(self) -> None:
        self._recount = None
        if self.spectators() != self._spectators_told:
            self._tell_info()

    def _tell_info(self) -> None:
        self._spectators_told = self.spectators()
        for listening in self.listenings:
            self._tell_info_to(listening)

    def _tell_info_to(self, listening: Listening) -> None:
        text = self._info_text(listening.chair.person)
        if text != listening.info_told:
            listening.info_told = text
            listening.hearer.send_text(text)

    def _info_text(self, account_id: int | None) -> str:
        info = table_shape(self._house, self._info, account_id, self._present)
        return _encode(TableNews(info=info)).decode()

    def _turn_out(self) -> None:
        """Whoever has left his seat, or was replaced, no longer hears what is told to it."""
        for listening in self.listenings:
            if not listening.chair.still_sits:
                self.send_away(listening)

    def close(self) -> None:
        if self._recount is not None:
            self._recount.cancel()
        self._unwatch()

    def _leave(self, listening: Listening) -> None:
        there = self._by_seat.get(listening.chair.seat)
        if there is None or listening not in there.listenings:
            return
        there.listenings.remove(listening)
        if not there.listenings:
            there.chair.close()
            del self._by_seat[listening.chair.seat]
        if not self._by_seat:
            self.close()
            self._gone()
        else:
            self._count_later()


class _AtSeat(Listener):
    """All who listen from one seat: what it is told is encoded once for them."""

    def __init__(self, feed: Feed, chair: Chair) -> None:
        self.listenings: list[Listening] = []
        self.chair = chair
        self._feed = feed
        self._legal = b""
        self._waiting = chair.waiting()
        chair.listen(self)

    def told(self, news: Sequence[Told]) -> None:
        self._feed.look_at_info()
        for event in news:
            state: dict[str, Any] = {}
            if event is news[-1]:
                state = {
                    "legal": self._changed_legal(),
                    "waiting": self._changed_waiting(),
                    "clocks": clocks_json(self.chair),
                    "abortable": self.chair.is_abortable,
                }
            message = Update(
                table=self._feed.table_id,
                version=event.version,
                at=event.at,
                facts=event.facts,
                patch=event.patch,
                **state,
            )
            text = _encode(message).decode()
            for listening in list(self.listenings):
                # Who came while this was committed and not yet told has it in his view already.
                if listening.version < event.version:
                    listening.version = event.version
                    listening.hearer.send_text(text)

    def marked(self, facts: list[Any], patch: Json) -> None:
        text = _encode(Marked(table=self._feed.table_id, facts=facts, patch=patch)).decode()
        for listening in list(self.listenings):
            listening.hearer.send_text(text)

    def anew(self) -> None:
        self._feed.look_at_info()
        for listening in list(self.listenings):
            listening.version = listening.chair.version
            self._feed.show(listening)

    def gone(self) -> None:
        for listening in list(self.listenings):
            self._feed.send_away(listening)

    def now(self) -> dict[str, Any]:
        """What may be done, who is waited for and the clocks, for somebody who begins to listen."""
        legal = self.chair.legal_json()
        self._legal = self._legal or _encode(legal)
        return {
            "legal": legal,
            "waiting": sorted(self.chair.waiting()),
            "clocks": clocks_json(self.chair),
            "abortable": self.chair.is_abortable,
        }

    def _changed_legal(self) -> Json:
        legal = self.chair.legal_json()
        encoded = _encode(legal)
        if self._legal == encoded:
            return None
        self._legal = encoded
        return {} if legal is None else legal

    def _changed_waiting(self) -> list[Seat] | None:
        waiting = self.chair.waiting()
        if waiting == self._waiting:
            return None
        self._waiting = waiting
        return sorted(waiting)


def clocks_json(chair: Chair) -> Json:
    """What the player clocks show now, by seat; None at a table without clocks."""
    return {str(seat): msgspec.to_builtins(face) for seat, face in chair.clock_faces().items()} or None
