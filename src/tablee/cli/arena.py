"""`tablee arena`: check a description, draw its board, list where its cards go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from tablee.cli.arena_games import measure_command
from tablee.cli.papers import print_json, read_text, write_text
from tablee.cli.stopping import Stop
from tablee.rules.arena.board import Board, squares_of
from tablee.rules.arena.cards import card_reach, deck
from tablee.rules.arena.description import Description
from tablee.rules.arena.drawing import draw, picture
from tablee.rules.arena.exporting import export
from tablee.rules.arena.faults import Fault, Faults
from tablee.rules.arena.loading import Loaded, description_names, load_ours, read
from tablee.rules.arena.remarks import remarks
from tablee.rules.arena.schema import schema

app = typer.Typer(
    no_args_is_help=True,
    help="Arena of Titans: check a description, draw its board, list where its cards go.",
)

Source = Annotated[
    str, typer.Argument(help="A file of games, - for standard input, or the name of one of ours.")
]
Game = Annotated[str | None, typer.Option(help="Which game of the file, where it has several.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("check")
def check_command(
    file: Source,
    language: Annotated[str, typer.Option(help="Of what is told: fr or en.")] = "fr",
    json: AsJson = False,
) -> None:
    """Say everything that is wrong with a file of games, or left aside of it, each with its JSON path."""
    if language not in ("fr", "en"):
        raise Stop(f"There is no language “{language}”: fr or en.")
    try:
        games, warnings = _loaded(file)
    except Faults as error:
        faults = error.faults
        if json:
            warned = _told(error.warnings, language)
            print_json({"games": {}, "faults": _told(faults, language), "warnings": warned})
            raise typer.Exit(1) from None
        _warn(error.warnings, language)
        said = "\n".join(fault.said(language) for fault in faults)
        raise Stop(f"{file}: {_counted(faults, 'fault')}\n{said}") from None
    if json:
        told = {name: {**export(game)} for name, game in games.items()}
        remarked = {name: [each.said(language) for each in remarks(game)] for name, game in games.items()}
        warned = _told(warnings, language)
        print_json({"games": told, "faults": [], "warnings": warned, "remarks": remarked})
        return
    for name, game in games.items():
        typer.echo(_summary(name, game))
        for remark in remarks(game):
            typer.echo(f"  {remark.said(language)}")
    _warn(warnings, language)


@app.command("draw")
def draw_command(
    file: Source,
    out: Annotated[Path, typer.Option(help="Where the SVG goes; - for standard output.")] = Path("-"),
    game: Game = None,
    json: AsJson = False,
) -> None:
    """Draw the board of a game as an SVG file that stands alone; with --json, its parts."""
    name, description = _game(file, game)
    if json:
        print_json(picture(description))
        return
    write_text(out, draw(description, name))


@app.command("moves")
def moves_command(
    file: Source,
    card: Annotated[str | None, typer.Option(help="This card only, named as in the file.")] = None,
    color: Annotated[str | None, typer.Option(help="Cards of this colour only.")] = None,
    at: Annotated[str | None, typer.Option(help="From this square only.", metavar="X,Y")] = None,
    game: Game = None,
    json: AsJson = False,
) -> None:
    """List the squares that a card reaches on the empty board, for one or for all."""
    _, description = _game(file, game)
    board = Board(description)
    cards = _chosen("card", card, [each.name for each in description.cards])
    colors = _chosen("colour", color, list(description.colors))
    starts = range(board.squares) if at is None else [_square(board, at)]
    found = _moves(description, board, cards, colors, starts)
    if json:
        print_json(dict(found))
        return
    for key, squares in found:
        typer.echo(f"{key}: {' '.join(f'{x},{y}' for x, y in squares) or '—'}")


@app.command("schema")
def schema_command() -> None:
    """Print the JSON Schema of a file of games."""
    print_json(schema())


app.command("measure")(measure_command)


def _moves(
    description: Description, board: Board, cards: list[str], colors: list[str], starts: Any
) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    for card in description.cards:
        if card.name in cards:
            for color in colors:
                for start in starts:
                    x, y = board.place(start)
                    found = card_reach(board, card, color, start, board.masks)
                    yield f"{card.name} {color} {x},{y}", sorted(map(board.place, squares_of(found)))


def _loaded(file: str) -> Loaded:
    if file in description_names():
        return Loaded({file: load_ours(file)}, [])
    return read(read_text(Path(file)), Path(file).stem if file != "-" else "arena")


def _game(file: str, wanted: str | None) -> tuple[str, Description]:
    try:
        games = _loaded(file).games
    except Faults as error:
        raise Stop(f"{file} does not hold together; `tablee arena check` says why:\n{error}") from None
    if wanted is None and len(games) > 1:
        raise Stop(f"{file} has several games; say which with --game: {', '.join(games)}.")
    name = wanted if wanted is not None else next(iter(games))
    if name not in games:
        raise Stop(f"{file} has no game “{name}”. It has: {', '.join(games)}.")
    return name, games[name]


def _summary(name: str, game: Description) -> str:
    board, cards = game.board, deck(game)
    return (
        f"{name}: {board.number_arms} arms × {board.arms_width} columns, {board.rows} rows "
        f"({len(board.circle_rows)} of the circle), {board.width * board.rows} squares, "
        f"{len(game.colors)} colours, {len(cards)} cards in a deck, {len(game.trumps)} trumps, "
        f"2 to {game.number_players} players."
    )


def _warn(warnings: list[Fault], language: str) -> None:
    """On standard error, as faults are: what is printed of the games stays as it is."""
    if warnings:
        typer.echo(f"{_counted(warnings, 'warning')}", err=True)
    for warning in warnings:
        typer.echo(f"  {warning.warned(language)}", err=True)


def _counted(found: list[Fault], kind: str) -> str:
    return f"{len(found)} {kind if len(found) == 1 else kind + 's'}"


def _told(found: list[Fault], language: str) -> list[dict[str, str]]:
    return [{"path": each.path, "found": each.found, "expected": each.wanted_in(language)} for each in found]


def _chosen(what: str, wanted: str | None, known: list[str]) -> list[str]:
    if wanted is None:
        return known
    if wanted not in known:
        raise Stop(f"There is no {what} “{wanted}”. There are: {', '.join(known)}.")
    return [wanted]


def _square(board: Board, text: str) -> int:
    x, comma, y = text.partition(",")
    if not (comma and x.strip().isdecimal() and y.strip().isdecimal()):
        raise Stop(f"“{text}” is no square: two numbers with a comma between them, as 0,7.")
    if int(x) >= board.W or int(y) >= board.rows:
        raise Stop(f"There is no square {text}: X goes to {board.W - 1}, Y to {board.rows - 1}.")
    return board.square(int(x), int(y))
