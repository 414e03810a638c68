"""Examples of a protocol's page: fenced blocks of what is sent and received, with values that vary."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest


def examples(page: Path, kind: str) -> list[Any]:
    """Every fenced block of this kind: what follows the kind on its first line, and its lines."""
    found: list[Any] = []
    block: list[str] | None = None
    begun, asked = 0, ""
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if line.startswith("```"):
            if block is not None:
                found.append(pytest.param(asked, block, id=f"line {begun}"))
                block = None
            elif line.split(" ")[0] == f"```{kind}":
                block, begun, asked = [], number, line.removeprefix(f"```{kind}").strip()
        elif block is not None:
            block.append(line)
    return found


class Values(dict[str, str]):
    """What stands for `{name}`: the first time whatever comes, from then on the same."""

    def filled(self, text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: self[name[1]], text)

    def match(self, text: str, line: str, letters: str) -> None:
        """Fail unless the line is as the page has it; `letters` says what a value may be made of."""
        pattern = ""
        new: list[str] = []
        for part in re.split(r"(\{\w+\}|…)", text):
            name = part.strip("{}")
            if part == "…":
                pattern += ".*"
            elif not re.fullmatch(r"\{\w+\}", part):
                pattern += re.escape(part)
            elif name in self:
                pattern += re.escape(self[name])
            elif name in new:
                pattern += f"(?P={name})"
            else:
                new.append(name)
                pattern += f"(?P<{name}>{letters}*)"
        found = re.fullmatch(pattern, line)
        assert found, f"expected {text!r}, got {line!r}"
        self |= found.groupdict()
