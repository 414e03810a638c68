"""Databases of every age end up with the schema of today, or are refused with a sentence."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.ext.asyncio import create_async_engine
from tests.kit.servers import PostgresServer
from tests.store.rows import make_tables, seqs_of, table_row

from tablee.skill import Strength, margin, rate, shown
from tablee.store import NewerDatabase, Store, open_store
from tablee.store.migrate import VERSIONS, migrate_postgresql, migrate_sqlite, newest
from tablee.store.opening import is_postgresql, sqlite_path
from tablee.store.postgresql_server import connect
from tablee.store.schema import metadata

Found = TypeVar("Found")
NEXT_STEP = """
import sqlalchemy as sa
from alembic import op

revision = "{name}"
down_revision = "{after}"


def upgrade() -> None:
    with op.batch_alter_table("game_table") as table:
        table.add_column(sa.Column("colour", sa.Text(), nullable=False, server_default="vert"))
    op.execute("UPDATE game_table SET colour = 'rouge' WHERE id = 2")
    {then}
"""


@pytest.fixture
def database_url(blank_database_url: str) -> str:
    """Here the tables are made."""
    return blank_database_url


@pytest.fixture
def next_versions(tmp_path: Path) -> Path:
    """The steps of a Tablée that is one step ahead."""
    return ahead(tmp_path / "next", "pass")


def ahead(folder: Path, then: str) -> Path:
    shutil.copytree(VERSIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "9999_next.py").write_text(NEXT_STEP.format(name="9999_next", after=newest(), then=then))
    return folder


async def migrate(url: str, versions: Path) -> None:
    if is_postgresql(url):
        await migrate_postgresql(url, versions)
    else:
        migrate_sqlite(sqlite_path(url), versions)


async def fetch(url: str, sql: str) -> list[tuple[Any, ...]]:
    if is_postgresql(url):
        connection = await connect(url)
        rows = [tuple(row) for row in await connection.fetch(sql)]
        await connection.close()
        return rows
    opened = sqlite3.connect(sqlite_path(url))
    found = opened.execute(sql).fetchall()
    opened.close()
    return found


async def asked(url: str, question: Callable[[Connection], Found]) -> Found:
    """What a question to a connection of SQLAlchemy's finds."""
    if is_postgresql(url):
        engine = create_async_engine(url.replace("postgresql://", "postgresql+asyncpg://"))
        async with engine.connect() as connection:
            found = await connection.run_sync(question)
        await engine.dispose()
        return found
    with create_engine(url).connect() as opened:
        return question(opened)


