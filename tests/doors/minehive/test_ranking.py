"""ranking.xml, in and out."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kit.minehive import House

from tablee.doors.minehive.ranking import LARGEST, BadRanking, Ranked, bring, export, read, written
from tablee.store import open_store

OLD = """<?xml version="1.0" encoding="ISO-8859-1"?>
<ranking>
  <player username="Adil"><points>120</points></player>
  <player username="Éloïse"><password>mot &amp; passe</password><points>-40</points></player>
  <player username="Tomek" password="x"/>
</ranking>
""".encode("latin-1")


def test_the_documents_file_is_read() -> None:
    assert read(OLD) == [Ranked("Adil", 120), Ranked("Éloïse", -40, "mot & passe"), Ranked("Tomek", 0, "x")]


def test_what_is_written_is_read_again() -> None:
    players = [("Éloïse", 7), ("Adil", -3), ('a"b<c>&', 10**15)]
    again = read(written(players).encode())
    assert [(player.name, player.points) for player in again] == players


BOMB = (
    '<!DOCTYPE ranking [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
    '<ranking><player username="&c;"><points>1</points></player></ranking>'
)
OUTSIDE = (
    '<!DOCTYPE ranking [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    '<ranking><player username="x"><points>1</points></player></ranking>'
)
PLAYER = '<player username="a"><points>1</points></player>'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (BOMB, "document type of its own"),
        (OUTSIDE, "document type of its own"),
        ("<!DOCTYPE ranking [<!ENTITY % a 'x'> %a;]><ranking/>", "document type of its own"),
        ("<users/>", "not with <ranking>"),
        ("not xml", "not XML"),
        ("", "not XML"),
        (f"<ranking>{PLAYER}", "not XML"),
        ("<ranking><player><points>1</points></player></ranking>", "no username"),
        ('<ranking><player username="a"><points>many</points></player></ranking>', "no number"),
        (f'<ranking><player username="a"><points>{"9" * 30}</points></player></ranking>', "no number"),
        (f"<ranking>{PLAYER}{PLAYER.replace(chr(34) + 'a', chr(34) + 'A')}</ranking>", "twice"),
        ("<ranking>" + "<x>" * 50 + "</x>" * 50 + "</ranking>", "deeper"),
    ],
)
def test_a_file_that_is_no_ranking_is_refused_with_a_sentence(content: str, sentence: str) -> None:
    with pytest.raises(BadRanking, match=sentence):
        read(content.encode())


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(BadRanking, match="MiB"):
        read(b" " * (LARGEST + 1))


async def test_a_ranking_is_brought_in_and_written_out(house: House, tmp_path: Path) -> None:
    known = await house.available("Tomek", "mine")
    brought = [one async for one in bring(house.store, house.club, house.door.present, read(OLD))]
    assert [(one.name, one.outcome, one.has_password) for one in brought] == [
        ("Adil", "made", False),
        ("Éloïse", "made", True),
        ("Tomek", "known", True),
    ]
    known.send("LSUS")
    assert await known.lines(4) == ["LUNB#3", "USER#Adil#120", "USER#Tomek#0", "USER#Éloïse#-40"]
    client = await house.client()
    await client.ask("REGI#Adil#", "IDNO")
    await client.ask("REGI#Tomek#x", "IDNO")  # whoever has an account keeps its password
    await client.ask("REGI#Éloïse#mot & passe", "IDOK")
    file = tmp_path / "ranking.xml"
    assert await export(house.door.present, file) == 3
    text = file.read_text("utf-8")
    assert "passe" not in text
    assert [player.points for player in read(text.encode())] == [120, 0, -40]


async def test_names_that_are_not_allowed_are_left_out(house: House) -> None:
    players = [Ranked("ALL", 3), Ranked("deux mots", 4), Ranked("bien", 5), Ranked("x", 1, "\x01")]
    brought = [one async for one in bring(house.store, house.club, house.door.present, players)]
    assert [one.outcome for one in brought if one.name == "bien"] == ["made"]
    assert [one.outcome in ("made", "known") for one in brought] == [False, False, True, False]
    assert await house.door.present.users() == [("bien", 5)]


def test_the_commands_bring_in_and_write_out(tmp_path: Path) -> None:
    file, out = tmp_path / "old.xml", tmp_path / "ranking.xml"
    file.write_bytes(OLD)
    tablee = [sys.executable, "-m", "tablee", "minehive"]
    data = ["--data", str(tmp_path / "data")]
    done = subprocess.run([*tablee, "import", str(file), *data], capture_output=True, text=True, check=False)
    assert (done.returncode, (tmp_path / "data").exists()) == (1, False)
    assert "There is no house in" in done.stderr
    (tmp_path / "data").mkdir()
    asyncio.run(_found_a_house(tmp_path / "data" / "tablee.sqlite"))
    done = subprocess.run([*tablee, "import", str(file), *data], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "3 accounts made" in done.stdout
    assert "Adil has no password yet" in done.stderr
    subprocess.run([*tablee, "export", str(out), *data], check=True, capture_output=True)
    assert [player.name for player in read(out.read_bytes())] == ["Adil", "Tomek", "Éloïse"]
    file.write_text(BOMB)
    done = subprocess.run([*tablee, "import", str(file), *data], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "document type" in done.stderr


async def _found_a_house(database: Path) -> None:
    """Make the database, as the first start of a house does."""
    store = await open_store(f"sqlite:///{database}")
    await store.close()
