"""What people read of a phase: the report in the document's wording, reasons and explanations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tablee.rules.diplomacy.model import (
    Act,
    Explanation,
    Outcome,
    Reason,
    Season,
    Situation,
    Unit,
    Verdict,
)
from tablee.rules.diplomacy.names import Names, names_of
from tablee.rules.diplomacy.notation import Standing
from tablee.rules.diplomacy.variant import Variant
from tablee.rules.diplomacy.writing import write_standing
from tablee.rules.words import load_words

WORDS = load_words("tablee.rules.diplomacy")

_FAILS = (Outcome.BOUNCES, Outcome.NO_CONVOY, Outcome.VOID, Outcome.DISRUPTED)
_ZONES = ("zone", "passive", "destination")
_ROLES = ("role", "owner")


def write_report(
    variant: Variant,
    advancement: int,
    before: Situation,
    verdicts: Sequence[Verdict],
    after: Situation | None = None,
    destroyed: Iterable[Unit] = (),
    names: Names | None = None,
    language: str = "fr",
) -> str:
    """The report of a phase: a line an order, by power; in winter also who owns which centres."""
    names = names or names_of(variant, language)
    lines = report_lines(variant, advancement, before, verdicts, after, destroyed, names, language)
    return bound(variant, advancement, lines, language)


def bound(variant: Variant, advancement: int, lines: Iterable[ReportLine], language: str = "fr") -> str:
    """A report of its lines, under its title."""
    return (
        _plain("\n".join([title(variant, advancement, language), "", *(line.text for line in lines)])) + "\n"
    )


class ReportLine(NamedTuple):
    """A line of a report; an empty one stands after each power's."""

    text: str
    role: int
    verdict: int | None = None
    """Which of the verdicts it tells, counted from 0."""


def report_lines(
    variant: Variant,
    advancement: int,
    before: Situation,
    verdicts: Sequence[Verdict],
    after: Situation | None = None,
    destroyed: Iterable[Unit] = (),
    names: Names | None = None,
    language: str = "fr",
) -> Iterator[ReportLine]:
    """The lines below the title, each with whom and which verdict it is about."""
    names = names or names_of(variant, language)
    board = Standing.of(variant, before, advancement)
    gone = set(destroyed)
    for role in range(1, variant.roles + 1):
        own = [(number, verdict) for number, verdict in enumerate(verdicts) if verdict.order.role == role]
        if own:
            yield ReportLine(names.roles[role], role)
            for number, verdict in own:
                yield ReportLine(_line(names, board, verdict, gone, language), role, number)
            yield ReportLine("", role)
    if after is not None and advancement % 5 in (Season.WINTER_RETREATS, Season.ADJUSTMENTS):
        yield from _holdings(variant, after, names, language)


def letter_lines(
    variant: Variant,
    advancement: int,
    before: Situation,
    verdicts: Sequence[Verdict],
    destroyed: Iterable[Unit],
    roles: Collection[int],
    language: str,
) -> Iterator[str]:
    """What became of the orders of some roles, in words, an order a line; of all where none are named."""
    names, words = names_of(variant, language), WORDS[language]
    board, gone = Standing.of(variant, before, advancement), set(destroyed)
    for role in roles or range(1, variant.roles + 1):
        own = [verdict for verdict in verdicts if verdict.order.role == role]
        if own and len(roles) != 1:
            yield names.roles[role]
        for verdict in own:
            said = ", ".join(_marks(verdict, gone, words, "letter")) or words["letter.succeeds"]
            order = write_standing(names, verdict.order, board, language)
            yield words["letter.verdict"].format(order=order, said=said)


def title(variant: Variant, advancement: int, language: str = "fr") -> str:
    """The first line of a report."""
    return _plain(WORDS[language]["report.title"].format(phase=phase_name(variant, advancement, language)))


def _plain(text: str) -> str:
    """With the spaces that the AFJD's programs know."""
    return text.replace("\u00a0", " ")


def phase_name(variant: Variant, advancement: int, language: str = "fr") -> str:
    """`Mouvements printemps 1901`."""
    year = variant.year_zero + 1 + advancement // 5
    return f"{WORDS[language][f'report.season_{advancement % 5}']} {year}"


