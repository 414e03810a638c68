"""A table told to those who listen: encoded once for each seat, whoever and however many listen there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from tablee.rules.contract import MASTER, SPECTATOR, Seat
from tablee.tables import Happened, LiveTable
from tablee.tables.press import Spoken
from tablee.tables.roles import roles_at

from .messages import Marked, SpokenNews, TableGone, TableNews, Update, Whole
from .playing import updates_since
from .shapes import spoken_shape
from .table_shapes import table_shape

if TYPE_CHECKING:
    from .house import House

Json = Any
_encode = msgspec.json.Encoder().encode
RECOUNT_AFTER = 1.0
"""Seconds in which spectators who come and go are told as one change: a crowd is not told of each one."""


class Hearer(Protocol):
    """Whoever is told."""

    def send_text(self, text: str) -> None: ...


class Listening:
    """One hearer at one table, and up to which version of his seat he knows it."""

    __slots__ = ("_leave", "account_id", "hearer", "info_told", "invitation", "seat", "version")

    def __init__(
        self,
        hearer: Hearer,
        account_id: int | None,
        seat: Seat,
        invitation: str | None,
        leave: Callable[[Listening], None],
    ) -> None:
        self.hearer = hearer
        self.account_id = account_id
        self.seat = seat
        self.invitation = invitation
        self.version = 0
        self.info_told = ""
        """The text by which he last learned who sits where. Another such text is sent only where it differs:
        the mere moment of a frame would tell him of somebody whom he may not know."""
        self._leave = leave

    def close(self) -> None:
        self._leave(self)


class Feed:
    """One live table and all who listen to it through this door, by seat."""

    def __init__(self, house: House, live: LiveTable, gone: Callable[[], None]) -> None:
        self.live = live
        self._house = house
        self._gone = gone
        self._by_seat: dict[Seat, list[Listening]] = {}
        self._legal: dict[Seat, bytes] = {}
        self._waiting = live.waiting()
        self._info = live.info
        self._present: frozenset[Seat] = frozenset()
        self._spectators_told = 0
        self._recount: asyncio.TimerHandle | None = None
        self._unsubscribe = live.subscribe(self._happened)
        self._unsubscribe_marks = live.on_marks(self._marked)
        self._unwatch = house.tables.looks.watch(live.info.id)

    @property
    def listenings(self) -> list[Listening]:
        return [listening for there in self._by_seat.values() for listening in there]

    def spectators(self) -> int:
        return len(self._by_seat.get(SPECTATOR, ()))

    def listen(
        self,
        hearer: Hearer,
        account_id: int | None,
        seat: Seat,
        since: int | None,
        invitation: str | None = None,
    ) -> Listening:
        """Tell a hearer all there is, or all since a version, and from then on every event."""
        listening = Listening(hearer, account_id, seat, invitation, self._leave)
        updates = None if since is None else updates_since(self.live, account_id, seat, since)
        listening.version = self.live.version(seat)
        if updates is None:
            hearer.send_text(self._whole(listening))
        else:
            self._tell_info_to(listening)
            last = len(updates) - 1
            for place, update in enumerate(updates):
                state = self._state_of(seat) if place == last else {}
                message = Update(
                    table=self.live.info.id,
                    version=update.version,
                    at=update.at,
                    facts=update.told,
                    patch=update.patch,
                    **state,
                )
                hearer.send_text(_encode(message).decode())
        self._by_seat.setdefault(seat, []).append(listening)
        self._count_later()
        return listening

    async def read_info(self) -> None:
        """Who sits where, who is here or the status may have changed: say so to everybody if it has."""
        info = await self._house.tables.info(self.live.info.id)
        present = frozenset(await self._house.tables.presence.present(info.id))
        if info != self._info or present != self._present:
            self._info, self._present = info, present
            self._turn_out()
            self._tell_info()

    async def read_link(self) -> None:
        """The link was renewed: who looks on by the old one, and by nothing else, hears no more."""
        tables = self._house.tables
        info = await tables.read_info(self.live.info.id)
        for listening in self.listenings:
            if listening.invitation is not None and not await tables.may_watch(
                info, listening.account_id, listening.invitation
            ):
                listening.hearer.send_text(_encode(TableGone(table=info.id)).decode())
                listening.close()

    def tell_spoken(self, spoken: Spoken) -> None:
        """What is said in roles is told to those who have one: a letter to who wrote it and who is meant."""
        text = ""
        for listening in self.listenings:
            if listening.seat == SPECTATOR or listening.account_id is None:
                continue
            roles = roles_at(self.live, listening.account_id)
            meant = spoken.to_role is None or spoken.to_role in roles or spoken.author_role in roles
            if roles and meant and not self._is_before(spoken, listening.account_id):
                text = text or _encode(SpokenNews(table=self._info.id, spoken=spoken_shape(spoken))).decode()
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
        text = self._info_text(listening.account_id)
        if text != listening.info_told:
            listening.info_told = text
            listening.hearer.send_text(text)

    def close(self) -> None:
        if self._recount is not None:
            self._recount.cancel()
        self._unsubscribe()
        self._unsubscribe_marks()
        self._unwatch()

    def _leave(self, listening: Listening) -> None:
        there = self._by_seat.get(listening.seat)
        if there is None or listening not in there:
            return
        there.remove(listening)
        if not there:
            del self._by_seat[listening.seat]
            self._legal.pop(listening.seat, None)
        if not self._by_seat:
            self.close()
            self._gone()
        else:
            self._count_later()

    # --- encoding ---------------------------------------------------------------------------------------

    def _happened(self, news: Sequence[Happened]) -> None:
        waiting = self.live.waiting()
        changed = waiting != self._waiting
        self._waiting = waiting
        is_new = self.live.info != self._info
        if is_new:
            self._info = self.live.info
            self._turn_out()
        for seat, there in list(self._by_seat.items()):
            self._tell(seat, list(there), news, sorted(waiting) if changed else None)
        if is_new:
            self._tell_info()

    def _marked(self, seat: Seat, told: list[Json], patch: Json) -> None:
        there = self._by_seat.get(seat)
        if there:
            text = _encode(Marked(table=self.live.info.id, facts=told, patch=patch)).decode()
            for listening in list(there):
                listening.hearer.send_text(text)

    def _turn_out(self) -> None:
        """Whoever has left his seat, or was replaced, no longer hears what is told to it."""
        for listening in self.listenings:
            if listening.seat != SPECTATOR and not self._still_sits(listening):
                listening.hearer.send_text(_encode(TableGone(table=self._info.id)).decode())
                listening.close()

    def _still_sits(self, listening: Listening) -> bool:
        if listening.seat == MASTER:
            return listening.account_id == self._info.master_id
        sitting = self._info.at(listening.seat)
        return sitting is not None and sitting.account_id == listening.account_id and sitting.left_at is None

    def _tell(
        self, seat: Seat, there: list[Listening], news: Sequence[Happened], waiting: list[int] | None
    ) -> None:
        told = [(happened, facts) for happened in news if (facts := happened.told(seat))]
        if not told:
            return
        version = self.live.version_of(news[-1], seat) - len(told)
        for place, (happened, facts) in enumerate(told, start=1):
            version += 1
            state: dict[str, Any] = {}
            if place == len(told):
                state = {"legal": self._changed_legal(seat), "waiting": waiting, "clocks": self._clocks()}
            message = Update(
                table=self.live.info.id,
                version=version,
                at=happened.at,
                facts=facts,
                patch=happened.patch(seat),
                **state,
            )
            text = _encode(message).decode()
            for listening in there:
                # Who came while this was committed and not yet told has it in his view already.
                if listening.version < version:
                    listening.version = version
                    listening.hearer.send_text(text)

    def _whole(self, listening: Listening) -> str:
        live, seat = self.live, listening.seat
        begun = live.state is not None
        listening.info_told = self._info_text(listening.account_id)
        message = Whole(
            table=live.info.id,
            seat=None if seat == SPECTATOR else seat,
            version=listening.version,
            now=live.now(),
            info=table_shape(self._house, self._info, listening.account_id, self._present),
            view=live.view(seat) if begun else None,
            **self._state_of(seat),
        )
        return _encode(message).decode()

    def _info_text(self, account_id: int | None) -> str:
        info = table_shape(self._house, self._info, account_id, self._present)
        return _encode(TableNews(info=info)).decode()

    def _state_of(self, seat: Seat) -> dict[str, Any]:
        legal = self._legal_of(seat)
        self._legal.setdefault(seat, _encode(legal))
        return {"legal": legal, "waiting": sorted(self.live.waiting()), "clocks": self._clocks()}

    def _legal_of(self, seat: Seat) -> Json:
        if seat < MASTER or self.live.state is None or self.live.is_over:
            return None
        return self.live.legal(seat).describe()

    def _changed_legal(self, seat: Seat) -> Json:
        legal = self._legal_of(seat)
        encoded = _encode(legal)
        if self._legal.get(seat) == encoded:
            return None
        self._legal[seat] = encoded
        return {} if legal is None else legal

    def _clocks(self) -> Json:
        faces = self.live.clock_faces()
        return {str(seat): msgspec.to_builtins(face) for seat, face in faces.items()} or None
