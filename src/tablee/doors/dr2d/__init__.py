"""DR2D over WebSocket: consoles that steer robots, in the sequences of the document."""

from tablee.doors.dr2d.settings import Bounds, Dr2dSettings

__all__ = ["Bounds", "Dr2dSettings"]
