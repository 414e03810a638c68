"""The book of decisions and the code that follows them: no question without its answer, no decision that
nobody is led to, no citation that leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DECISIONS = ROOT / "docs" / "decisions.md"
CODE = ("src/tablee/**/*.py", "web/src/**/*.ts", "web/src/**/*.svelte", "tests/**/*.py")
CITATION = re.compile(r"docs/decisions\.md#([\w-]+)")


def decisions(text: str) -> dict[str, str]:
    """What is decided, by anchor: the text below each heading of the third level."""
    entries = re.findall(r"^### (.+)\n((?:(?!#).*\n?)*)", text, re.MULTILINE)
    return {anchor(title): answer.strip() for title, answer in entries}


def anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def citations() -> Iterator[tuple[str, str]]:
    """Every anchor that the code cites, with the file that does."""
    for pattern in CODE:
        for path in ROOT.glob(pattern):
            for cited in CITATION.findall(path.read_text()):
                yield cited, str(path.relative_to(ROOT))


def test_every_decision_has_its_own_anchor_its_question_and_its_answer() -> None:
    text = DECISIONS.read_text()
    decided = decisions(text)
    assert len(decided) == len(re.findall(r"^### ", text, re.MULTILINE))
    unclear = [name for name, answer in decided.items() if not re.match(r"\*[^*]+\?\*\s+\S", answer)]
    assert unclear == []


def test_every_decision_that_the_code_cites_is_in_the_book() -> None:
    decided = decisions(DECISIONS.read_text())
    assert [(cited, file) for cited, file in citations() if cited not in decided] == []


def test_every_decision_is_cited_where_the_code_follows_it() -> None:
    cited = {name for name, _ in citations()}
    assert [name for name in decisions(DECISIONS.read_text()) if name not in cited] == []


def test_a_decision_is_found_by_its_heading() -> None:
    text = "# Book\n\n## Log\n\n### Commit, then tell\n\n*When?* Then.\nSo.\n\n### Hints\n\n*What?* That.\n"
    assert decisions(text) == {"commit-then-tell": "*When?* Then.\nSo.", "hints": "*What?* That."}
