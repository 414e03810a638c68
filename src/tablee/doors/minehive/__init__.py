"""The Minehive protocol over TCP: clients, hosts, matches."""

from tablee.doors.minehive.settings import Bounds, MinehiveSettings

__all__ = ["Bounds", "MinehiveSettings"]
