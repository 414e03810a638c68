"""The servers that the tests themselves stand on."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from tests.kit.servers import PostgresServer, ServerFolder, ValkeyServer, server_user


@pytest.fixture
def private_folder() -> Iterator[Path]:
    """A folder that nobody but us can enter, as /root is."""
    folder = Path(tempfile.mkdtemp(prefix="tablee-private-"))
    folder.chmod(0o700)
    yield folder
    shutil.rmtree(folder)


async def test_every_test_gets_an_empty_database(postgres_url: str) -> None:
    connection = await asyncpg.connect(postgres_url)
    assert await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0
    await connection.close()


async def test_a_postgresql_that_was_killed_keeps_what_was_committed(own_postgres: PostgresServer) -> None:
    url = own_postgres.create_database()
    connection = await asyncpg.connect(url)
    assert await connection.fetchval("SHOW fsync") == "on"
    await connection.execute("CREATE TABLE t (n int); INSERT INTO t VALUES (1)")
    own_postgres.kill()
    own_postgres.start()
    connection = await asyncpg.connect(url)
    assert await connection.fetchval("SELECT n FROM t") == 1
    await connection.close()


def test_valkey_answers_and_stops(valkey_server: ValkeyServer) -> None:
    with socket.create_connection(("127.0.0.1", valkey_server.port)) as connection:
        connection.sendall(b"PING\r\n")
        assert connection.recv(16) == b"+PONG\r\n"
    valkey_server.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", valkey_server.port))


def test_programs_in_a_private_folder_are_copied_to_where_the_servers_user_can_read_them(
    private_folder: Path,
) -> None:
    program = private_folder / "bin" / "answer"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 42\n")
    program.chmod(0o700)
    folder = ServerFolder(server_user())
    try:
        there = folder.programs(private_folder, ["bin"], "bin/answer")
        assert folder.run(there / "bin/answer").strip() == "42"
        assert (there == private_folder) == (os.geteuid() != 0)
    finally:
        folder.remove()


def test_a_private_temporary_folder_is_passed_over_for_one_that_the_servers_user_can_reach(
    private_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(private_folder))
    folder = ServerFolder(server_user())
    try:
        assert folder.run("pwd").strip() == str(folder.path.resolve())
    finally:
        folder.remove()


def test_closing_a_server_leaves_nothing_behind() -> None:
    server = ValkeyServer()
    server.start()
    folder = server._folder.path
    server.close()
    assert not folder.exists()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port))
