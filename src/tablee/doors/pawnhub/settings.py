"""How the Pawn Hub door runs: plain values, given by whoever opens it."""

from __future__ import annotations

from msgspec import Struct


class Bounds(Struct, frozen=True):
    """What one connection may cost."""

    line: int = 4_096
    """Bytes of a line of the plain dialect, without its end."""
    payload: int = 3_000
    """Bytes of a payload of the framed dialect."""
    segment: int = 9
    """Frames of the beginning of a game that go out at once."""
    apart: int = 100
    """Milliseconds between two such segments."""
    misread: int = 20
    """Lines in a row that are no command; the last of them closes the connection."""
    at_once: int = 2_000
    """Messages that are taken at once; those beyond wait to be read."""
    a_second: int = 500
    """Messages a second that are taken after those."""
    held: int = 500
    """Lines that QUIET keeps back; of more the oldest are lost."""
    unread: int = 256 * 1024
    """Bytes that a reader may leave unread before he is cut off, besides one answer."""
    linger: int = 2_000
    """Milliseconds that a closed connection has to take its last bytes."""
    identify: int = 30_000
    """Milliseconds after which somebody who has not said who he is is sent away."""


class PawnhubSettings(Struct, frozen=True, kw_only=True):
    """Addresses and numbers of the door."""

    host: str = "127.0.0.1"
    port: int | None = 9797
    """Of the framed dialect; None where it is switched off."""
    plain_port: int | None = 9798
    connections: int = 2_000
    """How many may be open at a time, over both ports."""
    bounds: Bounds = Bounds()
