"""Nothing acknowledged is lost, whatever happens, and the store recovers when the cause is gone."""

from __future__ import annotations

import asyncio
import os
import pwd
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.kit.servers import PostgresServer
from tests.kit.waiting import until, until_it_works
from tests.store.rows import Told, make_tables, move, seqs_of

from tablee.store import Conflict, Store, Unavailable, open_store, postgresql_server
from tablee.store.postgresql_server import connect


async def append_until_it_fails(store: Store) -> tuple[int, Unavailable]:
    """Append to table 1 until the store cannot; gives the last acknowledged number and the error."""
    acknowledged = len(await seqs_of(store, 1))
    while True:
        unit = move(1, acknowledged, 20)
        try:
            await store.commit(unit)
        except Unavailable as error:
            return acknowledged, error
        acknowledged += 20


async def assert_recovered(store: Store, acknowledged: int) -> None:
    """What was acknowledged is there, without gaps, and the log goes on."""
    await until(lambda: store.healthy() is None, "the store has recovered by itself")
    seqs = await seqs_of(store, 1)
    assert seqs == list(range(1, len(seqs) + 1))
    assert len(seqs) >= acknowledged
    await store.commit(move(1, len(seqs)))


@contextmanager
def small_files(limit: int) -> Iterator[None]:
    """Files of this process cannot grow beyond `limit` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_file_that_cannot_grow_is_a_clear_error_and_passes(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "tablee.sqlite")
    await make_tables(store, 1)
    with small_files(400_000):
        acknowledged, error = await append_until_it_fails(store)
        assert "disk" in error.reason
        assert store.healthy() == error.reason
        assert len(await seqs_of(store, 1)) >= acknowledged
        with pytest.raises(Unavailable):
            await store.commit(move(1, acknowledged, 20))
    await assert_recovered(store, acknowledged)
    await store.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of one megabyte and a half."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1536k", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("this account may not mount a file system")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


async def test_a_full_disk_is_a_clear_error_and_passes(small_disk: Path) -> None:
    store = await open_store(small_disk / "tablee.sqlite")
    await make_tables(store, 1)
    acknowledged, error = await append_until_it_fails(store)
    assert "the disk is full" in error.reason
    assert store.healthy() == error.reason
    assert len(await seqs_of(store, 1)) >= acknowledged
    make_larger = ["mount", "-o", "remount,size=20m", str(small_disk)]
    await asyncio.to_thread(lambda: subprocess.run(make_larger, check=True))
    await assert_recovered(store, acknowledged)
    await store.close()


async def test_a_file_that_is_moved_away_is_a_clear_error_and_passes_when_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "tablee.sqlite"
    store = await open_store(path)
    await make_tables(store, 1)
    await store.commit(move(1, 0))
    path.rename(tmp_path / "elsewhere")
    with pytest.raises(Unavailable, match="moved or replaced"):
        await store.commit(move(1, 1))
    path.touch()
    with pytest.raises(Unavailable, match="moved or replaced"):
        await store.commit(move(1, 1))
    assert store.healthy() is not None
    (tmp_path / "elsewhere").rename(path)
    await assert_recovered(store, 1)
    assert await seqs_of(store, 1) == [1, 2]
    await store.close()


def outcome_as_nobody(path: Path) -> str:
    """What an ordinary user is told who opens the store at this path."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(pwd.getpwnam("nobody").pw_uid)
            asyncio.run(open_store(path))
            told = "opened"
        except Unavailable as error:
            told = error.reason
        except BaseException as error:
            told = repr(error)
        os.write(writing, told.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return told


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user of the machine can enter."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_file_that_is_not_writable_is_a_clear_error(open_folder: Path) -> None:
    path = open_folder / "tablee.sqlite"
    asyncio.run(_open_and_close(path))
    path.chmod(0o444)
    assert outcome_as_nobody(path) == f"The database {path} cannot be written: Permission denied."


def test_a_folder_that_is_not_writable_is_a_clear_error(open_folder: Path) -> None:
    if os.geteuid() != 0:
        open_folder.chmod(0o555)
    path = open_folder / "data" / "tablee.sqlite"
    assert outcome_as_nobody(path) == f"The database {path} cannot be written: Permission denied."


async def _open_and_close(path: Path) -> None:
    await (await open_store(path)).close()


async def test_a_file_of_another_kind_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "tablee.sqlite"
    path.write_text("Ceci est une lettre, et non une base de données. " * 100)
    with pytest.raises(Unavailable, match="not an SQLite file"):
        await open_store(path)


async def test_a_file_that_another_program_holds_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "tablee.sqlite"
    store = await open_store(path)
    await make_tables(store, 1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    told = Told()
    store.submit(move(1, 0), told.about(1))
    await asyncio.sleep(0.1)
    assert await seqs_of(store, 1) == []
    other.execute("COMMIT")
    other.close()
    await until(lambda: told.kinds == [None], "the unit was written after all")
    await store.close()


@pytest.mark.parametrize("how", ["stop", "kill"])
async def test_a_server_that_ends_is_a_clear_error_and_passes_when_it_is_back(
    how: str, own_postgres: PostgresServer
) -> None:
    store = await open_store(own_postgres.create_database())
    await make_tables(store, 1)
    failing = asyncio.create_task(append_until_it_fails(store))
    heard: list[object] = []
    store.bus.subscribe("table", lambda key, value: heard.append(value))
    await until(lambda: heard, "the first events are written")
    await asyncio.to_thread(own_postgres.stop if how == "stop" else own_postgres.kill)
    acknowledged, error = await failing
    assert "127.0.0.1" in error.reason
    assert "essai" not in error.reason
    assert store.healthy() is not None
    told = Told()
    store.submit(move(1, acknowledged), told.about(1))
    store.submit(move(1, acknowledged + 1), told.about(2))
    await until(lambda: len(told.ends) == 2, "units fail promptly while the server is gone")
    assert told.kinds == [Unavailable, Unavailable]
    assert told.order == [1, 2]
    with pytest.raises(Unavailable):
        await store.events(1)
    await asyncio.to_thread(own_postgres.start)
    await until_it_works(lambda: store.events(1), Unavailable)
    await assert_recovered(store, acknowledged)
    await store.close()


async def test_a_server_that_does_not_answer_counts_as_gone(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await open_store(postgres_url)).close()  # a new database takes as long as it takes
    monkeypatch.setattr(postgresql_server, "COMMAND_SECONDS", 0.5)
    store = await open_store(postgres_url)
    await make_tables(store, 1)
    other = await connect(postgres_url)
    await other.execute("BEGIN")
    await other.execute("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
    with pytest.raises(Unavailable, match="does not answer"):
        await store.commit(move(1, 0))
    await other.execute("ROLLBACK")
    await other.close()
    await assert_recovered(store, 0)
    await store.close()


async def test_a_server_that_is_not_there_at_the_start_is_a_clear_error() -> None:
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:1/nulle_part"):
        await open_store("postgresql://tablee:secret@127.0.0.1:1/nulle_part")


async def test_a_server_without_the_database_is_a_clear_error(postgres_url: str) -> None:
    with pytest.raises(Unavailable, match=r"does not let us in.*nulle_part"):
        await open_store(postgres_url.rpartition("/")[0] + "/nulle_part")


async def test_no_acknowledged_event_is_lost_when_the_process_is_killed(database_url: str) -> None:
    store = await open_store(database_url)
    await make_tables(store, 1)
    rng = random.Random(7)
    acknowledged = 0
    for _ in range(4):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.store.appender", database_url, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        wanted = acknowledged + rng.randint(50, 2000)
        while acknowledged < wanted:
            acknowledged = int(await process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest = (await process.stdout.read()).splitlines(keepends=True)
        acknowledged = max([acknowledged, *(int(line) for line in rest if line.endswith(b"\n"))])
        await process.wait()
        seqs = await seqs_of(store, 1)
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) >= acknowledged
        acknowledged = len(seqs)
    await store.close()


async def test_two_nodes_that_fight_for_a_table_write_every_event_once(postgres_url: str) -> None:
    stores = [await open_store(postgres_url) for _ in range(3)]
    await make_tables(stores[0], 1, 2)

    async def play(store: Store, table_id: int, name: str) -> None:
        for number in range(40):
            while True:
                head = len(await seqs_of(store, table_id))
                try:
                    await store.commit(move(table_id, head, request=f"{name}-{number}"))
                    break
                except Conflict:
                    continue

    await asyncio.gather(*(play(store, table, f"{i}") for i, store in enumerate(stores) for table in (1, 2)))
    for table in (1, 2):
        events = await stores[0].events(table)
        assert [event.seq for event in events] == list(range(1, 121))
        assert len({event.request_id for event in events}) == 120
    for store in stores:
        await store.close()
