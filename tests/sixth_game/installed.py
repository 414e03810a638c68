"""The sixth game as an installed package, without installing: its folder and a `dist-info` on the path."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def dist_info(folder: Path, name: str, games: dict[str, str]) -> Path:
    """What an installer leaves beside a package: its name, its version, its entry points."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = "".join(f"{key} = {value}\n" for key, value in games.items())
    (info / "entry_points.txt").write_text(f"[tablee.games]\n{lines}")
    return info


def install(folder: Path) -> str:
    """Lay the package down in `folder` as its pyproject says; gives the PYTHONPATH that finds it."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    dist_info(folder, project["name"], project["entry-points"]["tablee.games"])
    return os.pathsep.join([str(HERE), str(folder), os.environ.get("PYTHONPATH", "")])
