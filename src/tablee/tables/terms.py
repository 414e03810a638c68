"""On what terms a table is played: who cares for it, who may come, what may be known and said."""

from __future__ import annotations

import hashlib

import msgspec

from tablee.club.bounds import DESCRIPTION_MOST
from tablee.tables.errors import BadOptions


# Why: docs/decisions.md#terms-or-options
class Terms(msgspec.Struct, frozen=True, omit_defaults=True):
    """What whoever made a table asks of those who come; a plain table asks nothing."""

    mastered: bool = False
    """The host is its master: he has no seat, begins the game, and acts as MASTER while it runs."""
    description: str = ""
    anonymous: bool = False
    """Nobody but the master learns who plays."""
    silent: bool = False
    """Players say nothing to each other; the line to the master stays open."""
    manual: bool = False
    """The master deals the roles."""
    handed_on: bool = False
    """Who goes on in a role reads its letters from before him; otherwise those of his own time alone."""
    deal: dict[int, int] = {}
    """Accounts by role, as the master has dealt them so far; −seat for a robot, since several share one."""
    fast: bool = False
    absences: bool = True
    """Whether a deadline that falls on days on which a player is away moves behind them."""
    extensions: bool = True
    """Whether each player may once have a day more."""
    access_code: int = 0
    reliability: int = 0
    """The least that somebody who comes by himself must have; 0 asks nothing."""
    regularity: int = 0
    performance: int = 0
    position_code: str = ""
    """Digest of the code that a change of the position needs, where an administrator asks for one."""

    def without(self, account_id: int) -> Terms:
        """The same when no role is dealt to somebody any more."""
        deal = {role: who for role, who in self.deal.items() if who != account_id}
        return msgspec.structs.replace(self, deal=deal)

    def check(self, has_master: bool) -> None:
        """Raises BadOptions where these terms do not fit together, or the game."""
        if len(self.description) > DESCRIPTION_MOST:
            raise BadOptions("description_too_long", most=DESCRIPTION_MOST)
        if self != PLAIN and not has_master:
            raise BadOptions("no_terms")
        if (self.anonymous or self.manual) and not self.mastered:
            raise BadOptions("needs_master")


PLAIN = Terms()


def digest_of(code: str) -> str:
    """A code of an administrator as it is kept."""
    return hashlib.sha256(f"position:{code}".encode()).hexdigest()


def read_terms(text: str | None) -> Terms:
    return PLAIN if text is None else msgspec.json.decode(text, type=Terms)


def write_terms(terms: Terms) -> str | None:
    return None if terms == PLAIN else msgspec.json.encode(terms).decode()


def terms_row(terms: Terms) -> dict[str, str | bool | None]:
    """The columns of a table that keep its terms: all of them, and those that queries ask for."""
    return {"terms": write_terms(terms), "mastered": terms.mastered, "anonymous": terms.anonymous}
