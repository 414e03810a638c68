"""What webhooks are told of a table, for the transaction of its cause: what every spectator may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.club.webhooks.book import announcement_write
from tablee.club.webhooks.forms import Announcement
from tablee.rules.contract import SPECTATOR, Result, Rules, Seat, State
from tablee.rules.words import LANGUAGES, game_name, load_words, role_names
from tablee.store import Write
from tablee.tables.calling import names_for, news_of
from tablee.tables.errors import void_words
from tablee.tables.happened import Happened
from tablee.tables.info import HouseTable

if TYPE_CHECKING:
    from tablee.tables.loaded import LoadedTable

LINES_MOST, LINE_MOST = 40, 500
"""Of what is said of one event; the rest is read on the page."""
TOLD_MOST = 32_768
"""Bytes of the facts themselves."""
ENOUGH_PEOPLE = 2
"""With fewer, a game is practice, and no news for the whole house."""
_WORDS = load_words("tablee.tables", "calling.toml")


def announcements_of(loaded: LoadedTable, events: Iterable[Happened], ended: Result | None) -> list[Write]:
    """What some events of a table mean to webhooks; `ended` is how the last of them ended the game.

    Of a game that is played at one sitting its beginning and its end are told, of one by days each phase or
    turn too.
    """
    info, rules = loaded.info, loaded.rules
    events = list(events)
    writes: list[Write] = []
    for happened in events:
        if happened.before is None:
            writes.append(begun_announcement(info, rules, happened.seq, happened.at))
        elif ended is not None and happened is events[-1]:
            writes.append(_over(info, rules, happened, ended, loaded.is_by_days))
        elif loaded.is_by_days and (said := _moved(info, rules, happened)) is not None:
            writes.append(said)
    return writes


def begun_announcement(info: HouseTable, rules: Rules[Any], seq: int, at: int) -> Write:
    """That a game has begun, and who plays."""
    names = names_for(info, None).values()
    lines = {}
    for language in LANGUAGES:
        words = _WORDS[language]
        lines[language] = [words["begun"].format(game=game_name(rules.words(language), info.variant))]
        if names:
            lines[language].append(words["players"].format(names=", ".join(names)))
    return _write(info, seq, Announcement("begun", at, info.id, info.name, lines=lines))


def _moved(info: HouseTable, rules: Rules[Any], happened: Happened) -> Write | None:
    """That a phase was resolved or a turn played, where that is to be seen from outside."""
    if happened.told(SPECTATOR) is None:
        return None
    phase = rules.phase(happened.after)
    if phase and phase == rules.phase(happened.before):
        return None
    news = news_of(info, rules, happened, SPECTATOR, None)
    if not any(news.values()):
        return None
    lines = {language: [_WORDS[language]["resolved"], *news[language]] for language in LANGUAGES}
    said = Announcement(
        "moved", happened.at, info.id, info.name, phase=phase, lines=lines, told=_told(happened)
    )
    return _write(info, happened.seq, said)


def _over(info: HouseTable, rules: Rules[Any], happened: Happened, result: Result, is_by_days: bool) -> Write:
    """How a game has ended, with its last turn where turns are told."""
    news = news_of(info, rules, happened, SPECTATOR, None) if is_by_days else {}
    lines = {}
    for language in LANGUAGES:
        words = {**void_words(language), **rules.words(language)}
        reason = words.get(f"result.{result.reason}")
        said = [_WORDS[language]["over"]] + ([] if reason is None else [reason])
        ranks = sorted(result.ranks.items(), key=lambda pair: (pair[1], pair[0]))
        said += [f"{rank}. {_name(info, rules, happened.after, seat, language)}" for seat, rank in ranks]
        lines[language] = said + news.get(language, [])
    return _write(
        info,
        happened.seq,
        Announcement(
            "over",
            happened.at,
            info.id,
            info.name,
            lines=lines,
            told=_told(happened),
            result=msgspec.to_builtins(result, str_keys=True),
        ),
    )


def _write(info: HouseTable, seq: int, said: Announcement) -> Write:
    people = [taken for taken in info.taken if taken.robot is None]
    said = msgspec.structs.replace(
        said,
        game=info.game,
        variant=info.variant,
        players={str(seat): name for seat, name in names_for(info, None).items()},
        lines={
            language: [line[:LINE_MOST] for line in every[:LINES_MOST]]
            for language, every in said.lines.items()
        },
    )
    is_news = info.access == "open" and len(people) >= ENOUGH_PEOPLE
    return announcement_write(info.id, seq, said, to_house=is_news)


def _told(happened: Happened) -> Any:
    content = msgspec.json.encode(happened.told(SPECTATOR) or [])
    return msgspec.json.decode(content) if len(content) <= TOLD_MOST else None


def _name(info: HouseTable, rules: Rules[Any], state: State, seat: Seat, language: str) -> str:
    """Who sits there, as everybody may know: by his roles in a game with some, by name where it is known."""
    known = names_for(info, None).get(seat, "")
    own = [role for role, holder in enumerate(rules.holders(state), 1) if holder == seat]
    if not own:
        return known or f"№ {seat}"
    return role_names(rules.words(language), own) + (f" ({known})" if known else "")
