"""A statement of SQLAlchemy Core, compiled once for each database and then only bound."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Boolean, CompoundSelect, Delete, Insert, Select, Table, Update
from sqlalchemy.dialects.postgresql import asyncpg as postgresql_dialect
from sqlalchemy.dialects.postgresql import insert as insert_with_conflict
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.sql.compiler import SQLCompiler

if TYPE_CHECKING:

    class Row(tuple[Any, ...]):
        """A row as a named tuple: `row.pseudo`, `row[0]`, `for value in row`."""

        def __getattr__(self, name: str) -> Any: ...
        def _asdict(self) -> dict[str, Any]: ...
else:
    Row = tuple

Statement = Select[*tuple[Any, ...]] | CompoundSelect[*tuple[Any, ...]] | Insert | Update | Delete


class Query:
    """A select, insert, update or delete with named parameters, ready for both databases.

    `column.in_(bindparam("ids", expanding=True))` takes a list.
    """

    __slots__ = ("_makers", "_postgresql", "_sqlite", "reads", "statement")

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.reads = isinstance(statement, Select | CompoundSelect)
        # Made at the first use: a house has hundreds of queries, and most commands need few of them.
        self._makers: _Makers | None = None
        self._sqlite: _Compiled | None = None
        self._postgresql: _Compiled | None = None

    def for_sqlite(self, params: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """The SQL and the named parameters for `sqlite3`."""
        compiled = self._sqlite
        if compiled is None:
            compiled = self._sqlite = _Compiled(self.statement, SQLITE)
        if compiled.expands:
            sql, _, params = compiled.expand(params)
            return sql, params
        if compiled.constants:
            params = {**compiled.constants, **params}
        return compiled.sql, params

    def for_postgresql(self, params: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """The SQL and the positional parameters for `asyncpg`. Raises Refused where one is missing."""
        compiled = self._postgresql
        if compiled is None:
            compiled = self._postgresql = _Compiled(self.statement, POSTGRESQL)
        sql, names = compiled.sql, compiled.names
        if compiled.expands:
            sql, names, params = compiled.expand(params)
        elif compiled.constants:
            params = {**compiled.constants, **params}
        return sql, [params[name] for name in names]

    @property
    def returns(self) -> bool:
        """Whether it gives rows."""
        return (self._makers or self._make()).returns

    def rows_of_sqlite(self, found: Iterable[Sequence[Any]]) -> list[Row]:
        return (self._makers or self._make()).of_sqlite(found)

    def rows_of_postgresql(self, found: Iterable[Sequence[Any]]) -> list[Row]:
        return (self._makers or self._make()).of_postgresql(found)

    def _make(self) -> _Makers:
        columns = self.statement.exported_columns.items()
        self._makers = _row_makers([(str(key), isinstance(column.type, Boolean)) for key, column in columns])
        return self._makers


def upsert(
    table: Table,
    *,
    change: Sequence[str] | None = None,
    where: Callable[[Any], Any] | None = None,
    key: Sequence[str] | None = None,
    become: Callable[[Any], Mapping[str, Any]] | None = None,
) -> Insert:
    """Insert a row, or change the columns named (all but the key unless told) of the one with its key.

    `where` gets the row that was offered and says whether the one that is there gives way; `become` says what
    its columns become, where that is not simply what was offered.
    """
    keys = list(key) if key is not None else [column.name for column in table.primary_key]
    names = change if change is not None else [c.name for c in table.columns if c.name not in keys]
    statement = insert_with_conflict(table)
    offered = statement.excluded
    if not names:
        return statement.on_conflict_do_nothing(index_elements=keys)
    return statement.on_conflict_do_update(
        index_elements=keys,
        set_={name: offered[name] for name in names} if become is None else dict(become(offered)),
        where=None if where is None else where(offered),
    )


SQLITE = sqlite_dialect(paramstyle="named")
POSTGRESQL = postgresql_dialect.dialect()  # type: ignore[no-untyped-call]


class _Compiled:
    """The text of a statement for one database, and where its parameters go."""

    def __init__(self, statement: Statement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        assert isinstance(compiled, SQLCompiler)
        self.sql = str(compiled)
        self.names: Sequence[str] = compiled.positiontup or ()
        self.constants: dict[str, Any] = {
            name: bind.value for name, bind in compiled.binds.items() if not bind.required
        }
        self.expands = [bind.key for bind in compiled.post_compile_params]
        self._compiled = compiled
        self._expanded: dict[tuple[int, ...], tuple[str, Sequence[str], Mapping[str, list[str]]]] = {}

    def expand(self, params: Mapping[str, Any]) -> tuple[str, Sequence[str], dict[str, Any]]:
        """The statement with one place for each member of the lists, remembered by their lengths."""
        values = {**self.constants, **params}
        lengths = tuple(len(values[name]) for name in self.expands)
        known = self._expanded.get(lengths)
        if known is None:
            state = self._compiled.construct_expanded_state(values)
            known = (state.statement, state.positiontup or (), state.parameter_expansion)
            if len(self._expanded) < 1000:
                self._expanded[lengths] = known
        sql, names, expansion = known
        for name, places in expansion.items():
            values.update(zip(places, values.pop(name), strict=True))
        return sql, names, values


_Maker = Callable[[Iterable[Sequence[Any]]], list[Row]]


class _Makers(NamedTuple):
    returns: bool
    of_sqlite: _Maker
    of_postgresql: _Maker


def _row_makers(columns: list[tuple[str, bool]]) -> _Makers:
    kind = namedtuple("Row", [name for name, _ in columns], rename=True)  # type: ignore[misc]
    make: Callable[[Iterable[Any]], Row] = kind._make  # type: ignore[assignment]
    truths = [place for place, (_, is_truth) in enumerate(columns) if is_truth]

    def plain(found: Iterable[Sequence[Any]]) -> list[Row]:
        return [make(row) for row in found]

    def with_truths(found: Iterable[Sequence[Any]]) -> list[Row]:
        made = []
        for row in found:  # SQLite keeps truth as 0 and 1
            values = list(row)
            for place in truths:
                if values[place] is not None:
                    values[place] = bool(values[place])
            made.append(make(values))
        return made

    return _Makers(bool(columns), with_truths if truths else plain, plain)
