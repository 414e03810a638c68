"""Dark over both dialects: two games that a side cannot tell apart are the same bytes to it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.pawnhub import House, Opener, queued
from tests.kit.playing import play
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.rules.chess import ChessOptions, ChessRules, Move
from tablee.rules.contract import Seat
from tablee.tables import Wish

RULES = ChessRules("dark")
PLIES = 16


class Twins:
    """Two games that one side sees alike, though the other side has played otherwise."""

    def __init__(self, seed: int, watcher: Seat) -> None:
        self.watcher = watcher
        self.moves: list[tuple[str, str]] = []
        self._rng = Random(seed)
        facts = RULES.setup(ChessOptions(), (1, 2), 0, self._rng)
        self._one: Any = RULES.evolve(None, facts[0])
        self._other: Any = self._one
        while len(self.moves) < PLIES and self._play():
            pass

    @property
    def differ(self) -> int:
        """In how many moves the two games differ."""
        return sum(one != other for one, other in self.moves)

    def _play(self) -> bool:
        """One more move in each game, different ones of the hidden side where that can be."""
        firsts = _moves(self._one)
        self._rng.shuffle(firsts)
        for first in firsts:
            one = _after(self._one, first)
            if one.ended is not None:
                continue
            seconds = [first] if self._one.turn == self.watcher else _moves(self._other)
            self._rng.shuffle(seconds)
            for second in sorted(seconds, key=lambda move: move == first):
                if second not in _moves(self._other):
                    continue
                other = _after(self._other, second)
                if other.ended is None and self._alike(one, other):
                    self._one, self._other = one, other
                    self.moves.append((first, second))
                    return True
        return False

    def _alike(self, one: Any, other: Any) -> bool:
        views = [RULES.view(state, self.watcher) for state in (one, other)]
        legal = [RULES.legal(state, self.watcher).describe() for state in (one, other)]
        return bool(views[0] == views[1] and legal[0] == legal[1])


def _moves(state: Any) -> list[str]:
    return list(RULES.legal(state, state.turn).moves())  # type: ignore[attr-defined]


def _after(state: Any, move: str) -> Any:
    for fact in RULES.decide(state, state.turn, Move(move), 0, Random(0)):
        state = RULES.evolve(state, fact)
    return state


async def heard(house: House, clock: HandClock, twins: Twins, which: int, dialect: str) -> bytes:
    """All bytes that the watching side receives in one of the two games."""
    client = await (house.plain_member("Watcher") if dialect == "plain" else house.framed_member("Watcher"))
    other = await house.member("Other")
    watcher = await house.member("Watcher")
    for turn in (1, 2):
        if turn == twins.watcher:
            client.send("PLAY dark" if dialect == "plain" else "4~1")
            await until(lambda: is_in(house, "Watcher"))
        else:
            await house.tables.matchmaking.enter(other.id, "chess", "dark", Wish())
        await clock.advance(1)  # the first in the queue is White
    await until(lambda: house.door.present.here[watcher.id].game is not None)
    (info,) = await house.tables.lobby.of_account(watcher.id)
    sitting = info.seat_of(watcher.id)
    assert sitting is not None
    seat = sitting.seat
    live = await house.tables.open(info.id)
    await until(
        lambda: watcher.id in house.door.present.here and house.door.present.here[watcher.id].game is not None
    )
    rng = Random(7)
    letter = "w" if seat == 1 else "b"
    for ply, pair in enumerate(twins.moves):
        if live.waiting() == {seat}:
            tries = [_anything(rng) for _ in range(3)]
            for move in [*tries, pair[which]]:
                client.send(move if dialect == "plain" else f"30~M{letter}{move}")
        else:
            await play(house.tables, info.id, 3 - seat, Move(pair[which]))
        await until(lambda ply=ply: len(live.state.plies) > ply)  # type: ignore[misc,union-attr]
    client.send("RESIGN" if dialect == "plain" else f"30~M{letter}/end")
    await until(lambda: live.is_over)
    client.send("RULES dark" if dialect == "plain" else "0~Quit")
    received = b""
    ending = b"END\n" if dialect == "plain" else b"0~Quit".ljust(150, b"|")
    while not received.endswith(ending):
        more = await client.reader.read(65_536)
        assert more
        received += more
    return received


async def is_in(house: House, name: str) -> bool:
    account = await house.club.accounts.by_pseudo(name)
    return await queued(house, name) or bool(await house.tables.lobby.of_account(account.id))


def _anything(rng: Random) -> str:
    """A move that can be read and hardly ever be played: what is refused must not tell either."""
    return f"a{rng.choice('12')}{rng.choice('fgh')}{rng.choice('5678')}"


@pytest.mark.parametrize("dialect", ["plain", "framed"])
@pytest.mark.parametrize(("seed", "watcher"), [(1, 1), (2, 2), (3, 1), (4, 2)])
async def test_games_that_a_side_cannot_tell_apart_are_the_same_bytes_to_it(
    open_house: Opener, clock: HandClock, tmp_path: Path, dialect: str, seed: int, watcher: Seat
) -> None:
    twins = Twins(seed, watcher)
    assert twins.differ >= 2, "the two games are hardly different"
    one = await heard(await open_house(tmp_path / "one.sqlite"), clock, twins, 0, dialect)
    other = await heard(await open_house(tmp_path / "other.sqlite"), clock, twins, 1, dialect)
    assert one == other
    assert one.count(b"False" if dialect == "plain" else b"30~T") > len(twins.moves) // 2
