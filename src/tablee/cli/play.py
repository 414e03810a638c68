"""`tablee play`: a game in the terminal, against people anywhere."""

from __future__ import annotations

import sys
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
    # Why: docs/decisions.md#the-terminal-comes-along
    from tablee.terminal.minehive.play import play

    try:
        code = play(server, name=name, english=english, plain=plain)
    except ValueError as error:
        raise Stop(str(error), 2) from error
    raise typer.Exit(code)


def play_command(
    server: Annotated[
        str | None,
        typer.Argument(help="Where the house is: HOST, HOST:PORT or [IPV6]:PORT.", metavar="[HOST[:PORT]]"),
    ] = None,
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
    """Play in the terminal: Minehive with a coloured board, chess, any other game of a house in lines.

    Without a host, at a terminal, it asks which.
    """
    if server is None and game is None and table is None and sys.stdin.isatty() and not plain:
        game = _chosen(english)
        if game == "chess":
            from tablee.cli.chess import play_command as play_chess

            play_chess("localhost", name, name is None, english)
            return
    server = server or "localhost"
    if game in (None, "minehive") and table is None:
        minehive_command(server, name, english, plain)
        return
    from tablee.terminal.plain.play import play_any

    try:
        code = play_any(server, game, variant=variant, robot=robot, table=table, name=name, english=english)
    except ValueError as error:
        raise Stop(str(error), 2) from error
    raise typer.Exit(code)


def _chosen(english: bool) -> str:
    """Which of the clients somebody wants, or the name of any other game."""
    lines = (
        ("minehive", "démineur à plusieurs, plateau en couleurs", "minesweeper together, a coloured board"),
        (
            "chess",
            "échecs et variantes : pendules, notation, robots",
            "chess and variants: clocks, notation, robots",
        ),
        (
            "mines, robots, arena, diplomacy",
            "les autres jeux, en lignes de texte",
            "the other games, in lines of text",
        ),
    )
    for name, french, in_english in lines:
        typer.echo(f"  {name} — {in_english if english else french}")
    chosen: str = typer.prompt("Game" if english else "Jeu", default="minehive")
    return chosen.strip().lower()
