"""The sixth game in a house: found by its entry point, played over the web API and in `tablee play`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.kit.http import NO_CERTIFICATES
from tests.kit.process import House
from tests.sixth_game.players import best_column

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0


@pytest.fixture
def visitor(house: House) -> Iterator[httpx.Client]:
    """Somebody without an account, who asks the house."""
    host, port = house.address("http")
    with httpx.Client(
        base_url=f"http://{host}:{port}/api/v1", timeout=PATIENCE, verify=NO_CERTIFICATES
    ) as client:
        tokens = client.post("/visitors", json={"language": "fr"}).json()
        client.headers["Authorization"] = f"Bearer {tokens['access']}"
        yield client


def lay(visitor: httpx.Client, *robots: str) -> int:
    wish = {"game": "puissance4", "variant": "classic", "robots": robots, "rated": False}
    answer = visitor.post("/tables", json=wish)
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def my_turn(visitor: httpx.Client, table: int) -> dict[str, Any] | None:
    """The view when it is one's turn; None when the game is over."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        seen: dict[str, Any] = visitor.get(f"/tables/{table}/view").json()
        if seen["seat"] in seen["waiting"]:
            return seen
        if not seen["waiting"]:
            return None
        time.sleep(0.05)
    raise AssertionError("waited in vain for one's turn")


def test_nothing_in_the_house_or_its_page_names_this_game() -> None:
    named = re.compile(r"puissance.?(4|quatre)|connect.?(4|four)", re.I)
    sources = [*(ROOT / "src").rglob("*"), *(ROOT / "web" / "src").rglob("*"), *(ROOT / "web").glob("*.*")]
    texts = [each for each in sources if each.suffix in {".py", ".ts", ".svelte", ".css", ".toml", ".html"}]
    assert len(texts) > 500
    built = ROOT / "src" / "tablee" / "doors" / "web" / "built_page"
    assert [path for path in texts if built not in path.parents and named.search(path.read_text())] == []


def test_a_game_touches_its_own_package_and_nothing_else() -> None:
    mine = {path.name for path in (Path(__file__).parent / "puissance4").iterdir() if path.is_file()}
    assert mine == {"__init__.py", "model.py", "robot.py", "rules.py", "words.toml"}
    lines = sum(
        len(path.read_text().splitlines()) for path in (Path(__file__).parent / "puissance4").glob("*.py")
    )
    assert lines < 350


def test_the_house_offers_it_with_its_words_and_actions(visitor: httpx.Client) -> None:
    games = visitor.get("/games").json()["games"]
    (game,) = [each for each in games if each["game"] == "puissance4"]
    assert game["robots"] == ["novice", "thinker"]
    assert game["words"]["fr"]["name"] == "Puissance 4"
    assert game["words"]["en"]["name"] == "Connect Four"
    forms = visitor.get("/games/puissance4/classic/actions").json()["actions"]
    assert list(forms) == ["drop"]
    assert forms["drop"]["$defs"]["Drop"]["properties"]["column"] == {"type": "integer"}
    assert visitor.get("/games/puissance4/blitz/actions").status_code == 404


def test_a_broken_package_beside_it_is_named_in_the_log(house: House) -> None:
    said = [line for line in house.log_lines() if line["event"] == "a game is left out"]
    assert [line["reason"] for line in said] == [
        "The games of the package “game-of-woe” cannot be used: no board"
    ]


def test_it_is_played_to_the_end_over_the_web_api(visitor: httpx.Client) -> None:
    table = lay(visitor, "novice")
    moves = 0
    while (seen := my_turn(visitor, table)) is not None:
        column = best_column(seen["view"]["rows"], seen["seat"])
        assert column in seen["legal"]["drop"]
        move = {"action": {"do": "drop", "column": column}, "request_id": f"move-{moves}"}
        answer = visitor.post(f"/tables/{table}/play", json=move)
        assert answer.status_code == 200, answer.text
        moves += 1
    info = visitor.get(f"/tables/{table}").json()
    assert info["status"] == "over"
    assert info["result"]["reason"] == "four"
    assert info["result"]["ranks"] == {"1": 1, "2": 2}
    steps = visitor.get(f"/tables/{table}/history", params={"after": 0, "limit": 100}).json()["steps"]
    told = [fact for step in steps for fact in step["facts"]]
    assert [fact["is"] for fact in told].count("dropped") in (2 * moves - 1, 2 * moves)
    assert told[-1] == {"is": "ended", "winner": 1, "reason": "four"}


def test_what_its_rules_refuse_is_said_in_its_words(visitor: httpx.Client) -> None:
    table = lay(visitor, "novice")
    assert my_turn(visitor, table) is not None
    move = {"action": {"do": "drop", "column": 9}, "request_id": "far"}
    answer = visitor.post(f"/tables/{table}/play", json=move)
    assert answer.status_code == 409
    assert answer.json()["error"]["parts"]["reason"] == "no_such_column"


