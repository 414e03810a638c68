"""Dark over the web: of two games that somebody cannot tell apart, every byte that he gets is the same.

The two games are played in two houses that are alike to the number, with the clock held still.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.web import Guest, House, Live, open_house

from tablee.clock import HandClock
from tablee.rules.chess import Move
from tablee.rules.chess.model import ChessOptions
from tablee.rules.chess.rules import ChessRules
from tablee.rules.contract import SPECTATOR, Seat

Json = Any
RULES = ChessRules("dark")
PLIES = 14


class Pair:
    """Two games that a seat (or a spectator) cannot tell apart, made move by move."""

    def __init__(self, seat: Seat, rng: Random) -> None:
        self.seat = seat
        self.moves: tuple[list[str], list[str]] = ([], [])
        began = RULES.setup(ChessOptions(), (1, 2), 0, rng)
        self.states: list[Any] = [RULES.evolve(None, began[0])] * 2
        for _ in range(PLIES):
            self._step(rng)

    def _step(self, rng: Random) -> None:
        mover = self.states[0].turn
        ways = [RULES.legal(state, mover).describe()["moves"] for state in self.states]
        texts = [sorted(f"{a}{b}" for a, targets in way.items() for b in targets) for way in ways]
        tries = [(rng.choice(texts[0]), rng.choice(texts[1])) for _ in range(200)]
        same = sorted(set(texts[0]) & set(texts[1]))
        if mover == self.seat:
            tries = []
        tries += [(text, text) for text in rng.sample(same, len(same))]
        for one, other in tries:
            after = [
                self._played(state, mover, text)
                for state, text in zip(self.states, (one, other), strict=True)
            ]
            if None in after or any(state.ended for state in after):
                continue
            if RULES.view(after[0], self.seat) == RULES.view(after[1], self.seat):
                self.states = after
                self.moves[0].append(one)
                self.moves[1].append(other)
                return

    def _played(self, state: Any, mover: Seat, text: str) -> Any:
        try:
            facts = RULES.decide(state, mover, Move(text), 0, Random(0))
        except Exception:
            return None  # a promotion without its letter
        for fact in facts:
            state = RULES.evolve(state, fact)
        return state


class Party:
    """White, Black, a spectator and somebody without a name, with all that each of them gets."""

    def __init__(self, house: House, white: Guest, black: Guest, looker: Guest, nobody: Guest) -> None:
        self.house = house
        self.guests = {"white": white, "black": black, "looker": looker, "nobody": nobody}
        self.lives: dict[str, Live] = {}
        self.table = 0
        self.got: dict[str, list[str]] = {name: [] for name in self.guests}

    async def begin(self) -> None:
        white, black = self.guests["white"], self.guests["black"]
        body = {"game": "chess", "variant": "dark", "name": "Dans le noir"}
        self.table = (await white.post("/tables", body, status=201))["id"]
        await black.post(f"/tables/{self.table}/join", {})
        for name, guest in self.guests.items():
            live = self.lives[name] = await guest.live()
            await live.subscribe("table", table=self.table)
            await live.subscribe("lobby")
            if name != "nobody":
                for topic in ("notices", "turns", "friends", "queue", "challenges"):
                    await live.subscribe(topic)

    async def play(self, number: int, text: str) -> None:
        mover = self.guests["white" if number % 2 == 0 else "black"]
        await mover.post(
            f"/tables/{self.table}/play",
            {"action": {"do": "move", "move": text}, "request_id": f"m{number}"},
        )

    async def look(self, name: str) -> None:
        """Every route that tells of the table, and a move that cannot be."""
        guest, table = self.guests[name], self.table
        paths = [
            f"/tables/{table}", f"/tables/{table}/view", f"/tables/{table}/view?since=0",
            f"/tables/{table}/view?as=spectator", f"/tables/{table}/legal", f"/tables/{table}/history",
            f"/tables/{table}/history?as=spectator", f"/tables/{table}/results",
            f"/tables/{table}/export.pgn", f"/tables/{table}/export.fen",
            f"/tables/{table}/export.pgn?as=spectator", f"/tables/{table}/analysis?ply=3",
            f"/tables/{table}/film", f"/tables/{table}/film?as=spectator", f"/tables/{table}/review",
            f"/tables/{table}/picture.svg", f"/tables/{table}/picture.svg?as=spectator&step=3",
            f"/tables/{table}/conditions", f"/tables/{table}/conduct",
            "/tables", "/tables?status=running",
            "/account/tables", "/notices", "/challenges", "/conversations",
            "/players/Blanche", "/players/Noir", "/players/Noir/games",
            "/players/Noir/statistics/chess/dark", "/rankings/chess/dark", "/rankings/chess",
        ]  # fmt: skip
        for path in paths:
            answer = await guest.ask("GET", path)
            self.got[name].append(f"{path} {answer.status_code} {_plain(answer.text)}")
        for text in ("e1e8", "a8a1", "e2e5"):
            body = {"action": {"do": "move", "move": text}, "request_id": f"{len(self.got[name])}-{text}"}
            answer = await guest.ask("POST", f"/tables/{table}/play", body)
            self.got[name].append(f"{text} {answer.status_code} {answer.text}")
        for do in ("claim_draw", "ask_takeback", "cancel_premove"):
            body = {"action": {"do": do}, "request_id": f"{len(self.got[name])}-{do}"}
            answer = await guest.ask("POST", f"/tables/{table}/play", body)
            self.got[name].append(f"{do} {answer.status_code} {answer.text}")

    async def heard(self, name: str) -> dict[str, list[str]]:
        """All live messages so far, by type; who is there and who looks on is told in its own time."""
        told: dict[str, dict[str, None]] = {}
        known: set[str] = set()
        for message in await self.lives[name].settled():
            about = _plain(json.dumps(message.get("info")))
            if message["type"] == "info" and about in known:
                continue  # somebody came or went
            known.add(about)
            told.setdefault(message["type"], {})[_plain(json.dumps(message))] = None
        return {kind: list(messages) for kind, messages in told.items()}


def _plain(text: str) -> str:
    """Without what is drawn by lot: the secret of a table's link."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return json.dumps(_without_link(value))


