"""Everybody meets everybody, by the tables of Berger."""

from __future__ import annotations

from tablee.tournaments.pairing.history import History, NoPairing, Round


def rounds_of(entrants: int, double: bool = False) -> int:
    """How many rounds there are."""
    once = entrants - 1 + entrants % 2
    return 2 * once if double else once


def berger(entrants: int, number: int, double: bool = False) -> Round:
    """Round `number` of so many entrants, 1 the first: pairs of numbers, White first.

    In a double one everybody meets again with colours turned; the last two rounds of the first half change
    places, so that nobody has the same colour three times in a row. Raises NoPairing.
    """
    even = entrants + entrants % 2
    once = even - 1
    if entrants < 2 or not 1 <= number <= rounds_of(entrants, double):
        raise NoPairing(f"There is no round {number} of {entrants} entrants.")
    turned = number > once
    number -= once if turned else 0
    if double and not turned and once > 2 and number >= once - 1:
        number = once - 1 if number == once else once
    alone = (number - 1) * (even // 2) % once + 1
    pairs = [(alone, even) if number % 2 else (even, alone)]
    pairs += [((alone + step - 1) % once + 1, (alone - step - 1) % once + 1) for step in range(1, even // 2)]
    if turned:
        pairs = [(black, white) for white, black in pairs]
    bye = None
    if entrants % 2:
        bye = alone
        pairs = [pair for pair in pairs if even not in pair]
    return Round(pairs, bye)


def pair_round_robin(history: History) -> Round:
    """The round of a tournament in which everybody stays to the end; double where there are rounds enough."""
    if history.absent:
        raise NoPairing("In a round robin nobody is left out of a round: who is away forfeits.")
    numbers = [player.no for player in history.present]
    double = history.rounds > rounds_of(len(numbers))
    found = berger(len(numbers), history.round, double)
    return Round(
        [(numbers[white - 1], numbers[black - 1]) for white, black in found.pairs],
        None if found.bye is None else numbers[found.bye - 1],
    )
