"""The shelf of a club's own arenas: descriptions in its data folder, offered as soon as they are there."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from tablee.clock import Clock, Instant
from tablee.rules.arena import ArenaRules, description_names
from tablee.rules.arena.description import Description
from tablee.rules.arena.faults import Faults
from tablee.rules.arena.loading import MOST_TEXT, read
from tablee.store.repeating import Repeating

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")

LOOK_EVERY = 3_000
NAME = re.compile(r"[^\s/\\?#%{}.][^/\\?#%{}]*")
"""What a game of a club may be called: its name is part of addresses, and of sentences."""


def is_name_for_a_club(name: str) -> bool:
    """Whether a game of a club may be called so: it fits into an address, and none of ours has it."""
    ours = {each.casefold() for each in description_names()}
    return NAME.fullmatch(name) is not None and name.casefold() not in ours


Stamp = tuple[int, int]
"""When a file was last changed, and how large it is."""


class Shelf:
    """Looks at a folder again and again, and lays out what is new, changed or gone."""

    def __init__(self, folder: Path, tables: Tables, clock: Clock) -> None:
        self.folder = folder
        self._tables = tables
        self._clock = clock
        self._read: dict[Path, tuple[Stamp, dict[str, Description]]] = {}
        self._repeating = Repeating("arenas", clock, self._turn, LOOK_EVERY)

    def start(self) -> None:
        self._repeating.start()

    async def stop(self) -> None:
        await self._repeating.stop()

    async def _turn(self) -> Instant:
        await self.read()
        return self._clock.now() + LOOK_EVERY

    async def read(self) -> None:
        """Look once. A file that cannot be read or has faults is told of in the log, once for each change."""
        stamps = await asyncio.to_thread(_stamps, self.folder)
        if stamps == {path: stamp for path, (stamp, _) in self._read.items()}:
            return
        found = {}
        for path, stamp in stamps.items():
            known = self._read.get(path)
            if known is None or known[0] != stamp:
                known = (stamp, await asyncio.to_thread(_descriptions, path, stamp))
            found[path] = known
        self._read = found
        self._tables.lay_out(self._rules())

    def _rules(self) -> list[ArenaRules]:
        """A variant a description; of two that are called alike, the one of the first file."""
        taken = {name.casefold(): "one of ours" for name in description_names()}
        rules = []
        for path, (_, games) in self._read.items():
            for name, description in games.items():
                if not NAME.fullmatch(name):
                    log.warning("arena_refused", file=path.name, game=name, why="not a name for an address")
                elif name.casefold() in taken:
                    log.warning(
                        "arena_refused", file=path.name, game=name, why=f"as {taken[name.casefold()]}"
                    )
                else:
                    taken[name.casefold()] = path.name
                    rules.append(ArenaRules(name, description))
        return rules


def _stamps(folder: Path) -> dict[Path, Stamp]:
    """The files of the folder, in order."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        try:
            info = path.stat()
        except OSError:
            continue  # taken away meanwhile
        found[path] = (info.st_mtime_ns, info.st_size)
    return found


def _descriptions(path: Path, stamp: Stamp) -> dict[str, Description]:
    """The games of a file; none where it has faults."""
    try:
        if stamp[1] > 4 * MOST_TEXT:
            raise ValueError(f"it has more than {MOST_TEXT} characters")
        games, warnings = read(path.read_text(encoding="utf-8-sig"), path.stem)
        if warnings:
            said = [warning.warned() for warning in warnings]
            log.info("arena_warnings", file=path.name, warnings=len(said), first="; ".join(said[:3]))
        return games
    except Faults as error:
        said = [fault.said("en") for fault in error.faults]
        log.warning("arena_refused", file=path.name, faults=len(said), why="; ".join(said[:3]))
    except (OSError, ValueError) as error:
        log.warning("arena_refused", file=path.name, why=str(error))
    return {}
