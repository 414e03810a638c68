"""docs/webhooks.md tells the truth: its example checks what the house really sends."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

from tablee.club.webhooks.forms import Announcement, Form

PAGE = (Path(__file__).parent.parent.parent / "docs/webhooks.md").read_text("utf-8")


def said() -> Announcement:
    """Something that has happened just now: an old signature is not good any more."""
    return Announcement(
        "moved",
        round(time.time() * 1000),
        12,
        "Chez Léa",
        players={"1": "Léa"},
        lines={"fr": ["La partie a avancé."]},
        told=[],
    )


def example(kind: str) -> str:
    found = re.search(rf"^```{kind}$(.*?)^```$", PAGE, re.M | re.S)
    assert found is not None
    return found[1]


def test_the_example_knows_what_the_house_has_signed_and_nothing_else() -> None:
    room: dict[str, Any] = {}
    exec(example("python"), room)
    checks = room["comes_from_the_house"]
    now = said()
    posted = Form("generic", "un secret", "fr", "Tablée", "https://jeux.exemple.fr").posted(now, "1", now.at)
    headers = {name.lower(): value for name, value in posted.headers.items()}
    assert checks("un secret", headers, posted.body)
    assert not checks("un autre", headers, posted.body)
    assert not checks("un secret", headers, posted.body + b" ")
    later = {**headers, "x-tablee-timestamp": str(int(headers["x-tablee-timestamp"]) + 1)}
    assert not checks("un secret", later, posted.body)
    old = Form("generic", "un secret", "fr", "Tablée", "").posted(now, "1", now.at - 3_600_000)
    assert not checks("un secret", {name.lower(): value for name, value in old.headers.items()}, old.body)


def test_the_printed_body_has_the_fields_that_are_sent() -> None:
    printed = json.loads(example("json"))
    now = said()
    posted = Form("generic", "s", "fr", "Tablée", "https://jeux.exemple.fr").posted(now, "1", now.at)
    sent = json.loads(posted.body)
    assert list(printed) == list(sent)
    assert list(printed["table"]) == list(sent["table"])
    for field in sent:
        assert f"`{field}`" in PAGE
