"""The door as a whole: its port, the races of this node, and how a console comes to its robot."""

from __future__ import annotations

import asyncio
import math
import re
import secrets
from collections.abc import Callable
from contextlib import suppress

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from tablee.clock import Clock
from tablee.club import Account, Club, ClubError, TooMany
from tablee.club.scopes import Scope
from tablee.doors.dr2d.console import Console
from tablee.doors.dr2d.frames import service_text
from tablee.doors.dr2d.race import DOOR, Race
from tablee.doors.dr2d.settings import Dr2dSettings
from tablee.doors.dr2d.socket import REFUSED, RESTART, Socket, TurnedAway, endpoint
from tablee.doors.dr2d.uids import KEY_NAME, Player, PlayerUids
from tablee.rules.contract import SPECTATOR, Illegal
from tablee.store import Conflict, Hint, Store, StoreError, Unsubscribe
from tablee.store.keys import shared_key
from tablee.tables import HouseTable, LobbyFilter, NoSuchTable, TableError, TablePlan, Tables, Way
from tablee.tasks import Tasks
from tablee.wire.http.server import WebServer
from tablee.wire.wheel import Wheel

log = structlog.get_logger("tablee.dr2d")

PATH = "/dr2d"
GAME, VARIANT = "robots", "race"
GHOST_AFTER = 15_000
"""Milliseconds after which a guest who waits for a game, and is connected nowhere, is not waited for."""
TRIES = 5
"""How often a waiting game that others were faster to fill is looked for again."""
_TABLE = re.compile(r"[1-9]\d{0,17}", re.ASCII)


