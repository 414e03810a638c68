"""Puissance 4, a game for the house as anybody may write one."""

from .rules import Puissance4Rules

RULES = (Puissance4Rules(),)
"""What the entry point names: one instance a variant."""
