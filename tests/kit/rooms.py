"""A house in this process: its store, its club and its tables. A door's tests add their door."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Self

from argon2 import PasswordHasher

from tablee.clock import Clock
from tablee.club import Club
from tablee.club.limits import Bucket
from tablee.club.outside import Outside
from tablee.club.passwords import Passwords
from tablee.rules import GAMES
from tablee.rules.contract import Rules
from tablee.store import Store, open_store
from tablee.store.migrate import migrate_sqlite
from tablee.store.nodes import Arrival
from tablee.store.sqlite_file import open_to_write
from tablee.tables import Tables

PASSWORD = "un bon mot de passe"
PLENTY = {
    name: Bucket(1_000_000, 60)
    for name in (
        *("sign_up", "visitor", "mail_code", "recover", "code_try"),
        *("friend_request", "challenge", "say", "webhook", "follow", "follow_key"),
    )
}
"""What a club allows whom nobody hurries."""


def cheap_passwords(workers: int = 1) -> Passwords:
    """Real argon2 with the least work, so that tests do not wait for it."""
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1), workers=workers)


class Rooms:
    """What is behind every door. A door's house makes its door, opens it and closes it."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        data: Path | None = None,
        *,
        seed: int = 1,
        games: Mapping[tuple[str, str], Rules[Any]] = GAMES,
        limits: Mapping[str, Bucket] = PLENTY,
        name: str = "Tablée",
        outside: Outside | None = None,
        **choices: Any,
    ) -> None:
        self.store = store
        self.clock = clock
        self.data = data
        self.club = Club(
            store, clock, name=name, passwords=cheap_passwords(), limits=dict(limits), outside=outside
        )
        self.tables = Tables(store, self.club, clock, Random(seed), dict(games), **choices)
        self.closed = False

    @classmethod
    async def open(
        cls,
        database: str | Path,
        clock: Clock,
        data: Path | None = None,
        *,
        redis: str | None = None,
        arrival: Arrival | None = None,
        **choices: Any,
    ) -> Self:
        """Open it on a database, which is furnished with our tables if it is a file that is not there yet."""
        store = await open_store(furnished(database), redis=redis)
        house = cls(store, clock, data, **choices)
        await house.tables.start(arrival)
        await house.open_door()
        return house

    async def close(self) -> None:
        self.closed = True
        await self.close_door()
        await self.tables.stop()
        await self.club.announcer.stop()
        self.club.close()
        await self.store.close()

    async def open_door(self) -> None:
        """Let people in: a house of a door's does."""

    async def close_door(self) -> None:
        """Let nobody in any more."""


@cache
def _pattern() -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    folder = tempfile.TemporaryDirectory(prefix="tablee-pattern-")
    pattern = Path(folder.name) / "tablee.sqlite"
    migrate_sqlite(pattern)
    open_to_write(pattern).close()  # it is in the mode of the house then, and so is every copy
    return pattern, folder


def sqlite_pattern() -> Path:
    """A file with our tables and nothing in them, to be copied: making them is most of opening a store."""
    return _pattern()[0]


def furnished(database: str | Path) -> str | Path:
    """The same database; a SQLite file that is not there yet is made, with our tables."""
    file = Path(str(database).removeprefix("sqlite:///"))
    is_file = isinstance(database, Path) or database.startswith("sqlite:///")
    if is_file and not file.exists():
        shutil.copyfile(sqlite_pattern(), file)
    return database
