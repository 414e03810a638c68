"""How fast are rounds of robots, how long do their players think, and how soon have consoles heard a round?

`python -m bench.robots [--quick] [--races N] [--games N] [QUESTION…]`; `consoles --games 500` is the house
that we promise.

The ceiling beside the rounds is the JSON of what they tell, written and read by msgspec: every round that is
played must be written to the log and read from it again, however fast it was worked out. That the rounds are
right is checked on the way, against the plain telling of the rules in the tests, whose time is not compared.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from random import Random

import msgspec
from bench.robots_load import AIM_GAMES, served
from tests.rules.robots.slow import SlowRound

from tablee.cli.robots import measure
from tablee.rules.robots.board import Board, compile_board, place_of
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.cartouche import Cartouche
from tablee.rules.robots.floor import Floor
from tablee.rules.robots.showing import some_cartouche
from tablee.rules.robots.starts import proposed_start, starting_tiles
from tablee.rules.robots.turn import Mecha, Step, placed, play_round, run_register

AIM_MILLISECONDS = 50
AIM_ROUNDS = 25
Round = tuple[tuple[Mecha, ...], dict[int, Cartouche], int]
"""The robots before a round, their cartouches, and its number."""

Steps = tuple[tuple[Step, ...], ...]


def fullest() -> tuple[str, Board]:
    """The board of ours with the most active tiles."""
    boards = {name: compile_board(each.document) for name, each in shipped_boards().items()}
    name = max(boards, key=lambda name: sum(tile != "neutre" for tile in boards[name].names))
    return name, boards[name]


def prepared(board: Board, robots: int, rounds: int) -> list[Round]:
    """Rounds of races with any cartouches, a new race when one is over."""
    rng = Random(8)
    made: list[Round] = []
    mechas: tuple[Mecha, ...] = ()
    number = 0
    while len(made) < rounds:
        if number == 0 or number > 60 or not any(mecha.status == "racing" for mecha in mechas):
            tiles = list(starting_tiles(board))
            mechas = tuple(
                placed(seat, *proposed_start(board, tiles, seat - 1, robots)) for seat in range(1, robots + 1)
            )
            number = 1
        cartouches = {
            mecha.seat: some_cartouche(mecha.energy, rng) for mecha in mechas if mecha.status == "racing"
        }
        made.append((mechas, cartouches, number))
        mechas = play_round([board], 0, mechas, cartouches, number).mechas
        number += 1
    return made


def engine(rounds: int, turns: int) -> bool:
    """Rounds a second of 2 and of 8 robots on the fullest board, beside their JSON alone; best of turns."""
    name, board = fullest()
    tiles = {place_of(number): tile for number, tile in enumerate(board.names) if tile != "neutre"}
    print(f"  the fullest board is {name}, with {len(tiles)} active tiles")
    right = True
    for robots in (2, 8):
        made = prepared(board, robots, rounds)
        told = [play_round([board], 0, *each).registers for each in made]
        kinds: dict[str, Callable[[], object]] = {
            "told step by step": lambda made=made: _play(board, made),  # type: ignore[misc]
            "untold, as players think": lambda made=made: _think(board, made),  # type: ignore[misc]
            "the JSON of the steps alone": lambda told=told: _write(told),  # type: ignore[misc]
        }
        best = dict.fromkeys(kinds, 0.0)
        for _ in range(turns):
            for kind, work in kinds.items():
                begun = time.process_time()
                work()
                best[kind] = max(best[kind], rounds / (time.process_time() - begun))
        steps = sum(len(register) for each in told for register in each) / rounds
        print(f"  {robots} robots, {steps:.0f} steps a round:")
        ceiling = best["the JSON of the steps alone"]
        for kind, rate in best.items():
            print(f"    {kind:<28} {rate:>9,.0f} rounds/s, {rate / ceiling:.2f} of the JSON's")
        wrong = sum(
            SlowRound(tiles, mechas).play(cartouches, number)
            != play_round([board], 0, mechas, cartouches, number).mechas
            for mechas, cartouches, number in made[:300]
        )
        print(f"    {wrong} of {min(rounds, 300)} rounds differ from the plain telling of the rules")
        right = right and wrong == 0
    return right


def _play(board: Board, made: Sequence[Round]) -> None:
    for mechas, cartouches, number in made:
        play_round([board], 0, mechas, cartouches, number)


def _think(board: Board, made: Sequence[Round]) -> None:
    for mechas, cartouches, number in made:
        floor = Floor(board, mechas, telling=False)
        for register in range(1, 6):
            codes = {seat: each[register - 1] for seat, each in cartouches.items() if len(each) >= register}
            run_register(floor, codes, number, register, len(mechas))


def _write(told: Sequence[Steps]) -> None:
    decoder = msgspec.json.Decoder(Steps)
    for steps in told:
        decoder.decode(msgspec.json.encode(steps))


def players(games: int, races: int) -> bool:
    """Rounds to the third law on every board and the time of a decision, alone and among eight."""
    measured = measure(list(shipped_boards()), games, races, 8)
    reached = True
    for one in measured.alone:
        print(
            f"  {one.robot} alone on {one.board}: at most {one.most} rounds of {one.games} games "
            f"(the pilot's aim: {AIM_ROUNDS}), {one.milliseconds:.1f} ms at p95 (aim: {AIM_MILLISECONDS})"
        )
        in_time = one.most <= AIM_ROUNDS or one.robot != "pilot"
        reached = reached and in_time and one.milliseconds < AIM_MILLISECONDS
    for other in measured.together:
        print(
            f"  8 pilots on {other.board}: the first after {other.first:.1f} rounds, the last after "
            f"{other.last:.1f}, {other.milliseconds:.1f} ms at p95 (aim: {AIM_MILLISECONDS})"
        )
        reached = reached and other.milliseconds < AIM_MILLISECONDS
    return reached


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.robots", description=__doc__)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help="engine, players, consoles")
    parser.add_argument("--quick", action="store_true", help="smaller and shorter")
    parser.add_argument("--races", type=int, default=50, help="races of eight pilots")
    parser.add_argument(
        "--games", type=int, default=50, help=f"games of consoles at once; {AIM_GAMES} is the aim"
    )
    asked = parser.parse_args()
    questions: dict[str, Callable[[], bool]] = {
        "engine": lambda: engine(300 if asked.quick else 2_000, 3 if asked.quick else 10),
        "players": lambda: players(*((2, 5) if asked.quick else (20, asked.races))),
        "consoles": lambda: served(5 if asked.quick else asked.games, 2),
    }
    unknown = set(asked.questions) - questions.keys()
    if unknown:
        parser.error(f"there is no question {', '.join(sorted(unknown))}: {', '.join(questions)}")
    passed = [ask() for name, ask in questions.items() if not asked.questions or name in asked.questions]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