def step_by_step(tmp_path: Path) -> Path:
    """The steps of today at another place, whence they are taken one by one in an empty database too."""
    return shutil.copytree(VERSIONS, tmp_path / "steps", ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.parametrize("how", ["at once", "step by step"])
async def test_the_schema_of_a_new_database_is_the_one_that_the_code_describes(
    database_url: str, tmp_path: Path, how: str
) -> None:
    await migrate(database_url, VERSIONS if how == "at once" else step_by_step(tmp_path))

    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        return list(compare_metadata(context, metadata))

    assert await asked(database_url, differences) == []


def inside(connection: Connection) -> dict[str, Any]:
    """All that a database says of its tables, whatever the order of their columns, and the rows in them."""
    inspector = inspect(connection)
    found: dict[str, Any] = {}
    for table in inspector.get_table_names():
        rows = connection.execute(text(f'SELECT * FROM "{table}"')).mappings().all()
        found[table] = {
            "columns": {
                each["name"]: {**each, "type": str(each["type"])} for each in inspector.get_columns(table)
            },
            "key": inspector.get_pk_constraint(table),
            "unique": sorted(inspector.get_unique_constraints(table), key=str),
            "indexes": {each["name"]: _shown(each) for each in inspector.get_indexes(table)},
            "rows": [{**row, "value": "chance"} if table == "counter" else {**row} for row in rows],
        }
    return found


def _shown(index: Any) -> Any:
    options = {name: str(option) for name, option in index.get("dialect_options", {}).items()}
    return {**index, "dialect_options": options}


async def test_a_database_made_at_once_equals_one_made_step_by_step(
    database_url: str, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    await migrate(database_url, VERSIONS)
    if is_postgresql(database_url):
        other_url = postgres_server.create_database()
    else:
        other_url = f"sqlite:///{tmp_path / 'other.sqlite'}"
    await migrate(other_url, step_by_step(tmp_path))
    made = await asked(database_url, inside)
    assert made == await asked(other_url, inside)
    assert made.keys() == {*metadata.tables, "alembic_version"}
    assert made["alembic_version"]["rows"] == [{"version_num": newest()}]
    assert [row["name"] for row in made["counter"]["rows"]] == ["store.house", "store.epoch"]


def test_the_steps_are_numbered_in_their_order() -> None:
    steps = sorted(step.stem for step in VERSIONS.glob("[0-9]*.py"))
    assert [int(step[:4]) for step in steps] == list(range(1, len(steps) + 1))
    after = "None"
    for step in steps:
        text = (VERSIONS / f"{step}.py").read_text()
        assert f'revision = "{step}"\n' in text
        assert f"down_revision = {after}\n" in text
        after = f'"{step}"'


async def test_an_older_database_is_migrated_with_all_that_it_holds(
    database_url: str, next_versions: Path
) -> None:
    store = await open_store(database_url)
    await make_tables(store, 1, 2)
    await store.close()
    await migrate(database_url, next_versions)
    rows = await fetch(database_url, "SELECT id, name, colour FROM game_table ORDER BY id")
    assert rows == [(1, "Chez Léa", "vert"), (2, "Chez Léa", "rouge")]
    await migrate(database_url, next_versions)


async def test_a_step_that_fails_leaves_the_database_as_it_was(database_url: str, tmp_path: Path) -> None:
    store = await open_store(database_url)
    await make_tables(store, 1)
    await store.close()
    with pytest.raises(RuntimeError, match="broken"):
        await migrate(database_url, ahead(tmp_path / "broken", 'raise RuntimeError("broken")'))
    again = await open_store(database_url)
    assert await seqs_of(again, 1) == []
    await again.close()
    with pytest.raises(Exception, match="colour"):
        await fetch(database_url, "SELECT colour FROM game_table")


async def test_a_newer_database_is_refused_with_a_sentence(database_url: str, next_versions: Path) -> None:
    await migrate(database_url, next_versions)
    with pytest.raises(NewerDatabase, match=r"newer Tablée.*9999_next.*install the newer Tablée"):
        await open_store(database_url)
    assert await fetch(database_url, "SELECT version_num FROM alembic_version") == [("9999_next",)]


async def test_two_nodes_may_start_on_an_empty_database_at_once(postgres_url: str) -> None:
    stores: list[Store] = await asyncio.gather(*(open_store(postgres_url) for _ in range(4)))
    await make_tables(stores[0], 1)
    assert await seqs_of(stores[3], 1) == []
    for store in stores:
        await store.close()


def before(step: str, folder: Path) -> Path:
    """The steps of a Tablée that did not know this one yet."""
    shutil.copytree(VERSIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    number = next(folder.glob(f"[0-9]*_{step}.py")).stem[:4]
    for file in folder.glob("[0-9]*.py"):
        if file.stem[:4] >= number:
            file.unlink()
    return folder


async def write(url: str, *sentences: str) -> None:
    if is_postgresql(url):
        connection = await connect(url)
        for sentence in sentences:
            await connection.execute(sentence)
        await connection.close()
        return
    opened = sqlite3.connect(sqlite_path(url))
    for sentence in sentences:
        opened.execute(sentence)
    opened.commit()
    opened.close()


def old_account(number: int, email: str) -> str:
    given = {"id": number, "kind": "'member'", "role": "'player'", "pseudo": f"'p{number}'"}
    given |= {"pseudo_key": f"'p{number}'", "email": f"'{email}'", "email_key": f"'{email.lower()}'"}
    given |= {"email_confirmed": "false", "language": "'fr'", "settings": "'{}'"}
    given |= dict.fromkeys(("first_name", "family_name", "telephone", "country", "time_zone"), "''")
    given |= {"created_at": 1, "seen_at": 1}
    values = ", ".join(map(str, given.values()))
    return f"INSERT INTO account ({', '.join(given)}) VALUES ({values})"


async def test_codes_that_were_mailed_before_there_was_one_store_are_still_good(
    database_url: str, tmp_path: Path
) -> None:
    await migrate(database_url, before("stand_in", tmp_path / "before"))
    codes = [
        (1, "confirm", "Lea@exemple.fr", "mailed", 50),
        (0, "email:lea@exemple.fr", "lea@exemple.fr", "older", 40),
        (2, "confirm", "max@exemple.fr", "older", 50),
        (0, "email:max@exemple.fr", "max@exemple.fr", "stored", 60),
        (2, "recover", "max@exemple.fr", "recovering", 50),
        (3, "confirm", "lea@exemple.fr", "of an address that is another's now", 70),
        (0, "email:ana@exemple.fr", "ana@exemple.fr", "alone", 50),
    ]
    await write(
        database_url,
        old_account(1, "Lea@exemple.fr"),
        old_account(2, "max@exemple.fr"),
        old_account(3, "zoe@exemple.fr"),
        *(
            "INSERT INTO mail_code (account_id, purpose, email, code_hash, expires_at, tries) VALUES "
            f"({holder}, '{purpose}', '{email}', '{code.replace(chr(39), chr(39) * 2)}', {until}, 0)"
            for holder, purpose, email, code, until in codes
        ),
    )
    await (await open_store(database_url)).close()
    kept = await fetch(database_url, "SELECT account_id, purpose, code_hash FROM mail_code ORDER BY purpose")
    assert kept == [
        (0, "email:ana@exemple.fr", "alone"),
        (0, "email:lea@exemple.fr", "mailed"),
        (0, "email:max@exemple.fr", "stored"),
        (2, "recover", "recovering"),
    ]
    assert [bool(row[0]) for row in await fetch(database_url, "SELECT stand_in FROM account")] == [False] * 3


async def test_terms_that_queries_ask_for_are_columns_in_an_older_database_too(
    database_url: str, tmp_path: Path
) -> None:
    await migrate(database_url, before("terms", tmp_path / "before"))
    kept = ['{"mastered":true}', '{"mastered":true,"anonymous":true}', '{"silent":true}', None]
    for number, terms in enumerate(kept, 1):
        row = table_row(number, terms=terms)
        names = [name for name in row if name not in ("mastered", "anonymous")]
        values = ", ".join(_literal(row[name]) for name in names)
        await write(database_url, f"INSERT INTO game_table ({', '.join(names)}) VALUES ({values})")
    await (await open_store(database_url)).close()
    found = await fetch(database_url, "SELECT mastered, anonymous FROM game_table ORDER BY id")
    assert [(bool(row[0]), bool(row[1])) for row in found] == [
        (True, False),
        (True, True),
        (False, False),
        (False, False),
    ]


async def test_all_standings_are_reckoned_anew_from_the_outcomes_that_were_kept(
    database_url: str, tmp_path: Path
) -> None:
    await migrate(database_url, before("ratings", tmp_path / "before"))
    for number in (1, 2, 3):
        await write(database_url, old_account(number, f"p{number}@exemple.fr"))
    await write(database_url, "UPDATE account SET kind = 'visitor' WHERE id = 3")
    games: list[tuple[dict[str, Any], list[tuple[int, int]]]] = [
        ({}, [(1, 1), (2, 2)]),
        ({}, [(1, 1), (3, 2)]),  # against a visitor
        ({"rated": False}, [(1, 1), (2, 2)]),
        ({"result": '{"ranks":{},"reason":"stopped","rated":false}'}, [(1, 1), (2, 2)]),
        ({}, [(2, 1), (1, 2), (3, 3)]),
    ]
    for number, (changed, parts) in enumerate(games, 1):
        row = table_row(number, **changed)
        values = ", ".join(_literal(value) for value in row.values())
        await write(database_url, f"INSERT INTO game_table ({', '.join(row)}) VALUES ({values})")
        for seat, (who, rank) in enumerate(parts, 1):
            await write(
                database_url,
                "INSERT INTO outcome (table_id, seat, account_id, rank, rating_before, rating_after, at) "
                f"VALUES ({number}, {seat}, {who}, {rank}, 1500, 2176, {number})",
            )
    for who, mu in ((1, 36.0), (2, 14.0), (3, 20.0)):
        await write(
            database_url,
            "INSERT INTO standing (account_id, game, variant, mu, sigma, played, won, lost, drawn, points, "
            f"version) VALUES ({who}, 'mines', 'classic', {mu}, 3.0, 5, 4, 1, 0, 7, 5)",
        )
    await (await open_store(database_url)).close()
    first = rate({1: Strength(), 2: Strength()}, {1: 1, 2: 2})
    last = rate(first, {1: 2, 2: 1})
    found = await fetch(
        database_url, "SELECT mu, sigma, rated, played, points FROM standing ORDER BY account_id"
    )
    assert [row[2:] for row in found] == [(2, 5, 7), (2, 5, 7), (0, 5, 7)]
    for line, strength in zip(found, (last[1], last[2], Strength()), strict=True):
        assert line[:2] == pytest.approx(tuple(strength))
    kept = await fetch(
        database_url,
        "SELECT unrated, rating_before, rating_after, margin_before FROM outcome ORDER BY table_id, seat",
    )
    assert kept == [
        (None, 1500, shown(first[1].mu), 1000),
        (None, 1500, shown(first[2].mu), 1000),
        *[("members", None, None, None)] * 2,
        *[("chosen", None, None, None)] * 2,
        *[("stopped", None, None, None)] * 2,
        (None, shown(first[2].mu), shown(last[2].mu), margin(first[2].sigma)),
        (None, shown(first[1].mu), shown(last[1].mu), margin(first[1].sigma)),
        ("not_member", None, None, None),
    ]


async def test_who_is_named_in_a_notice_is_a_column_in_an_older_database_too(
    database_url: str, tmp_path: Path
) -> None:
    await migrate(database_url, before("notices", tmp_path / "before"))
    said = [
        '{"from":"p5"}', '{"by":"p5"}', '{"from_id":7,"from":"Max"}', '{"table":3,"by":8,"by_name":"Ana"}',
        '{"table":3}', '{"from":"Parti"}',
    ]  # fmt: skip
    await write(database_url, old_account(5, "lea@exemple.fr"))
    for number, about in enumerate(said, 1):
        await write(
            database_url,
            f"INSERT INTO notice (id, account_id, kind, about, at) VALUES ({number}, 1, 'x', '{about}', 0)",
        )
    await (await open_store(database_url)).close()
    found = await fetch(database_url, "SELECT names_id FROM notice ORDER BY id")
    assert [row[0] for row in found] == [5, 5, 7, 8, None, None]


def _literal(value: Any) -> str:
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)
