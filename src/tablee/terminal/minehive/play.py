"""`tablee minehive play`: from the command line to a game in the terminal."""

from __future__ import annotations

import asyncio

from tablee.terminal.entry import ask, ask_secret, read_address
from tablee.terminal.minehive.plain import play_plain
from tablee.terminal.minehive.words import Words

DEFAULT_PORT = 5555


def play(target: str, *, name: str | None = None, english: bool = False, plain: bool = False) -> int:
    """Play on the server at `target` until the player leaves; gives the exit status."""
    server = read_address(target, DEFAULT_PORT)
    words = Words("en" if english else "fr")
    if plain:
        name = name or ask(words("name"))
        password = ask_secret(words("password"))
        return asyncio.run(play_plain(server, name, password, words))
    from tablee.terminal.minehive.screen import MinehiveApp  # textual takes its time to load

    app = MinehiveApp(server, words, name or "")
    app.run()
    return app.return_code or 0