class Dr2dDoor:
    """From `start` on consoles come in; after `stop` all have been sent away.

    `serve` makes a server for an application, a host and a port.
    """

    def __init__(
        self,
        store: Store,
        club: Club,
        tables: Tables,
        clock: Clock,
        settings: Dr2dSettings,
        serve: Callable[[ASGIApp, str, int], WebServer],
    ) -> None:
        self.store = store
        self.club = club
        self.tables = tables
        self.clock = clock
        self.settings = settings
        self.wheel = Wheel(clock)
        self.sockets: set[Socket] = set()
        self.races: dict[int, Race] = {}
        self.uids = PlayerUids("")
        self.port = 0
        # The document names no path: consoles come to whichever they were told.
        routes = [WebSocketRoute("/{rest:path}", endpoint(self)), Route("/{rest:path}", _not_a_page)]
        self._server = serve(Starlette(routes=routes), settings.host, settings.port)
        self._looking = asyncio.Lock()
        self._is_stopping = False
        self.tasks = Tasks("tablee.dr2d", StoreError)
        self.spawn = self.tasks.spawn
        self._unsubscribe: list[Unsubscribe] = []

    # --- life -------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the port; raises OSError with a sentence."""
        self.uids = PlayerUids(await shared_key(self.store, KEY_NAME))
        bus = self.store.bus
        self._unsubscribe = [
            bus.subscribe("lobby", lambda key, _: self._table_hinted(int(key))),
            bus.subscribe(DOOR, self._came_elsewhere),
            bus.subscribe("account", self._account_hinted),
            bus.on_lost(self._look_around),
            self.store.on_restored(self._send_all_away),
        ]
        self.port = await self._server.start()

    async def stop(self, patience: float = 10.0) -> None:
        """Send everybody away; running games wait for their players."""
        self._is_stopping = True
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._send_all_away()
        await self._server.stop(patience)
        await self.tasks.end(patience)  # seats are given up
        for race in tuple(self.races.values()):
            race.close()
        self.races.clear()
        self.wheel.stop()

    def _send_all_away(self) -> None:
        for socket in tuple(self.sockets):
            socket.close(RESTART, "the house closes this connection; come again")

    def new_token(self) -> str:
        """For one call, once: nobody guesses it."""
        return secrets.token_urlsafe(12)

    # --- coming in --------------------------------------------------------------------------------------

    async def enter(self, socket: Socket) -> Console:
        """The robot of a connection; raises TurnedAway, also where the house cannot do it now."""
        if self._is_stopping:
            raise TurnedAway("Closing", "La maison ferme.")
        if len(self.sockets) > self.settings.connections:
            raise TurnedAway("Full", "Trop de consoles sont connectées : revenez plus tard.")
        try:
            if "playerUID" in socket.query:
                return await self._come_back(socket, socket.query["playerUID"])
            return await self._come(socket)
        except TooMany as refusal:
            raise TurnedAway("TooMany", refusal.sentence("fr")) from None
        except (ClubError, TableError) as refusal:
            raise TurnedAway("Refused", refusal.sentence("fr")) from None
        except Illegal as refusal:
            raise TurnedAway("Refused", f"La table refuse ({refusal.code}).") from None
        except StoreError as error:
            log.warning("dr2d_enter_failed", error=str(error))
            raise TurnedAway("Unavailable", "La maison ne peut pas le faire maintenant.") from None

    async def _come(self, socket: Socket) -> Console:
        account: Account | None = None
        if socket.bearer:
            identity = await self.club.sessions.who(socket.bearer)
            identity.require(Scope.PLAY)
            await self.club.sessions.note_acting(identity, "dr2d", socket.address)
            account = identity.account
        wanted = socket.query.get("table")
        if wanted is not None:
            table = await self._table(wanted)
            account = account or await self._guest(socket)
            return await self._sit(socket, table, account, socket.query.get("invitation"))
        account = account or await self._guest(socket)
        async with self._looking:
            for _ in range(TRIES):
                try:
                    return await self._sit(socket, await self._waiting_game(account), account, None)
                except TableError as refusal:
                    log.debug("dr2d_looked_again", refusal=str(refusal))
        raise TurnedAway("Refused", "Aucune partie en attente : revenez plus tard.")

    async def _guest(self, socket: Socket) -> Account:
        """A visitor of the house; consoles of one network are counted apart from its other visitors."""
        return await self.club.accounts.create_visitor(address=socket.address, limit="console")

    async def _table(self, wanted: str) -> HouseTable:
        if not _TABLE.fullmatch(wanted):
            raise NoSuchTable(table=wanted[:20])
        info = await self.tables.info(int(wanted))
        if info.game != GAME:
            raise NoSuchTable(table=wanted)
        return info

    async def _waiting_game(self, account: Account) -> HouseTable:
        """The game that consoles wait in, the oldest first; a new one where there is none."""
        wanted = LobbyFilter(game=GAME, variant=VARIANT, door=DOOR, status=("open",), with_free_seat=True)
        open_now = [info for info in await self.tables.lobby.listing(wanted) if info.access == "open"]
        for info in sorted(open_now, key=lambda info: info.id):
            if await self._is_alive(info):
                return info
        settings = self.settings
        before = settings.reply * 3
        options = {
            "seats": settings.seats,
            "cartouche_seconds": math.ceil(settings.cartouche / 1000),
            # The board, the name and the tile are asked for one after the other; the door keeps their times.
            "localization_seconds": math.ceil((before + settings.localization) / 1000),
        }
        return await self.tables.creating.create(
            TablePlan(GAME, VARIANT, options, account.id, door=DOOR, people=())
        )

    async def _is_alive(self, info: HouseTable) -> bool:
        """Whether somebody waits there; seats that a node which died has left behind are cleared away."""
        present = await self.tables.presence.present(info.id)
        long_ago = self.clock.now() - GHOST_AFTER
        for taken in info.taken:
            is_ghost = taken.kind == "visitor" and taken.seat not in present and taken.joined_at < long_ago
            if is_ghost:
                with suppress(TableError, Illegal, Conflict):
                    await self.tables.sitting.leave(info.id, taken.account_id)
        return (await self.tables.info(info.id)).status == "open"

    async def _sit(
        self, socket: Socket, info: HouseTable, account: Account, invitation: str | None
    ) -> Console:
        taken = await self.tables.sitting.join(info.id, account.id, Way(invitation=invitation))
        return await self._connected(socket, Player(info.id, taken.seat, account.id))

    async def _come_back(self, socket: Socket, text: str) -> Console:
        player = self.uids.read(text)
        if player is None:
            raise TurnedAway("UnknownPlayer", "Ce playerUID n’est celui de personne.")
        if await self.club.accounts.is_shut_out(player.account_id):
            raise TurnedAway("Refused", "Vous ne pouvez plus jouer ici.")
        info = await self.tables.info(player.table_id)
        taken = info.seat_of(player.account_id)
        if taken is None or taken.seat != player.seat or info.status != "running":
            raise TurnedAway("Over", "Cette partie est finie pour vous.")
        return await self._connected(socket, player)

    async def _connected(self, socket: Socket, player: Player) -> Console:
        chair = await self.tables.chair(player.table_id, player.seat, player.account_id)
        aside = await self.tables.chair(player.table_id, SPECTATOR)
        race = self.races.get(player.table_id)
        if race is not None and race.chair.epoch != chair.epoch:
            self.forget(race)  # what it knows is of a database that was replaced
            race = None
        if race is None:
            race = self.races[player.table_id] = Race(self, aside)
        self.store.bus.publish([Hint(DOOR, player.table_id, f"{player.seat} {self.store.node_id}")])
        socket.account_id = player.account_id
        console = race.seated(chair, player.account_id)
        args = race.recalled(console)
        socket.send(service_text("PlayersDiscovery", "Bienvenue!", args))
        console.connect(socket)
        race.arrived(console)
        return console

    # --- going ------------------------------------------------------------------------------------------

    def forget(self, race: Race) -> None:
        """Nobody of this table has a console here any more."""
        if self.races.get(race.table_id) is race:
            del self.races[race.table_id]
            race.close()

    # --- hints ------------------------------------------------------------------------------------------

    def _table_hinted(self, table_id: int) -> None:
        """Seats have changed, or the table is gone: who still sits there?"""
        race = self.races.get(table_id)
        if race is not None:
            self.spawn(race.check_seats())

    def _came_elsewhere(self, key: int | str, value: int | str) -> None:
        """A console has come to another node: its robot is no longer this one's business."""
        race = self.races.get(int(key))
        seat, _, node_id = str(value).partition(" ")
        if race is not None and node_id != self.store.node_id:
            race.let_go(int(seat))

    def _account_hinted(self, key: int | str, value: int | str) -> None:
        if value == "sessions" and any(socket.account_id == int(key) for socket in self.sockets):
            self.spawn(self._shut_out(int(key)))

    async def _shut_out(self, account_id: int) -> None:
        if await self.club.accounts.is_shut_out(account_id):
            for socket in tuple(self.sockets):
                if socket.account_id == account_id:
                    socket.close(REFUSED, "you may not play here any more")

    def _look_around(self) -> None:
        """Hints were lost: look at every table, and at everybody who is here."""
        for race in tuple(self.races.values()):
            self.spawn(race.check_seats())
        for account_id in {socket.account_id for socket in self.sockets if socket.account_id}:
            self.spawn(self._shut_out(account_id))


async def _not_a_page(request: Request) -> Response:
    return PlainTextResponse(
        f"DR2D: a WebSocket at {PATH}, subprotocol dr2d.\n", 426, {"Upgrade": "websocket"}
    )
