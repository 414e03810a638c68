"""The log of the house: one event a line, JSON or pretty, and never a password or a token in it."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any, TextIO

import structlog

HIDDEN = "‹caché›"
"""What stands where a secret stood."""

_SECRET_KEY = re.compile(
    r"pass(word|wd|phrase)?$|mot_de_passe|secret|token|authori[sz]ation|cookie|credential|hash$", re.I
)
_BEARER = re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]+", re.I)
_URL_PASSWORD = re.compile(r"([a-z][a-z0-9+.-]*://[^\s:/@]*):[^\s@/]+@", re.I)
_VALUE = r"""(b?"[^"]*"|b?'[^']*'|[^\s&,;)}"']+)"""
_PARAMETER = re.compile(r"""(\b\w*(?:password|passwd|secret|token)["']?\s*[=:]\s*)""" + _VALUE, re.I)
_MAIL_CODE = re.compile(r"""(\bcode["']?\s*[=:]\s*["']?)\d{4,8}\b""", re.I)
# The lines of Minehive that carry a password or the hosts' secret, wherever they turn up.
_PROTOCOL_LINE = re.compile(r"\b(REGI#[^#\s]*|JOIN#[^#\s]*|PLIN#[^#\s]*#[^#\s]*|LOGI#[^#\s]*)#[^#\r\n'\"\\]*")
# The keys by which calendars and feeds are read are in their addresses.
_FOLLOWED = re.compile(r"(/me/(?:calendar|feed)/)[^/\s?\"']+")

_known: set[str] = set()


def hide(*secrets: str) -> None:
    """Never write these very texts, whatever they are part of."""
    _known.update(secret for secret in secrets if len(secret) >= 4)


def redacted(text: str) -> str:
    """The text without anything that looks like a secret."""
    for secret in _known:
        if secret in text:
            text = text.replace(secret, HIDDEN)
    if "://" in text:
        text = _URL_PASSWORD.sub(rf"\1:{HIDDEN}@", text)
    if "#" in text:
        text = _PROTOCOL_LINE.sub(rf"\1#{HIDDEN}", text)
    if "/me/" in text:
        text = _FOLLOWED.sub(rf"\1{HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    text = _MAIL_CODE.sub(rf"\1{HIDDEN}", text)
    return _PARAMETER.sub(rf"\1{HIDDEN}", text)


def configure(level: str, form: str, out: TextIO = sys.stderr, secrets: Iterable[str] = ()) -> None:
    """Send all logs, those of the libraries too, through one formatter that hides secrets."""
    hide(*secrets)
    pretty = form == "pretty" or (form == "auto" and out.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.ExtraAdder(),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        _redact,
    ]
    last: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=out.isatty())
        if pretty
        else structlog.processors.JSONRenderer(ensure_ascii=False, default=_as_text)
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.PositionalArgumentsFormatter(), *shared],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("alembic", "sqlalchemy", "asyncio", "websockets", "uvicorn", "aiosmtplib", "redis"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, root.level))
    # A pool that cannot fill itself says so with a traceback a connection; the store says it in a sentence.
    logging.getLogger("asyncpg.pool").setLevel(logging.CRITICAL)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.PositionalArgumentsFormatter(),
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


# Why: docs/decisions.md#secrets-never-reach-the-log
def _redact(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key, value in event.items():
        event[key] = _clean(key, value)
    return event


def _clean(key: str, value: Any) -> Any:
    """A value as it may be written under this key; error codes are words, mail codes are numbers."""
    if value is None or isinstance(value, bool):
        return value
    if _SECRET_KEY.search(key) or (key == "code" and str(value).isdecimal()):
        return HIDDEN
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, bytes):
        return redacted(value.decode("utf-8", "replace"))
    if isinstance(value, Mapping):
        return {inner: _clean(str(inner), found) for inner, found in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean("", inner) for inner in value]
    if isinstance(value, int | float):
        return value
    return redacted(str(value))


def _as_text(value: Any) -> str:
    return redacted(str(value))
