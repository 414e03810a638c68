"""The words for calls about tables, as they are when somebody is told: what his seat may know, no more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from tablee.clock import Instant
from tablee.club import Account
from tablee.club.calling.caller import Answerable, Said
from tablee.club.calling.calls import Call
from tablee.club.calling.composing import language_of
from tablee.rules.contract import MASTER, Seat
from tablee.rules.words import game_name, load_words, role_names
from tablee.store import Query
from tablee.store.schema import message, outcome, reading
from tablee.tables.calling import deadline_of, owes
from tablee.tables.errors import NoSuchGame, NoSuchTable
from tablee.tables.loaded import LoadedTable
from tablee.tables.press import letters_channel, press_channel
from tablee.tables.roles import roles_at, roles_in

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

_WORDS = load_words("tablee.tables", "calling.toml")
_OUTCOME = Query(
    select(outcome.c.rank, outcome.c.rating_before, outcome.c.rating_after).where(
        outcome.c.table_id == bindparam("which"), outcome.c.account_id == bindparam("who")
    )
)
_STILL_SAID = Query(
    select(message.c.id, message.c.text).where(
        message.c.id.in_(bindparam("numbers", expanding=True)), message.c.deleted_at.is_(None)
    )
)
_READ_UP_TO = Query(
    select(reading.c.channel, reading.c.message_id).where(
        reading.c.account_id == bindparam("who"), reading.c.channel.in_(bindparam("channels", expanding=True))
    )
)


class TableWords:
    """The words for calls about tables, as they are when somebody is told."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def word(self, account: Account, table_id: int, calls: Sequence[Call]) -> list[Said | None]:
        try:
            loaded = await self._tables.open(table_id)
        except (NoSuchTable, NoSuchGame):
            return [None for _ in calls]
        numbers = [call.about["notice"] for call in calls if "notice" in call.about]
        unread = await self._tables.club.notices.all_unread(account.id, numbers)
        said_still = await self._unread_press(account, loaded, calls)
        reply_to = None
        if any(call.kind in _ORDERS_WANTED for call in calls):
            reply_to = self._tables.replies.answerable(loaded, account.id)

        def is_done(call: Call) -> bool:
            if call.kind in ("letter", "declaration"):
                return call.about["message"] not in said_still
            return call.about.get("notice") not in (None, *unread)

        return [
            None if is_done(call) else await self._say(account, loaded, call, reply_to, said_still)
            for call in calls
        ]

    async def retell(self, account: Account, loaded: LoadedTable, call: Call) -> Said | None:
        """A call in words once more, whether or not it was read meanwhile."""
        return await self._say(account, loaded, call, None, {})

    async def _unread_press(
        self, account: Account, loaded: LoadedTable, calls: Sequence[Call]
    ) -> dict[int, str]:
        """Of what was said, what is still there, unread, and was said to him."""
        said = {call.about["message"]: call for call in calls if call.kind in ("letter", "declaration")}
        if not said:
            return {}
        store, info = self._tables.store, loaded.info
        there = {row.id: row.text for row in await store.rows(_STILL_SAID, numbers=list(said))}
        roles = roles_at(loaded, account.id)
        lines = {
            number: press_channel(info.id)
            if call.about["to"] is None
            else f"{letters_channel(info.id)}:{call.about['to']}:{call.about['author']}"
            for number, call in said.items()
        }
        found = await store.rows(_READ_UP_TO, who=account.id, channels=sorted(set(lines.values())))
        read = {row.channel: row.message_id for row in found}
        return {
            number: there[number]
            for number, call in said.items()
            if number in there
            and number > read.get(lines[number], 0)
            and (call.about["to"] is None or call.about["to"] in roles)
        }

    async def _say(
        self,
        account: Account,
        loaded: LoadedTable,
        call: Call,
        reply_to: Answerable | None,
        texts: dict[int, str],
    ) -> Said | None:
        language = language_of(account)
        words, info = _WORDS[language], loaded.info
        place = info.name or loaded.rules.words(language)["name"]
        seat = info.place_of(account.id)
        here: dict[str, Any] = {"path": f"/tables/{info.id}", "place": place}
        parts = {
            "game": self.game_named(info.game, info.variant, language),
            "name": place,
        }
        match call.kind:
            case "begun":
                key = "seated" if call.about.get("kind") == "seated" else "begun"
                parts["role"] = _plays(loaded, seat, language)
                key = f"{key}_as" if parts["role"] else key
                return Said(words[key].format(**parts), **here, reply_to=reply_to)
            case "your_turn":
                if not self._still_waits(loaded, seat, call):
                    return None
                by = (
                    deadline_of(loaded.rules, loaded.state, loaded.clocks, seat)
                    if loaded.state is not None
                    else None
                )
                lines = [] if by is None else [words["until"].format(when=self.when(account, by))]
                return Said(words["your_turn"].format(**parts), lines, **here, reply_to=reply_to, until=by)
            case "late" if "passed" in call.about:
                if loaded.is_over:
                    return None
                said = words["passed"].format(when=self.when(account, call.about["passed"]))
                return Said(said, **here)
            case "deadline_near" | "late":
                return self._deadline(account, loaded, seat, call, here, reply_to)
            case "resolved":
                news = call.about.get(language, [])
                return Said(words["resolved"].format(**parts), list(news), **here) if news else None
            case "over":
                return await self._over(account, loaded, parts, here)
            case "letter" | "declaration":
                author = call.about["author"]
                names = loaded.rules.words(language)
                parts["from"] = (
                    words["master"] if author == MASTER else names.get(f"role.{author}", str(author))
                )
                return Said(words[call.kind].format(**parts), [texts[call.about["message"]]], **here)
            case "invited":
                if info.status in ("over", "closed"):
                    return None
                parts["from"] = call.about.get("by_name") or call.about.get("from", "")
                key = "stand_in" if call.about.get("kind") == "stand_in" else "invited"
                return Said(words[key].format(**parts), **here)
        return None

    def game_named(self, game: str, variant: str, language: str) -> str:
        """What a game is called; by its code where the house does not have it any more."""
        try:
            words = self._tables.rules(game, variant).words(language)
        except NoSuchGame:
            return game
        return game_name(words, variant)

    def game_word(self, game: str, variant: str, key: str, language: str) -> str:
        """A word of a game; empty where it has none, or the house does not have it any more."""
        try:
            return self._tables.rules(game, variant).words(language).get(key, "")
        except NoSuchGame:
            return ""

    def _still_waits(self, loaded: LoadedTable, seat: Seat, call: Call) -> bool:
        if loaded.state is None or seat not in loaded.waiting():
            return False
        return bool(call.about.get("phase", 0) == loaded.phase)

    def _deadline(
        self,
        account: Account,
        loaded: LoadedTable,
        seat: Seat,
        call: Call,
        here: dict[str, Any],
        reply_to: Answerable | None,
    ) -> Said | None:
        """That a date is near, or has passed: only while it is the same, and he still owes something."""
        words, by = _WORDS[language_of(account)], call.about["by"]
        if owes(loaded, seat) != by:
            return None
        if call.kind == "deadline_near":
            if by <= self._tables.clock.now():
                return None  # it came too late to be told, and that the date has passed is told by itself
            said = words["deadline_near"].format(when=self.when(account, by))
            return Said(said, **here, reply_to=reply_to, until=by)
        assert loaded.state is not None
        late = loaded.rules.late(loaded.state)
        until = None if late is None else late.until
        lines = [] if until is None else [words["grace"].format(when=self.when(account, until))]
        said = words["late"].format(when=self.when(account, by))
        return Said(said, lines, **here, reply_to=reply_to, until=until)

    async def _over(
        self, account: Account, loaded: LoadedTable, parts: dict[str, str], here: dict[str, Any]
    ) -> Said | None:
        language = language_of(account)
        words, result = _WORDS[language], loaded.result
        if result is None:
            return None
        reason = loaded.rules.words(language).get(f"result.{result.reason}")
        lines = [] if reason is None else [reason]
        row = await self._tables.store.one(_OUTCOME, which=loaded.info.id, who=account.id)
        if row is not None and result.ranks:
            is_shared = list(result.ranks.values()).count(row.rank) > 1
            said = words["rank_shared" if is_shared else "rank"]
            lines.append(said.format(rank=row.rank, of=len(result.ranks)))
            if row.rating_before is not None and row.rating_after is not None:
                lines.append(words["rating"].format(before=row.rating_before, after=row.rating_after))
        return Said(words["over"].format(**parts), lines, **here)

    def when(self, account: Account, at: Instant) -> str:
        """A moment in somebody's own zone, as it is written in his language."""
        moment = self._tables.club.preferences.local(account, at)
        words = _WORDS[language_of(account)]
        return words["moment" if moment.minute else "full_hour"].format(
            day=self.day(account, moment), hour=moment.hour, minute=f"{moment.minute:02}"
        )

    def day(self, account: Account, day: date) -> str:
        """A day as it is written in somebody's language."""
        words = _WORDS[language_of(account)]
        return words["first_day" if day.day == 1 else "day"].format(
            weekday=words[f"weekday.{day.weekday()}"], day=day.day, month=words[f"month.{day.month}"]
        )


_ORDERS_WANTED = ("begun", "your_turn", "deadline_near", "late")


def _plays(loaded: LoadedTable, seat: Seat, language: str) -> str:
    """What a seat plays, by name: its roles, or its side as the game calls it."""
    if seat < 1 or loaded.state is None:
        return ""
    roles = role_names(loaded.rules.words(language), roles_in(loaded, seat))
    return roles or loaded.rules.glance(loaded.view(seat), language).plays
