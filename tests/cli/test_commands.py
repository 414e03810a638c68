"""The commands of the shell, beside a running house and without one."""

from __future__ import annotations

import asyncio
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import pytest
from tests.kit.process import House
from tests.kit.talking import Wire, enter_match, get, join_again, post
from tests.kit.waiting import PATIENCE, wait_until

from tablee.cli import main
from tablee.rules import GAMES
from tablee.store import open_store


class Ended(NamedTuple):
    """A command that has run: its exit status and all that it said."""

    returncode: int
    stdout: str
    stderr: str


def tablee(*arguments: str, said: str = "") -> Ended:
    """Run a command in this process, as the shell would."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    code: Any = 0
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(said.encode()), "utf-8")
    sys.argv, arguments_before = ["tablee", *arguments], sys.argv
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdin, sys.argv = before, arguments_before
    out.flush()
    said_out = out.buffer
    assert isinstance(said_out, io.BytesIO)
    return Ended(int(code or 0), said_out.getvalue().decode(), err.getvalue())


def done(*arguments: str, said: str = "") -> str:
    """Run a command that must succeed; its output."""
    ended = tablee(*arguments, said=said)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data", "--no-demo")
    house.start()
    yield house
    house.close()


def test_the_version_is_the_packages() -> None:
    assert done("--version").startswith("Tablée 0.")


def test_without_a_command_the_commands_are_listed() -> None:
    said = tablee().stdout
    assert "serve" in said
    assert "backup" in said


def test_an_unknown_command_is_refused_without_a_traceback() -> None:
    ended = tablee("dance")
    assert ended.returncode == 2
    assert "dance" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_administrators_are_made_named_dismissed_and_listed_while_the_house_runs(house: House) -> None:
    where = ("--data", str(house.data))
    made = json.loads(done("admin", "create", "Ada", "--json", *where))
    assert made["role"] == "administrator"
    session = post(house, "/api/v1/session", {"name": "Ada", "password": made["password"]})
    assert session["access"]
    post(house, "/api/v1/accounts", {"pseudo": "Blaise", "password": "un-bon-secret"})
    assert "Blaise is an administrator." in done("admin", "promote", "Blaise", *where)
    assert "Ada is a player." in done("admin", "dismiss", "Ada", *where)
    roles = {a["pseudo"]: a["role"] for a in json.loads(done("admin", "list", "--json", *where))}
    assert roles == {"intendance": "super", "Blaise": "administrator"}
    assert "Blaise is the super-administrator." in done("admin", "hand-over", "Blaise", *where)


def test_a_forgotten_password_is_set_anew_from_standard_input(house: House) -> None:
    post(house, "/api/v1/accounts", {"pseudo": "Ada", "password": "oublié-bientôt"})
    done(
        "admin",
        "reset-password",
        "Ada",
        "--password-stdin",
        "--data",
        str(house.data),
        said="tout-neuf-5e8a\n",
    )
    assert post(house, "/api/v1/session", {"name": "Ada", "password": "tout-neuf-5e8a"})["access"]


def test_somebody_unknown_is_refused_in_a_sentence(house: House) -> None:
    ended = tablee("admin", "promote", "Personne", "--data", str(house.data))
    assert ended.returncode == 1
    assert "Personne" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_table_is_exported_imported_and_told_again(house: House, tmp_path: Path) -> None:
    where = ("--data", str(house.data))
    player = enter_match(house)
    assert player.ask("CLIC#4#5").startswith("SQRD#4#5#")
    file = tmp_path / "table.json"
    nowhere = tablee("export", "1", str(tmp_path / "nowhere" / "table.json"), *where)
    assert nowhere.returncode == 1
    assert "cannot be written: No such file or directory." in nowhere.stderr
    assert "events" in done("export", "1", str(file), *where)
    saved = json.loads(file.read_text())
    assert saved["game"] == "mines"
    assert [event["seq"] for event in saved["events"]] == list(range(1, len(saved["events"]) + 1))

    told = done("replay", "1", *where)
    assert "Ada rejoint la partie." in told
    assert "Ada démine" in told
    assert told == done("replay", str(file), *where)
    assert "Ada joins" in done("replay", "1", "--language", "en", *where)
    assert "X X X" in done("replay", "1", "--board", *where)
    lines = [json.loads(line) for line in done("replay", "1", "--json", "--seat", "1", *where).splitlines()]
    assert {fact["is"] for line in lines for fact in line["facts"]} >= {"joined", "opened"}
    assert done("replay", "1", "--step", *where, said="\n").count("\n") == 2

    made = json.loads(done("import", str(file), "--json", *where))
    assert made["events"] == len(saved["events"])
    again = json.loads(done("export", str(made["table"]), *where))
    assert again["events"] == saved["events"]
    assert get(house, f"/api/v1/tables/{made['table']}")[0] == 200


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda saved: saved.update(tablee=99), "has format 99"),
        (lambda saved: saved.update(game="belote"), "does not know the game belote"),
        (lambda saved: saved["events"][0].update(seq=7), "event 1 has the sequence number 7"),
        (lambda saved: saved["events"][1].update(facts=[{"is": "nonsense"}]), "event 2"),
        (lambda saved: saved.pop("events"), "is not an exported table"),
    ],
    ids=["format", "game", "gap", "fact", "shape"],
)
def test_a_file_that_is_no_table_is_refused_in_a_sentence(
    change: object, sentence: str, exported: dict[str, object], tmp_path: Path
) -> None:
    assert callable(change)
    change(exported)
    file = tmp_path / "table.json"
    file.write_text(json.dumps(exported))
    ended = tablee("import", str(file), "--data", str(tmp_path / "data"))
    assert ended.returncode == 1
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.fixture
def exported() -> dict[str, object]:
    """The log of a table that nobody has clicked in yet, as `tablee export` writes it."""
    found = json.loads((Path(__file__).parent / "exported.json").read_text())
    assert isinstance(found, dict)
    return found


def test_a_table_that_does_not_exist_is_refused_in_a_sentence(house: House) -> None:
    for command in ("export", "replay"):
        ended = tablee(command, "4242", "--data", str(house.data))
        assert ended.returncode == 1
        assert "4242" in ended.stderr
        assert "Traceback" not in ended.stderr


def test_a_backup_of_a_running_house_is_restored_into_another(
    house: House, database_url: str, tmp_path: Path
) -> None:
    player = enter_match(house)
    opened = player.ask("CLIC#4#5")
    file = tmp_path / "backup.tablee"
    assert json.loads(done("backup", str(file), "--data", str(house.data), "--json"))["bytes"] > 0
    assert tablee("backup", str(file), "--data", str(house.data)).returncode == 1

    other = House(tmp_path / "other", "--database", database_url, "--no-demo")
    where = ("--data", str(other.data), "--database", database_url)
    assert "is restored" in done("restore", str(file), *where)
    ended = tablee("restore", str(file), *where)
    assert ended.returncode == 1
    assert "force" in ended.stderr
    done("restore", str(file), "--force", *where)
    other.start()
    try:
        client = Wire(other.address("minehive"))
        assert client.ask("REGI#Blaise#un-bon-secret") == "IDOK"
        assert client.ask("LSMA") == "LMNB#1"
        assert _board_of(*where)[5][4] == opened.split("#")[3].replace("-1", "*")
    finally:
        other.close()


def _board_of(*where: str) -> list[str]:
    """The rows of table 1 at its end."""
    return [row.replace(" ", "") for row in done("replay", "1", "--board", *where).splitlines()[-16:]]


def test_restoring_what_is_no_backup_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "nonsense"
    file.write_text("nonsense")
    ended = tablee("restore", str(file), "--data", str(tmp_path / "data"))
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    ended = tablee("restore", str(tmp_path / "missing"), "--data", str(tmp_path / "data"))
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr


def test_the_plain_client_plays_against_the_house(house: House) -> None:
    host, port = house.address("minehive")
    command = [sys.executable, "-m", "tablee", "play", f"{host}:{port}", "--plain", "--name", "Ada"]
    ended = subprocess.run(
        command, input="un-bon-secret\n", capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in ended.stderr
    assert post(house, "/api/v1/session", {"name": "Ada", "password": "un-bon-secret"})["access"]


def test_an_address_that_is_none_is_refused_in_a_sentence() -> None:
    ended = tablee("play", "localhost:99999")
    assert ended.returncode == 2
    assert "99999 is no port" in ended.stderr


def test_output_that_nobody_reads_ends_quietly(house: House) -> None:
    enter_match(house)
    process = subprocess.Popen(
        [sys.executable, "-m", "tablee", "export", "1", "--data", str(house.data)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    wait_until(lambda: process.poll() is not None, "the command to end")
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()


def test_a_running_house_goes_on_from_a_backup_that_is_restored_under_it(
    database_url: str, tmp_path: Path
) -> None:
    house = House(tmp_path / "data", "--database", database_url, "--no-demo")
    house.start()
    where = ("--data", str(house.data), "--database", database_url)
    try:
        player = enter_match(house)
        assert player.ask("CLIC#4#5").startswith("SQRD#")
        before = _board_of(*where)
        done("backup", str(tmp_path / "backup.tablee"), *where)
        while (line := player.ask(f"CLIC#{_hidden(_board_of(*where))}")).startswith("SQRD#"):
            if _board_of(*where) != before:
                break
        assert line.startswith("SQRD#")
        post(house, "/api/v1/accounts", {"pseudo": "Chloé", "password": "un-bon-secret"})
        done("restore", str(tmp_path / "backup.tablee"), "--force", *where)
        assert _board_of(*where) == before

        def knows_chloe() -> bool:
            return get(house, "/api/v1/players/Chlo%C3%A9")[0] == 200

        wait_until(lambda: not knows_chloe(), "the house to forget what came after the backup")
        wait_until(lambda: get(house, "/readyz")[0] == 200, "the house to be ready")
        again = join_again(house)
        assert again.ask(f"CLIC#{_hidden(before)}").startswith("SQRD#")
        assert _board_of(*where) != before
        assert house.stop() == 0
    finally:
        house.close()


def _hidden(board: list[str]) -> str:
    """Some hidden square of a board, as CLIC takes it."""
    return next(f"{x}#{y}" for y, row in enumerate(board) for x, letter in enumerate(row) if letter == "X")


def test_a_password_of_the_shell_is_as_long_as_one_of_the_page(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path))
    asyncio.run(_make_house(tmp_path))
    short = tablee("admin", "create", "Ada", "--password-stdin", *where, said="court\n")
    assert short.returncode == 1
    assert "8" in short.stderr
    assert "Nobody yet" in done("admin", "list", *where)
    assert "the super-administrator" in done(
        "admin", "create", "Ada", "--password-stdin", *where, said="longue-phrase\n"
    )


async def _make_house(folder: Path) -> None:
    """The database of a house in which nobody has ever been."""
    await (await open_store(f"sqlite:///{folder}/tablee.sqlite")).close()


@pytest.mark.parametrize(
    "command",
    [
        ("admin", "list"),
        ("admin", "create", "Ada"),
        ("admin", "reset-password", "Ada"),
        ("export", "1"),
        ("import", str(Path(__file__).parent / "exported.json")),
        ("replay", "1"),
        ("backup", "{folder}/copy.sqlite"),
        ("minehive", "export", "{folder}/ranking.xml"),
    ],
    ids=" ".join,
)
def test_a_mistyped_folder_does_not_become_a_house(command: tuple[str, ...], tmp_path: Path) -> None:
    typo = tmp_path / "typo"
    ended = tablee(*(part.format(folder=tmp_path) for part in command), "--data", str(typo))
    assert ended.returncode == 1
    assert f"There is no house in {typo}" in ended.stderr
    assert "tablee serve" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "tablee.sqlite").write_bytes(b"shopping list, not a database at all" * 100)
    ended = tablee("admin", "list", "--data", str(tmp_path))
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert str(tmp_path) in ended.stderr


def test_an_empty_postgresql_does_not_become_a_house(postgres_url: str) -> None:
    ended = tablee("admin", "list", "--database", postgres_url)
    assert ended.returncode == 1
    assert "There is no house in 127.0.0.1" in ended.stderr

    async def tables() -> int:
        connection = await asyncpg.connect(postgres_url)
        try:
            found = await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        finally:
            await connection.close()
        return int(found)

    assert asyncio.run(tables()) == 0


def test_play_without_a_host_offers_every_game_that_has_a_client() -> None:
    """At a terminal it asks which; who goes away there has played nothing."""
    terminal, side = pty.openpty()
    asked = subprocess.Popen(
        [sys.executable, "-m", "tablee", "play", "--english"], stdin=side, stdout=side, stderr=side
    )
    os.close(side)
    told = b""
    while b"Game [minehive]" not in told:
        told += os.read(terminal, 4096)
    os.write(terminal, b"\x04")  # the end of what is typed
    assert asked.wait(PATIENCE) == 1
    os.close(terminal)
    names = {game for game, _ in GAMES}
    assert all(name in told.decode() for name in {*names, "minehive"})
