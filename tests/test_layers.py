"""Imports go one way: rules ← store ← club ← tables ← tournaments ← doors ← app ← cli."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablee.rules import GAMES

SOURCE = Path(__file__).parent.parent / "src" / "tablee"

LEAVES = {"breath", "clock", "config", "skill", "tasks"}
LAYERS: dict[str, set[str]] = {
    "breath": set(),
    "clock": set(),
    "config": set(),
    "skill": set(),
    "tasks": set(),
    "logs": {"config"},
    "watchdog": set(),
    "metrics": {"clock", "watchdog"},
    "terminal": set(),
    "wire": {"clock", "tasks"},
    "rules": set(),
    "games": {"rules"},
    "atlas": {"rules"},
    "engines": {"rules"},
    "store": {"rules", *LEAVES},
    "club": {"store", "rules", *LEAVES},
    "tables": {"club", "store", "rules", *LEAVES},
    "tournaments": {"tables", "club", "store", "rules", *LEAVES},
    "doors": {"atlas", "tournaments", "tables", "club", "store", "rules", "wire", *LEAVES},
    "first_start": {"club", *LEAVES},
    "demo": {"tables", "club", "store", "rules", *LEAVES},
    "app": {
        "games",
        "doors",
        "tournaments",
        "tables",
        "club",
        "store",
        "rules",
        "engines",
        "first_start",
        "demo",
        "logs",
        "metrics",
        "wire",
        *LEAVES,
    },
    "cli": {
        "atlas",
        "app",
        "games",
        "doors",
        "tournaments",
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

KNOWS_NO_GAME = {"tournaments", "tables", "club", "store", "wire"}
"""They know games by their contract alone."""
INSIDE = {
    "live", "happened", "record", "pending", "submission", "codec", "audience", "LoadedTable", "Happened",
    "Outcome", "Beside", "Submission", "Record",
}  # fmt: skip
"""Where the state, the raw facts and the log are: nothing of it leaves `tables`."""
OF_EVERY_GAME = {"contract", "calendar", "words"}
"""Modules of `rules` that belong to no game."""
PLAIN_WORDS = {"robots"}
"""A game's name that is a word for something else too: players who are programs."""


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
            if layer in KNOWS_NO_GAME and wanted[0] in games():
                found.append(f"{module} imports {name}: {layer} knows no game")
            continue
        other = wanted[1] if len(wanted) > 1 else ""
        if layer not in LAYERS or (other and other not in LAYERS and (SOURCE / other).exists()):
            found.append(f"{module} imports {name}: say in LAYERS where it belongs")
        elif other == layer:
            if layer == "doors" and len(parts) > 2 and len(wanted) > 2 and wanted[2] != parts[2]:
                found.append(f"{module} imports {name}: a door never imports another door")
        elif other in LAYERS and other not in LAYERS[layer]:
            found.append(f"{module} imports {name}: {layer} stands below {other}")
        elif layer in KNOWS_NO_GAME and other == "rules" and is_of_a_game(wanted[2:]):
            found.append(f"{module} imports {name}: {layer} knows no game")
        elif _is_shared_web(parts) and other == "rules" and is_of_a_game(wanted[2:]):
            found.append(f"{module} imports {name}: what belongs to one game is in doors/web/games")
        elif layer == "doors" and looks_inside(other, wanted[2:]):
            found.append(f"{module} imports {name}: a chair is all that a door gets of a table")
        elif layer == "doors" and wanted[1:3] == ["store", "schema"]:
            found.append(f"{module} imports {name}: what a door asks the database is asked in club or tables")
    return found


def _is_shared_web(parts: list[str]) -> bool:
    """Whether a module of the web door serves every game."""
    return parts[1:3] == ["doors", "web"] and parts[3:4] != ["games"]


def looks_inside(layer: str, inside: list[str]) -> bool:
    """Whether this is what a table keeps to itself, or the state of a game."""
    if layer == "tables":
        return not INSIDE.isdisjoint(inside)
    return layer == "rules" and inside[-1:] != [] and (inside[-1].endswith("State") or "evolve" in inside)


def is_of_a_game(inside: list[str]) -> bool:
    """Whether a module, or a name in the package itself, belongs to one of the games."""
    if not inside or inside[0] in OF_EVERY_GAME:
        return False
    place = SOURCE / "rules" / inside[0]
    return place.exists() or place.with_suffix(".py").exists()


def games() -> set[str]:
    return {game for game, _ in GAMES}


