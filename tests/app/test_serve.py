"""A real `tablee serve`: what it opens, what it says, how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.kit.prepared import ANY_PORTS
from tests.kit.process import TABLEE, House
from tests.kit.servers import PostgresServer
from tests.kit.talking import Wire, enter_match, get, post
from tests.kit.waiting import PATIENCE, wait_until

OpenHouse = Callable[..., House]


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[OpenHouse]:
    """Start houses that are certainly gone after the test."""
    houses: list[House] = []

    def start(*options: str, name: str = "data", program: list[str] | None = None) -> House:
        house = House(tmp_path / name, "--log-format", "json", *options)
        house.program = program
        houses.append(house)
        house.start()
        return house

    yield start
    for house in houses:
        house.close()


def serve(
    *options: str, ports: tuple[str, ...] = ANY_PORTS, **environment: str
) -> subprocess.CompletedProcess[str]:
    """A house that is expected not to open."""
    return subprocess.run(
        [sys.executable, "-m", "tablee", "serve", *ports, *options],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


def test_the_ports_file_names_every_door_that_is_really_open(open_house: OpenHouse) -> None:
    house = open_house("--no-demo")
    assert set(house.ports) == {"http", "minehive", "minehive_hosts", "pawnhub", "pawnhub_plain", "dr2d"}
    assert get(house, "/healthz") == (200, '{"status":"ok"}')
    for door in set(house.ports) - {"http"}:
        socket.create_connection(house.address(door), timeout=PATIENCE).close()


def test_the_output_of_the_command_names_the_host_and_every_door(open_house: OpenHouse) -> None:
    house = open_house(program=TABLEE)
    said = house.log.read_text()
    assert socket.gethostname() in said
    for address in house.ports.values():
        assert address in said
    assert house.stop() == 0


def test_a_door_that_is_off_is_not_open(open_house: OpenHouse) -> None:
    house = open_house("--no-demo", "--port", "off", "--pawnhub-port", "off", "--dr2d-port", "off")
    assert set(house.ports) == {"minehive", "minehive_hosts", "pawnhub_plain"}
    house = open_house("--no-demo", "--minehive-port", "off", "--pawnhub-plain-port", "off", name="other")
    assert set(house.ports) == {"http", "pawnhub", "dr2d"}


def test_the_hosts_port_can_be_off_alone(open_house: OpenHouse) -> None:
    house = open_house(
        "--no-demo", "--minehive-host-port", "off", "--pawnhub-port", "off", "--pawnhub-plain-port", "off"
    )
    assert set(house.ports) == {"http", "minehive", "dr2d"}
    assert Wire(house.address("minehive")).ask("REGI#Ada#secret") == "IDOK"


def test_the_first_start_makes_a_super_administrator_whose_password_is_shown_once(
    open_house: OpenHouse,
) -> None:
    house = open_house("--no-demo", "--super-administrator", "Maîtresse")
    kept = house.data / "super-administrator.txt"
    pseudo, password = kept.read_text().split()
    assert pseudo == "Maîtresse"
    assert kept.stat().st_mode & 0o077 == 0
    assert house.log.read_text().count(password) == 1
    tokens = post(house, "/api/v1/session", {"name": pseudo, "password": password})
    assert tokens["access"]
    house.stop()
    house.log.write_text("")
    house.start()
    assert password not in house.log.read_text()


def test_the_lobby_has_tables_against_robots_from_the_first_moment(open_house: OpenHouse) -> None:
    house = open_house()
    _, lobby = get(house, "/api/v1/tables")
    tables = json.loads(lobby)["tables"]
    assert len(tables) >= 2
    assert all(any(seat["robot"] for seat in table["seats"]) for table in tables)


def test_without_demo_the_lobby_is_empty(open_house: OpenHouse) -> None:
    assert json.loads(get(open_house("--no-demo"), "/api/v1/tables")[1])["tables"] == []


def test_sigterm_tells_the_clients_and_ends_with_zero(open_house: OpenHouse, tmp_path: Path) -> None:
    house = open_house("--no-demo")
    player = enter_match(house)
    client = Wire(house.address("minehive"))
    assert client.ask("REGI#Blaise#secret") == "IDOK"
    assert player.ask("CLIC#0#0").startswith("SQRD#")
    assert house.stop() == 0
    assert client.line() == "KICK"
    assert client.line() == ""
    while player.line():
        pass
    assert not (tmp_path / "data.ports").exists()
    assert house.log_lines()[-1]["event"] == "ended"


def test_what_was_played_before_the_end_is_there_after_the_next_start(open_house: OpenHouse) -> None:
    house = open_house("--no-demo")
    player = enter_match(house)
    answer = player.ask("CLIC#4#5")
    assert answer.startswith("SQRD#")
    house.stop()
    house.start()
    client = Wire(house.address("minehive"))
    assert client.ask("REGI#Blaise#secret") == "IDOK"
    assert client.ask("LSMA") == "LMNB#1"
    match = client.line()
    assert match.startswith("MATC#")
    assert "#Partie_1#" in match


def test_hosts_in_processes_of_their_own_are_played_at_and_end_with_the_house(open_house: OpenHouse) -> None:
    house = open_house("--no-demo", "--minehive-hosts", "process")
    player = enter_match(house)
    assert player.ask("CLIC#4#5").startswith("SQRD#")
    hosts = house.children()
    assert hosts
    assert house.stop() == 0
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in hosts), "the hosts to end")


def test_a_second_signal_ends_the_house_at_once(open_house: OpenHouse) -> None:
    house = open_house("--no-demo", "--patience-seconds", "60")
    host, port = house.address("http")
    # A request that never ends keeps the first signal waiting.
    slow = socket.create_connection((host, port))
    slow.sendall(b"POST /api/v1/visitors HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")
    # Who comes later is answered: so this one has been let in before the house closes.
    assert get(house, "/readyz")[0] == 200
    os.kill(house.pid, signal.SIGTERM)
    wait_until(lambda: any(line["event"] == "ending" for line in house.log_lines()), "the end to begin")
    process = house._process
    assert process is not None

    def is_over() -> bool:
        process.send_signal(signal.SIGTERM)
        return process.poll() is not None

    wait_until(is_over, "a later signal to end it")
    assert process.returncode == 130
    slow.close()


def test_a_signal_that_is_handed_on_twice_still_ends_the_house_in_order(open_house: OpenHouse) -> None:
    house = open_house("--no-demo")
    for _ in range(3):
        os.kill(house.pid, signal.SIGTERM)
    assert house.stop() == 0


def test_a_port_that_is_taken_is_named_in_a_sentence(open_house: OpenHouse, tmp_path: Path) -> None:
    house = open_house("--no-demo")
    port = str(house.address("http")[1])
    ended = serve("--port", port, "--data", str(tmp_path / "second"))
    assert ended.returncode == 3
    assert f"port {port}" in ended.stderr
    assert "Another program has this port" in ended.stderr
    assert "Traceback" not in ended.stderr
    port = str(house.address("minehive")[1])
    ended = serve("--port", "off", "--minehive-port", port, "--data", str(tmp_path / "second"))
    assert ended.returncode == 3
    assert "Another program has this port" in ended.stderr
    assert port in ended.stderr


def test_a_data_folder_that_cannot_be_written_is_named_in_a_sentence(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    ended = serve("--data", str(in_the_way / "data"))
    assert ended.returncode == 4
    assert f"The data folder {in_the_way / 'data'} cannot be written" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_database_of_a_newer_version_is_refused_in_a_sentence(open_house: OpenHouse) -> None:
    house = open_house("--no-demo")
    house.stop()
    with sqlite3.connect(house.data / "tablee.sqlite") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_from_the_future'")
    connection.close()
    ended = serve("--data", str(house.data))
    assert ended.returncode == 5
    assert "newer" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_file_that_is_no_database_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "tablee.sqlite").write_bytes(b"this is no database at all\n" * 100)
    ended = serve("--data", str(tmp_path))
    assert ended.returncode == 4
    assert "tablee.sqlite" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_database_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    url = "postgresql://tablee:s3cret-5e8a@127.0.0.1:1/tablee"
    ended = serve("--data", str(tmp_path), TABLEE_DATABASE=url)
    assert ended.returncode == 4
    assert "s3cret-5e8a" not in ended.stderr + ended.stdout
    assert "Traceback" not in ended.stderr


def test_a_wrong_setting_ends_with_two(tmp_path: Path) -> None:
    ended = serve("--data", str(tmp_path), ports=(), TABLEE_PORT="eighty")
    assert ended.returncode == 2
    assert ended.stderr.startswith("tablee: TABLEE_PORT is 'eighty'")


def test_no_password_and_no_token_reaches_the_log(open_house: OpenHouse) -> None:
    house = open_house("--no-demo", "--log-level", "debug")
    secret = "motdepasse-5e8a91"
    tokens = post(house, "/api/v1/accounts", {"pseudo": "Ada", "password": secret})
    post(house, "/api/v1/session", {"name": "Ada", "password": secret})
    with pytest.raises(urllib.error.HTTPError):
        post(house, "/api/v1/session", {"name": "Ada", "password": f"wrong-{secret}"})
    get(house, f"/api/v1/account?access_token={tokens['access']}")
    player = enter_match(house, "Blaise", secret)
    player.send(f"JOIN#Blaise#{secret}")
    player.send(f"PLIN#Partie_1#Blaise#{secret}")
    host = Wire(house.address("minehive_hosts"))
    host.send(f"LOGI#Partie_9#{secret}")
    assert host.line() == "IDNO"
    house.stop()
    log = "\n".join(line for line in house.log.read_text().splitlines() if line.startswith("{"))
    assert log
    for hidden in (secret, tokens["access"], tokens["refresh"], _minehive_secret(house)):
        assert hidden not in log


def _minehive_secret(house: House) -> str:
    return (house.data / "minehive-secret").read_text().strip()


def test_readyz_and_metrics_answer(open_house: OpenHouse) -> None:
    house = open_house("--no-demo")
    assert get(house, "/readyz") == (200, '{"status":"ready"}')
    enter_match(house)
    status, figures = get(house, "/metrics")
    assert status == 200
    assert "tablee_ready 1.0" in figures
    assert "tablee_tables 1.0" in figures
    events = [line for line in figures.splitlines() if line.startswith("tablee_events_total ")]
    assert float(events[0].split()[1]) >= 2


def test_the_house_runs_on_postgresql_with_redis(
    open_house: OpenHouse, postgres_url: str, redis_url: str
) -> None:
    options = ("--database", postgres_url, "--redis", redis_url, "--no-demo")
    east, west = open_house(*options, name="east"), open_house(*options, name="west")
    player = enter_match(east)
    assert player.ask("CLIC#4#5").startswith("SQRD#")
    client = Wire(west.address("minehive"))
    assert client.ask("REGI#Blaise#secret") == "IDOK"
    assert client.ask("LSMA") == "LMNB#1"
    assert get(west, "/readyz")[0] == 200
    assert east.stop() == 0
    assert west.stop() == 0
    password = "essai"
    assert f":{password}@" not in east.log.read_text() + west.log.read_text()


def test_readyz_says_when_the_database_is_gone(open_house: OpenHouse, own_postgres: PostgresServer) -> None:
    house = open_house("--database", own_postgres.create_database(), "--no-demo")
    own_postgres.stop()
    wait_until(lambda: get(house, "/readyz")[0] == 503, "readyz to say no")
    assert get(house, "/readyz")[1] == '{"status":"not ready"}'  # why is for the log, not for strangers
    assert "the house is not ready" in house.log.read_text()
    assert get(house, "/healthz")[0] == 200
    own_postgres.start()
    wait_until(lambda: get(house, "/readyz")[0] == 200, "the house to recover")


def test_sigterm_ends_the_house_even_while_the_database_is_gone(
    open_house: OpenHouse, own_postgres: PostgresServer
) -> None:
    house = open_house("--database", own_postgres.create_database(), "--no-demo")
    player = enter_match(house)
    assert player.ask("CLIC#4#5").startswith("SQRD#")
    own_postgres.stop()
    wait_until(lambda: get(house, "/readyz")[0] == 503, "readyz to say no")
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()


def test_a_second_house_on_one_sqlite_file_is_refused_until_the_first_has_ended(
    open_house: OpenHouse, tmp_path: Path
) -> None:
    house = open_house("--no-demo")
    second = serve("--data", str(tmp_path / "data"))
    assert second.returncode == 4
    assert "Another house is open on" in second.stderr
    house.kill()
    house.start()
    assert get(house, "/healthz")[0] == 200
