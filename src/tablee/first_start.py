"""What a house needs before it can open: a folder of its own, and somebody who runs it."""

from __future__ import annotations

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


async def name_super_administrator(club: Club, pseudo: str, data: Path) -> tuple[Account, str | None]:
    """The super-administrator, and his password if he was made just now: it is then in a file of ours too."""
    account, password = await club.roles.name_super(pseudo)
    if password is not None:
        _write_privately(data / PASSWORD_FILE, f"{account.pseudo}\n{password}\n")
    return account, password


def _write_privately(file: Path, text: str) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
        opened.write(text)
