"""A phase told to people: its report line by line, and for each verdict why it is so."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tablee.rules.diplomacy.explanation import explain
from tablee.rules.diplomacy.model import Choices, Season, Situation, Unit, Verdict
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.report import ReportLine, bound, report_lines, say_outcome, say_why
from tablee.rules.diplomacy.variant import Variant


class Account(Struct, frozen=True):
    """What people read of a phase."""

    report: str
    lines: tuple[ReportLine, ...]
    """Without the empty ones."""
    explanations: tuple[str, ...]
    """For each verdict, in their order."""


def account_of(
    variant: Variant,
    advancement: int,
    before: Situation,
    verdicts: Sequence[Verdict],
    after: Situation,
    destroyed: Sequence[Unit],
    choices: Choices,
    language: str = "fr",
) -> Account:
    """The account of a phase that was resolved, whenever that was."""
    names = names_of(variant, language)
    lines = [*report_lines(variant, advancement, before, verdicts, after, destroyed, names, language)]
    return Account(
        bound(variant, advancement, lines, language),
        tuple(line for line in lines if line.text),
        _explanations(variant, advancement, before, verdicts, choices, language),
    )


def _explanations(
    variant: Variant,
    advancement: int,
    before: Situation,
    verdicts: Sequence[Verdict],
    choices: Choices,
    language: str,
) -> tuple[str, ...]:
    names = names_of(variant, language)
    if advancement % 5 in (Season.SPRING_MOVES, Season.AUTUMN_MOVES):
        given = [verdict.order for verdict in verdicts if not verdict.by_default]
        why = explain(variant, before, given, choices)
        # A phase of an older release may have been decided otherwise: then only the outcome is told.
        if [(each.verdict.order, each.verdict.outcome) for each in why] == [
            (verdict.order, verdict.outcome) for verdict in verdicts
        ]:
            return tuple(say_why(variant, names, each, before, language) for each in why)
    return tuple(say_outcome(names, verdict, language) for verdict in verdicts)
