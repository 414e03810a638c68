"""A backup is one file of one moment, taken while everything goes on, and either database takes it back."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from tests.kit.servers import PostgresServer
from tests.kit.waiting import until
from tests.store.rows import NOTICES, Told, make_tables, move, noticing, seqs_of, table_row
from tests.store.test_migrations import ahead, migrate

from tablee.store import (
    Conflict,
    NewerDatabase,
    NotEmpty,
    Query,
    Refused,
    Store,
    Unavailable,
    Unit,
    Write,
    keep_snapshot,
    open_store,
)
from tablee.store.backup import backup, restore
from tablee.store.schema import counter, game_table, metadata, standing


@pytest.fixture(params=["sqlite", "postgresql"])
def other_url(request: pytest.FixtureRequest, tmp_path: Path, postgres_server: PostgresServer) -> str:
    """A second, empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'other.sqlite'}"
    return postgres_server.create_database()


async def test_addresses_and_hashes_are_for_no_other_user_of_the_machine(
    blank_database_url: str, tmp_path: Path
) -> None:
    store = await open_store(blank_database_url)
    file = tmp_path / "backup"
    await backup(blank_database_url, file)
    assert file.stat().st_mode & 0o777 == 0o600
    if store.kind == "sqlite":
        for path in Path(blank_database_url.removeprefix("sqlite:///")).parent.glob("*.sqlite*"):
            assert path.stat().st_mode & 0o777 == 0o600, path
    await store.close()


async def fill(store: Store) -> None:
    await make_tables(store, 1, 2)
    await store.commit(move(1, 0, 300, request=None))
    await store.commit(move(2, 0, request="é\n'\"\\"))
    rating = {
        "account_id": 5, "game": "mines", "variant": "classic", "mu": 25.1, "sigma": 25 / 3, "played": 1,
        "won": 1, "lost": 0, "drawn": 0, "points": 2**40, "version": 1, "rated": 1,
    }  # fmt: skip
    await store.commit(
        Unit(
            writes=[
                keep_snapshot(1, 256, 1, '{"état":1}'),
                noticing(1),
                Write(Query(insert(standing)), rating),
                Write(Query(insert(game_table)), table_row(3, rated=False)),
            ]
        )
    )
    await store.new_id("essai")


async def content(store: Store) -> dict[str, list[Any]]:
    """All rows but those that belong to this database alone."""
    found = {}
    for table in metadata.sorted_tables:
        rows = await store.rows(Query(select(table).order_by(*table.primary_key.columns)))
        found[table.name] = [row for row in rows if table is not counter or row.name.startswith("essai")]
    return found


async def test_a_backup_of_either_database_is_restored_into_either(
    database_url: str, other_url: str, tmp_path: Path
) -> None:
    store = await open_store(database_url)
    await fill(store)
    file = tmp_path / "sauvegarde"
    steps: list[tuple[int, int]] = []
    await backup(database_url, file, lambda done, total: steps.append((done, total)))
    expected = await content(store)
    await store.close()
    assert steps[-1][0] == steps[-1][1] > 0
    steps.clear()
    await restore(file, other_url, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1][0] == steps[-1][1] > 0
    other = await open_store(other_url)
    assert await content(other) == expected
    await other.commit(move(1, 300))
    assert await other.new_id("essai") == 101
    await other.close()
    assert [name for name in os.listdir(tmp_path) if "sauvegarde" in name] == ["sauvegarde"]


async def test_a_backup_under_fire_is_of_one_moment(database_url: str, tmp_path: Path) -> None:
    store = await open_store(database_url)
    await make_tables(store, 1, 2)
    stopped = False

    async def play_on() -> None:
        after = 0
        while not stopped:
            # Both tables move in one unit, so that a backup between the two would be seen.
            unit = move(1, after, 3)
            unit.appends += move(2, after, 3).appends
            await store.commit(unit)
            after += 3

    heard: list[object] = []
    store.bus.subscribe("table", lambda key, value: heard.append(value))
    playing = asyncio.create_task(play_on())
    await until(lambda: heard, "the first events are written")
    files = [tmp_path / f"backup-{number}" for number in range(3)]
    for file in files:
        before = len(await seqs_of(store, 1))
        await backup(database_url, file)
        opened = sqlite3.connect(file)
        heads = opened.execute("SELECT seq FROM game_table ORDER BY id").fetchall()
        counts = opened.execute("SELECT count(*) FROM event GROUP BY table_id ORDER BY table_id").fetchall()
        opened.close()
        assert heads == counts
        assert heads[0] == heads[1]
        assert heads[0][0] >= before
    stopped = True
    await playing
    await store.close()


