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
from tablee.rules.arena.faults import Faults
from tablee.rules.arena.loading import description_names, load, load_ours
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
    """Read a file of games and say everything that is wrong with it, each with its JSON path."""
    if language not in ("fr", "en"):
        raise Stop(f"There is no language “{language}”: fr or en.")
    try:
        games = _games(file)
    except Faults as error:
        faults = error.faults
        if json:
            print_json({"games": {}, "faults": [_fault(fault, language) for fault in faults]})
            raise typer.Exit(1) from None
        said = "\n".join(fault.said(language) for fault in faults)
        raise Stop(f"{file}: {len(faults)} {'fault' if len(faults) == 1 else 'faults'}\n{said}") from None
    if json:
        told = {name: {**export(game)} for name, game in games.items()}
        remarked = {name: [each.said(language) for each in remarks(game)] for name, game in games.items()}
        print_json({"games": told, "faults": [], "remarks": remarked})
        return
    for name, game in games.items():
        typer.echo(_summary(name, game))
        for remark in remarks(game):
            typer.echo(f"  {remark.said(language)}")


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


def _games(file: str) -> dict[str, Description]:
    if file in description_names():
        return {file: load_ours(file)}
    return load(read_text(Path(file)), Path(file).stem if file != "-" else "arena")


def _game(file: str, wanted: str | None) -> tuple[str, Description]:
    try:
        games = _games(file)
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


def _fault(fault: Any, language: str) -> dict[str, str]:
    return {"path": fault.path, "found": fault.found, "expected": fault.wanted_in(language)}


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
