"""One person at the Pawn Hub, in whichever dialect: who he is, what he asks for, what he is told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import structlog

from tablee.club import Account, BadCredentials, UnknownAccount
from tablee.club.ratings import Ranked, Standing
from tablee.doors.pawnhub.friends import Friends
from tablee.doors.pawnhub.game import Game
from tablee.doors.pawnhub.refusal import Refusal
from tablee.doors.pawnhub.talk import Said, Talk
from tablee.rules.chess import VARIANTS
from tablee.rules.chess.model import TakebackAsked
from tablee.rules.chess.views import ChessView, ToldEnded
from tablee.rules.contract import BY_LOT, Fact
from tablee.store import StoreError
from tablee.tables import HouseTable, NoSuchChallenge, TablePlan, Wish
from tablee.tables.offers import Challenge

if TYPE_CHECKING:
    from tablee.doors.pawnhub.door import PawnhubDoor

log = structlog.get_logger("tablee.pawnhub")

GAME = "chess"


class Voice(Protocol):
    """A connection in one of the dialects: how its session speaks to it."""

    address: str
    resigns: bool
    """Whether a lost connection is a resignation, because the dialect cannot come back."""

    def round_trip(self) -> int: ...

    def began(self, game: Game) -> None: ...

    def happened(self, game: Game, told: list[Fact], view: ChessView, request_id: str | None) -> None: ...

    def back_in_menu(self) -> None: ...

    def said(self, said: Said) -> None: ...

    def friend(self, name: str, what: str) -> None:
        """`+friend`, `-friend`, `+request`, `-request`, `-sent`, `+online` or `-online`."""
        ...

    def offered(self, name: str, variant: str) -> None: ...

    def refused(self, name: str) -> None: ...

    def send_away(self, code: str, sentence: str) -> None: ...


class Session:
    """What one connection is and does; the same for both dialects."""

    def __init__(self, door: PawnhubDoor, voice: Voice) -> None:
        self.door = door
        self.voice = voice
        self.account: Account | None = None
        self.game: Game | None = None
        self.queued: str | None = None
        """The variant that this session waits for in the queue."""
        self.offers: set[int] = set()
        """The challenges that this session has sent or accepted."""
        self.next_table: int | None = None
        """A game that has begun elsewhere while this one still runs."""
        self.friends = Friends(self)
        self.talk = Talk(self)
        self.turn = asyncio.Lock()
        """Held while something asked for is done, so that its answer comes before what follows from it."""
        self.closed = False

    # --- who one is -------------------------------------------------------------------------------------

    @property
    def is_member(self) -> bool:
        return self.account is not None and self.account.is_member

    @property
    def member(self) -> Account:
        """Raises Refusal for strangers and visitors."""
        if self.account is None:
            raise Refusal("login", "log in first")
        if not self.account.is_member:
            raise Refusal("visitor", "visitors cannot do this: sign up first")
        return self.account

    @property
    def player(self) -> Account:
        """A member or a visitor. Raises Refusal."""
        if self.account is None:
            raise Refusal("login", "log in first, or come as a GUEST")
        return self.account

    def must_be_free(self) -> None:
        """Raises Refusal in a game."""
        if self.game is not None:
            raise Refusal("playing", "you are in a game: finish it or RESIGN first")

    async def sign_up(self, name: str, password: str, *, enter: bool) -> None:
        """Make an account, out of the visitor's where one is one; with `enter` come in with it.

        Raises Invalid, PseudoTaken, TooMany, Refusal.
        """
        accounts = self.door.club.accounts
        if enter:
            self.must_be_free()
            if self.is_member:
                raise Refusal("already", "you are logged in already: LOGOUT first")
        if enter and self.account is not None:
            self.account = await accounts.upgrade_visitor(
                self.account, name, password, address=self.voice.address
            )
            return
        account = await accounts.create(name, password, address=self.voice.address)
        if enter:
            await self._become(account)

    async def log_in(self, name: str, password: str) -> None:
        """Raises UnknownAccount, Refusal `connected`, BadCredentials, Banned, TooMany, in this order."""
        self.must_be_free()
        if self.is_member:
            raise Refusal("connected", "you are logged in already: LOGOUT first")
        accounts = self.door.club.accounts
        account = await accounts.by_pseudo(name)
        if not account.is_member:
            raise UnknownAccount(name)
        await self.door.has_left(account.id)
        if await self.door.present.is_connected(account.id):
            raise Refusal("connected", f"{account.pseudo} is connected already")
        account = await accounts.sign_in(account.pseudo, password, address=self.voice.address)
        if self.account is not None:
            await self.log_out()
        await self._become(account)

    async def enter_as_guest(self) -> Account:
        """Be a visitor; who is one already stays the same. Raises TooMany, Refusal."""
        if self.account is None:
            visitor = await self.door.club.accounts.create_visitor(address=self.voice.address)
            await self._become(visitor)
        elif self.account.is_member:
            raise Refusal("already", "you are logged in already: LOGOUT first")
        return self.player

    async def log_out(self) -> None:
        """Raises Refusal where nobody is logged in, or in a game."""
        account = self.player
        self.must_be_free()
        if await self.leave_queue():
            await self.resume()
            self.must_be_free()
        await self.door.present.leave(account.id, self)
        self.account = None
        self.offers.clear()
        self.friends.forget()
        self.talk.blocked = frozenset()

    async def _become(self, account: Account) -> None:
        present = self.door.present
        if not await present.enter(account.id, self):
            raise Refusal("connected", f"{account.pseudo} is connected already")
        # Much may have happened since the password was looked at.
        if self.closed or await self.door.club.accounts.is_shut_out(account.id):
            await present.leave(account.id, self)
            raise BadCredentials()
        self.account = account
        if account.is_member:
            await self.friends.look()
            self.talk.blocked = frozenset(await self.door.club.blocks.list(account.id))

    # --- the end ----------------------------------------------------------------------------------------

    async def end(self) -> None:
        """The connection is gone: out of the queue and of the game, as the dialect has it."""
        self.closed = True
        if self.account is None:
            return
        account_id = self.account.id
        try:
            async with self.turn:
                if await self.leave_queue() and self.game is None:
                    await self.sit_down(await self._left_alone())
                await self._leave_game()
        except StoreError as error:
            log.warning("pawnhub_end_not_written", account=account_id, error=str(error))
        finally:
            await self.door.present.leave(account_id, self)

    async def _leave_game(self) -> None:
        game, self.game = self.game, None
        if game is None:
            return
        try:
            if self.voice.resigns and not self.door.stopping:
                await game.resign()
        finally:
            await game.close()

    # --- games ------------------------------------------------------------------------------------------

    async def queue(self, variant: str) -> None:
        """Wait for an opponent. Raises Refusal, Unavailable."""
        account = self.player
        self.must_be_free()
        self.must_know(variant)
        self.queued = variant
        try:
            await self.door.tables.matchmaking.enter(account.id, GAME, variant, Wish(rated=None))
        except BaseException:
            self.queued = None
            raise

    async def leave_queue(self) -> bool:
        """Wait no longer; says whether one did. An opponent found in that very moment is met by `resume`."""
        if self.account is None or self.queued is None:
            return False
        self.queued = None
        await self.door.tables.matchmaking.leave(self.account.id)
        return True

    async def make_robot_table(self, variant: str, strength: str) -> HouseTable:
        """A game against a robot, the weakest where none is named, without a clock. Raises Refusal."""
        account = self.player
        self.must_be_free()
        self.must_know(variant)
        robots = self.door.tables.rules(GAME, variant).robots
        strength = strength or next(iter(robots))
        if strength not in robots:
            raise Refusal("robot", f"there are the robots {', '.join(robots)}")
        return await self.door.tables.creating.create(
            TablePlan(
                GAME,
                variant,
                {"turn_minutes": 0},
                account.id,
                time_control={"kind": "none"},
                rated=False,
                door="pawnhub",
                people=[account.id, strength],
                side=BY_LOT,
            )
        )

    def must_know(self, variant: str) -> None:
        """Raises Refusal if there is no such variant."""
        if variant not in VARIANTS:
            raise Refusal("variant", f"there are the variants {', '.join(VARIANTS)}")

    async def matched(self, table_id: int) -> None:
        """A table was made for this account: if this session waits for one, the game begins."""
        async with self.turn:
            if self.closed or (self.queued is None and not self.offers):
                return
            was_queued, self.queued = self.queued is not None, None
            info = await self.door.tables.info(table_id)
            if info.game != GAME or not (was_queued or await self._has_offered(table_id)):
                return  # found in the page, and played there
            queue = self.door.tables.matchmaking
            if was_queued and await queue.waiting(self.player.id) is not None:
                await queue.leave(self.player.id)  # he had asked for another variant in this very moment
            if self.game is not None:
                self.next_table = table_id
            else:
                await self.sit_down(info)

    async def _has_offered(self, table_id: int) -> bool:
        """Whether this table comes of a challenge that this session has sent or accepted."""
        for number in tuple(self.offers):
            try:
                found = await self.door.tables.challenges.get(number)
            except NoSuchChallenge:
                self.offers.discard(number)
                continue
            if found.table_id == table_id:
                self.offers.discard(number)
                return True
        return False

    async def look_for_match(self) -> None:
        """Hints were lost: was an opponent found meanwhile?"""
        async with self.turn:
            if self.account is None or self.game is not None or self.queued is None:
                return
            if await self.door.tables.matchmaking.waiting(self.account.id) is None:
                self.queued = None
                await self.sit_down(await self._left_alone())

    async def resume(self) -> None:
        """Go on with the live game that a lost connection has interrupted, if there is one."""
        if self.account is not None and self.game is None:
            await self.sit_down(await self._left_alone())

    async def _left_alone(self) -> HouseTable | None:
        """A running live game of this account to whose seat nobody is connected."""
        account_id = self.player.id
        for info in await self.door.tables.lobby.of_account(account_id, status=("running",)):
            sitting = info.seat_of(account_id)
            is_live = info.game == GAME and info.options.get("pace", "live") == "live"
            if is_live and sitting is not None:
                present = await self.door.tables.presence.present(info.id)
                if sitting.seat not in present:
                    return info
        return None

    async def sit_down(self, info: HouseTable | None) -> None:
        sitting = None if info is None else info.seat_of(self.player.id)
        if info is None or sitting is None:
            return
        game = Game(self, await self.door.tables.chair(info.id, sitting.seat, self.player.id))
        if self.closed and game.chair.is_over:
            return
        self.game = game
        game.open()
        if self.closed:
            return
        self.voice.began(game)
        view = game.view
        if view.ended is not None:
            game.over = True
            self.heard(game, [ToldEnded(view.ended, view.winning_seat)], view, None)

    def heard(self, game: Game, told: list[Fact], view: ChessView, request_id: str | None) -> None:
        """Something has happened in the game."""
        if game is not self.game:
            return
        self.voice.happened(game, told, view, request_id)
        if any(isinstance(fact, TakebackAsked) and fact.seat != game.seat for fact in told):
            game.decline_takeback()
        if game.over:
            self.game = None
            self.door.spawn(game.close())
            self.voice.back_in_menu()
            if self.next_table is not None:
                self.door.spawn(self._go_on_to(self.next_table))
                self.next_table = None

    async def _go_on_to(self, table_id: int) -> None:
        async with self.turn:
            if not self.closed and self.game is None:
                await self.sit_down(await self.door.tables.info(table_id))

    # --- challenges -------------------------------------------------------------------------------------

    async def challenge(self, name: str, variant: str) -> None:
        """Offer a friend a game. Raises Refusal, UnknownAccount, TableError, TooMany."""
        me = self.member
        self.must_know(variant)
        self.must_be_free()
        whom = await self.door.club.accounts.by_pseudo(name)
        made = await self.door.tables.challenges.challenge(me, whom, GAME, variant)
        self.offers.add(made.id)

    async def accept(self, name: str) -> None:
        """Play the game that somebody has offered. Raises Refusal, UnknownAccount, TableError."""
        me = self.member
        self.must_be_free()
        offer = await self._offer_of(name)
        self.offers.add(offer.id)
        try:
            await self.door.tables.challenges.accept(me, offer.id)
        except BaseException:
            self.offers.discard(offer.id)
            raise

    async def refuse(self, name: str) -> None:
        """Raises Refusal, UnknownAccount, TableError."""
        me = self.member
        await self.door.tables.challenges.refuse(me, (await self._offer_of(name)).id)

    async def _offer_of(self, name: str) -> Challenge:
        me = self.member
        whom = await self.door.club.accounts.by_pseudo(name)
        for offer in await self.door.tables.challenges.of(me.id):
            if offer.status == "open" and (offer.from_id, offer.to_id, offer.game) == (whom.id, me.id, GAME):
                return offer
        raise Refusal("nooffer", f"{whom.pseudo} has offered no game")

    async def challenge_changed(self, what: str, challenge_id: int) -> None:
        """A challenge to or from this account was made or has ended."""
        found = await self.door.tables.challenges.get(challenge_id)
        if found.game != GAME or self.account is None or self.closed:
            return
        mine = found.from_id == self.account.id
        people = await self.door.club.accounts.many([found.to_id if mine else found.from_id])
        for other in people.values():
            if what == "+received":
                self.voice.offered(other.pseudo, found.variant)
            elif mine and what in ("refused", "expired"):
                self.offers.discard(challenge_id)
                self.voice.refused(other.pseudo)

    # --- figures ----------------------------------------------------------------------------------------

    async def statistics(self) -> list[Standing]:
        """One's own in each variant."""
        ratings = self.door.club.ratings
        me = self.member.id
        return [await ratings.standing(me, GAME, variant) for variant in VARIANTS]

    async def ranking(self, variant: str | None, limit: int) -> list[Ranked]:
        """The best in a variant, or over all of them."""
        return await self.door.club.ratings.ranking(GAME, variant, limit=limit)
