"""A race is exported, told again step by step and brought in again, from the shell."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.kit.playing import play

from tablee.cli import main
from tablee.clock import HandClock
from tablee.club import Club
from tablee.rules import GAMES
from tablee.rules.robots.robot import STRENGTHS
from tablee.store import open_store
from tablee.tables import TablePlan, Tables


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A database with one practice run, to its end."""
    url = f"sqlite:///{tmp_path / 'tablee.sqlite'}"
    asyncio.run(_practised(url))
    return url


async def _practised(url: str) -> None:
    store, clock, rng = await open_store(url), HandClock(), Random(1)
    club = Club(store, clock)
    tables = Tables(store, club, clock, Random(1), GAMES)
    await tables.start()
    who = await club.accounts.create_visitor()
    info = await tables.creating.create(TablePlan("robots", "practice", {}, who.id))
    live = await tables.open(info.id)
    while not live.is_over:
        view = msgspec.json.decode(msgspec.json.encode(live.view(1)), type=live.rules.view_type)
        action = STRENGTHS["pilot"].choose(view, live.rules.legal(live.state, 1), rng)
        assert action is not None
        await play(tables, info.id, 1, action)
    await tables.stop()
    await club.stop()
    await store.close()


def done(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["tablee", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    said = capsys.readouterr()
    assert not end.value.code, said.err
    return said.out


def test_a_race_is_told_step_by_step_and_comes_back_as_it_was(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--database", database)
    told = done(monkeypatch, capsys, "replay", "1", *where)
    assert "Les plateaux sont en place" in told
    for law in ("première", "deuxième", "troisième"):
        assert f"trouve la {law} loi." in told
    assert "a achevé sa quête." in told
    english = done(monkeypatch, capsys, "replay", "1", "--language", "en", "--seat", "-2", *where)
    assert "goes ahead to [" in english
    file = tmp_path / "race.json"
    done(monkeypatch, capsys, "export", "1", str(file), *where)
    made = json.loads(done(monkeypatch, capsys, "import", str(file), "--json", *where))
    again = json.loads(done(monkeypatch, capsys, "export", str(made["table"]), *where))
    assert again["events"] == json.loads(file.read_text())["events"]
    assert done(monkeypatch, capsys, "replay", str(made["table"]), *where) == told