def say_reason(names: Names, reason: Reason, language: str = "fr") -> str:
    """Why an order may not be given."""
    words = WORDS[language]
    return words[f"reason.{reason.code}"].format_map(_said(names, reason.parts, words))


def say_why(
    variant: Variant,
    names: Names,
    explanation: Explanation,
    situation: Situation,
    language: str = "fr",
) -> str:
    """Why a verdict is so: `échec : attaque 2 contre A MUN - RUH de force 2`."""
    words = WORDS[language]
    board = Standing.of(variant, situation)
    parts: dict[str, object] = dict(_said(names, explanation.numbers, words))
    for name, orders in explanation.orders.items():
        parts[name] = ", ".join(write_standing(names, order, board, language) for order in orders)
    reason = explanation.verdict.reason
    parts["reason"] = say_reason(names, reason, language) if reason is not None else ""
    why = words[f"why.{explanation.code}"].format_map(parts)
    if "dislodged_by" not in parts or explanation.code in ("beaten", "disrupted", "cut-by-dislodging"):
        return why
    return words["why.also-dislodged"].format(why=why, dislodged_by=parts["dislodged_by"])


def say_outcome(names: Names, verdict: Verdict, language: str = "fr") -> str:
    """What became of a retreat or an adjustment, and why."""
    words = WORDS[language]
    if verdict.reason is not None:
        code = "illegal" if verdict.outcome == Outcome.ILLEGAL else "void"
        said = words[f"why.{code}"].format(reason=say_reason(names, verdict.reason, language))
    elif verdict.outcome == Outcome.BOUNCES:
        said = words["why.retreat-bounced"].format(destination=names.zones[verdict.order.destination])
    else:
        said = words[f"outcome.{verdict.outcome}"]
    return words["outcome.and"].format(said=said, also=words["outcome.off"]) if verdict.disbanded else said


def _said(names: Names, parts: Mapping[str, int], words: Mapping[str, str]) -> dict[str, object]:
    said: dict[str, object] = {}
    for key, number in parts.items():
        if key in _ZONES:
            said[key] = names.zones[number] if 0 < number < len(names.zones) else number
        elif key in _ROLES:
            said[key] = names.roles[number] if 0 <= number < len(names.roles) else number
        elif key == "kind":
            said[key] = words.get(f"kind.{number}", number)
        elif key == "act":
            said[key] = words.get(f"act.{number}", number)
        else:
            said[key] = number
    return said


def _line(names: Names, board: Standing, verdict: Verdict, gone: set[Unit], language: str) -> str:
    text = write_standing(names, verdict.order, board, language)
    marks = " ".join(_marks(verdict, gone, WORDS[language], "report"))
    return f"{text} ; {marks}" if marks else text


def _marks(verdict: Verdict, gone: set[Unit], words: Mapping[str, str], form: str) -> Iterator[str]:
    """What is to be said of a verdict, as a report or a letter does."""
    order = verdict.order
    if verdict.outcome == Outcome.ILLEGAL:
        yield words[f"{form}.invalid"]
    elif verdict.outcome == Outcome.CUT:
        yield words[f"{form}.cut"]
    elif verdict.outcome in _FAILS:
        yield words[f"{form}.fails"]
    if verdict.paradox:
        yield words[f"{form}.paradox"]
    if verdict.dislodged:
        yield words[f"{form}.dislodged"]
    willingly = order.act in (Act.DISBAND, Act.REMOVE) and not verdict.by_default
    lost = verdict.disbanded or any(unit.zone == order.zone and unit.role == order.role for unit in gone)
    if lost and not willingly:
        yield words[f"{form}.destroyed"]
    if verdict.by_default:
        yield words[f"{form}.default"]


def _holdings(variant: Variant, after: Situation, names: Names, language: str) -> Iterator[ReportLine]:
    """Who owns which centres, and how many units he has."""
    line = WORDS[language]["report.holdings"]
    for role in range(1, variant.roles + 1):
        owned = sorted(centre for centre, owner in after.ownerships.items() if owner == role)
        units = sum(unit.role == role for unit in after.units)
        if owned or units:
            centres = ", ".join(names.zones[variant.centres[centre]] for centre in owned) or "-"
            text = line.format(role=names.roles[role], count=len(owned), centres=centres, units=units)
            yield ReportLine(text, role)
