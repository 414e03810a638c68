"""The reference console: it knows what a board does, plays to the end, and finds its way back."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.process import House

from tablee.rules.robots.board import compile_board
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.turn import Mecha, play_register
from tablee.terminal.dr2d import brain
from tablee.terminal.dr2d.console import SIDES, Console, play

BOARDS = sorted(shipped_boards())
AZIMUTHS = {side: azimuth for azimuth, side in SIDES.items()}


def tiles_of(name: str) -> brain.Tiles:
    console = Console()
    document = compile_board(shipped_boards()[name].document).document(0)
    tiles = [
        {"tileType": tile.tileType, "tileLocX": tile.tileLocX, "tileLocY": tile.tileLocY}
        for tile in document.boardActiveTiles
    ]
    console.declare({"boardIdx": 0, "boardActiveTiles": tiles})
    return console.boards[0]


@pytest.mark.parametrize("name", BOARDS)
def test_the_brain_moves_a_robot_that_is_alone_as_the_rules_do(name: str) -> None:
    board, tiles, rng = compile_board(shipped_boards()[name].document), tiles_of(name), Random(name)
    compared = 0
    for _ in range(3_000):
        x, y, side = rng.randint(1, 12), rng.randint(1, 12), rng.choice("NESO")
        register = rng.choice(brain.REGISTERS)
        codes = tuple(code[8:] for code in register)
        azimuth: Any = AZIMUTHS[side]
        robot = Mecha(1, x, y, azimuth, 7, 0, "racing", (x, y, azimuth))
        [after], steps = play_register(board, [robot], {1: codes}, 1, 1, 1)
        if any(step.code == "Damage_Pothole" for step in steps):
            continue
        thought = brain.played(tiles, (x, y, side), register)
        if thought is not None:
            compared += 1
            assert thought == (after.x, after.y, SIDES[after.azimuth]), (x, y, side, codes)
    assert compared > 1_000


def test_a_robot_with_little_energy_rests() -> None:
    assert brain.cartouche({}, (1, 1, "N"), (5, 5), 2) == [[brain.REST]] * 5


def test_a_robot_walks_to_its_goal() -> None:
    assert brain.cartouche({}, (1, 1, "E"), (4, 1), 7) == [[brain.AHEAD]] * 3
    assert len(brain.cartouche({}, (1, 1, "E"), (12, 12), 7)) == 5


def test_calls_that_it_does_not_know_are_echoed() -> None:
    call = {"seq": "RoundDance", "token": "123456789012", "argsIn": None, "argsRef": {"steps": 3}}
    reply = Console().answer(json.dumps({"stgyCall": call}))
    assert json.loads(reply or "") == {
        "stgyReply": {"seq": "RoundDance", "token": "123456789012", "argsRef": {"steps": 3}}
    }


def test_the_console_is_under_two_hundred_lines() -> None:
    folder = Path(brain.__file__).parent
    assert sum(len(file.read_text("utf-8").splitlines()) for file in folder.glob("*.py")) < 200


def test_two_consoles_of_the_command_line_race_to_the_end(tmp_path: Path) -> None:
    house = House(tmp_path / "data", "--no-demo")
    try:
        house.start()
        command = [sys.executable, "-m", "tablee", "robots", "console", house.ports["dr2d"]]
        first = subprocess.Popen([*command, "--name", "Ada"], stdout=subprocess.PIPE, text=True)
        second = subprocess.Popen([*command, "--quiet"], stdout=subprocess.PIPE, text=True)
        said, nothing = first.communicate(timeout=100)[0], second.communicate(timeout=100)[0]
        assert (first.returncode, second.returncode) == (0, 0)
        assert "PlayersDiscovery: Bienvenue!" in said
        assert "Enrichment_Victory" in said
        assert nothing == ""
        assert house.stop() == 0
    finally:
        house.close()
    assert "Traceback" not in house.log.read_text()


async def test_consoles_find_back_to_a_house_that_was_killed_and_started_again(tmp_path: Path) -> None:
    house = House(tmp_path / "data", "--no-demo")
    try:
        await asyncio.to_thread(house.start)
        url = house.ports["dr2d"]
        again = House(tmp_path / "data", "--no-demo", "--dr2d-port", str(house.address("dr2d")[1]))
        killed = asyncio.Event()

        class Watching(Console):
            def heard(self, seq: str, told: Any, args: Any) -> Any:
                if seq == "RoundStatusOfCompetitors":
                    killed.set()
                return super().heard(seq, told, args)

        consoles = [Watching("", lambda line: None), Console("", lambda line: None)]
        playing = [asyncio.create_task(play(url, console)) for console in consoles]
        await killed.wait()
        await asyncio.to_thread(house.kill)
        await asyncio.to_thread(again.start)
        await asyncio.gather(*playing)
        assert all(console.over for console in consoles)
    finally:
        house.close()
        again.close()


def test_a_house_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    for url in ("ws://127.0.0.1:9/dr2d", "nonsense"):
        command = [sys.executable, "-m", "tablee", "robots", "console", url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 1
        assert "cannot be reached" in done.stderr
        assert "Traceback" not in done.stderr
