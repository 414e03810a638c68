"""What a loaded table needs of the house around it."""

from __future__ import annotations

from collections.abc import Awaitable
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from tablee.clock import Clock
from tablee.rules.contract import Result
from tablee.store import Store
from tablee.tables.happened import Happened
from tablee.tables.info import HouseTable
from tablee.tables.submission import Ending

if TYPE_CHECKING:
    from tablee.tables.loaded import LoadedTable


class Surroundings(Protocol):
    """What is around a loaded table; `Tables` is it."""

    store: Store
    clock: Clock
    rng: Random

    def to_send(self, loaded: LoadedTable) -> None:
        """Call `send` at the end of this round of the loop."""
        ...

    def to_tell(self, loaded: LoadedTable) -> None:
        """Call `tell` at the end of this round of the loop."""
        ...

    def after_news(self, loaded: LoadedTable) -> None:
        """The state has changed: clocks and robots must know."""
        ...

    def end_of(self, loaded: LoadedTable, happened: Happened, result: Result) -> Awaitable[Ending]:
        """What the end of the game means to the players."""
        ...

    def read_info(self, table_id: int) -> Awaitable[HouseTable]: ...

    def spawn(self, work: Any, name: str) -> object:
        """Run a coroutine on the side."""
        ...
