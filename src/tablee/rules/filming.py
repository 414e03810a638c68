"""What an event is in the film of a game: whether the film stops there, what begins, what stands out."""

from __future__ import annotations

import msgspec


class Beat(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event in the film of a game, for one seat."""

    is_stop: bool = True
    """Whether the film stops here; what merely prepares something is passed over."""
    mark: str = ""
    """A season, a round or a stretch of the game that begins with it, by name."""
    accent: str = ""
    """What stands out in it, in a few words: "Capture", "Unit dislodged"."""
    figures: dict[int, int] | None = None
    """What everybody has after it, by role where roles are dealt and else by seat; None: as before.

    The words of the game call it `figure`: "Centres", "Points".
    """


PASSED_OVER = Beat(is_stop=False)
