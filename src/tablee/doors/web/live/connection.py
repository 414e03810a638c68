"""One WebSocket: who is there, what he listens to, what he says, and how it ends."""

from __future__ import annotations

import asyncio
import enum
import math
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from tablee.club import Account, Identity
from tablee.club.errors import ClubError, TooMany
from tablee.club.scopes import Scope
from tablee.tables import Chair
from tablee.wire.http.application import address_of
from tablee.wire.pace import Pace

from ..api import credentials
from ..api.ask import identified
from ..api.decoding import decoded
from ..api.errors import Refusal
from ..house import House
from . import topics
from .messages import (
    AnyFromClient,
    AnyTopic,
    Bye,
    Failed,
    FromClient,
    FromServer,
    Hello,
    Ok,
    Ping,
    Play,
    Pong,
    Say,
    Subscribe,
    Unsubscribe,
    Welcome,
)
from .outgoing import Outgoing
from .playing import play_live

MESSAGES_A_SECOND = 50.0
MESSAGES_AT_ONCE = 200
NOT_UNDERSTOOD_LIMIT = 20
SPEAK_SECONDS = 30.0
"""How long somebody whom nobody knows may be connected without a word."""
TOO_MANY_LIMIT = 200
"""So many messages in a row that came too fast end the connection."""

log = structlog.get_logger("tablee.web")
_encode = msgspec.json.Encoder().encode


class Stage(enum.Enum):
    """Where a connection is in its life; it only ever moves down this list."""

    ARRIVING = "arriving"
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"


def live_endpoint(house: House) -> Callable[[WebSocket], Awaitable[None]]:
    """The Starlette endpoint of the WebSocket."""

    async def endpoint(websocket: WebSocket) -> None:
        await Connection(house, websocket).run()

    return endpoint


