"""`tablee play`: a game in the terminal, against people anywhere."""

from __future__ import annotations

from typing import Annotated

import typer

from tablee.cli.stopping import Stop
from tablee.terminal.minehive.play import play


def play_command(
    server: Annotated[
        str, typer.Argument(help="Where the house is: HOST, HOST:PORT or [IPV6]:PORT.", metavar="HOST[:PORT]")
    ] = "localhost",
    name: Annotated[str | None, typer.Option(help="Your pseudo; asked for if not given.")] = None,
    english: Annotated[bool, typer.Option("--english", help="Speak English instead of French.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines of text only, for a screen reader or a script.")
    ] = False,
) -> None:
    """Play Minehive in the terminal: a coloured board, cursor keys and mouse."""
    try:
        code = play(server, name=name, english=english, plain=plain)
    except ValueError as error:
        raise Stop(str(error), 2) from error
    raise typer.Exit(code)
