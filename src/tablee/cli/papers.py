"""Files that commands read and write; `-` is standard input or output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import typer

from tablee.cli.stopping import Stop


def read_text(file: Path) -> str:
    """The text of a file."""
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{file} cannot be read: {error}.") from None


def write_text(file: Path, text: str) -> None:
    """Put a text into a file."""
    if str(file) == "-":
        typer.echo(text, nl=False)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error}.") from None


def print_json(value: Any) -> None:
    """Print a value as a line of JSON."""
    typer.echo(msgspec.json.encode(value).decode())