def _without_link(value: Json) -> Json:
    if isinstance(value, dict):
        kept = {key: _without_link(inner) for key, inner in value.items()}
        return kept | {key: 0 for key in ("invitation", "spectators", "here") if key in kept}
    return [_without_link(inner) for inner in value] if isinstance(value, list) else value


@asynccontextmanager
async def party(folder: Path, name: str) -> AsyncIterator[Party]:
    async with open_house(f"sqlite:///{folder / name}.sqlite", clock=HandClock(1_700_000_000_000)) as house:
        white, black, looker = [await house.member(pseudo) for pseudo in ("Blanche", "Noir", "Curieux")]
        made = Party(house, white, black, looker, house.nobody())
        await made.begin()
        yield made


async def _all_that_is_got(folder: Path, name: str, moves: list[str], who: list[str]) -> Json:
    async with party(folder, name) as there:
        if name == "one" and who != ["black"]:
            # A plan that Black keeps to himself must not show either.
            for plan in ({"do": "premove", "move": "g8f6"}, {"do": "cancel_premove"}):
                body = {"action": plan, "request_id": plan["do"]}
                await there.guests["black"].post(f"/tables/{there.table}/play", body)
        for number, text in enumerate(moves):
            await there.play(number, text)
            if number % 5 == 4:
                for observer in who:
                    await there.look(observer)
        return {observer: (there.got[observer], await there.heard(observer)) for observer in who}


