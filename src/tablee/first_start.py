"""What a house needs before it can open: a folder of its own, and somebody who runs it."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path

from tablee.club import Account, Club

PASSWORD_FILE = "super-administrator.txt"


class CannotStart(Exception):
    """Why the house does not open, in a sentence for whoever started it; `code` is the exit status."""

    def __init__(self, sentence: str, code: int = 4) -> None:
        super().__init__(sentence)
        self.code = code


def prepare_folder(data: Path) -> None:
    """Make the data folder if need be, for our eyes only. Raises CannotStart if it cannot be written."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=data) as probe:
            probe.write(b"tablee")
            probe.flush()
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotStart(f"The data folder {data.absolute()} cannot be written: {reason}.") from error


class Claim:
    """The right to be the one house on a SQLite file; it ends with the process, however that ends."""

    def __init__(self, database: Path) -> None:
        self._file = os.open(f"{database}-house", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            raise CannotStart(
                f"Another house is open on {database}: stop it first, or give this one a data folder of its "
                "own (several nodes on one database need PostgreSQL)."
            ) from error

    async def release(self) -> None:
        os.close(self._file)


async def name_super_administrator(club: Club, pseudo: str, data: Path) -> tuple[Account, str | None]:
    """The super-administrator, and his password if he was made just now: it is then in a file of ours too."""
    account, password = await club.roles.name_super(pseudo)
    if password is not None:
        _write_privately(data / PASSWORD_FILE, f"{account.pseudo}\n{password}\n")
    return account, password


def _write_privately(file: Path, text: str) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
        opened.write(text)
