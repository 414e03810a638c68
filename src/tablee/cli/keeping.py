"""`backup` and `restore`: all that lasts, in one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress

from tablee.cli.running import run
from tablee.cli.settings import STORE, Settings, with_settings
from tablee.first_start import prepare_folder
from tablee.store import demand_house
from tablee.store.backup import backup, restore

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@with_settings(*STORE)
def backup_command(
    settings: Settings,
    file: Annotated[Path, typer.Argument(help="File to write; it must not exist.", metavar="FILE")],
    json: AsJson = False,
) -> None:
    """Write all that lasts to a file, as of one moment, while the server runs."""

    async def work(progress: Callable[[int, int], None]) -> None:
        await demand_house(settings.database_url)
        await backup(settings.database_url, file, progress)

    with _progress("backup") as progress:
        run(work(progress))
    _tell(file, "holds all of it", json)


@with_settings(*STORE)
def restore_command(
    settings: Settings,
    file: Annotated[Path, typer.Argument(help="File that `tablee backup` wrote.", metavar="FILE")],
    force: Annotated[bool, typer.Option("--force", help="Replace what the database holds already.")] = False,
    json: AsJson = False,
) -> None:
    """Bring a backup into the database of the settings, SQLite or PostgreSQL, whichever it came from."""
    if not settings.database:
        prepare_folder(Path(settings.data))
    with _progress("restore") as progress:
        run(restore(file, settings.database_url, force=force, progress=progress))
    _tell(file, "is restored", json)


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal's standard error, nothing elsewhere."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tell(file: Path, what: str, as_json: bool) -> None:
    size = file.stat().st_size
    if as_json:
        typer.echo(msgspec.json.encode({"file": str(file), "bytes": size}).decode())
    else:
        typer.echo(f"{file} {what} ({size / 1e6:.1f} MB).")
