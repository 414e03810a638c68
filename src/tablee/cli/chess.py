"""`tablee chess`: what a developer wants of chess from the shell."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Annotated

import msgspec
import typer

from tablee.cli.stopping import Stop
from tablee.rules.chess.boards import BOARDS, VARIANTS, BadMove, ClassicBoard, read_move
from tablee.rules.chess.match import Match, play_match
from tablee.rules.chess.perft import perft
from tablee.rules.chess.robot import STRENGTHS
from tablee.terminal.pawnhub.play import play

app = typer.Typer(no_args_is_help=True, help="Chess and its variants: play, count moves, measure the robots.")

Variant = Annotated[str, typer.Argument(help="classic, alice, dark or horde.")]


@app.command("play")
def play_command(
    server: Annotated[
        str, typer.Argument(help="Where the house is: HOST, HOST:PORT or [IPV6]:PORT.", metavar="HOST[:PORT]")
    ] = "localhost",
    name: Annotated[str | None, typer.Option(help="Your pseudo; asked for if not given.")] = None,
    guest: Annotated[bool, typer.Option("--guest", help="Come as a visitor, without an account.")] = False,
    english: Annotated[bool, typer.Option("--english", help="Speak English instead of French.")] = False,
    letters: Annotated[bool, typer.Option("--letters", help="Letters for the pieces.")] = False,
) -> None:
    """Play chess in the terminal, over the plain dialect of Pawn Hub."""
    try:
        code = play(server, name=name, guest=guest, english=english, letters=letters)
    except ValueError as error:
        raise Stop(str(error), 2) from error
    raise typer.Exit(code)


@app.command("perft")
def perft_command(
    variant: Variant,
    depth: Annotated[int, typer.Argument(min=0, help="How many moves ahead.")],
    fen: Annotated[str | None, typer.Option(help="Position to begin with; else the start.")] = None,
    moves: Annotated[str, typer.Option(help="Moves to play first: “e2e4 e7e5”.")] = "",
) -> None:
    """Count the sequences of so many moves from a position."""
    board = _board(variant, fen)
    for text in moves.split():
        try:
            move = read_move(text)
        except BadMove as error:
            raise Stop(str(error)) from None
        if not board.may_play(move):
            raise Stop(f"The move {text} is not legal in {board.fen()}.")
        board.push(move)
    typer.echo(f"perft {variant} {depth}: {perft(board, depth)}")


def _board(variant: str, fen: str | None) -> ClassicBoard:
    if variant not in BOARDS:
        raise Stop(f"There is no variant “{variant}”. There are: {', '.join(VARIANTS)}.")
    if fen is None:
        return BOARDS[variant]()
    try:
        board = BOARDS[variant](fen)
    except ValueError as error:
        raise Stop(f"“{fen}” is no FEN of {variant}: {error}.") from None
    faults = board.faults()
    if faults:
        raise Stop(f"“{fen}” cannot be played. {' '.join(faults)}")
    return board


class Measure(msgspec.Struct, frozen=True):
    """What a robot did against a random player."""

    variant: str
    robot: str
    games: int
    first_seed: int
    won: int
    drawn: int
    lost: int
    plies: float
    reasons: dict[str, int]


@app.command("measure")
def measure_command(
    variant: Variant,
    robot: Annotated[str, typer.Option(help="Strength of the robot.")] = "master",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the first game.")] = 1,
    jobs: Annotated[int, typer.Option(min=0, help="Processes; 0: one a processor.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let a robot play against a player who plays anything, and say how many games it wins."""
    if variant not in BOARDS:
        raise Stop(f"There is no variant “{variant}”. There are: {', '.join(VARIANTS)}.")
    if robot not in STRENGTHS:
        raise Stop(f"There is no robot “{robot}”. There are: {', '.join(STRENGTHS)}.")
    measured = measure(variant, robot, games, seed, jobs)
    if json:
        typer.echo(msgspec.json.encode(measured).decode())
        return
    typer.echo(
        f"{robot} in {variant}: {measured.won} won, {measured.drawn} drawn, {measured.lost} lost "
        f"of {games}, {measured.plies:.0f} half-moves a game"
    )


def measure(variant: str, robot: str, games: int, seed: int = 1, jobs: int = 0) -> Measure:
    """Play so many games, from this seed on, in so many processes."""
    with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        played = list(pool.map(partial(_match, variant, robot), range(seed, seed + games)))
    reasons: dict[str, int] = {}
    for game in played:
        reasons[game.reason] = reasons.get(game.reason, 0) + 1
    return Measure(
        variant=variant,
        robot=robot,
        games=games,
        first_seed=seed,
        won=sum(game.points == 1 for game in played),
        drawn=sum(game.points == 0.5 for game in played),
        lost=sum(game.points == 0 for game in played),
        plies=sum(game.plies for game in played) / games,
        reasons=reasons,
    )


def _match(variant: str, robot: str, seed: int) -> Match:
    return play_match(variant, STRENGTHS[robot], seed)
