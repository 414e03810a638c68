"""The report in the document's wording, and why each verdict is so."""

from __future__ import annotations

from random import Random
from string import Formatter

from tests.rules.diplomacy.phases_at_random import mixed_cases, random_phase

from tablee.rules.diplomacy.explanation import explain
from tablee.rules.diplomacy.model import Order, Outcome
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.problem import read_problem
from tablee.rules.diplomacy.report import WORDS, say_why, write_report
from tablee.rules.diplomacy.variant import load_variant

STANDARD = load_variant("standard")


def report(text: str, language: str = "fr") -> str:
    problem = read_problem(text)
    orders = problem.orders(0, problem.advancement, problem.situation)
    found = resolve(STANDARD, problem.advancement, problem.situation, orders)
    return write_report(
        STANDARD,
        problem.advancement,
        problem.situation,
        found.verdicts,
        found.situation,
        found.destroyed,
        language=language,
    )


def test_moves_are_reported_by_power_with_what_became_of_them() -> None:
    text = """
[units]
Italy: A VEN, A TYR
Germany: A MUN
Austria: F TRI, A VIE
France: A PAR
[orders]
Italy
A VEN - TRI
A TYR S A VEN - TRI
Germany
A MUN - TYR
Austria
F TRI T
A VIE S allemand A MUN - TYR
"""
    assert report(text) == (
        "SOLVEUR : INFORMATION : Résolution ou validation d'ordres pour Mouvements printemps 1901\n"
        "\n"
        "France\nA PAR T ; PAR DEFAUT\n"
        "\n"
        "Allemagne\nA MUN - TYR\n"
        "\n"
        "Italie\nA VEN - TRI ; (échec)\nA TYR S A VEN - TRI ; (coupé) (délogée)\n"
        "\n"
        "Autriche\nF TRI T\nA VIE S allemand A MUN - TYR\n"
        "\n"
    )


def test_the_titles_are_the_document_s() -> None:
    titles = [
        report(f"phase {phase}\n[units]\nFrance: A PAR\n[orders]").splitlines()[0] for phase in range(5)
    ]
    endings = [
        "Mouvements printemps 1901",
        "Retraites été 1901",
        "Mouvements automne 1901",
        "Retraites automne 1901",
        "Ajustements 1901",
    ]
    assert [title.partition(" pour ")[2] for title in titles] == endings


def test_winter_adds_who_owns_what() -> None:
    text = "phase 3\n[units]\nFrance: A BEL\n[centres]\nFrance: PAR\n[orders]\n"
    assert "France : centres 2 (BEL, PAR), unités 1" in report(text)


def test_a_retreat_that_fails_is_destroyed_and_removals_by_default_are_marked() -> None:
    text = """
phase 1
[units]
Italy: A TRI, F GRE
[dislodged]
Austria: F TRI < TYR
Turkey: F GRE < ION
[orders]
Austria
F TRI R ALB
Turkey
F GRE R ALB
"""
    assert "F TRI R ALB ; (échec) (détruite)" in report(text)
    removal = report("phase 4\n[units]\nFrance: A PAR, A BUR\n[centres]\nFrance: PAR\n[orders]\n")
    assert "- A BUR ; (détruite) PAR DEFAUT" in removal


def test_every_verdict_can_be_explained_in_both_languages() -> None:
    said = set()
    for seed in range(150):
        for situation, orders in (random_phase(STANDARD, Random(seed)), mixed_cases(Random(seed))):
            for explanation in explain(STANDARD, situation, orders):
                said.add(explanation.code)
                for language in ("fr", "en"):
                    names = names_of(STANDARD, language)
                    assert say_why(STANDARD, names, explanation, situation, language)
    known = {key.removeprefix("why.") for key in WORDS["fr"] if key.startswith("why.")}
    assert said <= known
    assert len(said) > 18


def test_every_outcome_has_a_word() -> None:
    for language in ("fr", "en"):
        assert all(WORDS[language][f"outcome.{outcome}"] for outcome in Outcome)


def test_an_order_of_impossible_numbers_is_reported_too() -> None:
    nonsense = [Order(2, 77, 47), Order(2, 1, 99), Order(2, 2, 47, -1, 400), Order(2, 1, 47, 0, 82)]
    for advancement in range(5):
        found = resolve(STANDARD, advancement, STANDARD.start(), nonsense)
        for language in ("fr", "en"):
            written = write_report(
                STANDARD, advancement, STANDARD.start(), found.verdicts, found.situation, language=language
            )
            assert "[2, 77, 47, 0, 0, 0, 0]" in written


def test_both_languages_ask_for_the_same_parts() -> None:
    for key, sentence in WORDS["fr"].items():
        parts = {name for _, name, _, _ in Formatter().parse(sentence) if name}
        assert parts == {name for _, name, _, _ in Formatter().parse(WORDS["en"][key]) if name}, key
