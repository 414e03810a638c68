"""Challenges: an offer to play with a friend, or again with the opponent of a finished table.

Each change is a hint `("challenge", account_id, "+received:12")` to both: `+received` and `+sent`, then
`accepted`, `refused`, `cancelled` or `expired`; the number is the challenge's. With an accepted one comes
`("matched", account_id, table_id)`, as from the queue.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from tablee.clock import Instant
from tablee.club.bounds import CHALLENGES_MOST
from tablee.club.errors import Refused
from tablee.club.people import Account
from tablee.rules.contract import Json
from tablee.store import Conflict, Duplicate, Hint, Unit, Write
from tablee.tables import rows
from tablee.tables.clocks import DAY, SECOND, Days, TimeControl
from tablee.tables.creating import TablePlan, checked_choice, must_have_side
from tablee.tables.errors import NoSuchChallenge, TableError
from tablee.tables.info import TOURNAMENT, HouseTable, SeatInfo
from tablee.tables.offers import (
    Challenge,
    challenge_hint,
    challenge_of,
    notice_about,
    notice_kind,
    row_of,
    slot_of,
)

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

LASTS = 5 * 60 * SECOND
"""So long a challenge to a game played at once waits for its answer."""
LASTS_BY_DAYS = 7 * DAY
SHOWN_AFTER = 10 * 60 * SECOND
"""What is over stays in the list so long, for who was not there at that moment."""


class Challenges:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._club = tables.club

    async def challenge(
        self,
        who: Account,
        whom: Account,
        game: str,
        variant: str,
        options: Json = None,
        time_control: TimeControl | Json = None,
        *,
        rated: bool = True,
        side: str | None = None,
    ) -> Challenge:
        """Offer a friend a game, in which the challenger has the first seat, and this side of it.

        Raises NoSuchGame, BadOptions, Refused, TableError `challenge_not_friends`, `challenged_already`,
        `challenged_by_them`, TooMany.
        """
        if not (who.is_member and whom.is_member):
            raise Refused("members_only")
        if who.id == whom.id:
            raise Refused("not_yourself")
        await self._club.blocks.refuse_between(who, whom)
        await self._must_be_friends(who, whom)
        rules = self._tables.offered(game, variant)
        chosen, control = checked_choice(rules, options, time_control, players=2)
        must_have_side(rules, side)
        if side is not None:
            chosen = rules.with_first_as(chosen, side)
        theirs = await self.between(whom.id, who.id)
        if theirs is not None:
            raise TableError("challenged_by_them", name=whom.pseudo)
        self._club.limits.take("challenge", who.id)
        sent = await self._store.one(
            rows.CHALLENGES_SENT, b_account_id=who.id, b_now=self._tables.clock.now()
        )
        if sent is not None and sent.number >= CHALLENGES_MOST:
            raise TableError("challenges_full", most=CHALLENGES_MOST)
        made = await self._offer(
            who,
            whom,
            game,
            variant,
            msgspec.to_builtins(chosen),
            control,
            rated,
            slot=slot_of(who.id, whom.id),
        )
        if made is None:
            raise TableError("challenged_already", name=whom.pseudo)
        return made

    async def _must_be_friends(self, who: Account, whom: Account) -> None:
        if not await self._club.friends.are_friends(who.id, whom.id):
            raise TableError("challenge_not_friends", name=whom.pseudo)

    async def _offer(
        self,
        who: Account,
        whom: Account,
        game: str,
        variant: str,
        options: Json,
        control: TimeControl,
        rated: bool,
        *,
        slot: str,
        rematch_of: int | None = None,
    ) -> Challenge | None:
        """Put an offer into its slot; None where an open one is there."""
        await self._clear(slot)
        now = self._tables.clock.now()
        lasts = LASTS_BY_DAYS if isinstance(control, Days) else LASTS
        number = await self._store.new_id("challenge")
        made = Challenge(
            number, who.id, whom.id, rematch_of, game, variant, options, control, rated, now, now + lasts,
            "open", None,
        )  # fmt: skip
        notice = await self._club.notices.add_writes(
            whom.id, notice_kind(made), notice_about(made, who.pseudo), who.id
        )
        hints = [
            challenge_hint(who.id, "+sent", number),
            challenge_hint(whom.id, "+received", number),
            self._club.notices.hint(whom.id),
        ]
        try:
            await self._store.commit(
                Unit(writes=[Write(rows.ADD_CHALLENGE, row_of(made, slot)), *notice], hints=hints)
            )
        except Duplicate:
            return None
        return made

    async def _clear(self, slot: str) -> None:
        """One whose time is up makes room, even before the round that looks for such."""
        row = await self._store.one(rows.CHALLENGE_IN_SLOT, b_slot=slot)
        if row is not None and row.status == "open" and row.expires_at <= self._tables.clock.now():
            await self._expire(challenge_of(row))

    async def accept(self, who: Account, challenge_id: int) -> HouseTable:
        """Play; whoever of the two waits in the queue waits no longer.

        Raises NoSuchChallenge, Refused, TableError `challenge_not_friends`, Illegal.
        """
        asked = await self._open(challenge_id)
        if asked.to_id != who.id:
            raise NoSuchChallenge()
        other = await self._club.accounts.by_id(asked.from_id)
        await self._club.blocks.refuse_between(who, other)
        if asked.rematch_of is not None:
            return await self._play_again(asked)
        await self._must_be_friends(who, other)
        return await self._seat(asked, [asked.from_id, asked.to_id])

    async def refuse(self, who: Account, challenge_id: int) -> None:
        """Raises NoSuchChallenge, too where it is not for this one."""
        asked = await self._open(challenge_id)
        if asked.to_id != who.id:
            raise NoSuchChallenge()
        notices = []
        if asked.rematch_of is None:
            notice = await self._club.notices.add_writes(
                asked.from_id, "challenge_refused", notice_about(asked, who.pseudo, who.id), who.id
            )
            notices = notice
        await self._end(asked, "refused", notices)

    async def cancel(self, who: Account, challenge_id: int) -> None:
        """Call one's own off. Raises NoSuchChallenge."""
        asked = await self._open(challenge_id)
        if asked.from_id != who.id:
            raise NoSuchChallenge()
        await self._end(asked, "cancelled")

    async def of(self, account_id: int) -> list[Challenge]:
        """What somebody has offered and was offered, newest first, with what was answered lately."""
        now = self._tables.clock.now()
        found = await self._store.rows(
            rows.CHALLENGES_OF, b_account_id=account_id, b_now=now, b_since=now - SHOWN_AFTER
        )
        return [challenge_of(row) for row in found]

    async def get(self, challenge_id: int) -> Challenge:
        """Raises NoSuchChallenge."""
        row = await self._store.one(rows.CHALLENGE, b_id=challenge_id)
        if row is None:
            raise NoSuchChallenge()
        return challenge_of(row)

    async def between(self, from_id: int, to_id: int) -> Challenge | None:
        """The challenge of one friend to another that waits for its answer."""
        row = await self._store.one(rows.CHALLENGE_IN_SLOT, b_slot=slot_of(from_id, to_id))
        if row is None or row.status != "open" or row.expires_at <= self._tables.clock.now():
            return None
        return challenge_of(row)

    async def sweep(self) -> int:
        """Let go of those that nobody has answered in time; answers how many there were."""
        late = await self._store.rows(rows.CHALLENGES_EXPIRED, b_now=self._tables.clock.now())
        for row in late:
            await self._expire(challenge_of(row))
        return len(late)

    # --- rematches ----------------------------------------------------------------------------------------

    async def rematch(self, who: Account, table_id: int) -> Challenge:
        """Offer the opponent of a finished table another game, or take up his offer; a robot agrees at once.

        Colours change, where the game has them; all else stays. Raises NoSuchTable, NotSeated, Refused,
        TableError `rematch_not_over`, `rematch_not_two`, `no_rematch_in_tournament`, TooMany.
        """
        info = await self._tables.read_info(table_id)
        theirs = _opponent(info, who.id)
        if info.door == TOURNAMENT:
            raise TableError("no_rematch_in_tournament")
        if info.status != "over":
            raise TableError("rematch_not_over")
        slot = f"rematch:{table_id}"
        while True:
            await self._clear(slot)
            row = await self._store.one(rows.CHALLENGE_IN_SLOT, b_slot=slot)
            if row is not None and row.status == "open" and row.to_id == who.id:
                try:
                    await self.accept(who, row.id)
                except NoSuchChallenge:
                    continue  # taken up or called off in this very moment
                return await self.get(row.id)
            if row is not None:
                return challenge_of(row)  # offered by himself, or played already
            other = await self._club.accounts.by_id(theirs.account_id)
            if other.deleted_at is not None:
                raise TableError("rematch_not_two")
            if theirs.robot is None:
                await self._club.blocks.refuse_between(who, other)
            self._club.limits.take("challenge", who.id)
            options = await self._options_again(info)
            terms = (info.game, info.variant, options, info.time_control, info.rated)
            if theirs.robot is not None:
                agreed = await self._with_robot(info, who, other, terms, slot)
                if agreed is not None:
                    return agreed
                continue
            made = await self._offer(who, other, *terms, slot=slot, rematch_of=table_id)
            if made is not None:
                return made

    async def _options_again(self, info: HouseTable) -> Json:
        loaded = await self._tables.open(info.id)
        chosen = msgspec.convert(info.options, loaded.rules.options_type)
        return msgspec.to_builtins(loaded.rules.again(chosen, loaded.state))

    async def _with_robot(
        self,
        info: HouseTable,
        who: Account,
        robot: Account,
        terms: tuple[str, str, Json, TimeControl, bool],
        slot: str,
    ) -> Challenge | None:
        now = self._tables.clock.now()
        number = await self._store.new_id("challenge")
        table_id = await self._store.new_id("table")
        made = Challenge(number, who.id, robot.id, info.id, *terms, now, now, "accepted", table_id)
        guard = Write(rows.ADD_CHALLENGE, row_of(made, slot))
        hints = [challenge_hint(who.id, "accepted", number)]
        try:
            await self._make(made, table_id, [_sitter(taken) for taken in info.seats], [guard], hints, info)
        except Duplicate:
            return None
        return made

    async def _play_again(self, asked: Challenge) -> HouseTable:
        info = await self._tables.read_info(asked.rematch_of or 0)
        return await self._seat(asked, [_sitter(taken) for taken in info.seats], info)

    # --- how it ends --------------------------------------------------------------------------------------

    async def _open(self, challenge_id: int) -> Challenge:
        asked = await self.get(challenge_id)
        if asked.status != "open" or asked.expires_at <= self._tables.clock.now():
            raise NoSuchChallenge()
        return asked

    async def _seat(
        self, asked: Challenge, people: Sequence[int | str], before: HouseTable | None = None
    ) -> HouseTable:
        """Make their table; nobody accepts twice, because the end of the challenge is part of it."""
        table_id = await self._store.new_id("table")
        notice = await self._club.notices.add_writes(
            asked.from_id,
            notice_kind(asked) + "_accepted",
            notice_about(asked, (await self._club.accounts.by_id(asked.to_id)).pseudo, asked.to_id)
            | {"table": table_id},
            asked.to_id,
        )
        slot = f"rematch:{asked.rematch_of}" if asked.rematch_of is not None else None
        guards = [
            self._ended(asked, "accepted", slot, table_id, self._tables.clock.now()),
            await self._seen(asked),
            *notice,
        ]
        hints = [challenge_hint(who, "accepted", asked.id) for who in (asked.from_id, asked.to_id)]
        hints += [self._club.notices.hint(who) for who in (asked.from_id, asked.to_id)]
        try:
            return await self._make(asked, table_id, people, guards, hints, before)
        except Conflict:
            raise NoSuchChallenge() from None

    async def _make(
        self,
        asked: Challenge,
        table_id: int,
        people: Sequence[int | str],
        guards: list[Write],
        hints: list[Hint],
        before: HouseTable | None,
    ) -> HouseTable:
        players = [who for who in people if isinstance(who, int)]
        return await self._tables.creating.create(
            TablePlan(
                game=asked.game,
                variant=asked.variant,
                options=asked.options,
                host=asked.from_id,
                access="open" if before is None else before.access,
                time_control=asked.time_control,
                rated=asked.rated,
                door="challenge",
                seats=2,
                people=people,
                guards=[*guards, *(Write(rows.LEAVE_QUEUE, {"b_account_id": who}) for who in players)],
                hints=[*hints, *(Hint("matched", who, 0) for who in players)],
                number=table_id,
            )
        )

    async def _expire(self, late: Challenge) -> None:
        try:
            await self._end(late, "expired")
        except NoSuchChallenge:
            return  # answered in the last moment, or another node was faster

    async def _end(self, asked: Challenge, status: str, more: Sequence[Write] = ()) -> None:
        hints = [challenge_hint(who, status, asked.id) for who in (asked.from_id, asked.to_id)]
        hints += [self._club.notices.hint(who) for who in (asked.from_id, asked.to_id)]
        after = 0 if status == "expired" else self._tables.clock.now()
        end = self._ended(asked, status, None, None, after)
        try:
            await self._store.commit(Unit(writes=[end, await self._seen(asked), *more], hints=hints))
        except Conflict:
            raise NoSuchChallenge() from None

    def _ended(
        self, asked: Challenge, status: str, slot: str | None, table_id: int | None, after: Instant
    ) -> Write:
        params = {"b_id": asked.id, "b_status": status, "b_slot": slot, "b_table_id": table_id}
        now = self._tables.clock.now()
        return Write(rows.END_CHALLENGE, {**params, "b_at": now, "b_after": after}, expect=1)

    async def _seen(self, asked: Challenge) -> Write:
        """The notice of a challenge that is over asks for nothing any more."""
        name = (await self._club.accounts.by_id(asked.from_id)).pseudo
        return self._club.notices.read_writes(asked.to_id, notice_kind(asked), notice_about(asked, name))


def _opponent(info: HouseTable, account_id: int) -> SeatInfo:
    """The other one at a table for two, though one of them may have left it by resigning."""
    mine = next((t for t in info.seats if t.account_id == account_id and t.robot is None), None)
    if mine is None:
        raise TableError("not_seated")
    if not len(info.seats) == info.seats_most == 2 or info.terms.mastered:
        raise TableError("rematch_not_two")
    return next(taken for taken in info.seats if taken != mine)


def _sitter(taken: SeatInfo) -> int | str:
    return taken.account_id if taken.robot is None else taken.robot
