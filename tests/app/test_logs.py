"""Secrets never reach the log, however they get into an event."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from tablee import logs
from tablee.logs import HIDDEN, configure, redacted

SECRET = "hunter2-5e8a"


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    out = io.StringIO()
    configure("info", "json", out)
    yield out
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://tablee:{SECRET}@localhost/tablee",
        f"redis://:{SECRET}@localhost:6379/0",
        f"REGI#Ada#{SECRET}",
        f"JOIN#Ada#{SECRET}\nCLIC#1#2",
        f"PLIN#Partie_1#Ada#{SECRET}",
        f"LOGI#Partie_1#{SECRET}",
        f"Authorization: Bearer {SECRET}",
        f"GET /api/live?access_token={SECRET}&x=1",
        f'{{"password": "{SECRET}", "pseudo": "Ada"}}',
        f"Login(pseudo='Ada', password='{SECRET}')",
        f"password='spaces and {SECRET}'",
    ],
)
def test_what_looks_like_a_secret_is_hidden_in_any_text(text: str) -> None:
    assert SECRET not in redacted(text)
    assert HIDDEN in redacted(text)


@pytest.mark.parametrize(
    "text", ["http://localhost:8000/api", "Partie_1 began", "CLIC#3#10", "code=late", "key 3 of 4: fine"]
)
def test_other_text_is_left_alone(text: str) -> None:
    assert redacted(text) == text


def test_secret_keys_are_hidden_at_any_depth(out: io.StringIO) -> None:
    structlog.get_logger("t").info(
        "who", password=SECRET, about={"refresh_token": SECRET, "list": [{"secret": SECRET}]}, code="482913"
    )
    assert SECRET not in out.getvalue()
    assert "482913" not in out.getvalue()


def test_error_codes_are_not_mistaken_for_mail_codes(out: io.StringIO) -> None:
    structlog.get_logger("t").info("refused", code="wrong_password")
    assert json.loads(out.getvalue())["code"] == "wrong_password"


def test_exceptions_and_library_logs_are_cleaned_too(out: io.StringIO) -> None:
    try:
        raise ValueError(f"REGI#Ada#{SECRET}")
    except ValueError:
        structlog.get_logger("t").exception("failed")
        logging.getLogger("asyncpg").exception("failed with token=%s", SECRET)
    assert len(out.getvalue().splitlines()) == 2
    assert "ValueError" in out.getvalue()
    assert SECRET not in out.getvalue()


def test_a_known_secret_is_hidden_wherever_it_stands(
    out: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "_known", set())
    logs.hide(SECRET)
    structlog.get_logger("t").info(f"it is{SECRET}indeed")
    assert SECRET not in out.getvalue()


def test_a_line_of_the_json_log_has_time_level_and_name(out: io.StringIO) -> None:
    structlog.get_logger("tablee.app").info("ready", doors=3)
    line = json.loads(out.getvalue())
    assert (line["event"], line["level"], line["logger"], line["doors"]) == ("ready", "info", "tablee.app", 3)
    assert line["timestamp"].endswith("Z")


def test_the_keys_of_calendars_and_feeds_are_hidden_wherever_their_addresses_turn_up() -> None:
    for path in ("/me/calendar/abcdefghijklmnopqrstuvwxyz.ics", "/me/feed/abcdefghijklmnopqrstuvwxyz.atom"):
        line = redacted(f"GET https://jeux.exemple.fr/api/v1{path}?x=1 failed")
        assert "abcdefgh" not in line
        assert HIDDEN in line
        assert line.endswith("failed")
