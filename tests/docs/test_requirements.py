"""The table of the AFJD's requirements names each of them, and a test that is there for each."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BROWSER = ROOT / "tests/browser"
TABLE = (ROOT / "docs/exigences.md").read_text()
NUMBERS = range(10, 270, 10)
ROW = re.compile(r"^\| REQ_(\d+) \|(.*)\|$", re.M)
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def written() -> dict[str, set[str]]:
    """The tests of each file of browser tests, by its path there."""
    return {
        str(file.relative_to(BROWSER)): {
            each.name for each in ast.parse(file.read_text()).body if isinstance(each, ast.FunctionDef)
        }
        for file in BROWSER.rglob("test_*.py")
    }


def test_every_requirement_has_one_row_in_order() -> None:
    assert [int(number) for number, _ in ROW.findall(TABLE)] == list(NUMBERS)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_tests_of_a_requirement_are_there_and_carry_its_number(number: int) -> None:
    cells = dict(ROW.findall(TABLE))[str(number)]
    named = NAMED.findall(cells)
    assert named
    for file, test in named:
        assert test in written()[file]
        assert test.startswith(f"test_req_{number}_")


def test_no_test_has_the_number_of_a_requirement_that_does_not_exist() -> None:
    numbers = {
        int(found[1])
        for tests in written().values()
        for test in tests
        if (found := re.match(r"test_req_(\d+)", test))
    }
    assert numbers == set(NUMBERS)
