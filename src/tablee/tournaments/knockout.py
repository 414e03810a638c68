"""A knockout as it was played: the matches of the bracket, each with its games and who goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from tablee.tournaments.acts import TournamentState
from tablee.tournaments.pairing.knockout import Match, Score, bracket, is_white_above, rounds_of, score_of

THIRD = Fraction(1, 2)
"""What winning the match for the third place is worth; any other match is worth 1."""


class Game(NamedTuple):
    """One game of a match."""

    board: int
    white: int
    points: Fraction | None
    """White's: 1, ½, 0; None while it goes on."""
    was_played: bool = True
    """Not where somebody forfeited it."""


class PlayedMatch(NamedTuple):
    """A match with its games so far."""

    match: Match
    games: tuple[Game, ...]
    score: Score
    by_lot: bool = False
    walkover: bool = False
    """One of the two has left: the other goes on."""

    @property
    def pair(self) -> frozenset[int]:
        return frozenset(each for each in (self.match.upper, self.match.lower) if each is not None)

    @property
    def is_third(self) -> bool:
        """Whether it is for the third place."""
        return self.match.place == 2 and self.is_last

    @property
    def is_last(self) -> bool:
        return self.match.is_last

    @property
    def worth(self) -> Fraction:
        return THIRD if self.is_third else Fraction(1)

    def next_game(self) -> tuple[int, int] | None:
        """Who must play next, White first; None while a game goes on, and when the match is decided."""
        if not self.match.is_open or any(game.points is None for game in self.games):
            return None
        upper, lower = self.match.upper, self.match.lower
        assert upper is not None
        assert lower is not None
        return (upper, lower) if is_white_above(len(self.games) + 1) else (lower, upper)


Games = Mapping[tuple[int, frozenset[int]], Sequence[Game]]
"""By round and the two who play."""


def seeds_of(state: TournamentState) -> list[int]:
    """Everybody in the bracket, the best first: by rating, by lot, or as the organisers have listed them."""
    order = [account for account in state.numbers if state.entries[account].from_round == 1]
    if state.plan.seeding == "lot":
        Random(f"{state.plan.seed}:seeds").shuffle(order)
    listed = [account for account in state.seeds if account in order]
    return [*listed, *(account for account in order if account not in listed)]


def matches_of(state: TournamentState, games: Games) -> list[list[PlayedMatch]]:
    """Every match of every round, as far as they are known."""
    seeds, winners = seeds_of(state), dict[tuple[int, int], int]()
    found: list[list[PlayedMatch]] = []
    for number in range(1, rounds_of(len(seeds)) + 1):
        drawn = bracket(seeds, winners, state.plan.third_place)[number - 1]
        played = [_played(state, match, games) for match in drawn]
        for each in played:
            if each.match.winner is not None:
                winners[number, each.match.place] = each.match.winner
        found.append(played)
    return found


def _played(state: TournamentState, match: Match, games: Games) -> PlayedMatch:
    if match.upper is None or match.lower is None:
        return PlayedMatch(match, (), score_of((), state.plan.best_of))
    upper, lower = match.upper, match.lower
    mine = tuple(games.get((match.round, frozenset((upper, lower))), ()))
    results = [
        points if game.white == upper else 1 - points for game in mine if (points := game.points) is not None
    ]
    score = score_of(results, state.plan.best_of)
    winner = (None, upper, lower)[score.winner]
    if winner is not None:
        return PlayedMatch(match._replace(winner=winner), mine, score)
    if match.round > len(state.published) + 1 or len(results) < len(mine):
        return PlayedMatch(match, mine, score)
    if score.by_lot:
        winner = Random(f"{state.plan.seed}:lot:{match.round}:{match.place}").choice((upper, lower))
        return PlayedMatch(match._replace(winner=winner), mine, score, by_lot=True)
    gone = [each for each in (upper, lower) if _has_left(state, each, match.round)]
    if gone:
        winner = lower if gone[0] == upper else upper
        return PlayedMatch(match._replace(winner=winner), mine, score, walkover=True)
    return PlayedMatch(match, mine, score)


def _has_left(state: TournamentState, account: int, number: int) -> bool:
    """Whether somebody plays no further game of a round: he left before it, or while it went on."""
    out_from = state.entries[account].out_from
    return bool(out_from) and out_from <= number + 1


def is_decided(played: PlayedMatch) -> bool:
    """Whether nothing is left to play; a match without two people never was."""
    return not played.match.is_open


def due(
    state: TournamentState, matches: Sequence[Sequence[PlayedMatch]]
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Games that should be going on and are not there: by round, White first."""
    for number, row in enumerate(matches[: len(state.published)], 1):
        for each in row:
            pair = each.next_game()
            if pair is not None:
                yield number, pair


def followers(
    matches: Sequence[Sequence[PlayedMatch]], number: int, pair: frozenset[int]
) -> list[PlayedMatch]:
    """The matches of the next round in which somebody of this one may be."""
    if number >= len(matches):
        return []
    return [each for each in matches[number] if each.pair & pair]
