"""`tablee serve`: the house, open until it is told to end."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tablee import logs
from tablee.app import Opened, serve
from tablee.cli.running import run
from tablee.cli.settings import Settings, with_settings
from tablee.cli.version import version
from tablee.config import unknown_variables
from tablee.first_start import PASSWORD_FILE, CannotStart

FORCED = 130
SAME_SIGNAL = 1.0
"""Seconds: `make`, or a terminal, may hand on to us a signal that we have had ourselves."""
YOUNG_OBJECTS = 10_000
"""New objects after which the garbage collector looks at them; Python's own 700 suits short programs."""
SWITCH_SECONDS = 0.0005
"""A thread that computes keeps the interpreter for so long while the loop wants it; Python's own is 0.005."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""As malloc.h of glibc has them."""
LARGE_BLOCK = 4 * 1024 * 1024
"""Bytes from which on a block of memory goes back to the system as soon as it is free."""
DOORS = {
    "http": "web",
    "dr2d": "DR2D",
    "minehive": "Minehive",
    "minehive_hosts": "Minehive hosts",
    "pawnhub": "Pawn Hub",
    "pawnhub_plain": "Pawn Hub plain",
}
SERVICES = {
    f"afjd_{name}": f"AFJD {name.upper()}" for name in ("users", "emails", "players", "games", "solver")
}


@with_settings()
def serve_command(
    settings: Settings,
    ports_file: Annotated[
        Path | None,
        typer.Option(
            help="File for the addresses really bound, as JSON; written when ready, removed at the end.",
            envvar="TABLEE_PORTS_FILE",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Open the house: every door, until SIGTERM or Ctrl-C. A second signal ends it at once."""
    logs.configure(settings.log_level, settings.log_format)
    for name in unknown_variables(os.environ):
        if name not in ("TABLEE_PORTS_FILE", "TABLEE_MINEHIVE_SECRET"):
            print(f"Note: {name} is set, but there is no such setting.", file=sys.stderr)
    run(_until_signal(settings, ports_file))


async def _until_signal(settings: Settings, ports_file: Path | None) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    first = 0.0

    def signalled() -> None:
        nonlocal first
        if not ended.is_set():
            first = loop.time()
            ended.set()
            _forget_ports(ports_file)
        elif loop.time() - first > SAME_SIGNAL:
            # Whoever signals again does not want to wait. Nothing that was acknowledged is lost by this.
            os._exit(FORCED)

    def ready(opened: Opened) -> None:
        _calm_collector()
        _favour_loop()
        _give_memory_back()
        _announce(opened, settings)
        _write_ports(ports_file, opened.doors)

    for which in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(which, signalled)
    await serve(settings, ended, ready)


# Why: docs/decisions.md#a-calm-collector
def _calm_collector() -> None:
    """Keep the garbage collector from looking again and again at what the start has made for good.

    Without it, up to half of the processor time of a click goes into walking modules and queries.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)


def _favour_loop() -> None:
    """Give the interpreter back soon to the loop, which lets go of it at every look at the network.

    With Python's own 5 ms, a thread that thinks for a robot makes each move of everybody else wait ten times.
    """
    sys.setswitchinterval(SWITCH_SECONDS)


# Why: docs/decisions.md#large-blocks-go-back
def _give_memory_back() -> None:
    """Keep the C library from keeping what the largest pieces of work have needed once.

    Left to itself it keeps a block of up to 32 MiB that was freed for the next, and that in each thread.
    """
    with suppress(AttributeError, OSError):  # other C libraries have no such bounds
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_TRIM_THRESHOLD, LARGE_BLOCK)


def _write_ports(file: Path | None, doors: dict[str, str]) -> None:
    """Write the addresses as JSON, whole or not at all. Raises CannotStart."""
    if file is None:
        return
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(msgspec.json.encode(doors) + b"\n")
        unfinished.replace(file)
    except OSError as error:
        raise CannotStart(f"The ports file {file} cannot be written: {error.strerror}.") from error


def _forget_ports(file: Path | None) -> None:
    if file is not None:
        with suppress(OSError):
            file.unlink()


def _announce(opened: Opened, settings: Settings) -> None:
    """Say where everything is, on standard output; the log goes to standard error."""
    lines = [f"Tablée {version()} is open on {socket.gethostname()}."]
    for door, title in DOORS.items():
        lines.append(f"  {title:<15} {opened.doors.get(door, 'off')}")
    for door, title in SERVICES.items():
        if door in opened.doors:
            lines.append(f"  {title:<15} {opened.doors[door]}")
    lines.append(f"  {'database':<15} {opened.database}")
    lines.append(f"  {'administrator':<15} {opened.super_administrator}")
    if opened.password is not None:
        kept = Path(settings.data) / PASSWORD_FILE
        lines.append(f"  {'password':<15} {opened.password}   (shown this once; also in {kept})")
    print("\n".join(lines), flush=True)
