"""Swiss tournaments played by chance: some are away, some forfeit, the stronger wins more often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tablee.tournaments.pairing.history import Game, History, NoPairing, Player, Round

ANSWER = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}


def played(
    pairing: Callable[[History], Round], entrants: int, rounds: int, seed: int, away: float = 0.05
) -> dict[int, list[Game]]:
    """The results of everybody; each round is looked at before it is played.

    A round that cannot be paired, as happens to a few with some away, is played by nobody.
    """
    chance = Random(seed)
    results: dict[int, list[Game]] = {no: [] for no in range(1, entrants + 1)}
    for number in range(1, rounds + 1):
        absent = {str(no): chance.choice("HZ") for no in results if chance.random() < away}
        history = history_of(results, rounds, number, absent)
        try:
            check(history, found := pairing(history))
        except NoPairing:
            assert not can_be_paired(history), "There is a round that keeps the rules."
            found, absent = Round([], None), dict.fromkeys(map(str, results), "Z")
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
        is_free = is_top(history, players[white]) or is_top(history, players[black])
        assert is_free or (may_have(players[white], "w") and may_have(players[black], "b"))


def is_top(history: History, player: Player) -> bool:
    """In the last round, with more than half of the points: only pairs without such a one must both have
    a colour that they may have (Dutch rules, C.3)."""
    return history.is_last and player.points > (history.round - 1) / 2


def may_have(player: Player, colour: str) -> bool:
    """Not a third time in a row, and not three more of it than of the other."""
    had: list[str] = [game.colour for game in player.results if game.was_played]
    return had[-2:] != [colour, colour] and 2 * had.count(colour) - len(had) < 2


def can_be_paired(history: History) -> bool:
    """Whether there is a round that keeps the rules, found by trying all; for a few players."""
    present = history.present
    if len(present) < 2:
        return False
    assert len(present) <= 10, "So many can be paired."

    def may_meet(one: Player, other: Player) -> bool:
        if other.no in one.opponents:
            return False
        if is_top(history, one) or is_top(history, other):
            return True
        ways = ((one, other), (other, one))
        return any(may_have(white, "w") and may_have(black, "b") for white, black in ways)

    def paired(left: Sequence[Player]) -> bool:
        return not left or any(
            may_meet(left[0], other) and paired([each for each in left[1:] if each is not other])
            for other in left[1:]
        )

    if len(present) % 2 == 0:
        return paired(list(present))
    return any(paired([each for each in present if each is not bye]) for bye in present if not bye.had_bye)
