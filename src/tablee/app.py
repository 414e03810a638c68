"""The whole house, built from its settings: what is opened, in which order, and how it ends."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import SystemRandom
from time import monotonic
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tablee import logs
from tablee.clock import Clock, WallClock
from tablee.club import Club
from tablee.club.limits import Bucket, network
from tablee.club.outside import Outside
from tablee.club.post import Post, Sender, post_office
from tablee.config import Settings
from tablee.demo import Demo
from tablee.doors.afjd import AfjdDoor, AfjdSettings
from tablee.doors.dr2d import Dr2dSettings
from tablee.doors.dr2d.door import PATH as DR2D_PATH
from tablee.doors.dr2d.door import Dr2dDoor
from tablee.doors.mail import MailDoor, MailSettings
from tablee.doors.minehive.door import MinehiveDoor
from tablee.doors.minehive.settings import MinehiveSettings
from tablee.doors.pawnhub import PawnhubSettings
from tablee.doors.pawnhub.door import PawnhubDoor
from tablee.doors.web import Page, WebDoor, WebSettings
from tablee.engines import with_engines
from tablee.first_start import CannotStart, Claim, name_super_administrator, prepare_folder
from tablee.games import find_games
from tablee.metrics import CONTENT_TYPE, Metrics
from tablee.store import NewerDatabase, Store, StoreError, Unavailable, open_store
from tablee.store.batch import Job
from tablee.store.nodes import Nodes
from tablee.store.sqlite import SqliteStore
from tablee.tables import Tables
from tablee.tables.calendar import ClubCalendar
from tablee.tables.club_files import ClubFiles
from tablee.tournaments.office import Tournaments
from tablee.wire.gate import Gate, raise_descriptors
from tablee.wire.http.server import WebServer

log = structlog.get_logger("tablee.app")
T = TypeVar("T")

PORT_TAKEN = 3
DATABASE_UNUSABLE = 4
DATABASE_NEWER = 5


class Opened(msgspec.Struct, frozen=True):
    """What whoever started the house wants to know: where the doors are, and the first password."""

    doors: dict[str, str]
    database: str
    super_administrator: str
    password: str | None


class Node:
    """One node. `open` once, `close` once, whatever happened in between."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock = clock or WallClock()
        self.data = Path(settings.data)
        self.metrics = Metrics()
        self._closers: list[tuple[str, Callable[[], Awaitable[object]]]] = []
        self._is_open = False
        self._tournaments: Tournaments | None = None
        self._trouble_noted: str | None = None
        self._store: Store | None = None
        """What to do when the other nodes took this one for dead: enter anew who is connected here."""
        descriptors = raise_descriptors()
        self.gate = Gate(settings.network_connections, settings.trusted_proxies, network, descriptors)
        self._connections: dict[str, Callable[[], int]] = {}
        self.metrics.ask(
            "tablee_connections",
            "Connections that are open, by door.",
            lambda: {door: count() for door, count in self._connections.items()},
            label="door",
        )
        self.metrics.ask(
            "tablee_refused_connections",
            "Connections that were not let in, by what was short: the share of a network, or descriptors.",
            lambda: dict(self.gate.refused),
            label="reason",
        )

    async def open(self) -> Opened:
        """Open everything, the ports last. Raises CannotStart, having closed again what was open."""
        try:
            return await self._open()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close everything in the reverse order; what fails to close is logged and does not keep the rest."""
        self._is_open = False
        while self._closers:
            what, closer = self._closers.pop()
            try:
                await closer()
            except StoreError as error:
                log.warning("not closed cleanly", what=what, error=str(error))
            except Exception as error:
                log.error("not closed cleanly", what=what, exc_info=error)

    # --- opening, from the bottom up --------------------------------------------------------------------

    async def _open(self) -> Opened:
        settings = self.settings
        prepare_folder(self.data)
        logs.hide(*_passwords_of(settings))
        self._watch_loop()
        store = await self._open_store()
        club = await self._open_club(store)
        account, password = await name_super_administrator(club, settings.super_administrator, self.data)
        if password is not None:
            logs.hide(password)
        tables = await self._open_tables(store, club)
        self._tournaments = Tournaments(tables)
        await self._tournaments.matches.catch_up()
        self._tournaments.timekeeping.start()
        self._closers.append(("tournaments", self._tournaments.timekeeping.stop))
        if settings.demo:
            demo = Demo(store, tables, self.clock)
            await demo.start()
            self._closers.append(("demonstration tables", demo.stop))
        doors = await self._open_doors(store, club, tables)
        self._is_open = True
        return Opened(doors, _shown_database(settings), account.pseudo, password)

    def _watch_loop(self) -> None:
        asyncio.get_running_loop().set_exception_handler(_unhandled)
        self.metrics.watch_loop()

        async def stop() -> None:
            self.metrics.stop()

        self._closers.append(("figures", stop))

    async def _open_store(self) -> Store:
        try:
            store = await open_store(
                self.settings.database_url,
                node_id=f"{_host_name()}-{secrets.token_hex(4)}",
                redis=self.settings.redis or None,
            )
        except NewerDatabase as error:
            raise CannotStart(str(error), DATABASE_NEWER) from error
        except (StoreError, OSError) as error:
            raise CannotStart(f"The database cannot be used: {error}", DATABASE_UNUSABLE) from error
        self._store = store
        self._closers.append(("store", store.close))
        if isinstance(store, SqliteStore):
            self._closers.append(("claim", Claim(store.path).release))
        store.watch = self._count_batch
        self.metrics.ask(
            "tablee_ready", "1 while the house takes moves.", lambda: float(self.trouble() is None)
        )
        return store

    async def _open_club(self, store: Store) -> Club:
        club = Club(
            store,
            self.clock,
            name=self.settings.name,
            zone=self.settings.time_zone,
            home=self.settings.public_url.rstrip("/"),
            limits=self._limits(),
            absence_days=self.settings.absence_days,
            outside=Outside(self.settings.callable_machines),
            push_contact=self.settings.push_contact_url,
        )
        self._closers.append(("club", club.stop))
        self.metrics.ask(
            "tablee_push_messages",
            "Push messages of this node, by what became of them: sent, seen, late, failed, refused, gone.",
            lambda: dict(club.push.sender.counts),
            label="outcome",
        )
        club.start(self._post())
        return club

    def _post(self) -> Post:
        sender = Sender(self.settings.mail_from, self.settings.name)
        try:
            return post_office(self.settings.smtp, self.data / "mail", sender)
        except ValueError as error:
            raise CannotStart(f"The mail server is not given as it should be: {error}.", 2) from error

    async def _open_tables(self, store: Store, club: Club) -> Tables:
        calendar = ClubCalendar(self.settings.time_zone)
        games, troubles = find_games()
        for trouble in troubles:
            log.warning("a game is left out", reason=trouble)
        tables = Tables(store, club, self.clock, SystemRandom(), with_engines(games), calendar=calendar)
        self.metrics.ask("tablee_tables", "Tables that this node has in memory.", lambda: len(tables.loaded))
        self.metrics.ask(
            "tablee_clock_astray_seconds",
            "By how much the clock of the machine is ahead of the time of the house.",
            lambda: self.clock.astray() / 1000,
        )
        nodes = Nodes(store, self.clock)

        def enter_again() -> None:
            log.warning("the other nodes had taken this one for dead")
            club.online.enter_again()
            tables.spawn(tables.presence.enter_again(), "presence")

        nodes.on_evicted(enter_again)
        try:
            arrival = await nodes.register()
            self._closers.append(("heartbeat", nodes.stop))
            self._closers.append(("tables", tables.stop))
            files = ClubFiles(self.data, tables, self.clock)
            await files.read()
            self._closers.append(("descriptions", files.stop))
            await tables.start(arrival)
            files.start()
            await nodes.reap(tables.reaped)
        except Unavailable as error:
            raise CannotStart(f"The database cannot be used: {error}", DATABASE_UNUSABLE) from error
        nodes.start(tables.reaped, tables.stepped)
        return tables

    async def _open_doors(self, store: Store, club: Club, tables: Tables) -> dict[str, str]:
        settings, doors = self.settings, dict[str, str]()
        if settings.minehive_port != "off":
            minehive = MinehiveDoor(
                store, club, tables, self.clock, self.data, self._minehive_settings(), self.gate
            )
            self._closers.append(("Minehive door", minehive.stop))
            await _listening("Minehive", minehive.start)
            logs.hide(minehive.secret)
            self._connections["minehive"] = lambda: len(minehive.clients)
            doors["minehive"] = _address(*minehive.address)
            if settings.minehive_host_port != "off":
                doors["minehive_hosts"] = _address(*minehive.hosts.address)
        if settings.pawnhub_port != "off" or settings.pawnhub_plain_port != "off":
            pawnhub = PawnhubDoor(store, club, tables, self.clock, self._pawnhub_settings(), self.gate)
            self._closers.append(("Pawn Hub door", pawnhub.stop))
            await _listening("Pawn Hub", pawnhub.start)
            self._connections["pawnhub"] = lambda: len(pawnhub.connections)
            if pawnhub.address is not None:
                doors["pawnhub"] = _address(*pawnhub.address)
            if pawnhub.plain_address is not None:
                doors["pawnhub_plain"] = _address(*pawnhub.plain_address)
        if settings.dr2d_port != "off":
            dr2d = Dr2dDoor(store, club, tables, self.clock, self._dr2d_settings(), self._server)
            self._closers.append(("DR2D door", lambda: dr2d.stop(settings.patience_seconds)))
            await _listening("The DR2D", dr2d.start)
            self._connections["dr2d"] = lambda: len(dr2d.sockets)
            doors["dr2d"] = f"ws://{_address(settings.host, dr2d.port)}{DR2D_PATH}"
        afjd = None
        if settings.afjd:
            afjd = AfjdDoor(store, club, tables, self.clock, self.data, self._afjd_settings(), self._server)
            self._closers.append(("AFJD door", afjd.stop))
            await _listening("The AFJD", afjd.start)
            logs.hide(afjd.secret)
            for name, port in afjd.ports.items():
                doors[f"afjd_{name}"] = f"http://{_address(settings.host, port)}"
        if settings.port != "off":
            page = Page(club=settings.name)
            web = WebDoor(
                store,
                club,
                tables,
                self.clock,
                host=settings.host,
                port=settings.port,
                settings=WebSettings(origins=settings.trusted_origins, page_build=page.build),
                trusted_proxies=settings.trusted_proxies,
                beside=[*self._routes(), *([] if afjd is None else afjd.mounts)],
                page=page,
                gate=self.gate,
                tournaments=self._tournaments,
            )
            port = await _listening("The web", web.start)
            self._closers.append(("web door", lambda: web.stop(settings.patience_seconds)))
            self._connections["web"] = web.connections
            doors["http"] = f"http://{_address(settings.host, port)}"
            if not settings.public_url:
                club.home = doors["http"]
        if settings.orders_address:
            made = self._mail_settings(settings.public_url or doors.get("http", ""))
            mail = MailDoor(store, club, tables, self.clock, made, self.data)
            self._closers.append(("mail door", mail.stop))
            await _listening("The mail", mail.start)
            if mail.lmtp is not None:
                doors["lmtp"] = mail.lmtp.address
        return dict(sorted(doors.items()))

    def _server(self, app: ASGIApp, host: str, port: int) -> WebServer:
        return WebServer(app, host, port, trusted_proxies=self.settings.trusted_proxies, gate=self.gate)

    def _limits(self) -> dict[str, Bucket]:
        """How many one network may bring within an hour, over all doors."""
        s = self.settings
        return {
            "sign_up": Bucket(s.accounts_an_hour, 3600),
            "visitor": Bucket(s.visitors_an_hour, 3600),
            "console": Bucket(s.dr2d_arrivals, 3600),
            "mail_answer": Bucket(s.orders_an_hour, 3600),
        }

    def _afjd_settings(self) -> AfjdSettings:
        s = self.settings
        return AfjdSettings(
            host=s.host,
            ports=s.service_ports,
            open_solver=s.open_solver,
            origins=s.front_ends,
            token_minutes=s.afjd_token_minutes,
            grace_hours=s.grace_hours,
        )

    def _minehive_settings(self) -> MinehiveSettings:
        s = self.settings
        return MinehiveSettings(
            host=s.host,
            port=0 if s.minehive_port == "off" else s.minehive_port,
            host_port=None if s.minehive_host_port == "off" else s.minehive_host_port,
            public_host=s.public_host,
            match_ports=s.match_ports,
            hosts=s.minehive_hosts,
            matches=s.minehive_matches,
            matches_each=s.minehive_matches_each,
            players=s.minehive_players,
            network_connections=s.network_connections,
            match_players=s.minehive_match_players,
            ping=round(s.minehive_ping_seconds * 1000),
            silence=round(s.minehive_silence_seconds * 1000),
            idle=round(s.minehive_idle_seconds * 1000),
        )

    def _pawnhub_settings(self) -> PawnhubSettings:
        s = self.settings
        return PawnhubSettings(
            host=s.host,
            port=None if s.pawnhub_port == "off" else s.pawnhub_port,
            plain_port=None if s.pawnhub_plain_port == "off" else s.pawnhub_plain_port,
            connections=s.pawnhub_connections,
        )

    def _dr2d_settings(self) -> Dr2dSettings:
        s = self.settings
        return Dr2dSettings(
            host=s.host,
            port=0 if s.dr2d_port == "off" else s.dr2d_port,
            seats=s.dr2d_seats,
            connections=s.dr2d_connections,
            reply=round(s.dr2d_reply_seconds * 1000),
            cartouche=round(s.dr2d_cartouche_seconds * 1000),
            localization=round(s.dr2d_localization_seconds * 1000),
        )

    def _mail_settings(self, public_url: str) -> MailSettings:
        s = self.settings
        return MailSettings(
            mailbox=s.orders_address,
            authserv_id=s.orders_authserv,
            lmtp=s.orders_lmtp,
            imap=s.orders_imap,
            folder=s.orders_folder,
            public_url=public_url,
        )

    # --- health and figures -----------------------------------------------------------------------------

    def trouble(self) -> str | None:
        """None while the house can take moves, else why not."""
        if not self._is_open or self._store is None:
            return "The house is opening or closing."
        return self._store.healthy()

    def ending(self) -> None:
        """From now on the house is not ready, though what is in flight is still finished."""
        self._is_open = False

    def _routes(self) -> list[Route]:
        async def healthz(request: Request) -> Response:
            return JSONResponse({"status": "ok"})

        async def readyz(request: Request) -> Response:
            # Whoever asks may be a stranger: why it is not ready is for the log and for administrators.
            trouble = self.trouble()
            if trouble is not None and trouble != self._trouble_noted:
                log.warning("the house is not ready", reason=logs.redacted(trouble))
            self._trouble_noted = trouble
            if trouble is None:
                return JSONResponse({"status": "ready"})
            return JSONResponse({"status": "not ready"}, 503)

        async def metrics(request: Request) -> Response:
            return Response(self.metrics.text(), media_type=CONTENT_TYPE)

        return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]

    def _count_batch(self, jobs: Sequence[Job]) -> None:
        self.metrics.commits.observe(monotonic() - jobs[0].since)
        events = 0
        for job in jobs:
            if job.error is None:
                for append in job.unit.appends:
                    events += len(append.events)
            else:
                self.metrics.failures.labels(type(job.error).__name__).inc()
        self.metrics.units.inc(len(jobs))
        if events:
            self.metrics.events.inc(events)


async def serve(settings: Settings, ended: asyncio.Event, ready: Callable[[Opened], None]) -> None:
    """Run a house until `ended` is set; `ready` is called when it is open. Raises CannotStart."""
    node = Node(settings)
    opened = await node.open()
    try:
        ready(opened)
        log.info("ready", **opened.doors, database=opened.database)
        await ended.wait()
        log.info("ending")
        node.ending()
    finally:
        await node.close()
    log.info("ended")


async def _listening(door: str, start: Callable[[], Awaitable[T]]) -> T:
    try:
        return await start()
    except OSError as error:
        hint = ""
        if error.errno == errno.EADDRINUSE:
            hint = " Another program has this port: stop it, or choose another port (0 for any free one)."
        raise CannotStart(f"{door} door: {error.strerror or error}.{hint}", PORT_TAKEN) from error


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """What failed where nobody waited for it goes to the log; a lost connection is no fault of ours."""
    error = context.get("exception")
    if isinstance(error, OSError | StoreError) or type(error).__module__.startswith("asyncpg."):
        log.warning(str(context["message"]), error=str(error))
    else:
        log.error(str(context["message"]), exc_info=error if isinstance(error, BaseException) else None)


def _passwords_of(settings: Settings) -> list[str]:
    """The passwords inside the URLs of the settings, so that they are known and never logged."""
    urls = (settings.database, settings.redis, settings.smtp, settings.orders_imap)
    found = [urlsplit(url).password for url in urls if url]
    return [form for password in found if password for form in (password, unquote(password))]


def _shown_database(settings: Settings) -> str:
    return logs.redacted(settings.database_url)


def _host_name() -> str:
    return os.uname().nodename[:40]


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
