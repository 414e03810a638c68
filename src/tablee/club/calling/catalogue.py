"""Everything that somebody may be called for: the same list for every game, with what is usual for each."""

from __future__ import annotations

from typing import Literal

import msgspec

Mail = Literal["now", "digest", "off"]

MINUTE = 60_000
HOUR = 60 * MINUTE
UNSEEN = 5 * MINUTE
"""A turn that its player finds by himself within so long needs no letter."""


class Kind(msgspec.Struct, frozen=True):
    """How one kind of thing is told to somebody who has chosen nothing."""

    name: str
    mail: Mail
    patience: int = 0
    """Milliseconds for which the letter waits: it may be seen meanwhile, or others come to it."""
    must: bool = False
    """Whether it is told whatever somebody chooses."""
    push: bool = True
    """Whether it is pushed too, to who has a device that takes it: at once."""


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("invited", "now"),
        Kind("begun", "now"),
        Kind("your_turn", "now", UNSEEN),
        Kind("deadline_near", "now"),
        Kind("late", "now"),
        Kind("resolved", "now", UNSEEN),
        Kind("over", "now"),
        Kind("tournament", "now"),
        Kind("letter", "digest"),
        Kind("declaration", "digest"),
        Kind("message", "digest"),
        Kind("security", "now", must=True, push=False),
    )
}

IF_MASTER_ASKS = ("resolved", "deadline_near")
"""Of what happens at a table, what its master is told only where he has chosen it there."""

OF_A_TABLE = ("begun", "your_turn", "deadline_near", "late", "resolved", "over", "letter", "declaration")
"""What is about one table, and may be chosen otherwise there."""
