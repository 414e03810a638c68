"""Swiss tournaments played by chance: some are away, some forfeit, the stronger wins more often."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tablee.tournaments.pairing.history import Game, History, Player, Round

ANSWER = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}


def played(
    pairing: Callable[[History], Round], entrants: int, rounds: int, seed: int, away: float = 0.05
) -> dict[int, list[Game]]:
    """The results of everybody; each round is looked at before it is played."""
    chance = Random(seed)
    results: dict[int, list[Game]] = {no: [] for no in range(1, entrants + 1)}
    for number in range(1, rounds + 1):
        absent = {str(no): chance.choice("HZ") for no in results if chance.random() < away}
        history = history_of(results, rounds, number, absent)
        check(history, found := pairing(history))
        for white, black in found.pairs:
            mark = chance.choices("1=0+-", [6 + (black - white) / entrants * 5, 3, 5, 0.4, 0.4])[0]
            results[white].append(Game(black, "w", mark))  # type: ignore[arg-type]
            results[black].append(Game(white, "b", ANSWER[mark]))  # type: ignore[arg-type]
        if found.bye is not None:
            results[found.bye].append(Game(0, "-", "U"))
        for no, mark in absent.items():
            results[int(no)].append(Game(0, "-", mark))  # type: ignore[arg-type]
    return results


def history_of(
    results: dict[int, list[Game]], rounds: int, number: int, absent: dict[str, str] | None = None
) -> History:
    players = tuple(Player(no, 2500 - no, tuple(games)) for no, games in results.items())
    return History(rounds, number, players, absent or {})  # type: ignore[arg-type]


def check(history: History, found: Round) -> None:
    """Everybody stands once, nobody meets again, has a second bye or a colour that he must not have."""
    players = {player.no: player for player in history.players}
    seen = [no for pair in found.pairs for no in pair] + ([found.bye] if found.bye is not None else [])
    assert sorted(seen) == [player.no for player in history.present]
    if found.bye is not None:
        assert not players[found.bye].had_bye
    for white, black in found.pairs:
        assert black not in players[white].opponents
        for no, colour in ((white, "w"), (black, "b")):
            had: list[str] = [game.colour for game in players[no].results if game.was_played]
            if not (history.is_last and players[no].points > (history.round - 1) / 2):
                assert had[-2:] != [colour, colour]
                assert had.count(colour) - (len(had) - had.count(colour)) < 2
