"""What does one move of each game pass, from the bytes that come in to the bytes that go out?

A house is opened in this process, with the door that the game is at home at; other moves come first, so that
everything is loaded, and the house's clock stands still. Counted on the event loop's thread, until all who
play have been told: the functions of `tablee`, the files they are in, how often they convert something (JSON
or text read or written, a Struct made or taken apart by msgspec), and how often a fact is applied to a state.
`python -m bench.walk [--names] [GAME…]`
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from pathlib import Path
from types import BuiltinFunctionType, FrameType, ModuleType
from typing import Any, Self

import uvloop
from tests.kit import afjd, dr2d, minehive, pawnhub, web
from tests.kit.waiting import until

import tablee
from tablee.clock import HandClock

SOURCE = str(Path(tablee.__file__).parent) + "/"
SETTLING = 0.3
"""Seconds in which what the moves before have left to do is done."""
MSGSPEC = {"encode", "decode", "json_encode", "json_decode", "encode_into", "convert", "to_builtins"}
JSON = {json.loads.__code__: "json.loads", json.dumps.__code__: "json.dumps"}


class Passed:
    """What is passed while this is entered."""

    def __init__(self) -> None:
        self.functions: Counter[tuple[str, str]] = Counter()
        self.conversions: Counter[tuple[str, str]] = Counter()
        self.applied = 0

    async def __aenter__(self) -> Self:
        await asyncio.sleep(SETTLING)
        sys.setprofile(self._note)
        return self

    async def __aexit__(self, *_: object) -> None:
        sys.setprofile(None)

    @property
    def files(self) -> set[str]:
        return {file for file, _ in self.functions}

    def _note(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "call":
            self._enter(frame)
        elif event == "c_call" and (file := ours(frame)) and (name := conversion(called)):
            self.conversions[file, name] += 1

    def _enter(self, frame: FrameType) -> None:
        file, code = ours(frame), frame.f_code
        if file and not code.co_name.endswith(("comp>", "<genexpr>")):
            self.functions[file, code.co_qualname] += 1
            # Each game has one such function; the method of its rules only calls it.
            self.applied += code.co_qualname == "evolve"
        elif code in JSON and frame.f_back is not None and (caller := ours(frame.f_back)):
            self.conversions[caller, JSON[code]] += 1


def ours(frame: FrameType) -> str:
    """The file of `tablee` that a frame is in; "" elsewhere."""
    file = frame.f_code.co_filename
    return file[len(SOURCE) :] if file.startswith(SOURCE) else ""


def conversion(called: BuiltinFunctionType) -> str:
    """What a function in C converts with; "" for all others."""
    owner, name = called.__self__, called.__name__
    if isinstance(owner, str | bytes | bytearray) and name in ("encode", "decode"):
        return f"{type(owner).__name__}.{name}"
    module = owner.__name__ if isinstance(owner, ModuleType) else type(owner).__module__
    return f"{module}.{name}" if module.startswith("msgspec") and name in MSGSPEC else ""


async def mines(folder: Path, passed: Passed) -> None:
    """A CLIC that opens one square, told to both players of a Minehive match."""
    house = await minehive.House.open(folder / "tablee.sqlite", HandClock(), folder)
    address = await house.match()
    players = [await house.player(name, address) for name in ("Adil", "Aylin")]
    await players[0].lines_until("CONN")
    live = await house.live()
    for measured in (False, True):
        state = live.state
        square = next(s for s in range(480) if chr(state.truth[s]) in "12345" and chr(state.shown[s]) == "X")
        async with passed if measured else nullcontext():
            players[0].send(f"CLIC#{square % 30}#{square // 30}")
            for player in players:
                await player.lines_until("SQRD")
    await house.close()


async def chess(folder: Path, passed: Passed) -> None:
    """A move in the plain dialect of Pawn Hub, told to both players."""
    house = await pawnhub.House.open(folder / "tablee.sqlite", HandClock())
    white, black = await house.plain_pair()
    await white.move("E2E4", black)
    await black.move("E7E5", white)
    async with passed:
        await white.move("G1F3", black)
    await house.close()


async def robots(folder: Path, passed: Passed) -> None:
    """The last cartouche of a turn, which runs the turn and calls both consoles of DR2D."""
    house = await dr2d.House.open(folder / "tablee.sqlite", HandClock())
    first, second = await house.racing()
    for measured in (False, True):
        await first.program(["Move_90Left"])
        await until(lambda: house.view(house.table_id).robots[1].ready)
        async with passed if measured else nullcontext():
            await second.program(["Move_90Left"])
            for console in (first, second):
                assert await console.call() == "RoundRobotMovement"
        if not measured:
            for console in (first, second):
                await console.echo()
            await asyncio.gather(*(c.until("RoundRequireCartouche") for c in (first, second)))
    await house.close()


async def diplomacy(folder: Path, passed: Passed) -> None:
    """The orders of one power by the call of AFJD, while the others still think."""
    house = await afjd.House.open(folder / "tablee.sqlite", HandClock(), folder)
    game = await house.running()
    await game.hold(1)
    orders = [afjd.hold(2, kind, zone) for kind, zone in (await game.position())["units"]["2"]]
    async with passed:
        await game.player[2].post(f"/game-orders/{game.id}", role_id=2, orders=orders)
    await house.close()


async def arena(folder: Path, passed: Passed) -> None:
    """A card put away over the WebSocket of the web API, while both players listen to the table."""
    house = await web.House.open(f"sqlite:///{folder / 'tablee.sqlite'}", HandClock())
    people = [await house.member(), await house.member()]
    body = {"game": "arena", "variant": "standard", "seats": 2}
    table = (await people[0].post("/tables", body, status=201))["id"]
    await people[1].post(f"/tables/{table}/join", {})
    lives, views = {}, {}
    for person in people:
        live = await person.live()
        await live.subscribe("table", table=table)
        view = (await live.take("table"))["view"]
        lives[view["you"]], views[view["you"]] = live, view
    first = views[1]["turn"]
    for seat in (first, 3 - first):  # in the first round a turn is one card
        action = {"do": "discard", **views[seat]["hand"][0]}
        move = {"type": "play", "table": table, "action": action, "request_id": f"seat-{seat}"}
        async with nullcontext() if seat == first else passed:
            await lives[seat].send(move)
            await lives[seat].take("played")
            for live in lives.values():
                await live.take("update")
    await house.close()


WALKS: dict[str, tuple[str, Callable[[Path, Passed], Coroutine[Any, Any, None]]]] = {
    "mines": ("Minehive `CLIC`", mines),
    "chess": ("Pawn Hub, a plain move", chess),
    "robots": ("DR2D, the turn's last cartouche", robots),
    "diplomacy": ("AFJD, `POST /game-orders`", diplomacy),
    "arena": ("web API, `play` by WebSocket", arena),
}


def walk(game: str) -> Passed:
    """One move of this game, counted."""
    passed = Passed()
    with (
        tempfile.TemporaryDirectory(prefix="tablee-walk-") as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(WALKS[game][1](Path(folder), passed))
    return passed


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.walk", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these")
    parser.add_argument("--names", action="store_true", help="name all that was passed, and how often")
    parser.add_argument("--quick", action="store_true", help="the same: this one is short")
    asked = parser.parse_args()
    print("| a move of | functions | files | conversions | facts applied |")
    print("|---|---|---|---|---|")
    for game in asked.games or WALKS:
        passed = walk(game)
        figures = len(passed.functions), len(passed.files), passed.conversions.total(), passed.applied
        print(f"| {game}: {WALKS[game][0]} | {' | '.join(map(str, figures))} |", flush=True)
        if asked.names:
            for (file, name), times in sorted((passed.functions + passed.conversions).items()):
                print(f"    {times:5} {file} {name}")


if __name__ == "__main__":
    main()
