"""The AFJD door: USERS, EMAILS, PLAYERS, GAMES and SOLVER over REST."""

from tablee.doors.afjd.door import AfjdDoor
from tablee.doors.afjd.settings import AfjdSettings

__all__ = ["AfjdDoor", "AfjdSettings"]
