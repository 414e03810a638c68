"""The log of USERS: every event of the accounts, a line of JSON each, in a file of its own."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from tablee.clock import Clock


class UserLog:
    """Appends; never a password, never a token. A disk that is full does not keep anybody out."""

    def __init__(self, file: Path, clock: Clock) -> None:
        self._file = file
        self._clock = clock

    def write(self, event: str, **about: Any) -> None:
        """Keep that something happened."""
        at = datetime.fromtimestamp(self._clock.now() / 1000, UTC).isoformat(timespec="milliseconds")
        line = msgspec.json.encode({"at": at, "event": event, **about}) + b"\n"
        try:
            number = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError:
            return
        try:
            os.write(number, line)
        except OSError:
            return
        finally:
            os.close(number)
