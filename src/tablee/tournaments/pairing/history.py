"""What a pairing looks at: the entrants of a tournament for two and what they have played, round by round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

Number = Annotated[int, Meta(ge=1, le=9_999)]
Mark = Literal["1", "=", "0", "+", "-", "U", "H", "Z", "F"]
"""As in a report file: played `1 = 0`, forfeits `+ -`, byes: by pairing, half, zero, full."""

POINTS: Mapping[str, Fraction] = {
    "1": Fraction(1),
    "+": Fraction(1),
    "U": Fraction(1),
    "F": Fraction(1),
    "=": Fraction(1, 2),
    "H": Fraction(1, 2),
    "0": Fraction(),
    "-": Fraction(),
    "Z": Fraction(),
}
PLAYED = frozenset("1=0")
BYES = frozenset("UHZF")
_ANSWERS = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+-"}


class NoPairing(ValueError):
    """No round that keeps the rules can be made of those who are there."""


class Game(NamedTuple):
    """One round of one entrant: against whom (0: nobody), with which colour, how it ended."""

    opponent: Annotated[int, Meta(ge=0, le=9_999)]
    colour: Literal["w", "b", "-"]
    mark: Mark

    @property
    def was_played(self) -> bool:
        return self.mark in PLAYED


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entrant as pairing knows him; numbers go by rating, 1 is the strongest."""

    no: Number
    rating: Annotated[int, Meta(ge=0, le=9_999)] = 0
    results: tuple[Game, ...] = ()

    @property
    def points(self) -> Fraction:
        return sum((POINTS[game.mark] for game in self.results), Fraction())

    @property
    def opponents(self) -> frozenset[int]:
        return frozenset(game.opponent for game in self.results if game.was_played)

    @property
    def had_bye(self) -> bool:
        """A point that he did not play for: there is no second one."""
        return any(game.mark in "U+F" for game in self.results)


class Round(NamedTuple):
    """Pairs, White first, and who is left over."""

    pairs: list[tuple[int, int]]
    bye: int | None


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that the pairing of a round is made from. Raises ValueError where it does not hold together."""

    rounds: Annotated[int, Meta(ge=1, le=100)]
    round: Annotated[int, Meta(ge=1, le=100)]
    players: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=5_000)]
    absent: dict[str, Literal["H", "Z"]] = {}
    """Who does not play this round, by number, and what he has for it."""
    apart: tuple[tuple[Number, Number], ...] = ()
    """Pairs to keep apart."""

    def __post_init__(self) -> None:
        faults = list(self._faults())
        if faults:
            more = f" And {len(faults) - 5} faults more." if len(faults) > 5 else ""
            raise ValueError(" ".join(faults[:5]) + more)

    def _faults(self) -> Iterator[str]:
        if self.round > self.rounds:
            yield f"There is no round {self.round} of {self.rounds}."
        players = {player.no: player for player in self.players}
        if len(players) < len(self.players):
            yield "Two players have the same number."
        for no in self.absent:
            if not no.isdecimal() or int(no) not in players:
                yield f"Nobody has the number {no}, which is absent."
        for player in self.players:
            if len(player.results) != self.round - 1:
                yield f"Number {player.no} has {len(player.results)} results before round {self.round}."
                continue
            for number, game in enumerate(player.results):
                if fault := _fault(players, player.no, number, game):
                    yield f"Round {number + 1} of number {player.no}: {fault}"

    @property
    def present(self) -> list[Player]:
        """Who is to be paired, by number."""
        return sorted(
            (player for player in self.players if str(player.no) not in self.absent), key=lambda each: each.no
        )

    @property
    def is_last(self) -> bool:
        return self.round == self.rounds


def _fault(players: Mapping[int, Player], no: int, number: int, game: Game) -> str | None:
    """What is wrong with one round of one player."""
    if game.mark in BYES:
        return None if not game.opponent and game.colour == "-" else "a bye has no opponent and no colour."
    if game.opponent not in players or game.opponent == no:
        return f"there is no opponent {game.opponent}."
    if game.colour == "-":
        return "a game has a colour."
    theirs = players[game.opponent].results
    if number >= len(theirs) or theirs[number].opponent != no:
        return f"number {game.opponent} did not play him."
    if theirs[number].colour == game.colour:
        return "both have the same colour."
    if theirs[number].mark not in _ANSWERS[game.mark]:
        return f"“{game.mark}” does not go with “{theirs[number].mark}”."
    return None
