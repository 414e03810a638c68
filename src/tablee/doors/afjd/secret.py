"""The services' secret: one for all nodes of the house, kept in its database, readable in a file of each."""

from __future__ import annotations

import os
from pathlib import Path

import structlog

from tablee.store import Store
from tablee.store.keys import renew_key, shared_key

FILE = "service-secret"
NAME = "afjd-services"
log = structlog.get_logger("tablee.afjd")


# Why: docs/decisions.md#secrets-live-in-the-database
async def shared_secret(store: Store, data: Path) -> str:
    """The secret of the house; the first node brings the one in its file, or makes it. Raises OSError.

    Every other node takes it over: a file that says something else is set aside as `service-secret.old`.
    """
    file = data / FILE
    found = _read(file)
    kept = await shared_key(store, NAME, found)
    if found != kept:
        if found:
            file.replace(file.with_suffix(".old"))
            log.warning(
                "the services' secret is another in the database: the file has it now", file=str(file)
            )
        _write(file, kept)
    return kept


async def renew_secret(store: Store) -> str:
    """Make another secret, which every node takes over when it starts next."""
    return await renew_key(store, NAME)


def _read(file: Path) -> str:
    try:
        return file.read_text("ascii").strip()
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise OSError(f"{file} is no services' secret: it is not plain text") from None


def _write(file: Path, secret: str) -> None:
    """For its owner's eyes alone, and whole at every moment."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(f".{os.getpid()}")
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(number, "w", encoding="ascii") as opened:
        opened.write(secret + "\n")
    beside.replace(file)
