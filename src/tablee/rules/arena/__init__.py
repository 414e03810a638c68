"""Arena of Titans: a game that its JSON description makes."""

from tablee.rules.arena.loading import description_names
from tablee.rules.arena.model import ArenaOptions, ArenaState
from tablee.rules.arena.rules import ArenaRules

__all__ = ["ArenaOptions", "ArenaRules", "ArenaState", "description_names"]
