"""The book of decisions: numbered without a gap, and no question without its answer."""

import re
from pathlib import Path

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions.md"


def test_decisions_are_numbered_one_after_the_other_and_each_is_decided() -> None:
    entries = re.split(r"^## ", DECISIONS.read_text(), flags=re.MULTILINE)[1:]
    questions = [entry.partition("\n") for entry in entries]
    numbers = [int(question.partition(".")[0]) for question, _, _ in questions]
    assert numbers == list(range(1, len(entries) + 1))
    assert [question for question, _, answer in questions if not answer.strip()] == []
