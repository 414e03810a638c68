"""The hosts' port: our own host processes, and the hosts of other people who have the secret."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

import msgspec
import structlog

from tablee.club.errors import ClubError
from tablee.club.fields import pseudo_key
from tablee.doors.minehive import messages
from tablee.doors.minehive.desk import TableDesk
from tablee.doors.minehive.hosting import ProcessHosting
from tablee.doors.minehive.lines import Lines
from tablee.doors.minehive.messages import BadMessage, Matc, Message, Sddt
from tablee.doors.minehive.wire import CLICK, FACTS, IN, JOIN, LEAVE, NO, OUT, PLAYED, VIEW, VOID, field_of
from tablee.rules.contract import Fact, Seat
from tablee.store import StoreError, Unavailable
from tablee.tasks import insist

if TYPE_CHECKING:
    from tablee.doors.minehive.door import MinehiveDoor

log = structlog.get_logger("tablee.minehive")

HOST_UNREAD = 16 * 1024 * 1024
"""A host carries a whole match: it may fall behind further than a player."""
OWN_LINE = 64 * 1024
"""A DOIT of our own host carries the words of a client's line, which may be as long as a line can be."""
NAME_MOST = 60
SERVER = "server"
"""The name under which we ask hosts for ourselves; nobody may have it."""


class Hosts:
    """Everybody who is logged in at the hosts' port."""

    def __init__(self, door: MinehiveDoor) -> None:
        self._door = door
        self._expected: dict[str, ProcessHosting] = {}
        self.foreign: dict[str, HostConnection] = {}
        """The hosts of other people, by the name of their match."""
        self.connections: set[HostConnection] = set()
        self.address: tuple[str, int] = ("", 0)

    def connection(self) -> HostConnection:
        return HostConnection(self._door)

    def expect(self, name: str, hosting: ProcessHosting) -> None:
        """A process of ours will log in with this match."""
        self._expected[name] = hosting

    def forget(self, name: str, hosting: ProcessHosting) -> None:
        if self._expected.get(name) is hosting:
            del self._expected[name]

    def expected(self, name: str) -> ProcessHosting | None:
        return self._expected.get(name)

    async def ask(self, user: str) -> list[Matc]:
        """What the hosts of other people say of their matches, as far as they say it in time."""
        asked = {connection.ask(user) for connection in self.foreign.values()}
        if not asked:
            return []
        answered, late = await asyncio.wait(asked, timeout=self._door.settings.gather / 1000)
        for one in late:
            one.cancel()
        said = [one.result() for one in answered if not one.cancelled()]
        return [Matc(a.ip, a.port, a.match, a.completion, a.players) for a in sorted(said, key=_match)]


def _match(answer: Sddt) -> str:
    return answer.match


