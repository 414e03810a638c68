"""The playerUID: what a console says to come back to its robot, on any node, after any restart."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import NamedTuple

from tablee.club import base64url
from tablee.rules.contract import Seat

KEY_NAME = "dr2d-consoles"
_FORM = re.compile(r"(\d{1,18})-(\d{1,2})-(\d{1,18})-([A-Za-z0-9_-]{22})", re.ASCII)


class Player(NamedTuple):
    """Somebody's robot in one game."""

    table_id: int
    seat: Seat
    account_id: int


class PlayerUids:
    """Signs what a console may come back to: nothing has to be kept, and nobody can guess one."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def of(self, player: Player) -> str:
        return f"{player.table_id}-{player.seat}-{player.account_id}-{self._signature(player)}"

    def read(self, text: str) -> Player | None:
        """Whose playerUID this is; None if it is nobody's."""
        found = _FORM.fullmatch(text)
        if found is None:
            return None
        player = Player(int(found[1]), int(found[2]), int(found[3]))
        return player if hmac.compare_digest(found[4], self._signature(player)) else None

    def _signature(self, player: Player) -> str:
        said = "-".join(map(str, player)).encode()
        digest = hmac.digest(self._key, said, hashlib.sha256)[:16]
        return base64url.shown(digest)
