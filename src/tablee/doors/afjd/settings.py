"""What a club may choose about the AFJD services."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from tablee.club.limits import Bucket, Window

SERVICES = ("users", "emails", "players", "games", "solver")
"""In the order of their ports."""


class AfjdSettings(msgspec.Struct, frozen=True):
    """How the five services run."""

    host: str = "127.0.0.1"
    ports: tuple[int, ...] = ()
    """A port for each service, in the order of `SERVICES`; empty: only the prefixes of the main port."""
    open_solver: bool = False
    """Whether `/solve` is answered without the services' secret."""
    origins: tuple[str, ...] = ()
    """Origins of front ends elsewhere whose pages may call the services from a browser."""
    token_minutes: float = 15.0
    grace_hours: int = 24
    limits: Mapping[str, Bucket | Window] = MappingProxyType({})
