"""An offer to play: as it is kept, told on the bus, and noticed."""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.clock import Instant
from tablee.rules.contract import Json
from tablee.store import Hint, Row
from tablee.tables.clocks import TimeControl, read_time_control


class Challenge(msgspec.Struct, frozen=True):
    """An offer to play; `table_id` is what came of it."""

    id: int
    from_id: int
    to_id: int
    rematch_of: int | None
    game: str
    variant: str
    options: Json
    time_control: TimeControl
    rated: bool
    at: Instant
    expires_at: Instant
    status: str
    table_id: int | None


def slot_of(from_id: int, to_id: int) -> str:
    return f"{from_id}:{to_id}"


def notice_kind(asked: Challenge) -> str:
    return "challenge" if asked.rematch_of is None else "rematch"


def notice_about(asked: Challenge, name: str, by: int | None = None) -> dict[str, Any]:
    """What a notice says."""
    about: dict[str, Any] = {"from_id": asked.from_id if by is None else by, "from": name}
    about |= {"challenge": asked.id, "game": asked.game, "variant": asked.variant}
    return about if asked.rematch_of is None else about | {"of": asked.rematch_of}


def challenge_hint(account_id: int, what: str, challenge_id: int) -> Hint:
    return Hint("challenge", account_id, f"{what}:{challenge_id}")


def row_of(made: Challenge, slot: str) -> dict[str, Any]:
    row = msgspec.structs.asdict(made)
    row["options"] = msgspec.json.encode(made.options).decode()
    row["time_control"] = msgspec.json.encode(made.time_control).decode()
    return row | {"slot": slot, "ended_at": None if made.status == "open" else made.at}


def challenge_of(row: Row) -> Challenge:
    return Challenge(
        id=row.id,
        from_id=row.from_id,
        to_id=row.to_id,
        rematch_of=row.rematch_of,
        game=row.game,
        variant=row.variant,
        options=msgspec.json.decode(row.options),
        time_control=read_time_control(row.time_control),
        rated=bool(row.rated),
        at=row.at,
        expires_at=row.expires_at,
        status=row.status,
        table_id=row.table_id,
    )
