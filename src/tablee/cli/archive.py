"""`export` and `import`: the log of one table as a file that a person can read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from sqlalchemy import insert

from tablee.cli.running import opened, run
from tablee.cli.settings import STORE, Settings, with_settings
from tablee.cli.stopping import Stop
from tablee.clock import WallClock
from tablee.club import Club
from tablee.games import find_games
from tablee.rules import rules_of as rules_by_name
from tablee.rules.contract import Rules
from tablee.store import Append, EventRow, Query, Store, Unit, Write
from tablee.store.schema import game_table, seat
from tablee.tables.codec import Codec, Void
from tablee.tables.loading import read_info

FORMAT = 1


class SavedSeat(msgspec.Struct, frozen=True):
    """Who sat where when the log was written out."""

    seat: int
    name: str
    robot: str | None = None
    left_at: int | None = None


class SavedEvent(msgspec.Struct, frozen=True):
    """One event, with action and facts as the log has them."""

    seq: int
    at: int
    seat: int
    action: Any
    facts: Any
    request_id: str | None = None


class SavedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that can be replayed anywhere: nothing but its log and what the lobby says of it."""

    tablee: int = FORMAT
    game: str
    variant: str
    name: str
    status: str
    options: Any
    time_control: Any
    seats: list[SavedSeat]
    events: list[SavedEvent]


def rules_of(saved: SavedTable) -> Rules[Any]:
    """The rules that read this log; raises Stop if the house does not know the game."""
    try:
        return rules_by_name(saved.game, saved.variant, find_games().games)
    except KeyError:
        raise Stop(f"This house does not know the game {saved.game} ({saved.variant}).") from None


async def read_table(store: Store, table_id: int) -> SavedTable:
    """A table from the database; raises NoSuchTable."""
    info = await read_info(store, table_id)
    events = await store.events(table_id)
    return SavedTable(
        game=info.game,
        variant=info.variant,
        name=info.name,
        status=info.status,
        options=info.options,
        time_control=msgspec.to_builtins(info.time_control),
        seats=[SavedSeat(s.seat, s.name, s.robot, s.left_at) for s in info.seats],
        events=[
            SavedEvent(e.seq, e.at, e.seat, _json(e.action), _json(e.facts), e.request_id) for e in events
        ],
    )


def read_file(file: Path) -> SavedTable:
    """A table from a file; raises Stop if it is none, or does not hold together."""
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror}.") from error
    try:
        saved = msgspec.json.decode(content, type=SavedTable)
    except msgspec.MsgspecError as error:
        raise Stop(f"{file} is not an exported table: {error}.") from error
    if saved.tablee != FORMAT:
        raise Stop(f"{file} has format {saved.tablee}; this version reads format {FORMAT}.")
    check(saved, str(file))
    return saved


def check(saved: SavedTable, source: str) -> Any:
    """Read the whole log with today's rules to its last state; raises Stop where an event does not fit."""
    rules = rules_of(saved)
    codec = Codec(rules)
    state: Any = None
    for number, event in enumerate(saved.events, 1):
        if event.seq != number:
            raise Stop(f"{source}: event {number} has the sequence number {event.seq}.")
        try:
            codec.action(_text(event.action), event.seq)
            for fact in codec.facts(_text(event.facts)):
                state = rules.evolve(state, fact)
        except Exception as error:
            raise Stop(f"{source}: event {number} is none of {saved.game}: {error}.") from error
    return state


def _json(text: str) -> Any:
    return msgspec.json.decode(text)


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


@with_settings(*STORE)
def export_command(
    settings: Settings,
    table: Annotated[int, typer.Argument(help="Number of the table.", metavar="TABLE")],
    file: Annotated[Path, typer.Argument(help="File to write; - for the terminal.", metavar="FILE")] = Path(
        "-"
    ),
) -> None:
    """Write the log of a table to a file."""

    async def work() -> SavedTable:
        async with opened(settings) as store:
            return await read_table(store, table)

    saved = run(work())
    content = msgspec.json.format(msgspec.json.encode(saved), indent=1)
    if str(file) == "-":
        sys.stdout.buffer.write(content + b"\n")
    else:
        try:
            file.write_bytes(content + b"\n")
        except OSError as error:
            raise Stop(f"{file} cannot be written: {error.strerror}.") from error
        typer.echo(f"{file}: {len(saved.events)} events of “{saved.name}”.")


@with_settings(*STORE)
def import_command(
    settings: Settings,
    file: Annotated[Path, typer.Argument(help="What `export` wrote; - for standard input.", metavar="FILE")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Bring a table in from a file, under a new number. Ratings stay as they are."""
    saved = read_file(file)

    async def work() -> int:
        async with opened(settings) as store:
            return await _import(store, saved)

    table_id = run(work())
    if json:
        typer.echo(msgspec.json.encode({"table": table_id, "events": len(saved.events)}).decode())
    else:
        typer.echo(f"“{saved.name}” is table {table_id} here, with {len(saved.events)} events.")


async def _import(store: Store, saved: SavedTable) -> int:
    rules, clock = rules_of(saved), WallClock()
    bounds = rules.seats(msgspec.convert(saved.options, rules.options_type))
    final = check(saved, "The file")
    result = None if final is None else rules.result(final)
    if saved.events and saved.events[-1].action.get("do") == "void":
        result = msgspec.convert(saved.events[-1].action, Void).result
    table_id = await store.new_id("table")
    club = Club(store, clock)
    began = saved.events[0].at if saved.events else None
    ended = saved.events[-1].at if saved.events and saved.status == "over" else None
    row = {
        "id": table_id, "game": saved.game, "variant": saved.variant, "door": "import", "name": saved.name,
        "host_id": None, "access": "open", "invitation": "", "options": _text(saved.options),
        "time_control": _text(saved.time_control), "rated": False, "seats_least": bounds.least,
        "seats_most": bounds.most, "status": saved.status, "seq": 0, "created_at": clock.now(),
        "due_at": clock.now() if saved.status == "running" else None, "started_at": began,
        "ended_at": ended, "result": None if result is None else _text(result), "terms": None,
        "name_key": None, "looked_at": None, "sweep_at": None, "warned_at": None,
        "mastered": False, "anonymous": False,
    }  # fmt: skip
    writes = [Write(_TABLE, row)]
    for sitting in saved.seats:
        seated = {
            "table_id": table_id, "seat": sitting.seat, "account_id": await _account(club, saved, sitting),
            "name": sitting.name, "robot": sitting.robot, "joined_at": began or clock.now(),
            "left_at": sitting.left_at, "seen_at": None,
        }  # fmt: skip
        writes.append(Write(_SEAT, seated))
    club.close()
    events = [
        EventRow(table_id, e.seq, e.at, e.seat, _text(e.action), _text(e.facts), e.request_id)
        for e in saved.events
    ]
    await store.commit(Unit(writes=writes, appends=[Append(table_id, 0, events)] if events else []))
    return table_id


async def _account(club: Club, saved: SavedTable, sitting: SavedSeat) -> int:
    """Who sits there in this house: the member of that name, the robot, or a visitor who stands for him."""
    if sitting.robot is not None:
        return (await club.accounts.robot(saved.game, sitting.robot)).id
    known = await club.accounts.by_pseudos([sitting.name])
    if sitting.name in known:
        return known[sitting.name].id
    return (await club.accounts.create_visitor()).id


_TABLE = Query(insert(game_table))
_SEAT = Query(insert(seat))
