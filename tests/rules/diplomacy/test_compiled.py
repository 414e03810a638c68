"""The optional compiled build: what it names is there, and it leaves nothing beside the sources."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_module_that_is_to_be_compiled_exists() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    hook = build["targets"]["wheel"]["hooks"]["mypyc"]
    assert hook["enable-by-default"] is False
    assert hook["include"]
    for path in hook["include"]:
        assert (ROOT / path.lstrip("/")).is_file(), path


def test_no_library_hides_a_source() -> None:
    assert not [*(ROOT / "src").rglob("*.so"), *(ROOT / "src").rglob("*.pyd")]
