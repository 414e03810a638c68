"""What every call leans on: who asks, which game he means, and whether he is its master or a player of it."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tablee.clock import Clock
from tablee.club import Account, Club, Identity, Refused, UnknownAccount, fields
from tablee.club.limits import Bucket, Limits, Window, network
from tablee.club.scopes import Scope
from tablee.doors.afjd.events import UserLog
from tablee.doors.afjd.listing import Listing
from tablee.doors.afjd.refusal import Refusal
from tablee.doors.afjd.settings import AfjdSettings
from tablee.doors.afjd.tokens import BadToken, ServiceTokens
from tablee.rules.contract import MASTER, SPECTATOR
from tablee.rules.diplomacy.variant import Variant, load_variant
from tablee.rules.diplomacy.views import DiplomacyView
from tablee.store import Store
from tablee.tables import Chair, HouseTable, NoSuchTable, Tables
from tablee.tables.register import Register

GAME = "diplomacy"
T = TypeVar("T")
NOT_MASTER = "You do not seem to be the game master of the game"
NOT_PLAYER = "You do not seem to be the player who is in charge"
LIMITS: dict[str, Bucket | Window] = {
    "afjd": Bucket(1200, 60),  # requests from one address
    "afjd_bytes": Bucket(8 * 1024 * 1024, 60),  # sent by one address: a site may ask for its whole club
    "afjd_solver": Bucket(60, 6),  # positions worked out for one address: 600 a minute, not all at once
    "afjd_create": Bucket(60, 600),  # games made by one account
    "position_code": Bucket(10, 3600),  # administrators' codes tried at one game
}
EVEN_SECONDS = 0.01
"""What others ask about a player is answered after this time: the rows of anonymous games, passed over, take
microseconds that could be counted otherwise."""
Json = Any


class House:
    """The one object that is passed around."""

    def __init__(
        self,
        store: Store,
        club: Club,
        tables: Tables,
        clock: Clock,
        settings: AfjdSettings,
        data: Path,
    ) -> None:
        self.store = store
        self.club = club
        self.tables = tables
        self.clock = clock
        self.settings = settings
        self.secret = ""
        """Known once the door has started; until then nobody has it."""
        self.tokens = ServiceTokens(store, club, clock, settings.token_minutes)
        self.limits = Limits(clock, {**LIMITS, **settings.limits})
        self.register = Register(store, GAME)
        self.listing = Listing(store, self.register)
        self.log = UserLog(data / "afjd-users.log", clock)

    async def member(self, number: int) -> Account | None:
        """The player of this number, where there is one."""
        try:
            found = await self.club.accounts.by_id(number)
        except UnknownAccount:
            return None
        return found if found.is_member else None


@dataclass
class Ask:
    """One request: who sends it, with which token, on behalf of which pseudo."""

    house: House
    pseudo: str
    token: str
    secret: str
    address: str
    call: str
    """The method and the path."""
    scope: Scope
    """What the token must be good for."""
    _is_noted: bool = False

    @property
    def has_secret(self) -> bool:
        return bool(self.house.secret) and hmac.compare_digest(
            self.secret.encode(), self.house.secret.encode()
        )

    @property
    def counted(self) -> bool:
        """Whether the club counts this by its address; not for who has the secret: he calls for many."""
        return not self.has_secret

    def may_reckon(self) -> None:
        """Count a position of somebody without the secret, before it is read. Raises TooMany."""
        whose = network(self.address)
        self.house.tables.workshop.must_have_room(whose)
        self.house.limits.take("afjd_solver", whose)

    async def worked_out(self, work: Callable[[], T]) -> T:
        """What a position comes to, in the workshop, where networks take turns. Raises TooMany."""
        workshop = self.house.tables.workshop
        if self.has_secret:
            return await workshop.do("services", work)
        whose = network(self.address)
        workshop.must_have_room(whose)
        return await workshop.do(whose, work)

    async def identity(self) -> Identity:
        """Whose token it is; raises BadToken, or Refusal where it is not good for this call."""
        identity = await self.house.tokens.who(self.token)
        try:
            identity.require(self.scope)
        except Refused as refusal:
            raise Refusal(403, refusal.sentence("en")) from None
        if self.scope is not Scope.READ and not self._is_noted:
            await self.house.club.sessions.note_acting(identity, self.call, self.address)
            self._is_noted = True
        return identity

    async def account(self, need: str) -> Account:
        """Block A: the account of the pseudo, proven by its token; without a pseudo 401 with `need`."""
        if not self.pseudo:
            raise Refusal(401, need)
        return (await self._proven()).account

    async def _proven(self) -> Identity:
        try:
            identity = await self.identity()
        except BadToken as bad:
            raise Refusal(401, f"Bad authentication!:{bad}") from None
        if fields.pseudo_key(self.pseudo) == fields.pseudo_key(identity.account.pseudo):
            return identity
        try:
            meant = await self.house.club.accounts.by_pseudo(self.pseudo)
        except UnknownAccount as unknown:
            raise Refusal(404, f"Failed to get id from pseudo {unknown}") from None
        if meant.id != identity.account.id:
            raise Refusal(403, f"Bad authentication!:token is not of {self.pseudo}")
        return identity

    async def account_if_any(self) -> Account | None:
        """Who asks where a token is not needed; raises Refusal where one is given and does not fit."""
        if not self.token:
            return None
        if self.pseudo:
            return (await self._proven()).account
        try:
            return (await self.identity()).account
        except BadToken as bad:
            raise Refusal(401, f"Bad authentication!:{bad}") from None

    # --- games ------------------------------------------------------------------------------------------

    async def info(self, game_id: str) -> HouseTable:
        """The game of this number; raises Refusal 404 for what is no number, unknown, or not to be seen."""
        number = as_number(game_id)
        try:
            info = await self.house.tables.info(number) if number else None
        except NoSuchTable:
            info = None
        if info is None or info.game != GAME or info.access != "open" or info.status == "closed":
            raise Refusal(404, f"Game {game_id[:60]} doesn't exist")
        return info

    async def from_outside(self, game_id: str) -> Chair:
        """The same game as anybody may look at it."""
        info = await self.info(game_id)
        return await self.house.tables.chair(info.id, SPECTATOR)

    def must_master(self, info: HouseTable, account: Account) -> None:
        """GM."""
        if info.master_id is None or info.master_id != account.id:
            raise Refusal(403, NOT_MASTER)

    async def masters_chair(self, info: HouseTable, account: Account) -> Chair:
        """The chair of the master; GM."""
        self.must_master(info, account)
        return await self.house.tables.chair(info.id, MASTER, account.id)

    async def players_chair(self, info: HouseTable, account: Account, role: int) -> Chair:
        """The chair of the player of this role; PL."""
        chair = await self.house.tables.chair_of(info.id, account.id)
        if role == MASTER or role not in chair.roles:
            raise Refusal(403, NOT_PLAYER)
        return chair

    async def in_role(self, game_id: str, role: int, need: str) -> tuple[Account, Chair]:
        """Block A, the game, and GM for role 0 or PL for the others, in this order."""
        account = await self.account(need)
        info = await self.info(game_id)
        if role == MASTER:
            return account, await self.masters_chair(info, account)
        return account, await self.players_chair(info, account, role)

    async def as_master(self, game_id: str, need: str) -> Chair:
        """Block A, the game, and GM."""
        return (await self.in_role(game_id, MASTER, need))[1]

    async def as_player_or_master(self, game_id: str, role: int, need: str) -> Chair:
        """Block A, the game, and GM of the game that has this role, or PL."""
        account = await self.account(need)
        info = await self.info(game_id)
        if info.master_id == account.id and 0 < role <= variant_of(info).roles:
            return await self.masters_chair(info, account)
        return await self.players_chair(info, account, role)


async def even(begun: float) -> None:
    """Wait until a question that was put at `begun`, in the loop's time, has taken its even time."""
    await asyncio.sleep(begun + EVEN_SECONDS - asyncio.get_running_loop().time())


def as_number(text: str) -> int:
    """The number that a path names; 0 for what is none."""
    if text.isascii() and text.isdecimal() and len(text) <= 15:
        return int(text)
    return 0


def view_of(chair: Chair) -> DiplomacyView | None:
    """The game as it is seen from this chair; None before it has begun."""
    view = chair.view() if chair.has_begun else None
    assert view is None or isinstance(view, DiplomacyView)
    return view


def variant_of(info: HouseTable) -> Variant:
    return load_variant(info.variant)
