"""Imports go one way: rules ← store ← club ← tables ← doors ← app ← cli."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "tablee"

LEAVES = {"clock", "config", "tasks"}
LAYERS: dict[str, set[str]] = {
    "clock": set(),
    "config": set(),
    "tasks": set(),
    "logs": {"config"},
    "watchdog": set(),
    "metrics": {"clock", "watchdog"},
    "terminal": set(),
    "wire": {"clock", "tasks"},
    "rules": set(),
    "games": {"rules"},
    "store": {"rules", *LEAVES},
    "club": {"store", "rules", *LEAVES},
    "tables": {"club", "store", "rules", *LEAVES},
    "doors": {"tables", "club", "store", "rules", "wire", *LEAVES},
    "first_start": {"club", *LEAVES},
    "demo": {"tables", "club", "store", "rules", *LEAVES},
    "app": {
        "games",
        "doors",
        "tables",
        "club",
        "store",
        "rules",
        "first_start",
        "demo",
        "logs",
        "metrics",
        "wire",
        *LEAVES,
    },
    "cli": {
        "app",
        "games",
        "doors",
        "tables",
        "club",
        "store",
        "rules",
        "first_start",
        "logs",
        "metrics",
        "terminal",
        *LEAVES,
    },
    "__main__": {"cli"},
}
IMPURE = {
    "asyncio", "datetime", "http", "logging", "multiprocessing", "os", "requests", "secrets", "selectors",
    "socket", "sqlite3", "sqlalchemy", "ssl", "starlette", "structlog", "subprocess", "threading", "time",
    "urllib", "uvloop",
}  # fmt: skip
"""Clock, network, database, chance of one's own: rules import none of it."""


def imports(code: str, module: str) -> Iterator[str]:
    """Every module that this code imports, wherever in it, relative ones resolved."""
    package = module.split(".")
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level] if node.level else []
            name = ".".join([*start, *(node.module.split(".") if node.module else [])])
            yield from (f"{name}.{alias.name}" for alias in node.names)


def breaches(code: str, module: str) -> list[str]:
    """Sentences on every import of `module` that the layers forbid."""
    parts = module.split(".")
    layer = parts[1] if len(parts) > 1 else ""
    found = []
    for name in imports(code, module):
        wanted = name.split(".")
        if wanted[0] != "tablee":
            if layer == "rules" and wanted[0] in IMPURE:
                found.append(f"{module} imports {name}: rules are pure")
            continue
        other = wanted[1] if len(wanted) > 1 else ""
        if layer not in LAYERS or (other and other not in LAYERS and (SOURCE / other).exists()):
            found.append(f"{module} imports {name}: say in LAYERS where it belongs")
        elif other == layer:
            if layer == "doors" and len(parts) > 2 and len(wanted) > 2 and wanted[2] != parts[2]:
                found.append(f"{module} imports {name}: a door never imports another door")
        elif other in LAYERS and other not in LAYERS[layer]:
            found.append(f"{module} imports {name}: {layer} stands below {other}")
    return found


def modules() -> Iterator[tuple[str, str]]:
    """Name and code of every module of the house. A package's `__init__` counts as a module in it."""
    for path in sorted(SOURCE.rglob("*.py")):
        yield ".".join(["tablee", *path.relative_to(SOURCE).with_suffix("").parts]), path.read_text()


def test_every_import_goes_the_one_way() -> None:
    found = [breach for name, code in modules() for breach in breaches(code, name)]
    assert found == []


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("tablee.rules.mines.board", "from tablee.clock import Clock"),
        ("tablee.rules.mines.board", "import time"),
        ("tablee.rules.mines.board", "def f():\n    from random import Random\n    import asyncio"),
        ("tablee.store.store", "from tablee.club import Club"),
        ("tablee.store.store", "from ..club.accounts import Accounts"),
        ("tablee.club.accounts", "import tablee.tables.live"),
        ("tablee.tables.live", "def late():\n    from tablee.doors.web import house"),
        ("tablee.doors.web.house", "from tablee.doors.minehive import messages"),
        ("tablee.doors.web.house", "from ..minehive.messages import Regi"),
        ("tablee.doors.web.house", "from tablee.app import App"),
        ("tablee.app", "from tablee.cli import main"),
        ("tablee.terminal.minehive.play", "from tablee.rules.mines import board"),
        ("tablee.terminal.minehive.play", "from tablee.doors.minehive import messages"),
    ],
)
def test_a_breach_of_the_layers_is_found(module: str, code: str) -> None:
    assert len(breaches(code, module)) == 1


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("tablee.rules.mines.board", "from random import Random\nfrom ..contract import Rules"),
        ("tablee.doors.web.house", "from .hub import Hub\nfrom tablee.tables import Tables"),
        ("tablee.cli.play", "from tablee.terminal.minehive import play"),
        ("tablee.store.__init__", "from . import schema\nfrom .store import Store"),
    ],
)
def test_an_import_of_a_lower_layer_is_no_breach(module: str, code: str) -> None:
    assert breaches(code, module) == []