def game_names() -> set[str]:
    """What games are called, in the code and in every language, in small letters."""
    called = {rules.words(language)["name"] for rules in GAMES.values() for language in ("fr", "en")}
    return {name.casefold() for name in games() | called} - PLAIN_WORDS


def names_in(text: str) -> list[str]:
    """The games that a text names, as whole words."""
    folded = text.casefold()
    return sorted(name for name in game_names() if re.search(rf"\b{re.escape(name)}\b", folded))


def named_exactly(code: str) -> list[str]:
    """The texts of a program that are a variant's name and nothing else."""
    variants = {variant for _, variant in GAMES}
    texts = [node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)]
    return sorted({text for text in texts if isinstance(text, str) and text in variants})


def modules() -> Iterator[tuple[str, str]]:
    """Name and code of every module of the house. A package's `__init__` counts as a module in it."""
    for path in sorted(SOURCE.rglob("*.py")):
        yield ".".join(["tablee", *path.relative_to(SOURCE).with_suffix("").parts]), path.read_text()


def test_every_import_goes_the_one_way() -> None:
    found = [breach for name, code in modules() for breach in breaches(code, name)]
    assert found == []


def test_no_game_is_named_where_every_game_is_played() -> None:
    found = []
    for folder in sorted(KNOWS_NO_GAME):
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix in (".py", ".toml"):
                text = path.read_text()
                names = names_in(text) + (named_exactly(text) if path.suffix == ".py" else [])
                found += [f"{path.relative_to(SOURCE)} names {name}" for name in names]
    assert found == []


def test_the_name_of_a_game_is_found_in_code_and_in_sentences() -> None:
    assert names_in('if info.game == "chess":') == ["chess"]
    assert names_in("A game of Diplomacy.") == ["diplomacy"]
    assert names_in('fr = "Seules les parties d’échecs s’analysent."') == ["échecs"]
    assert names_in("self.robots = Robots(self, pace)  # determines") == []
    assert named_exactly('x = "classic"\ny = "a classic"') == ["classic"]


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("tablee.rules.mines.board", "from tablee.clock import Clock"),
        ("tablee.rules.mines.board", "import time"),
        ("tablee.rules.mines.board", "def f():\n    from random import Random\n    import asyncio"),
        ("tablee.store.store", "from tablee.club import Club"),
        ("tablee.store.store", "from ..club.accounts import Accounts"),
        ("tablee.club.accounts", "import tablee.tables.loaded"),
        ("tablee.tables.loaded", "def late():\n    from tablee.doors.web import house"),
        ("tablee.doors.web.house", "from tablee.doors.minehive import messages"),
        ("tablee.doors.web.house", "from ..minehive.messages import Regi"),
        ("tablee.doors.web.house", "from tablee.app import App"),
        ("tablee.doors.web.hub", "from tablee.tables import LoadedTable"),
        ("tablee.doors.afjd.house", "from tablee.tables.happened import Happened"),
        ("tablee.doors.afjd.house", "from tablee.rules.diplomacy.game import DiplomacyState"),
        ("tablee.doors.afjd.house", "from tablee.rules.diplomacy.evolution import evolve"),
        ("tablee.tables.roles", "from tablee.rules.diplomacy.game import DiplomacyState"),
        ("tablee.tables.roles", "from tablee.rules import chess"),
        ("tablee.tables.engines", "import chess.engine"),
        ("tablee.club.ratings", "from ..rules.mines import MinesRules"),
        ("tablee.doors.web.hub", "from tablee.store.schema import presence"),
        ("tablee.doors.dr2d.race", "from tablee.tables.loaded import LoadedTable"),
        ("tablee.doors.dr2d.race", "from tablee.tables import Happened"),
        ("tablee.doors.web.routes.tables", "from tablee.rules.chess import ChessRules"),
        ("tablee.doors.web.hub", "from tablee.store import schema"),
        ("tablee.tables.hall", "from tablee.tournaments import Tournaments"),
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
        ("tablee.doors.web.house", "from .hub import Hub\nfrom tablee.tables import Chair, Tables"),
        ("tablee.doors.afjd.house", "from tablee.rules.diplomacy.views import DiplomacyView"),
        ("tablee.cli.play", "from tablee.terminal.minehive import play"),
        (
            "tablee.tables.hall",
            "from tablee.rules import Games, rules_of\nfrom tablee.rules.calendar import UTC",
        ),
        ("tablee.doors.web.house", "from tablee.tournaments import Tournaments"),
        ("tablee.store.__init__", "from . import schema\nfrom .store import Store"),
    ],
)
def test_an_import_of_a_lower_layer_is_no_breach(module: str, code: str) -> None:
    assert breaches(code, module) == []
