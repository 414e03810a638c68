"""The package as it is installed elsewhere: the wheel carries the page, and needs no Node to be made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = "tablee/doors/web/built_page/"


def wheel_of(tree: Path, into: Path, *options: str, **environment: str) -> zipfile.ZipFile:
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--wheel-dir", str(into), *options, str(tree)),
        ],
        env={**os.environ, **environment}, check=True, timeout=600,
    )  # fmt: skip
    return zipfile.ZipFile(next(into.glob("tablee-*.whl")))


def test_the_wheel_carries_the_built_page(tmp_path: Path) -> None:
    # What makes it is installed with the tests already; the long test makes it from nothing.
    names = wheel_of(ROOT, tmp_path, "--no-build-isolation").namelist()
    assert PAGE + "index.html" in names
    assert PAGE + "build.json" in names
    assert any(name.startswith(PAGE + "assets/Board-") for name in names)
    assert not any("node_modules" in name for name in names)


@pytest.mark.long
def test_a_machine_without_node_makes_the_same_page(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    left_out = (".git", ".venv", "node_modules", "built_page*", "data", ".*_cache", "docs")
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*left_out))
    # A Node that only fails stands before the machine's own, if it has one.
    for name in ("node", "npm", "npx"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\necho this machine has no Node >&2\nexit 1\n")
        program.chmod(0o755)
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    wheel = wheel_of(tree, tmp_path / "wheels", PATH=path)
    made = (ROOT / "src" / PAGE / "index.html").read_bytes()
    assert wheel.read(PAGE + "index.html") == made
