"""Rows of a house that has been open for years, put into its database while nobody is there."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

FIRST = 1_000_000
"""Numbers far above those that the house gives while a test runs."""
MANY = 60
HOUR = 3_600_000

GAME = {"game": "mines", "variant": "classic"}
NOTICES: list[tuple[str, dict[str, str]]] = [
    ("acting", {"by": "Cheffe"}),
    ("session_stolen", {"label": "Firefox sur Linux"}),
    ("role", {"role": "player"}),
    ("from_the_future", {}),
]

Row = dict[str, Any]


def crowd(data: Path, account: int, friend: int) -> None:
    """More than one page of everything: members, finished games, notices, messages, deeds."""
    began = time.time_ns() // 1_000_000 - MANY * HOUR  # what is too old is swept away when a house opens
    rows = [("standing", _standing(account, mu=20.0, points=0))]
    for number, (kind, about) in enumerate(NOTICES, MANY):
        key = {"id": FIRST + number, "account_id": account, "at": began + MANY * HOUR, "read_at": None}
        rows.append(("notice", key | {"kind": kind, "about": json.dumps(about)}))
    for number in range(MANY):
        rows += _rows(number, began, account, friend)
    with sqlite3.connect(data / "tablee.sqlite") as database:
        for table, row in rows:
            marks = ", ".join("?" for _ in row)
            database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


def _standing(account: int, mu: float, points: int) -> Row:
    return GAME | {
        "account_id": account, "mu": mu, "sigma": 1.0, "played": 3, "won": 1, "lost": 1, "drawn": 1,
        "points": points, "version": 1, "rated": 12,
    }  # fmt: skip


def _rows(number: int, began: int, account: int, friend: int) -> list[tuple[str, Row]]:
    key, at = FIRST + number, began + number * HOUR
    name = f"Ancien-{number:02}"
    member = dict.fromkeys(("first_name", "family_name", "telephone", "country", "time_zone"), "") | {
        "id": key, "kind": "member", "role": "player", "pseudo": name, "pseudo_key": name.casefold(),
        "email_confirmed": False, "language": "fr", "settings": "{}", "created_at": at, "seen_at": at,
    }  # fmt: skip
    result = {"ranks": {"1": 1, "2": 2}, "reason": "cleared", "scores": {"1": 30, "2": 9}}
    table = GAME | {
        "id": key, "door": "web", "name": f"Soirée {number:02}", "access": "open", "invitation": "",
        "options": "{}", "time_control": '{"kind": "none"}', "rated": True, "seats_least": 0,
        "seats_most": 10, "status": "over", "seq": 0, "created_at": at, "started_at": at,
        "ended_at": at + 1, "result": json.dumps(result),
    }  # fmt: skip
    seat = {"table_id": key, "seat": 1, "account_id": account, "name": "x", "joined_at": at}
    outcome = {
        "table_id": key, "seat": 1, "account_id": account, "rank": 1, "score": 30, "at": at,
        "rating_before": 1500 + number, "rating_after": 1501 + number,
    }  # fmt: skip
    notice = {
        "id": key, "account_id": account, "kind": "game_over", "at": at, "read_at": at,
        "about": json.dumps(GAME | {"table": key, "rank": number + 1}),
    }  # fmt: skip
    said = {"author_id": friend, "at": at}
    pair = sorted((account, friend))
    return [
        ("account", member),
        ("standing", _standing(key, mu=40.0 - number / 10, points=number)),
        ("game_table", table),
        ("seat", seat),
        ("outcome", outcome),
        ("notice", notice),
        ("deed", {"id": key, "at": at, "account_id": key, "what": "sign_up", "about": "{}", "address": ""}),
        ("message", said | {"id": FIRST + 2 * number, "channel": "global", "text": f"Parole {number:02}"}),
        (
            "message",
            said
            | {
                "id": FIRST + 2 * number + 1, "channel": f"private:{pair[0]}:{pair[1]}", "to_id": account,
                "text": f"Lettre {number:02}",
            },
        ),
    ]  # fmt: skip
