"""What can go wrong with what lasts, as sentences for whoever must act on them."""

from __future__ import annotations


class StoreError(Exception):
    """Anything the store refuses or cannot do."""


class Conflict(StoreError):
    """Somebody else was faster: the log's head or a guarded row is not what the unit expected."""


class Duplicate(StoreError):
    """A row that must be unique is already there; `table` and `columns` say which rule it broke."""

    def __init__(self, table: str, columns: tuple[str, ...]) -> None:
        super().__init__(f"{table} already has a row with this {', '.join(columns) or 'key'}")
        self.table = table
        self.columns = columns


class Refused(StoreError, ValueError):
    """The database does not take this value, whoever asks and whenever."""


class Unavailable(StoreError):
    """The database cannot be used now. Whether the unit was kept is unknown: read before trying again."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NewerDatabase(StoreError):
    """The database was written by a newer Tablée than this one."""


class NotEmpty(StoreError):
    """A backup would be restored over what is already there."""
