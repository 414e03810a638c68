"""`tablee replay`: a game told again, event by event, in the game's own words."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from tablee.cli.archive import SavedTable, check, read_file, read_table, rules_of
from tablee.cli.running import opened, run
from tablee.cli.settings import STORE, Settings, with_settings
from tablee.cli.stopping import Stop
from tablee.rules.contract import MASTER, Join, Json, Replace, Seat, sentences
from tablee.tables.codec import Codec, Start
from tablee.tables.patch import plain


class Told(NamedTuple):
    """One event as a seat heard it."""

    seq: int
    at: int
    sentences: list[str]
    facts: list[Json]
    view: Json


def retell(saved: SavedTable, seat: Seat, language: str) -> Iterator[Told]:
    """Every event that tells this seat something, with the view after it."""
    rules = rules_of(saved)
    codec = Codec(rules)
    state: Any = None
    names = {sitting.seat: sitting.name for sitting in saved.seats}
    for event in saved.events:
        action = codec.action(msgspec.json.encode(event.action).decode(), event.seq)
        if isinstance(action, Start):
            names = {sitting.seat: sitting.name for sitting in action.seats}
        elif isinstance(action, Join | Replace):
            names[event.seat] = action.name
        told: list[Json] = []
        for fact in codec.facts(msgspec.json.encode(event.facts).decode()):
            before, state = state, rules.evolve(state, fact)
            heard = rules.tell(before, fact, state, seat)
            if heard is not None:
                told.append(plain(heard))
        if told:
            said = [text for heard in told for text in sentences(rules, heard, names, language)]
            yield Told(event.seq, event.at, said, told, plain(rules.view(state, seat)))


@with_settings(*STORE)
def replay_command(
    settings: Settings,
    table: Annotated[str, typer.Argument(help="A table's number, or a file of `export`.", metavar="TABLE")],
    seat: Annotated[int, typer.Option(help="Tell what this seat was told; 0 is the game master.")] = MASTER,
    language: Annotated[str, typer.Option(help="fr or en.")] = "fr",
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each event.")] = False,
    board: Annotated[bool, typer.Option("--board", help="Show the board after each event.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON object an event.")] = False,
) -> None:
    """Tell a game again, event by event, from its log."""
    if language not in ("fr", "en"):
        raise Stop(f"There are no words in {language!r}: use fr or en.", 2)
    saved = run(_from_store(settings, int(table))) if table.isdecimal() else read_file(Path(table))
    start = saved.events[0].at if saved.events else 0
    for told in retell(saved, seat, language):
        if json:
            line = {"seq": told.seq, "at": told.at, "said": told.sentences, "facts": told.facts}
            typer.echo(msgspec.json.encode(line).decode())
            continue
        typer.echo(f"{_since(told.at - start)}  {' '.join(told.sentences)}")
        if board:
            typer.echo("\n".join(_rows(told.view)))
        if step and sys.stdin.readline() == "":
            break


async def _from_store(settings: Settings, table_id: int) -> SavedTable:
    async with opened(settings) as store:
        saved = await read_table(store, table_id)
    check(saved, f"Table {table_id}")
    return saved


def _since(milliseconds: int) -> str:
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest / 1000:06.3f}"


def _rows(view: Json) -> list[str]:
    """The rows of a board, where the game's view has some."""
    rows = view.get("rows", {})
    return [f"    {' '.join(rows[key])}" for key in sorted(rows, key=int)] if isinstance(rows, dict) else []
