"""The words for calls about no table: invitations of people, messages, the safety of an account."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import bindparam, select

from tablee.club.calling.caller import Said
from tablee.club.calling.calls import Call
from tablee.club.calling.composing import language_of, words
from tablee.club.calling.wishes import Preferences
from tablee.club.notices import Notices
from tablee.club.people import Account
from tablee.store import Query, Store
from tablee.store.schema import account as account_table
from tablee.store.schema import message, reading

_STILL_SAID = Query(
    select(message.c.id, message.c.text).where(
        message.c.id.in_(bindparam("numbers", expanding=True)), message.c.deleted_at.is_(None)
    )
)
_READ = Query(select(reading.c.channel, reading.c.message_id).where(reading.c.account_id == bindparam("who")))


_NAMES = Query(
    select(account_table.c.id, account_table.c.pseudo).where(
        account_table.c.id.in_(bindparam("numbers", expanding=True))
    )
)


class OwnWords:
    def __init__(self, store: Store, notices: Notices, preferences: Preferences) -> None:
        self._store = store
        self._notices = notices
        self._preferences = preferences
        self.game_named: Callable[[str, str, str], str] = lambda game, variant, language: game
        """What a game is called, by its code, its variant and the language: set by the tables."""
        self.game_word: Callable[[str, str, str, str], str] = lambda game, variant, key, language: ""
        """A word of a game, by its code, its variant, the key and the language: set by the tables."""

    async def word(self, account: Account, table_id: int, calls: Sequence[Call]) -> list[Said | None]:
        """Each call in words; None for what was read in the page, or taken away, meanwhile."""
        noticed = [call.about["notice"] for call in calls if "notice" in call.about]
        unread = await self._notices.all_unread(account.id, noticed)
        messages = [call.about["message"] for call in calls if "message" in call.about]
        there = {row.id: row.text for row in await self._store.rows(_STILL_SAID, numbers=messages)}
        met = {number for call in calls for number in call.about.get("with", ())}
        names = {row.id: row.pseudo for row in await self._store.rows(_NAMES, numbers=sorted(met))}
        read = {row.channel: row.message_id for row in await self._store.rows(_READ, who=account.id)}

        def is_done(call: Call) -> bool:
            number = call.about.get("message")
            if number is not None:
                return number not in there or number <= read.get(call.about["channel"], 0)
            return call.kind != "security" and call.about.get("notice") not in (None, *unread)

        return [
            None if is_done(call) else self._said(account, call, there.get(call.about.get("message")), names)
            for call in calls
        ]

    def _said(self, account: Account, call: Call, text: str | None, names: dict[int, str]) -> Said | None:
        language, about = language_of(account), dict(call.about)
        known, kind = words(language), about.get("kind")
        if call.kind == "tournament":
            kind = about["what"]
        if "plays" in about:
            about["plays"] = self.game_word(about["game"], about["variant"], about["plays"], language)
            kind = f"{kind}_as" if about["plays"] else kind
        headline = known.get(f"{call.kind}.{kind}")
        if headline is None:
            return None
        if "game" in about:
            about["game"] = self.game_named(about["game"], about.get("variant", ""), language)
        if "with" in about:
            about["with"] = ", ".join(names[number] for number in about["with"] if number in names)
        if "at" in about:
            about["at"] = self._preferences.local(account, about["at"]).strftime(known["hour"])
        if "role" in about:
            about["role"] = known.get(f"role.{about['role']}", about["role"])
        if "until" in about:
            about["until"] = self._preferences.local(account, about["until"]).strftime(known["day"])
        if call.kind == "tournament":
            path = f"/tournaments/{about['tournament']}"
            return Said(headline.format(**about), [], path, about["name"])
        path = _PATHS.get(f"{call.kind}.{kind}") or _PATHS.get(call.kind, "/notices")
        return Said(headline.format(**about), [] if text is None else [text], path)


_PATHS = {"message": "/messages", "security": "/account", "invited.friend_request": "/friends"}