@pytest.mark.parametrize(
    ("seat", "who"), [(1, ["white"]), (2, ["black"]), (SPECTATOR, ["looker", "nobody"])], ids=str
)
async def test_two_games_that_somebody_cannot_tell_apart_are_the_same_to_the_byte(
    seat: Seat, who: list[str], tmp_path: Path
) -> None:
    pair = Pair(seat, Random(seat + 40))
    assert pair.moves[0] != pair.moves[1]
    assert len(pair.moves[0]) == PLIES
    one = await _all_that_is_got(tmp_path, "one", pair.moves[0], who)
    other = await _all_that_is_got(tmp_path, "other", pair.moves[1], who)
    for observer in who:
        routes, messages = one[observer]
        assert len(routes) > 50
        assert len(messages["update"]) == PLIES
        for mine, theirs in zip(one[observer][0], other[observer][0], strict=True):
            assert mine == theirs
        assert messages == other[observer][1]


async def test_a_player_who_looks_on_at_his_own_game_learns_nothing_by_it(tmp_path: Path) -> None:
    async with party(tmp_path, "own") as there:
        white, table = there.guests["white"], there.table
        await there.play(0, "e2e4")
        seen = (await white.ask("GET", f"/tables/{table}/view", **{"as": "spectator"})).json()["view"]
        assert seen["boards"] == {"1": "/".join(["?" * 8] * 8)}
        assert (seen["ply"], seen["moves"]) == (1, {"0": ["", ""]})
        await there.guests["black"].post(f"/tables/{table}/leave")
        seen = (await white.ask("GET", f"/tables/{table}/view", **{"as": "spectator"})).json()["view"]
        assert seen["fen"]
        assert seen["sights"]["black"].count("?") > 0


def without_clocks(pgn: str) -> str:
    return re.sub(r"\s+\{[^}]*\}", "", pgn)


async def test_when_it_is_over_the_files_are_whole(tmp_path: Path) -> None:
    async with party(tmp_path, "end") as there:
        white, table = there.guests["white"], there.table
        for number, text in enumerate(["e2e4", "d7d6", "d2d4"]):
            await there.play(number, text)
        running = (await white.ask("GET", f"/tables/{table}/export.pgn")).text
        assert "1. e4 -- 2. d4" in without_clocks(running)
        assert '[White "Blanche"]' in running
        assert '[TimeControl "2700"]' in running
        looked = (await there.guests["looker"].ask("GET", f"/tables/{table}/export.pgn")).text
        assert "e4" not in looked
        assert (await white.refused("GET", f"/tables/{table}/export.fen"))["code"] == "export_hidden"
        await there.guests["black"].post(f"/tables/{table}/leave")
        for guest in (white, there.guests["nobody"]):
            whole = await guest.ask("GET", f"/tables/{table}/export.pgn")
            assert "1. e4 d6 2. d4 1-0" in without_clocks(whole.text)
            assert whole.headers["content-type"].startswith("application/x-chess-pgn")
            fen = (await guest.ask("GET", f"/tables/{table}/export.fen")).text
            assert fen.startswith("rnbqkbnr/ppp1pppp/3p4/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2")


async def test_other_games_have_no_such_files_and_those_of_a_private_table_are_not_for_strangers(
    house: House,
) -> None:
    anne, stranger = await house.member(), await house.member()
    mines = (await anne.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    assert (await anne.refused("GET", f"/tables/{mines}/export.pgn"))["code"] == "no_export"
    body = {"game": "chess", "variant": "classic", "access": "private", "robots": ["beginner"]}
    table = (await anne.post("/tables", body, status=201))["id"]
    assert (await anne.ask("GET", f"/tables/{table}/export.fen")).text.endswith(" 0 1\n")
    for kind in ("pgn", "fen"):
        assert (await stranger.refused("GET", f"/tables/{table}/export.{kind}"))["code"] == "no_such_table"
    waiting = (await anne.post("/tables", {"game": "chess", "variant": "alice"}, status=201))["id"]
    assert (await anne.refused("GET", f"/tables/{waiting}/export.pgn"))["code"] == "not_started"
