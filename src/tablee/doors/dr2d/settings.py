"""How the DR2D door runs: plain values, given by whoever opens it."""

from __future__ import annotations

from msgspec import Struct


class Bounds(Struct, frozen=True):
    """What one console may cost."""

    idle_frames: int = 50
    """Frames within a second that answer no pending call; one more closes the connection."""
    unsent: int = 256
    """Frames that wait to be sent to a console which does not read; one more cuts it off."""
    time_outs: int = 3
    """Calls in a row that are not answered in time; then the console counts as gone."""
    cartouches: int = 3
    """How often one cartouche is asked for, when those that come break a rule."""


class Dr2dSettings(Struct, frozen=True, kw_only=True):
    """Address, numbers and times (milliseconds) of the door."""

    host: str = "127.0.0.1"
    port: int = 8282
    seats: int = 2
    """How many seats a game has that begins with a console."""
    connections: int = 5_000
    reply: int = 10_000
    cartouche: int = 60_000
    localization: int = 60_000
    bounds: Bounds = Bounds()
