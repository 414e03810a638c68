"""The chess client of the terminal: its boards, its idea of a game, and games at a real server."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.kit.process import House
from tests.kit.waiting import PATIENCE

from tablee.terminal.catalogue import Catalogue
from tablee.terminal.entry import Address
from tablee.terminal.pawnhub.board import BadBoard, draw, read_board
from tablee.terminal.pawnhub.client import Client
from tablee.terminal.pawnhub.game import Game, Heard, OutOfOrder


def test_a_board_is_drawn_with_ones_own_side_below() -> None:
    squares = read_board("kE1pE4!kE8hG8#")
    assert draw(squares, from_white=True, letters=True) == [
        "  8 · · · · k · h · 8",
        "  7 · · · · · · · · 7",
        "  6 · · · · · · · · 6",
        "  5 · · · · · · · · 5",
        "  4 · · · · P · · · 4",
        "  3 · · · · · · · · 3",
        "  2 · · · · · · · · 2",
        "  1 · · · · K · · · 1",
        "    A B C D E F G H",
    ]
    assert draw(squares, from_white=False)[0] == "  1 · · · ♔ · · · · 1"


def test_both_boards_of_alice_are_drawn_beside_each_other() -> None:
    heard: list[str] = []
    client = Client(Address("localhost", 1), Catalogue("tablee.terminal.pawnhub", "fr"), heard.append)
    for line in ("OK", "GAME 1 alice Bob", "1", "kE1!kE8#", "pE4!#", "1"):
        client.hear(line)
    assert "Échiquier 1            Échiquier 2" in heard
    assert "  8 · · · · ♚ · · · 8    8 · · · · · · · · 8" in heard
    assert "  4 · · · · · · · · 4    4 · · · · ♙ · · · 4" in heard
    assert heard[-1] == "Coup 1, aux Blancs : à vous."


def test_the_last_move_and_the_clocks_are_shown() -> None:
    heard: list[str] = []
    client = Client(Address("localhost", 1), Catalogue("tablee.terminal.pawnhub", "fr"), heard.append)
    for line in ("OK", "OK", "GAME 1 classic Bob", "0", "kE1!kE8#", "1", "SAN 1 Kd1", "CLOCK 181000 180000"):
        client.hear(line)
    for line in ("kD1!kE8#", "False", "2"):
        client.hear(line)
    assert heard[-3:] == ["Joué : Kd1", "Pendules : Blancs 3:01, Noirs 3:00", "Coup 2, aux Noirs : à vous."]


@pytest.mark.parametrize("text", ["", "!", "#", "pA2#", "pA2!", "pA!#", "xA2!#", "pI2!#", "pA9!#", "!#x"])
def test_what_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(BadBoard):
        read_board(text)


def test_a_game_knows_what_comes_next() -> None:
    game = Game("1", "alice", "Bob")
    for line in ("1", "kE1!kE8#", "!#"):
        assert game.hear(line) is Heard.NOTHING
    assert game.hear("1") is Heard.TURN
    assert game.is_my_turn
    assert game.hear("False") is Heard.REFUSED
    assert game.hear("True") is Heard.ACCEPTED
    for line in ("!kE8#", "kE2!#", "False"):
        assert game.hear(line) is Heard.NOTHING
    assert game.hear("2") is Heard.TURN
    assert not game.is_my_turn
    assert game.boards[1] == {"E2": "K"}
    with pytest.raises(OutOfOrder):
        game.hear("hello")
    for line in ("!kE8#", "kE2!#", "True"):
        game.hear(line)
    assert game.hear("WHITE resigned") is Heard.OVER
    assert game.result == "WHITE resigned"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    house = House(tmp_path / "data", "--no-demo", "--pawnhub-plain-port", str(port))
    house.start()
    yield house
    house.close()


def start(house: House, *options: str) -> subprocess.Popen[str]:
    """`tablee chess play` with pipes."""
    host, port = house.address("pawnhub_plain")
    command = [sys.executable, "-m", "tablee", "chess", "play", f"{host}:{port}", *options]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_a_whole_game_is_piped_through_two_clients(house: House) -> None:
    ada, bob = start(house, "--name", "Ada"), start(house, "--name", "Bob", "--english", "--letters")
    assert ada.stdin is not None
    ada.stdin.write("secret\njouer classic\nf2f3\ng2g5\ng2g4\n")
    ada.stdin.flush()
    told = ""
    assert ada.stdout is not None
    while "Vous attendez un adversaire" not in told:
        told += ada.stdout.readline()
    bobs = bob.communicate("secret\nplay classic\ne7e5\nd8h4\nrules dark\n", timeout=PATIENCE)[0]
    adas = told + ada.communicate(timeout=PATIENCE)[0]
    assert ada.returncode == bob.returncode == 0
    assert "Ce coup n'est pas possible." in adas
    assert "Vous avez perdu : échec et mat." in adas
    assert "Coup 1, aux Blancs : à vous." in adas
    clocks = re.findall(r"Pendules : Blancs \d+:\d\d, Noirs \d+:\d\d", adas)
    assert len(clocks) >= 4, "when the game begins and at each turn"
    assert "Joué : f3" in adas
    assert "You have won: mate." in bobs
    assert "  4 " in bobs
    assert bobs.count("Échecs sombres") == 1


def test_a_game_against_a_robot_is_piped_and_shows_moves_in_letters(house: House) -> None:
    """Whichever colour falls to one, d2d3 or d7d6 is the first move that can be."""
    one = start(house, "--guest", "--letters")
    told = one.communicate("robot dark beginner\nd2d3\nd7d6\nabandonner\n", timeout=PATIENCE)[0]
    assert one.returncode == 0
    assert "Partie (dark) contre le robot débutant." in told
    assert "n'est ni un coup ni une commande" not in told, "moves wait for the game"
    assert re.search(r"Joué : d[36]\b", told)
    assert "Vous avez perdu : abandon." in told


def test_a_wrong_password_and_a_server_that_is_not_there_end_with_a_sentence(house: House) -> None:
    first = start(house, "--name", "Ada").communicate("secret\n", timeout=PATIENCE)[0]
    assert "Personne ne s'appelait Ada : ce compte est maintenant le vôtre." in first
    again = start(house, "--name", "Ada").communicate("secret\n", timeout=PATIENCE)[0]
    assert "Vous êtes au Pawn Hub, Ada." in again
    assert "ce compte est maintenant" not in again
    refused = start(house, "--name", "Ada")
    assert "Refusé" in refused.communicate("wrong\n", timeout=PATIENCE)[0]
    assert refused.returncode == 1
    empty = start(house)
    assert "ne peuvent être vides" in empty.communicate("\n\n", timeout=PATIENCE)[0]
    assert empty.returncode == 2
    house.stop()
    ended = subprocess.run(
        [sys.executable, "-m", "tablee", "chess", "play", "127.0.0.1:1", "--guest"],
        input="", capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    assert "ne répond pas" in ended.stdout


class Someone:
    """A player in this process who keeps what he is told."""

    def __init__(self, house: House, name: str) -> None:
        words = Catalogue("tablee.terminal.pawnhub", "en")
        self.client = Client(Address(*house.address("pawnhub_plain")), words, self._hear)
        self.client.pause = 0.1
        self.told: list[str] = []
        self._heard = asyncio.Event()
        self.running = asyncio.create_task(self.client.run((name, "secret")))

    def _hear(self, sentence: str) -> None:
        self.told.append(sentence)
        self._heard.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._heard.clear()
                await self._heard.wait()

    async def hears(self, part: str) -> None:
        await self.until(lambda: any(part in sentence for sentence in self.told))


async def test_a_game_goes_on_after_the_server_died(house: House) -> None:
    ada, bob = Someone(house, "Ada"), Someone(house, "Bob")
    for one in (ada, bob):
        await one.hears("You are at the Pawn Hub")
        one.client.obey("play horde")
        await one.hears("You wait for an opponent")
    await ada.hears("Turn 1, White: yours.")
    ada.client.obey("e2e3")
    await bob.hears("Turn 2, Black: yours.")
    bob.client.obey("say hello")
    await ada.hears("[GAME] Bob: hello")
    await asyncio.to_thread(house.kill)
    for one in (ada, bob):
        await one.hears("The connection is lost")
        one.told.clear()
    await asyncio.to_thread(house.start)
    await bob.hears("Turn 2, Black: yours.")
    await ada.hears("Turn 2, Black: Bob is thinking.")
    bob.client.obey("a5a4")
    await ada.hears("Turn 3, White: yours.")
    ada.client.obey("resign")
    await bob.hears("You have won: resignation.")
    await ada.hears("You have lost: resignation.")
    for one in (ada, bob):
        one.client.obey("quit")
        await one.running
