"""The services' secret: made once, the same on every node, in a file of each."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kit.afjd import open_house

from tablee.doors.afjd.secret import FILE, renew_secret, shared_secret
from tablee.store import open_store


async def test_nodes_that_share_a_database_share_the_secret(database_url: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    async with open_house(database_url, first) as house, open_house(database_url, second) as other:
        assert house.door.secret == other.door.secret
        assert len(house.door.secret) >= 32
        body = {"user_name": "Lea", "password": "p"}
        headers = {"ServiceSecret": (first / FILE).read_text().strip()}
        added = await other.http.post(other.at("users", "/add"), json=body, headers=headers)
        assert added.status_code == 201
    for folder in (first, second):
        assert (folder / FILE).stat().st_mode & 0o777 == 0o600
    assert (first / FILE).read_text() == (second / FILE).read_text()
    assert sorted(path.name for path in second.iterdir() if "secret" in path.name) == [FILE]


async def test_a_secret_from_before_is_kept_and_another_nodes_own_is_set_aside(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, secret in ((first, "ancien"), (second, "autre")):
        folder.mkdir()
        (folder / FILE).write_text(f"{secret}\n")
    store = await open_store(f"sqlite:///{tmp_path / 't'}")
    try:
        assert await shared_secret(store, first) == "ancien"
        assert await shared_secret(store, second) == "ancien"
        assert (second / FILE).read_text() == "ancien\n"
        assert (second / f"{FILE}.old").read_text() == "autre\n"
        (second / FILE).write_text("")  # a disk that was full
        assert await shared_secret(store, second) == "ancien"
        assert (second / f"{FILE}.old").read_text() == "autre\n"
        (first / FILE).unlink()
        assert await shared_secret(store, first) == "ancien"
        (first / FILE).write_bytes(b"\xff")
        with pytest.raises(OSError, match="plain text"):
            await shared_secret(store, first)
    finally:
        await store.close()


async def test_a_new_secret_is_taken_over_at_the_next_start(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path / 't'}")
    try:
        before = await shared_secret(store, tmp_path)
        made = await renew_secret(store)
        assert made != before
        assert await shared_secret(store, tmp_path) == made
        assert (tmp_path / f"{FILE}.old").read_text() == f"{before}\n"
    finally:
        await store.close()


async def test_an_administrator_renews_the_secret_from_the_shell(tmp_path: Path) -> None:
    await (await open_store(f"sqlite:///{tmp_path / 'tablee.sqlite'}")).close()
    command = [sys.executable, "-m", "tablee", "admin", "renew-service-secret", "--data", str(tmp_path)]

    def said(*more: str) -> str:
        return subprocess.run([*command, *more], capture_output=True, check=True, text=True).stdout

    told, plain = await asyncio.to_thread(said, "--json"), await asyncio.to_thread(said)
    assert len(json.loads(told)["service_secret"]) >= 32
    assert plain.startswith("ServiceSecret: ")
    assert json.loads(told)["service_secret"] not in plain
