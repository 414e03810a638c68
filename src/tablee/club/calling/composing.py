"""Letters that call somebody: a text and a plain HTML part, with the link, the reason and the ways out."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tablee.clock import Clock
from tablee.club.calling.calls import Call
from tablee.club.calling.catalogue import KINDS
from tablee.club.calling.wishes import EVERYWHERE, Preferences
from tablee.club.letters import Letter, Letters, on_one_line
from tablee.club.people import Account
from tablee.rules.words import load_sentences, typeset
from tablee.store import Write

if TYPE_CHECKING:
    from tablee.club.calling.caller import Said

IMPORTANCE = (
    "security",
    "over",
    "late",
    "deadline_near",
    "your_turn",
    "begun",
    "tournament",
    "invited",
    "resolved",
)
"""Whose headline is the subject of a letter with several things; the rest come after."""
SUBJECT_MOST = 200
LINES_MOST = 200
CHARACTERS_MOST = 2_000
"""Of one line: what somebody wrote is read whole on the page."""
THINGS_MOST = 40
"""Of one place: who comes back after weeks reads the rest on the page."""


@cache
def words(language: str) -> dict[str, str]:
    """Every sentence of these letters in one language."""
    return load_sentences("tablee.club.calling", language)


def language_of(account: Account) -> str:
    return "en" if account.language == "en" else "fr"


class Way(NamedTuple):
    """A link at the foot of a letter."""

    label: str
    url: str


class Part(NamedTuple):
    """What a letter says about one place."""

    place: str
    paragraphs: list[tuple[str, list[str]]]
    link: Way


class Composer:
    """`home` gives the address of the page, to which the links lead."""

    def __init__(
        self, letters: Letters, preferences: Preferences, clock: Clock, club: str, home: Callable[[], str]
    ) -> None:
        self._letters = letters
        self._preferences = preferences
        self._clock = clock
        self._club = club
        self._home = home

    async def write(self, account: Account, said: Sequence[tuple[Call, Said]]) -> Write:
        """The write that lays one letter with all of this in the outbox."""
        return await self._letters.post(await self.compose(account, said), account.id)

    async def compose(self, account: Account, said: Sequence[tuple[Call, Said]]) -> Letter:
        assert account.email is not None
        known, language = words(language_of(account)), language_of(account)
        first_call, first = min(said, key=lambda pair: importance(pair[0].kind))
        tables = {call.table_id for call, _ in said}
        is_digest = len(tables) > 1
        kind, table_id = first_call.kind, 0 if is_digest else first_call.table_id
        headline = known["digest"] if is_digest else first.headline.partition(". ")[0].rstrip(" .:")
        place = self._club if is_digest else first.place or self._club
        subject = known["about"].format(what=place, text=headline)
        # Who wants no digest any more still wants to know that it is his turn.
        kinds = "+".join(sorted({call.kind for call, _ in said})) if is_digest else kind
        stop_url = await self._stop(account, table_id, kinds)
        ways = [Way(known["choose"], f"{self._home()}/settings#calling")]
        if not KINDS[kind].must:
            label = known["stop_digest"] if is_digest else known["stop_kind"]
            ways.append(Way(label, await self._stop(account, EVERYWHERE, kinds)))
        if table_id != EVERYWHERE:
            ways.append(Way(known["stop_table"], await self._stop(account, table_id, "")))
        parts = self._parts(known, said)
        why = known["why.digest" if is_digest else f"why.{kind}"]
        reply_to = next((words.reply_to.address for _, words in said if words.reply_to), None)
        return Letter(
            to=account.email,
            subject=on_one_line(subject)[:SUBJECT_MOST],
            text=self._text(known, account, parts, why, ways, reply_to is not None),
            language=language,
            at=self._clock.now(),
            html=self._html(known, language, account, parts, why, ways, reply_to is not None),
            reply_to=reply_to,
            thread=f"table.{table_id}" if table_id != EVERYWHERE else None,
            stop=None if KINDS[kind].must else stop_url,
        )

    async def _stop(self, account: Account, table_id: int, kind: str) -> str:
        return f"{self._home()}/stop/{await self._preferences.stop_token(account.id, table_id, kind)}"

    def _parts(self, known: dict[str, str], said: Sequence[tuple[Call, Said]]) -> list[Part]:
        parts: list[Part] = []
        for call, words in said:
            label = known["open_table"] if call.table_id else known["open"]
            link = Way(label, self._home() + words.path)
            paragraph = (words.headline, [line[:CHARACTERS_MOST] for line in words.lines[:LINES_MOST]])
            if parts and parts[-1].link == link:
                parts[-1].paragraphs.append(paragraph)
            else:
                parts.append(Part(words.place, [paragraph], link))
        for part in parts:
            more = len(part.paragraphs) - THINGS_MOST
            if more > 0:
                part.paragraphs[THINGS_MOST:] = [(known["more"].format(number=more), [])]
        return parts

    def _text(
        self,
        known: dict[str, str],
        account: Account,
        parts: list[Part],
        why: str,
        ways: list[Way],
        may_reply: bool,
    ) -> str:
        lines = [known["hello"].format(pseudo=account.pseudo), ""]
        for place, paragraphs, link in parts:
            if place:
                lines += [f"— {place} —", ""]
            for headline, more in paragraphs:
                lines += [headline, *(f"  {line}" for text in more for line in text.splitlines()), ""]
            lines += [known["about"].format(what=link.label, text=link.url), ""]
        if may_reply:
            lines += [known["reply"], ""]
        lines += ["-- ", self._club, why]
        lines += [known["about"].format(what=way.label, text=way.url) for way in ways]
        return "\n".join(lines) + "\n"

    def _html(
        self,
        known: dict[str, str],
        language: str,
        account: Account,
        parts: list[Part],
        why: str,
        ways: list[Way],
        may_reply: bool,
    ) -> str:
        escape = _french if language == "fr" else html.escape
        body = [f"<p>{escape(known['hello'].format(pseudo=account.pseudo))}</p>"]
        for place, paragraphs, link in parts:
            if place:
                body.append(f'<h2 style="font-size:18px;margin:24px 0 8px">{escape(place)}</h2>')
            for headline, more in paragraphs:
                body.append(f'<p style="margin:8px 0"><strong>{escape(headline)}</strong></p>')
                if more:
                    shown = "<br>".join(escape(line).replace("\n", "<br>") for line in more)
                    body.append(f'<p style="margin:8px 0 8px 16px">{shown}</p>')
            body.append(
                f'<p style="margin:16px 0"><a href="{escape(link.url)}" style="background:#1f5f4a;color:#fff;'
                'text-decoration:none;padding:12px 20px;border-radius:6px;display:inline-block">'
                f"{escape(link.label)}</a></p>"
            )
        if may_reply:
            body.append(f"<p>{escape(known['reply'])}</p>")
        links = "<br>".join(
            f'<a href="{escape(way.url)}" style="color:#5a5a5a;display:inline-block;padding:5px 0">'
            f"{escape(way.label)}</a>"
            for way in ways
        )
        foot = f"{escape(self._club)}<br>{escape(why)}<br>{links}"
        return (
            f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{escape(self._club)}</title></head>"
            '<body style="margin:0;padding:16px;background:#f6f4ef;color:#1c1c1c;'
            'font:16px/1.5 Georgia,serif"><div style="max-width:560px;margin:0 auto;background:#fff;'
            f'padding:24px;border-radius:8px">{"".join(body)}'
            '<hr style="border:0;border-top:1px solid #ddd;margin:24px 0 12px">'
            f'<p style="font-size:13px;color:#5a5a5a;margin:0">{foot}</p></div></body></html>'
        )


def _french(text: str) -> str:
    """A French text in HTML, with what was filled in."""
    return html.escape(typeset(text))


def importance(kind: str) -> int:
    """Where a kind stands among several things that are told at once: 0 is first."""
    return IMPORTANCE.index(kind) if kind in IMPORTANCE else len(IMPORTANCE)
