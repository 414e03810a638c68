"""Robots and tiles: races over conveyors, lasers and potholes, after the DR2D document."""

from tablee.rules.robots.model import (
    Feature,
    Place,
    PracticeOptions,
    Program,
    RaceOptions,
    RobotsState,
)
from tablee.rules.robots.rules import PracticeRules, RaceRules

__all__ = [
    "Feature",
    "Place",
    "PracticeOptions",
    "PracticeRules",
    "Program",
    "RaceOptions",
    "RaceRules",
    "RobotsState",
]
