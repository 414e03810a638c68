"""The house as an object: opened and closed in this process."""

from __future__ import annotations

import asyncio
import sqlite3
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.kit.waiting import PATIENCE, until

from tablee.app import Node
from tablee.config import Settings
from tablee.first_start import CannotStart
from tablee.rules.arena import description_names
from tablee.rules.arena.exporting import export
from tablee.rules.arena.loading import load_ours


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        data=str(tmp_path),
        port=0,
        minehive_port=0,
        minehive_host_port=0,
        pawnhub_port=0,
        pawnhub_plain_port=0,
        dr2d_port=0,
        demo=False,
    )


@pytest.fixture
async def house(settings: Settings) -> AsyncIterator[Node]:
    house = Node(settings)
    yield house
    await house.close()


def rows(settings: Settings, sql: str) -> list[Any]:
    connection = sqlite3.connect(Path(settings.data) / "tablee.sqlite", timeout=PATIENCE)
    try:
        with connection:
            return connection.execute(sql).fetchall()
    finally:
        connection.close()


async def test_a_node_taken_for_dead_says_again_who_is_here(house: Node, settings: Settings) -> None:
    opened = await house.open()
    host, _, port = opened.doors["minehive"].rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"REGI#Ada#secret\n")
    while await reader.readline() != b"IDOK\n":
        pass
    assert await asyncio.to_thread(rows, settings, "SELECT place FROM presence") == [("minehive",)]
    # What another node does with one that it takes for dead.
    await asyncio.to_thread(rows, settings, "DELETE FROM presence")
    await asyncio.to_thread(rows, settings, "DELETE FROM node")
    await until(
        lambda: asyncio.to_thread(rows, settings, "SELECT place FROM presence"), "Ada to be here again"
    )
    writer.close()


async def test_a_house_whose_port_is_taken_closes_what_it_opened(house: Node, settings: Settings) -> None:
    other = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
    taken = other.sockets[0].getsockname()[1]
    second = Node(msgspec.structs.replace(settings, port=taken))
    with pytest.raises(CannotStart, match=str(taken)):
        await second.open()
    other.close()
    assert (await house.open()).doors.keys() == {
        "dr2d",
        "http",
        "minehive",
        "minehive_hosts",
        "pawnhub",
        "pawnhub_plain",
    }


async def test_a_house_that_is_closing_is_not_ready(house: Node) -> None:
    assert house.trouble() is not None
    await house.open()
    assert house.trouble() is None
    house.ending()
    assert house.trouble() is not None


async def test_a_house_is_closed_twice_without_harm(house: Node) -> None:
    await house.open()
    await house.close()
    await house.close()


async def test_an_arena_put_into_the_data_folder_is_offered_by_the_running_house(
    house: Node, settings: Settings
) -> None:
    opened = await house.open()

    def offered() -> set[str]:
        with urllib.request.urlopen(f"{opened.doors['http']}/api/v1/games", timeout=PATIENCE) as answer:
            games = msgspec.json.decode(answer.read())["games"]
        return {each["variant"] for each in games if each["game"] == "arena"}

    assert await asyncio.to_thread(offered) == set(description_names())
    folder = Path(settings.data) / "arena"
    folder.mkdir()
    (folder / "club.json").write_bytes(msgspec.json.encode({"Le club": export(load_ours("crossroads"))}))
    await until(lambda: asyncio.to_thread(lambda: "Le club" in offered()), "the club's arena")
    (folder / "club.json").unlink()
    await until(lambda: asyncio.to_thread(lambda: "Le club" not in offered()), "the club's arena to go")


async def test_orders_by_mail_come_in_where_an_address_is_set(settings: Settings) -> None:
    chosen = msgspec.structs.replace(
        settings, orders_address="ordres@club.example", orders_lmtp="127.0.0.1:0"
    )
    house = Node(chosen)
    opened = await house.open()
    try:
        host, _, port = opened.doors["lmtp"].rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        assert (await reader.readline()).startswith(b"220 ")
        writer.close()
    finally:
        await house.close()
