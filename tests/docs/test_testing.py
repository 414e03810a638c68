"""Nothing is left out of `make test` silently: each long test is listed with its quicker sibling."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def all_tests() -> dict[str, bool]:
    """Every test by name, and whether it, or a case of it, is long."""
    found: dict[str, bool] = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                marks = " ".join(ast.unparse(mark) for mark in node.decorator_list)
                found[node.name] = found.get(node.name, False) or "mark.long" in marks
    return found


def test_every_long_test_is_listed_beside_a_quicker_one_that_exists() -> None:
    page = (ROOT / "docs" / "testing.md").read_text()
    rows = re.findall(r"^\| `(test_\w+)`(.*?)\| (.+) \|$", page, re.MULTILINE)
    known = all_tests()
    assert sorted(name for name, _, _ in rows) == sorted(name for name, is_long in known.items() if is_long)
    for name, _, less in rows:
        quicker = re.findall(r"`(test_\w+)`", less)
        assert quicker or less.startswith("the same test"), name
        assert set(quicker) <= set(known), name
