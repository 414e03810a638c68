"""How one comes into a client of the terminal: which server, which name, which password."""

from __future__ import annotations

import getpass
import re
import sys
from typing import NamedTuple


class Address(NamedTuple):
    """Where a server or a match listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str, default_port: int) -> Address:
    """The address that `HOST`, `HOST:PORT` or `[IPV6]:PORT` means; ValueError says what is wrong with it."""
    found = re.fullmatch(r"\[([^\]]+)\](?::(\d+))?|([^:\[\]\s]+)(?::(\d+))?", text, re.ASCII)
    if not found:
        raise ValueError(f"“{text}” is no address: HOST, HOST:PORT or [IPV6]:PORT is expected.")
    port = int(found[2] or found[4] or default_port)
    if not 0 < port < 65536:
        raise ValueError(f"{port} is no port: it must be between 1 and 65535.")
    return Address(found[1] or found[3], port)


def ask(question: str) -> str:
    """A line of standard input."""
    print(f"{question} : ", end="", flush=True)
    return sys.stdin.readline().rstrip("\r\n")


def ask_secret(question: str) -> str:
    """The same without showing what is typed, where that can be."""
    return getpass.getpass(f"{question} : ") if sys.stdin.isatty() else ask(question)
