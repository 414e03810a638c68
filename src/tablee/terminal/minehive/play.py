"""`tablee minehive play`: from the command line to a game in the terminal."""

from __future__ import annotations

import asyncio
import getpass
import re
import sys

from tablee.terminal.minehive.messages import Address
from tablee.terminal.minehive.plain import play_plain
from tablee.terminal.minehive.words import Words

DEFAULT_PORT = 5555


def read_address(text: str) -> Address:
    """The address that `HOST`, `HOST:PORT` or `[IPV6]:PORT` means; ValueError says what is wrong with it."""
    found = re.fullmatch(r"\[([^\]]+)\](?::(\d+))?|([^:\[\]\s]+)(?::(\d+))?", text, re.ASCII)
    if not found:
        raise ValueError(f"“{text}” is no address: HOST, HOST:PORT or [IPV6]:PORT is expected.")
    port = int(found[2] or found[4] or DEFAULT_PORT)
    if not 0 < port < 65536:
        raise ValueError(f"{port} is no port: it must be between 1 and 65535.")
    return Address(found[1] or found[3], port)


def play(target: str, *, name: str | None = None, english: bool = False, plain: bool = False) -> int:
    """Play on the server at `target` until the player leaves; gives the exit status."""
    server = read_address(target)
    words = Words("en" if english else "fr")
    if plain:
        name = name or _ask(words("name"))
        password = _ask_secret(words("password"))
        return asyncio.run(play_plain(server, name, password, words))
    from tablee.terminal.minehive.screen import MinehiveApp  # textual takes its time to load

    app = MinehiveApp(server, words, name or "")
    app.run()
    return app.return_code or 0


def _ask(question: str) -> str:
    print(f"{question} : ", end="", flush=True)
    return sys.stdin.readline().rstrip("\r\n")


def _ask_secret(question: str) -> str:
    return getpass.getpass(f"{question} : ") if sys.stdin.isatty() else _ask(question)
