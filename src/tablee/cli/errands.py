"""What waits in the outbox, listed and tried again: the same for letters and for push messages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
import typer

from tablee.cli.running import opened, run
from tablee.cli.settings import Settings
from tablee.cli.stopping import Stop
from tablee.clock import WallClock
from tablee.store import Conflict, Unit
from tablee.store.outbox import retry_write, unfinished

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def print_waiting(settings: Settings, kind: str, json: bool) -> None:
    """List the errands of a kind that are not done: when each is tried next, how often it was, and why."""

    async def work() -> list[dict[str, Any]]:
        async with opened(settings) as store:
            return [row._asdict() for row in await unfinished(store, kind)]

    found = run(work())
    if json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    for row in found:
        due = row["due_at"]
        when = (
            "given up" if due is None else f"due {datetime.fromtimestamp(due / 1000, UTC):%Y-%m-%d %H:%M} UTC"
        )
        typer.echo(f"{row['id']:>8}  {when}  tries {row['tries']}  {row['error'] or ''}".rstrip())
    if not found:
        typer.echo("Nothing waits.")


def try_again(settings: Settings, kind: str, number: int | None, missing: str) -> None:
    """Try one errand again now, or all of its kind that were given up; `missing` says that there is none."""

    async def work() -> int:
        now = WallClock().now()
        async with opened(settings) as store:
            chosen = [number]
            if number is None:
                chosen = [row.id for row in await unfinished(store, kind) if row.due_at is None]
            for each in chosen:
                try:
                    await store.commit(Unit(writes=[retry_write(int(each or 0), kind, now)]))
                except Conflict:
                    raise Stop(missing.format(number=each)) from None
            return len(chosen)

    typer.echo(f"{run(work())} to be sent again.")
