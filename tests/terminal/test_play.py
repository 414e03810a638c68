"""`tablee minehive play`: addresses, the plain mode through a pipe, and the catalogue of sentences."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from tests.kit.waiting import PATIENCE
from tests.terminal.scripted import Listener, board, players

from tablee.terminal import minehive
from tablee.terminal.entry import Address, read_address
from tablee.terminal.minehive.play import DEFAULT_PORT
from tablee.terminal.minehive.words import Words

PLAY = """
import sys
from tablee.terminal.minehive.play import play
sys.exit(play(sys.argv[1], plain=True, english="english" in sys.argv))
"""


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("example.org", Address("example.org", 5555)),
        ("example.org:6000", Address("example.org", 6000)),
        ("[::1]:6000", Address("::1", 6000)),
        ("[::1]", Address("::1", 5555)),
    ],
)
def test_an_address_has_a_host_and_perhaps_a_port(text: str, address: Address) -> None:
    assert read_address(text, DEFAULT_PORT) == address


@pytest.mark.parametrize("text", ["", ":5555", "host:", "host:0", "host:65536", "host:port", "a b", "::1"])
def test_another_address_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        read_address(text, DEFAULT_PORT)


class Pipe:
    """The plain client as a program with pipes for its input and output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, server: Listener, *options: str) -> Pipe:
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-c", PLAY, str(server.address), *options)
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        return cls(process)

    def types(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    async def end(self) -> tuple[int, str]:
        """Close the input and wait for the exit status and all that was said."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        output, _ = await asyncio.wait_for(self._process.communicate(), PATIENCE)
        assert self._process.returncode is not None
        return self._process.returncode, output.decode()


async def test_a_whole_game_can_be_piped_in(server: Listener, host: Listener) -> None:
    client = await Pipe.start(server)
    client.types(
        "Adil", "secret", "classement", "nouvelle tous", "K4", "marque A1", "plateau", "scores", "A2"
    )
    ended = asyncio.create_task(client.end())
    lobby = await server.peer()
    await lobby.expect("REGI#Adil#secret")
    lobby.say("IDOK")
    await lobby.expect("LSMA", "LSAV", "LSUS")
    lobby.say("LUNB#1", "USER#Adil#100")
    await lobby.expect("NWMA#ALL")
    lobby.say(f"NWOK#127.0.0.1#{host.address.port}")
    match = await host.peer()
    await match.expect("JOIN#Adil#secret")
    row = "#".join(["-1", "3", *["X"] * 28])
    match.say(*board({15: row}), *players("Adil#0#100#0#0", "Élise#0#0#0#0"))
    await match.expect("CLIC#3#10")
    match.say("SQRD#3#10#0#2#Adil", "SQRD#4#10#1#2#Adil")
    await match.expect("CLIC#1#0")
    match.say("SQRD#1#0#-1#-20#Adil")
    status, output = await ended
    assert status == 0
    for sentence in (
        "1. Adil : 100 points",
        "Vous êtes dans la partie : 2 joueurs, 0 % du plateau ouvert.",
        "A : !.... ..... ..... ..... ..... .....",
        "P : *3... ..... ..... ..... ..... .....",
        "1. Adil (actif) : 4 points, 104 au total, 2 cases, 0 mines",
        "Adil ouvre 2 cases autour de K4 : 4 points.",
        "Adil saute sur une mine en A2 : -20 points.",
        "Au revoir.",
    ):
        assert sentence in output


async def test_commands_are_answered_in_their_order(server: Listener, host: Listener) -> None:
    client = await Pipe.start(server, "english")
    client.types(
        "Adil", "secret", "ranking", "what?", "matches", "players", "new", "scores", "A1", "board A", "B2"
    )
    ended = asyncio.create_task(client.end())
    lobby = await server.peer()
    await lobby.hear()
    lobby.say("IDOK")
    await lobby.expect("LSMA", "LSAV", "LSUS")
    lobby.say("LMNB#0", "LANB#1", "AVAI#Adil#7", "LUNB#1", "USER#Adil#8")
    await lobby.expect("LSMA", "LSAV")
    lobby.say("LANB#1", "AVAI#Adil#7", "LMNB#0")
    await lobby.expect("LSMA", "LSAV")
    lobby.say("LMNB#0", "LANB#1", "AVAI#Adil#9")
    await lobby.expect("NWMA")
    lobby.say(f"NWOK#127.0.0.1#{host.address.port}")
    match = await host.peer()
    await match.hear()
    for line in [*board(), *players("Adil#0#1#0#0", "Aylin#0#2#0#0")]:  # in a segment each
        match.say(line)
        match.say("RUOK")
        assert await match.hear_all() == "IMOK"
    await match.expect("CLIC#0#0")
    match.say("SQRD#0#0#3#6#Adil")
    await match.expect("CLIC#1#1")
    match.say("LATE")
    _, output = await ended
    said = [
        "1. Adil: 8 points",
        "what?",
        "No match is running.",
        "1. Adil: 9 points",
        "You are in the match: 2 players, 0 % of the board open.",
        "1. Adil (active): 0 points, 1 in all",
        "A1",
        "A: 3....",
    ]
    places = [output.find(sentence) for sentence in said]
    assert -1 not in places, (said[places.index(-1)], output)
    assert places == sorted(places), output


async def test_a_match_whose_host_listens_late_is_joined(server: Listener) -> None:
    client = await Pipe.start(server)
    client.types("Adil", "secret", "nouvelle")
    lobby = await server.peer()
    await lobby.hear()
    lobby.say("IDOK")
    await lobby.expect("LSMA", "LSAV", "NWMA")
    with socket.socket() as kept:  # a port that is ours, and where nobody listens yet
        kept.bind(("127.0.0.1", 0))
        port = kept.getsockname()[1]
        lobby.say(f"NWOK#127.0.0.1#{port}")
        lobby.say("RUOK")
        while await lobby.hear_all() != "IMOK":  # NWOK was read before
            pass
    host = await Listener().start(port)
    match = await host.peer()
    await match.expect("JOIN#Adil#secret")
    match.say(*board(), *players("Adil#0#0#0#0"))
    status, output = await client.end()
    host.stop()
    assert status == 0
    assert "Vous êtes dans la partie : 1 joueur" in output


async def test_a_server_of_latin_1_is_read_and_spoken_to(server: Listener) -> None:
    client = await Pipe.start(server)
    client.types("Adil", "secret", "classement", "nouvelle Kévin")
    ended = asyncio.create_task(client.end())
    lobby = await server.peer()
    await lobby.hear()
    lobby.say("IDOK")
    await lobby.expect("LSMA", "LSAV", "LSUS")
    lobby.say_bytes(b"LUNB#1\r\nUSER#K\xe9vin#12\r\n")
    assert await lobby.hear_bytes() == b"NWMA#K\xe9vin\n"
    lobby.say("NWNO")
    _, output = await ended
    assert "1. Kévin : 12 points" in output


async def test_the_end_of_a_match_is_told_in_lines(server: Listener, host: Listener) -> None:
    client = await Pipe.start(server, "english")
    client.types("Adil", "secret")
    lobby = await server.peer()
    await lobby.hear()
    lobby.say(f"IDIG#127.0.0.1#{host.address.port}")
    lobby.close()
    match = await host.peer()
    await match.hear()
    match.say(*board(), *players("Adil#0#100#0#0"), "SCPC#Adil#50#150#1#0#BestMinesweeper", "ENDC#1")
    match.close()
    lobby = await server.peer()
    await lobby.hear()
    lobby.say("IDOK")
    status, output = await client.end()
    assert status == 0
    assert (
        "The match is over.\n1. Adil: 50 points, 150 in all, 1 squares, 0 mines. Best minesweeper" in output
    )


async def test_a_refused_password_ends_the_plain_client(server: Listener) -> None:
    client = await Pipe.start(server)
    client.types("Adil", "wrong")
    peer = await server.peer()
    await peer.expect("REGI#Adil#wrong")
    peer.say("IDNO")
    status, output = await client.end()
    assert status == 1
    assert "Refusé" in output


def test_both_languages_have_the_same_sentences_with_the_same_parts() -> None:
    catalogue = tomllib.loads(resources.files(minehive).joinpath("words.toml").read_text(encoding="utf-8"))
    french, english = catalogue["fr"], catalogue["en"]
    assert french.keys() == english.keys()
    for key in french:
        assert set(re.findall(r"{\w+}", french[key])) == set(re.findall(r"{\w+}", english[key])), key


def test_every_sentence_that_the_client_asks_for_is_in_the_catalogue_and_no_other() -> None:
    catalogue = tomllib.loads(resources.files(minehive).joinpath("words.toml").read_text(encoding="utf-8"))[
        "fr"
    ]
    source = "".join(path.read_text() for path in Path(minehive.__file__).parent.glob("*.py"))
    named = set(re.findall(r"""["']([a-z][a-zA-Z-]*)["']""", source))
    by_pattern = {key for key in catalogue if key.startswith(("honour-", "presence-"))}
    assert catalogue.keys() - named - by_pattern == set()
    asked = set(re.findall(r"""(?:words|Note|_seek_later|self)\(["']([a-z-]+)["']""", source))
    assert asked - catalogue.keys() == set()


def test_one_point_is_singular_and_french_zero_too() -> None:
    french, english = Words("fr"), Words("en")
    assert french("opened-one", name="A", square="K4", content="1", points=1).endswith("1 point.")
    assert french("mines-left", n=0) == "0 mine"
    assert english("mines-left", n=0) == "0 mines"
