"""Finished games looked through from beginning to end: a few at a time, with progress, kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import structlog

from tablee.club.errors import TooMany
from tablee.club.workroom import Workroom
from tablee.rules.contract import SPECTATOR
from tablee.tables.errors import NoAnalysis

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")

AT_ONCE = 1
WAITING_MOST = 20
KEPT = 500
AGAIN_IN = 30


class Reviewing:
    """How far the review of one game has come. `found` is what came of it; None until then."""

    __slots__ = ("done", "failed", "found", "of")

    def __init__(self, of: int) -> None:
        self.done = 0
        self.of = of
        self.found: Any = None
        self.failed = False

    def tell(self, done: int) -> None:
        self.done = done


class Reviews:
    """The reviews of this node: those that are done, that are being made and that wait."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._room = Workroom("reviewing", AT_ONCE)
        self._known: OrderedDict[int, Reviewing] = OrderedDict()
        self._unfinished = 0

    def of(self, table_id: int) -> Reviewing | None:
        """What is known of a game's review."""
        return self._known.get(table_id)

    async def begin(self, table_id: int) -> Reviewing:
        """Look a game through, unless that is done or under way; raises NoAnalysis, TooMany."""
        known = self._known.get(table_id)
        if known is not None and not known.failed:
            return known
        loaded = await self._tables.open(table_id)
        if not loaded.rules.is_analysed or loaded.state is None:
            raise NoAnalysis()
        if not loaded.is_over:
            raise NoAnalysis("still_played")
        if self._unfinished >= WAITING_MOST:
            raise TooMany(AGAIN_IN)
        view = loaded.view(SPECTATOR)
        begun = self._known[table_id] = Reviewing(loaded.rules.review_steps(view))
        self._unfinished += 1
        self._tables.spawn(self._make(table_id, loaded.rules, view, begun), f"review of table {table_id}")
        return begun

    async def _make(self, table_id: int, rules: Any, view: Any, begun: Reviewing) -> None:
        try:
            begun.found = await self._room.do(table_id, rules.review, view, begun.tell)
        except Exception:
            begun.failed = True
            log.exception("review_failed", table=table_id)
        finally:
            self._unfinished -= 1
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    def close(self) -> None:
        self._room.close()