async def test_a_backup_does_not_overwrite_a_file(store: Store, database_url: str, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("précieux")
    with pytest.raises(Refused, match="exists already"):
        await backup(database_url, tmp_path / "b")
    assert (tmp_path / "b").read_text() == "précieux"


async def test_a_backup_that_cannot_be_written_leaves_nothing(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    with pytest.raises(Unavailable, match="cannot be written"):
        await backup(database_url, tmp_path / "nowhere" / "b")


async def test_a_database_with_something_to_lose_is_not_replaced_unless_forced(
    database_url: str, tmp_path: Path
) -> None:
    store = await open_store(database_url)
    await make_tables(store, 1)
    await backup(database_url, tmp_path / "b")
    await make_tables(store, 2)
    with pytest.raises(NotEmpty, match="not empty"):
        await restore(tmp_path / "b", database_url)
    assert await seqs_of(store, 2) == []
    await store.close()
    await restore(tmp_path / "b", database_url, force=True)
    store = await open_store(database_url)
    with pytest.raises(Conflict, match="no table 2"):
        await store.commit(move(2, 0))
    await store.commit(move(1, 0))
    await store.close()


async def test_a_node_that_runs_while_a_backup_is_restored_starts_afresh(
    database_url: str, tmp_path: Path
) -> None:
    store = await open_store(database_url)
    await make_tables(store, 1)
    await store.commit(move(1, 0))
    await backup(database_url, tmp_path / "b")
    await store.commit(move(1, 1))
    numbers = [await store.new_id("essai") for _ in range(3)]
    restored: list[bool] = []
    store.on_restored(lambda: restored.append(True))
    await restore(tmp_path / "b", database_url, force=True)
    told = Told()
    store.submit(move(1, 2), told.about("stale"))
    store.submit(Unit(writes=[noticing(1)]), told.about("stale too"))
    await until(lambda: len(told.ends) == 2, "both units have ended")
    assert told.kinds == [Unavailable, Unavailable]
    assert restored == [True]
    assert await seqs_of(store, 1) == [1]
    await store.commit(move(1, 1))
    await store.commit(Unit(writes=[noticing(2)]))
    assert [row.id for row in await store.rows(NOTICES)] == [2]
    assert await store.new_id("essai") not in numbers
    await store.close()


async def test_a_backup_of_an_older_tablee_is_brought_up_to_date(tmp_path: Path) -> None:
    # The database of a Tablée that had not made its last step: an empty one has made none.
    file = tmp_path / "old"
    opened = sqlite3.connect(file)
    opened.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    opened.commit()
    opened.close()
    await restore(file, tmp_path / "tablee.sqlite")
    store = await open_store(tmp_path / "tablee.sqlite")
    assert await seqs_of(store, 1) == []
    await store.close()


async def test_a_backup_of_a_newer_tablee_is_refused(database_url: str, tmp_path: Path) -> None:
    newer = tmp_path / "newer.sqlite"
    await migrate(f"sqlite:///{newer}", ahead(tmp_path / "next", "pass"))
    with pytest.raises(NewerDatabase, match="newer Tablée"):
        await restore(newer, database_url)


@pytest.mark.parametrize("what", ["letter", "foreign", "missing"])
async def test_a_file_that_is_no_backup_is_refused(what: str, database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    if what == "letter":
        file.write_text("Chère Léa, " * 1000)
    elif what == "foreign":
        opened = sqlite3.connect(file)
        opened.execute("CREATE TABLE recettes (nom TEXT)")
        opened.commit()
        opened.close()
    with pytest.raises(Refused, match="no backup"):
        await restore(file, database_url)


async def test_an_older_database_on_a_server_is_not_backed_up_half(postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="older Tablée"):
        await backup(postgres_url, tmp_path / "b")
    assert not (tmp_path / "b").exists()
