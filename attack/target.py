"""The house that is attacked, as a hostile script sees it."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Target(msgspec.Struct, frozen=True):
    """Where the doors of the house are, for how long it is attacked, and what an insider would know."""

    url: str
    """The web door: http://127.0.0.1:PORT."""
    ports: dict[str, int]
    """By door: web, minehive, minehive_hosts, pawnhub, pawnhub_plain, dr2d; absent where a door is closed."""
    seconds: float
    admin: tuple[str, str]
    """Pseudo and password of the super-administrator: a script knows whom it is after."""
    data: Path
    """The house's data folder."""


def written(target: Target) -> str:
    """A target as one argument of a command."""
    return msgspec.json.encode(target, enc_hook=str).decode()


def read(text: str) -> Target:
    """The target that was written so."""
    return msgspec.json.decode(text, type=Target, dec_hook=lambda kind, value: kind(value))
