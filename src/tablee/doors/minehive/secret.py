"""The secret by which a host proves that it belongs to the house."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

FILE = "minehive-secret"


def read_secret(data: Path) -> str:
    """The secret in the data folder, made at the first start, for its owner's eyes alone."""
    file = data / FILE
    data.mkdir(parents=True, exist_ok=True)
    try:
        number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = file.read_text("ascii").strip()
        if kept:
            return kept
        file.unlink()
        return read_secret(data)
    made = secrets.token_urlsafe(32)
    with os.fdopen(number, "w", encoding="ascii") as opened:
        opened.write(made + "\n")
    return made