class Terminal:
    """`tablee play` as a program with pipes, read as far as is wanted."""

    def __init__(self, house: House, *options: str) -> None:
        host, port = house.address("http")
        command = [sys.executable, "-m", "tablee", "play", f"{host}:{port}", *options]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.said: list[str] = []

    def until(self, *words: str) -> str:
        """Read until a line has one of these in it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            if any(word in line for word in words):
                return line
        raise AssertionError("\n".join(self.said))

    def types(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def grid(self) -> list[str]:
        """The board as it was last shown."""
        lines = [re.sub(r"[\d ]", "", line) for line in self.said if re.fullmatch(r"\d( [.XO]){7}", line)]
        return lines[-6:]


def finish(terminal: Terminal, turn: str, over: str) -> None:
    """Play on until the game is over."""
    while over not in terminal.until(turn, over):
        terminal.types(str(best_column(terminal.grid(), 1)))


def test_it_is_played_to_the_end_in_the_terminal(house: House) -> None:
    terminal = Terminal(house, "--game", "puissance4")
    finish(terminal, "À vous de jouer", "La partie est finie :")
    terminal.until("2. Débutant")
    assert "La partie est finie : Quatre jetons alignés." in terminal.said
    assert terminal.said[-2].startswith("1. Visiteur-")
    assert any(line.startswith("Débutant joue en colonne") for line in terminal.said)
    assert terminal.process.wait(PATIENCE) == 0


def test_in_the_terminal_a_game_goes_on_after_the_house_was_killed(house: House) -> None:
    terminal = Terminal(house, "--game", "puissance4", "--english", "--robot", "novice")
    terminal.until("It is your turn")
    terminal.types("drop 4")
    terminal.until("It is your turn")
    house.kill()
    terminal.until("The connection is lost")
    house.start()
    terminal.until("The connection is back")
    terminal.types("board")
    terminal.until("X = ")
    terminal.types(str(best_column(terminal.grid(), 1)))
    finish(terminal, "It is your turn", "The game is over:")
    assert "The game is over: Four in a line." in terminal.said
    assert terminal.process.wait(PATIENCE) == 0


def test_a_whole_script_can_be_piped_in_and_one_can_resign(house: House) -> None:
    host, port = house.address("http")
    command = [sys.executable, "-m", "tablee", "play", f"{host}:{port}", "--game", "puissance4"]
    script = 'aide\nchanter\n{"do": "drop", "column": 4}\ncoups\nabandonner\n'
    done = subprocess.run(
        command, input=script, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "« chanter » n’est pas un coup possible." in done.stdout
    assert "joue en colonne 4." in done.stdout
    assert "La partie est finie : Abandon." in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_two_people_meet_at_a_table_named_by_its_number(house: House, visitor: httpx.Client) -> None:
    table = lay(visitor)
    terminal = Terminal(house, "--table", str(table))
    terminal.until("Au tour de")
    visitor.post(f"/tables/{table}/play", json={"action": {"do": "drop", "column": 1}, "request_id": "one"})
    terminal.until("À vous de jouer")
    terminal.types("7")
    terminal.until("joue en colonne 7")
    terminal.types("quitter")
    assert terminal.process.wait(PATIENCE) == 0
    seen = my_turn(visitor, table)
    assert seen is not None
    assert seen["view"]["rows"][-1] == "X.....O"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--game", "whist"], "La maison n’a pas de jeu « whist ». Elle a : mines (classic)"),
        (
            ["--game", "puissance4", "--robot", "titan"],
            "Ce jeu n’a pas de robot « titan ». Il a : novice, thinker.",
        ),
        (["--table", "424242"], "424242"),
    ],
)
def test_what_the_house_does_not_have_is_said_in_a_sentence(
    house: House, options: list[str], said: str
) -> None:
    host, port = house.address("http")
    command = [sys.executable, "-m", "tablee", "play", f"{host}:{port}", *options]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert said in done.stderr
    assert done.returncode == 1


def test_it_is_exported_replayed_and_fuzzed_by_the_commands(house: House, visitor: httpx.Client) -> None:
    table = lay(visitor, "novice")
    assert my_turn(visitor, table) is not None
    visitor.post(f"/tables/{table}/play", json={"action": {"do": "drop", "column": 4}, "request_id": "one"})
    command = [sys.executable, "-m", "tablee"]
    saved = subprocess.run(
        [*command, "export", str(table), "--data", str(house.data)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(saved.stdout)["game"] == "puissance4"
    fuzzed = subprocess.run(
        [*command, "fuzz", "puissance4", "--seconds", "0"], capture_output=True, text=True, check=True
    )
    assert "puissance4 (classic) kept every promise." in fuzzed.stdout
    assert "game-of-woe" in fuzzed.stderr
