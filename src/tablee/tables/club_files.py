"""The files of a club that describe variants of its own, offered as soon as they are in its data folder."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from tablee.clock import Clock, Instant
from tablee.rules.contract import Rules
from tablee.store.repeating import Repeating

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")

LOOK_EVERY = 3_000
NAME = re.compile(r"[^\s/\\?#%{}.][^/\\?#%{}]*")
"""What a variant of a club may be called: its name is part of addresses, and of sentences."""
UTF8_MOST = 4
"""Bytes of one character."""


def is_name_for_a_club(name: str, ours: Iterable[str]) -> bool:
    """Whether a variant of a club may be called so: it fits into an address, and none of ours has it."""
    return NAME.fullmatch(name) is not None and name.casefold() not in {each.casefold() for each in ours}


Stamp = tuple[int, int]
"""When a file was last changed, and how large it is."""


class ClubFiles:
    """Looks again and again at a folder for each game that has such files, named like the game.

    What is new, changed or gone there is laid out.
    """

    def __init__(self, data: Path, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._folders = {data / rules.name: rules for rules in tables.always.values() if rules.file_most}
        self._read: dict[Path, tuple[Stamp, list[Rules[Any]]]] = {}
        self._repeating = Repeating("club files", clock, self._turn, LOOK_EVERY)

    def start(self) -> None:
        self._repeating.start()

    async def stop(self) -> None:
        await self._repeating.stop()

    async def _turn(self) -> Instant:
        await self.read()
        return self._clock.now() + LOOK_EVERY

    async def read(self) -> None:
        """Look once. A file that cannot be read or has faults is told of in the log, once for each change."""
        stamps = await asyncio.to_thread(_stamps, self._folders)
        if stamps == {path: stamp for path, (stamp, _) in self._read.items()}:
            return
        found = {}
        for path, stamp in stamps.items():
            known = self._read.get(path)
            if known is None or known[0] != stamp:
                rules = self._folders[path.parent]
                known = (stamp, await asyncio.to_thread(_variants, rules, path, stamp))
            found[path] = known
        self._read = found
        self._tables.lay_out(self._rules())

    def _rules(self) -> list[Rules[Any]]:
        """Of two variants of a game that are called alike, the one of the first file."""
        taken = {(game, variant.casefold()): "one of ours" for game, variant in self._tables.always}
        found = []
        for path, (_, variants) in self._read.items():
            for rules in variants:
                key = (rules.name, rules.variant.casefold())
                if not NAME.fullmatch(rules.variant):
                    _refuse(path, "not a name for an address", variant=rules.variant)
                elif key in taken:
                    _refuse(path, f"as {taken[key]}", variant=rules.variant)
                else:
                    taken[key] = path.name
                    found.append(rules)
        return found


def _refuse(path: Path, why: str, **more: str | int) -> None:
    log.warning("variant_refused", file=path.name, game=path.parent.name, why=why, **more)


def _stamps(folders: Iterable[Path]) -> dict[Path, Stamp]:
    """The files of the folders, in order."""
    found = {}
    for path in [path for folder in folders for path in sorted(folder.glob("*.json"))]:
        try:
            info = path.stat()
        except OSError:
            continue  # taken away meanwhile
        found[path] = (info.st_mtime_ns, info.st_size)
    return found


def _variants(rules: Rules[Any], path: Path, stamp: Stamp) -> list[Rules[Any]]:
    """What a file describes; nothing where it has faults."""
    try:
        if stamp[1] > UTF8_MOST * rules.file_most:
            raise ValueError(f"it has more than {rules.file_most} characters")
        variants, aside = rules.described(path.read_text(encoding="utf-8-sig"), path.stem)
    except (OSError, ValueError) as error:
        faults = str(error).splitlines()
        _refuse(path, "; ".join(faults[:3]), faults=len(faults))
        return []
    if aside:
        log.info("variant_warnings", file=path.name, warnings=len(aside), first="; ".join(aside[:3]))
    return variants
