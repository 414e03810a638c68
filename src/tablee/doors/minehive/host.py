"""A host as a process of its own: it logs in at the server, then serves one match at its own port.

    python -m tablee.doors.minehive.host serverIP serverPort name hostIP hostPort

is what `tablee minehive host` runs, without loading the rest of the house.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping

import uvloop
from msgspec import MsgspecError
from msgspec.structs import replace

from tablee.clock import WallClock
from tablee.club.limits import network
from tablee.doors.minehive import messages, wire
from tablee.doors.minehive.lines import Lines
from tablee.doors.minehive.match import Match
from tablee.doors.minehive.messages import BadMessage
from tablee.doors.minehive.settings import MinehiveSettings
from tablee.rules.contract import Fact
from tablee.wire.gate import Gate, Listener, raise_descriptors
from tablee.wire.wheel import Wheel

SECRET_VARIABLE = "TABLEE_MINEHIVE_SECRET"
STATE_LINE = 16 * 1024 * 1024
"""The server's own lines to its own host may be long: a view is one line."""
NEEDED = "this host needs a server that speaks DOIT and DONE, as Tablée's own does"


class HostFailed(Exception):
    """The host could not do its work, in a sentence."""


class Host:
    """One match, the link to the server, and the port for the clients."""

    def __init__(self, name: str, ip: str, port: int, secret: str, settings: MinehiveSettings) -> None:
        self.name = name
        self.secret = secret
        self.settings = settings
        self.wheel = Wheel(WallClock())
        self.match: Match | None = None
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ip, self._port = ip, port
        self._listener: Listener | None = None

    async def run(self, server_ip: str, server_port: int) -> None:
        """Serve until the match is over or the server is gone; raises HostFailed."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.finish)
        try:
            _, link = await loop.create_connection(lambda: ServerLink(self), server_ip, server_port)
        except OSError as error:
            raise HostFailed(f"No server at {server_ip} port {server_port}: {error.strerror}.") from error
        try:
            await self.finished
        finally:
            if self._listener is not None:
                self._listener.close()
            if self.match is not None:
                if not link.lost:
                    await self.match.finish_clicks()
                self.match.end()
            link.close()
            # Everybody has a moment to take the last lines.
            await asyncio.sleep(0.2)

    def finish(self, why: str = "") -> None:
        if not self.finished.done():
            if why:
                self.finished.set_exception(HostFailed(why))
            else:
                self.finished.set_result(None)

    def begin(self, link: ServerLink, field: str) -> None:
        """The server has said where the match stands: clients may come."""
        self.match = Match(self.name, wire.view_of(field), self.settings, self.wheel, link.over)
        self.match.desk = link
        link.pause()
        asyncio.get_running_loop().create_task(self._listen(link)).add_done_callback(self._listening)

    async def _listen(self, link: ServerLink) -> None:
        assert self.match is not None
        gate = Gate(self.settings.network_connections, network_of=network)
        self._listener = await gate.listen(self.match.connection, self._ip, self._port)
        link.go_on()

    def _listening(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.finish(f"The host cannot listen at {self._ip} port {self._port}: {error}.")

    def address(self) -> tuple[str, int]:
        return (self._ip, self._port) if self._listener is None else self._listener.address


class ServerLink(Lines):
    """The host's end of the link to the server: before IDOK, before the view, then serving."""

    __slots__ = ("_facts", "_played", "_since", "host", "silence")
    not_understood = b"IDKH\n"

    def __init__(self, host: Host) -> None:
        super().__init__(host.wheel, replace(host.settings.bounds, line=STATE_LINE, unread=STATE_LINE))
        self.host = host
        self.silence = host.settings.silence
        self._since: int = 0
        self._facts: list[Fact] = []
        self._played: list[int] = []
        """The clicks that are answered by what was told."""

    def began(self) -> None:
        self._since = self.heard
        self._say(messages.Logi(self.host.name, self.host.secret))

    def gone(self) -> None:
        if self.host.match is None:
            self.host.finish(f"The server has gone without a word on how {self.host.name} stands: {NEEDED}.")
        else:
            self.host.finish()

    def expired(self, now: int) -> int:
        """A server has as long to say how the match stands as it may be silent."""
        due = self._since + self.silence
        if self.host.match is not None:
            return super().expired(now)
        if now >= due:
            self.host.finish(f"The server does not say how {self.host.name} stands: {NEEDED}.")
            self.close()
        return due

    def _say(self, *said: messages.Message) -> None:
        self.tell("".join(f"{message}\n" for message in said))

    # --- from the server --------------------------------------------------------------------------------

    def line(self, line: str) -> None:
        kind = line[:4]
        if kind == "DONE":
            self._done(line.split("#", 4))
            return
        fields = messages.fields_of(line)
        kind = fields[0]
        try:
            if kind == "RUOK":
                self._say(messages.Imok())
            elif kind == "RQDT":
                self._rqdt(messages.parse(messages.Rqdt, fields))
            elif kind == "IDNO":
                self.host.finish(f"The server does not take a host for {self.host.name}.")
            elif kind not in ("IDOK", "IDKS", "PLOK", "PLNO"):
                self.misread()
        except BadMessage:
            self.misread()

    def _rqdt(self, asked: messages.Rqdt) -> None:
        """Answered at any time; before the view has come nothing is open and nobody has joined."""
        self.caught_up()
        match = self.host.match
        ip, port = self.host.address()
        data = (0, ()) if match is None else match.data()
        self._say(messages.Sddt(asked.user, ip, port, self.host.name, *data))

    def _done(self, fields: list[str]) -> None:
        match = self.host.match
        try:
            n, outcome, content = int(fields[2]), fields[3], fields[4]
        except (ValueError, IndexError):
            self.misread()
            return
        try:
            self._heard(match, n, outcome, content)
        except (MsgspecError, ValueError) as error:
            self.host.finish(f"What the server says of {self.host.name} makes no sense here: {error}.")
            self.close()

    def _heard(self, match: Match | None, n: int, outcome: str, content: str) -> None:
        """What DONE says; raises MsgspecError or ValueError where it says nothing."""
        if match is None and outcome == wire.VIEW:
            self.host.begin(self, content)
        elif match is None or outcome == wire.VIEW:
            self.misread()
        elif outcome == wire.FACTS:
            self._facts += wire.facts_of(content)
        elif outcome == wire.PLAYED:
            self._played += map(int, content.split("#"))
        elif outcome == wire.IN:
            self.caught_up()
            match.entered(n, int(content))
        elif outcome == wire.OUT:
            self.caught_up()
            match.put_out(int(content))
        elif outcome == wire.VOID:
            self.caught_up()
            match.voided()
        else:
            self.caught_up()
            match.refused(n, content)

    def caught_up(self) -> None:
        """Tell the players at once what came at once."""
        match = self.host.match
        if match is None:
            return
        facts, self._facts = self._facts, []
        played, self._played = self._played, []
        if facts:
            match.told(facts)
        for n in played:
            match.played(n)

    def over(self) -> None:
        """The match has ended: the server hears the totals, then that this was all."""
        match = self.host.match
        if match is not None and match.picture.ended:
            totals = [messages.Scps(player.name, player.total) for player in match.picture.players.values()]
            self._say(*totals, messages.Ends(self.host.name))
        elif match is not None and match.is_void:
            self._say(messages.Ends(self.host.name))
        self.host.finish()

    # --- to the server ----------------------------------------------------------------------------------

    def join(self, n: int, user: str, password: str, address: str) -> None:
        self._doit(n, user, wire.JOIN, password, address)

    def click(self, n: int, player: str, x: int, y: int) -> None:
        self.tell(f"DOIT#{self.host.name}#{n}#{player}#{wire.CLICK}#{x}#{y}\n")

    def leave(self, player: str) -> None:
        self._doit(0, player, wire.LEAVE)

    def _doit(self, n: int, user: str, action: str, *words: str) -> None:
        self._say(messages.Doit(self.host.name, n, user, action, words))


def run_host(
    server: tuple[str, int], name: str, own: tuple[str, int], secret: str, settings: MinehiveSettings
) -> None:
    """Be a host until its match is over. Raises HostFailed."""

    raise_descriptors()

    async def run() -> None:
        await Host(name, *own, secret, settings).run(*server)

    uvloop.run(run())


def settings_of(environment: Mapping[str, str]) -> MinehiveSettings:
    """The times that the server was told to keep, which it hands on."""
    return MinehiveSettings(
        ping=round(float(environment.get("TABLEE_MINEHIVE_PING_SECONDS", "5")) * 1000),
        silence=round(float(environment.get("TABLEE_MINEHIVE_SILENCE_SECONDS", "10")) * 1000),
        network_connections=int(environment.get("TABLEE_NETWORK_CONNECTIONS", "500")),
    )


def main() -> None:
    """What the server starts: the five arguments, everything else from the environment."""
    server_ip, server_port, name, host_ip, host_port = sys.argv[1:6]
    secret = os.environ.pop(SECRET_VARIABLE, "")
    server, own = (server_ip, int(server_port)), (host_ip, int(host_port))
    try:
        run_host(server, name, own, secret, settings_of(os.environ))
    except HostFailed as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
