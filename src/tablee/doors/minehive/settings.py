"""How the Minehive door runs: plain values, given by whoever opens it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Bounds(Struct, frozen=True):
    """What one connection may cost."""

    line: int = 8 * 1024
    """Bytes of a line, without its end."""
    idks: int = 20
    """IDK answers in a row that close the connection."""
    unread: int = 1024 * 1024
    """Bytes that a reader may leave unread before he is cut off, besides one answer."""
    clicks: int = 256
    """Clicks of one player that wait for their commit; what he sends beyond waits to be read."""
    linger: int = 2_000
    """Milliseconds that a closed connection has to take its last lines."""
    tries: int = 5
    """Wrong passwords from one address within `tries_within` that shut it out."""
    tries_within: int = 60_000
    identify: int = 30_000
    """Milliseconds after which somebody who has not said who he is is sent away."""


class MinehiveSettings(Struct, frozen=True, kw_only=True):
    """Addresses, numbers and times (milliseconds) of the door."""

    host: str = "127.0.0.1"
    port: int = 5555
    host_port: int | None = 7777
    """None where no host may come from outside; hosts as processes need it."""
    public_host: str = ""
    """Where clients are sent to reach a match; without it, the address at which they reached us."""
    match_ports: tuple[int, int] | None = None
    hosts: Literal["inline", "process"] = "inline"
    matches: int = 10
    matches_each: int = 2
    """How many of those that run one player may have made."""
    players: int = 110
    match_players: int = 10
    ping: int = 5_000
    silence: int = 10_000
    idle: int = 300_000
    gather: int = 2_000
    """How long the hosts may take to answer RQDT."""
    ready: int = 15_000
    """How long a host process may take to log in."""
    network_connections: int = 500
    """How many connections one network may have at the match of a host process."""
    bounds: Bounds = Bounds()