class Connection:
    """One client that is connected now."""

    def __init__(self, house: House, websocket: WebSocket) -> None:
        self.house = house
        self.stage = Stage.ARRIVING
        self.identity: Identity | None = None
        self.language = credentials.language_of(websocket.headers)
        self.address = address_of(websocket)
        self.plays_in_flight = 0
        self._websocket = websocket
        self._outgoing = Outgoing(house.settings.most_queued, house.settings.most_queued_bytes)
        self._subscriptions: dict[str, topics.Subscription] = {}
        self._pace = Pace(MESSAGES_A_SECOND, MESSAGES_AT_ONCE, asyncio.get_running_loop().time)
        self._chairs: list[Chair] = []
        """On which somebody is present at a table, as far as they are not closed."""
        self._hides = False
        self._has_spoken = False
        self._not_understood = 0
        self._too_many = 0
        self._close_code = 1000

    # --- what the rest of the door uses -----------------------------------------------------------------

    @property
    def account_id(self) -> int:
        """Who is there; raises Refusal("not_identified")."""
        if self.identity is None:
            raise Refusal("not_identified")
        return self.identity.account.id

    @property
    def is_administrator(self) -> bool:
        return self.identity is not None and self.identity.is_administrator

    def keeps(self, chair: Chair) -> None:
        """This connection keeps somebody present at a table."""
        self._chairs = [kept for kept in self._chairs if not kept.is_closed] + [chair]
        chair.hide(self._hides)

    def hide(self, hides: bool) -> None:
        """The page is open, and nobody sees it; or somebody does again."""
        self._hides = hides
        for chair in self._chairs:
            chair.hide(hides)

    def require(self, scope: Scope) -> None:
        """Raises Refusal("not_identified"), or Refused where the token is not good for this."""
        if self.identity is None:
            raise Refusal("not_identified")
        self.identity.require(scope)

    def is_now(self, account: Account) -> None:
        """The account has changed: its role, its language, its name."""
        if self.identity is None:
            return
        dismissed = self.is_administrator and not account.is_administrator
        self.identity = msgspec.structs.replace(self.identity, account=account)
        self.language = account.language or self.language
        if dismissed:
            # What an administrator was listening to may be none of his business now: he comes in again.
            self.say_goodbye("role_changed", 1000, 0)

    @property
    def lag(self) -> int:
        """Milliseconds to the client and back, where they were measured."""
        # Why: docs/decisions.md#lag-is-measured
        measured = self._websocket.scope.get("state", {}).get("lag")
        return 0 if measured is None else int(measured())

    async def drained(self) -> None:
        """Wait until everything queued is on its way."""
        await self._outgoing.drained()

    def send(self, message: FromServer) -> None:
        self.send_text(_encode(message).decode())

    def send_text(self, text: str) -> None:
        """Queue what is encoded already. A client that does not read is cut off, and nobody waits for it."""
        if self.stage is Stage.OPEN and not self._outgoing.put(text) and self._outgoing.overflowed:
            self._cut(4008, "too slow")

    def fail(self, error: Exception, id: int | str | None = None, request_id: str | None = None) -> None:
        """Say that something was refused."""
        shown = self.house.shown(error, self.language, "live")
        self.send(Failed(error=shown.detail, id=id, request_id=request_id))

    def say_goodbye(self, reason: str, code: int, back_in: int) -> None:
        """Tell the client that this is the end, and close once that is sent."""
        self.send(Bye(reason=reason, back_in=back_in))
        self.close(code)

    def close(self, code: int) -> None:
        """Send what is queued, then close."""
        if self.stage in (Stage.ARRIVING, Stage.OPEN):
            self.stage = Stage.CLOSING
            self._close_code = code
            self._outgoing.close()

    # --- its life ---------------------------------------------------------------------------------------

    async def run(self) -> None:
        """From the handshake to the end; never raises for what a client does."""
        websocket = self._websocket
        try:
            identity, by_cookie = await identified(self.house, websocket.headers)
            known = True
        except (Refusal, ClubError):
            identity, by_cookie, known = None, False, False
        origins = self.house.settings.origins
        foreign = by_cookie and not credentials.has_own_origin(websocket.headers, origins)
        await websocket.accept()
        if not known or foreign or self.house.live.stopping:
            await websocket.close(4001 if not known else 1008 if foreign else 1012)
            return
        if not self.house.live.has_room_for(self.address):
            await websocket.close(4029)
            return
        self.stage = Stage.OPEN
        self._become(identity)
        self.house.live.add(self)
        writer = asyncio.create_task(self._write())
        silence = asyncio.get_running_loop().call_later(SPEAK_SECONDS, self._should_have_spoken)
        try:
            await self._read()
        except (WebSocketDisconnect, RuntimeError):
            pass  # the other side is gone: nothing is left to be said
        finally:
            silence.cancel()
            self.stage = Stage.CLOSED
            self.house.live.remove(self)
            for subscription in list(self._subscriptions.values()):
                subscription.close()
            self._subscriptions.clear()
            self._outgoing.close()
            writer.cancel()

    def _should_have_spoken(self) -> None:
        if self.identity is None and not self._has_spoken:
            self.say_goodbye("silent", 4004, 60_000)

    def _become(self, identity: Identity | None) -> None:
        self.identity = identity
        account = None if identity is None else identity.account
        if account is not None and account.language:
            self.language = account.language
        self.send(
            Welcome(
                account=None if account is None else account.id,
                pseudo=None if account is None else account.pseudo,
                now=self.house.clock.now(),
                house=self.house.version,
                name=self.house.club.name,
                build=self.house.build,
                epoch=self.house.epoch,
            )
        )

    async def _write(self) -> None:
        try:
            while (text := await self._outgoing.get()) is not None:
                await self._websocket.send({"type": "websocket.send", "text": text})
            if not self._outgoing.overflowed:
                await self._websocket.close(self._close_code)
        except (WebSocketDisconnect, RuntimeError, OSError):
            self._outgoing.close()

    def _cut(self, code: int, reason: str) -> None:
        self.stage = Stage.CLOSING
        log.info("a WebSocket client is cut off", close=code, reason=reason, address=self.address)
        cut = self._websocket.scope.get("state", {}).get("cut")
        if cut is not None:
            cut(code, reason)

    async def _read(self) -> None:
        while self.stage is Stage.OPEN:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self._has_spoken = True
            text = message.get("text")
            raw = None if text is None else text.encode("utf-8", "surrogatepass")
            seconds = self._pace.take() or self._bytes_too_many(message.get("bytes") or raw or b"")
            if seconds:
                self._too_many += 1
                if self._too_many >= TOO_MANY_LIMIT:
                    self.say_goodbye("too_many", 4029, 60_000)
                    break
                self.fail(Refusal("too_many", seconds=math.ceil(seconds)))
                continue
            self._too_many = 0
            await self._received(raw)
        await self._drained()

    async def _drained(self) -> None:
        # The reader stays until the writer has closed, so that the goodbye is not lost.
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return

    def _bytes_too_many(self, raw: bytes) -> float:
        """0 if its sender may have so many read now, else after how many seconds."""
        account_id = None if self.identity is None else self.identity.account.id
        try:
            self.house.limit_bytes(account_id, self.address, len(raw))
        except TooMany as refusal:
            return refusal.seconds
        return 0.0

    async def _received(self, raw: bytes | None) -> None:
        try:
            if raw is None:
                raise Refusal("malformed", detail="a message is a JSON text, not bytes")
            message: Any = decoded(raw, AnyFromClient)
        except Refusal as refusal:
            self._not_understood += 1
            self.fail(refusal)
            if self._not_understood >= NOT_UNDERSTOOD_LIMIT:
                self.say_goodbye("not_understood", 4003, 60_000)
            return
        self._not_understood = 0
        try:
            await self._obey(message)
        except Exception as error:
            self.fail(error, message.id, getattr(message, "request_id", None))

    async def _obey(self, message: FromClient) -> None:
        match message:
            case Play():
                self.require(Scope.PLAY)
                assert self.identity is not None
                noted = f"play /tables/{message.table}"
                await self.house.club.sessions.note_acting(self.identity, noted, self.address)
                await play_live(self, message)
            case Subscribe():
                await self._subscribe(message)
            case Unsubscribe():
                subscription = self._subscriptions.pop(topics.key(message.to), None)
                if subscription is not None:
                    subscription.close()
                self.send(Ok(id=message.id))
            case Say():
                self.require(Scope.CHAT)
                await topics.say(self, message)
                self.send(Ok(id=message.id))
            case Ping():
                if message.hidden is not None:
                    self.hide(message.hidden)
                    self._note_visit()
                self.send(Pong(now=self.house.clock.now(), id=message.id))
            case Hello():
                await self._hello(message)

    def _note_visit(self) -> None:
        """Somebody has the page before his eyes: himself, not a program of his nor who acts for him."""
        identity = self.identity
        if not self._hides and identity is not None and identity.session.kind == "browser":
            self.house.club.visits.seen(identity.account.id)

    async def _hello(self, message: Hello) -> None:
        identity = await self.house.who(message.token)
        if identity is None:
            raise Refusal("token_expired")
        before = self.identity.account.id if self.identity is not None else None
        acting = identity.acting is not None and identity.acting.id == before
        if before is not None and before != identity.account.id and not acting:
            # What was subscribed to as somebody else is somebody else's.
            raise Refusal("not_allowed")
        if before is None or acting:
            # As nobody one may have watched; from now on one is seated where one sits. And an administrator
            # whose browser sends his own cookie goes on here as the one for whom he acts.
            for subscription in self._subscriptions.values():
                subscription.close()
            self._subscriptions.clear()
        self._become(identity)
        self.house.live.identified(self)

    async def _subscribe(self, message: Subscribe) -> None:
        key = topics.key(message.to)
        limit = self.house.settings.most_subscriptions
        if key not in self._subscriptions and len(self._subscriptions) >= limit:
            raise Refusal("too_many_subscriptions", limit=limit)
        older = self._subscriptions.pop(key, None)
        if older is not None:
            older.close()
        to: AnyTopic = message.to
        self._subscriptions[key] = await topics.subscribe(self, to, message.id)
