"""`tablee chess play`: from the command line to a game in the terminal."""

from __future__ import annotations

import asyncio
import sys
import threading

from tablee.terminal.catalogue import Catalogue
from tablee.terminal.entry import Address, ask, ask_secret, read_address
from tablee.terminal.pawnhub.client import Client

DEFAULT_PORT = 9798


def play(target: str, *, name: str | None, guest: bool, english: bool, letters: bool) -> int:
    """Play on the server at `target` until the player leaves; gives the exit status."""
    server = read_address(target, DEFAULT_PORT)
    words = Catalogue("tablee.terminal.pawnhub", "en" if english else "fr")
    login = None
    if not guest:
        login = (name or ask(words("name")), ask_secret(words("password")))
        if any(not word or " " in word or not word.isprintable() for word in login):
            print(words("unsayable"), flush=True)
            return 2
    return asyncio.run(_play(server, words, login, letters))


async def _play(server: Address, words: Catalogue, login: tuple[str, str] | None, letters: bool) -> int:
    client = Client(server, words, lambda sentence: print(sentence, flush=True), letters=letters)
    loop = asyncio.get_running_loop()

    def read() -> None:
        obey = client.obey if sys.stdin.isatty() else client.take
        for line in sys.stdin:
            loop.call_soon_threadsafe(obey, line)
        loop.call_soon_threadsafe(client.take, "quit")

    # A daemon thread, because nothing can interrupt a read of standard input at the end.
    threading.Thread(target=read, daemon=True).start()
    await client.run(login)
    return 1 if client.refused else 0