class HostConnection(Lines):
    """A host: a stranger until LOGI; then ours, with a desk at its table, or somebody else's."""

    __slots__ = (
        "_answers",
        "_desk",
        "_facts",
        "_flush_planned",
        "_hosting",
        "_played",
        "_players",
        "_said",
        "door",
        "name",
        "ping",
        "place",
        "silence",
    )
    not_understood = b"IDKS\n"

    def __init__(self, door: MinehiveDoor) -> None:
        super().__init__(door.wheel, msgspec.structs.replace(door.settings.bounds, unread=HOST_UNREAD))
        self.door = door
        self.ping = door.settings.ping
        self.silence = door.settings.silence
        self.name = ""
        self.place: tuple[str, int] | None = None
        """Where its clients join, once it has said so."""
        self._hosting: ProcessHosting | None = None
        self._desk: TableDesk | None = None
        self._answers: dict[str, asyncio.Future[Sddt]] = {}
        self._players: dict[str, tuple[int, int]] = {}
        """Account and the total given in PLOK, by key of the name: the players of somebody else's match."""
        self._facts: list[Fact] = []
        self._played: list[int] = []
        self._said: list[messages.Done] = []
        self._flush_planned = False

    def began(self) -> None:
        self.door.hosts.connections.add(self)

    def gone(self) -> None:
        hosts = self.door.hosts
        hosts.connections.discard(self)
        if self._hosting is not None:
            self._hosting.died(self)
        elif hosts.foreign.get(self.name) is self:
            del hosts.foreign[self.name]
            for account_id, _ in self._players.values():
                self.door.present.leave_elsewhere(account_id)
            self._players.clear()
        for answer in self._answers.values():
            answer.cancel()

    def is_identified(self) -> bool:
        return bool(self.name)

    def say(self, said: Message) -> None:
        self.answer(f"{said}\n")

    def misread(self) -> None:
        if self.name:
            super().misread()
        else:
            self._turn_away()

    def line(self, line: str) -> None:
        kind = line[:4]
        if kind == "DOIT" and self._desk is not None:
            self._doit(self._desk, line)
            return
        fields = messages.fields_of(line)
        kind = fields[0]
        if kind in ("IMOK", "IDKC", "IDKH"):
            return
        try:
            if not self.name:
                self._logi(kind, messages.parse(messages.Logi, fields))
            elif kind == "SDDT":
                self._sddt(messages.parse(Sddt, fields))
            elif kind == "PLIN":
                self.understood()
                self.door.spawn(self._plin(fields))
            elif kind == "SCPS":
                self.understood()
                self.hold(self._scps(messages.parse(messages.Scps, fields)))
            elif kind == "ENDS":
                self._ends(messages.parse(messages.Ends, fields))
            else:
                self.misread()
        except BadMessage:
            self.misread()

    # --- logging in -------------------------------------------------------------------------------------

    def _turn_away(self) -> None:
        self.say(messages.Idno())
        self.close()

    def _logi(self, kind: str, asked: messages.Logi) -> None:
        known = hmac.compare_digest(asked.secret.encode(), self.door.secret.encode())
        if kind != "LOGI" or not known or len(asked.match) > NAME_MOST:
            self._turn_away()
            return
        hosting = self.door.hosts.expected(asked.match)
        if hosting is not None and hosting.awaits_login:
            self.bounds = msgspec.structs.replace(self.bounds, line=OWN_LINE)
            self.name = asked.match
            self._hosting = hosting
            self.say(messages.Idok())
            self._desk = hosting.logged_in(self)
            view = messages.Done(self.name, 0, VIEW, (field_of(self._desk.view()),))
            self.tell(f"{view}\n")
            self._rqdt(SERVER)
        else:
            self.hold(self._foreign(asked.match))

    async def _foreign(self, match: str) -> None:
        """Somebody else's host: it is one of the matches, if there is room and the name is free."""
        hosts = self.door.hosts
        try:
            running = await self.door.present.matches()
        except StoreError:
            self._turn_away()
            return
        taken = match in hosts.foreign or any(name == match for _, name in running)
        if taken or len(running) + len(hosts.foreign) >= self.door.settings.matches:
            self._turn_away()
        elif not self.lost:
            self.name = match
            hosts.foreign[match] = self
            self.say(messages.Idok())
            self._rqdt(SERVER)

    # --- the document's requests ------------------------------------------------------------------------

    def _rqdt(self, user: str) -> None:
        self.tell(f"{messages.Rqdt(user)}\n")

    def ask(self, user: str) -> asyncio.Future[Sddt]:
        """RQDT for this user; the answer is SDDT with the same name."""
        said = self.read_as(user)
        answer = self._answers.get(said)
        if answer is None or answer.done():
            answer = self._answers[said] = asyncio.get_running_loop().create_future()
            answer.add_done_callback(lambda _: self._answers.pop(said, None))
            self._rqdt(user)
        return answer

    def _sddt(self, said: Sddt) -> None:
        self.understood()
        self.place = (said.ip, said.port)
        if self._hosting is not None:
            self._hosting.listens(said.port)
        answer = self._answers.get(said.user)
        if answer is not None and not answer.done():
            answer.set_result(said)

    async def _plin(self, fields: list[str]) -> None:
        user = fields[2] if len(fields) > 2 else ""
        try:
            asked = messages.parse(messages.Plin, fields)
            points = await self._let_in(asked)
        except (BadMessage, ClubError, StoreError):
            points = None
        self.say(messages.Plno(user) if points is None else messages.Plok(user, points))

    async def _let_in(self, asked: messages.Plin) -> int | None:
        """The points of a player who may join this host's match; None if he may not."""
        door = self.door
        if self._hosting is not None or asked.match != self.name:
            return None
        account = await door.club.accounts.verify(asked.user, asked.password, address=self.address)
        if account.id in door.entering:
            return None
        door.entering.add(account.id)
        try:
            if await door.present.match_of(account.id) is not None:
                return None
            if self.place is None:
                await asyncio.wait({self.ask(SERVER)}, timeout=door.settings.gather / 1000)
            points = await door.present.points(account.id)
            if self.lost:
                return None
            await door.present.enter_elsewhere(account.id, *(self.place or (self.address, 0)))
            if self.lost:
                door.present.leave_elsewhere(account.id)
                return None
            self._players[pseudo_key(asked.user)] = (account.id, points)
            door.present.playing(account.id)
            return points
        finally:
            door.entering.discard(account.id)

    def shut_out(self, account_id: int) -> None:
        """Somebody else's host keeps its connections; what he wins there from now on does not count here."""
        for key, (who, _) in list(self._players.items()):
            if who == account_id:
                del self._players[key]
                self.door.present.leave_elsewhere(account_id)

    async def _scps(self, said: messages.Scps) -> None:
        """What our own host says of points was committed with the last event of its table."""
        player = self._players.pop(pseudo_key(said.user), None)
        if player is None:
            return
        account_id, given = player
        present = self.door.present
        scores = chain([present.score], repeat(present.score_once))  # the first may have been written unheard
        try:
            await insist(lambda: next(scores)(account_id, said.total - given), Unavailable)
        except StoreError as error:
            log.error("minehive_points_lost", match=self.name, account=account_id, error=str(error))

    def _ends(self, said: messages.Ends) -> None:
        self.understood()
        if said.match != self.name:
            return
        if self._hosting is not None:
            self._hosting.ends()
        self.close()

    # --- our own host: DOIT and DONE --------------------------------------------------------------------

    def _doit(self, desk: TableDesk, line: str) -> None:
        self.understood()
        fields = line.split("#")
        try:
            n, user, action = int(fields[2]), fields[3], fields[4]
            if action == CLICK:
                desk.click(n, user, int(fields[5]), int(fields[6]))
            elif action == JOIN:
                desk.join(n, user, fields[5], fields[6])
            elif action == LEAVE:
                desk.leave(user)
            else:
                self.misread()
        except (ValueError, IndexError):
            self.misread()

    def told(self, facts: Sequence[Fact]) -> None:
        """Kept until the answers of the same moment are known, so that all goes out at once."""
        self._facts += facts
        self._plan_flush()

    def played(self, n: int) -> None:
        self._played.append(n)
        self._plan_flush()

    def entered(self, n: int, seat: Seat) -> None:
        self._after_facts(n, IN, str(seat))

    def refused(self, n: int, code: str) -> None:
        self._after_facts(n, NO, code)

    def put_out(self, seat: Seat) -> None:
        self._after_facts(0, OUT, str(seat))

    def voided(self) -> None:
        self._after_facts(0, VOID, "")

    def _after_facts(self, n: int, outcome: str, content: str) -> None:
        """To be said behind the facts of the same moment."""
        self._said.append(messages.Done(self.name, n, outcome, (content,)))
        self._plan_flush()

    def _plan_flush(self) -> None:
        if not self._flush_planned:
            self._flush_planned = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flush_planned = False
        facts, self._facts = self._facts, []
        played, self._played = self._played, []
        said, self._said = self._said, []
        lines: list[Message] = []
        if facts:
            lines.append(messages.Done(self.name, 0, FACTS, (field_of(facts),)))
        if played:
            lines.append(messages.Done(self.name, 0, PLAYED, tuple(map(str, played))))
        self.tell("".join(f"{line}\n" for line in [*lines, *said]))
