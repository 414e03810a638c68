"""`tablee play`: a game in the terminal, against people anywhere."""

from __future__ import annotations

from typing import Annotated

import typer

from tablee.cli.stopping import Stop

Server = Annotated[
    str, typer.Argument(help="Where the house is: HOST, HOST:PORT or [IPV6]:PORT.", metavar="HOST[:PORT]")
]
English = Annotated[bool, typer.Option("--english", help="Speak English instead of French.")]
Plain = Annotated[bool, typer.Option("--plain", help="Lines of text only, for a screen reader or a script.")]


def minehive_command(
    server: Server = "localhost",
    name: Annotated[str | None, typer.Option(help="Your pseudo; asked for if not given.")] = None,
    english: English = False,
    plain: Plain = False,
) -> None:
    """Play Minehive in the terminal: a coloured board, cursor keys and mouse."""
    from tablee.terminal.minehive.play import play

    try:
        code = play(server, name=name, english=english, plain=plain)
    except ValueError as error:
        raise Stop(str(error), 2) from error
    raise typer.Exit(code)


def play_command(
    server: Server = "localhost",
    name: Annotated[
        str | None,
        typer.Option(help="Your pseudo; Minehive asks for it, another game lets you in as a visitor."),
    ] = None,
    english: English = False,
    plain: Plain = False,
    game: Annotated[
        str | None,
        typer.Option(help="Play this game of the house in lines of text, over its web door (port 8000)."),
    ] = None,
    variant: Annotated[str | None, typer.Option(help="Its variant; the first if not given.")] = None,
    robot: Annotated[
        str | None, typer.Option(help="The robot to play against; the weakest if not given.")
    ] = None,
    table: Annotated[
        int | None, typer.Option(help="Sit down at this table of the house, whatever its game.")
    ] = None,
) -> None:
    """Play in the terminal: Minehive with a coloured board, any other game of a house in lines of text."""
    if game is None and table is None:
        minehive_command(server, name, english, plain)
        return
    from tablee.terminal.plain.play import play_any

    try:
        code = play_any(server, game, variant=variant, robot=robot, table=table, name=name, english=english)
    except ValueError as error:
        raise Stop(str(error), 2) from error
    raise typer.Exit(code)
