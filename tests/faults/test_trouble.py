"""The disk is full, the database is gone: clear errors, nothing told is lost, and the house mends itself."""

from __future__ import annotations

import asyncio
import resource
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.faults.crowd import Crowd
from tests.faults.ledger import audit
from tests.faults.miners import Seen
from tests.kit.process import House
from tests.kit.servers import PostgresServer
from tests.kit.talking import get
from tests.kit.waiting import until

MINERS = 10


async def live_through(
    house: House,
    url: str,
    breaks: Callable[[], object],
    mends: Callable[[], object],
    meanwhile: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """A crowd plays; something breaks and is mended; the house says so, recovers, and has lost nothing."""
    seen = Seen()
    crowd = Crowd(seen, 3, [house.minehive], miners=MINERS)
    await until(lambda: seen.joins >= MINERS and seen.clicks > 200, "the miners to click")
    await asyncio.to_thread(breaks)
    troubled: list[str] = []

    def is_in_trouble() -> bool:
        # A disk that is just full may take one more write and refuse the next: what it said once counts.
        status, said = get(house, "/readyz")
        troubled.extend([said] if status == 503 else [])
        return bool(troubled)

    await until(is_in_trouble, "the house to say that it is in trouble")
    assert troubled[0] == '{"status":"not ready"}'
    assert (await asyncio.to_thread(get, house, "/healthz"))[0] == 200
    if meanwhile is not None:
        await meanwhile()
    await asyncio.to_thread(mends)
    await until(lambda: get(house, "/readyz")[0] == 200, "the house to recover")
    ended = len(seen.finals)
    await until(lambda: len(seen.finals) > ended, "a match to be played to its end")
    await crowd.go_home()
    assert await asyncio.to_thread(house.stop) == 0
    assert await asyncio.to_thread(audit, url, seen) == []
    assert seen.squares
    log = await asyncio.to_thread(house.log.read_text)
    assert "Traceback" not in log, log[log.index("Traceback") :][:4000]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of eight megabytes."""
    place = tmp_path / "data"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m,mode=0700", "tmpfs", str(place)]
    try:
        subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this account may not mount a file system")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


async def test_a_full_disk_stops_the_house_until_there_is_room(small_disk: Path, closing: ExitStack) -> None:
    house = House(small_disk, "--no-demo")
    closing.callback(house.close)
    house.start()
    filler = small_disk / "filler"

    def fill() -> None:
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass

    await live_through(house, f"sqlite:///{small_disk}/tablee.sqlite", fill, filler.unlink)


async def test_a_file_that_may_not_grow_stops_the_house(tmp_path: Path, closing: ExitStack) -> None:
    house = House(tmp_path / "data", "--no-demo")
    closing.callback(house.close)
    house.start()
    _, hard = resource.prlimit(house.pid, resource.RLIMIT_FSIZE)
    database = house.data / "tablee.sqlite"

    def shrink() -> None:
        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (database.stat().st_size // 2, hard))

    def grow() -> None:
        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (hard, hard))

    await live_through(house, f"sqlite:///{database}", shrink, grow)


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_a_database_that_is_gone_for_a_while_stops_the_house_until_it_is_back(
    how: str, tmp_path: Path, own_postgres: PostgresServer, closing: ExitStack
) -> None:
    url = own_postgres.create_database()
    house = House(tmp_path / "data", "--database", url, "--no-demo")
    closing.callback(house.close)
    house.start()
    breaks = own_postgres.stop if how == "stopped" else own_postgres.kill

    async def meanwhile() -> None:
        status, said = await asyncio.to_thread(get, house, "/api/v1/tables")
        assert status == 503
        assert '"code":"unavailable"' in said

    await live_through(house, url, breaks, own_postgres.start, meanwhile)
